//! Whether a call is legal (spec §4). The codes are tried in the order of the spec; the first that applies is the
//! answer. A legal call becomes an [`Order`], in which every name is resolved.

use ongrid_engine::{Rejection, Result};

use crate::field::{Kind, Thing, Traits};
use crate::fight::{Fight, Status};
use crate::{Burst, Call, Item};

/// A legal call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Fire {
        from: usize,
        at: usize,
    },
    Depth {
        from: usize,
        at: usize,
    },
    Torpedo {
        from: usize,
        at: usize,
    },
    /// Pinpoint bombing of a ship, plane or land unit.
    Pin {
        from: usize,
        at: usize,
    },
    /// Pinpoint bombing of an item in a sector.
    PinItem {
        from: usize,
        at: usize,
        item: Item,
    },
    Strategic {
        from: usize,
        at: usize,
    },
    Enter {
        unit: usize,
        to: usize,
    },
    Detonate {
        from: usize,
        at: usize,
        burst: Burst,
    },
    NextRound,
}

/// Judges a call; nothing is changed and nothing drawn.
///
/// # Errors
/// The codes of spec §4, with the round in progress.
pub(crate) fn judge(fight: &Fight, call: &Call) -> Result<Order> {
    Judge(fight).order(call).map_err(|no| no.with_round(fight.round))
}

struct Judge<'f>(&'f Fight);

/// Refuses with a code where `wrong` is so; the message is made only then.
fn refuse_if(wrong: bool, code: &'static str, message: impl FnOnce() -> String) -> Result<()> {
    if wrong { Err(Rejection::new(code, message())) } else { Ok(()) }
}

impl Judge<'_> {
    fn order(&self, call: &Call) -> Result<Order> {
        refuse_if(self.0.over, "battle_over", || "the battle is over".to_owned())?;
        match call {
            Call::Unknown { op } => Err(Rejection::new("unknown_op", format!("there is no op {op:?}"))),
            Call::Fire { from, at } => self.fire(from, at),
            Call::Depth { from, at } => self.depth(from, at),
            Call::Torpedo { from, at } => self.torpedo(from, at),
            Call::Bomb { from, at, mode, item } => self.bomb(from, at, mode, item.as_deref()),
            Call::Enter { unit, to } => self.enter(unit, to),
            Call::Detonate { from, at, burst } => self.detonate(from, at, burst),
            Call::NextRound => Ok(Order::NextRound),
        }
    }

    fn fire(&self, from: &str, at: &str) -> Result<Order> {
        let from = self.actor(from, &[Kind::Sector, Kind::Ship, Kind::Land])?;
        let (thing, status) = self.both(from);
        let is_sector = thing.kind() == Kind::Sector;
        refuse_if(is_sector && !thing.is_fort(), "not_a_fort", || format!("{:?} is no fort", thing.id))?;
        refuse_if(thing.guns < 1, "no_guns", || format!("{:?} has no guns", thing.id))?;
        self.needs_shells(thing, status)?;
        let at = self.target(at, &[Kind::Ship, Kind::Sector, Kind::Land])?;
        self.within(self.0.field.gun_range(thing.kind()), from, at)?;
        Ok(Order::Fire { from, at })
    }

    fn depth(&self, from: &str, at: &str) -> Result<Order> {
        let from = self.actor(from, &[Kind::Ship])?;
        let (thing, status) = self.both(from);
        let equipped = matches!(thing.traits, Traits::Ship { dch: true, .. });
        refuse_if(!equipped, "no_depth_charges", || format!("{:?} has no depth charges", thing.id))?;
        self.needs_shells(thing, status)?;
        let at = self.target(at, &[Kind::Ship])?;
        let (target, _) = self.both(at);
        let dives = matches!(target.traits, Traits::Ship { sub: true, .. });
        refuse_if(!dives, "not_a_submarine", || format!("{:?} is no submarine", target.id))?;
        self.within(self.0.field.ranges.depth, from, at)?;
        Ok(Order::Depth { from, at })
    }

    fn torpedo(&self, from: &str, at: &str) -> Result<Order> {
        let from = self.actor(from, &[Kind::Ship])?;
        let (thing, status) = self.both(from);
        let equipped = matches!(thing.traits, Traits::Ship { torp: true, .. });
        refuse_if(!equipped, "no_torpedoes", || format!("{:?} has no torpedoes", thing.id))?;
        self.needs_shells(thing, status)?;
        let at = self.target(at, &[Kind::Ship])?;
        self.within(self.0.field.ranges.torpedo, from, at)?;
        Ok(Order::Torpedo { from, at })
    }

    fn bomb(&self, from: &str, at: &str, mode: &str, item: Option<&str>) -> Result<Order> {
        let from = self.actor(from, &[Kind::Plane])?;
        let (thing, status) = self.both(from);
        refuse_if(status.nuke, "carries_nuke", || format!("{:?} carries a nuclear device", thing.id))?;
        let loaded = matches!(thing.traits, Traits::Plane { load: 1.., .. });
        refuse_if(!loaded, "no_bombs", || format!("{:?} carries no bombs", thing.id))?;
        refuse_if(status.stock < 1, "no_sorties", || format!("{:?} has no sorties left", thing.id))?;
        let strategic = mode == "strategic";
        refuse_if(!strategic && mode != "pin", "bad_mode", || {
            format!("the mode {mode:?} is neither pin nor strategic")
        })?;
        let kinds: &[Kind] =
            if strategic { &[Kind::Sector] } else { &[Kind::Ship, Kind::Plane, Kind::Land, Kind::Sector] };
        let at = self.target(at, kinds)?;
        let aimed = if !strategic && self.0.kind(at) == Kind::Sector { Some(item_of(item)?) } else { None };
        refuse_if(aimed.is_none() && item.is_some(), "bad_item", || {
            "an item is named where none is bombed".to_owned()
        })?;
        self.within(self.0.field.ranges.plane, from, at)?;
        Ok(match aimed {
            Some(item) => Order::PinItem { from, at, item },
            None if strategic => Order::Strategic { from, at },
            None => Order::Pin { from, at },
        })
    }

    fn enter(&self, unit: &str, to: &str) -> Result<Order> {
        let unit = self.entity(unit, &[Kind::Ship, Kind::Land, Kind::Convoy])?;
        let (thing, status) = self.both(unit);
        self.is_the_player_s(thing)?;
        refuse_if(status.moved, "already_moved", || format!("{:?} has moved in this round", thing.id))?;
        let to = self.entity(to, &[Kind::Sector])?;
        let (sector, _) = self.both(to);
        let sails = thing.kind() == Kind::Ship;
        refuse_if(sails != sector.is_sea(), "wrong_terrain", || {
            format!("a {} cannot enter {:?}", thing.kind().name(), sector.id)
        })?;
        let distance = self.0.distance(unit, to);
        refuse_if(distance != 1, "not_adjacent", || {
            format!("{:?} is {distance} hexes from {:?}", sector.id, thing.id)
        })?;
        Ok(Order::Enter { unit, to })
    }

    fn detonate(&self, from: &str, at: &str, burst: &str) -> Result<Order> {
        let from = self.actor(from, &[Kind::Plane])?;
        let (thing, status) = self.both(from);
        refuse_if(!status.nuke, "no_nuke", || format!("{:?} carries no nuclear device", thing.id))?;
        let burst = match burst {
            "ground" => Burst::Ground,
            "air" => Burst::Air,
            _ => {
                let message = format!("the burst {burst:?} is neither ground nor air");
                return Err(Rejection::new("bad_burst", message));
            }
        };
        let at = self.entity(at, &[Kind::Sector])?;
        self.within(self.0.field.ranges.plane, from, at)?;
        Ok(Order::Detonate { from, at, burst })
    }

    fn both(&self, thing: usize) -> (&Thing, &Status) {
        (&self.0.field.things[thing], &self.0.status[thing])
    }

    /// ENTITY of spec §4.
    fn entity(&self, id: &str, kinds: &[Kind]) -> Result<usize> {
        let found = self.0.field.find(id);
        let thing = found.ok_or_else(|| Rejection::new("no_such_entity", format!("there is no {id:?}")))?;
        let kind = self.0.kind(thing);
        refuse_if(!kinds.contains(&kind), "wrong_kind", || format!("{id:?} is a {}", kind.name()))?;
        refuse_if(!self.0.status[thing].alive, "destroyed", || format!("{id:?} is destroyed"))?;
        Ok(thing)
    }

    /// ACTOR of spec §4.
    fn actor(&self, id: &str, kinds: &[Kind]) -> Result<usize> {
        let thing = self.entity(id, kinds)?;
        self.is_the_player_s(&self.0.field.things[thing])?;
        refuse_if(self.0.status[thing].acted, "already_acted", || format!("{id:?} has acted in this round"))?;
        Ok(thing)
    }

    /// TARGET of spec §4.
    fn target(&self, id: &str, kinds: &[Kind]) -> Result<usize> {
        let thing = self.entity(id, kinds)?;
        let own = self.0.field.things[thing].owner == Some(self.0.field.player);
        refuse_if(own, "own_target", || format!("{id:?} is the player's own"))?;
        Ok(thing)
    }

    fn is_the_player_s(&self, thing: &Thing) -> Result<()> {
        let own = thing.owner == Some(self.0.field.player);
        refuse_if(!own, "not_yours", || format!("{:?} is not the player's", thing.id))
    }

    fn needs_shells(&self, thing: &Thing, status: &Status) -> Result<()> {
        refuse_if(status.shells < 1, "no_shells", || format!("{:?} has no shells left", thing.id))
    }

    /// X7.
    fn within(&self, range: u8, from: usize, at: usize) -> Result<()> {
        let distance = self.0.distance(from, at);
        refuse_if(distance > u16::from(range), "out_of_range", || {
            format!("the target is {distance} hexes away, the range is {range}")
        })
    }
}

/// The item that a pinpoint bomb run at a sector is aimed at.
fn item_of(name: Option<&str>) -> Result<Item> {
    let item = name.and_then(Item::of).ok_or_else(|| match name {
        Some(name) => Rejection::new("no_such_item", format!("there is no item {name:?}")),
        None => Rejection::new("no_such_item", "pinpoint bombing of a sector names an item"),
    })?;
    refuse_if(item == Item::Bar, "bars_cannot_be_bombed", || "bars cannot be bombed".to_owned())?;
    Ok(item)
}

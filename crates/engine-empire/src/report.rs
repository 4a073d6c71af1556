//! What a battle cost, by cause, in the game's own terms; made from its events.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::event::{Event, Hit};
use crate::{Item, Setup};

/// Losses by cause, in the order of [`Report::CAUSES`]; causes that took nothing are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// One entry a cause.
    pub tolls: Vec<Toll>,
}

/// What one cause took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Toll {
    /// One of [`Report::CAUSES`].
    pub cause: &'static str,
    /// From the other sides and from sectors without an owner.
    pub others: Losses,
    /// From the player.
    pub player: Losses,
}

/// What was lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// Ids of what was destroyed or laid waste.
    pub destroyed: Vec<String>,
    /// Points of efficiency, summed over all things hit.
    pub efficiency: f64,
    /// Units of items.
    pub items: BTreeMap<Item, u64>,
}

impl Report {
    /// The causes of damage (R1), and the answer of the others (X11).
    pub const CAUSES: [&str; 7] =
        ["shells", "depth charges", "torpedoes", "bombs", "mines", "nuclear blasts", "answering fire"];

    /// Tells what the events of a battle cost.
    pub fn of(setup: &Setup, events: &[Event]) -> Self {
        let mut tolls = Self::CAUSES.map(|cause| Toll { cause, ..Toll::default() });
        let own = ids_of(setup, &setup.player);
        for event in events {
            match event {
                Event::Act(act) => tolls[cause_of(act.op)].add(&own, &act.hits),
                Event::Round(round) => {
                    round.shots.iter().for_each(|shot| tolls[ANSWER].add(&own, &shot.hits))
                }
            }
        }
        Self { tolls: tolls.into_iter().filter(|toll| !toll.is_nothing()).collect() }
    }
}

const ANSWER: usize = 6;

fn cause_of(op: &str) -> usize {
    match op {
        "fire" => 0,
        "depth" => 1,
        "torpedo" => 2,
        "bomb" => 3,
        "enter" => 4,
        _ => 5,
    }
}

/// Ids of what a side owns.
fn ids_of<'s>(setup: &'s Setup, side: &str) -> Vec<&'s str> {
    let sectors = setup.sectors.iter().filter(|it| it.owner.as_deref() == Some(side)).map(|it| &*it.id);
    let ships = setup.ships.iter().filter(|it| it.owner == side).map(|it| &*it.id);
    let lands = setup.lands.iter().filter(|it| it.owner == side).map(|it| &*it.id);
    let planes = setup.planes.iter().filter(|it| it.owner == side).map(|it| &*it.id);
    let convoys = setup.convoys.iter().filter(|it| it.owner == side).map(|it| &*it.id);
    sectors.chain(ships).chain(lands).chain(planes).chain(convoys).collect()
}

impl Toll {
    fn add(&mut self, own: &[&str], hits: &[Hit]) {
        for hit in hits {
            let (Hit::Efficiency { id, .. } | Hit::Items { id, .. }) = hit;
            let losses = if own.contains(&&**id) { &mut self.player } else { &mut self.others };
            losses.add(hit);
        }
    }

    fn is_nothing(&self) -> bool {
        self.player.is_nothing() && self.others.is_nothing()
    }
}

impl Losses {
    fn add(&mut self, hit: &Hit) {
        match hit {
            Hit::Efficiency { dead, eff, id, was, .. } => {
                self.efficiency += was - eff;
                if *dead {
                    self.destroyed.push(id.clone());
                }
            }
            Hit::Items { lost, .. } => {
                for (item, count) in lost {
                    *self.items.entry(*item).or_default() += u64::from(*count);
                }
            }
        }
    }

    fn is_nothing(&self) -> bool {
        self.efficiency == 0.0 && self.items.is_empty() && self.destroyed.is_empty()
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} points of efficiency", self.efficiency)?;
        for (item, count) in &self.items {
            write!(f, ", {count} {}", item.name())?;
        }
        if !self.destroyed.is_empty() {
            write!(f, "; destroyed: {}", self.destroyed.join(", "))?;
        }
        Ok(())
    }
}

/// A line a cause and side.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for toll in &self.tolls {
            for (who, losses) in [("the player", &toll.player), ("the others", &toll.others)] {
                if !losses.is_nothing() {
                    writeln!(f, "{}: {who} lost {losses}", toll.cause)?;
                }
            }
        }
        Ok(())
    }
}

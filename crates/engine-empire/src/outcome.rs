//! The result of a battle (spec §5).

use ongrid_engine::Standing;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::field::{Kind, Thing, Traits};
use crate::fight::{Fight, Status};

/// What the battle came to; every key always there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Sector in which each ship, land unit, plane and convoy is, or was destroyed.
    pub at: ById<String>,
    /// Ids of what is destroyed: sectors laid waste, ships, land units, planes, in the setup's order.
    pub dead: Vec<String>,
    /// Efficiency left to each sector, ship, land unit and plane, 0..100.
    pub eff: ById<f64>,
    /// Part of its value that each side has left, 0..1.
    pub fraction: ById<f64>,
    /// Quantities left to each sector and convoy whose setup has items.
    pub items: ById<ById<u32>>,
    /// Mines left in sectors, above 0 only.
    pub mines: ById<u16>,
    /// Planes that still carry their nuclear device, in the setup's order.
    pub nukes: Vec<String>,
    /// Whether the battle came to its end.
    pub over: bool,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// The round reached, from 1.
    pub round: u32,
    /// Shells left to each sector, ship and land unit that has guns, depth charges or torpedoes.
    pub shells: ById<u16>,
    /// Sorties left to each plane.
    pub sorties: ById<u16>,
    /// Where the battle is over, the one side with the largest fraction, if there is one.
    pub winner: Option<String>,
}

/// Values by id, in the order of canonical JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct ById<T>(Vec<(String, T)>);

impl<T> ById<T> {
    /// The value of an id.
    pub fn get(&self, id: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known == id).map(|(_, value)| value)
    }

    /// Ids and values, in the order of canonical JSON.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(id, value)| (&**id, value))
    }
}

impl<T> FromIterator<(String, T)> for ById<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> Self {
        let mut values: Vec<_> = values.into_iter().collect();
        // RFC 8785 sorts by UTF-16 code units; ids are the setup's own and may hold any character.
        values.sort_unstable_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        Self(values)
    }
}

impl<T: Serialize> Serialize for ById<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (id, value) in &self.0 {
            map.serialize_entry(id, value)?;
        }
        map.end()
    }
}

/// Tells how a battle stands.
pub(crate) fn outcome(fight: &Fight) -> Outcome {
    let field = &fight.field;
    let things = || field.things.iter().zip(&fight.status);
    let each = |kinds: &'static [Kind]| things().filter(|(thing, _)| kinds.contains(&thing.kind()));
    let shells = things().filter(|(thing, _)| has_shells(thing));
    Outcome {
        at: each(&[Kind::Ship, Kind::Land, Kind::Plane, Kind::Convoy])
            .map(|(thing, status)| (thing.id.clone(), field.things[usize::from(status.at)].id.clone()))
            .collect(),
        dead: things().filter(|(_, status)| !status.alive).map(|(thing, _)| thing.id.clone()).collect(),
        eff: each(&[Kind::Sector, Kind::Ship, Kind::Land, Kind::Plane])
            .map(|(thing, status)| (thing.id.clone(), status.eff))
            .collect(),
        fraction: fractions(fight)
            .into_iter()
            .zip(&field.sides)
            .map(|(part, side)| (side.clone(), part))
            .collect(),
        items: things()
            .filter(|(thing, _)| !thing.goods.is_empty())
            .map(|(thing, _)| (thing.id.clone(), items_of(fight, thing)))
            .collect(),
        mines: stock(things(), Kind::Sector).filter(|(_, mines)| *mines > 0).collect(),
        nukes: things().filter(|(_, status)| status.nuke).map(|(thing, _)| thing.id.clone()).collect(),
        over: fight.over,
        rng_words: fight.stream.words(),
        round: fight.round,
        shells: shells.map(|(thing, status)| (thing.id.clone(), status.shells)).collect(),
        sorties: stock(things(), Kind::Plane).collect(),
        winner: if fight.over { leader(fight) } else { None },
    }
}

fn has_shells(thing: &Thing) -> bool {
    thing.guns > 0 || matches!(thing.traits, Traits::Ship { dch: true, .. } | Traits::Ship { torp: true, .. })
}

fn items_of(fight: &Fight, thing: &Thing) -> ById<u32> {
    let range = thing.goods.clone();
    let goods = &fight.field.goods[range.clone()];
    goods.iter().zip(&fight.items[range]).map(|((item, _), left)| (item.name().to_owned(), *left)).collect()
}

fn stock<'f>(
    things: impl Iterator<Item = (&'f Thing, &'f Status)>,
    kind: Kind,
) -> impl Iterator<Item = (String, u16)> {
    things
        .filter(move |(thing, _)| thing.kind() == kind)
        .map(|(thing, status)| (thing.id.clone(), status.stock))
}

fn fractions(fight: &Fight) -> Vec<f64> {
    (0..).take(fight.field.sides.len()).map(|side| fight.fraction(side)).collect()
}

/// The one side with the largest fraction.
fn leader(fight: &Fight) -> Option<String> {
    let fractions = fractions(fight);
    let largest = fractions.iter().copied().fold(0.0, f64::max);
    let mut first = fractions.iter().zip(&fight.field.sides).filter(|(part, _)| **part == largest);
    match (first.next(), first.next()) {
        (Some((_, side)), None) => Some(side.clone()),
        _ => None,
    }
}

/// What boards rank by: how much more of itself the player has kept than the best of the others, in thousandths.
pub(crate) fn standing(fight: &Fight) -> Standing {
    // The casts are exact: the values are whole and lie in 0..1000.
    let points = |part: &f64| (1000.0 * part).floor() as i64;
    let player = usize::from(fight.field.player);
    let points: Vec<i64> = fractions(fight).iter().map(points).collect();
    let others = points.iter().enumerate().filter(|(side, _)| *side != player).map(|(_, points)| *points);
    Standing { finished: fight.over, rounds: fight.round, score: points[player] - others.max().unwrap_or(0) }
}

//! What happens, as the log tells it (section 5, "Log events"); never compared, never moves the dice.

use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::geometry::{Facing, Position};
use crate::object::{Id, Object};
use crate::words::{Aspect, Pace, Part};

/// An entry of the log: an act, the dice it took, what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What is done.
    pub act: Act,
    /// The draws in order: chances in 0..1 and dice from 1 to 6.
    pub draws: Vec<f64>,
    /// What came of it, in order.
    pub happenings: Vec<Happening>,
    /// Whether draws and happenings were left out, since the log of the battle had grown too long.
    pub cut: bool,
}

/// What an entry of the log is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// A round begins.
    Round {
        /// Its number, from 1.
        round: u32,
    },
    /// A unit moves.
    Move {
        /// The unit.
        unit: Id,
        /// Where it is now.
        to: Position,
        /// Where it looks now.
        facing: Facing,
        /// How it moved.
        pace: Pace,
    },
    /// A unit attacks.
    Attack {
        /// The attacker.
        unit: Id,
        /// The one attacked.
        target: Id,
        /// Index of the attacker's weapon.
        weapon: usize,
        /// Shots or strikes.
        shots: u32,
        /// Distance in metres, at least 1.
        distance: f64,
        /// The side of the target that is attacked.
        aspect: Aspect,
        /// Hit probability, 0 to 1.
        hitpro: f64,
        /// Hits, before parries.
        hits: u32,
    },
}

/// Something that comes of an act. `U` is how a unit is named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happening<U = Id> {
    /// An unconscious unit wakes (R30).
    Wakes(U),
    /// A wounded unit cannot act this round (R32).
    Unable(U),
    /// A unit's shield takes centipoints and has so many left (R39).
    Shield(U, u32, u32),
    /// A part takes centipoints of armor and of internal structure.
    Hit(U, Part, u32, u32),
    /// A part is lost (R49).
    Lost(U, Part),
    /// A part has a critical box more and now so many (R41–R43).
    Critical(U, Part, u32),
    /// The reactor has a critical box more and now so many (R44).
    Reactor(U, u32),
    /// The reactor explodes (R45).
    Explodes(U),
    /// A person takes damage points and now has so many (R27, X4).
    Hurt(U, u32, u8),
    /// A person becomes unconscious (R29).
    Faints(U),
    /// A person dies (R28).
    Dies(U),
    /// A unit parries a hit.
    Parried(U),
    /// The first unit puts the second out for good (R21).
    Kill(U, U),
}

impl<U: Copy> Happening<U> {
    /// The same, with units named otherwise.
    pub(crate) fn named<V>(self, name: impl Fn(U) -> V) -> Happening<V> {
        match self {
            Happening::Wakes(unit) => Happening::Wakes(name(unit)),
            Happening::Unable(unit) => Happening::Unable(name(unit)),
            Happening::Shield(unit, cp, left) => Happening::Shield(name(unit), cp, left),
            Happening::Hit(unit, part, armor, internal) => Happening::Hit(name(unit), part, armor, internal),
            Happening::Lost(unit, part) => Happening::Lost(name(unit), part),
            Happening::Critical(unit, part, boxes) => Happening::Critical(name(unit), part, boxes),
            Happening::Reactor(unit, boxes) => Happening::Reactor(name(unit), boxes),
            Happening::Explodes(unit) => Happening::Explodes(name(unit)),
            Happening::Hurt(unit, points, total) => Happening::Hurt(name(unit), points, total),
            Happening::Faints(unit) => Happening::Faints(name(unit)),
            Happening::Dies(unit) => Happening::Dies(name(unit)),
            Happening::Parried(unit) => Happening::Parried(name(unit)),
            Happening::Kill(unit, target) => Happening::Kill(name(unit), name(target)),
        }
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        let log = |object: &mut Object<S>| {
            object.put("draws", &self.draws)?;
            object.put("events", &self.happenings)
        };
        match &self.act {
            Act::Round { round } => {
                object.put_unless("cut", &self.cut, false)?;
                log(&mut object)?;
                object.put("op", "round")?;
                object.put("round", round)?;
            }
            Act::Move { unit, to, facing, pace } => {
                log(&mut object)?;
                object.put("facing", facing)?;
                object.put("op", "move")?;
                object.put("pace", pace)?;
                object.put("to", to)?;
                object.put("unit", unit)?;
            }
            Act::Attack { unit, target, weapon, shots, distance, aspect, hitpro, hits } => {
                object.put("aspect", aspect)?;
                object.put_unless("cut", &self.cut, false)?;
                object.put("distance", distance)?;
                log(&mut object)?;
                object.put("hitpro", hitpro)?;
                object.put("hits", hits)?;
                object.put("op", "attack")?;
                object.put("shots", shots)?;
                object.put("target", target)?;
                object.put("unit", unit)?;
                object.put("weapon", weapon)?;
            }
        }
        object.end()
    }
}

/// A list that begins with a name.
impl Serialize for Happening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        macro_rules! list {
            ($($item:expr),+) => {{ $(list.serialize_element($item)?;)+ }};
        }
        match self {
            Happening::Wakes(unit) => list!("wakes", unit),
            Happening::Unable(unit) => list!("unable", unit),
            Happening::Shield(unit, cp, left) => list!("shield", unit, cp, left),
            Happening::Hit(unit, part, armor, internal) => list!("hit", unit, part, armor, internal),
            Happening::Lost(unit, part) => list!("lost", unit, part),
            Happening::Critical(unit, part, boxes) => list!("crit", unit, part, boxes),
            Happening::Reactor(unit, boxes) => list!("reactor", unit, boxes),
            Happening::Explodes(unit) => list!("explodes", unit),
            Happening::Hurt(unit, points, total) => list!("hurt", unit, points, total),
            Happening::Faints(unit) => list!("faints", unit),
            Happening::Dies(unit) => list!("dies", unit),
            Happening::Parried(unit) => list!("parried", unit),
            Happening::Kill(unit, target) => list!("kill", unit, target),
        }
        list.end()
    }
}

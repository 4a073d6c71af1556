//! Events: the timeline of a fight (§17). Never compared, and watching never moves the generator.

use ongrid_engine::canonical;
use ongrid_engine::json::{Reader, Value};
use serde::Serialize;
use serde::ser::{Error, Serializer};

use crate::attribute::{Class, Layer, Stance};
use crate::outcome::{DecidedBy, Layers, Verdict};

/// Something that happened, and the round it happened in.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The round in progress, from 1.
    pub round: u32,
    /// What happened.
    pub what: What,
}

/// What happened (§17). On the wire the variant's name is the member `event`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// A round began.
    RoundStarted {
        /// The living ships in the order of their turns.
        order: Vec<u32>,
    },
    /// A ship's turn began.
    Turn {
        /// Whose turn it is.
        ship: u32,
        /// Its stance, a switch in the same call included.
        stance: Stance,
    },
    /// A jammed ship had no turn.
    SatOut {
        /// The ship.
        ship: u32,
        /// The last round it sits out.
        jam_until: u32,
    },
    /// A weapon group fired.
    Fired {
        /// The shooter.
        ship: u32,
        /// Its group.
        group: u32,
        /// Whom it fired at.
        target: u32,
        /// Whether the call was overheated.
        overheat: bool,
        /// Chance of a turret to hit.
        #[serde(skip_serializing_if = "Option::is_none")]
        chance: Option<f64>,
        /// How much of a missile volley applied.
        #[serde(skip_serializing_if = "Option::is_none")]
        application: Option<f64>,
        /// A turret's first draw.
        #[serde(skip_serializing_if = "Option::is_none")]
        hit_roll: Option<f64>,
        /// A turret's second draw.
        #[serde(skip_serializing_if = "Option::is_none")]
        quality_roll: Option<f64>,
        /// Whether it landed.
        landed: bool,
        /// Quality of a turret volley that landed.
        #[serde(skip_serializing_if = "Option::is_none")]
        quality: Option<f64>,
        /// Damage by type before resonances: em, thermal, kinetic, explosive.
        raw: [f64; 4],
        /// What each layer lost.
        lost: Layers,
        /// Layers that broke.
        broke: Vec<Layer>,
    },
    /// A weapon group could not pay.
    Silent {
        /// The ship.
        ship: u32,
        /// Its group.
        group: u32,
    },
    /// A timed effect began.
    EffectStarted {
        /// Its number.
        number: u32,
        /// Who projects it.
        source: u32,
        /// With which group.
        group: u32,
        /// On whom.
        target: u32,
        /// The group's class.
        class: Class,
        /// One multiplier for each attribute it touches; a group of n projects each n times.
        multipliers: Vec<f64>,
        /// The last round it lasts.
        last_round: u32,
    },
    /// A timed effect ended.
    EffectEnded {
        /// Its number.
        number: u32,
        /// Why.
        why: Why,
    },
    /// A jammer worked.
    Jam {
        /// Who jams.
        source: u32,
        /// With which group.
        group: u32,
        /// Whom.
        target: u32,
        /// Chance of each draw.
        chance: f64,
        /// The draws.
        rolls: Vec<f64>,
        /// The last round the target sits out; none where every draw failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        jam_until: Option<u32>,
    },
    /// An enemy's capacitor was drained.
    Drained {
        /// Who drained it.
        source: u32,
        /// With which group.
        group: u32,
        /// Whose capacitor.
        target: u32,
        /// GJ lost.
        amount: f64,
    },
    /// An enemy's capacitor was moved into the own.
    Leeched {
        /// Who leeched it.
        source: u32,
        /// With which group.
        group: u32,
        /// Whose capacitor.
        target: u32,
        /// GJ the enemy lost.
        amount: f64,
    },
    /// A layer was repaired.
    Repaired {
        /// Who repaired it.
        source: u32,
        /// With which group.
        group: u32,
        /// Whose layer.
        target: u32,
        /// Which.
        layer: Layer,
        /// Hit points gained.
        amount: f64,
        /// Hit points above the maximum, lost.
        wasted: f64,
    },
    /// A capacitor charge was used.
    Boosted {
        /// The ship.
        ship: u32,
        /// Its group.
        group: u32,
        /// GJ gained.
        amount: f64,
        /// GJ above the maximum, lost.
        wasted: f64,
        /// Activations left.
        uses: u32,
    },
    /// A ship did nothing.
    Held {
        /// The ship.
        ship: u32,
    },
    /// A ship was destroyed.
    Destroyed {
        /// The ship.
        ship: u32,
        /// Who destroyed it.
        by: u32,
        /// With which group.
        group: u32,
    },
    /// A round ended.
    RoundEnded {},
    /// The fight ended.
    Ended {
        /// For the pilot.
        result: Verdict,
        /// By what.
        decided_by: DecidedBy,
    },
}

/// Why a timed effect ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Its last round is over.
    Expired,
    /// Its group was activated again.
    Replaced,
    /// Who projected it is destroyed.
    SourceDestroyed,
    /// Whom it was on is destroyed.
    TargetDestroyed,
}

/// Canonical form: the members of the variant, `event` and `round`, in the order of their names.
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = canonical::to_vec(&self.what);
        let Ok(Value::Object(mut members)) = Reader::from_bytes(&bytes).and_then(|mut json| json.value())
        else {
            return Err(S::Error::custom("an event is an object"));
        };
        let round = self.round.to_string();
        members.push(("round".into(), Value::Number(&round)));
        Value::Object(members).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_canonical() {
        let event = Event {
            round: 3,
            what: What::Fired {
                ship: 1,
                group: 0,
                target: 5,
                overheat: false,
                chance: Some(0.5),
                application: None,
                hit_roll: Some(0.25),
                quality_roll: Some(0.5),
                landed: true,
                quality: Some(1.0),
                raw: [0.0, 0.0, 10.0, 2.5],
                lost: Layers { armor: 0.0, hull: 0.0, shield: 9.25 },
                broke: vec![Layer::Shield],
            },
        };
        let bytes = canonical::to_vec(&[event]);
        assert!(canonical::is_canonical(&bytes));
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            r#"[{"broke":["shield"],"chance":0.5,"event":"fired","group":0,"hit_roll":0.25,"landed":true,"lost":{"armor":0,"hull":0,"shield":9.25},"overheat":false,"quality":1,"quality_roll":0.5,"raw":[0,0,10,2.5],"round":3,"ship":1,"target":5}]"#
        );
        let ended = Event { round: 9, what: What::RoundEnded {} };
        assert_eq!(canonical::to_vec(&ended), br#"{"event":"round_ended","round":9}"#);
    }
}

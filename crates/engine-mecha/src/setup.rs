//! The setup of a battle (section 3). One exists only after every check: see `schema`.

use ongrid_engine::Result as Checked;
use ongrid_engine::json::Reader;
use serde::{Serialize, Serializer};

use crate::geometry::{Facing, Position};
use crate::munition::Flight;
use crate::object::{Id, Object};
use crate::rules::Rules;
use crate::words::{Arm, Class, Flag, Hand, Light, Medium, Pace, Part, Rank, Soldier, Terrain, Word};

/// A legal setup.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub(crate) player: Id,
    pub(crate) sides: Vec<Id>,
    pub(crate) rounds: u32,
    pub(crate) env: Env,
    pub(crate) units: Vec<UnitSetup>,
}

impl Setup {
    /// Reads a setup and judges it in the four passes of conventions.
    ///
    /// # Errors
    /// `format`, `limit`, `bad_setup`, with the path from the setup's own root.
    pub fn read(json: &mut Reader<'_>) -> Checked<Self> {
        crate::schema::read(json)
    }

    /// The side that the calls lead.
    pub fn player(&self) -> &str {
        &self.player
    }

    /// The sides, in the order of the setup.
    pub fn sides(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().map(|side| &**side)
    }

    /// How many rounds the battle lasts at most.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The units, in the order of the setup.
    pub fn units(&self) -> &[UnitSetup] {
        &self.units
    }
}

/// Where the battle takes place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Env {
    pub medium: Medium,
    pub terrain: Terrain,
    /// Upward slope in percent.
    pub slope_percent: u32,
    pub light: Light,
    pub fog: bool,
    pub underwater: bool,
}

/// A unit at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitSetup {
    pub(crate) id: Id,
    pub(crate) side: Id,
    pub(crate) pos: Position,
    pub(crate) facing: Facing,
    pub(crate) flies: bool,
    /// Metres a round by pace, stationary first.
    pub(crate) speed: [u32; Pace::ALL.len()],
    pub(crate) size_m2: f64,
    pub(crate) flags: Vec<Flag>,
    /// Damage of the pilot or person, 0 to 19.
    pub(crate) damage: u8,
    /// Whether the pilot or person is unconscious.
    pub(crate) unconscious: bool,
    pub(crate) body: Body,
    pub(crate) weapons: Vec<Weapon>,
}

impl UnitSetup {
    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The side it fights for.
    pub fn side(&self) -> &str {
        &self.side
    }

    /// Whether it is a mecha; else it is a person on foot.
    pub fn is_mecha(&self) -> bool {
        matches!(self.body, Body::Mecha(_))
    }

    /// Its weapons, in the order of the setup.
    pub fn weapons(&self) -> &[Weapon] {
        &self.weapons
    }
}

/// What a unit is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Mecha(Mecha),
    Foot { skill: Soldier },
}

/// A mecha and the training of its crew.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mecha {
    pub piloting: Training,
    pub gunner: Training,
    pub kills: u32,
    /// Boxes of armor and internal structure, by part.
    pub parts: [[u32; 2]; Part::COUNT],
    pub shield: Option<ShieldSetup>,
}

/// A starting skill: a name of R23 or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Training {
    Rank(Rank),
    Number(f64),
}

impl Training {
    /// The skill, 0 to 1 (R23).
    pub fn start(self, rules: &Rules) -> f64 {
        match self {
            Training::Rank(rank) => rules.pilot_skill(rank),
            Training::Number(number) => number,
        }
    }
}

/// A shield at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShieldSetup {
    /// Boxes.
    pub armor: u32,
    /// The arm that holds it.
    pub arm: Arm,
}

/// A weapon.
#[derive(Clone, Debug, PartialEq)]
pub struct Weapon {
    pub(crate) name: Id,
    pub(crate) class: Class,
    pub(crate) rate: u32,
    pub(crate) rapid: Option<u32>,
    /// Shots at the start; `None` is endless.
    pub(crate) ammo: Option<u32>,
    pub(crate) arm: Option<Arm>,
    pub(crate) optical: bool,
    pub(crate) optical_only: bool,
    pub(crate) sniper: bool,
    pub(crate) wound: Option<u32>,
    /// Caliber in mm, of beams and blades damage points.
    pub(crate) power: u32,
    /// Range, of blades reach, in metres.
    pub(crate) range: u32,
    pub(crate) kind: Kind,
}

impl Weapon {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its class.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether it is a blade.
    pub(crate) fn is_blade(&self) -> bool {
        self.class == Class::Blade
    }

    /// Most shots of one attack in a mode of fire (A21).
    pub(crate) fn rate(&self, rapid: bool) -> u32 {
        self.rapid.filter(|_| rapid).unwrap_or(self.rate)
    }
}

/// What only some classes have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Bullets and beams: an accuracy at a reference distance, or what a hand holds.
    Gun(Sight),
    /// Rockets and bazookas.
    Rocket { half_range: u32 },
    /// Missiles.
    Missile { flight: Flight, moving_percent: u32, wingless: bool },
    /// Blades.
    Blade { accuracy: f64, thrust: bool, pierce: u32 },
}

/// How a gun finds its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sight {
    /// By an accuracy of its own at a reference distance in metres (R8).
    Own { accuracy: f64, reference: u32 },
    /// By the shooter's skill alone (R5).
    Hand(Hand),
}

/// What a missile does to a moving target unless the setup says otherwise, in percent (R59).
pub(crate) const MOVING_PERCENT: u32 = 90;
/// Share of a blade's damage that passes the armor unless the setup says otherwise, in percent (R76, R78).
pub(crate) const PIERCE: u32 = 25;

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        object.put("env", &self.env)?;
        object.put("player", &self.player)?;
        object.put("rounds", &self.rounds)?;
        object.put("sides", &self.sides)?;
        object.put("units", &self.units)?;
        object.end()
    }
}

impl Serialize for Env {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        object.put_unless("fog", &self.fog, false)?;
        object.put_unless("light", &self.light, Light::Day)?;
        object.put("medium", &self.medium)?;
        object.put_unless("slope_percent", &self.slope_percent, 0)?;
        object.put_unless("terrain", &self.terrain, Terrain::Open)?;
        object.put_unless("underwater", &self.underwater, false)?;
        object.end()
    }
}

impl Serialize for UnitSetup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mecha = match &self.body {
            Body::Mecha(mecha) => Some(mecha),
            Body::Foot { .. } => None,
        };
        let mut object = Object::begin(serializer)?;
        object.put("crew", &Crew(self))?;
        object.put("facing", &self.facing)?;
        object.put_unless("flags", &self.flags, Vec::new())?;
        object.put_unless("flies", &self.flies, false)?;
        object.put("id", &self.id)?;
        if let Some(mecha) = mecha {
            object.put("parts", &Parts(&mecha.parts))?;
        }
        object.put("pos", &self.pos)?;
        if let Some(shield) = mecha.and_then(|mecha| mecha.shield.as_ref()) {
            object.put("shield", shield)?;
        }
        object.put("side", &self.side)?;
        object.put_unless("size_m2", &self.size_m2, 1.0)?;
        object.put("speed", &Speed(&self.speed))?;
        object.put("type", if self.is_mecha() { "mecha" } else { "foot" })?;
        object.put("weapons", &self.weapons)?;
        object.end()
    }
}

struct Crew<'a>(&'a UnitSetup);

impl Serialize for Crew<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Crew(unit) = self;
        let mut object = Object::begin(serializer)?;
        object.put_unless("damage", &unit.damage, 0)?;
        if let Body::Mecha(mecha) = &unit.body {
            object.put("gunner", &mecha.gunner)?;
            object.put_unless("kills", &mecha.kills, 0)?;
        }
        object.put_unless("out", &unit.unconscious, false)?;
        match &unit.body {
            Body::Mecha(mecha) => object.put("piloting", &mecha.piloting)?,
            Body::Foot { skill } => object.put("skill", skill)?,
        }
        object.end()
    }
}

impl Serialize for Training {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Training::Rank(rank) => rank.serialize(serializer),
            Training::Number(number) => number.serialize(serializer),
        }
    }
}

struct Parts<'a>(&'a [[u32; 2]; Part::COUNT]);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        for part in PARTS_BY_NAME {
            object.put(part.name(), &self.0[part.index()])?;
        }
        object.end()
    }
}

/// The parts in the order of their names, as canonical objects have them.
pub(crate) const PARTS_BY_NAME: [Part; Part::COUNT] = [
    Part::Cockpit,
    Part::Gyro,
    Part::Head,
    Part::LeftArm,
    Part::LeftFoot,
    Part::LeftHand,
    Part::LeftHip,
    Part::LeftLeg,
    Part::LeftTorso,
    Part::RightArm,
    Part::RightFoot,
    Part::RightHand,
    Part::RightHip,
    Part::RightLeg,
    Part::RightTorso,
];

struct Speed<'a>(&'a [u32; Pace::ALL.len()]);

impl Serialize for Speed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        for pace in [Pace::Flying, Pace::Jog, Pace::Run, Pace::SprintJump, Pace::Walk] {
            object.put_unless(pace.name(), &self.0[pace.index()], 0)?;
        }
        object.end()
    }
}

impl Serialize for ShieldSetup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        object.put("arm", &self.arm)?;
        object.put("armor", &self.armor)?;
        object.end()
    }
}

impl Serialize for Weapon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        match &self.kind {
            Kind::Gun(Sight::Own { accuracy, .. }) => object.put("accuracy", accuracy)?,
            Kind::Gun(Sight::Hand(_)) => object.put("accuracy", &())?,
            Kind::Blade { accuracy, .. } => object.put_unless("accuracy", accuracy, 1.0)?,
            Kind::Rocket { .. } | Kind::Missile { .. } => {}
        }
        object.put_unless("ammo", &self.ammo, None)?;
        object.put_unless("arm", &self.arm, None)?;
        if let Kind::Missile { flight, .. } = &self.kind {
            object.put("burnout", &flight.burnout)?;
        }
        if !matches!(self.class, Class::Beam | Class::Blade) {
            object.put("caliber", &self.power)?;
        }
        object.put("class", &self.class)?;
        match &self.kind {
            Kind::Rocket { half_range } => object.put("half_range", half_range)?,
            Kind::Missile { flight, .. } => object.put("half_range", &flight.half_range)?,
            Kind::Gun(Sight::Hand(hand)) => object.put("hand", hand)?,
            Kind::Gun(Sight::Own { .. }) | Kind::Blade { .. } => {}
        }
        if let Kind::Missile { flight, moving_percent, .. } = &self.kind {
            object.put("min_range", &flight.min_range)?;
            object.put_unless("moving_percent", moving_percent, MOVING_PERCENT)?;
        }
        object.put("name", &self.name)?;
        object.put_unless("optical", &self.optical, false)?;
        object.put_unless("optical_only", &self.optical_only, false)?;
        if let Kind::Blade { pierce, .. } = &self.kind {
            object.put_unless("pierce", pierce, PIERCE)?;
        }
        if matches!(self.class, Class::Beam | Class::Blade) {
            object.put("points", &self.power)?;
        }
        if !self.is_blade() {
            object.put("range", &self.range)?;
        }
        object.put_unless("rapid", &self.rapid, None)?;
        object.put("rate", &self.rate)?;
        if self.is_blade() {
            object.put("reach", &self.range)?;
        }
        if let Kind::Gun(Sight::Own { reference, .. }) = &self.kind {
            object.put("ref", reference)?;
        }
        object.put_unless("sniper", &self.sniper, false)?;
        if let Kind::Blade { thrust, .. } = &self.kind {
            object.put_unless("thrust", thrust, false)?;
        }
        if let Kind::Missile { wingless, .. } = &self.kind {
            object.put_unless("wingless", wingless, false)?;
        }
        object.put_unless("wound", &self.wound, None)?;
        object.end()
    }
}

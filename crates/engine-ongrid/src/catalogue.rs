//! Hulls, modules, charges and doctrines: the data of the ruleset, read once per process.

use std::sync::LazyLock;

use ongrid_engine::{DataFile, data};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::attribute::{Attribute, Class, Classes};
use crate::names::Names;
use crate::rows::{ChargeRow, DoctrineFile, HullRow, ModuleRow};
use crate::rules::{Rules, SKILLS, Skill};

/// Most ships a side has; the data keep below it, and the fight's flat arrays rely on it.
pub(crate) const SIDE: usize = 6;

/// The data files, in the order in which they are hashed (§15).
pub(crate) static FILES: [DataFile; 5] = [
    DataFile { name: "rules.toml", bytes: include_bytes!("../ruleset/rules.toml") },
    DataFile { name: "hulls.json", bytes: include_bytes!("../ruleset/hulls.json") },
    DataFile { name: "modules.json", bytes: include_bytes!("../ruleset/modules.json") },
    DataFile { name: "charges.json", bytes: include_bytes!("../ruleset/charges.json") },
    DataFile { name: "doctrines.toml", bytes: include_bytes!("../ruleset/doctrines.toml") },
];

/// The data of the ruleset.
#[derive(Debug)]
pub struct Catalogue {
    /// The constants.
    pub rules: Rules,
    /// The six skills, in rules order.
    pub skills: [Skill; SKILLS],
    /// By id.
    pub hulls: Vec<Hull>,
    /// By id.
    pub modules: Vec<Module>,
    /// By id.
    pub charges: Vec<Charge>,
    /// In ruleset order.
    pub doctrines: Vec<Doctrine>,
    hull_names: Names,
    module_names: Names,
    charge_names: Names,
    doctrine_names: Names,
    skill_names: Names,
}

/// A hull's class; the dials of calibration are set for each (§3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HullClass {
    /// In the order of their names, as the snapshot lists them.
    Battlecruiser,
    /// The largest.
    Battleship,
    /// Middling.
    Cruiser,
    /// Small, many guns.
    Destroyer,
    /// The smallest.
    Frigate,
}

impl HullClass {
    /// All, in the order of their names.
    pub const ALL: [Self; 5] =
        [Self::Battlecruiser, Self::Battleship, Self::Cruiser, Self::Destroyer, Self::Frigate];
}

/// A hull's tier; t1 < navy < t2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HullTier {
    /// Standard.
    T1,
    /// Navy issue.
    Navy,
    /// Tech two.
    T2,
}

impl HullTier {
    /// All, lowest first.
    pub const ALL: [Self; 3] = [Self::T1, Self::Navy, Self::T2];
}

/// A module's tier; t1 < meta < t2 < faction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Standard.
    T1,
    /// Named.
    Meta,
    /// Tech two.
    T2,
    /// Of a navy or a pirate faction.
    Faction,
}

/// What kind of slot a module takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// Weapons and their like.
    High,
    /// Electronics, shields, propulsion.
    Mid,
    /// Armor, engineering, weapon upgrades.
    Low,
}

/// What a weapon is mounted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hardpoint {
    /// Guns.
    Turret,
    /// Missile launchers.
    Launcher,
}

/// A ship's kind of sensors; what a jammer's strength depends on (§9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sensor {
    /// Amarr.
    Radar,
    /// Minmatar.
    Ladar,
    /// Gallente.
    Magnetometric,
    /// Caldari.
    Gravimetric,
}

/// What a doctrine's ship is for; it changes its stance (§12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Fights in the line.
    Line,
    /// Electronic warfare.
    Ewar,
    /// Remote repair.
    Logistics,
}

/// A hull.
#[derive(Debug)]
pub struct Hull {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its class.
    pub class: HullClass,
    /// Its tier.
    pub tier: HullTier,
    /// What it costs of a doctrine's points.
    pub points: u32,
    /// High, mid and low slots.
    pub slots: [u32; 3],
    /// Turret hardpoints.
    pub turrets: u32,
    /// Launcher hardpoints.
    pub launchers: u32,
    /// Its kind of sensors.
    pub sensor: Sensor,
    pub(crate) number: usize,
    pub(crate) base: [f64; Attribute::OF_SHIPS],
    pub(crate) bonuses: Modifiers,
}

impl Hull {
    /// How many weapons of this kind it can mount.
    pub fn hardpoints(&self, hardpoint: Hardpoint) -> u32 {
        match hardpoint {
            Hardpoint::Turret => self.turrets,
            Hardpoint::Launcher => self.launchers,
        }
    }
}

/// A module.
#[derive(Debug)]
pub struct Module {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Modules of one family differ in tier only.
    pub family: &'static str,
    /// Its tier.
    pub tier: Tier,
    /// The slot it takes.
    pub slot: Slot,
    /// Cpu it needs, in tf, before factors.
    pub cpu: f64,
    /// Power it needs, in MW, before factors.
    pub power: f64,
    /// Cpu and power that a fit needs for it, factors applied (§2).
    pub(crate) needs: [f64; 2],
    /// What it adds to the score (§3).
    pub(crate) weight: u32,
    /// The skill it asks for, an index in rules order.
    pub skill: usize,
    /// The level of that skill it asks for.
    pub level: u32,
    /// Most modules of its family on a ship.
    pub max_fitted: Option<u32>,
    /// What it is mounted on.
    pub hardpoint: Option<Hardpoint>,
    /// Its class; weapons and active modules have one.
    pub class: Option<Class>,
    /// The groups of charges it takes; it needs one where the list is not empty.
    pub charge_groups: Vec<&'static str>,
    /// The size of charge it takes; 0 for any.
    pub charge_size: u32,
    pub(crate) number: usize,
    pub(crate) family_number: u16,
    /// A bit for each group of charges it takes.
    pub(crate) takes: u64,
    pub(crate) modifiers: Modifiers,
    pub(crate) weapon: Option<WeaponFigures>,
    pub(crate) active: Option<ActiveFigures>,
    /// Room for charges, in m³, and EVE cycles in a round; of modules that take capacitor charges.
    pub(crate) magazine: Option<(f64, f64)>,
    /// `,"module":"id"}`: the end of its group in the canonical setup.
    pub(crate) canonical: Fragment,
}

/// A charge.
#[derive(Debug)]
pub struct Charge {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// The group that modules list.
    pub group: &'static str,
    /// Its tier.
    pub tier: Tier,
    /// Its size.
    pub size: u32,
    /// Damage by type: em, thermal, kinetic, explosive.
    pub damage: [f64; 4],
    /// Multiplier on the tracking of its turret.
    pub tracking: f64,
    /// Multiplier on the capacitor its turret needs.
    pub capacitor_need: f64,
    /// Signature at which a missile applies in full, in metres.
    pub ref_sig: f64,
    /// Speed at which a missile applies in full, in m/s.
    pub ref_vel: f64,
    /// Capacitor it gives, in GJ; of capacitor charges.
    pub energy: f64,
    /// Its volume, in m³; of capacitor charges.
    pub volume: f64,
    pub(crate) number: usize,
    /// `{"charge":"id",`: the begin of its group in the canonical setup.
    pub(crate) canonical: Fragment,
    /// The bit of its group.
    pub(crate) group_bit: u64,
}

/// A doctrine: what hostile fleets are made of, and the bounds of the pilot's (§2, §3).
#[derive(Debug)]
pub struct Doctrine {
    /// Its id on the wire.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Most hull points a pilot's fleet may have.
    pub points: u32,
    /// Most ships a pilot's fleet may have.
    pub max_ships: usize,
    pub(crate) number: usize,
    pub(crate) ships: Vec<DoctrineShip>,
    pub(crate) charges: Vec<(Class, [usize; 2])>,
}

/// A ship of a doctrine.
#[derive(Debug)]
pub(crate) struct DoctrineShip {
    pub role: Role,
    /// Numbers of its hulls, by tier.
    pub hulls: [usize; 3],
    /// Family and number wanted, first things first.
    pub rack: Vec<(u16, u32)>,
}

/// Modifiers, each list in catalogue order.
#[derive(Debug, Default)]
pub(crate) struct Modifiers {
    /// Flat adds to attributes of the ship.
    pub adds: Vec<(Attribute, f64)>,
    /// What multiplies.
    pub multipliers: Vec<Multiplier>,
}

/// Something that multiplies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Multiplier {
    /// An attribute of the ship, unpenalized.
    Ship(Attribute, f64),
    /// The same, penalized.
    Penalized(Attribute, f64),
    /// An attribute of groups.
    Groups(GroupModifier),
    /// The ship's velocity, by thrust and mass.
    Propulsion(Propulsion),
}

/// A multiplier of an attribute of the groups of some classes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupModifier {
    pub attribute: Attribute,
    pub classes: Classes,
    pub multiplier: f64,
    pub penalized: bool,
}

/// A short stretch of text that is appended often: copied whole and cut, which is quicker than its exact length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    bytes: [u8; Self::LONGEST],
    length: usize,
}

impl Fragment {
    /// Longest text it holds, in bytes.
    const LONGEST: usize = 96;

    /// The fragment of a text; `None` where it is too long.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; Self::LONGEST];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: text.len() })
    }

    /// Appends the text.
    #[inline]
    pub fn push_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }
}

/// An afterburner (§1).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Propulsion {
    pub speed_factor: f64,
    pub thrust: f64,
    pub mass: f64,
}

/// A weapon's base figures (§7). Launchers take their references from the missile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeaponFigures {
    pub damage: f64,
    pub tracking: f64,
    pub ref_sig: f64,
    pub ref_vel: f64,
    pub capacitor: f64,
}

/// An active module's base figures (§9, §10).
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveFigures {
    pub capacitor: f64,
    pub work: Work,
}

/// What an active module does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Work {
    /// A timed effect: one multiplier, or two (dampeners: tracking, guidance); 1 where there is none.
    Project([f64; 2]),
    /// Jam strength against each kind of sensors.
    Jam([f64; 4]),
    /// Capacitor an enemy loses, in GJ.
    Drain(f64),
    /// Capacitor moved from an enemy, in GJ.
    Leech(f64),
    /// Hit points a layer gains: 0 shield, 1 armor.
    Repair(usize, f64),
    /// Capacitor from a charge.
    Boost,
}

/// Keeps a text of the catalogue for as long as the process runs; it is read once.
pub(crate) fn keep(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

static CATALOGUE: LazyLock<Result<Catalogue, String>> = LazyLock::new(|| Catalogue::read(&FILES));

impl Catalogue {
    /// The catalogue of the embedded files, read at the first call.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn embedded() -> Result<&'static Self, &'static str> {
        CATALOGUE.as_ref().map_err(String::as_str)
    }

    /// The embedded data with other constants; it lives as long as the process.
    #[cfg(feature = "faults")]
    pub(crate) fn altered(rules: &'static str) -> Result<&'static Self, String> {
        let catalogue = Self { rules: Rules::read(rules.as_bytes())?, ..Self::read(&FILES)? };
        Ok(Box::leak(Box::new(catalogue)))
    }

    /// Reads the files of a ruleset.
    fn read(files: &[DataFile; 5]) -> Result<Self, String> {
        fn rows<T: DeserializeOwned>(file: &DataFile) -> Result<Vec<T>, String> {
            data::from_json(file.bytes).map_err(|fault| format!("{}: {fault}", file.name))
        }
        let rules = Rules::read(files[0].bytes)?;
        let skills = rules.skills()?;
        let skill_names = numbered("skills", skills.iter().map(|skill| skill.id))?;
        let hull_rows: Vec<HullRow> = rows(&files[1])?;
        let hulls = hull_rows
            .into_iter()
            .enumerate()
            .map(|(number, row)| row.compile(number))
            .collect::<Result<Vec<_>, _>>()?;
        let charge_rows: Vec<ChargeRow> = rows(&files[3])?;
        let charge_groups = sorted(charge_rows.iter().map(|row| &row.group));
        let charges = charge_rows
            .into_iter()
            .enumerate()
            .map(|(number, row)| row.compile(number, &charge_groups))
            .collect::<Result<Vec<_>, _>>()?;
        let module_rows: Vec<ModuleRow> = rows(&files[2])?;
        let families = sorted(module_rows.iter().map(|row| &row.family));
        let modules = module_rows
            .into_iter()
            .enumerate()
            .map(|(number, row)| row.compile(number, &rules, &skill_names, &families, &charge_groups))
            .collect::<Result<Vec<_>, _>>()?;
        let hull_names = numbered("hulls", hulls.iter().map(|hull| hull.id))?;
        let charge_names = numbered("charges", charges.iter().map(|charge| charge.id))?;
        let doctrines: DoctrineFile =
            data::from_toml(files[4].bytes).map_err(|fault| format!("doctrines.toml: {fault}"))?;
        let doctrines = doctrines.compile(&hull_names, &families, &charge_names)?;
        Ok(Self {
            hull_names,
            module_names: numbered("modules", modules.iter().map(|module| module.id))?,
            charge_names,
            doctrine_names: numbered("doctrines", doctrines.iter().map(|doctrine| doctrine.id))?,
            skill_names,
            rules,
            skills,
            hulls,
            modules,
            charges,
            doctrines,
        })
    }

    /// The hull of that id.
    #[inline]
    pub fn hull(&self, id: &str) -> Option<&Hull> {
        self.hulls.get(self.hull_names.find(id)?)
    }

    /// The module of that id.
    #[inline]
    pub fn module(&self, id: &str) -> Option<&Module> {
        self.modules.get(self.module_names.find(id)?)
    }

    /// The charge of that id.
    #[inline]
    pub fn charge(&self, id: &str) -> Option<&Charge> {
        self.charges.get(self.charge_names.find(id)?)
    }

    /// The doctrine of that id.
    #[inline]
    pub fn doctrine(&self, id: &str) -> Option<&Doctrine> {
        self.doctrines.get(self.doctrine_names.find(id)?)
    }

    /// The index, in rules order, of the skill of that id.
    #[inline]
    pub fn skill(&self, id: &str) -> Option<usize> {
        self.skill_names.find(id)
    }
}

fn numbered(what: &str, ids: impl IntoIterator<Item = &'static str>) -> Result<Names, String> {
    Names::new(ids).ok_or_else(|| format!("{what}: an id stands twice"))
}

/// Names in their order, each once.
fn sorted<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_read() {
        let catalogue = Catalogue::embedded().unwrap();
        assert_eq!(
            (catalogue.hulls.len(), catalogue.modules.len(), catalogue.charges.len()),
            (139, 506, 226)
        );
        assert_eq!(catalogue.doctrines.len(), 12);
        let rifter = catalogue.hull("rifter").unwrap();
        assert_eq!((rifter.name, rifter.tier, rifter.class), ("Rifter", HullTier::T1, HullClass::Frigate));
        assert!(catalogue.module("200mm-autocannon-i").unwrap().weapon.is_some());
        assert_eq!(catalogue.skill("tank"), Some(3));
        assert!(catalogue.hull("Rifter").is_none() && catalogue.charge("fusion-xl").is_none());
    }

    #[test]
    fn ids_need_no_escapes_in_json() {
        let catalogue = Catalogue::embedded().unwrap();
        let plain = |id: &str| id.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        assert!(catalogue.modules.iter().all(|module| plain(module.id)));
        assert!(catalogue.charges.iter().all(|charge| plain(charge.id)));
        assert!(catalogue.hulls.iter().all(|hull| plain(hull.id)));
        assert!(catalogue.doctrines.iter().all(|doctrine| plain(doctrine.id)));
        assert!(catalogue.skills.iter().all(|skill| plain(skill.id)));
    }

    #[test]
    fn broken_files_are_faults_not_panics() {
        for broken in 0..FILES.len() {
            for bytes in [&b""[..], b"{", b"\xff", b"[{}]", b"engine = 'ongrid-9'"] {
                let mut files = FILES;
                files[broken].bytes = bytes;
                assert!(Catalogue::read(&files).is_err(), "{broken} {bytes:?}");
            }
        }
    }
}

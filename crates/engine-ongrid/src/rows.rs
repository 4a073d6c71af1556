//! The shapes of the data files, and how they become the catalogue.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::attribute::{Attribute, Class};
use crate::catalogue::{
    ActiveFigures, Charge, Doctrine, DoctrineShip, Fragment, GroupModifier, Hardpoint, Hull, HullClass,
    HullTier, Modifiers, Module, Multiplier, Propulsion, Role, SIDE, Sensor, Slot, Tier, WeaponFigures, Work,
    keep,
};
use crate::names::Names;
use crate::rules::Rules;

/// A row of `hulls.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HullRow {
    id: String,
    name: String,
    #[serde(rename = "type_id")]
    _type_id: u32,
    class: HullClass,
    tier: HullTier,
    #[serde(rename = "race")]
    _race: String,
    #[serde(rename = "role")]
    _role: String,
    points: u32,
    slots: SlotsRow,
    turrets: u32,
    launchers: u32,
    cpu: f64,
    power: f64,
    mass: f64,
    base: BTreeMap<Attribute, f64>,
    sensor: Sensor,
    bonuses: Vec<ModifierRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlotsRow {
    high: u32,
    mid: u32,
    low: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModifierRow {
    attr: Attribute,
    mul: Option<f64>,
    add: Option<f64>,
    #[serde(default)]
    penalized: bool,
    #[serde(rename = "for", default)]
    classes: Vec<Class>,
}

/// A row of `modules.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModuleRow {
    id: String,
    name: String,
    #[serde(rename = "type_id")]
    _type_id: u32,
    pub family: String,
    tier: Tier,
    slot: Slot,
    cpu: f64,
    power: f64,
    skill: String,
    level: u32,
    max_fitted: Option<u32>,
    hardpoint: Option<Hardpoint>,
    class: Option<Class>,
    #[serde(default)]
    charge_groups: Vec<String>,
    #[serde(default)]
    charge_size: u32,
    charge_capacity: Option<f64>,
    cycles: Option<f64>,
    propulsion: Option<Propulsion>,
    weapon: Option<WeaponRow>,
    active: Option<ActiveRow>,
    #[serde(default)]
    modifiers: Vec<ModifierRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeaponRow {
    damage: f64,
    tracking: Option<f64>,
    ref_sig: Option<f64>,
    ref_vel: Option<f64>,
    capacitor: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActiveRow {
    capacitor: f64,
    velocity: Option<f64>,
    signature: Option<f64>,
    tracking: Option<f64>,
    guidance: Option<f64>,
    jam: Option<JamRow>,
    drain: Option<f64>,
    leech: Option<f64>,
    shield: Option<f64>,
    armor: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JamRow {
    radar: f64,
    ladar: f64,
    magnetometric: f64,
    gravimetric: f64,
}

/// A row of `charges.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChargeRow {
    id: String,
    name: String,
    #[serde(rename = "type_id")]
    _type_id: u32,
    pub group: String,
    tier: Tier,
    size: u32,
    damage: Option<DamageRow>,
    tracking: Option<f64>,
    capacitor_need: Option<f64>,
    ref_sig: Option<f64>,
    ref_vel: Option<f64>,
    energy: Option<f64>,
    volume: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DamageRow {
    em: f64,
    thermal: f64,
    kinetic: f64,
    explosive: f64,
}

/// `doctrines.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoctrineFile {
    doctrine: Vec<DoctrineRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DoctrineRow {
    id: String,
    name: String,
    points: u32,
    max_ships: usize,
    charges: BTreeMap<Class, [String; 2]>,
    ship: Vec<DoctrineShipRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DoctrineShipRow {
    role: Role,
    hull: HullsRow,
    rack: Vec<(String, u32)>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HullsRow {
    t1: String,
    navy: String,
    t2: String,
}

fn modifiers(of: &str, rows: Vec<ModifierRow>, propulsion: Option<Propulsion>) -> Result<Modifiers, String> {
    let mut modifiers = Modifiers::default();
    for row in rows {
        if row.attr.is_of_ships() != row.classes.is_empty() {
            return Err(format!("{of}: {:?} names its classes wrongly", row.attr));
        }
        let (attribute, penalized) = (row.attr, row.penalized);
        match (row.add, row.mul, attribute.is_of_ships()) {
            (Some(add), None, true) => modifiers.adds.push((attribute, add)),
            (None, Some(multiplier), true) if penalized => {
                modifiers.multipliers.push(Multiplier::Penalized(attribute, multiplier));
            }
            (None, Some(multiplier), true) => {
                modifiers.multipliers.push(Multiplier::Ship(attribute, multiplier));
            }
            (None, Some(multiplier), false) => {
                let classes = row.classes.into_iter().collect();
                let modifier = GroupModifier { attribute, classes, multiplier, penalized };
                modifiers.multipliers.push(Multiplier::Groups(modifier));
            }
            _ => return Err(format!("{of}: a modifier of {attribute:?} neither adds nor multiplies")),
        }
    }
    modifiers.multipliers.extend(propulsion.map(Multiplier::Propulsion));
    Ok(modifiers)
}

/// The bit of a name among at most 64.
fn bit(names: &[String], name: &String) -> Option<u64> {
    names.binary_search(name).ok().filter(|place| *place < 64).map(|place| 1 << place)
}

fn fragment(text: String) -> Result<Fragment, String> {
    Fragment::new(&text).ok_or_else(|| format!("{text}: too long"))
}

impl HullRow {
    /// The hull.
    pub fn compile(self, number: usize) -> Result<Hull, String> {
        let mut base = [0.0; Attribute::OF_SHIPS];
        for (attribute, value) in &self.base {
            *base.get_mut(*attribute as usize).ok_or_else(|| format!("{}: {attribute:?}", self.id))? = *value;
        }
        base[Attribute::CpuOutput.index()] = self.cpu;
        base[Attribute::PowerOutput.index()] = self.power;
        base[Attribute::Mass.index()] = self.mass;
        let whole = self.base.len() + 3 == Attribute::OF_SHIPS;
        let speeds =
            base[Attribute::MaxVelocity.index()] > 0.0 && base[Attribute::SensorStrength.index()] > 0.0;
        if !whole || !speeds {
            return Err(format!("{}: an attribute is missing or 0", self.id));
        }
        Ok(Hull {
            number,
            bonuses: modifiers(&self.id, self.bonuses, None)?,
            id: keep(&self.id),
            name: keep(&self.name),
            class: self.class,
            tier: self.tier,
            points: self.points,
            slots: [self.slots.high, self.slots.mid, self.slots.low],
            turrets: self.turrets,
            launchers: self.launchers,
            sensor: self.sensor,
            base,
        })
    }
}

impl ModuleRow {
    /// The module.
    pub fn compile(
        self,
        number: usize,
        rules: &Rules,
        skills: &Names,
        families: &[String],
        charge_groups: &[String],
    ) -> Result<Module, String> {
        let fault = |what: &str| format!("{}: {what}", self.id);
        let weapon = match &self.weapon {
            None => None,
            Some(row) => Some(row.compile(self.class).ok_or_else(|| fault("no such weapon"))?),
        };
        let active = match &self.active {
            None => None,
            Some(row) => Some(row.compile(self.class).ok_or_else(|| fault("no such active module"))?),
        };
        if weapon.is_some() && active.is_some()
            || self.class.is_some() != (weapon.is_some() || active.is_some())
        {
            return Err(fault("a class is for one weapon or one active module"));
        }
        if weapon.is_some() != self.hardpoint.is_some() {
            return Err(fault("weapons have a hardpoint, others none"));
        }
        let family = families.binary_search(&self.family).map_err(|_| fault("no such family"))?;
        let takes = self.charge_groups.iter().map(|group| bit(charge_groups, group));
        let takes = takes.sum::<Option<u64>>().ok_or_else(|| fault("no such group of charges"))?;
        let modifiers = modifiers(&self.id, self.modifiers, self.propulsion)?;
        let is_shield_extender = self.family.ends_with("-shield-extender-i");
        let factors = rules.fitting.factors(weapon.is_some(), is_shield_extender);
        Ok(Module {
            number,
            takes,
            skill: skills.find(&self.skill).ok_or_else(|| fault("no such skill"))?,
            needs: [self.cpu * factors[0], self.power * factors[1]],
            weight: rules.tier_weight(self.tier),
            modifiers,
            canonical: fragment(format!(",\"module\":\"{}\"}}", self.id))?,
            family_number: u16::try_from(family).map_err(|_| "too many families".to_owned())?,
            magazine: self.charge_capacity.zip(self.cycles),
            id: keep(&self.id),
            name: keep(&self.name),
            family: keep(&self.family),
            tier: self.tier,
            slot: self.slot,
            cpu: self.cpu,
            power: self.power,
            level: self.level,
            max_fitted: self.max_fitted,
            hardpoint: self.hardpoint,
            class: self.class,
            charge_groups: self.charge_groups.iter().map(|group| keep(group)).collect(),
            charge_size: self.charge_size,
            weapon,
            active,
        })
    }
}

impl WeaponRow {
    fn compile(&self, class: Option<Class>) -> Option<WeaponFigures> {
        let turret = class?.is_turret();
        if !turret && !class?.is_launcher() {
            return None;
        }
        let figures = [self.tracking, self.ref_sig, self.ref_vel];
        let [tracking, ref_sig, ref_vel] = match (turret, figures) {
            (true, [Some(tracking), Some(ref_sig), Some(ref_vel)]) => [tracking, ref_sig, ref_vel],
            (false, [None, None, None]) => [0.0; 3],
            _ => return None,
        };
        Some(WeaponFigures { damage: self.damage, tracking, ref_sig, ref_vel, capacitor: self.capacitor })
    }
}

impl ActiveRow {
    fn compile(&self, class: Option<Class>) -> Option<ActiveFigures> {
        let work = match class? {
            Class::StasisWebifier => Work::Project([self.velocity?, 1.0]),
            Class::TargetPainter => Work::Project([self.signature?, 1.0]),
            Class::TrackingDisruptor => Work::Project([self.tracking?, 1.0]),
            Class::GuidanceDisruptor => Work::Project([self.guidance?, 1.0]),
            Class::SensorDampener => Work::Project([self.tracking?, self.guidance?]),
            Class::Ecm => {
                let jam = self.jam.as_ref()?;
                Work::Jam([jam.radar, jam.ladar, jam.magnetometric, jam.gravimetric])
            }
            Class::EnergyNeutralizer => Work::Drain(self.drain?),
            Class::Nosferatu => Work::Leech(self.leech?),
            Class::ShieldBooster | Class::AncillaryShieldBooster | Class::RemoteShieldBooster => {
                Work::Repair(0, self.shield?)
            }
            Class::ArmorRepairer | Class::RemoteArmorRepairer => Work::Repair(1, self.armor?),
            Class::CapacitorBooster => Work::Boost,
            _ => return None,
        };
        Some(ActiveFigures { capacitor: self.capacitor, work })
    }
}

impl ChargeRow {
    /// The charge.
    pub fn compile(self, number: usize, groups: &[String]) -> Result<Charge, String> {
        let damage = self.damage.map(|row| [row.em, row.thermal, row.kinetic, row.explosive]);
        Ok(Charge {
            number,
            group_bit: bit(groups, &self.group).ok_or_else(|| format!("{}: too many groups", self.id))?,
            canonical: fragment(format!("{{\"charge\":\"{}\",", self.id))?,
            id: keep(&self.id),
            name: keep(&self.name),
            group: keep(&self.group),
            tier: self.tier,
            size: self.size,
            damage: damage.unwrap_or_default(),
            tracking: self.tracking.unwrap_or(1.0),
            capacitor_need: self.capacitor_need.unwrap_or(1.0),
            ref_sig: self.ref_sig.unwrap_or(1.0),
            ref_vel: self.ref_vel.unwrap_or(1.0),
            energy: self.energy.unwrap_or_default(),
            volume: self.volume.unwrap_or_default(),
        })
    }
}

impl DoctrineFile {
    /// The doctrines, in the order of the file.
    pub fn compile(
        self,
        hulls: &Names,
        families: &[String],
        charges: &Names,
    ) -> Result<Vec<Doctrine>, String> {
        let rows = self.doctrine.into_iter().enumerate();
        rows.map(|(number, row)| row.compile(number, hulls, families, charges)).collect()
    }
}

impl DoctrineRow {
    fn compile(
        self,
        number: usize,
        hulls: &Names,
        families: &[String],
        charges: &Names,
    ) -> Result<Doctrine, String> {
        let unknown = |what: &str| format!("{}: nothing is called {what:?}", self.id);
        if self.ship.is_empty() || self.ship.len() > SIDE || self.max_ships > SIDE {
            return Err(format!("{}: a side has 1 to {SIDE} ships", self.id));
        }
        let mut pairs = Vec::with_capacity(self.charges.len());
        for (class, [plain, better]) in &self.charges {
            let number = |id: &str| charges.find(id).ok_or_else(|| unknown(id));
            pairs.push((*class, [number(plain)?, number(better)?]));
        }
        let mut ships = Vec::with_capacity(self.ship.len());
        for row in &self.ship {
            let hull = |id: &str| hulls.find(id).ok_or_else(|| unknown(id));
            let mut rack = Vec::with_capacity(row.rack.len());
            for (family, wanted) in &row.rack {
                let family = families.binary_search(family).map_err(|_| unknown(family))?;
                rack.push((u16::try_from(family).map_err(|_| unknown("families"))?, *wanted));
            }
            ships.push(DoctrineShip {
                role: row.role,
                hulls: [hull(&row.hull.t1)?, hull(&row.hull.navy)?, hull(&row.hull.t2)?],
                rack,
            });
        }
        Ok(Doctrine {
            id: keep(&self.id),
            name: keep(&self.name),
            points: self.points,
            max_ships: self.max_ships,
            number,
            ships,
            charges: pairs,
        })
    }
}

//! Ships with their modifiers applied (§1): everything about a ship that a fight does not change.

use crate::attribute::{Attribute, Class};
use crate::catalogue::{Catalogue, Charge, GroupModifier, Hull, Module, Multiplier, Role, Work};
use crate::pipeline::{Chain, Penalties, clamp};
use crate::rules::{Rules, SKILLS};
use crate::setup::MAX_GROUPS;

/// A group of a legal fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub module: &'static Module,
    pub charge: Option<&'static Charge>,
    pub count: u8,
}

/// An attribute that stances and timed effects touch.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// Before the penalized chain, by stance.
    pub base: [f64; 3],
    /// The module's own penalized multipliers.
    pub chain: Option<Box<Chain>>,
    /// As flown without timed effects, by stance.
    pub flown: [f64; 3],
}

impl Curve {
    fn new(value: f64, by_stance: [f64; 3], chain: &Chain, penalties: &Penalties) -> Self {
        let base = by_stance.map(|multiplier| value * multiplier);
        match chain.is_empty() {
            true => Self { base, chain: None, flown: base },
            false => Self { base, chain: Some(Box::new(*chain)), flown: chain.apply_each(base, penalties) },
        }
    }
}

/// What a place in a fit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nothing that acts.
    Passive,
    /// A weapon group: its number among the ship's.
    Weapon(u8),
    /// An active group: its number among the ship's.
    Active(u8),
}

/// A ship.
#[derive(Clone, Debug)]
pub(crate) struct Ship {
    pub hull: &'static Hull,
    pub role: Role,
    /// Most of shield, armor and hull.
    pub max: [f64; 3],
    /// Their sum (§0).
    pub hp_max: f64,
    /// By layer and type of damage.
    pub resonance: [[f64; 4]; 3],
    pub capacitor: f64,
    /// GJ per round.
    pub recharge: f64,
    pub sensor_strength: f64,
    pub velocity: Curve,
    pub signature: Curve,
    /// What its weapons do where nothing resists (§12).
    pub threat: f64,
    pub has_turrets: bool,
    pub has_launchers: bool,
    /// Whether it has active groups for allies, for itself, for enemies.
    pub has_remote: bool,
    pub has_self: bool,
    pub has_ewar: bool,
    pub cpu_output: f64,
    pub power_output: f64,
    /// First and number of its weapon groups among its fleet's.
    pub weapons: (u8, u8),
    /// First and number of its active groups among its fleet's.
    pub actives: (u8, u8),
    /// First of its groups among its fleet's.
    pub first_group: u8,
    /// How many groups its fit has.
    pub groups: u8,
    pub places: [Place; MAX_GROUPS],
}

/// A weapon group (§7).
#[derive(Clone, Debug)]
pub(crate) struct Weapon {
    pub group: u8,
    pub turret: bool,
    /// `charge[t] × t_damage`.
    pub typed: [f64; 4],
    /// `count × damage × rate`.
    pub power: f64,
    pub ref_sig: f64,
    pub ref_vel: f64,
    /// Tracking of a turret, guidance of a launcher.
    pub aim: Curve,
    /// GJ a volley costs.
    pub cost: f64,
    #[cfg(test)]
    pub sheet: Sheet,
}

/// An active group (§9, §10).
#[derive(Clone, Debug)]
pub(crate) struct Active {
    pub group: u8,
    pub class: Class,
    pub count: u8,
    /// GJ an activation costs.
    pub cost: f64,
    /// Activations it holds; `None` without limit.
    pub uses: Option<u16>,
    pub work: Deed,
    #[cfg(test)]
    pub sheet: Sheet,
}

/// What an activation does, strength and count applied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    /// `count` multipliers each of one attribute, or of two.
    Project([f64; 2]),
    /// `jam × s` against each kind of sensors, drawn `count` times.
    Jam([f64; 4]),
    /// GJ drained; and the capacitor that the hostile pilot asks for first.
    Drain(f64, f64),
    /// GJ leeched.
    Leech(f64),
    /// Hit points that the layer gains; and half of that, as the hostile pilot reckons it.
    Repair(usize, f64, f64),
    /// GJ gained.
    Boost(f64),
}

/// A group's attributes as they come out of the pipeline, for the vectors.
#[cfg(test)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    pub damage: f64,
    pub rate: f64,
    pub typed: [f64; 4],
    pub capacitor_need: f64,
    pub strength: f64,
}

/// The ships of a side, their groups in flat lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fleet {
    pub ships: Vec<Ship>,
    pub weapons: Vec<Weapon>,
    pub actives: Vec<Active>,
    /// The groups of all ships.
    pub groups: Vec<Group>,
}

impl Fleet {
    /// The fit of a ship of this fleet.
    pub fn fit_of(&self, ship: &Ship) -> &[Group] {
        let first = usize::from(ship.first_group);
        self.groups.get(first..first + usize::from(ship.groups)).unwrap_or_default()
    }

    /// The weapon groups of a ship of this fleet, in fit order.
    #[inline]
    pub fn weapons_of(&self, ship: &Ship) -> &[Weapon] {
        let (first, number) = (usize::from(ship.weapons.0), usize::from(ship.weapons.1));
        &self.weapons[first..first + number]
    }

    /// The active groups of a ship of this fleet, in fit order.
    #[inline]
    pub fn actives_of(&self, ship: &Ship) -> &[Active] {
        let (first, number) = (usize::from(ship.actives.0), usize::from(ship.actives.1));
        &self.actives[first..first + number]
    }
}

/// Applies the modifiers of hulls, skills and modules to ship after ship; keeps its lists between them.
pub(crate) struct Workshop<'a> {
    rules: &'a Rules,
    catalogue: &'a Catalogue,
    levels: [u8; SKILLS],
    values: [f64; Attribute::OF_SHIPS],
    chains: [Chain; Attribute::OF_SHIPS],
    /// Unpenalized multipliers of the ship's groups.
    of_groups: Vec<GroupModifier>,
    /// Penalized ones.
    penalized_of_groups: Vec<GroupModifier>,
    /// Of the group at hand.
    group_values: [f64; Attribute::OF_GROUPS],
    group_chains: [Chain; Attribute::OF_GROUPS],
}

impl<'a> Workshop<'a> {
    /// A workshop for crews with these levels of skill, each in 0 … 5.
    pub fn new(catalogue: &'a Catalogue, levels: [u8; SKILLS]) -> Self {
        Self {
            rules: &catalogue.rules,
            catalogue,
            levels,
            values: [0.0; Attribute::OF_SHIPS],
            chains: [Chain::EMPTY; Attribute::OF_SHIPS],
            of_groups: Vec::with_capacity(32),
            penalized_of_groups: Vec::with_capacity(32),
            group_values: [1.0; Attribute::OF_GROUPS],
            group_chains: [Chain::EMPTY; Attribute::OF_GROUPS],
        }
    }

    /// Cpu and power output of a hull with these modules (§2).
    pub fn outputs(&mut self, hull: &Hull, fit: &[Group]) -> [f64; 2] {
        self.modify(hull, fit);
        [self.value(Attribute::CpuOutput), self.value(Attribute::PowerOutput)]
    }

    /// Adds a ship to a fleet. Its groups are the caller's to add.
    pub fn build(&mut self, hull: &'static Hull, role: Role, fit: &[Group], fleet: &mut Fleet) {
        self.modify(hull, fit);
        let max = [Attribute::ShieldHp, Attribute::ArmorHp, Attribute::HullHp].map(|layer| self.value(layer));
        let mut resonance = [[0.0; 4]; 3];
        for (index, value) in resonance.iter_mut().flatten().enumerate() {
            *value = clamp(self.value_at(Attribute::ShieldEm as usize + index), 0.0, 1.0);
        }
        let (weapons, actives) = (fleet.weapons.len(), fleet.actives.len());
        let mut ship = Ship {
            hull,
            role,
            max,
            hp_max: max[0] + max[1] + max[2],
            resonance,
            capacitor: self.value(Attribute::Capacitor),
            recharge: self.value(Attribute::CapacitorRecharge),
            sensor_strength: self.value(Attribute::SensorStrength),
            velocity: self.curve(Attribute::MaxVelocity, self.rules.velocity_by_stance()),
            signature: self.curve(Attribute::SignatureRadius, [1.0; 3]),
            threat: 0.0,
            has_turrets: false,
            has_launchers: false,
            has_remote: false,
            has_self: false,
            has_ewar: false,
            cpu_output: self.value(Attribute::CpuOutput),
            power_output: self.value(Attribute::PowerOutput),
            weapons: (weapons as u8, 0),
            actives: (actives as u8, 0),
            first_group: fleet.ships.last().map_or(0, |last| last.first_group + last.groups),
            groups: fit.len() as u8,
            places: [Place::Passive; MAX_GROUPS],
        };
        for (index, group) in fit.iter().enumerate().take(MAX_GROUPS) {
            if let Some(weapon) = self.weapon(index, group) {
                ship.places[index] = Place::Weapon((fleet.weapons.len() - weapons) as u8);
                ship.threat += weapon.typed.iter().fold(0.0, |sum, typed| sum + typed) * weapon.power;
                ship.has_turrets |= weapon.turret;
                ship.has_launchers |= !weapon.turret;
                fleet.weapons.push(weapon);
            } else if let Some(active) = self.active(index, group) {
                ship.places[index] = Place::Active((fleet.actives.len() - actives) as u8);
                let (remote, ewar) = (active.class.is_remote(), active.class.is_hostile());
                ship.has_remote |= remote;
                ship.has_ewar |= ewar;
                ship.has_self |= !remote && !ewar;
                fleet.actives.push(active);
            }
        }
        ship.weapons.1 = (fleet.weapons.len() - weapons) as u8;
        ship.actives.1 = (fleet.actives.len() - actives) as u8;
        fleet.ships.push(ship);
    }

    /// Runs the ship's own attributes through the pipeline up to the penalized chains, and collects the modifiers of
    /// its groups.
    fn modify(&mut self, hull: &Hull, fit: &[Group]) {
        self.values = hull.base;
        self.chains.iter_mut().for_each(Chain::clear);
        self.of_groups.clear();
        self.penalized_of_groups.clear();
        for group in fit {
            let adds = &group.module.modifiers.adds;
            for _ in 0..if adds.is_empty() { 0 } else { group.count } {
                for (attribute, add) in adds {
                    self.values[attribute.index()] += add;
                }
            }
        }
        self.values[Attribute::CpuOutput.index()] *= self.rules.fitting.cpu_output;
        self.values[Attribute::PowerOutput.index()] *= self.rules.fitting.power_output;
        for multiplier in &hull.bonuses.multipliers {
            self.multiply(multiplier);
        }
        for (skill, level) in self.catalogue.skills.iter().zip(self.levels) {
            for effect in &skill.effects {
                let (attribute, multiplier) = (effect.attribute, effect.levels[usize::from(level)]);
                if attribute.is_of_ships() {
                    self.values[attribute.index()] *= multiplier;
                } else {
                    let classes = effect.classes;
                    self.of_groups.push(GroupModifier { attribute, classes, multiplier, penalized: false });
                }
            }
        }
        for group in fit.iter().filter(|group| !group.module.modifiers.multipliers.is_empty()) {
            for _ in 0..group.count {
                for multiplier in &group.module.modifiers.multipliers {
                    self.multiply(multiplier);
                }
            }
        }
    }

    #[inline]
    fn multiply(&mut self, multiplier: &Multiplier) {
        match multiplier {
            Multiplier::Ship(attribute, multiplier) => self.values[attribute.index()] *= multiplier,
            Multiplier::Penalized(attribute, multiplier) => {
                self.chains[attribute.index()].insert(*multiplier)
            }
            Multiplier::Groups(modifier) if modifier.penalized => self.penalized_of_groups.push(*modifier),
            Multiplier::Groups(modifier) => self.of_groups.push(*modifier),
            Multiplier::Propulsion(propulsion) => {
                let mass = self.values[Attribute::Mass.index()];
                self.values[Attribute::MaxVelocity.index()] *=
                    1.0 + propulsion.speed_factor * propulsion.thrust / (mass + propulsion.mass);
            }
        }
    }

    #[inline]
    fn value(&self, attribute: Attribute) -> f64 {
        self.value_at(attribute.index())
    }

    #[inline]
    fn value_at(&self, index: usize) -> f64 {
        self.chains[index].apply(self.values[index], self.rules.penalties())
    }

    #[inline(never)]
    fn curve(&self, attribute: Attribute, by_stance: [f64; 3]) -> Curve {
        let index = attribute.index();
        Curve::new(self.values[index], by_stance, &self.chains[index], self.rules.penalties())
    }

    /// Runs the attributes of a group of a class through the pipeline up to the penalized chains, from their bases.
    fn modify_group(&mut self, class: Class, base: [f64; Attribute::OF_GROUPS]) {
        self.group_values = base;
        self.group_chains.iter_mut().for_each(Chain::clear);
        for modifier in &self.of_groups {
            // Multiplying by 1 changes nothing and is cheaper than a branch.
            let multiplier = [1.0, modifier.multiplier][usize::from(modifier.classes.contains(class))];
            self.group_values[modifier.attribute.index()] *= multiplier;
        }
        for modifier in self.penalized_of_groups.iter().filter(|modifier| modifier.classes.contains(class)) {
            self.group_chains[modifier.attribute.index()].insert(modifier.multiplier);
        }
    }

    /// An attribute of the group at hand.
    fn of_group(&self, attribute: Attribute) -> f64 {
        let index = attribute.index();
        self.group_chains[index].apply(self.group_values[index], self.rules.penalties())
    }

    fn weapon(&mut self, index: usize, group: &Group) -> Option<Weapon> {
        let figures = group.module.weapon.as_ref()?;
        let (class, charge) = (group.module.class?, group.charge?);
        let turret = class.is_turret();
        let mut base = [1.0; Attribute::OF_GROUPS];
        base[Attribute::Damage.index()] = figures.damage;
        base[Attribute::Tracking.index()] = figures.tracking * charge.tracking;
        base[Attribute::CapacitorNeed.index()] = 1.0 * charge.capacitor_need;
        self.modify_group(class, base);
        let [damage, rate, capacitor_need] =
            [Attribute::Damage, Attribute::Rate, Attribute::CapacitorNeed].map(|of| self.of_group(of));
        let multiplied = TYPED.map(|of| self.of_group(of));
        let (aim, by_stance) = match turret {
            true => (Attribute::Tracking.index(), self.rules.tracking_by_stance()),
            false => (Attribute::Guidance.index(), self.rules.guidance_by_stance()),
        };
        let [ref_sig, ref_vel] = match turret {
            true => [figures.ref_sig, figures.ref_vel],
            false => [charge.ref_sig, charge.ref_vel],
        };
        let count = f64::from(group.count);
        let (aim, chain) = (self.group_values[aim], &self.group_chains[aim]);
        Some(Weapon {
            group: index as u8,
            turret,
            typed: [0, 1, 2, 3].map(|kind| charge.damage[kind] * multiplied[kind]),
            power: count * damage * rate,
            ref_sig,
            ref_vel,
            aim: Curve::new(aim, by_stance, chain, self.rules.penalties()),
            cost: figures.capacitor * capacitor_need * count,
            #[cfg(test)]
            sheet: Sheet { damage, rate, typed: multiplied, capacitor_need, strength: 1.0 },
        })
    }

    fn active(&mut self, index: usize, group: &Group) -> Option<Active> {
        let figures = group.module.active.as_ref()?;
        let class = group.module.class?;
        let mut base = [1.0; Attribute::OF_GROUPS];
        if let Some(charge) = group.charge {
            base[Attribute::CapacitorNeed.index()] = 1.0 * charge.capacitor_need;
        }
        self.modify_group(class, base);
        let capacitor_need = self.of_group(Attribute::CapacitorNeed);
        let strength = self.of_group(Attribute::Strength);
        let count = f64::from(group.count);
        let magazine = group.module.magazine.zip(group.charge);
        Some(Active {
            group: index as u8,
            class,
            count: group.count,
            cost: match magazine {
                Some(_) => 0.0,
                None => figures.capacitor * capacitor_need * count,
            },
            uses: magazine.map(|((capacity, cycles), charge)| uses(capacity, charge.volume, cycles)),
            work: self.work(
                figures.work,
                strength,
                count,
                magazine.map(|((_, cycles), charge)| (charge, cycles)),
            ),
            #[cfg(test)]
            sheet: Sheet { damage: 1.0, rate: 1.0, typed: [1.0; 4], capacitor_need, strength },
        })
    }

    fn work(&self, work: Work, strength: f64, count: f64, load: Option<(&Charge, f64)>) -> Deed {
        match work {
            Work::Project(multipliers) => Deed::Project(
                multipliers.map(|multiplier| self.rules.effect_multiplier(multiplier, strength)),
            ),
            Work::Jam(jam) => Deed::Jam(jam.map(|jam| jam * strength)),
            Work::Drain(drain) => Deed::Drain(drain * strength * count, 0.5 * drain * strength * count),
            Work::Leech(leech) => Deed::Leech(leech * strength * count),
            Work::Repair(layer, amount) => {
                Deed::Repair(layer, amount * strength * count, 0.5 * amount * strength * count)
            }
            Work::Boost => Deed::Boost(load.map_or(0.0, |(charge, cycles)| charge.energy * cycles * count)),
        }
    }
}

/// Multipliers on damage by type: em, thermal, kinetic, explosive.
const TYPED: [Attribute; 4] =
    [Attribute::EmDamage, Attribute::ThermalDamage, Attribute::KineticDamage, Attribute::ExplosiveDamage];

/// Activations that a magazine holds: `max(1, floor(floor(charge_capacity ÷ volume) ÷ cycles))` (§4).
pub(crate) fn uses(charge_capacity: f64, volume: f64, cycles: f64) -> u16 {
    let uses = ((charge_capacity / volume).floor() / cycles).floor();
    // 65535 says "no limit" in the checkpoint state.
    clamp(uses, 1.0, 65534.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_magazine_holds_at_least_one_use() {
        assert_eq!(uses(32.0, 4.5, 1.511111111), 4);
        assert_eq!(uses(12.0, 24.0, 3.4), 1);
        assert_eq!(uses(1e9, 1.0, 1.0), 65534);
    }
}

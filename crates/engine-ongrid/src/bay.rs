//! The fitting bay: figures of fits as flown, legal or not yet, for those who show them. Nothing here takes part in a
//! fight.

use crate::OnGrid;
use crate::attribute::{Class, Layer, Stance};
use crate::catalogue::{Charge, Hardpoint, Hull, Module, Role};
use crate::formulas;
use crate::legal::Legal;
use crate::racks::needs;
use crate::rules::Rules;
use crate::setup::MAX_GROUPS;
use crate::ship::{Active, Deed, Fleet, Group, Place, Ship, Weapon, Workshop};

/// A group of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    /// Its module.
    pub module: &'static Module,
    /// Its charge.
    pub charge: Option<&'static Charge>,
    /// Number of modules.
    pub count: u8,
}

/// How much of something is used, and how much there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Used.
    pub used: f64,
    /// At hand.
    pub of: f64,
}

impl Share {
    /// Whether more is used than there is.
    pub fn is_over(self) -> bool {
        self.used > self.of
    }
}

/// A ship as flown, without timed effects (§1).
#[derive(Clone, Debug)]
pub struct ShipSheet {
    /// Its hull.
    pub hull: &'static Hull,
    /// What it is for; pilot ships are of the line.
    pub role: Role,
    /// Most of shield, armor and hull, in hit points.
    pub max: [f64; 3],
    /// What passes, by layer and type of damage (em, thermal, kinetic, explosive), 0 … 1.
    pub resonance: [[f64; 4]; 3],
    /// Capacitor, in GJ.
    pub capacitor: f64,
    /// GJ the capacitor gains a round.
    pub recharge: f64,
    /// Strength of its sensors.
    pub sensor_strength: f64,
    /// Velocity in m/s, in the order of [`Stance::ALL`].
    pub velocity: [f64; 3],
    /// Signature radius in m.
    pub signature: f64,
    /// Cpu in tf.
    pub cpu: Share,
    /// Power in MW.
    pub power: Share,
    /// High, mid and low slots.
    pub slots: [Share; 3],
    /// Turret and launcher hardpoints.
    pub hardpoints: [Share; 2],
    /// Its groups, in fit order.
    pub groups: Vec<GroupSheet>,
}

/// A group as flown.
#[derive(Clone, Debug)]
pub struct GroupSheet {
    /// What it is.
    pub fitted: Fitted,
    /// What it does in a turn.
    pub act: Act,
}

/// What a group does in a turn.
#[derive(Clone, Debug)]
pub enum Act {
    /// Nothing: it modifies its ship, or is a weapon without a charge.
    Passive,
    /// It fires (§7).
    Weapon(WeaponSheet),
    /// It is activated (§9, §10).
    Active(ActiveSheet),
}

/// A weapon group as flown (§7).
#[derive(Clone, Copy, Debug)]
pub struct WeaponSheet {
    /// Turrets; launchers where not.
    pub turret: bool,
    /// Damage of a volley by type, all modules together, quality and application 1.
    pub volley: [f64; 4],
    /// Tracking of turrets or guidance of launchers, in the order of [`Stance::ALL`].
    pub aim: [f64; 3],
    /// Reference signature in m.
    pub ref_sig: f64,
    /// Reference velocity in m/s.
    pub ref_vel: f64,
    /// GJ a volley costs.
    pub cost: f64,
}

impl WeaponSheet {
    /// Chance to hit (turrets) or share that applies (launchers) against a target of this signature and speed (§7).
    pub fn against(&self, rules: &Rules, stance: Stance, sig: f64, speed: f64) -> f64 {
        let aim = self.aim[stance as usize];
        match self.turret {
            true => rules.hit(aim, sig, self.ref_sig, self.ref_vel, speed),
            false => rules.application(sig, self.ref_sig, self.ref_vel, speed, aim),
        }
    }
}

/// An active group as flown (§9, §10).
#[derive(Clone, Copy, Debug)]
pub struct ActiveSheet {
    /// Its class.
    pub class: Class,
    /// GJ an activation costs.
    pub cost: f64,
    /// Activations it holds; `None` without limit.
    pub uses: Option<u16>,
    /// What an activation does.
    pub work: WorkSheet,
}

/// What an activation does, strength and count applied.
#[derive(Clone, Copy, Debug)]
pub enum WorkSheet {
    /// Each module multiplies an attribute, or two (dampeners: tracking, guidance); 1 where it does not.
    Multiplies([f64; 2]),
    /// Jam strength of each module against radar, ladar, magnetometric and gravimetric sensors.
    Jams([f64; 4]),
    /// GJ an enemy loses.
    Drains(f64),
    /// GJ moved from an enemy.
    Leeches(f64),
    /// Hit points a layer gains.
    Repairs(Layer, f64),
    /// GJ gained.
    Boosts(f64),
}

impl OnGrid {
    /// The figures of a fit, whether or not it is legal; `levels` are those of the skills in rules order. Groups past
    /// the most a ship may list are left out.
    pub fn sheet(&self, hull: &'static Hull, fit: &[Fitted], levels: [u8; 6]) -> ShipSheet {
        let highest = self.catalogue.rules.max_level() as u8;
        let groups: Vec<Group> = fit.iter().take(MAX_GROUPS).map(Fitted::group).collect();
        let mut fleet = Fleet::default();
        let levels = levels.map(|level| level.min(highest));
        Workshop::new(self.catalogue, levels).build(hull, Role::Line, &groups, &mut fleet);
        ShipSheet::new(&fleet, &fleet.ships[0], &groups)
    }

    /// The pilot's ships as flown, in setup order.
    pub fn pilot_sheets(&self, legal: &Legal) -> Vec<ShipSheet> {
        let fleet = &legal.0.roster.pilots;
        let ships = legal.fits().zip(&fleet.ships);
        ships.map(|((_, fit), ship)| ShipSheet::new(fleet, ship, fit)).collect()
    }

    /// The hostile ships that a fleet meets, as flown, in doctrine order.
    pub fn hostile_sheets(&self, legal: &Legal) -> Vec<ShipSheet> {
        let ships = legal.0.calibration.hostiles();
        ships.map(|of| ShipSheet::new(&of.fleet, &of.fleet.ships[0], &of.rack.fit)).collect()
    }
}

/// Takes a volley off shield, armor and hull (§8): what is left of each, and what each lost. `raw` is damage by type
/// before resonances.
pub fn take_off(left: [f64; 3], resonance: &[[f64; 4]; 3], raw: [f64; 4]) -> ([f64; 3], [f64; 3]) {
    let mut left = left;
    let mut lost = [0.0; 3];
    formulas::take_off(&mut left, resonance, raw, |layer, loss| lost[layer] = loss);
    (left, lost)
}

impl Fitted {
    fn group(&self) -> Group {
        Group { module: self.module, charge: self.charge, count: self.count }
    }
}

impl ShipSheet {
    fn new(fleet: &Fleet, ship: &Ship, fit: &[Group]) -> Self {
        let hull = ship.hull;
        let [cpu, power] = needs(fit);
        let count = |is: &dyn Fn(&Module) -> bool| {
            fit.iter().filter(|group| is(group.module)).map(|group| f64::from(group.count)).sum()
        };
        let slots = [0, 1, 2].map(|slot| Share {
            used: count(&|module| module.slot as usize == slot),
            of: f64::from(hull.slots[slot]),
        });
        let hardpoints = [Hardpoint::Turret, Hardpoint::Launcher].map(|hardpoint| Share {
            used: count(&|module| module.hardpoint == Some(hardpoint)),
            of: f64::from(hull.hardpoints(hardpoint)),
        });
        let (weapons, actives) = (fleet.weapons_of(ship), fleet.actives_of(ship));
        let groups = fit.iter().zip(ship.places).map(|(group, place)| GroupSheet {
            fitted: Fitted { module: group.module, charge: group.charge, count: group.count },
            act: match place {
                Place::Passive => Act::Passive,
                Place::Weapon(number) => Act::Weapon(WeaponSheet::new(&weapons[usize::from(number)])),
                Place::Active(number) => Act::Active(ActiveSheet::new(&actives[usize::from(number)])),
            },
        });
        Self {
            hull,
            role: ship.role,
            max: ship.max,
            resonance: ship.resonance,
            capacitor: ship.capacitor,
            recharge: ship.recharge,
            sensor_strength: ship.sensor_strength,
            velocity: ship.velocity.flown,
            signature: ship.signature.flown[Stance::Standard as usize],
            cpu: Share { used: cpu, of: ship.cpu_output },
            power: Share { used: power, of: ship.power_output },
            slots,
            hardpoints,
            groups: groups.collect(),
        }
    }
}

impl WeaponSheet {
    fn new(weapon: &Weapon) -> Self {
        Self {
            turret: weapon.turret,
            volley: weapon.typed.map(|typed| typed * weapon.power),
            aim: weapon.aim.flown,
            ref_sig: weapon.ref_sig,
            ref_vel: weapon.ref_vel,
            cost: weapon.cost,
        }
    }
}

impl ActiveSheet {
    fn new(active: &Active) -> Self {
        let work = match active.work {
            Deed::Project(multipliers) => WorkSheet::Multiplies(multipliers),
            Deed::Jam(jam) => WorkSheet::Jams(jam),
            Deed::Drain(drain, _) => WorkSheet::Drains(drain),
            Deed::Leech(leech) => WorkSheet::Leeches(leech),
            Deed::Repair(layer, amount, _) => WorkSheet::Repairs(Layer::ALL[layer.min(2)], amount),
            Deed::Boost(energy) => WorkSheet::Boosts(energy),
        };
        Self { class: active.class, cost: active.cost, uses: active.uses, work }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ongrid_engine::Engine;
    use ongrid_engine::json::Reader;

    const SETUP: &str = r#"{"doctrine": "minmatar-skirmish",
        "skills": {"gunnery": 3, "motion-prediction": 3, "missiles": 3, "tank": 3, "navigation": 3, "electronics": 3},
        "fleet": [{"hull": "rifter", "fit": [
            {"module": "200mm-autocannon-i", "charge": "fusion-s", "count": 3},
            {"module": "stasis-webifier-i", "count": 1}, {"module": "damage-control-i", "count": 1}]}]}"#;

    #[test]
    fn a_legal_fleet_has_the_sheets_of_its_fits() {
        let engine = OnGrid::new().unwrap();
        let setup = engine.read_setup(&mut Reader::new(SETUP)).unwrap();
        let legal = engine.check(setup).unwrap();
        let [flown] = &engine.pilot_sheets(&legal)[..] else { panic!("one ship") };
        let fit: Vec<Fitted> = flown.groups.iter().map(|group| group.fitted).collect();
        let alone = engine.sheet(flown.hull, &fit, [3; 6]);
        assert_eq!((flown.max, flown.velocity, flown.cpu), (alone.max, alone.velocity, alone.cpu));
        assert_eq!(flown.slots[0], Share { used: 3.0, of: 3.0 });
        let [Act::Weapon(guns), Act::Active(web), Act::Passive] =
            [&flown.groups[0].act, &flown.groups[1].act, &flown.groups[2].act]
        else {
            panic!("guns, a web, a damage control")
        };
        assert!(guns.turret && guns.volley[3] > guns.volley[2] && guns.volley[0] == 0.0);
        assert_eq!(guns.against(&engine.catalogue().rules, Stance::Standard, 1e9, 1.0), 0.95);
        assert_eq!(web.class, Class::StasisWebifier);
        let hostile = engine.hostile_sheets(&legal);
        assert_eq!(hostile.len(), 5);
        assert!(hostile.iter().all(|ship| !ship.cpu.is_over() && !ship.power.is_over()));
    }

    #[test]
    fn an_illegal_fit_has_figures_too() {
        let engine = OnGrid::new().unwrap();
        let catalogue = engine.catalogue();
        let module = catalogue.module("1600mm-steel-plates-i").unwrap();
        let guns = catalogue.module("200mm-autocannon-i").unwrap();
        let fit =
            [Fitted { module, charge: None, count: 8 }, Fitted { module: guns, charge: None, count: 255 }];
        let sheet = engine.sheet(catalogue.hull("rifter").unwrap(), &fit, [255; 6]);
        assert!(sheet.power.is_over() && sheet.slots[2].is_over() && sheet.hardpoints[0].is_over());
        assert!(matches!(sheet.groups[1].act, Act::Passive), "a gun without a charge does not fire");
    }
}

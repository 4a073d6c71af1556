//! A legal fleet (§2): each step is finished for the whole fleet before the next; the first failure is the error.

use std::sync::{Arc, OnceLock};

use ongrid_engine::{Document, Rejection, Result};

use crate::calibration::Calibration;
use crate::catalogue::{Charge, Doctrine, Hardpoint, Hull, Module, Role};
use crate::grid::Grid;
use crate::racks::needs;
use crate::roster::Roster;
use crate::rules::SKILLS;
use crate::setup::{Canonical, Named, Setup, SetupGroup};
use crate::ship::{Fleet, Group, Ship, Workshop};

/// A setup found legal, its ships resolved and the hostile fleet chosen. All fights of a fleet share it.
#[derive(Clone, Debug)]
pub struct Legal(pub(crate) Arc<Resolved>);

/// What follows from a legal setup, whatever the seed.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub setup: Setup,
    pub canonical: Canonical,
    pub calibration: Calibration,
    pub roster: Arc<Roster>,
    /// The grid of its fights before a seed is known (§4).
    pub grid: Grid,
    /// The snapshot, once somebody asked for it.
    pub snapshot: OnceLock<Document>,
}

impl Legal {
    /// The calibration level that the fleet met (§3).
    pub fn level(&self) -> usize {
        self.0.calibration.level
    }

    /// The pilot's score (§3).
    pub fn score(&self) -> u32 {
        self.0.calibration.score
    }

    /// The hulls of the pilot's ships with their groups, in setup order.
    pub(crate) fn fits(&self) -> impl Iterator<Item = (&'static Hull, &[Group])> {
        let fleet = &self.0.roster.pilots;
        fleet.ships.iter().map(|ship| (ship.hull, fleet.fit_of(ship)))
    }
}

/// Judges a setup (§2) and calibrates the hostile fleet (§3).
///
/// # Errors
/// The first failure: `code`, `ship` where one is at fault, `group` in step 2; the path is from the replay's root.
pub(crate) fn check(setup: Setup) -> Result<Legal> {
    let catalogue = setup.catalogue;
    let doctrine = known_doctrine(&setup)?;
    let hulls = known_hulls(&setup, doctrine)?;
    let levels = skill_levels(&setup)?;
    let groups = known_groups(&setup, levels)?;
    let mut workshop = Workshop::new(catalogue, levels);
    let mut pilots = Fleet {
        ships: Vec::with_capacity(hulls.len()),
        weapons: Vec::with_capacity(12),
        actives: Vec::with_capacity(8),
        groups: Vec::new(),
    };
    for (number, (hull, ship)) in hulls.iter().zip(&setup.ships).enumerate() {
        let fit = &groups[ship.groups.clone()];
        has_places(hull, fit).map_err(|code| misfit(code, number, hull, fit))?;
        workshop.build(hull, Role::Line, fit, &mut pilots);
        has_power(&pilots.ships[number], fit).map_err(|code| misfit(code, number, hull, fit))?;
    }
    let calibration = Calibration::new(&catalogue.rules, doctrine, &hulls, &groups);
    pilots.groups = groups;
    let roster = Arc::new(Roster::new(pilots, calibration.hostiles()));
    let grid = Grid::new(&catalogue.rules, &roster);
    let canonical = Canonical::new(&setup);
    Ok(Legal(Arc::new(Resolved { setup, canonical, calibration, roster, grid, snapshot: OnceLock::new() })))
}

#[cold]
fn no(code: &'static str, message: impl Into<String>) -> Rejection {
    Rejection::new(code, message)
}

#[cold]
fn no_ship(code: &'static str, ship: usize, member: &str, message: impl Into<String>) -> Rejection {
    no(code, message).with_ship(ship as u32).with_path(format!("/setup/fleet/{ship}{member}"))
}

fn known_doctrine(setup: &Setup) -> Result<&'static Doctrine> {
    match setup.doctrine {
        Named::Known(doctrine) => Ok(doctrine),
        Named::Unknown(number) => {
            let message = format!("there is no doctrine {:?}", setup.stranger(number));
            Err(no("unknown_doctrine", message).with_path("/setup/doctrine"))
        }
    }
}

fn known_hulls(setup: &Setup, doctrine: &Doctrine) -> Result<Vec<&'static Hull>> {
    let ships = setup.ships.len();
    if ships == 0 || ships > doctrine.max_ships {
        return Err(no_fleet("fleet_size", doctrine, ships));
    }
    let mut hulls = Vec::with_capacity(ships);
    for (number, ship) in setup.ships.iter().enumerate() {
        match ship.hull {
            Named::Known(hull) => hulls.push(hull),
            Named::Unknown(stranger) => {
                let message = format!("there is no hull {:?}", setup.stranger(stranger));
                return Err(no_ship("unknown_hull", number, "/hull", message));
            }
        }
    }
    let points: u32 = hulls.iter().map(|hull| hull.points).sum();
    if points > doctrine.points {
        return Err(no_fleet("fleet_points", doctrine, points as usize));
    }
    Ok(hulls)
}

#[cold]
fn no_fleet(code: &'static str, doctrine: &Doctrine, found: usize) -> Rejection {
    let Doctrine { id, points, max_ships, .. } = doctrine;
    let message = match code {
        "fleet_size" => format!("the fleet has {found} ships; {id} allows 1 to {max_ships}"),
        _ => format!("the fleet has {found} points; {id} allows {points}"),
    };
    no(code, message).with_path("/setup/fleet")
}

fn skill_levels(setup: &Setup) -> Result<[u8; SKILLS]> {
    if let Some(name) = &setup.unknown_skill {
        let message = format!("there is no skill {name:?}");
        return Err(no("unknown_skill", message).with_path("/setup/skills"));
    }
    let highest = setup.catalogue.rules.max_level();
    let mut levels = [0; SKILLS];
    for (index, skill) in setup.catalogue.skills.iter().enumerate() {
        levels[index] = match setup.skills[index] {
            Some(level) if level <= highest => level as u8,
            given => {
                let message = match given {
                    Some(level) => format!("{} is at level {level}; the highest is {highest}", skill.id),
                    None => format!("the level of {} is missing", skill.id),
                };
                return Err(no("skill_level", message).with_path(format!("/setup/skills/{}", skill.id)));
            }
        };
    }
    Ok(levels)
}

/// Step 2: every group by itself, ship by ship.
fn known_groups(setup: &Setup, levels: [u8; SKILLS]) -> Result<Vec<Group>> {
    let mut groups = Vec::with_capacity(setup.groups.len());
    for (number, ship) in setup.ships.iter().enumerate() {
        let mut seen = Seen::default();
        for (index, entry) in setup.groups[ship.groups.clone()].iter().enumerate() {
            match known_group(setup, levels, entry, &groups[ship.groups.start..], &mut seen) {
                Ok(group) => groups.push(group),
                Err(code) => return Err(no_group(code, setup, entry, number, index)),
            }
        }
    }
    Ok(groups)
}

#[cold]
fn no_group(code: &'static str, setup: &Setup, entry: &SetupGroup, ship: usize, index: usize) -> Rejection {
    let module = match entry.module {
        Named::Known(module) => module.id,
        Named::Unknown(number) => setup.stranger(number),
    };
    let charge = match entry.charge {
        Some(Named::Known(charge)) => charge.id,
        Some(Named::Unknown(number)) => setup.stranger(number),
        None => "no charge",
    };
    let message = match code {
        "unknown_module" => format!("there is no module {module:?}"),
        "count" => {
            let most = setup.catalogue.rules.fitting.max_count;
            format!("a group has 1 to {most} modules, not {}", entry.count)
        }
        "duplicate_group" => format!("{module} with {charge} stands twice in the fit"),
        "charge_required" => format!("{module} needs a charge"),
        "charge_not_allowed" => format!("{module} takes no charge"),
        "unknown_charge" => format!("there is no charge {charge:?}"),
        "wrong_charge" => format!("{module} does not take {charge}"),
        _ => format!("the skill that {module} needs is not trained far enough"),
    };
    no_ship(code, ship, &format!("/fit/{index}"), message).with_group(index as u32)
}

/// A bit for each module that a fit has listed.
#[derive(Default)]
struct Seen([u64; 16]);

impl Seen {
    /// Marks a module; whether it was marked before. Numbers beyond the bits share one, which the caller bears.
    #[inline]
    fn mark(&mut self, number: usize) -> bool {
        let word = &mut self.0[number / 64 % 16];
        let before = *word;
        *word |= 1 << (number % 64);
        *word == before
    }
}

/// A group, or the code of what is wrong with it.
fn known_group(
    setup: &Setup,
    levels: [u8; SKILLS],
    entry: &SetupGroup,
    before: &[Group],
    seen: &mut Seen,
) -> Result<Group, &'static str> {
    let Named::Known(module) = entry.module else { return Err("unknown_module") };
    if entry.count == 0 || entry.count > setup.catalogue.rules.fitting.max_count {
        return Err("count");
    }
    if seen.mark(module.number) && is_duplicate(entry, module, before) {
        return Err("duplicate_group");
    }
    let charge = match (module.takes == 0, entry.charge) {
        (true, None) => None,
        (false, None) => return Err("charge_required"),
        (true, Some(_)) => return Err("charge_not_allowed"),
        (false, Some(Named::Unknown(_))) => return Err("unknown_charge"),
        (false, Some(Named::Known(charge))) if takes(module, charge) => Some(charge),
        (false, Some(Named::Known(_))) => return Err("wrong_charge"),
    };
    if u32::from(levels[module.skill]) < module.level {
        return Err("skill_gate");
    }
    Ok(Group { module, charge, count: entry.count as u8 })
}

/// Whether the same (module, charge) pair stands before it. An unknown charge was refused before a second could come.
fn is_duplicate(entry: &SetupGroup, module: &Module, before: &[Group]) -> bool {
    before.iter().any(|group| {
        std::ptr::eq(group.module, module)
            && match (group.charge, entry.charge) {
                (None, None) => true,
                (Some(charge), Some(Named::Known(other))) => std::ptr::eq(charge, other),
                _ => false,
            }
    })
}

fn takes(module: &Module, charge: &Charge) -> bool {
    let listed = module.takes & charge.group_bit != 0;
    let sized = module.charge_size == 0 || module.charge_size == charge.size;
    let fits = module.magazine.is_none_or(|(capacity, _)| charge.volume <= capacity);
    listed && sized && fits
}

/// Step 3, what can be counted: slots, hardpoints, families. The error is the code.
fn has_places(hull: &Hull, fit: &[Group]) -> Result<(), &'static str> {
    let mut slots = [0; 3];
    let mut mounts = [0; 3];
    let mut limited = 0_u32;
    for (index, group) in fit.iter().enumerate() {
        let (module, count) = (group.module, u32::from(group.count));
        slots[module.slot as usize] += count;
        mounts[module.hardpoint.map_or(2, |hardpoint| hardpoint as usize)] += count;
        limited |= u32::from(module.max_fitted.is_some()) << index;
    }
    if (0..3).any(|slot| slots[slot] > hull.slots[slot]) {
        return Err("slots");
    }
    if mounts[Hardpoint::Turret as usize] > hull.turrets {
        return Err("turret_hardpoints");
    }
    if mounts[Hardpoint::Launcher as usize] > hull.launchers {
        return Err("launcher_hardpoints");
    }
    while limited != 0 {
        let module = fit[limited.trailing_zeros() as usize].module;
        limited &= limited - 1;
        let family = fit.iter().filter(|other| other.module.family_number == module.family_number);
        if family.map(|other| u32::from(other.count)).sum::<u32>() > module.max_fitted.unwrap_or(u32::MAX) {
            return Err("max_fitted");
        }
    }
    Ok(())
}

/// Step 3, what must be computed: cpu, power. The error is the code.
fn has_power(ship: &Ship, fit: &[Group]) -> Result<(), &'static str> {
    let [cpu, power] = needs(fit);
    if cpu > ship.cpu_output {
        return Err("cpu");
    }
    if power > ship.power_output {
        return Err("power");
    }
    Ok(())
}

#[cold]
fn misfit(code: &'static str, number: usize, hull: &Hull, fit: &[Group]) -> Rejection {
    let [cpu, power] = needs(fit);
    let message = match code {
        "slots" => {
            let [high, mid, low] = hull.slots;
            format!("the fit takes more slots than {} has: {high} high, {mid} mid, {low} low", hull.id)
        }
        "turret_hardpoints" => format!("{} mounts {} turrets, the fit has more", hull.id, hull.turrets),
        "launcher_hardpoints" => format!("{} mounts {} launchers, the fit has more", hull.id, hull.launchers),
        "max_fitted" => "the fit has more of a family than may be fitted".to_owned(),
        "cpu" => format!("the fit needs {cpu} tf of cpu, more than {} gives", hull.id),
        _ => format!("the fit needs {power} MW of power, more than {} gives", hull.id),
    };
    no_ship(code, number, "/fit", message)
}

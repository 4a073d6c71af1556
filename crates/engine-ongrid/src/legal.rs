//! A legal fleet (§2): each step is finished for the whole fleet before the next; the first failure is the error.

use std::sync::Arc;

use ongrid_engine::{Rejection, Result};

use crate::calibration::Calibration;
use crate::catalogue::{Catalogue, Charge, Doctrine, Hardpoint, Hull, Module, Role};
use crate::racks::needs;
use crate::roster::Roster;
use crate::rules::SKILLS;
use crate::setup::{MAX_GROUPS, Named, Setup, SetupGroup};
use crate::ship::{Fleet, Group, Ship, Workshop};

/// A setup found legal, its ships resolved and the hostile fleet chosen.
#[derive(Clone, Debug)]
pub struct Legal {
    pub(crate) setup: Setup,
    pub(crate) calibration: Calibration,
    /// The groups of all pilot ships.
    pub(crate) groups: Vec<Group>,
    pub(crate) roster: Arc<Roster>,
}

impl Legal {
    /// The calibration level that the fleet met (§3).
    pub fn level(&self) -> usize {
        self.calibration.level
    }

    /// The pilot's score (§3).
    pub fn score(&self) -> u32 {
        self.calibration.score
    }

    /// The hulls of the pilot's ships with their groups, in setup order.
    pub(crate) fn fits(&self) -> impl Iterator<Item = (&'static Hull, &[Group])> {
        let ships = self.setup.ships.iter().zip(&self.roster.pilots.ships);
        ships.map(|(entry, ship)| (ship.hull, &self.groups[entry.groups.clone()]))
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
        weapons: Vec::with_capacity(16),
        actives: Vec::with_capacity(16),
    };
    for (number, (hull, ship)) in hulls.iter().zip(&setup.ships).enumerate() {
        let fit = &groups[ship.groups.clone()];
        has_places(number, hull, fit)?;
        workshop.build(hull, Role::Line, fit, &mut pilots);
        has_power(catalogue, number, &pilots.ships[number], fit)?;
    }
    let calibration = Calibration::new(&catalogue.rules, doctrine, &hulls, &groups);
    let roster = Arc::new(Roster::new(pilots, calibration.hostiles()));
    Ok(Legal { setup, calibration, groups, roster })
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
        let message =
            format!("the fleet has {ships} ships; {} allows 1 to {}", doctrine.id, doctrine.max_ships);
        return Err(no("fleet_size", message).with_path("/setup/fleet"));
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
        let message = format!("the fleet has {points} points; {} allows {}", doctrine.id, doctrine.points);
        return Err(no("fleet_points", message).with_path("/setup/fleet"));
    }
    Ok(hulls)
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
        let entries = &setup.groups[ship.groups.clone()];
        for (index, entry) in entries.iter().enumerate() {
            let group = known_group(setup, levels, entry, &groups[ship.groups.start..]);
            groups.push(group.map_err(|(code, message)| {
                no_ship(code, number, &format!("/fit/{index}"), message).with_group(index as u32)
            })?);
        }
        debug_assert!(entries.len() <= MAX_GROUPS);
    }
    Ok(groups)
}

type Fault = (&'static str, String);

fn known_group(
    setup: &Setup,
    levels: [u8; SKILLS],
    entry: &SetupGroup,
    before: &[Group],
) -> Result<Group, Fault> {
    let module = match entry.module {
        Named::Known(module) => module,
        Named::Unknown(number) => {
            return Err(("unknown_module", format!("there is no module {:?}", setup.stranger(number))));
        }
    };
    let rules = &setup.catalogue.rules;
    let most = rules.fitting.max_count;
    if entry.count == 0 || entry.count > most {
        return Err(("count", format!("a group has 1 to {most} modules, not {}", entry.count)));
    }
    if is_duplicate(entry, module, before) {
        return Err(("duplicate_group", format!("{} with that charge stands twice in the fit", module.id)));
    }
    let charge = match (module.charge_groups.is_empty(), entry.charge) {
        (true, None) => None,
        (false, None) => return Err(("charge_required", format!("{} needs a charge", module.id))),
        (true, Some(_)) => return Err(("charge_not_allowed", format!("{} takes no charge", module.id))),
        (false, Some(Named::Unknown(number))) => {
            return Err(("unknown_charge", format!("there is no charge {:?}", setup.stranger(number))));
        }
        (false, Some(Named::Known(charge))) => Some(charge),
    };
    if let Some(charge) = charge
        && !takes(module, charge)
    {
        return Err(("wrong_charge", format!("{} does not take {}", module.id, charge.id)));
    }
    if u32::from(levels[module.skill]) < module.level {
        let skill = setup.catalogue.skills[module.skill].id;
        return Err(("skill_gate", format!("{} needs {skill} at level {}", module.id, module.level)));
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
    let listed = module.charge_groups.contains(&charge.group);
    let sized = module.charge_size == 0 || module.charge_size == charge.size;
    let fits = module.magazine.is_none_or(|(capacity, _)| charge.volume <= capacity);
    listed && sized && fits
}

/// Step 3, what can be counted: slots, hardpoints, families.
fn has_places(ship: usize, hull: &Hull, fit: &[Group]) -> Result<()> {
    let mut slots = [0; 3];
    let mut mounts = [0; 2];
    for group in fit {
        let count = u32::from(group.count);
        slots[group.module.slot as usize] += count;
        if let Some(hardpoint) = group.module.hardpoint {
            mounts[hardpoint as usize] += count;
        }
    }
    if let Some(slot) = (0..3).find(|slot| slots[*slot] > hull.slots[*slot]) {
        let kind = ["high", "mid", "low"][slot];
        let message =
            format!("{} has {} {kind} slots, the fit takes {}", hull.id, hull.slots[slot], slots[slot]);
        return Err(no_ship("slots", ship, "/fit", message));
    }
    for (hardpoint, code) in
        [(Hardpoint::Turret, "turret_hardpoints"), (Hardpoint::Launcher, "launcher_hardpoints")]
    {
        let (has, takes) = (hull.hardpoints(hardpoint), mounts[hardpoint as usize]);
        if takes > has {
            let message = format!("{} mounts {has} of {hardpoint:?}, the fit takes {takes}", hull.id);
            return Err(no_ship(code, ship, "/fit", message));
        }
    }
    for Group { module, .. } in fit {
        let Some(most) = module.max_fitted else { continue };
        let family = fit.iter().filter(|other| other.module.family_number == module.family_number);
        if family.map(|other| u32::from(other.count)).sum::<u32>() > most {
            let message = format!("at most {most} of the family {} may be fitted", module.family);
            return Err(no_ship("max_fitted", ship, "/fit", message));
        }
    }
    Ok(())
}

/// Step 3, what must be computed: cpu, power.
fn has_power(catalogue: &Catalogue, number: usize, ship: &Ship, fit: &[Group]) -> Result<()> {
    let [cpu, power] = needs(&catalogue.rules, fit);
    for (code, need, output) in [("cpu", cpu, ship.cpu_output), ("power", power, ship.power_output)] {
        if need > output {
            let message = format!("the fit of {} needs {need} of {code}, there are {output}", ship.hull.id);
            return Err(no_ship(code, number, "/fit", message));
        }
    }
    Ok(())
}

//! Racks: what a doctrine's ship fits at a level (§3), computed once for every ship, tier and level there is.

use std::sync::LazyLock;

use crate::catalogue::{Catalogue, Charge, Doctrine, DoctrineShip, Hull, HullTier, Module, Role, Tier};
use crate::rules::{LEVELS, SKILLS};
use crate::ship::{Fleet, Group, Workshop};

/// One step of the walk down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Whether cpu was over, else power.
    pub cpu: bool,
    pub from: &'static Module,
    pub to: Option<&'static Module>,
}

/// A rack at a level.
#[derive(Clone, Debug)]
pub(crate) struct Rack {
    pub fit: Vec<Group>,
    /// Weapons, modules, Σ tier weights.
    pub strength: [u32; 3],
    pub walk_down: Vec<Step>,
}

/// A hostile ship ready to fly.
#[derive(Debug)]
pub(crate) struct Hostile {
    pub hull: &'static Hull,
    pub role: Role,
    pub flown_level: usize,
    pub rack: Rack,
    /// The ship, alone in its fleet.
    pub fleet: Fleet,
}

/// The hostile ships of one place in a doctrine.
#[derive(Debug)]
struct Berth {
    /// By hull tier: the racks that some level flies.
    hostiles: [Vec<Hostile>; 3],
    /// By hull tier and rack level: which of them.
    flown: [[usize; LEVELS]; 3],
}

static BERTHS: LazyLock<Vec<Vec<Berth>>> = LazyLock::new(|| match Catalogue::embedded() {
    Ok(catalogue) => catalogue.doctrines.iter().map(|doctrine| berths(catalogue, doctrine)).collect(),
    Err(_) => Vec::new(),
});

/// Computes every rack there is; later calls cost nothing.
pub(crate) fn prepare() {
    LazyLock::force(&BERTHS);
}

/// The hostile ship at a place of a doctrine, with a hull of this tier and a rack of this level (§3).
pub(crate) fn hostile(
    doctrine: &Doctrine,
    place: usize,
    tier: HullTier,
    rack_level: usize,
) -> &'static Hostile {
    let berth = &BERTHS[doctrine.number][place];
    let tier = tier as usize;
    &berth.hostiles[tier][berth.flown[tier][rack_level.min(LEVELS - 1)]]
}

fn berths(catalogue: &'static Catalogue, doctrine: &'static Doctrine) -> Vec<Berth> {
    doctrine.ships.iter().map(|ship| berth(catalogue, doctrine, ship)).collect()
}

fn berth(catalogue: &'static Catalogue, doctrine: &'static Doctrine, ship: &'static DoctrineShip) -> Berth {
    let mut berth = Berth { hostiles: Default::default(), flown: [[0; LEVELS]; 3] };
    for tier in 0..3 {
        let hull = &catalogue.hulls[ship.hulls[tier]];
        for level in 0..LEVELS {
            let rack = build(catalogue, doctrine, ship, hull, level);
            let held = berth.hostiles[tier].last();
            // Never weaker: a rack is taken only where it is at least as strong as the one held.
            if held.is_none_or(|held: &Hostile| rack.strength >= held.rack.strength) {
                let mut fleet = Fleet { groups: rack.fit.clone(), ..Fleet::default() };
                workshop(catalogue).build(hull, ship.role, &rack.fit, &mut fleet);
                berth.hostiles[tier].push(Hostile { hull, role: ship.role, flown_level: level, rack, fleet });
            }
            berth.flown[tier][level] = berth.hostiles[tier].len() - 1;
        }
    }
    berth
}

fn workshop(catalogue: &'static Catalogue) -> Workshop<'static> {
    Workshop::new(catalogue, [catalogue.rules.baseline() as u8; SKILLS])
}

/// Builds the rack of a doctrine's ship at a level: wanted list, fill, walk down, charges, groups (§3).
pub(crate) fn build(
    catalogue: &'static Catalogue,
    doctrine: &'static Doctrine,
    ship: &'static DoctrineShip,
    hull: &'static Hull,
    level: usize,
) -> Rack {
    let wanted = ship.rack.iter().flat_map(|(family, wanted)| {
        let module = best_of_family(catalogue, *family, level);
        std::iter::repeat_n(module, *wanted as usize).flatten()
    });
    let mut fitted: Vec<&'static Module> = Vec::new();
    for module in wanted {
        if has_room(hull, &fitted, module) {
            fitted.push(module);
        }
    }
    let walk_down = walk_down(catalogue, hull, &mut fitted);
    let charge = |module: &Module| charge_of(catalogue, doctrine, module, level);
    Rack {
        strength: [
            fitted.iter().filter(|module| module.weapon.is_some()).count() as u32,
            fitted.len() as u32,
            fitted.iter().map(|module| module.weight).sum(),
        ],
        fit: merge(&fitted, charge),
        walk_down,
    }
}

/// The best module of a family at the tier that the level asks for or below, else the lowest above it; the first by
/// id of several.
fn best_of_family(catalogue: &'static Catalogue, family: u16, level: usize) -> Option<&'static Module> {
    let of_family = || catalogue.modules.iter().filter(|module| module.family_number == family);
    let weapon = of_family().any(|module| module.hardpoint.is_some());
    let asked = catalogue.rules.rack_tier(level, weapon);
    let tier = of_family()
        .map(|module| module.tier)
        .filter(|tier| *tier <= asked)
        .max()
        .or_else(|| of_family().map(|module| module.tier).min())?;
    first_of(of_family(), tier)
}

fn first_of(modules: impl Iterator<Item = &'static Module>, tier: Tier) -> Option<&'static Module> {
    modules.filter(|module| module.tier == tier).min_by_key(|module| module.id)
}

/// Whether a hull with these modules has slot, hardpoint and leave of `max_fitted` for one more.
fn has_room(hull: &Hull, fitted: &[&Module], module: &Module) -> bool {
    let like = |same: &dyn Fn(&Module) -> bool| fitted.iter().filter(|other| same(other)).count() as u32;
    let hardpoint = module.hardpoint.is_none_or(|hardpoint| {
        like(&|other| other.hardpoint == Some(hardpoint)) < hull.hardpoints(hardpoint)
    });
    let family = module
        .max_fitted
        .is_none_or(|most| like(&|other| other.family_number == module.family_number) < most);
    like(&|other| other.slot == module.slot) < hull.slots[module.slot as usize] && hardpoint && family
}

/// Takes the last module down while cpu or power is over.
fn walk_down(catalogue: &'static Catalogue, hull: &Hull, fitted: &mut Vec<&'static Module>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut workshop = workshop(catalogue);
    loop {
        let fit = merge(fitted, |_| None);
        let [cpu_output, power_output] = workshop.outputs(hull, &fit);
        let [cpu_need, power_need] = needs(&fit);
        let cpu = cpu_need > cpu_output;
        if !cpu && power_need <= power_output {
            return steps;
        }
        let Some(from) = fitted.last().copied() else { return steps };
        let need = |module: &Module| if cpu { module.cpu } else { module.power };
        let cheaper = || {
            catalogue.modules.iter().filter(|module| {
                module.family_number == from.family_number
                    && module.tier < from.tier
                    && need(module) < need(from)
            })
        };
        let to = cheaper().map(|module| module.tier).max().and_then(|tier| first_of(cheaper(), tier));
        fitted.pop();
        fitted.extend(to);
        steps.push(Step { cpu, from, to });
    }
}

/// Cpu and power that a fit needs: `need × factor × count`, summed over its groups in order (§2).
pub(crate) fn needs(fit: &[Group]) -> [f64; 2] {
    fit.iter().fold([0.0; 2], |[cpu, power], group| {
        let count = f64::from(group.count);
        [cpu + group.module.needs[0] * count, power + group.module.needs[1] * count]
    })
}

/// The doctrine's charge for a module of a rack of this level; none where it needs none.
fn charge_of(
    catalogue: &'static Catalogue,
    doctrine: &Doctrine,
    module: &Module,
    level: usize,
) -> Option<&'static Charge> {
    let class = module.class.filter(|_| !module.charge_groups.is_empty())?;
    let (_, pair) = doctrine.charges.iter().find(|(of, _)| *of == class)?;
    let better = level >= catalogue.rules.calibration.faction_charges_from;
    catalogue.charges.get(pair[usize::from(better)])
}

/// Merges modules into groups, in order of first appearance.
fn merge(fitted: &[&'static Module], charge: impl Fn(&Module) -> Option<&'static Charge>) -> Vec<Group> {
    let mut fit: Vec<Group> = Vec::with_capacity(fitted.len());
    for module in fitted {
        match fit.iter_mut().find(|group| group.module.id == module.id) {
            Some(group) => group.count += 1,
            None => fit.push(Group { module, charge: charge(module), count: 1 }),
        }
    }
    fit
}

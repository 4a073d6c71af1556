//! Calibration: what the hostile doctrine brings against a fleet (§3), and the snapshot that audits it.

use std::collections::BTreeMap;

use ongrid_engine::canonical;
use serde::Serialize;

use crate::catalogue::{Doctrine, Hull, HullClass, HullTier, Role, SIDE, Tier};
use crate::legal::Legal;
use crate::racks::{self, Hostile};
use crate::rules::Rules;
use crate::ship::Group;

/// How the doctrine answers a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Calibration {
    pub score: u32,
    pub level: usize,
    /// By hull class: the highest tier the pilot brings.
    pub dials: [Option<HullTier>; HullClass::ALL.len()],
    hostiles: [Option<(&'static Hostile, usize)>; SIDE],
}

impl Calibration {
    /// Reads a fleet's hulls and modules.
    pub fn new(rules: &Rules, doctrine: &Doctrine, hulls: &[&Hull], groups: &[Group]) -> Self {
        let score = groups.iter().map(|group| u32::from(group.count) * group.module.weight).sum();
        let level = rules.level(score);
        let mut dials = [None; HullClass::ALL.len()];
        for hull in hulls {
            let dial = &mut dials[hull.class as usize];
            *dial = (*dial).max(Some(hull.tier));
        }
        let mut hostiles = [None; SIDE];
        for (place, slot) in hostiles.iter_mut().enumerate().take(doctrine.ships.len()) {
            let class = racks::hostile(doctrine, place, HullTier::T1, 0).hull.class;
            let tier = dials[class as usize].unwrap_or(HullTier::T1);
            let rack_level = level.max(rules.hull_floor(tier));
            *slot = Some((racks::hostile(doctrine, place, tier, rack_level), rack_level));
        }
        Self { score, level, dials, hostiles }
    }

    /// The hostile ships in doctrine order.
    pub fn hostiles(&self) -> impl Iterator<Item = &'static Hostile> {
        self.hostiles.iter().flatten().map(|(hostile, _)| *hostile)
    }
}

/// The fit snapshot (§3, §15): what both sides flew, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Snapshot {
    /// The highest hull tier the pilot brings, by class.
    pub dials: BTreeMap<HullClass, HullTier>,
    /// The hostile fleet.
    pub hostile: Vec<HostileShip>,
    /// The calibration level, 0 … 4.
    pub level: usize,
    /// The pilot's fleet.
    pub pilot: Vec<PilotShip>,
    /// Name of the level's racks.
    pub rack: String,
    /// Σ count × tier weight.
    pub score: u32,
    /// The thresholds that the score has reached.
    pub thresholds_passed: Vec<u32>,
}

/// A hostile ship of the snapshot.
#[derive(Clone, Debug, Serialize)]
pub struct HostileShip {
    /// Its groups.
    pub fit: Vec<FittedGroup>,
    /// The level of the rack it flies.
    pub flown_level: usize,
    /// Id of its hull.
    pub hull: &'static str,
    /// The level of the rack it was allowed.
    pub rack_level: usize,
    /// What it is for.
    pub role: Role,
    /// The hull's tier.
    pub tier: HullTier,
    /// What cpu and power cost it.
    pub walk_down: Vec<WalkedDown>,
}

/// A group of a hostile ship.
#[derive(Clone, Debug, Serialize)]
pub struct FittedGroup {
    /// Id of its charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<&'static str>,
    /// Number of modules.
    pub count: u8,
    /// Id of its module.
    pub module: &'static str,
}

/// One step of the walk down.
#[derive(Clone, Debug, Serialize)]
pub struct WalkedDown {
    /// The module taken down.
    pub from: &'static str,
    /// `cpu` or `power`: what was over.
    pub reason: &'static str,
    /// What took its place; nothing where the family has nothing cheaper.
    pub to: Option<&'static str>,
}

/// A pilot ship of the snapshot.
#[derive(Clone, Debug, Serialize)]
pub struct PilotShip {
    /// Its groups.
    pub fit: Vec<WeighedGroup>,
    /// Id of its hull.
    pub hull: &'static str,
    /// The hull's tier.
    pub tier: HullTier,
}

/// A group of a pilot ship.
#[derive(Clone, Debug, Serialize)]
pub struct WeighedGroup {
    /// Id of its charge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<&'static str>,
    /// Number of modules.
    pub count: u8,
    /// Id of its module.
    pub module: &'static str,
    /// The module's tier.
    pub tier: Tier,
    /// What one module adds to the score.
    pub weight: u32,
}

impl Snapshot {
    /// The snapshot of a legal setup.
    pub(crate) fn new(legal: &Legal) -> Self {
        let rules = &legal.0.setup.catalogue.rules;
        let Calibration { score, level, dials, hostiles } = &legal.0.calibration;
        let thresholds = &rules.calibration.thresholds;
        Self {
            dials: HullClass::ALL
                .into_iter()
                .filter_map(|class| Some((class, dials[class as usize]?)))
                .collect(),
            hostile: hostiles
                .iter()
                .flatten()
                .map(|(hostile, rack_level)| HostileShip::new(hostile, *rack_level))
                .collect(),
            level: *level,
            pilot: legal.fits().map(|(hull, fit)| PilotShip::new(hull, fit)).collect(),
            rack: rules.calibration.racks[*level].clone(),
            score: *score,
            thresholds_passed: thresholds.iter().copied().filter(|threshold| score >= threshold).collect(),
        }
    }

    /// Its canonical JSON.
    pub fn to_canonical(&self) -> Vec<u8> {
        canonical::to_vec(self)
    }
}

impl HostileShip {
    pub(crate) fn new(hostile: &Hostile, rack_level: usize) -> Self {
        Self {
            fit: hostile.rack.fit.iter().map(FittedGroup::new).collect(),
            flown_level: hostile.flown_level,
            hull: hostile.hull.id,
            rack_level,
            role: hostile.role,
            tier: hostile.hull.tier,
            walk_down: hostile
                .rack
                .walk_down
                .iter()
                .map(|step| WalkedDown {
                    from: step.from.id,
                    reason: if step.cpu { "cpu" } else { "power" },
                    to: step.to.map(|module| module.id),
                })
                .collect(),
        }
    }
}

impl FittedGroup {
    pub(crate) fn new(group: &Group) -> Self {
        Self { charge: group.charge.map(|charge| charge.id), count: group.count, module: group.module.id }
    }
}

impl PilotShip {
    fn new(hull: &'static Hull, fit: &[Group]) -> Self {
        let fit = fit.iter().map(|group| WeighedGroup {
            charge: group.charge.map(|charge| charge.id),
            count: group.count,
            module: group.module.id,
            tier: group.module.tier,
            weight: group.module.weight,
        });
        Self { fit: fit.collect(), hull: hull.id, tier: hull.tier }
    }
}

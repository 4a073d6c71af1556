//! The standard issue: what a doctrine's own t1 hulls fly at level 0 (§3). Who brings no fleet flies it too.

use serde::Serialize;

use crate::OnGrid;
use crate::calibration::{FittedGroup, HostileShip};
use crate::catalogue::{Doctrine, HullTier};
use crate::racks;

/// A ship as a setup has it (§15).
#[derive(Clone, Debug, Serialize)]
pub struct FleetShip {
    /// Its groups.
    pub fit: Vec<FittedGroup>,
    /// Id of its hull.
    pub hull: &'static str,
}

impl OnGrid {
    /// A doctrine's fleet at level 0 with t1 hulls, in the shape of the snapshot's `hostile`.
    pub fn standard_issue(&self, doctrine: &Doctrine) -> Vec<HostileShip> {
        let ships = 0..doctrine.ships.len();
        ships.map(|place| HostileShip::new(racks::hostile(doctrine, place, HullTier::T1, 0), 0)).collect()
    }

    /// The same as the fleet of a setup.
    pub fn standard_fleet(&self, doctrine: &Doctrine) -> Vec<FleetShip> {
        let ships = self.standard_issue(doctrine).into_iter();
        ships.map(|ship| FleetShip { fit: ship.fit, hull: ship.hull }).collect()
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::json::Reader;
    use ongrid_engine::{Engine, canonical};

    use super::*;

    #[test]
    fn the_standard_issue_of_every_doctrine_is_legal_for_an_untrained_pilot() {
        let engine = OnGrid::new().unwrap();
        for doctrine in &engine.catalogue().doctrines {
            let fleet = String::from_utf8(canonical::to_vec(&engine.standard_fleet(doctrine))).unwrap();
            let skills: Vec<String> =
                engine.catalogue().skills.iter().map(|skill| format!("{:?}:0", skill.id)).collect();
            let setup = format!(
                "{{\"doctrine\":{:?},\"skills\":{{{}}},\"fleet\":{fleet}}}",
                doctrine.id,
                skills.join(",")
            );
            let setup = engine.read_setup(&mut Reader::new(&setup)).unwrap();
            let legal = engine.check(setup).unwrap();
            assert_eq!(engine.snapshot(&legal).unwrap().level, 0, "{}", doctrine.id);
        }
    }
}

//! The standard issue: what a doctrine's own t1 hulls fly at level 0 (§3). Who brings no fleet flies it too.

use ongrid_engine::canonical;
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
        self.fleet_at(doctrine, 0)
    }

    /// A doctrine's t1 hulls with their racks at a level, 0 … 4, as the fleet of a setup.
    pub fn fleet_at(&self, doctrine: &Doctrine, level: usize) -> Vec<FleetShip> {
        let ships = 0..doctrine.ships.len();
        let ships =
            ships.map(|place| HostileShip::new(racks::hostile(doctrine, place, HullTier::T1, level), level));
        ships.map(|ship| FleetShip { fit: ship.fit, hull: ship.hull }).collect()
    }

    /// A whole setup, JSON: [`OnGrid::fleet_at`] flown by a fully trained pilot.
    pub fn setup_at(&self, doctrine: &Doctrine, level: usize) -> String {
        let catalogue = self.catalogue();
        let fleet = canonical::to_vec(&self.fleet_at(doctrine, level));
        let skills: Vec<String> = catalogue
            .skills
            .iter()
            .map(|skill| format!("{:?}:{}", skill.id, catalogue.rules.max_level()))
            .collect();
        format!(
            "{{\"doctrine\":{:?},\"skills\":{{{}}},\"fleet\":{}}}",
            doctrine.id,
            skills.join(","),
            String::from_utf8_lossy(&fleet)
        )
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::Engine;
    use ongrid_engine::json::Reader;

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

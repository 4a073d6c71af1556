//! The result (mind-combat §5).

use std::cmp::Reverse;

use ongrid_engine::{End, Standing};
use serde::Serialize;

use crate::named::Named;
use crate::war::War;

/// How the war stands at the end of the replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Every mind by id.
    pub minds: Named<MindOutcome>,
    /// The minute reached: of the end where there was one, else of the last call.
    pub minute: u32,
    /// Whether the war is over.
    pub over: bool,
    /// The minds that are not deleted, by power; equal ones in setup order.
    pub ranking: Vec<Rank>,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// Turns of the others that were played.
    pub turns: u32,
    /// The first of the ranking, where the war is over and none equals it.
    pub winner: Option<String>,
}

/// A place in the ranking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rank {
    /// Id of the mind.
    pub id: String,
    /// Its power (R20).
    pub power: u64,
}

/// What a mind has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MindOutcome {
    /// Its buildings, all six kinds.
    pub buildings: AllBuildings,
    /// Its capital.
    pub capital: u64,
    /// Its compute.
    pub compute: u64,
    /// Its cycles, credited up to the minute reached or to its deletion.
    pub cycles: u64,
    /// Whether it was deleted (X4).
    pub deleted: bool,
    /// Its sectors.
    pub territory: u64,
    /// Its units by kind.
    pub units: Named<u64>,
    /// Its users.
    pub users: u64,
}

/// The six kinds of building, none left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AllBuildings {
    /// Cities.
    pub city: u64,
    /// Cores.
    pub core: u64,
    /// Datacenters.
    pub datacenter: u64,
    /// Factories.
    pub factory: u64,
    /// Firewalls.
    pub firewall: u64,
    /// Labs.
    pub lab: u64,
}

impl War {
    /// The outcome, as far as the war has come.
    pub fn outcome(&self) -> Outcome {
        let ranking = self.ranking();
        Outcome {
            minds: self.minds_outcome(),
            minute: self.minute(),
            over: self.is_over(),
            winner: self.winner(&ranking),
            ranking,
            rng_words: self.stream.words(),
            turns: self.turns(),
        }
    }

    /// Outcome and standing.
    pub(crate) fn close(&self) -> End<Outcome> {
        let outcome = self.outcome();
        let rng_words = outcome.rng_words;
        End { outcome, standing: self.standing(), rng_words }
    }

    /// R22: power ranks the minds.
    fn ranking(&self) -> Vec<Rank> {
        let minds = self.minds.iter().zip(self.setup.minds());
        let left = minds.filter(|(mind, _)| !mind.deleted);
        let mut ranking: Vec<_> =
            left.map(|(mind, setup)| Rank { id: setup.id.clone(), power: mind.force().power }).collect();
        ranking.sort_by_key(|rank| Reverse(rank.power)); // stable: equal ones stay in setup order
        ranking
    }

    fn winner(&self, ranking: &[Rank]) -> Option<String> {
        let first = ranking.first().filter(|_| self.is_over())?;
        let unequalled = ranking.get(1).is_none_or(|second| second.power < first.power);
        unequalled.then(|| first.id.clone())
    }

    fn standing(&self) -> Standing {
        let player = self.setup.player();
        let power = |mind: usize| if self.minds[mind].deleted { 0 } else { self.minds[mind].force().power };
        let strongest = (0..self.minds.len()).filter(|mind| *mind != player).map(power).max();
        let signed = |power: u64| i64::try_from(power).unwrap_or(i64::MAX);
        Standing {
            finished: self.is_over(),
            rounds: self.turns(),
            score: signed(power(player)) - signed(strongest.unwrap_or_default()),
        }
    }

    fn minds_outcome(&self) -> Named<MindOutcome> {
        let outcome = |index: usize| {
            let (mind, setup) = (&self.minds[index], self.mind_setup(index));
            let units = setup.units.iter().zip(&mind.units);
            let buildings = &mind.buildings;
            let outcome = MindOutcome {
                buildings: AllBuildings {
                    city: buildings.city,
                    core: buildings.core,
                    datacenter: buildings.datacenter,
                    factory: buildings.factory,
                    firewall: buildings.firewall,
                    lab: buildings.lab,
                },
                capital: mind.capital,
                compute: mind.compute,
                cycles: self.cycles(index),
                deleted: mind.deleted,
                territory: mind.territory,
                units: units.map(|(unit, count)| (unit.kind.clone(), *count)).collect(),
                users: mind.users,
            };
            (setup.id.clone(), outcome)
        };
        (0..self.minds.len()).map(outcome).collect()
    }
}

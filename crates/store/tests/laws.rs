//! What holds whatever happens: a random story is told to both databases and to a list in memory.

mod common;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicI32, Ordering};

use common::{Fresh, attempted, day_record, new_attempt, order, pilot, submission, verdict};
use ongrid_store::{Board, Day, Kind, Micros, Place, Play, Policy, Store};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use uuid::Uuid;

const PILOTS: usize = 5;
/// The last two of them are in the next month.
const DAYS: usize = 4;

#[derive(Clone, Debug)]
enum Step {
    Fly { pilot: usize, day: usize, score: i64, rounds: u32, finished: bool },
    Free { pilot: usize, score: i64 },
    Void(usize),
    Restore(usize),
    Ban(usize),
    Unban(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (pilot, fight) = (0..PILOTS, 0..40_usize);
    prop_oneof![
        8 => (pilot.clone(), 0..DAYS, 0..4_i64, 0..3_u32, prop::bool::weighted(0.9))
            .prop_map(|(pilot, day, score, rounds, finished)| Step::Fly { pilot, day, score, rounds, finished }),
        2 => (pilot.clone(), 0..4_i64).prop_map(|(pilot, score)| Step::Free { pilot, score }),
        3 => fight.clone().prop_map(Step::Void),
        2 => fight.prop_map(Step::Restore),
        1 => pilot.clone().prop_map(Step::Ban),
        1 => pilot.prop_map(Step::Unban),
    ]
}

/// A fight as the list in memory has it. Its number stands for its id, which differs from database to database.
#[derive(Clone, Debug)]
struct Run {
    pilot: usize,
    day: Option<usize>,
    score: i64,
    rounds: u32,
    counts: bool,
    void: bool,
}

/// One telling of a story to one database.
struct Telling<'a> {
    store: &'a Store,
    pilots: Vec<Uuid>,
    days: Vec<Day>,
    boards: Vec<Board>,
    fights: Vec<Uuid>,
    runs: Vec<Run>,
    banned: HashSet<usize>,
    start: Micros,
}

/// Doctrine of each day: two days of each.
const DOCTRINES: [&str; DAYS] = ["a", "b", "b", "a"];

impl<'a> Telling<'a> {
    async fn begin(store: &'a Store, number: i32) -> Self {
        let month = ongrid_store::Month { year: 2030 + i16::try_from(number).unwrap(), month: 3 };
        let last = month.last();
        let days: Vec<Day> = (-1..3).map(|ahead| last.plus(ahead)).collect();
        let doctrine = |index: usize| format!("{} {number}", DOCTRINES[index]);
        for (index, day) in days.iter().enumerate() {
            let mut record = day_record(*day, &doctrine(index));
            record.policy = Policy { ranked_attempts: 3, practice_attempts: 100, ..record.policy };
            store.ensure_day(&record).await.unwrap();
        }
        let mut pilots = Vec::new();
        for index in 0..PILOTS {
            pilots.push(pilot(store, &format!("{number} {index}")).await);
        }
        let mut boards: Vec<Board> = days.iter().map(|day| Board::Day(*day)).collect();
        boards.extend([month, last.plus(1).month()].map(Board::Season));
        boards.extend(
            [0, 1].map(|index| Board::Doctrine { engine: "ongrid-8".into(), doctrine: doctrine(index) }),
        );
        boards.push(Board::Scenario { engine: "ongrid-8".into(), setup: scenario(number) });
        let (fights, runs, banned) = (Vec::new(), Vec::new(), HashSet::new());
        Self { store, pilots, days, boards, fights, runs, banned, start: Micros::now() }
    }

    async fn tell(&mut self, number: i32, index: usize, step: &Step) {
        let at = Micros(self.start.0 + i64::try_from(index).unwrap());
        match *step {
            Step::Fly { pilot, day, score, rounds, finished } => {
                let issued =
                    self.store.issue_attempt(new_attempt(self.pilots[pilot], self.days[day], "fleet"));
                let attempt = issued.await.unwrap().attempt;
                let mut sent = attempted(&attempt, &format!("{number} {index}"), score, rounds);
                sent.verified_at = at;
                sent.verdict.standing.finished = finished;
                let recorded = self.store.submit(sent).await.unwrap();
                let counts = finished && recorded.kind == Kind::Ranked;
                self.push(recorded.fight, Run { pilot, day: Some(day), score, rounds, counts, void: false });
                let rank = self.expected(&Board::Day(self.days[day])).iter().position(|it| *it == pilot);
                let rank = rank.filter(|_| counts).map(|rank| i64::try_from(rank).unwrap() + 1);
                assert_eq!(recorded.rank.map(|rank| rank.rank).filter(|_| counts), rank, "{:?}", self.runs);
            }
            Step::Free { pilot, score } => {
                let play = Play::Free { day: self.days[0], scenario: true };
                let mut verdict = verdict(&format!("{number} {index}"), score, 1);
                verdict.setup_digest = scenario(number);
                let mut sent = submission(self.pilots[pilot], play, verdict);
                sent.verified_at = at;
                let recorded = self.store.submit(sent).await.unwrap();
                self.push(
                    recorded.fight,
                    Run { pilot, day: None, score, rounds: 1, counts: true, void: false },
                );
            }
            Step::Void(_) | Step::Restore(_) if self.runs.is_empty() => {}
            Step::Void(fight) => {
                let fight = fight % self.runs.len();
                let done = self.store.void(self.fights[fight], order("x"), false).await;
                assert_eq!(done.is_ok(), !std::mem::replace(&mut self.runs[fight].void, true));
            }
            Step::Restore(fight) => {
                let fight = fight % self.runs.len();
                let done = self.store.restore(self.fights[fight], order("x")).await;
                assert_eq!(done.is_ok(), std::mem::replace(&mut self.runs[fight].void, false));
            }
            Step::Ban(pilot) => {
                let done = self.store.ban(self.pilots[pilot], order("x")).await;
                assert_eq!(done.is_ok(), self.banned.insert(pilot));
            }
            Step::Unban(pilot) => {
                let done = self.store.unban(self.pilots[pilot], order("x")).await;
                assert_eq!(done.is_ok(), self.banned.remove(&pilot));
            }
        }
    }

    fn push(&mut self, fight: Uuid, run: Run) {
        self.fights.push(fight);
        self.runs.push(run);
    }

    /// Pilots of a board in order, from the list: runs in the order of their numbers are in the order of their instants.
    fn expected(&self, board: &Board) -> Vec<usize> {
        // Score turned over, rounds, number of the last run.
        type Standing = (i64, u32, usize);
        let best_of = |counts: &dyn Fn(&Run) -> bool| {
            let mut best: BTreeMap<usize, Standing> = BTreeMap::new();
            for (number, run) in
                self.runs.iter().enumerate().filter(|(_, run)| run.counts && !run.void && counts(run))
            {
                let standing = (-run.score, run.rounds, number);
                let known = best.entry(run.pilot).or_insert(standing);
                *known = standing.min(*known);
            }
            best
        };
        let of_day = |day: usize| best_of(&|run| run.day == Some(day));
        let days = |wanted: &dyn Fn(usize) -> bool| {
            (0..DAYS).filter(|day| wanted(*day)).map(of_day).collect::<Vec<_>>()
        };
        let standings = match board {
            Board::Day(day) => of_day(self.days.iter().position(|it| it == day).unwrap()),
            Board::Season(month) => {
                let mut sums: BTreeMap<usize, Standing> = BTreeMap::new();
                for day in days(&|day| self.days[day].month() == *month) {
                    for (pilot, (score, rounds, number)) in day {
                        let sum = sums.entry(pilot).or_default();
                        *sum = (sum.0 + score, sum.1 + rounds, sum.2.max(number));
                    }
                }
                sums
            }
            Board::Doctrine { doctrine, .. } => {
                let mut best: BTreeMap<usize, Standing> = BTreeMap::new();
                for day in days(&|day| doctrine.starts_with(DOCTRINES[day])) {
                    for (pilot, standing) in day {
                        let known = best.entry(pilot).or_insert(standing);
                        *known = standing.min(*known);
                    }
                }
                best
            }
            Board::Scenario { .. } => best_of(&|run| run.day.is_none()),
        };
        let mut order: Vec<_> =
            standings.into_iter().filter(|(pilot, _)| !self.banned.contains(pilot)).collect();
        order.sort_unstable_by_key(|(_, standing)| *standing);
        order.into_iter().map(|(pilot, _)| pilot).collect()
    }

    /// Holds every board against the list and against a recount.
    async fn check(&self) {
        for board in &self.boards {
            let rows = self.store.top(board, 100, None).await.unwrap().rows;
            let pilots: Vec<_> =
                rows.iter().map(|row| self.pilots.iter().position(|it| *it == row.pilot).unwrap()).collect();
            assert_eq!(pilots, self.expected(board), "{board:?} {:?}", self.runs);
            let places: Vec<Place> = rows.iter().map(|row| row.place).collect();
            assert!(places.is_sorted());
            let recount = self.store.recount(board).await.unwrap();
            assert!(recount.agrees(), "{board:?} {recount:?} {:?}", self.runs);
        }
    }
}

fn scenario(number: i32) -> ongrid_engine::Digest {
    ongrid_engine::Digest::of(&number.to_be_bytes())
}

#[test]
fn boards_are_what_the_records_say_on_both() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (postgres, sqlite) = runtime.block_on(async { (Fresh::postgres().await, Fresh::sqlite().await) });
    let number = AtomicI32::new(0);
    let config = Config { cases: 12, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let stories = proptest::collection::vec(step(), 1..45);
    let told = TestRunner::new(config).run(&stories, |steps| {
        let number = number.fetch_add(1, Ordering::Relaxed);
        runtime.block_on(async {
            for store in [&postgres.store, &sqlite.store] {
                let mut telling = Telling::begin(store, number).await;
                for (index, step) in steps.iter().enumerate() {
                    telling.tell(number, index, step).await;
                }
                telling.check().await;
            }
        });
        Ok(())
    });
    runtime.block_on(async {
        postgres.close().await;
        sqlite.close().await;
    });
    told.unwrap();
}

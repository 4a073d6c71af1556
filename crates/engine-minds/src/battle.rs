//! One attack: draws, effects, losses, spoils (mind-combat §4, "Draws of an attack", R1–R19, X1, X2).

use ongrid_engine::Observer;

use crate::event::{Event, Fought, Run};
use crate::formulas::{BattleOutcome, product, spread};
use crate::setup::Program;
use crate::war::War;

/// Who attacks whom, and how. The calls' checks or the policy stand before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub by: usize,
    pub on: usize,
    /// Conquest, else raid.
    pub conquest: bool,
    /// Place of the attacker's program.
    pub program: Option<usize>,
}

/// What the draws of an attack decided.
#[derive(Clone, Copy, Debug, Default)]
struct Clash {
    program: Option<Run>,
    countermeasure: Option<Run>,
    /// The attacker's program, where it ran.
    ran: Option<Program>,
    /// The countermeasure, where it ran.
    guard: Option<Program>,
    attacker: f64,
    defender: f64,
    draws: Draws,
}

/// The draws of one attack, at most five.
#[derive(Clone, Copy, Debug, Default)]
struct Draws {
    values: [f64; 5],
    count: usize,
}

/// What a won attack took.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    sectors: u64,
    cores: u64,
    capital: u64,
    users: u64,
    buildings: u64,
}

impl War {
    /// Fights one attack at minute `t` to its end (R1).
    pub(crate) fn fight<O: Observer<Event>>(&mut self, order: &Order, t: u32, watch: &mut O) {
        let Order { by, on, .. } = *order;
        let cost = self.minds[by].attack_cost(&self.rules, t);
        // R14: both powers from before the battle.
        let factor = self.rules.conquest_factor(self.minds[on].force().power, self.minds[by].force().power);
        let clash = self.clash(order);
        let outcome = self.rules.battle_outcome(clash.attacker, clash.defender);
        let attacker_lost = self.lose(by, outcome.attacker_loss, clash.ran.as_ref());
        let defender_lost = self.lose(on, outcome.defender_loss, clash.guard.as_ref());
        let taken = self.take(order, &outcome, factor);
        self.minds[by].note_attack(&self.rules, on, t, cost);
        for mind in [by, on] {
            self.minds[mind].reckon(&self.rules, &self.setup.minds()[mind]);
        }
        watch.see(|| {
            Event::Attack(Box::new(Fought {
                attacker_lost,
                attacker_strength: clash.attacker,
                buildings: taken.buildings,
                by: self.mind_setup(by).id.clone(),
                capital: taken.capital,
                cores: taken.cores,
                cost,
                countermeasure: clash.countermeasure,
                defender_lost,
                defender_strength: clash.defender,
                draws: clash.draws.values[..clash.draws.count].to_vec(),
                mode: if order.conquest { "conquest" } else { "raid" },
                op: "attack",
                program: clash.program,
                ratio: outcome.ratio,
                sectors: taken.sectors,
                t,
                target: self.mind_setup(on).id.clone(),
                users: taken.users,
                won: outcome.attacker_won,
            }))
        });
        self.judge(on, t);
    }

    /// Draws, in their order, and both strengths with the effects in theirs.
    fn clash(&mut self, order: &Order) -> Clash {
        let Order { by, on, .. } = *order;
        let setup = std::sync::Arc::clone(&self.setup);
        let (attacker, defender) = (&setup.minds()[by], &setup.minds()[on]);
        let mut clash = Clash::default();
        if let Some(program) = order.program.and_then(|place| attacker.programs.at(place)) {
            (clash.program, clash.ran) = self.run(by, program, &mut clash.draws);
        }
        if let Some(program) = self.fired(by, on).and_then(|place| defender.programs.at(place)) {
            (clash.countermeasure, clash.guard) = self.run(on, program, &mut clash.draws);
        }
        let u = self.draw(&mut clash.draws);
        let defender_missed = self.miss(clash.ran.as_ref(), &mut clash.draws);
        let attacker_missed = self.miss(clash.guard.as_ref(), &mut clash.draws);

        let own = clash.ran.and_then(|program| program.own_strength);
        let enemy = clash.guard.and_then(|program| program.enemy_strength);
        let effects = with(&attacker.standing.attack, [own, enemy, attacker_missed]);
        let attack = self.minds[by].force().attack;
        let (a, b) = (attacker.architecture, defender.architecture);
        clash.attacker = self.rules.attacker_strength(attack, a, b, &effects, u);

        let enemy = clash.ran.and_then(|program| program.enemy_strength);
        let own = clash.guard.and_then(|program| program.own_strength);
        let effects = with(&defender.standing.defense, [enemy, defender_missed, own]);
        let defense = self.minds[on].force().defense;
        clash.defender = self.rules.defender_strength(defense, self.minds[on].buildings.core, &effects);
        clash
    }

    /// X2: the place of the defender's countermeasure, where the attack is strong enough to set it off.
    fn fired(&self, by: usize, on: usize) -> Option<usize> {
        let guard = self.minds[on].countermeasure?;
        let (attack, defense) = (self.minds[by].force().attack, self.minds[on].force().defense);
        (attack as f64 > guard.above * defense as f64).then_some(guard.program)
    }

    /// X1, X2: spends the compute of a program and draws whether it crashes. Without the compute it does not run and
    /// draws nothing; of the attacker's program that was checked before.
    fn run(&mut self, mind: usize, program: &Program, draws: &mut Draws) -> (Option<Run>, Option<Program>) {
        let Some(left) = self.minds[mind].compute.checked_sub(program.compute) else {
            return (Some(Run::NoCompute), None);
        };
        self.minds[mind].compute = left;
        if self.draw(draws) < program.crash {
            (Some(Run::Crashed), None)
        } else {
            (Some(Run::Ran), Some(*program))
        }
    }

    /// Draws whether a program that ran makes its enemy miss; the factor if so.
    fn miss(&mut self, program: Option<&Program>, draws: &mut Draws) -> Option<f64> {
        let program = program?;
        let chance = program.miss_chance?;
        if self.draw(draws) < chance { program.miss_factor } else { None }
    }

    fn draw(&mut self, draws: &mut Draws) -> f64 {
        let u = self.stream.unit();
        draws.values[draws.count] = u;
        draws.count += 1;
        u
    }

    /// R12 and "Loss share": takes a side's losses from its units; what was lost by kind.
    fn lose(&mut self, mind: usize, share: f64, program: Option<&Program>) -> Vec<u64> {
        let setup = &self.setup.minds()[mind];
        let own_loss = program.and_then(|program| program.own_loss);
        let share = product(own_loss.map_or(share, |factor| share * factor), &setup.standing.loss);
        let units = self.minds[mind].units.iter_mut().zip(&setup.units);
        units
            .map(|(count, unit)| {
                let lost = self.rules.units_lost(*count, share, unit.ranged);
                *count -= lost;
                lost
            })
            .collect()
    }

    /// R13–R19: what a won attack takes; a repelled one takes nothing (R24).
    fn take(&mut self, order: &Order, outcome: &BattleOutcome, factor: f64) -> Taken {
        let mut taken = Taken::default();
        if !outcome.attacker_won {
            return taken;
        }
        let rules = &self.rules;
        let loser = &mut self.minds[order.on];
        if order.conquest {
            if outcome.lopsided {
                taken.cores = rules.lopsided_cores(factor, loser.buildings.core);
            }
            taken.sectors = rules.conquest_sectors(loser.territory, factor);
        } else {
            let buildings = loser.buildings.except_cores();
            let spoils = rules.raid_spoils(loser.capital, loser.users, buildings);
            taken =
                Taken { capital: spoils.capital, users: spoils.users, buildings: spoils.buildings, ..taken };
            loser.buildings.wreck(spread(loser.buildings.plain(), spoils.buildings)); // X5
        }
        loser.buildings.core -= taken.cores;
        loser.territory -= taken.sectors;
        loser.capital -= taken.capital;
        loser.users -= taken.users;
        let winner = &mut self.minds[order.by];
        winner.territory += taken.sectors;
        winner.capital += taken.capital;
        winner.users += taken.users;
        taken
    }
}

/// The effects of the programs that always run, then those of this battle.
fn with(standing: &[f64], effects: [Option<f64>; 3]) -> Vec<f64> {
    standing.iter().copied().chain(effects.into_iter().flatten()).collect()
}

//! The fixed policy of the other minds (X8).

use crate::battle::Order;
use crate::formulas::product;
use crate::war::War;

impl War {
    /// X8: what mind `by` does at its turn at minute `t`; `None` is to hold.
    ///
    /// It reckons with what is plain to see: whole forces, cores, architectures and the programs that always run.
    pub(crate) fn policy(&self, by: usize, t: u32) -> Option<Order> {
        let mind = &self.minds[by];
        if mind.deleted || mind.force().attack == 0 {
            return None;
        }
        let (cycles, cost) = self.means(by, t);
        if cycles < cost {
            return None;
        }
        let on = self.weakest_target(by, t)?;
        let wall = self.minds[on].force().wall;
        let strength = self.reckoned_attack(by, on);
        let conquest = strength >= self.rules.combat.lopsided_ratio * wall;
        let attacks = strength >= self.rules.turns.advantage * wall;
        attacks.then_some(Order { by, on, conquest, program: None })
    }

    /// Of the minds that `by` may attack the one with the weakest defense; of equals the first of the setup.
    fn weakest_target(&self, by: usize, t: u32) -> Option<usize> {
        let mut weakest: Option<usize> = None;
        for on in 0..self.minds.len() {
            let wall = self.minds[on].force().wall;
            let weaker = weakest.is_none_or(|found| wall < self.minds[found].force().wall);
            if on != by && !self.minds[on].deleted && weaker && self.may_attack(by, on, t) {
                weakest = Some(on);
            }
        }
        weakest
    }

    /// Attack × opposing factor × the programs that always run, without the random factor.
    pub(crate) fn reckoned_attack(&self, by: usize, on: usize) -> f64 {
        let (attacker, defender) = (self.mind_setup(by), self.mind_setup(on));
        let factor = self.rules.opposing_factor(attacker.architecture, defender.architecture);
        product(self.minds[by].force().attack as f64 * factor, &attacker.standing.attack)
    }
}

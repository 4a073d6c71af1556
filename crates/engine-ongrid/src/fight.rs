//! The fight: start, rounds and turns (§4, §5).

use std::sync::Arc;

use ongrid_engine::{Observer, Rejection, Result, Seed, Stream};

use crate::attribute::{Side, Stance};
use crate::call::{Action, Call};
use crate::catalogue::SIDE;
use crate::effect::Effect;
use crate::event::{Event, What, Why};
use crate::legal::Legal;
use crate::outcome::{DecidedBy, Totals, Verdict};
use crate::roster::{Roster, SHIPS};
use crate::rules::Rules;

/// A fight in progress. What it holds of each ship stands in flat lists by ship id.
#[derive(Clone, Debug)]
pub struct Fight {
    pub(crate) rules: &'static Rules,
    pub(crate) roster: Arc<Roster>,
    pub(crate) level: usize,
    pub(crate) stream: Stream,
    /// The round in progress, from 1; at the end, the round the fight ended in.
    pub(crate) round: u32,
    /// What overtime multiplies damage by in this round.
    pub(crate) overtime: f64,
    /// The pilot ship whose turn it is.
    pub(crate) turn: Option<usize>,
    pub(crate) end: Option<(Verdict, DecidedBy)>,
    /// The ships of this round in the order of their turns.
    pub(crate) order: [u8; SHIPS],
    /// How many there are, and how many had their turn.
    pub(crate) ordered: usize,
    pub(crate) had_turn: usize,
    /// A bit for each living ship.
    pub(crate) alive: u32,
    /// Shield, armor and hull left.
    pub(crate) left: [[f64; 3]; SHIPS],
    /// Their sum (§0).
    pub(crate) hp: [f64; SHIPS],
    /// The first standing layer.
    pub(crate) layer: [u8; SHIPS + 8],
    pub(crate) capacitor: [f64; SHIPS],
    pub(crate) heat: [u16; SHIPS],
    pub(crate) jam_until: [u8; SHIPS],
    pub(crate) stance: [Stance; SHIPS],
    /// As flown, by stance.
    pub(crate) velocity: [[f64; 3]; SHIPS],
    pub(crate) signature: [[f64; 3]; SHIPS],
    /// As flown, now.
    pub(crate) speed: [f64; SHIPS],
    pub(crate) sig: [f64; SHIPS],
    pub(crate) damage_dealt: [f64; SHIPS],
    pub(crate) damage_taken: [f64; SHIPS],
    pub(crate) destroyed_round: [Option<u8>; SHIPS],
    pub(crate) last_shooter: [Option<u8>; SHIPS],
    /// Of each weapon group of the fight.
    pub(crate) aims: Vec<Aim>,
    /// Of each active group of the fight: activations left, 65535 without limit.
    pub(crate) uses: Vec<u16>,
    /// By number.
    pub(crate) effects: Vec<Effect>,
    pub(crate) next_effect: u32,
}

/// What a weapon group makes of its own side's effects and of its enemies' layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// Tracking or guidance as flown, by stance.
    pub flown: [f64; 3],
    /// Per enemy: `Σ_t charge[t] × t_damage × resonance` of the layer it was reckoned for.
    pub weights: [f64; SIDE],
    /// Those layers.
    pub layers: u64,
}

/// No layers: nothing is reckoned yet.
const NO_LAYERS: u64 = u64::MAX;

impl Fight {
    /// A fight at its start (§4), before the first round.
    pub(crate) fn new(legal: &Legal, seed: &Seed) -> Self {
        let roster = Arc::clone(&legal.roster);
        let mut fight = Self {
            rules: &legal.setup.catalogue.rules,
            level: legal.calibration.level,
            stream: Stream::new(seed),
            round: 0,
            overtime: 1.0,
            turn: None,
            end: None,
            order: [0; SHIPS],
            ordered: 0,
            had_turn: 0,
            alive: 0,
            left: [[0.0; 3]; SHIPS],
            hp: [0.0; SHIPS],
            layer: [0; SHIPS + 8],
            capacitor: [0.0; SHIPS],
            heat: [0; SHIPS],
            jam_until: [0; SHIPS],
            stance: [Stance::Standard; SHIPS],
            velocity: [[1.0; 3]; SHIPS],
            signature: [[1.0; 3]; SHIPS],
            speed: [1.0; SHIPS],
            sig: [1.0; SHIPS],
            damage_dealt: [0.0; SHIPS],
            damage_taken: [0.0; SHIPS],
            destroyed_round: [None; SHIPS],
            last_shooter: [None; SHIPS],
            aims: Vec::with_capacity(roster.weapons),
            uses: Vec::with_capacity(roster.actives),
            effects: Vec::with_capacity(16),
            next_effect: 0,
            roster,
        };
        for id in 0..fight.roster.len() {
            fight.board(id);
        }
        fight
    }

    /// Puts a ship at its start.
    fn board(&mut self, id: usize) {
        let ship = self.roster.ship(id);
        self.alive |= 1 << id;
        self.left[id] = ship.max;
        self.capacitor[id] = ship.capacitor;
        self.velocity[id] = ship.velocity.flown;
        self.signature[id] = ship.signature.flown;
        self.speed[id] = ship.velocity.flown[0];
        self.sig[id] = ship.signature.flown[0];
        let weapons = self.roster.weapons_of(id).0.iter();
        self.aims.extend(weapons.map(|weapon| Aim {
            flown: weapon.aim.flown,
            weights: [0.0; SIDE],
            layers: NO_LAYERS,
        }));
        let actives = self.roster.actives_of(id).0.iter();
        self.uses.extend(actives.map(|active| active.uses.unwrap_or(u16::MAX)));
        self.update_layers(id);
    }

    /// Begins the first round and runs to the pilot's first turn or the end.
    pub(crate) fn begin<O: Observer<Event>>(&mut self, watch: &mut O) {
        self.start_round(watch);
        self.advance(watch);
    }

    /// Applies a call and runs on to the pilot's next turn or the end.
    ///
    /// # Errors
    /// The first that applies of §6; `trailing_calls` after the end. The call's index is for the caller to add.
    pub(crate) fn apply<O: Observer<Event>>(&mut self, call: &Call, watch: &mut O) -> Result<()> {
        let Some(turn) = self.turn else {
            return Err(Rejection::new("trailing_calls", "the fight had ended before this call")
                .with_round(self.round));
        };
        match *call {
            Call::Concede => self.finish(Verdict::Defeat, DecidedBy::Concession, watch),
            Call::Turn { ship, stance, action } => {
                self.judge(turn, ship, action)?;
                self.act(turn, stance, action, watch);
                self.advance(watch);
            }
        }
        Ok(())
    }

    /// Carries hostile turns and rounds out until the pilot must decide or the fight is over.
    fn advance<O: Observer<Event>>(&mut self, watch: &mut O) {
        self.turn = None;
        while let Some(id) = self.next_turn(watch) {
            if self.roster.side(id) == Side::Pilot {
                self.turn = Some(id);
                return;
            }
            let (stance, action) = self.decide(id);
            self.act(id, Some(stance), action, watch);
        }
    }

    /// The next ship that acts; `None` where the fight is over.
    #[inline]
    pub(crate) fn next_turn<O: Observer<Event>>(&mut self, watch: &mut O) -> Option<usize> {
        while self.end.is_none() {
            while self.had_turn < self.ordered {
                let id = usize::from(self.order[self.had_turn]);
                self.had_turn += 1;
                if !self.is_alive(id) {
                    continue;
                }
                let jam_until = u32::from(self.jam_until[id]);
                if jam_until < self.round {
                    return Some(id);
                }
                self.see(watch, || What::SatOut { ship: id as u32, jam_until });
            }
            self.end_round(watch);
            if self.end.is_none() {
                self.start_round(watch);
            }
        }
        None
    }

    /// Orders the living ships, once a round: velocity descending, signature ascending, pilot first, id ascending (§5).
    pub(crate) fn start_round<O: Observer<Event>>(&mut self, watch: &mut O) {
        self.round += 1;
        self.overtime = self.rules.overtime(self.round);
        self.had_turn = 0;
        self.ordered = 0;
        for id in 0..self.roster.len() {
            if !self.is_alive(id) {
                continue;
            }
            let mut at = self.ordered;
            while at > 0 {
                let other = usize::from(self.order[at - 1]);
                let before = self.speed[other] > self.speed[id]
                    || self.speed[other] == self.speed[id] && self.sig[other] <= self.sig[id];
                if before {
                    break;
                }
                self.order[at] = self.order[at - 1];
                at -= 1;
            }
            self.order[at] = id as u8;
            self.ordered += 1;
        }
        self.see(watch, || What::RoundStarted {
            order: self.order[..self.ordered].iter().copied().map(u32::from).collect(),
        });
    }

    fn end_round<O: Observer<Event>>(&mut self, watch: &mut O) {
        for id in 0..self.roster.len() {
            if self.is_alive(id) {
                let ship = self.roster.ship(id);
                let filled = self.capacitor[id] + ship.recharge;
                self.capacitor[id] = if filled < ship.capacitor { filled } else { ship.capacitor };
                self.heat[id] = self.heat[id].saturating_sub(self.rules.heat.shed_per_round);
            }
        }
        let round = self.round;
        self.end_effects(Why::Expired, |effect| u32::from(effect.last_round) == round, watch);
        self.see(watch, || What::RoundEnded {});
        if self.round >= self.rules.clock.last_round {
            let result = self.rules.points(self.totals(Side::Pilot), self.totals(Side::Hostile));
            self.finish(result, DecidedBy::Points, watch);
        }
    }

    /// A turn: stance first, then one action, then what it destroyed (§5).
    pub(crate) fn act<O: Observer<Event>>(
        &mut self,
        id: usize,
        stance: Option<Stance>,
        action: Action,
        watch: &mut O,
    ) {
        if let Some(stance) = stance {
            self.stance[id] = stance;
            self.speed[id] = self.velocity[id][stance as usize];
            self.sig[id] = self.signature[id][stance as usize];
        }
        self.see(watch, || What::Turn { ship: id as u32, stance: self.stance[id] });
        match action {
            Action::Fire { target, overheat } => self.fire(id, target as usize, overheat, watch),
            Action::Activate { group, target } => self.activate(id, group, target, watch),
            Action::Hold => self.see(watch, || What::Held { ship: id as u32 }),
        }
    }

    /// Destroys a ship whose hull is at 0, and ends the fight where it was its side's last.
    pub(crate) fn destroy<O: Observer<Event>>(&mut self, id: usize, by: usize, group: u8, watch: &mut O) {
        self.alive &= !(1 << id);
        self.destroyed_round[id] = Some(self.round as u8);
        self.see(watch, || What::Destroyed { ship: id as u32, by: by as u32, group: group.into() });
        self.end_effects(Why::SourceDestroyed, |effect| usize::from(effect.source) == id, watch);
        self.end_effects(Why::TargetDestroyed, |effect| usize::from(effect.target) == id, watch);
        let pilots = (1_u32 << self.roster.pilot_ships()) - 1;
        if self.alive & pilots == 0 {
            self.finish(Verdict::Defeat, DecidedBy::Destruction, watch);
        } else if self.alive & !pilots == 0 {
            self.finish(Verdict::Victory, DecidedBy::Destruction, watch);
        }
    }

    fn finish<O: Observer<Event>>(&mut self, result: Verdict, decided_by: DecidedBy, watch: &mut O) {
        self.turn = None;
        self.end = Some((result, decided_by));
        self.see(watch, || What::Ended { result, decided_by });
    }

    /// Lets the observer see an event of this round.
    #[inline(always)]
    pub(crate) fn see<O: Observer<Event>>(&self, watch: &mut O, what: impl FnOnce() -> What) {
        watch.see(|| Event { round: self.round, what: what() });
    }

    /// Whether a ship lives.
    #[inline]
    pub(crate) fn is_alive(&self, id: usize) -> bool {
        self.alive & 1 << id != 0
    }

    /// The fraction of its hit points that a ship has left (§12).
    #[inline]
    pub(crate) fn frac(&self, id: usize) -> f64 {
        self.hp[id] / self.roster.ship(id).hp_max
    }

    /// Reckons a ship's hit points and first standing layer after its layers changed.
    #[inline]
    pub(crate) fn update_layers(&mut self, id: usize) {
        let [shield, armor, hull] = self.left[id];
        self.hp[id] = shield + armor + hull;
        self.layer[id] = if shield > 0.0 {
            0
        } else if armor > 0.0 {
            1
        } else {
            2
        };
    }

    /// Hit points of a side, summed in id order (§11).
    pub(crate) fn totals(&self, side: Side) -> Totals {
        let mut totals = Totals { max: 0.0, now: 0.0 };
        for id in (0..self.roster.len()).filter(|id| self.roster.side(*id) == side) {
            totals.now += self.hp[id];
            totals.max += self.roster.ship(id).hp_max;
        }
        totals
    }
}

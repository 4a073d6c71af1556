//! Looking into a fight call by call: how a difference is placed.

use serde_json::Value;

use crate::{Chain, Engine, Rejection, Replay, Result, Silent};

/// A replay watched from call to call.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The checkpoint after each call that was legal, `c₁` first.
    pub links: Vec<u64>,
    /// The state after so many calls, for each number that was asked for and reached.
    pub states: Vec<(usize, Value)>,
    /// Why the calls stop before the last one, where one is illegal.
    pub refused: Option<Rejection>,
}

impl Trace {
    /// The state after so many calls, where it was asked for and reached.
    pub fn state(&self, calls: usize) -> Option<&Value> {
        self.states.iter().find(|(after, _)| *after == calls).map(|(_, state)| state)
    }
}

/// Runs a replay as [`crate::replay`] does, looking at the states that are asked for.
pub(crate) fn trace<E: Engine>(engine: &E, replay: Replay<E>, after: &[usize]) -> Result<Trace> {
    let Replay { seed, setup, calls, .. } = replay;
    let legal = engine.check(setup)?;
    let mut state = Vec::with_capacity(4096);
    engine.encode_start(&legal, &seed, &mut state);
    let mut chain = Chain::start(&state);
    let mut fight = engine.start(&legal, &seed, &mut Silent);
    let mut trace = Trace { links: Vec::with_capacity(calls.len()), states: Vec::new(), refused: None };
    if after.contains(&0) {
        trace.states.push((0, engine.dump(&fight)));
    }
    for (index, call) in calls.iter().enumerate() {
        if let Err(no) = engine.apply(&mut fight, call, &mut Silent) {
            trace.refused = Some(if no.call().is_some() { no } else { no.with_call(index) });
            break;
        }
        chain.step(engine.state(&fight, &mut state));
        trace.links.push(chain.value());
        if after.contains(&(index + 1)) {
            trace.states.push((index + 1, engine.dump(&fight)));
        }
    }
    Ok(trace)
}

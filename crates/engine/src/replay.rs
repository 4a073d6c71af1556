//! Reading a replay and running it: the one way from text to outcome.

use crate::envelope::{check_size, same_ruleset};
use crate::json::{Reader, once, required, unknown};
use crate::{Chain, Engine, Envelope, Observer, Rejection, Result, Seed, Silent, Standing, Tally, canonical};

/// A replay of one engine, its shape checked.
#[derive(Debug)]
pub struct Replay<E: Engine> {
    /// The key of the generator.
    pub seed: Seed,
    /// The setup as read.
    pub setup: E::Setup,
    /// The calls in order.
    pub calls: Vec<E::Call>,
    /// The checkpoints that the client computed, `c₁` first; may be fewer than the calls.
    pub checkpoints: Vec<u64>,
}

/// A replay that was run to its end.
#[derive(Debug)]
pub struct Verified<E: Engine> {
    /// The legal setup it started from.
    pub legal: E::Legal,
    /// The same in canonical form.
    pub setup: Vec<u8>,
    /// What the engine says.
    pub outcome: E::Outcome,
    /// What boards rank by.
    pub standing: Standing,
    /// The last checkpoint.
    pub checkpoint: u64,
    /// The low 16 bits of every checkpoint, little-endian: what places a later difference at its call.
    pub trail: Vec<u8>,
    /// 32-bit words drawn.
    pub rng_words: u64,
    /// Index of the first call after which the client's checkpoint differs.
    pub desync: Option<u32>,
}

/// Reads the text of a replay of `engine`, strictly.
///
/// The way of success reads the document once, in its own order. Only where something is wrong it is read again
/// in the order in which faults must be named (ongrid-8 §15, conventions "Replay"): JSON, engine, ruleset, shape.
///
/// # Errors
/// `too_large`, `format`, `engine`, `ruleset`, `too_many_calls`, and for engines that judge the setup while
/// reading it `limit` and `bad_setup`.
pub fn decode<E: Engine>(engine: &E, bytes: &[u8]) -> Result<Replay<E>> {
    check_size(bytes)?;
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(replay) = decode_at_once(engine, text)
    {
        return Ok(replay);
    }
    decode_in_order(engine, &Envelope::scan(bytes)?)
}

fn decode_at_once<E: Engine>(engine: &E, text: &str) -> Result<Replay<E>> {
    let (mut tag, mut ruleset, mut seed, mut setup, mut calls, mut checkpoints) =
        (None, None, None, None, None, None);
    let mut json = Reader::new(text);
    json.object(|json, key| match key {
        "engine" => once(&mut tag, check_tag(engine, &json.string()?)?),
        "ruleset" => once(&mut ruleset, same_ruleset(&json.string()?, engine.ruleset().digest())?),
        "seed" => once(&mut seed, Seed::parse(&json.string()?)?),
        "setup" => once(&mut setup, engine.read_setup(json)?),
        "calls" => once(&mut calls, read_calls(engine, json)?),
        "checkpoints" => once(&mut checkpoints, read_checkpoints(json)?),
        _ => Err(unknown()),
    })?;
    json.end()?;
    required(tag, "engine")?;
    finish_shape(seed, setup, calls, checkpoints)
}

/// The slow way, for texts in which something is wrong: every fault in its rank.
fn decode_in_order<E: Engine>(engine: &E, envelope: &Envelope<'_>) -> Result<Replay<E>> {
    check_tag(engine, &envelope.tag()?)?;
    envelope.check_ruleset(engine.ruleset().digest())?;
    envelope.check_keys()?;
    let seed = envelope.read("seed", |json| Seed::parse(&json.string()?))?;
    if envelope.read("calls", count_calls)? > E::MAX_CALLS {
        return Err(too_many_calls::<E>());
    }
    let setup = envelope.read("setup", |json| engine.read_setup(json))?;
    let calls = envelope.read("calls", |json| read_calls(engine, json))?;
    let checkpoints = match envelope.member("checkpoints") {
        Some(_) => Some(envelope.read("checkpoints", read_checkpoints)?),
        None => None,
    };
    finish_shape(Some(seed), Some(setup), Some(calls), checkpoints)
}

fn finish_shape<E: Engine>(
    seed: Option<Seed>,
    setup: Option<E::Setup>,
    calls: Option<Vec<E::Call>>,
    checkpoints: Option<Vec<u64>>,
) -> Result<Replay<E>> {
    let replay = Replay {
        seed: required(seed, "seed")?,
        setup: required(setup, "setup")?,
        calls: required(calls, "calls")?,
        checkpoints: checkpoints.unwrap_or_default(),
    };
    if replay.checkpoints.len() > replay.calls.len() {
        return Err(Rejection::format("there are more checkpoints than calls").under("checkpoints"));
    }
    Ok(replay)
}

fn check_tag<E: Engine>(_engine: &E, sent: &str) -> Result<()> {
    if sent == E::TAG { Ok(()) } else { Err(unknown_engine(sent, &[E::TAG])) }
}

/// The rejection of a tag that is not registered, naming the one sent and those known.
pub(crate) fn unknown_engine(sent: &str, known: &[&str]) -> Rejection {
    let message = format!("the replay is of engine {sent:?}; known here: {}", known.join(", "));
    let known = known.iter().map(|tag| (*tag).to_owned()).collect();
    Rejection::new("engine", message).with_path("/engine").with_known(known)
}

fn too_many_calls<E: Engine>() -> Rejection {
    let no = Rejection::new(
        "too_many_calls",
        format!("a replay of {} has at most {} calls", E::TAG, E::MAX_CALLS),
    );
    if E::NAMES_SURPLUS_CALL { no.with_call(E::MAX_CALLS) } else { no }
}

/// Counts the calls without reading them, so that their number is bounded before any work is done.
fn count_calls(json: &mut Reader<'_>) -> Result<usize> {
    let mut count = 0;
    json.array(|json, _| {
        json.skip()?;
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn read_calls<E: Engine>(engine: &E, json: &mut Reader<'_>) -> Result<Vec<E::Call>> {
    let mut calls = Vec::with_capacity(64);
    json.array(|json, index| {
        if index >= E::MAX_CALLS {
            return Err(too_many_calls::<E>());
        }
        calls.push(engine.read_call(json).map_err(|fault| match fault.code() {
            "format" if !E::FORMAT_NAMES_CALL => fault,
            _ => fault.with_call(index),
        })?);
        Ok(())
    })?;
    Ok(calls)
}

fn read_checkpoints(json: &mut Reader<'_>) -> Result<Vec<u64>> {
    let mut checkpoints = Vec::with_capacity(64);
    json.array(|json, _| {
        let text = json.string()?;
        let link = Chain::parse(&text)
            .ok_or_else(|| Rejection::format("a checkpoint is 16 lowercase hex digits"))?;
        checkpoints.push(link);
        Ok(())
    })?;
    Ok(checkpoints)
}

/// Checks the setup of a replay and runs its calls.
///
/// # Errors
/// The engine's own codes, with the index of the call at fault; nothing after it runs.
pub fn replay<E: Engine, O: Observer<E::Event>>(
    engine: &E,
    replay: Replay<E>,
    watch: &mut O,
) -> Result<(Verified<E>, Vec<E::Call>)> {
    let Replay { seed, setup, calls, checkpoints } = replay;
    let legal = engine.check(setup)?;
    let (mut setup, mut state) = (Vec::with_capacity(4096), Vec::with_capacity(4096));
    engine.write_setup(&legal, &mut setup);
    engine.write_start(&legal, &setup, &seed, &mut state);
    let mut chain = Chain::start(&state);
    let mut desync = None;
    let mut trail = Vec::with_capacity(2 * calls.len());
    let mut fight = engine.start(&legal, &seed, watch);
    for (index, call) in calls.iter().enumerate() {
        engine
            .apply(&mut fight, call, watch)
            .map_err(|no| if no.call().is_some() { no } else { no.with_call(index) })?;
        chain.step(engine.state(&fight, &mut state));
        trail.extend_from_slice(&(chain.value() as u16).to_le_bytes());
        if desync.is_none() && checkpoints.get(index).is_some_and(|client| *client != chain.value()) {
            desync = u32::try_from(index).ok();
        }
    }
    let tally = Tally { calls: u32::try_from(calls.len()).unwrap_or(u32::MAX), checkpoint: chain.value() };
    let end = engine.finish(&fight, tally)?;
    let verified = Verified {
        legal,
        setup,
        outcome: end.outcome,
        standing: end.standing,
        checkpoint: chain.value(),
        trail,
        rng_words: end.rng_words,
        desync,
    };
    Ok((verified, calls))
}

/// The checkpoints of some calls, `c₁` first, as a client computes them.
///
/// # Errors
/// Where a call is not legal.
pub fn checkpoints<E: Engine>(
    engine: &E,
    legal: &E::Legal,
    seed: &Seed,
    calls: &[E::Call],
) -> Result<Vec<u64>> {
    let mut state = Vec::with_capacity(4096);
    engine.encode_start(legal, seed, &mut state);
    let mut chain = Chain::start(&state);
    let mut fight = engine.start(legal, seed, &mut Silent);
    let mut links = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        let applied = engine.apply(&mut fight, call, &mut Silent);
        applied.map_err(|no| if no.call().is_some() { no } else { no.with_call(index) })?;
        chain.step(engine.state(&fight, &mut state));
        links.push(chain.value());
    }
    Ok(links)
}

/// Appends the canonical replay, `{"calls","engine","seed","setup"}` (http-api, "Digests"), from setup and calls in
/// that form.
pub fn write_canonical<E: Engine>(seed: &Seed, setup: &[u8], calls: &[u8], out: &mut Vec<u8>) {
    out.reserve(calls.len() + setup.len() + 160);
    out.extend_from_slice(b"{\"calls\":");
    out.extend_from_slice(calls);
    out.push(b',');
    canonical::write_tail(E::TAG, seed, setup, out);
}

//! Makes fights: setups of known replays under new seeds, flown by the autopilot or at random. `fights N` reads lines as
//! `say` does and writes N of them; the same N gives the same fights.

use std::io::{BufRead, BufWriter, Write};

use ongrid_engine::json::Reader;
use ongrid_engine::{Envelope, Rejection, Seed, Stream, canonical};
use ongrid_engine_wasm::Door;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: u64 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut door = Door::new()?;
    let mut stream = Stream::new(&Seed::from_u64(wanted));
    let texts: Vec<String> = std::io::stdin()
        .lock()
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect::<Result<_, std::io::Error>>()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut made = 0;
    while made < wanted {
        let text = &texts[stream.below(texts.len() as u64) as usize];
        // Documents that are faults themselves have no fight to vary.
        let Ok(fight) = vary(&mut door, text, &mut stream) else { continue };
        serde_json::to_writer(&mut out, &fight)?;
        out.write_all(b"\n")?;
        made += 1;
    }
    Ok(out.flush()?)
}

fn vary(door: &mut Door, text: &str, stream: &mut Stream) -> Result<String, Rejection> {
    let envelope = Envelope::scan(text.as_bytes())?;
    let setup = envelope.member("setup").unwrap_or("null");
    let engine = envelope.member("engine").unwrap_or("null");
    let seed = stream.next_u64();
    let start = format!("{{\"engine\":{engine},\"seed\":\"{seed}\",\"setup\":{setup},\"calls\":[]}}");
    door.open(start.as_bytes())?;
    let random = stream.below(2) == 0 && door.legal(0)? != b"null";
    let replay = if random { at_random(door, stream) } else { door.fly(start.as_bytes()) };
    door.close(0)?;
    Ok(String::from_utf8(replay?).unwrap_or_default())
}

/// Most calls of a fight at random: the longest of ongrid-8 end before, battles of a thousand rounds stay unfinished.
const MOST_CALLS: usize = 300;

/// Plays the open fight, each call drawn from those that are legal.
fn at_random(door: &mut Door, stream: &mut Stream) -> Result<Vec<u8>, Rejection> {
    for _ in 0..MOST_CALLS {
        let legal = door.legal(0)?;
        let mut calls: Vec<Vec<u8>> = Vec::new();
        Reader::from_bytes(&legal)?.array(|json, _| {
            calls.push(canonical::to_vec(&json.value()?));
            Ok(())
        })?;
        // Giving up is legal too, but ends the fight: once in a while.
        calls.retain(|call| call != br#"{"do":"concede"}"# || stream.below(200) == 0);
        if calls.is_empty() {
            break;
        }
        let call = &calls[stream.below(calls.len() as u64) as usize];
        door.call(0, call)?;
    }
    door.replay(0)
}

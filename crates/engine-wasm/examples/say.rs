//! What the engines say of replays, one line each: what a run through WebAssembly must say too.
//!
//! Reads lines, each a JSON string that holds the text of a replay. Writes for each the answer of `verify` (or the
//! rejection) and the digests of timeline, state with all checkpoints, view, and replay as exported.

use std::io::{BufRead, BufWriter, Write};

use ongrid_engine::{Digest, Rejection, canonical};
use ongrid_engine_wasm::Door;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut door = Door::new()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        out.write_all(&say(&mut door, text.as_bytes()))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn say(door: &mut Door, replay: &[u8]) -> Vec<u8> {
    let mut line = answer(door.verify(replay));
    let mut digests = vec![digest(answer(door.timeline(replay)))];
    match door.open(replay) {
        Err(no) => digests.push(digest(answer(Err(no)))),
        Ok(opened) => {
            digests.push(digest(opened));
            // The example closes each fight, so the handle is always the first.
            for asked in [door.state(0), door.view(0), door.legal(0), door.replay(0), door.close(0)] {
                digests.push(digest(answer(asked)));
            }
        }
    }
    for digest in digests {
        line.extend_from_slice(b" ");
        line.extend_from_slice(digest.as_bytes());
    }
    line
}

fn answer(asked: Result<Vec<u8>, Rejection>) -> Vec<u8> {
    asked.unwrap_or_else(|no| canonical::to_vec(&no))
}

fn digest(bytes: Vec<u8>) -> String {
    Digest::of(&bytes).hex()
}

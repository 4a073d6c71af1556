//! The exported functions: a plain ABI that any host of WebAssembly can speak.
//!
//! A caller asks for room with [`ongrid_input`], writes its bytes there and calls one of the other functions, which
//! says 1 (answered) or 0 (refused: the answer is a rejection). The answer lies at [`ongrid_answer`], as long as
//! [`ongrid_answer_length`] says, until the next call. Memory may have moved after every call.
//!
//! There is no unsafe block: the two buffers belong to this side and only their addresses go out. What Rust counts as
//! unsafe is the attribute that gives an exported function its name, since two functions might claim the same.
#![allow(unsafe_code)]

use std::cell::RefCell;

use ongrid_engine::{Rejection, Result, canonical};

use crate::Door;

/// What lies between two calls.
struct Desk {
    door: Option<Door>,
    input: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<Desk> = const {
        RefCell::new(Desk { door: None, input: Vec::new(), answer: Vec::new() })
    };
}

/// Lays a function's answer on the desk.
fn serve(ask: impl FnOnce(&mut Door, &[u8]) -> Result<Vec<u8>>) -> u32 {
    DESK.with_borrow_mut(|desk| {
        let answer = match &mut desk.door {
            Some(door) => ask(door, &desk.input),
            None => Door::new()
                .map_err(|fault| Rejection::new("ruleset", fault.to_string()))
                .and_then(|door| ask(desk.door.insert(door), &desk.input)),
        };
        let answered = answer.is_ok();
        desk.answer = answer.unwrap_or_else(|no| canonical::to_vec(&no));
        u32::from(answered)
    })
}

/// Makes room for `length` bytes of input and gives its address.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_input(length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.input.clear();
        desk.input.resize(length, 0);
        desk.input.as_mut_ptr()
    })
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_answer() -> *const u8 {
    DESK.with_borrow(|desk| desk.answer.as_ptr())
}

/// The length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_answer_length() -> usize {
    DESK.with_borrow(|desk| desk.answer.len())
}

/// [`Door::tags`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_tags() -> u32 {
    serve(|door, _| Ok(door.tags()))
}

/// [`Door::source`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_source() -> u32 {
    serve(|door, _| Ok(door.source()))
}

/// [`Door::data`] of the name in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_data() -> u32 {
    serve(|door, name| door.data(name))
}

/// [`Door::catalogue`] of the tag in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_catalogue() -> u32 {
    serve(|door, tag| door.catalogue(tag))
}

/// [`Door::verify`] of the replay in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_verify() -> u32 {
    serve(|door, replay| door.verify(replay))
}

/// [`Door::timeline`] of the replay in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_timeline() -> u32 {
    serve(|door, replay| door.timeline(replay))
}

/// [`Door::fly`] of the replay in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_fly() -> u32 {
    serve(|door, replay| door.fly(replay))
}

/// [`Door::open`] of the replay in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_open() -> u32 {
    serve(|door, replay| door.open(replay))
}

/// [`Door::call`] with the call in the input.
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_call(fight: u32) -> u32 {
    serve(|door, call| door.call(fight, call))
}

/// [`Door::view`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_view(fight: u32) -> u32 {
    serve(|door, _| door.view(fight))
}

/// [`Door::legal`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_legal(fight: u32) -> u32 {
    serve(|door, _| door.legal(fight))
}

/// [`Door::state`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_state(fight: u32) -> u32 {
    serve(|door, _| door.state(fight))
}

/// [`Door::replay`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_replay(fight: u32) -> u32 {
    serve(|door, _| door.replay(fight))
}

/// [`Door::close`].
#[unsafe(no_mangle)]
pub extern "C" fn ongrid_close(fight: u32) -> u32 {
    serve(|door, _| door.close(fight))
}

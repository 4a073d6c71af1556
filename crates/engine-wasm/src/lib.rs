//! The engines behind a plain door: bytes in, canonical JSON out, fights held by handle.
//!
//! Built for `wasm32-unknown-unknown` this is the module that browsers and Node load (`clients/ongrid-js`); built for
//! the machine it is the same door, so that one can be held against the other bit for bit. It adds nothing to the
//! rules and knows none: the same engines, the same reader, the same canonical JSON as the service.
//!
//! - [`Door`]: what can be asked, as functions on bytes
//! - `bout`: a fight in progress with its calls, checkpoints and events, the engine's types taken away
//! - [`Stage`]: what an engine can show of a fight beyond the contract
//! - [`engines`]: the list of engines, the same as the service's
//! - `catalogue`: what setups of ongrid-8 are put together from
//! - `candidates`: calls worth trying, for engines that list no legal ones
//! - `abi`: the exported functions

mod abi;
mod bout;
#[cfg(feature = "others")]
mod candidates;
mod catalogue;
mod door;
mod engines;
mod stage;

pub use door::Door;
pub use engines::{Host, engines};
pub use stage::Stage;

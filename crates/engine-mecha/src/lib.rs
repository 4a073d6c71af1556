//! mecha-battle-1: the table-top rules of battles between mecha and people on foot, as a ruleset of OnGrid.
//!
//! One side, the player's, is led by the calls; the units of the others act by a fixed policy. The rules (R1–R78),
//! what was added to them (X1–X9) and how ambiguities were decided (A1–A22) are numbered in the specification; the
//! numbers stand at the code that keeps them. [`RULES`] tells them to a player.

mod aim;
pub mod armor;
mod attack;
pub mod autopilot;
mod battle;
pub mod call;
pub mod chance;
mod dice;
mod engine;
pub mod event;
pub mod geometry;
pub mod mobility;
mod movement;
pub mod munition;
mod object;
pub mod outcome;
mod policy;
pub mod report;
pub mod rules;
pub mod scenario;
mod schema;
pub mod setup;
pub mod skill;
mod state;
mod strike;
mod unit;
pub mod words;
mod wreck;

pub use battle::{Battle, Roster};
pub use engine::MechaBattle;
pub use object::{ByName, Id};

/// The engine's tag.
pub const TAG: &str = "mecha-battle-1";

/// The rules in a player's words, with the figures and the calls; Markdown.
pub const RULES: &str = include_str!("../rules.md");

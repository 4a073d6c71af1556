//! One file per noun.

pub mod docs;
pub mod fights;
pub mod fits;
pub mod health;
pub mod rulesets;
pub mod verify;

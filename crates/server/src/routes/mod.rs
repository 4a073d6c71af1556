//! One file per noun.

pub mod attempts;
pub mod boards;
pub mod days;
pub mod docs;
pub mod fights;
pub mod fits;
pub mod health;
pub mod moderation;
pub mod pilots;
pub mod rulesets;
pub mod verify;

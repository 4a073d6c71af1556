//! What an engine can show of a fight beyond the contract of a ruleset.

use ongrid_engine::{Engine, canonical};
#[cfg(feature = "others")]
use ongrid_engine_empire::Empire;
#[cfg(feature = "others")]
use ongrid_engine_mecha::MechaBattle;
#[cfg(feature = "others")]
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::{OnGrid, view};

use crate::catalogue::Catalogue;

/// An engine on show. What an engine cannot tell is `None` here and `null` on the wire.
pub trait Stage: Engine<Fight: Clone> {
    /// What setups are put together from, canonical JSON.
    fn catalogue(&self) -> Option<Vec<u8>> {
        None
    }

    /// The fight as a player sees it, canonical JSON.
    fn view(&self, fight: &Self::Fight) -> Option<Vec<u8>> {
        let _ = fight;
        None
    }

    /// Every call that would be legal now, a canonical JSON array.
    fn legal(&self, fight: &Self::Fight) -> Option<Vec<u8>> {
        let _ = fight;
        None
    }
}

impl Stage for OnGrid {
    fn catalogue(&self) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&Catalogue::of(self)))
    }

    fn view(&self, fight: &Self::Fight) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&view::View::of(fight)))
    }

    fn legal(&self, fight: &Self::Fight) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&view::legal_calls(fight)))
    }
}

#[cfg(feature = "others")]
impl Stage for Empire {}
#[cfg(feature = "others")]
impl Stage for MechaBattle {}
#[cfg(feature = "others")]
impl Stage for MindCombat {}

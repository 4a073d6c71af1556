//! What an engine can show of a fight beyond the contract of a ruleset.

use ongrid_engine::Engine;
use ongrid_engine_empire::Empire;
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::OnGrid;

/// An engine on show. What an engine cannot tell is `None` here and `null` on the wire.
pub trait Stage: Engine<Fight: Clone, Legal: Clone> {
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

impl Stage for OnGrid {}
impl Stage for Empire {}
impl Stage for MechaBattle {}
impl Stage for MindCombat {}

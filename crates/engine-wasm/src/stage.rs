//! What an engine can show of a fight beyond the contract of a ruleset.

use ongrid_engine::{Engine, Silent, canonical};
#[cfg(feature = "others")]
use ongrid_engine_empire::Empire;
#[cfg(feature = "others")]
use ongrid_engine_mecha::MechaBattle;
#[cfg(feature = "others")]
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::{OnGrid, view};

#[cfg(feature = "others")]
use crate::candidates;
use crate::catalogue::Catalogue;

/// Most calls that are tried for a list: beyond it a list would help nobody, and trying takes longer than a turn should.
pub(crate) const MOST_TRIED: usize = 20_000;

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

    /// Calls worth trying, legal or not, at most a few beyond `MOST_TRIED`.
    fn candidates(&self, legal: &Self::Legal, fight: &Self::Fight) -> Option<Vec<Self::Call>> {
        let _ = (legal, fight);
        None
    }

    /// The calls that would be legal now, a canonical JSON array: of the candidates those that a copy of the fight takes.
    fn legal(&self, legal: &Self::Legal, fight: &Self::Fight) -> Option<Vec<u8>> {
        let mut calls = self.candidates(legal, fight).filter(|calls| calls.len() <= MOST_TRIED)?;
        calls.retain(|call| self.apply(&mut fight.clone(), call, &mut Silent).is_ok());
        Some(canonical::to_vec(&calls))
    }
}

impl Stage for OnGrid {
    fn catalogue(&self) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&Catalogue::of(self)))
    }

    fn view(&self, fight: &Self::Fight) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&view::View::of(fight)))
    }

    fn legal(&self, _: &Self::Legal, fight: &Self::Fight) -> Option<Vec<u8>> {
        Some(canonical::to_vec(&view::legal_calls(fight)))
    }
}

#[cfg(feature = "others")]
impl Stage for Empire {
    fn candidates(&self, legal: &Self::Legal, _: &Self::Fight) -> Option<Vec<Self::Call>> {
        candidates::empire(self.setup(legal))
    }
}

#[cfg(feature = "others")]
impl Stage for MechaBattle {
    fn candidates(&self, legal: &Self::Legal, _: &Self::Fight) -> Option<Vec<Self::Call>> {
        candidates::mecha(self.setup(legal))
    }
}

#[cfg(feature = "others")]
impl Stage for MindCombat {
    fn candidates(&self, _: &Self::Legal, fight: &Self::Fight) -> Option<Vec<Self::Call>> {
        Some(candidates::minds(fight))
    }
}

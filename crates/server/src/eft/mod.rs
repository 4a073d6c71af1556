//! The fitting text that EVE players use, "EFT": read into a fleet, written from one.
//!
//! Several fits in one text are a fleet. Nothing is dropped in silence: every line becomes a module of a fit, an empty
//! slot, a [`Note`] of something this sim does not model, or a [`Fault`].

mod names;
mod read;
mod renames;
mod unmodelled;
mod write;

use ongrid_engine_ongrid::{Charge, Hull, Module};
use serde::Serialize;
use utoipa::ToSchema;

pub use names::Names;
pub use read::read;
pub use unmodelled::Kind;
pub use write::write;

/// Longest text that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// Most lines that are read; a fleet of five has about 150.
pub const MAX_LINES: usize = 1000;

/// A fleet as read from a text.
#[derive(Debug, Default)]
pub struct Fleet {
    /// Its ships, in the order of the text.
    pub ships: Vec<Ship>,
    /// Lines that this sim does not model.
    pub notes: Vec<Note>,
    /// Old names that were taken for new ones.
    pub renamed: Vec<Renamed>,
    /// Lines that mean nothing here; the fleet is not whole where there are some.
    pub faults: Vec<Fault>,
}

/// A ship as read from a text.
#[derive(Clone, Debug)]
pub struct Ship {
    /// The line of its header, from 1; 0 where it is from no text.
    pub line: usize,
    /// Its hull; `None` where the name is a fault.
    pub hull: Option<&'static Hull>,
    /// Its name, if it has one.
    pub name: String,
    /// Its groups, in the order in which they first appear.
    pub groups: Vec<Group>,
}

/// Modules of a kind with the same charge.
#[derive(Clone, Debug)]
pub struct Group {
    /// The line where the first of them stands, from 1.
    pub line: usize,
    /// What they are.
    pub module: &'static Module,
    /// What they are loaded with.
    pub charge: Option<&'static Charge>,
    /// How many there are.
    pub count: u32,
}

impl Group {
    /// Puts it among others: into the one that is alike, where there is one.
    fn put_into(self, groups: &mut Vec<Self>) {
        let charge = |group: &Self| group.charge.map(|charge| charge.id);
        let like = |other: &&mut Self| other.module.id == self.module.id && charge(other) == charge(&self);
        match groups.iter_mut().find(like) {
            Some(other) => other.count = other.count.saturating_add(self.count),
            None => groups.push(self),
        }
    }
}

/// A line that this sim does not model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Note {
    /// The line, from 1.
    pub line: usize,
    /// What stands there, or the part of it that is meant.
    pub text: String,
    /// What it is.
    #[schema(value_type = String)]
    pub kind: Kind,
    /// What becomes of it, in a sentence.
    pub message: String,
}

/// An old name that was taken for a new one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Renamed {
    /// The line, from 1.
    pub line: usize,
    /// The name that stands there.
    pub from: String,
    /// The name it has today.
    pub to: &'static str,
}

/// A line that means nothing here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What stands there, or the part of it that is meant.
    pub text: String,
    /// What is wrong with it, in a sentence.
    pub message: String,
    /// Known names that are nearest to it, the nearest first.
    pub nearest: Vec<&'static str>,
}

#[cfg(test)]
mod tests;

//! What damage does to a mecha: armor, internal structure, critical boxes and their chain (R27, R41–R49, R73–R78).

use crate::armor::{BOX, blade_split};
use crate::battle::Battle;
use crate::event::Happening;
use crate::skill::DEADLY;
use crate::unit::Frame;
use crate::words::{Part, Word};

/// The damage of a hit behind the shield.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wound {
    /// Centipoints.
    pub cp: u32,
    /// Of a blade: the percent that pass the armor.
    pub blade: Option<u32>,
}

impl Part {
    /// Hand or foot at the end of an arm or leg (R35).
    pub(crate) fn end(self) -> Option<Part> {
        match self {
            Part::LeftArm => Some(Part::LeftHand),
            Part::RightArm => Some(Part::RightHand),
            Part::LeftLeg => Some(Part::LeftFoot),
            Part::RightLeg => Some(Part::RightFoot),
            _ => None,
        }
    }

    /// The part that gets a critical box for some of this one (R42, R43; A13).
    fn next(self) -> Option<Part> {
        match self {
            Part::LeftArm => Some(Part::LeftTorso),
            Part::RightArm => Some(Part::RightTorso),
            Part::LeftLeg => Some(Part::LeftHip),
            Part::RightLeg => Some(Part::RightHip),
            Part::LeftTorso | Part::RightTorso | Part::LeftHip | Part::RightHip => Some(Part::Cockpit),
            _ => None,
        }
    }
}

impl Frame {
    /// Takes a hit on a part; gives what its armor and its internal structure took. The rest is lost (R48, R75–R78).
    fn take(&mut self, part: Part, wound: Wound) -> (u32, u32) {
        if self.lost(part) {
            return (0, 0);
        }
        let armor = self.armor[part.index()];
        let (on_armor, inside) = match wound.blade {
            Some(pierce) => blade_split(wound.cp, armor, pierce),
            None => (wound.cp.min(armor), wound.cp.saturating_sub(armor)),
        };
        let inside = inside.min(self.room(part));
        self.armor[part.index()] -= on_armor;
        self.marked[part.index()] += inside;
        (on_armor, inside)
    }
}

impl Battle {
    fn frame(&mut self, target: usize) -> Option<&mut Frame> {
        self.units[target].frame.as_deref_mut()
    }

    /// A hit on a part (draws 5 and 6). Gives the centipoints that count for critical boxes: all that reached the
    /// part, of a blade only what went inside (R41, R73).
    pub(crate) fn wound(&mut self, target: usize, part: Part, wound: Wound) -> u32 {
        let Some(frame) = self.frame(target) else { return 0 };
        let (before, whole) = (frame.boxes(part), !frame.lost(part));
        let (on_armor, inside) = frame.take(part, wound);
        let (after, lost) = (frame.boxes(part), frame.lost(part));
        self.dice.note(Happening::Hit(target as u8, part, on_armor, inside));
        if part == Part::Cockpit && inside > 0 {
            self.shake(target);
        }
        if wound.blade.is_none() && after > before {
            self.chain(target, part, before, after);
        }
        if whole && lost {
            self.dice.note(Happening::Lost(target as u8, part));
        }
        if wound.blade.is_some() { inside } else { on_armor + inside }
    }

    /// Critical boxes on a part, as many as it has room for (R41).
    pub(crate) fn mark_all(&mut self, target: usize, part: Part, boxes: u64, chains: bool) {
        for _ in 0..boxes {
            if !self.mark(target, part, chains) {
                return;
            }
        }
    }

    /// One critical box on a part; whether there was room for it (A9).
    fn mark(&mut self, target: usize, part: Part, chains: bool) -> bool {
        let Some(frame) = self.frame(target) else { return false };
        if frame.lost(part) {
            return false;
        }
        let before = frame.boxes(part);
        frame.marked[part.index()] += BOX.min(frame.room(part));
        let (after, lost) = (frame.boxes(part), frame.lost(part));
        self.dice.note(Happening::Critical(target as u8, part, after));
        if part == Part::Cockpit {
            self.shake(target);
        }
        if chains {
            self.chain(target, part, before, after);
        }
        if lost {
            self.dice.note(Happening::Lost(target as u8, part));
        }
        true
    }

    /// What boxes of a part lead to, depth first (R42–R45). Steps that a blade crossed are never made up for (R74).
    fn chain(&mut self, target: usize, part: Part, before: u32, after: u32) {
        let critical = &self.rules.tables().critical;
        if part == Part::Cockpit {
            for _ in before / critical.to_reactor..after / critical.to_reactor {
                self.mark_reactor(target);
            }
        } else if let Some(next) = part.next() {
            let every = if next == Part::Cockpit { critical.to_cockpit } else { critical.to_body };
            for _ in before / every..after / every {
                self.mark(target, next, true);
            }
        }
    }

    /// One reactor box; the last one it bears explodes it (R44, R45).
    fn mark_reactor(&mut self, target: usize) {
        let explosion = self.rules.tables().critical.explosion;
        let Some(frame) = self.frame(target) else { return };
        frame.reactor += 1;
        let boxes = frame.reactor;
        let explodes = boxes >= explosion && !frame.destroyed;
        frame.destroyed |= explodes;
        self.dice.note(Happening::Reactor(target as u8, boxes));
        if explodes {
            self.units[target].damage = DEADLY;
            self.dice.note(Happening::Explodes(target as u8));
        }
    }

    /// A die of damage to the pilot; of a dead one it is rolled all the same (R27; A20).
    fn shake(&mut self, target: usize) {
        let points = self.dice.die();
        if !self.units[target].dead() {
            self.hurt(target, u32::from(points));
        }
    }
}

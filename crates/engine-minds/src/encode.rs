//! The state that checkpoints are computed over; the layout is docs/state-mind-combat-1.md.

use crate::mind::Mind;
use crate::war::War;

impl War {
    /// Appends the state, little-endian.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        put_u32(out, self.minute());
        put_u64(out, self.stream.words());
        put_u32(out, self.turns());
        out.push(u8::from(self.is_over()));
        put_count(out, self.minds.len());
        for mind in 0..self.minds.len() {
            self.encode_mind(mind, out);
        }
    }

    fn encode_mind(&self, index: usize, out: &mut Vec<u8>) {
        let mind = &self.minds[index];
        out.push(u8::from(mind.deleted));
        let [city, datacenter, factory, lab, firewall] = mind.buildings.plain();
        let core = mind.buildings.core;
        for amount in [mind.territory, city, datacenter, factory, lab, firewall, core] {
            put_u64(out, amount);
        }
        for amount in [mind.capital, mind.users, mind.compute, self.cycles(index)] {
            put_u64(out, amount);
        }
        match mind.countermeasure {
            None => out.push(0),
            Some(guard) => {
                out.push(1);
                put_count(out, guard.program);
                out.extend(guard.above.to_le_bytes());
            }
        }
        put_count(out, mind.units.len());
        for count in &mind.units {
            put_u64(out, *count);
        }
        self.encode_memory(mind, out);
    }

    fn encode_memory(&self, mind: &Mind, out: &mut Vec<u8>) {
        let recent = mind.recent(&self.rules, self.minute());
        put_count(out, recent.len());
        for made in recent {
            put_u32(out, made);
        }
        put_count(out, mind.struck(&self.rules, self.minute()).count());
        for struck in mind.struck(&self.rules, self.minute()) {
            put_count(out, struck.on);
            put_u32(out, struck.t);
        }
    }
}

/// A count or a place; none is above 5,166, the calls and turns of a war.
fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend(u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes());
}

fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

fn put_u64(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

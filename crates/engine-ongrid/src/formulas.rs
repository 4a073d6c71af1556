//! The published formulas, one function each.

use crate::attribute::Stance;
use crate::pipeline::clamp;
use crate::rules::Rules;

impl Rules {
    /// Chance that a turret group hits (§7).
    #[inline]
    pub fn hit(&self, tracking: f64, sig: f64, ref_sig: f64, ref_vel: f64, speed: f64) -> f64 {
        let chance = tracking * at_most_one(sig / ref_sig) * (ref_vel / speed);
        clamp(chance, self.turret.min_hit, self.turret.max_hit)
    }

    /// Quality of a turret volley that landed (§7).
    #[inline]
    pub fn quality(&self, roll: f64) -> f64 {
        if roll > self.turret.wrecking_above {
            self.turret.wrecking
        } else {
            self.turret.quality_floor + roll
        }
    }

    /// How much of a missile volley applies (§7).
    #[inline]
    pub fn application(&self, sig: f64, ref_sig: f64, ref_vel: f64, speed: f64, guidance: f64) -> f64 {
        let applied = at_most_one(sig / ref_sig) * (ref_vel / speed).sqrt() * guidance;
        clamp(applied, self.missile.min_application, self.missile.max_application)
    }

    /// What overtime multiplies damage by in a round (§7).
    pub fn overtime(&self, round: u32) -> f64 {
        1.0 + self.clock.overtime_step * f64::from(round.saturating_sub(self.clock.overtime_from))
    }

    /// What an effect of multiplier `m` and strength `s` multiplies by (§9).
    pub fn effect_multiplier(&self, m: f64, s: f64) -> f64 {
        let multiplier = 1.0 + (m - 1.0) * s;
        if multiplier > self.ewar.min_effect { multiplier } else { self.ewar.min_effect }
    }

    /// Chance of a single jam draw (§9); `jam` is the module's strength against the target's sensors × its `s`.
    pub fn jam_chance(&self, jam: f64, sensor_strength: f64) -> f64 {
        clamp(jam / sensor_strength, self.ewar.min_jam, self.ewar.max_jam)
    }

    /// The stance of a hostile ship with this fraction of its hit points, of support or of the line (§12).
    #[inline]
    pub(crate) fn hostile_stance(&self, frac: f64, support: bool) -> Stance {
        let evasive = support | (frac < self.hostile.evasive_below);
        let aggressive = frac >= self.hostile.aggressive_from;
        let stances = [Stance::Standard, Stance::Aggressive, Stance::Evasive, Stance::Evasive];
        stances[usize::from(evasive) << 1 | usize::from(aggressive)]
    }

    /// Whether the hostile pilot overheats against `hp` hit points (§12).
    #[inline]
    pub(crate) fn hostile_overheats(&self, heat: u16, expected: f64, hp: f64) -> bool {
        let kills_only_hot = (expected < hp) & (hp <= 1.5 * expected);
        (heat <= self.heat.lock_above) & ((heat == 0) | kills_only_hot)
    }
}

/// `min(1, x)`.
#[inline]
pub(crate) fn at_most_one(x: f64) -> f64 {
    if x < 1.0 { x } else { 1.0 }
}

/// The first standing layer; the hull where none is left. Counted, not branched: which layer a target stands on is
/// anybody's guess.
#[inline]
pub(crate) fn first_standing(left: &[f64; 3]) -> usize {
    let no_shield = usize::from(left[0] == 0.0);
    no_shield + (no_shield & usize::from(left[1] == 0.0))
}

/// Takes a volley off the layers (§8): `left` becomes what is left of shield, armor and hull; `lose` sees each layer
/// that the volley reached, and what it lost.
#[inline]
pub(crate) fn take_off(
    left: &mut [f64; 3],
    resonance: &[[f64; 4]; 3],
    raw: [f64; 4],
    mut lose: impl FnMut(usize, f64),
) {
    let mut raw = raw;
    let mut layer = first_standing(left);
    while layer < 3 {
        let resist = &resonance[layer];
        let incoming = raw[0] * resist[0] + raw[1] * resist[1] + raw[2] * resist[2] + raw[3] * resist[3];
        if incoming < left[layer] {
            left[layer] -= incoming;
            return lose(layer, incoming);
        }
        lose(layer, left[layer]);
        let through = 1.0 - left[layer] / incoming;
        left[layer] = 0.0;
        raw = raw.map(|raw| raw * through);
        // A layer below may be broken under a repaired one.
        layer += 1;
        while layer < 3 && left[layer] == 0.0 {
            layer += 1;
        }
    }
}

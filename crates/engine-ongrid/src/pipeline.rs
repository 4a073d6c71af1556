//! The one modifier pipeline (§1).

/// The stacking curve: what the i-th strongest multiplier keeps of its strength. Beyond the table it is 0.
pub const PENALTIES: usize = 11;

/// A published stacking curve, strongest first.
pub type Penalties = [f64; PENALTIES];

/// The penalized multipliers of one attribute, strongest first (§1).
///
/// Only as many are kept as the curve has places: what is weaker acts with penalty 0, and no later multiplier can
/// bring it forward.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chain {
    length: u8,
    multipliers: [f64; PENALTIES],
}

impl Chain {
    /// A chain without multipliers.
    pub const EMPTY: Self = Self { length: 0, multipliers: [0.0; PENALTIES] };

    /// Takes a multiplier to its place: by `|m − 1|` descending, equal strength: the larger first. A multiplier of
    /// exactly 1 is dropped.
    #[inline(never)]
    pub fn insert(&mut self, multiplier: f64) {
        if multiplier == 1.0 {
            return;
        }
        let strength = (multiplier - 1.0).abs();
        let mut at = usize::from(self.length).min(PENALTIES);
        while at > 0 {
            let other = self.multipliers[at - 1];
            let others = (other - 1.0).abs();
            if others > strength || others == strength && other >= multiplier {
                break;
            }
            if at < PENALTIES {
                self.multipliers[at] = other;
            }
            at -= 1;
        }
        if at < PENALTIES {
            self.multipliers[at] = multiplier;
            self.length = (self.length + 1).min(PENALTIES as u8);
        }
    }

    /// Drops every multiplier.
    #[inline]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Whether it holds none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The multipliers held, strongest first.
    #[inline]
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers[..usize::from(self.length).min(PENALTIES)]
    }

    /// Applies the chain: the i-th multiplier does `v = v × (1 + (m − 1) × penalty[i])`.
    #[inline]
    pub fn apply(&self, value: f64, penalties: &Penalties) -> f64 {
        // Most attributes have no penalized multiplier.
        if self.is_empty() { value } else { self.apply_all(value, penalties) }
    }

    #[inline(never)]
    fn apply_all(&self, value: f64, penalties: &Penalties) -> f64 {
        let mut value = value;
        for (multiplier, penalty) in self.multipliers().iter().zip(penalties) {
            value *= 1.0 + (multiplier - 1.0) * penalty;
        }
        value
    }

    /// Applies the chain to three values at once.
    #[inline(never)]
    pub fn apply_each(&self, values: [f64; 3], penalties: &Penalties) -> [f64; 3] {
        let mut values = values;
        for (multiplier, penalty) in self.multipliers().iter().zip(penalties) {
            let factor = 1.0 + (multiplier - 1.0) * penalty;
            values = values.map(|value| value * factor);
        }
        values
    }
}

impl FromIterator<f64> for Chain {
    fn from_iter<I: IntoIterator<Item = f64>>(multipliers: I) -> Self {
        let mut chain = Self::default();
        for multiplier in multipliers {
            chain.insert(multiplier);
        }
        chain
    }
}

/// `(base + Σ adds) × Π unpenalized × Π (1 + (mult − 1) × penalty[i])`, step by step in the order given.
pub fn value(base: f64, adds: &[f64], unpenalized: &[f64], penalized: &[f64], penalties: &Penalties) -> f64 {
    let sum = adds.iter().fold(base, |value, add| value + add);
    let product = unpenalized.iter().fold(sum, |value, multiplier| value * multiplier);
    penalized.iter().copied().collect::<Chain>().apply(product, penalties)
}

/// `min(hi, max(lo, x))`.
#[inline]
pub fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
    let raised = if x > lo { x } else { lo };
    if raised < hi { raised } else { hi }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strongest_first_and_the_larger_of_equals() {
        let chain: Chain = [0.8, 1.0, 1.2, 0.5, 1.25, 0.75].into_iter().collect();
        assert_eq!(chain.multipliers(), [0.5, 1.25, 0.75, 1.2, 0.8]);
    }

    #[test]
    fn a_full_chain_keeps_the_strongest() {
        let mut chain: Chain = (1..=20).map(|n| 1.0 + f64::from(n) / 100.0).collect();
        assert_eq!(chain.multipliers().len(), PENALTIES);
        assert_eq!(chain.multipliers()[0], 1.2);
        chain.insert(0.5);
        chain.insert(1.01);
        assert_eq!(chain.multipliers()[..2], [0.5, 1.2]);
        assert_eq!(chain.multipliers()[PENALTIES - 1], 1.11);
    }

    #[test]
    fn clamp_keeps_to_its_bounds() {
        assert_eq!([clamp(-1.0, 0.2, 1.0), clamp(0.5, 0.2, 1.0), clamp(7.0, 0.2, 1.0)], [0.2, 0.5, 1.0]);
    }
}

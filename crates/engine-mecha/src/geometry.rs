//! Distance and aspect, from whole metres (section 4, X6).

use crate::words::Aspect;

/// The greatest coordinate, in metres either way.
pub const FIELD: i64 = 1_000_000;

/// A place: x, y, z in metres.
pub type Position = [i32; 3];
/// A direction in the plane; never 0, 0.
pub type Facing = [i32; 2];

/// From one place to another.
pub fn offset(from: Position, to: Position) -> [i64; 3] {
    [0, 1, 2].map(|axis| i64::from(to[axis]) - i64::from(from[axis]))
}

/// The square of the distance between two places, in m².
pub fn squared(from: Position, to: Position) -> i64 {
    offset(from, to).iter().map(|delta| delta * delta).sum()
}

/// The distance of an attack: at least 1 m (R8).
pub fn distance(squared: i64) -> f64 {
    (squared as f64).sqrt().max(1.0)
}

/// The side of a target at `place` looking along `facing` that something at `from` attacks (X6).
pub fn aspect(place: Position, facing: Facing, from: Position) -> Aspect {
    let [x, y, z] = offset(place, from);
    if z > 0 && z * z > x * x + y * y {
        return Aspect::Overhead;
    }
    let [fx, fy] = facing.map(i64::from);
    let dot = fx * x + fy * y;
    let cross = fx * y - fy * x;
    if dot >= cross.abs() {
        Aspect::Front
    } else if -dot >= cross.abs() {
        Aspect::Rear
    } else if cross > 0 {
        Aspect::Left
    } else {
        Aspect::Right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDE: std::ops::RangeInclusive<i32> = -1_000_000..=1_000_000;

    proptest! {
        #[test]
        fn turning_about_swaps_sides(
            place in [WIDE, WIDE, WIDE], from in [WIDE, WIDE, WIDE], x in WIDE, y in WIDE,
        ) {
            prop_assume!(x != 0 || y != 0);
            let (one, other) = (aspect(place, [x, y], from), aspect(place, [-x, -y], from));
            let swapped = match one {
                Aspect::Front => Aspect::Rear,
                Aspect::Rear => Aspect::Front,
                Aspect::Left => Aspect::Right,
                Aspect::Right => Aspect::Left,
                Aspect::Overhead => Aspect::Overhead,
            };
            let above = place[0] == from[0] && place[1] == from[1];
            prop_assert!(other == swapped || above, "{one:?} {other:?}");
            prop_assert!(distance(squared(place, from)) >= 1.0);
        }
    }
}

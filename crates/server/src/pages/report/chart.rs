//! The geometry of a report's charts; the templates draw it as inline SVG.

use std::fmt::Write;

use ongrid_engine_ongrid::Side;

use crate::pages::report::story::{Round, Story};

/// Width and height of the chart of hit points, and its plot within.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 748.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 204.0;

/// Hit points of both fleets over the rounds.
#[derive(Debug)]
pub struct HitPoints {
    /// The pilot's and the hostile curve.
    pub curves: Vec<Curve>,
    /// Marks of the rounds: x and number.
    pub rounds: Vec<(f64, u32)>,
    /// Marks of the shares: y and label.
    pub shares: Vec<(f64, &'static str)>,
    /// Ships lost.
    pub losses: Vec<Loss>,
    /// x of the round that is shown.
    pub cursor: f64,
    /// x of round 0.
    pub left: f64,
    /// From a round to the next.
    pub step: f64,
}

/// The curve of a fleet.
#[derive(Debug)]
pub struct Curve {
    /// `own` or `foe`.
    pub tone: &'static str,
    /// Path of the line.
    pub line: String,
    /// Path of the area under it.
    pub area: String,
}

/// A ship lost.
#[derive(Debug)]
pub struct Loss {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
    /// `own` or `foe`.
    pub tone: &'static str,
    /// What and when.
    pub title: String,
}

/// The name of a side in style sheets.
pub fn tone(side: Side) -> &'static str {
    match side {
        Side::Pilot => "own",
        Side::Hostile => "foe",
    }
}

impl HitPoints {
    /// The chart of a fight with its cursor at a round.
    pub fn new(story: &Story, shown: usize) -> Self {
        let last = story.rounds.len() - 1;
        let step = (RIGHT - LEFT) / (last.max(1) as f64);
        let x = |round: usize| tenth(LEFT + step * round as f64);
        let y = |share: f64| tenth(BOTTOM - (BOTTOM - TOP) * share);
        let share = |round: &Round, side| {
            let (left, most) = story.totals(round, side);
            if most > 0.0 { left.iter().sum::<f64>() / most } else { 0.0 }
        };
        let curves = [Side::Hostile, Side::Pilot].map(|side| {
            let mut line = String::new();
            for (index, round) in story.rounds.iter().enumerate() {
                let command = if index == 0 { 'M' } else { 'L' };
                let _ = write!(line, "{command}{} {}", x(index), y(share(round, side)));
            }
            let area = format!("{line}L{} {BOTTOM}L{LEFT} {BOTTOM}Z", x(last));
            Curve { tone: tone(side), line, area }
        });
        let every = last.div_ceil(12).max(1);
        let mut losses = Vec::new();
        for (index, round) in story.rounds.iter().enumerate() {
            for (ship, state) in round.ships.iter().enumerate() {
                if state.destroyed == Some(round.number) {
                    losses.push(Loss {
                        x: x(index),
                        y: y(share(round, story.side(ship))),
                        tone: tone(story.side(ship)),
                        title: format!("Round {}: {} destroyed", round.number, story.name(ship)),
                    });
                }
            }
        }
        Self {
            curves: curves.into(),
            rounds: (0..=last).step_by(every).map(|round| (x(round), round as u32)).collect(),
            shares: vec![(y(1.0), "100"), (y(0.5), "50"), (y(0.0), "0")],
            losses,
            cursor: x(shown.min(last)),
            left: LEFT,
            step: (step * 1000.0).round() / 1000.0,
        }
    }

    /// The view box.
    pub fn view_box(&self) -> String {
        format!("0 0 {WIDTH} {HEIGHT}")
    }

    /// Top and bottom of the plot.
    pub fn span(&self) -> (f64, f64) {
        (TOP, BOTTOM)
    }
}

/// A bar of parts, 0 … 100 wide.
#[derive(Debug, Default)]
pub struct Bar {
    /// The parts.
    pub parts: Vec<Part>,
}

/// A part of a bar.
#[derive(Debug)]
pub struct Part {
    /// Where it begins.
    pub x: f64,
    /// How wide it is.
    pub width: f64,
    /// Its name in style sheets.
    pub tone: &'static str,
    /// What it is.
    pub title: String,
}

impl Bar {
    /// Adds a part that is `share` of the whole wide.
    pub fn push(&mut self, share: f64, tone: &'static str, title: String) {
        let x = self.parts.last().map_or(0.0, |part| part.x + part.width);
        let width = tenth(share.clamp(0.0, 1.0) * 100.0).min(100.0 - x).max(0.0);
        self.parts.push(Part { x: tenth(x), width, tone, title });
    }

    /// What is left of a ship: shield, armor and hull as parts of all its hit points.
    pub fn of_layers(left: [f64; 3], max: [f64; 3]) -> Self {
        let mut bar = Self::default();
        let most: f64 = max.iter().sum();
        let tones = ["hull", "armor", "shield"];
        for (layer, tone) in [2, 1, 0].into_iter().zip(tones) {
            if most > 0.0 && left[layer] > 0.0 {
                bar.push(left[layer] / most, tone, format!("{tone} {:.0}", left[layer]));
            }
        }
        bar
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The outline of a hull by its class, in a box of 24 by 24, bow to the right.
pub fn outline(class: &str) -> &'static str {
    match class {
        "frigate" => "M6 8L19 12L6 16L9 12Z",
        "destroyer" => "M3 9L21 12L3 15L6 12Z",
        "cruiser" => "M3 7H12L21 12L12 17H3L7 12Z",
        "battlecruiser" => "M2 5L10 4L22 12L10 20L2 19L7 12Z",
        "battleship" => "M2 4H13L22 10V14L13 20H2L5 15V9Z",
        _ => "M12 4L20 12L12 20L4 12Z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stay_within_their_box() {
        let mut bar = Bar::default();
        for _ in 0..7 {
            bar.push(0.3, "shield", String::new());
        }
        let end = bar.parts.iter().map(|part| part.x + part.width).fold(0.0, f64::max);
        assert_eq!(end, 100.0);
        let bar = Bar::of_layers([0.0, 50.0, 100.0], [100.0, 100.0, 100.0]);
        assert_eq!(bar.parts.iter().map(|part| part.tone).collect::<Vec<_>>(), ["hull", "armor"]);
        assert!(Bar::of_layers([0.0; 3], [0.0; 3]).parts.is_empty());
    }
}

//! Preview images of reports (Open Graph): 1200 by 630, drawn here, the same on every machine.

use ongrid_engine_ongrid::Side;
use ongrid_store::Fight;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use crate::pages::report::record::{Outcome, Snapshot};
use crate::pages::report::story::Story;
use crate::pages::score_text;
use crate::pages::stroke::{HEIGHT as LETTER, Strokes, is_closed};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

const NIGHT: [u8; 3] = [0x0a, 0x0f, 0x13];
const GRID: [u8; 3] = [0x1a, 0x27, 0x2f];
const INK: [u8; 3] = [0xd9, 0xe4, 0xe8];
const DIM: [u8; 3] = [0x8f, 0xa3, 0xad];
const OWN: [u8; 3] = [0x4f, 0xd1, 0xc5];
const FOE: [u8; 3] = [0xff, 0x7a, 0x59];
const GOLD: [u8; 3] = [0xf0, 0xb9, 0x3f];

/// What a preview shows.
#[derive(Debug)]
pub struct Preview {
    /// The great word.
    word: String,
    color: [u8; 3],
    score: String,
    pilot: String,
    lines: Vec<String>,
    /// Shares of hit points over the rounds, pilot's and hostile.
    curves: [Vec<f64>; 2],
}

impl Preview {
    /// The preview of a fight of `ongrid-8`.
    pub fn of_fight(
        fight: &Fight,
        outcome: &Outcome,
        snapshot: &Snapshot,
        story: Option<&Story>,
        doctrine: &str,
    ) -> Self {
        let curve = |side| {
            let Some(story) = story else { return Vec::new() };
            let share = |round| {
                let (left, most) = story.totals(round, side);
                if most > 0.0 { left.iter().sum::<f64>() / most } else { 0.0 }
            };
            story.rounds.iter().map(share).collect()
        };
        Self {
            word: outcome.result.clone(),
            color: match &*outcome.result {
                "victory" => OWN,
                "defeat" => FOE,
                _ => INK,
            },
            score: score_text(outcome.score),
            pilot: fight.pilot_name.clone().unwrap_or_default(),
            lines: vec![
                doctrine.to_owned(),
                format!("{} rounds, level {}", outcome.rounds, snapshot.level),
                fight.day.to_string(),
            ],
            curves: [curve(Side::Pilot), curve(Side::Hostile)],
        }
    }

    /// The preview of a fight that is sealed: what the board says of it.
    pub fn sealed(fight: &Fight) -> Self {
        let pilot = fight.pilot_name.clone().unwrap_or_default();
        let plain = Self::plain(&fight.day.to_string(), &pilot, fight.standing.score);
        Self { word: "Sealed".to_owned(), color: INK, ..plain }
    }

    /// The preview of a fight of another engine.
    pub fn plain(engine: &str, pilot: &str, score: i64) -> Self {
        Self {
            word: "Verified".to_owned(),
            color: OWN,
            score: score_text(score),
            pilot: pilot.to_owned(),
            lines: vec![engine.to_owned()],
            curves: [Vec::new(), Vec::new()],
        }
    }
}

/// The image as PNG.
pub fn png(preview: &Preview) -> Option<Vec<u8>> {
    let mut canvas = Canvas(Pixmap::new(WIDTH, HEIGHT)?);
    canvas.0.fill(color(NIGHT, 255));
    canvas.lattice();
    canvas.curve(&preview.curves[1], FOE);
    canvas.curve(&preview.curves[0], OWN);
    canvas.brackets();
    canvas.text("OnGrid", 72.0, 70.0, 30.0, 400.0, OWN);
    canvas.text("kill report", 1128.0 - width_of("kill report", 20.0), 75.0, 20.0, 400.0, DIM);
    canvas.text(&preview.word, 72.0, 170.0, 110.0, 1056.0, preview.color);
    canvas.text(&preview.score, 72.0, 330.0, 64.0, 460.0, GOLD);
    canvas.text(&preview.pilot, 72.0, 428.0, 32.0, 460.0, INK);
    for (index, line) in preview.lines.iter().enumerate() {
        canvas.text(line, 72.0, 488.0 + 28.0 * index as f32, 15.0, 460.0, DIM);
    }
    canvas.0.encode_png().ok()
}

/// How wide a text of this size is.
fn width_of(text: &str, size: f32) -> f32 {
    Strokes::of(text).width * size / LETTER
}

fn color([red, green, blue]: [u8; 3], alpha: u8) -> Color {
    Color::from_rgba8(red, green, blue, alpha)
}

fn paint(rgb: [u8; 3], alpha: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(rgb, alpha));
    paint
}

struct Canvas(Pixmap);

impl Canvas {
    fn stroke(&mut self, path: &Path, width: f32, paint: &Paint<'_>) {
        let stroke =
            Stroke { width, line_cap: LineCap::Square, line_join: LineJoin::Miter, ..Stroke::default() };
        self.0.stroke_path(path, paint, &stroke, Transform::identity(), None);
    }

    fn lattice(&mut self) {
        let ink = paint(GRID, 255);
        for x in (0..WIDTH).step_by(40) {
            for y in (0..HEIGHT).step_by(40) {
                if let Some(dot) = Rect::from_xywh(x as f32 + 18.0, y as f32 + 14.0, 3.0, 3.0) {
                    self.0.fill_rect(dot, &ink, Transform::identity(), None);
                }
            }
        }
    }

    fn brackets(&mut self) {
        let (left, top, right, bottom, length) = (36.0, 36.0, 1164.0, 594.0, 40.0);
        let mut path = PathBuilder::new();
        for (x, y, dx, dy) in [
            (left, top, length, length),
            (right, top, -length, length),
            (left, bottom, length, -length),
            (right, bottom, -length, -length),
        ] {
            path.move_to(x + dx, y);
            path.line_to(x, y);
            path.line_to(x, y + dy);
        }
        if let Some(path) = path.finish() {
            self.stroke(&path, 4.0, &paint(OWN, 255));
        }
    }

    /// A curve of shares across the lower right.
    fn curve(&mut self, shares: &[f64], rgb: [u8; 3]) {
        let (left, right, top, bottom) = (560.0_f32, 1128.0_f32, 330.0_f32, 560.0_f32);
        if shares.len() < 2 {
            return;
        }
        let step = (right - left) / (shares.len() - 1) as f32;
        let mut line = PathBuilder::new();
        let mut area = PathBuilder::new();
        area.move_to(left, bottom);
        for (index, share) in shares.iter().enumerate() {
            let (x, y) =
                (left + step * index as f32, bottom - (bottom - top) * (*share as f32).clamp(0.0, 1.0));
            if index == 0 {
                line.move_to(x, y);
            } else {
                line.line_to(x, y);
            }
            area.line_to(x, y);
        }
        area.line_to(right, bottom);
        area.close();
        if let Some(area) = area.finish() {
            self.0.fill_path(&area, &paint(rgb, 24), FillRule::Winding, Transform::identity(), None);
        }
        if let Some(line) = line.finish() {
            self.stroke(&line, 5.0, &paint(rgb, 255));
        }
    }

    /// A text with its top left corner here, `size` high; smaller where it would be wider than `most`.
    fn text(&mut self, text: &str, x: f32, y: f32, size: f32, most: f32, rgb: [u8; 3]) {
        let strokes = Strokes::of(text);
        if strokes.lines.is_empty() {
            return;
        }
        let scale = (size / LETTER).min(most / strokes.width.max(1.0));
        let mut path = PathBuilder::new();
        for line in &strokes.lines {
            for (index, (px, py)) in line.iter().enumerate() {
                let (px, py) = (x + px * scale, y + py * scale);
                if index == 0 {
                    path.move_to(px, py);
                } else {
                    path.line_to(px, py);
                }
            }
            if is_closed(line) {
                path.close();
            }
        }
        if let Some(path) = path.finish() {
            self.stroke(&path, (scale * 0.85).max(2.0), &paint(rgb, 255));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_gives_an_image_of_the_right_size() {
        for pilot in ["Ada", "", "漢字 \u{1F600}", &"W".repeat(400)] {
            let bytes = png(&Preview::plain("ongrid-8", pilot, -5)).unwrap();
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
            let size = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            assert_eq!((size(16), size(20)), (WIDTH, HEIGHT));
        }
    }
}

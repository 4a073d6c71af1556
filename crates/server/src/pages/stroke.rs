//! A typeface of strokes, for headings and preview images: no font file, the same on every machine.
//!
//! Letters are lines on a grid of 4 by 6, corners cut. Capitals, digits and some signs; other letters are written by the
//! capital they fold to.

use std::fmt::Write;

use unicode_normalization::UnicodeNormalization;

/// Height of a capital, in units of the grid.
pub const HEIGHT: f32 = 6.0;
/// Blank between two letters.
const GAP: f32 = 1.7;
/// Width of a blank.
const BLANK: f32 = 2.4;

/// A line of text as strokes, each a list of points; x from 0, y from 0 (top) to [`HEIGHT`].
#[derive(Debug, Default)]
pub struct Strokes {
    /// The strokes.
    pub lines: Vec<Vec<(f32, f32)>>,
    /// How wide they are.
    pub width: f32,
}

impl Strokes {
    /// The strokes of a text.
    pub fn of(text: &str) -> Self {
        let mut strokes = Self::default();
        let mut x = 0.0;
        for letter in fold(text) {
            if letter == ' ' {
                x += BLANK;
                continue;
            }
            let mut widest = 0.0_f32;
            for line in glyph(letter).split(';') {
                let points = line.split(' ').filter_map(point);
                let line: Vec<(f32, f32)> = points.map(|(px, py)| (x + px, py)).collect();
                widest = line.iter().fold(widest, |widest, (px, _)| widest.max(px - x));
                strokes.lines.push(line);
            }
            x += widest + GAP;
        }
        strokes.width = (x - GAP).max(0.0);
        strokes
    }

    /// The strokes as the data of an SVG path.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for line in &self.lines {
            for (index, (x, y)) in line.iter().enumerate() {
                let _ = write!(path, "{}{} {}", if index == 0 { 'M' } else { 'L' }, round(*x), round(*y));
            }
            if is_closed(line) {
                path.push('Z');
            }
        }
        path
    }
}

/// Whether a stroke ends where it began.
pub fn is_closed(line: &[(f32, f32)]) -> bool {
    line.len() > 2 && line.first() == line.last()
}

/// A heading drawn with strokes, for people who see; the text itself is its label for those who hear.
pub fn svg(text: &str) -> String {
    let strokes = Strokes::of(text);
    let mut label = String::new();
    for letter in text.chars() {
        match letter {
            '&' => label.push_str("&amp;"),
            '<' => label.push_str("&lt;"),
            '>' => label.push_str("&gt;"),
            '"' => label.push_str("&quot;"),
            other => label.push(other),
        }
    }
    format!(
        "<svg class=\"stroke\" viewBox=\"-0.5 -0.5 {} {}\" role=\"img\" aria-label=\"{label}\"><path d=\"{}\"/></svg>",
        round(strokes.width + 1.0),
        HEIGHT + 1.0,
        strokes.path()
    )
}

fn round(value: f32) -> f32 {
    (value * 10.0).round() / 10.0
}

fn point(text: &str) -> Option<(f32, f32)> {
    let [x, y] = text.as_bytes() else { return None };
    Some((f32::from(x.checked_sub(b'0')?), f32::from(y.checked_sub(b'0')?)))
}

/// Letters as this typeface has them: capitals, their accents taken off.
fn fold(text: &str) -> impl Iterator<Item = char> + '_ {
    let marks = |letter: &char| !matches!(u32::from(*letter), 0x300..=0x36F);
    text.nfkd().filter(marks).flat_map(char::to_uppercase).map(|letter| match letter {
        'Ø' => 'O',
        'Đ' => 'D',
        'Ł' => 'L',
        '\u{2019}' | '\u{2018}' => '\'',
        '\u{2013}' | '\u{2014}' | '\u{2212}' => '-',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    })
}

/// The strokes of a letter: points of two digits, x and y; strokes parted by semicolons.
fn glyph(letter: char) -> &'static str {
    match letter {
        'A' => "06 01 10 30 41 46;03 43",
        'B' => "00 30 41 42 33 03;33 44 45 36 06 00",
        'C' => "41 30 10 01 05 16 36 45",
        'D' => "00 30 41 45 36 06 00",
        'E' => "40 00 06 46;03 33",
        'F' => "40 00 06;03 33",
        'G' => "41 30 10 01 05 16 36 45 43 23",
        'H' => "00 06;40 46;03 43",
        'I' => "00 06",
        'J' => "40 45 36 16 05",
        'K' => "00 06;40 13 46;03 13",
        'L' => "00 06 46",
        'M' => "06 00 23 40 46",
        'N' => "06 00 46 40",
        'O' | '0' => "10 30 41 45 36 16 05 01 10",
        'P' => "06 00 30 41 42 33 03",
        'Q' => "10 30 41 45 36 16 05 01 10;24 46",
        'R' => "06 00 30 41 42 33 03;33 46",
        'S' => "41 30 10 01 02 13 33 44 45 36 16 05",
        'T' => "00 40;20 26",
        'U' => "00 05 16 36 45 40",
        'V' => "00 03 26 43 40",
        'W' => "00 06 23 46 40",
        'X' => "00 46;40 06",
        'Y' => "00 23 40;23 26",
        'Z' => "00 40 06 46",
        '1' => "01 10 16",
        '2' => "01 10 30 41 42 06 46",
        '3' => "01 10 30 41 42 33 13;33 44 45 36 16 05",
        '4' => "36 30 04 44",
        '5' => "40 00 03 33 44 45 36 16 05",
        '6' => "41 30 10 01 05 16 36 45 44 33 03",
        '7' => "00 40 41 16",
        '8' => "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
        '9' => "05 16 36 45 41 30 10 01 02 13 43",
        '.' => "05 06",
        ',' => "15 07",
        ':' => "02 03;05 06",
        ';' => "12 13;15 07",
        '-' => "03 33",
        '_' => "06 46",
        '+' => "13 53;31 35",
        '/' => "06 40",
        '\\' => "00 46",
        '%' => "06 40;00 11;35 46",
        '(' => "10 01 05 16",
        ')' => "00 11 15 06",
        '[' => "10 00 06 16",
        ']' => "00 10 16 06",
        '\'' => "00 01",
        '"' => "00 01;20 21",
        '!' => "00 03;05 06",
        '?' => "01 10 30 41 42 23 24;25 26",
        '#' => "10 16;30 36;02 42;04 44",
        '=' => "02 42;04 44",
        '*' => "11 33;31 13",
        '·' => "03 13",
        _ => "00 40 46 06 00",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_strokes_on_the_grid() {
        for letter in ('A'..='Z').chain('0'..='9').chain(".,:;-_+/\\%()[]'\"!?#=*·".chars()) {
            let strokes = Strokes::of(&letter.to_string());
            assert!(!strokes.lines.is_empty() && strokes.width <= 5.0, "{letter}");
            for line in &strokes.lines {
                assert!(line.len() >= 2, "{letter}");
                assert!(
                    line.iter().all(|(x, y)| (0.0..=5.0).contains(x) && (0.0..=7.0).contains(y)),
                    "{letter}"
                );
            }
        }
    }

    #[test]
    fn accents_fold_and_what_is_strange_is_a_box() {
        assert_eq!(Strokes::of("zoë").path(), Strokes::of("ZOE").path());
        assert_eq!(Strokes::of("漢").path(), Strokes::of("\u{1F600}").path());
        assert!(svg("<a&\"b>").contains("aria-label=\"&lt;a&amp;&quot;b&gt;\""));
        assert_eq!(Strokes::of("").width, 0.0);
    }
}

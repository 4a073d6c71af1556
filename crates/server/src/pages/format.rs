//! Figures and instants as people read them.

use std::time::Duration;

use ongrid_store::Micros;

/// A whole number with its thousands parted: `12,345`.
pub fn whole(value: f64) -> String {
    let rounded = value.round();
    grouped(format!("{:.0}", if rounded == 0.0 { 0.0 } else { rounded }))
}

/// One decimal: `1,234.5`.
pub fn one(value: f64) -> String {
    grouped(format!("{value:.1}"))
}

/// Figures of formulas: as many decimals as tell them apart, at most six.
pub fn exact(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    grouped(if text.is_empty() || text == "-0" { "0".to_owned() } else { text.to_owned() })
}

/// A share as percent without decimals; a share that is not nothing is never shown as 0 %.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value > 0.0 && value < 0.5 { "<1 %".to_owned() } else { format!("{:.0} %", value.abs()) }
}

fn grouped(text: String) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", &text[..]), |digits| ("-", digits));
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// An instant to the minute, UTC: `2026-12-01 17:05`.
pub fn minute(at: Micros) -> String {
    at.timestamp().strftime("%Y-%m-%d %H:%M").to_string()
}

/// An instant to the second, for `<time datetime>`.
pub fn machine(at: Micros) -> String {
    at.timestamp().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A span as the two greatest units say it: `3 h 5 min`, `12 s`, `240 ms`.
pub fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) if seconds == 0 => format!("{} ms", span.as_millis()),
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// A code as words: `guidance_disruptor`, `guidance-disruptor` → `guidance disruptor`.
pub fn words(code: &str) -> String {
    code.replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        for (value, text) in
            [(0.0, "0"), (-0.2, "0"), (999.5, "1,000"), (1234567.4, "1,234,567"), (-1234.0, "-1,234")]
        {
            assert_eq!(whole(value), text);
        }
        assert_eq!(
            [one(1234.56), exact(0.25), exact(1.0), exact(0.869119981), exact(-0.0)],
            ["1,234.6", "0.25", "1", "0.86912", "0"]
        );
        assert_eq!([whole(f64::NAN), one(f64::INFINITY)], ["NaN", "inf"]);
        assert_eq!(
            [percent(0.0), percent(0.001), percent(0.666), percent(1.0)],
            ["0 %", "<1 %", "67 %", "100 %"]
        );
    }

    #[test]
    fn spans() {
        for (millis, text) in [
            (240, "240 ms"),
            (12_000, "12 s"),
            (65_000, "1 min 5 s"),
            (11_100_000, "3 h 5 min"),
            (90_000_000, "1 d 1 h"),
        ] {
            assert_eq!(span(Duration::from_millis(millis)), text);
        }
    }
}

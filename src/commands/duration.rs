//! Durations as kubectl's flags accept them: `0`, `30`, `1s`, `2m`, `1m30s`; and days and weeks: `1d12h`, `2w`.

use std::time::Duration;

/// Days and weeks are ours; the others are Go's.
const UNITS: &[(&str, f64)] = &[
    ("w", 604_800.0),
    ("d", 86_400.0),
    ("h", 3600.0),
    ("m", 60.0),
    ("s", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ns", 1e-9),
];

const SHAPE: &str =
    "must be a number of seconds, or numbers with units (e.g. 30s, 1m30s, 2h, 3d, 1w); 0 means no limit";

/// The value of a flag; `None` is no limit. A type of its own, because clap treats an `Option` as an optional flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit(pub(super) Option<Duration>);

/// Parses a limit. A number without a unit is seconds, and zero is no limit.
pub(super) fn parse_limit(text: &str) -> Result<Limit, String> {
    let seconds = match text.parse::<u32>() {
        Ok(seconds) => f64::from(seconds),
        Err(_) => sum(text).ok_or(SHAPE)?,
    };
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| SHAPE)?;
    Ok(Limit((!duration.is_zero()).then_some(duration)))
}

/// Parses `1h2m3.5s` to seconds; `None` if it is not of that form.
fn sum(mut text: &str) -> Option<f64> {
    let mut total = 0.0;
    loop {
        let number = text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let unit = text[number..]
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .map_or(text.len(), |end| number + end);
        let (_, scale) = UNITS.iter().find(|(name, _)| *name == &text[number..unit])?;
        total += text[..number].parse::<f64>().ok()? * scale;
        if unit == text.len() {
            return Some(total);
        }
        text = &text[unit..];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_what_kubectl_reads_and_days() {
        for (text, milliseconds) in [
            ("5", 5_000),
            ("1s", 1_000),
            ("2m", 120_000),
            ("1m30s", 90_000),
            ("1h", 3_600_000),
            ("1.5s", 1_500),
            ("250ms", 250),
            ("3d", 259_200_000),
            ("1d12h", 129_600_000),
            ("1w", 604_800_000),
        ] {
            assert_eq!(parse_limit(text), Ok(Limit(Some(Duration::from_millis(milliseconds)))), "{text}");
        }
        for none in ["0", "0s", "0m0s"] {
            assert_eq!(parse_limit(none), Ok(Limit(None)), "{none}");
        }
        for wrong in
            ["", "s", "-1", "-1s", "5x", "1s2", "1 s", "1..5s", "٣s", "1e3s", "99999999999999999999h"]
        {
            assert_eq!(parse_limit(wrong), Err(SHAPE.to_owned()), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9.wdhmsnuµ -]*|.*") {
            drop(parse_limit(&text));
        }
    }
}

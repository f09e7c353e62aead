//! Human-readable numbers.

use std::time::Duration;

const MEGA: f64 = 1_000_000.0;

/// `153 ms`, `2.31 s`; below ten milliseconds with one decimal.
pub(crate) fn time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

/// `19.0 MB`, of a million bytes each.
pub(crate) fn megabytes(bytes: f64) -> String {
    format!("{:.1} MB", bytes / MEGA)
}

/// `12.4x`.
pub(crate) fn times(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}x") } else { format!("{ratio:.1}x") }
}

/// For ratios; no figure here is anywhere near 2^53.
#[expect(clippy::cast_precision_loss, reason = "bytes and counts far below 2^53")]
pub(crate) fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_end_where_noise_begins() {
        let spelled = [4_321, 153_400, 2_314_000].map(|micros| time(Duration::from_micros(micros)));
        assert_eq!(spelled, ["4.3 ms", "153 ms", "2.31 s"]);
        assert_eq!(megabytes(19_040_000.0), "19.0 MB");
        assert_eq!((times(1.234), times(12.34)), ("1.23x".to_owned(), "12.3x".to_owned()));
    }
}

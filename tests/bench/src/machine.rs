//! The load of the machine: figures taken while a compiler runs are not worth recording.

use std::num::NonZero;
use std::thread::available_parallelism;

/// One line about cores and load, for the head of the report.
pub(crate) fn line() -> String {
    let cores = available_parallelism().map_or(1, NonZero::get);
    describe(cores, &std::fs::read_to_string("/proc/loadavg").unwrap_or_default())
}

/// `loadavg` as the kernel writes it: the load of the last one, five and fifteen minutes, and more.
fn describe(cores: usize, loadavg: &str) -> String {
    let load: Option<f64> = loadavg.split_whitespace().next().and_then(|word| word.parse().ok());
    match load {
        Some(load) if load >= 1.0 => {
            format!("{cores} cores, load {load:.1} before the start: busy with something else\n")
        }
        Some(load) => format!("{cores} cores, load {load:.1} before the start\n"),
        None => format!("{cores} cores\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_called_so() {
        assert_eq!(describe(2, "0.42 3.00 3.00 1/200 77\n"), "2 cores, load 0.4 before the start\n");
        assert!(describe(2, "4.90 3.00 3.00 1/200 77\n").ends_with("busy with something else\n"));
        assert_eq!(describe(8, ""), "8 cores\n");
    }
}

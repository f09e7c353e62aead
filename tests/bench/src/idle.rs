//! Waits until the control plane is idle: a server that is still busy after one run, or after objects were created,
//! would slow down the next run.

use std::time::{Duration, Instant};

use lab::Lab;

/// The kernel counts processor time in hundredths of a second, on every machine that Linux runs on.
const TICK: Duration = Duration::from_millis(10);
/// How long the control plane is observed at a time.
const LOOK: Duration = Duration::from_millis(200);
/// Using less than this share of one core is idle: leases and heartbeats never stop.
const SHARE: u32 = 4;

/// Waits until the control plane is idle, at most this long.
pub(crate) async fn wait_until_idle(lab: &Lab, bound: Duration) {
    let pids = lab.processes().unwrap_or_default();
    let deadline = Instant::now() + bound;
    while Instant::now() < deadline {
        let before = busy(&pids);
        tokio::time::sleep(LOOK).await;
        if busy(&pids).saturating_sub(before) < LOOK / SHARE {
            return;
        }
    }
}

/// Processor time that these processes have used so far.
fn busy(pids: &[u32]) -> Duration {
    let of = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    let ticks: u32 = pids.iter().filter_map(of).filter_map(|stat| ticks(&stat)).sum();
    TICK * ticks
}

/// User and system time in a line of `/proc/PID/stat`. The name comes second, in brackets, and may have any
/// character in it, spaces and brackets too; the times are fields 14 and 15.
fn ticks(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u32 = fields.next()?.parse().ok()?;
    let system: u32 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_behind_any_name() {
        let stat = "42 (a ) b) S 1 42 42 0 -1 4194560 100 0 0 0 700 33 0 0 20 0 1 0 100 0 0";
        assert_eq!(ticks(stat), Some(733));
        assert_eq!(ticks("42 (short) S 1"), None);
    }

    #[test]
    fn this_process_has_been_busy_or_not_but_is_readable() {
        assert!(busy(&[std::process::id()]) < Duration::from_secs(3600));
        assert_eq!(busy(&[u32::MAX]), Duration::ZERO);
    }
}

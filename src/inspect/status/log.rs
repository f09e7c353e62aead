//! The last lines that a crashed container wrote.

use std::fmt::Write as _;

use serde::Serialize;

use crate::inspect::evaluation::Cause;
use crate::known::server_messages;
use crate::model::gap::Reason;
use crate::model::ident::ObjectName;
use crate::model::log::{ContainerRun, LogError, LogReading, LogRequest, LogTail};
use crate::model::snapshot::Snapshot;

/// Longer lines are shortened.
const MAX_LINE_CHARS: usize = 1000;

/// The end of a container's log in its JSON form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogReport {
    pub object: ObjectName,
    pub container: String,
    /// Whether it is the log of the run before the current one.
    pub previous: bool,
    #[serde(flatten)]
    pub content: LogContent,
}

/// The lines, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogContent {
    Lines {
        /// The newest last.
        lines: Vec<String>,
        /// Whether a line was shortened, or the end of the log is missing.
        truncated: bool,
        /// Whether bytes that are not text were replaced by `\xNN`.
        #[serde(skip)]
        binary: bool,
    },
    Missing {
        error: String,
    },
}

/// The log that shows why the cause crashed, if a container did.
pub(super) fn request(cause: Option<&Cause>, lines: usize) -> Option<LogRequest> {
    let cause = cause.filter(|_| lines > 0)?;
    let container = cause.crashed_container.clone()?;
    Some(LogRequest { pod: cause.object.clone(), container, lines })
}

/// The requested log as it was read; `None` if it was not read.
pub(super) fn report(request: LogRequest, snapshot: &Snapshot) -> Option<LogReport> {
    let reading = snapshot.log.as_ref().filter(|reading| reading.request == request)?;
    let LogReading { result, .. } = reading;
    let content = match result {
        Ok(tail) => content(tail, request.lines),
        Err(error) => LogContent::Missing { error: reason(error) },
    };
    let LogRequest { pod, container, .. } = request;
    let previous = container.run == ContainerRun::Previous;
    Some(LogReport { object: pod, container: container.name, previous, content })
}

fn content(tail: &LogTail, count: usize) -> LogContent {
    let bytes = tail.bytes.strip_suffix(b"\n").unwrap_or(&tail.bytes);
    if bytes.is_empty() {
        return LogContent::Missing { error: "empty".to_owned() };
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && server_messages::is_missing_log(text)
    {
        return LogContent::Missing { error: no_longer_available(text) };
    }
    let all: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let lines: Vec<Line> = all[all.len().saturating_sub(count)..].iter().map(|line| Line::of(line)).collect();
    LogContent::Lines {
        truncated: tail.is_cut || lines.iter().any(|line| line.is_shortened),
        binary: lines.iter().any(|line| line.is_binary),
        lines: lines.into_iter().map(|line| line.text).collect(),
    }
}

/// One line of a log.
struct Line {
    text: String,
    is_shortened: bool,
    is_binary: bool,
}

impl Line {
    fn of(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let (mut text, mut is_binary) = (String::new(), false);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for byte in chunk.invalid() {
                is_binary = true;
                // Writing to a String does not fail.
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        let end = text.char_indices().nth(MAX_LINE_CHARS).map(|(end, _)| end);
        if let Some(end) = end {
            let rest = text.split_off(end).chars().count();
            let _ = write!(text, "… ({rest} more characters)");
        }
        Self { text, is_shortened: end.is_some(), is_binary }
    }
}

/// Why a log could not be read, in the words of the server where they say more.
fn reason(error: &LogError) -> String {
    let LogError { reason, message } = error;
    match reason {
        Reason::Forbidden => "forbidden (needs get on pods/log)".to_owned(),
        _ if server_messages::is_missing_log(message) => no_longer_available(message),
        // The kubelet rejects a request for a run that it no longer knows.
        Reason::Failed | Reason::NotFound | Reason::Unreadable if !message.is_empty() => message.clone(),
        _ => reason.to_string(),
    }
}

fn no_longer_available(message: &str) -> String {
    format!("no longer available: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], is_cut: bool, count: usize) -> LogContent {
        content(&LogTail { bytes: bytes.to_vec(), is_cut }, count)
    }

    fn lines(lines: &[&str], truncated: bool, binary: bool) -> LogContent {
        LogContent::Lines { lines: lines.iter().map(|line| (*line).to_owned()).collect(), truncated, binary }
    }

    #[test]
    fn only_the_last_lines_are_reported() {
        assert_eq!(read(b"a\nb\nc\n", false, 2), lines(&["b", "c"], false, false));
        assert_eq!(read(b"a\r\n\n\tb", false, 5), lines(&["a", "", "\tb"], false, false));
        assert_eq!(read(b"a\n", true, 5), lines(&["a"], true, false));
        assert_eq!(read(b"", false, 5), LogContent::Missing { error: "empty".to_owned() });
        assert_eq!(read(b"\n", false, 5), LogContent::Missing { error: "empty".to_owned() });
    }

    #[test]
    fn binary_bytes_are_escaped_and_an_endless_line_is_shortened() {
        assert_eq!(read(b"\xff\xfe\0ok", false, 5), lines(&["\\xff\\xfe\0ok"], false, true));
        let LogContent::Lines { lines, truncated: true, binary: false } =
            read("ü".repeat(5000).as_bytes(), false, 5)
        else {
            panic!("it is not shortened")
        };
        assert_eq!(lines[0].strip_prefix(&"ü".repeat(MAX_LINE_CHARS)), Some("… (4000 more characters)"));
    }

    #[test]
    fn the_kubelets_message_is_no_log() {
        let LogContent::Missing { error } = read(b"unable to retrieve container logs for x://1", false, 5)
        else {
            panic!("it is taken for a log")
        };
        assert_eq!(error, "no longer available: unable to retrieve container logs for x://1");
    }

    #[test]
    fn a_reason_is_the_servers_message_where_that_says_more() {
        let told = |reason, message: &str| super::reason(&LogError { reason, message: message.to_owned() });
        assert_eq!(told(Reason::Forbidden, "pods is forbidden: x"), "forbidden (needs get on pods/log)");
        let rejected = "previous terminated container \"app\" in pod \"shop-0\" not found";
        assert_eq!(told(Reason::Failed, rejected), rejected);
        let rotated = "failed to try resolving symlinks in path \"/var/log/pods/x\"";
        assert_eq!(told(Reason::Failed, rotated), format!("no longer available: {rotated}"));
        assert_eq!(told(Reason::Timeout, "no response within 10s"), "timed out");
        assert_eq!(told(Reason::NotInDump, ""), "not in the dump");
    }
}

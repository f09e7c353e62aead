//! The logs of containers that a dump contains: files of must-gather and of `kubectl cluster-info dump`, and what the
//! test lab captures. Only the end of a log is read.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::PathBuf;

use super::Dump;
use super::compressed_store::{CompressedStore, StoredRange};
use super::index::DumpIndex;
use crate::error::io_reason;
use crate::model::gap::Reason;
use crate::model::log::{ContainerRun, LogError, LogRequest, LogTail};

/// How much of a log in an archive is kept in memory.
const MAX_KEPT_BYTES: usize = 32 << 10;
/// How many logs of archives are kept in memory.
const MAX_KEPT_LOGS: usize = 4096;

/// Which log a file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LogName {
    pub(super) namespace: String,
    pub(super) pod: String,
    /// Absent if the file has a section for each container.
    pub(super) container: Option<String>,
    pub(super) run: ContainerRun,
}

impl LogName {
    /// Parses a path relative to the dump, with `/` as separator; `None` if it is not that of a log.
    pub(super) fn parse(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let name = |namespace: &str, pod: &str, container: Option<&str>, run| Self {
            namespace: namespace.to_owned(),
            pod: pod.to_owned(),
            container: container.map(str::to_owned),
            run,
        };
        match parts.as_slice() {
            // must-gather, as `oc adm inspect` writes it.
            [.., "namespaces", namespace, "pods", pod, container, inner, "logs", file]
                if container == inner =>
            {
                let run = match *file {
                    "current.log" => ContainerRun::Current,
                    "previous.log" => ContainerRun::Previous,
                    _ => return None,
                };
                Some(name(namespace, pod, Some(container), run))
            }
            [.., namespace, pod, "logs.txt"] => Some(name(namespace, pod, None, ContainerRun::Current)),
            _ => None,
        }
    }
}

/// One log of the dump.
#[derive(Debug)]
pub(super) struct DumpLog {
    pub(super) name: LogName,
    pub(super) text: LogText,
}

/// Where the text of a log is.
#[derive(Debug)]
pub(super) enum LogText {
    File(PathBuf),
    Memory {
        range: StoredRange,
        /// Whether its beginning was dropped.
        is_cut: bool,
    },
}

/// Keeps the end of a log that can be read only once.
pub(super) fn keep(input: &mut dyn Read, name: LogName, index: &mut DumpIndex) -> io::Result<()> {
    let is_kept = |log: &&DumpLog| matches!(log.text, LogText::Memory { .. });
    if index.logs.iter().filter(is_kept).count() >= MAX_KEPT_LOGS {
        return Ok(());
    }
    let LogTail { bytes, is_cut } = read_tail(input, MAX_KEPT_BYTES)?;
    let range = index.store.add(&bytes);
    index.logs.push(DumpLog { name, text: LogText::Memory { range, is_cut } });
    Ok(())
}

impl Dump {
    /// The end of a log.
    pub fn log(&self, request: &LogRequest) -> Result<LogTail, LogError> {
        let (pod, container) = (&request.pod, &request.container);
        let mut found: Vec<&DumpLog> = self
            .logs
            .iter()
            .filter(|log| {
                log.name.pod == pod.name
                    && Some(&log.name.namespace) == pod.namespace.as_ref()
                    && log.name.container.as_ref().is_none_or(|name| *name == container.name)
                    // While a container waits to be restarted, its current log is that of the run that ended.
                    && (log.name.run == container.run || container.run == ContainerRun::Previous)
            })
            .collect();
        found.sort_by_key(|log| (log.name.run != container.run, log.name.container.is_none()));
        let mut empty = None;
        for log in found {
            let tail = log.read(&self.store, request)?;
            if !tail.bytes.trim_ascii().is_empty() {
                return Ok(tail);
            }
            empty = Some(tail);
        }
        empty.ok_or_else(|| LogError { reason: Reason::NotInDump, message: String::new() })
    }
}

impl DumpLog {
    fn read(&self, store: &CompressedStore, request: &LogRequest) -> Result<LogTail, LogError> {
        let unreadable = |message: String| LogError { reason: Reason::Unreadable, message };
        let tail = match &self.text {
            LogText::File(path) => {
                read_end(path, request.max_bytes()).map_err(|error| unreadable(io_reason(&error)))?
            }
            LogText::Memory { range, is_cut } => {
                let bytes = store.get(range).ok_or_else(|| unreadable("it is not in memory".to_owned()))?;
                LogTail { bytes, is_cut: *is_cut }
            }
        };
        let LogTail { bytes, is_cut } = tail;
        let bytes = if self.name.container.is_none() { section(&bytes, request) } else { bytes };
        // That the beginning is missing matters only if it was asked for.
        let is_cut = is_cut && bytes.split(|byte| *byte == b'\n').count() <= request.lines;
        Ok(LogTail { bytes, is_cut })
    }
}

/// The log of one container in a file of `kubectl cluster-info dump`; empty if it has none.
fn section(text: &[u8], request: &LogRequest) -> Vec<u8> {
    let namespace = request.pod.namespace.as_deref().unwrap_or_default();
    let marker = |word: &str| {
        let (container, pod) = (&request.container.name, &request.pod.name);
        format!("==== {word} logs for container {container} of pod {namespace}/{pod} ====").into_bytes()
    };
    let find = |text: &[u8], marker: &[u8]| text.windows(marker.len()).rposition(|window| window == marker);
    let (start_marker, end_marker) = (marker("START"), marker("END"));
    let start = find(text, &start_marker).map(|at| at + start_marker.len());
    let end = find(text, &end_marker);
    let log = match (start, end) {
        (Some(start), Some(end)) => text.get(start..end).unwrap_or_default(),
        (Some(start), None) => &text[start..],
        // The beginning of the file was not read.
        (None, Some(end)) => &text[..end],
        (None, None) => &[],
    };
    log.strip_prefix(b"\n").unwrap_or(log).to_vec()
}

/// The last bytes of a file.
fn read_end(path: &PathBuf, max_bytes: usize) -> io::Result<LogTail> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(max_bytes as u64);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(max_bytes as u64).read_to_end(&mut bytes)?;
    Ok(LogTail { bytes, is_cut: start > 0 })
}

/// The last bytes of a stream.
fn read_tail(input: &mut dyn Read, max_bytes: usize) -> io::Result<LogTail> {
    let (mut bytes, mut is_cut) = (Vec::new(), false);
    while input.take(max_bytes as u64).read_to_end(&mut bytes)? > 0 {
        let surplus = bytes.len().saturating_sub(max_bytes);
        is_cut |= surplus > 0;
        bytes.drain(..surplus);
    }
    Ok(LogTail { bytes, is_cut })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ident::ObjectName;
    use crate::model::log::CrashedContainer;

    fn request(container: &str) -> LogRequest {
        LogRequest {
            pod: ObjectName {
                api_version: "v1".into(),
                kind: "Pod".into(),
                namespace: Some("shop".into()),
                name: "web-0".into(),
            },
            container: CrashedContainer { name: container.into(), run: ContainerRun::Previous, restarts: 1 },
            lines: 5,
        }
    }

    #[test]
    fn the_path_of_a_log_says_whose_it_is() {
        let shown = |path| {
            LogName::parse(path).map(|LogName { namespace, pod, container, run }| {
                format!("{namespace}/{pod} {} {run:?}", container.unwrap_or_default())
            })
        };
        for (path, expected) in [
            ("x/namespaces/shop/pods/web-0/app/app/logs/previous.log", Some("shop/web-0 app Previous")),
            ("namespaces/shop/pods/web-0/app/app/logs/current.log", Some("shop/web-0 app Current")),
            ("namespaces/shop/pods/web-0/app/app/logs/previous.insecure.log", None),
            ("namespaces/shop/pods/web-0/app/other/logs/current.log", None),
            ("dump/shop/web-0/logs.txt", Some("shop/web-0  Current")),
            ("web-0/logs.txt", None),
            ("shop/web-0/notes.txt", None),
            ("", None),
        ] {
            assert_eq!(shown(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_container_has_its_own_section() {
        let text = b"==== START logs for container init of pod shop/web-0 ====\nready\n\
            ==== END logs for container init of pod shop/web-0 ====\n\
            ==== START logs for container app of pod shop/web-0 ====\nboom\n\
            ==== END logs for container app of pod shop/web-0 ====\n";
        assert_eq!(section(text, &request("app")), b"boom\n");
        assert_eq!(section(text, &request("init")), b"ready\n");
        assert_eq!(section(text, &request("other")), b"");
        assert_eq!(section(&text[59..], &request("init")), b"eady\n");
    }

    #[test]
    fn only_the_end_of_a_stream_is_kept() {
        let tail = |text: &[u8], max| read_tail(&mut &*text, max).unwrap();
        assert_eq!(tail(b"123456789", 4), LogTail { bytes: b"6789".to_vec(), is_cut: true });
        assert_eq!(tail(b"123", 4), LogTail { bytes: b"123".to_vec(), is_cut: false });
        assert_eq!(tail(b"", 4), LogTail { bytes: Vec::new(), is_cut: false });
    }
}

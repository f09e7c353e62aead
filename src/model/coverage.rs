//! What was read: part of every report, and the source of its footer and exit code.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::gap::Gap;

/// What was requested, which parts could not be read, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The number of kinds that were listed.
    pub kinds: usize,
    pub scope: Scope,
    /// What could not be read, sorted.
    pub gaps: Vec<Gap>,
    /// The server's time, or the newest time in a dump.
    pub now: Timestamp,
}

/// Where objects were listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Namespaced kinds, in one namespace.
    Namespace(String),
    /// All kinds, in all namespaces.
    #[default]
    Cluster,
}

impl Scope {
    /// The namespace; `None` for the whole cluster.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Self::Namespace(namespace) => Some(namespace),
            Self::Cluster => None,
        }
    }
}

impl Coverage {
    /// Whether everything was read.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Adds gaps, and keeps them sorted and unique.
    pub fn add_gaps(&mut self, gaps: impl IntoIterator<Item = Gap>) {
        self.gaps.extend(gaps);
        self.gaps.sort();
        self.gaps.dedup();
    }
}

/// The fields in the JSON form of a report.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CoverageJson<'a> {
    complete: bool,
    gaps: &'a [Gap],
    kinds: usize,
    all_namespaces: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<&'a str>,
    now: Timestamp,
}

impl Serialize for Coverage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = CoverageJson {
            complete: self.is_complete(),
            gaps: &self.gaps,
            kinds: self.kinds,
            all_namespaces: self.scope == Scope::Cluster,
            namespace: self.scope.namespace(),
            now: self.now,
        };
        fields.serialize(serializer)
    }
}

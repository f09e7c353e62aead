//! How far a reading went: part of every report, and the only source of its footer and exit code.

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::gap::Gap;

/// What was asked for, what of that could not be read, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many kinds were asked for their objects.
    pub kinds: usize,
    pub scope: Scope,
    /// What could not be read, sorted.
    pub gaps: Vec<Gap>,
    /// The server's clock, or the newest time in a dump.
    pub now: Timestamp,
}

/// Where objects were looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Namespaced kinds, in one namespace.
    Namespace(String),
    /// All kinds, in all namespaces.
    #[default]
    Cluster,
}

impl Scope {
    /// The one namespace, if it is one.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Self::Namespace(namespace) => Some(namespace),
            Self::Cluster => None,
        }
    }
}

impl Coverage {
    /// Whether everything that was asked for was read.
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Adds gaps; they stay sorted, each once.
    pub fn add_gaps(&mut self, gaps: impl IntoIterator<Item = Gap>) {
        self.gaps.extend(gaps);
        self.gaps.sort();
        self.gaps.dedup();
    }
}

/// The fields that a report flattens.
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

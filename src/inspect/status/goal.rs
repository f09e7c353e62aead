//! What `--wait` waits for, and whether a resource has reached it.

use super::Resource;
use crate::model::health::Verdict;
use crate::model::rule::Rule;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The resource and everything below it are ready.
    Ready,
    /// Nothing is in progress any more, successful or not.
    Settled,
    /// The resource does not exist any more.
    Deleted,
}

impl Goal {
    /// Whether an existing resource has reached the goal.
    pub fn is_reached(self, resource: &Resource) -> bool {
        let verdict = resource.verdict;
        match self {
            Self::Ready => matches!(verdict, Verdict::Ready | Verdict::Suspended | Verdict::None),
            Self::Settled => !is_progressing(resource),
            Self::Deleted => false,
        }
    }
}

/// Whether the state is expected to change without intervention.
pub fn is_progressing(resource: &Resource) -> bool {
    match resource.verdict {
        Verdict::Progressing | Verdict::Terminating => true,
        // Its controller may not have written a status yet.
        Verdict::Unknown => resource.own.rule == Rule::NoStatus && resource.is_new,
        Verdict::NotReady => resource.own.in_progress,
        _ => false,
    }
}

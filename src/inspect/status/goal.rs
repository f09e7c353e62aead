//! What a person waits for, and whether a resource has got there.

use super::Resource;
use crate::model::health::Verdict;
use crate::model::rule::Rule;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The resource and everything below it is fine.
    Ready,
    /// Nothing moves any more, for better or worse.
    Settled,
    /// The resource is gone.
    Deleted,
}

/// How far a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    Reached,
    NotYet,
}

impl Goal {
    /// Whether a resource that is there has got there.
    pub fn arrival(self, resource: &Resource) -> Arrival {
        let verdict = resource.verdict;
        let reached = match self {
            Self::Ready => matches!(verdict, Verdict::Ready | Verdict::Suspended | Verdict::None),
            Self::Settled => !is_progressing(resource),
            Self::Deleted => false,
        };
        if reached { Arrival::Reached } else { Arrival::NotYet }
    }
}

/// Whether something can be expected to happen by itself.
pub fn is_progressing(resource: &Resource) -> bool {
    match resource.verdict {
        Verdict::Progressing | Verdict::Terminating => true,
        // Nobody has said a word yet, or a word about what was asked for before.
        Verdict::Unknown => resource.own.rule == Rule::NoStatus && resource.is_new,
        Verdict::NotReady => resource.own.in_progress,
        _ => false,
    }
}

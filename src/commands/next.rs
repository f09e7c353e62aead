//! The command on the `next:` line, ready to be pasted. Every report leads closer to an action and none leads back:
//!
//! | report                             | next, in a cluster                  | next, in a dump    |
//! |------------------------------------|-------------------------------------|--------------------|
//! | `tree`, not healthy or unknown     | `status`                            | `status`           |
//! | `tree`, healthy                    | `events`                            | `events`           |
//! | `status` of many                   | `status` of the worst               | the same           |
//! | `status`: a container crashed      | `kubectl logs`                      | `explain`          |
//! | `status`: a deletion is stuck      | `kubectl get`, for the finalizers   | `explain`          |
//! | `status`: an object below it       | `kubectl describe` that object      | `explain`          |
//! | `status`: the resource itself      | `kubectl describe`, or `events` if  | `explain`          |
//! |                                    | they were not shown                 |                    |
//! | `events` with a warning            | `kubectl logs`, `kubectl describe`  | `status` of its    |
//! |                                    |                                     | object             |
//! | anything else                      | none                                | none               |

use super::source_flags::{context_flags, source_flags};
use crate::inspect::evaluation::{Cause, is_unhealthy};
use crate::model::code::Code;
use crate::model::health::Verdict;
use crate::model::ident::{ObjectName, group_of};
use crate::model::log::ContainerRun;
use crate::source::{DumpInput, From, SourceSpec};
use crate::ui::Styles;
use crate::ui::quote::join_words;

/// A report, as far as the next command depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReportSummary<'a> {
    Tree {
        root: &'a ObjectName,
        verdict: Verdict,
    },
    /// Several trees, or the status of several resources.
    List {
        worst: &'a ObjectName,
        verdict: Verdict,
    },
    Status {
        resource: &'a ObjectName,
        verdict: Verdict,
        cause: Option<&'a Cause>,
        /// The code of a finding, if there is no cause.
        finding: Option<Code>,
        events: EventsShown,
    },
    Events {
        /// The object of the newest warning.
        warning: Option<&'a ObjectName>,
        /// Whether the warning is about a container that keeps crashing.
        is_restart: bool,
    },
}

/// Whether a report includes events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventsShown {
    Yes,
    No,
}

/// A command that shows more, or what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NextCommand<'a> {
    /// `kubectl op status`.
    Status(&'a ObjectName),
    /// `kubectl op events`.
    Events(&'a ObjectName),
    /// `kubectl op explain`.
    Explain(Code),
    /// `kubectl describe`.
    Describe(&'a ObjectName),
    /// `kubectl get`, for the finalizers.
    Finalizers(&'a ObjectName),
    /// `kubectl logs`; of all containers, if it is not known which of them crashed.
    Logs { pod: &'a ObjectName, container: Option<&'a str>, run: ContainerRun },
}

/// Where a report comes from: kubectl's own commands cannot read a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceKind {
    Cluster,
    Dump,
}

/// The command line after a report, for the same source as `spec`; `None` if nothing more is to be done.
pub(super) fn next(summary: ReportSummary<'_>, spec: &SourceSpec) -> Option<String> {
    let source = if spec.from.is_some() { SourceKind::Dump } else { SourceKind::Cluster };
    follow(summary, source).map(|next| command_line(&next, spec))
}

/// The `next:` line after a report, or nothing.
pub(super) fn line(summary: Option<ReportSummary<'_>>, spec: &SourceSpec, styles: &Styles) -> String {
    let next = summary.and_then(|summary| next(summary, spec));
    next.map_or_else(String::new, |next| format!("next: {}\n", styles.plain(&next)))
}

fn follow(summary: ReportSummary<'_>, source: SourceKind) -> Option<NextCommand<'_>> {
    match summary {
        ReportSummary::Tree { root, verdict } | ReportSummary::List { worst: root, verdict }
            if needs_status(verdict) =>
        {
            Some(NextCommand::Status(root))
        }
        ReportSummary::Tree { root, verdict: Verdict::Ready | Verdict::Suspended } => {
            Some(NextCommand::Events(root))
        }
        ReportSummary::Status { cause, finding, verdict, .. } if source == SourceKind::Dump => {
            let code = cause.map(|cause| cause.code).or(finding.filter(|_| needs_status(verdict)));
            code.map(NextCommand::Explain)
        }
        ReportSummary::Status { resource, cause: Some(cause), events, .. } => {
            Some(after_cause(resource, cause, events))
        }
        ReportSummary::Status { resource, verdict: Verdict::Unknown, .. } => {
            Some(NextCommand::Describe(resource))
        }
        ReportSummary::Tree { .. }
        | ReportSummary::List { .. }
        | ReportSummary::Status { .. }
        | ReportSummary::Events { warning: None, .. } => None,
        ReportSummary::Events { warning: Some(object), .. } if source == SourceKind::Dump => {
            Some(NextCommand::Status(object))
        }
        // Only the container that crashed has previous logs.
        ReportSummary::Events { warning: Some(pod), is_restart: true } => {
            Some(NextCommand::Logs { pod, container: None, run: ContainerRun::Previous })
        }
        ReportSummary::Events { warning: Some(object), .. } => Some(NextCommand::Describe(object)),
    }
}

fn needs_status(verdict: Verdict) -> bool {
    is_unhealthy(verdict) || verdict == Verdict::Unknown
}

/// The command about the cause of a problem in a cluster.
fn after_cause<'a>(resource: &'a ObjectName, cause: &'a Cause, events: EventsShown) -> NextCommand<'a> {
    match &cause.crashed_container {
        _ if cause.verdict == Verdict::Stuck => NextCommand::Finalizers(&cause.object),
        Some(container) => {
            NextCommand::Logs { pod: &cause.object, container: Some(&container.name), run: container.run }
        }
        None if cause.is_own && events == EventsShown::No => NextCommand::Events(resource),
        None => NextCommand::Describe(&cause.object),
    }
}

fn command_line(next: &NextCommand<'_>, spec: &SourceSpec) -> String {
    let own = |words: &[&str]| {
        let program = spec.target.program.split_whitespace();
        program.chain(words.iter().copied()).map(str::to_owned).collect::<Vec<_>>()
    };
    let kubectl = |words: &[&str]| {
        std::iter::once("kubectl").chain(words.iter().copied()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (object, mut words) = match next {
        NextCommand::Explain(code) => return join_words(&own(&["explain", code.as_str()])),
        NextCommand::Status(object) => (object, own(&["status", &type_and_name(object)])),
        NextCommand::Events(object) => (object, own(&["events", &type_and_name(object)])),
        NextCommand::Describe(object) => (object, kubectl(&["describe", &type_and_name(object)])),
        NextCommand::Finalizers(object) => {
            let finalizers = "jsonpath={.metadata.finalizers}";
            (object, kubectl(&["get", &type_and_name(object), "-o", finalizers]))
        }
        NextCommand::Logs { pod, container, run } => {
            let mut words = match container {
                Some(container) => kubectl(&["logs", &pod.name, "-c", container]),
                None => kubectl(&["logs", &pod.name, "--all-containers"]),
            };
            words.extend((*run == ContainerRun::Previous).then(|| "--previous".to_owned()));
            (pod, words)
        }
    };
    if let Some(namespace) = &object.namespace {
        words.extend(["-n".to_owned(), namespace.clone()]);
    }
    words.extend(if spec.from.is_some() { source_flags(spec) } else { context_flags(&spec.target) });
    // Standard input has to be piped in again.
    match &spec.from {
        Some(From::Dump(inputs)) if inputs.contains(&DumpInput::Stdin) => {
            format!("cat DUMP | {}", join_words(&words))
        }
        _ => join_words(&words),
    }
}

/// `website.webapp.example.com/shop`.
fn type_and_name(object: &ObjectName) -> String {
    let kind = object.kind.to_lowercase();
    match group_of(&object.api_version) {
        "" => format!("{kind}/{}", object.name),
        group => format!("{kind}.{group}/{}", object.name),
    }
}

#[cfg(test)]
mod tests;

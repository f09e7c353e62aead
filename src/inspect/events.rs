//! The report of `events`: the events about the objects of a tree, in time order.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::Inspected;
use super::graph::Index;
use super::members::{Member, Members};
use crate::model::coverage::Coverage;
use crate::model::event::{Event, Subjects};
use crate::model::fetch_plan::{FetchAttempts, FetchPlan, Inspection};
use crate::model::gap::Gap;
use crate::model::ident::{ObjectName, Uid};
use crate::model::now::{Now, Times};
use crate::model::plural::counted;
use crate::model::snapshot::Snapshot;

/// Which events are listed.
#[derive(Clone, Debug, Default)]
pub struct EventsOptions {
    /// Only events that were last seen within this time.
    pub since: Option<SignedDuration>,
    /// Only these types, compared without case; empty for all.
    pub types: Vec<String>,
    pub times: Times,
}

/// The report in its JSON form; skipped fields are for text output.
#[derive(Debug, Serialize)]
pub struct EventsReport {
    pub schema: &'static str,
    /// Sorted by time, the newest last.
    pub events: Vec<EventSummary>,
    /// A summary in one sentence.
    pub headline: String,
    /// The requested object, if it is one.
    pub object: Option<ObjectName>,
    #[serde(flatten)]
    pub coverage: Coverage,
    /// The number of objects whose events were read.
    #[serde(skip)]
    pub members: usize,
}

/// Events about one object with the same type, reason and message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventSummary {
    pub object: ObjectName,
    #[serde(rename = "type")]
    pub event_type: String,
    pub reason: String,
    pub message: String,
    pub count: u64,
    pub first: Option<Timestamp>,
    pub last: Option<Timestamp>,
    pub source: String,
    /// Whether the object is in the tree by evidence only, not by owner references.
    pub related: bool,
}

impl EventSummary {
    /// Whether its type is `Warning`.
    pub fn is_warning(&self) -> bool {
        self.event_type == "Warning"
    }
}

impl EventsReport {
    /// Whether some events could not be read.
    pub fn is_incomplete(&self) -> bool {
        self.coverage.gaps.iter().any(is_events_gap)
    }

    /// The newest warning.
    pub fn newest_warning(&self) -> Option<&EventSummary> {
        self.events.iter().rev().find(|line| line.is_warning())
    }
}

/// Reports the events about the trees of a snapshot, or what must be read first.
pub fn inspect(
    snapshot: &Snapshot,
    attempts: &FetchAttempts,
    members: impl Fn(&Snapshot) -> Members,
    options: &EventsOptions,
) -> Inspection<Inspected<EventsReport>> {
    let Members { all, missing } = members(snapshot);
    let mut plan = attempts.untried(missing, snapshot);
    let indices: Vec<Index> = all.iter().map(|member| member.object).collect();
    if plan.is_empty() {
        let events = FetchPlan { events: Some(indices.clone()), ..FetchPlan::default() };
        plan = attempts.untried(events, snapshot);
    }
    if !plan.is_empty() {
        return Inspection::Missing(plan);
    }
    Inspection::Complete(Inspected { report: report(snapshot, &all, options), members: indices })
}

/// Reports the events about `members`.
fn report(snapshot: &Snapshot, members: &[Member], options: &EventsOptions) -> EventsReport {
    let lines = lines(snapshot, members, options);
    let root_uids: HashSet<&Uid> = snapshot.roots.iter().collect();
    let roots: Vec<&ObjectName> = members
        .iter()
        .map(|member| &snapshot.objects[member.object].meta)
        .filter(|meta| root_uids.contains(&meta.uid))
        .map(|meta| &meta.name)
        .collect();
    let subject = subject(&roots, members.len() - roots.len());
    let mut coverage = snapshot.coverage.clone();
    // Events are one more kind that was read.
    coverage.kinds += 1;
    let gap = coverage.gaps.iter().find(|gap| is_events_gap(gap));
    EventsReport {
        schema: "kubectl-op/events/v1",
        headline: headline(&lines, &subject, options, gap, Now { time: coverage.now, times: options.times }),
        object: roots.first().filter(|_| roots.len() == 1).map(|name| (*name).clone()),
        events: lines,
        coverage,
        members: members.len(),
    }
}

/// The events about the objects with these uids, the newest last.
pub fn about(snapshot: &Snapshot, uids: &[Uid]) -> Vec<EventSummary> {
    let wanted: HashSet<&str> = uids.iter().map(|uid| uid.0.as_str()).collect();
    let objects = snapshot.objects.iter().enumerate();
    let members = objects.filter(|(_, object)| wanted.contains(object.meta.uid.0.as_str()));
    let members: Vec<Member> = members.map(|(object, _)| Member { object, related: false }).collect();
    lines(snapshot, &members, &EventsOptions::default())
}

/// Merges equal events, and counts an event that was read through both APIs once.
fn lines(snapshot: &Snapshot, members: &[Member], options: &EventsOptions) -> Vec<EventSummary> {
    let related_of: HashMap<Index, bool> =
        members.iter().map(|member| (member.object, member.related)).collect();
    let subjects = Subjects::of(&snapshot.objects, related_of.keys().copied());
    let wanted = |event: &Event| {
        let types = &options.types;
        let fits = types.is_empty() || types.iter().any(|word| word.eq_ignore_ascii_case(&event.event_type));
        let age = |last: Timestamp| snapshot.coverage.now.duration_since(last);
        fits && options.since.is_none_or(|since| event.last.is_some_and(|last| age(last) <= since))
    };
    let mut latest: BTreeMap<(Index, &str, usize), &Event> = BTreeMap::new();
    for (position, event) in snapshot.events.iter().flatten().enumerate().filter(|(_, event)| wanted(event)) {
        let Some(object) = subjects.find(event) else { continue };
        // Two events without an id are never the same one.
        let position = if event.id.is_empty() { position } else { 0 };
        let known = latest.entry((object, &event.id, position)).or_insert(event);
        // A dump may contain an event in two states.
        if (event.last, event.count) > (known.last, known.count) {
            *known = event;
        }
    }
    let mut merged: BTreeMap<(Index, &str, &str, &str), EventSummary> = BTreeMap::new();
    for ((object, ..), event) in latest {
        let key = (object, event.event_type.as_str(), event.reason.as_str(), event.message.trim());
        if let Some(line) = merged.get_mut(&key) {
            line.count = line.count.saturating_add(event.count);
            line.first = line.first.into_iter().chain(event.first).min();
            line.last = line.last.max(event.last);
        } else {
            let related = related_of.get(&object).copied().unwrap_or_default();
            merged.insert(key, line(&snapshot.objects[object].meta.name, event, related));
        }
    }
    let mut lines: Vec<EventSummary> = merged.into_values().collect();
    lines.sort_by(|a, b| {
        (a.last, &a.object, &a.reason, &a.message).cmp(&(b.last, &b.object, &b.reason, &b.message))
    });
    lines
}

fn line(object: &ObjectName, event: &Event, related: bool) -> EventSummary {
    EventSummary {
        object: object.clone(),
        event_type: event.event_type.clone(),
        reason: event.reason.clone(),
        message: event.message.trim().to_owned(),
        count: event.count,
        first: event.first,
        last: event.last,
        source: event.source.clone(),
        related,
    }
}

/// Whether events could not be read.
pub(super) fn is_events_gap(gap: &Gap) -> bool {
    gap.resource == "events" && matches!(gap.group.as_str(), "" | "events.k8s.io")
}

/// `Website/shop and 7 objects below it`.
fn subject(roots: &[&ObjectName], below: usize) -> String {
    let (top, them) = match roots {
        [] => return "nothing".to_owned(),
        [root] => (root.to_string(), "it"),
        [first, ..] => (counted(roots.len(), &first.kind), "them"),
    };
    match below {
        0 => top,
        below => format!("{top} and {} below {them}", counted(below, "object")),
    }
}

fn headline(
    lines: &[EventSummary],
    subject: &str,
    options: &EventsOptions,
    gap: Option<&Gap>,
    now: Now,
) -> String {
    let warnings = lines.iter().filter(|line| line.is_warning()).count();
    let oldest = lines.iter().filter_map(|line| line.last).min();
    let span = options
        .since
        .or_else(|| oldest.map(|oldest| now.duration_since(oldest).max(SignedDuration::from_secs(1))));
    let span = span.map_or_else(String::new, |span| format!(" {}", now.in_the_last(span)));
    let what = match (warnings, lines.len() - warnings) {
        (0, 0) => return none(subject, options, gap, &span),
        (0, others) if options.types.is_empty() => format!("{}, no warnings,", counted(others, "event")),
        // With --types, warnings may have been filtered out.
        (0, others) => counted(others, "event"),
        (warnings, 0) => counted(warnings, "warning"),
        (warnings, others) => {
            format!("{} and {}", counted(warnings, "warning"), counted(others, "other event"))
        }
    };
    let gap = gap.map_or_else(String::new, |gap| format!("; some could not be read ({})", gap.reason));
    format!("{what} for {subject}{span}{gap}")
}

fn none(subject: &str, options: &EventsOptions, gap: Option<&Gap>, span: &str) -> String {
    let what = match options.types.as_slice() {
        [only] if only.eq_ignore_ascii_case("Warning") => "warnings",
        _ => "events",
    };
    if let Some(gap) = gap {
        return format!("no {what} found for {subject}, but some could not be read ({})", gap.reason);
    }
    // The API server keeps them for --event-ttl, by default one hour.
    format!("no {what} for {subject}{span}; by default, clusters keep events for one hour")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::inspect::related::Relations;
    use crate::inspect::test_snapshot::test_snapshot;

    fn snapshot() -> Snapshot {
        let below = |kind: &str, name: &str, owner: &str, owner_kind: &str| -> Value {
            json!({
                "apiVersion": if kind == "Pod" { "v1" } else { "apps/v1" }, "kind": kind,
                "metadata": {"name": name, "ownerReferences": [{
                    "apiVersion": "apps/v1", "kind": owner_kind, "name": owner, "uid": format!("{owner_kind}/{owner}"),
                }]},
            })
        };
        test_snapshot(&[
            json!({"apiVersion": "webapp.example.com/v1", "kind": "Website", "metadata": {"name": "shop"}}),
            below("Deployment", "shop", "shop", "Website"),
            below("Pod", "shop-1", "shop", "Deployment"),
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "unrelated"}}),
        ])
    }

    /// An event of the last hour with an id of its own.
    fn event(object: &str, minute: u32, event_type: &str, reason: &str) -> Event {
        let (kind, name) = object.split_once('/').unwrap();
        let time = format!("2026-11-16T11:{minute:02}:00Z").parse().unwrap();
        Event {
            id: format!("{object}.{minute}.{reason}"),
            object: ObjectName {
                api_version: String::new(),
                kind: kind.into(),
                namespace: Some("shop".into()),
                name: name.into(),
            },
            uid: Uid(object.into()),
            event_type: event_type.into(),
            reason: reason.into(),
            message: "text".into(),
            count: 1,
            first: Some(time),
            last: Some(time),
            source: "test".into(),
        }
    }

    fn report_of(events: Vec<Event>, options: &EventsOptions) -> EventsReport {
        let snapshot = Snapshot { events: Some(events), ..snapshot() };
        report(&snapshot, &Members::of(&snapshot, Relations::Related).all, options)
    }

    fn reasons(events: &EventsReport) -> String {
        events.events.iter().map(|line| line.reason.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn events_of_the_whole_tree_are_sorted_by_time() {
        let report = report_of(
            vec![
                event("Pod/shop-1", 50, "Warning", "third"),
                event("Website/shop", 10, "Normal", "first"),
                event("Pod/unrelated", 30, "Warning", "other"),
                event("Deployment/shop", 20, "Normal", "second"),
            ],
            &EventsOptions::default(),
        );
        assert_eq!(reasons(&report), "first second third");
        assert_eq!(
            report.headline,
            "1 warning and 2 other events for Website/shop and 2 objects below it in the last 50m"
        );
        assert_eq!(report.events[0].object.api_version, "webapp.example.com/v1", "that of the object");
        assert_eq!(report.newest_warning().unwrap().reason, "third");
        assert!(!report.is_incomplete() && report.coverage.is_complete());
    }

    #[test]
    fn one_event_through_two_apis_counts_once_and_equal_ones_add_up() {
        let mut later = event("Pod/shop-1", 40, "Warning", "BackOff");
        later.count = 4;
        let mut again = later.clone();
        again.object.api_version = "v1".into();
        let mut earlier = event("Pod/shop-1", 20, "Warning", "BackOff");
        earlier.message = "text \n".into();
        earlier.id = String::new();
        let nameless = earlier.clone();
        let report = report_of(vec![later, again, earlier, nameless], &EventsOptions::default());
        let [line] = report.events.as_slice() else { panic!("{report:?}") };
        assert_eq!((line.count, line.message.as_str()), (6, "text"));
        assert_eq!(line.first.unwrap().to_string(), "2026-11-16T11:20:00Z");
        assert_eq!(line.last.unwrap().to_string(), "2026-11-16T11:40:00Z");
    }

    #[test]
    fn since_and_types_leave_out_the_rest() {
        let events = || {
            vec![
                event("Website/shop", 10, "Warning", "old"),
                event("Website/shop", 50, "Normal", "calm"),
                event("Website/shop", 55, "Warning", "new"),
            ]
        };
        let since = Some(SignedDuration::from_mins(30));
        let report = report_of(events(), &EventsOptions { since, ..EventsOptions::default() });
        assert_eq!(reasons(&report), "calm new");
        assert!(
            report.headline.starts_with("1 warning and 1 other event for ")
                && report.headline.ends_with(" in the last 30m"),
            "{report:?}"
        );
        let types = vec!["warning".to_owned()];
        assert_eq!(
            reasons(&report_of(
                events(),
                &EventsOptions { types: types.clone(), ..EventsOptions::default() }
            )),
            "old new"
        );
        let none = report_of(
            vec![event("Website/shop", 50, "Normal", "calm")],
            &EventsOptions { since, types, ..EventsOptions::default() },
        );
        assert_eq!(
            none.headline,
            "no warnings for Website/shop and 2 objects below it in the last 30m; by default, clusters keep events for one hour"
        );
        let only = report_of(
            events(),
            &EventsOptions { types: vec!["Normal".to_owned()], ..EventsOptions::default() },
        );
        assert!(only.headline.starts_with("1 event for Website/shop"), "{}", only.headline);
    }

    #[test]
    fn events_of_a_deleted_object_with_the_same_name_are_left_out_and_an_empty_uid_matches_by_name() {
        let with_uid = |uid: &str, reason: &str| Event {
            uid: Uid(uid.into()),
            ..event("Pod/shop-1", 10, "Normal", reason)
        };
        let mut other_group = with_uid("", "group");
        other_group.object.api_version = "metrics.k8s.io/v1".into();
        let events = vec![
            with_uid("former", "former"),
            with_uid("", "empty"),
            with_uid("shop-1", "name"),
            other_group,
        ];
        assert_eq!(reasons(&report_of(events, &EventsOptions::default())), "empty name");
    }

    #[test]
    fn events_that_could_not_be_read_are_mentioned() {
        let gap = Gap {
            group: String::new(),
            resource: "events".into(),
            namespace: Some("shop".into()),
            verb: "list",
            reason: crate::model::gap::Reason::Forbidden,
            status: Some(403),
            message: String::new(),
        };
        let snapshot = {
            let mut snapshot = snapshot();
            snapshot.coverage.gaps = vec![gap];
            snapshot
        };
        let report = report(&snapshot, &Members::roots(&snapshot).all, &EventsOptions::default());
        assert_eq!(
            report.headline,
            "no events found for Website/shop, but some could not be read (forbidden)"
        );
        assert!(report.is_incomplete() && !report.coverage.is_complete());
    }
}

//! The rows of a list of resources. What is equal is counted and what has the same cause is put together, so that a
//! list of thousands shows what is wrong on one screen. Nothing unhealthy is ever counted instead of shown.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Resource, StatusReport};
use crate::inspect::evaluation::is_unhealthy;
use crate::model::health::Verdict;
use crate::model::ident::{ObjectName, group_of};
use crate::model::rule::Rule;

/// If more resources than this are healthy, they are only counted.
const MAX_HEALTHY: usize = 10;
/// The number of equal rows from which they are folded.
const MIN_FOLDED: usize = 3;
/// If more kinds than this have equal rows, they are folded into one row for all of them.
const MAX_KINDS: usize = 10;
/// The most kinds without a status that are named; the others are counted.
const MAX_WITHOUT_STATUS: usize = 5;
/// Stands for a word that differs between equal rows.
const DIFFERS: &str = "…";

/// Which resources have a row of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedRows {
    All,
    /// Equal rows are folded and many healthy resources only counted.
    Folded,
}

/// The list.
#[derive(Debug, Default)]
pub struct Listing<'a> {
    /// The worst first.
    pub rows: Vec<ListRow<'a>>,
    /// The kinds that keep no status, if their resources have no rows; those with most resources first.
    pub without_status: Vec<KindCount<'a>>,
    /// Whether resources have no row of their own.
    pub is_shortened: bool,
}

/// One row.
#[derive(Debug)]
pub enum ListRow<'a> {
    One {
        resource: &'a Resource,
        cause: CauseText,
    },
    /// Resources whose health is unknown for the same reason.
    Fold {
        count: usize,
        /// `None` if they are of several kinds.
        kind: Option<&'a str>,
        kinds: usize,
        /// The namespaces they are in; empty if they are cluster-scoped.
        namespaces: Vec<&'a str>,
        text: String,
    },
}

/// How the cause of a row is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseText {
    Full,
    /// The row above has it already.
    SameAsAbove,
}

/// How many resources of a kind there are; of several kinds if `kind` is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindCount<'a> {
    pub count: usize,
    pub kind: Option<&'a str>,
    pub kinds: usize,
}

impl<'a> Listing<'a> {
    /// Lists the resources of a report.
    pub fn of(report: &'a StatusReport, listed: ListedRows) -> Self {
        if listed == ListedRows::All {
            let row = |resource| ListRow::One { resource, cause: CauseText::Full };
            return Self { rows: report.resources.iter().map(row).collect(), ..Self::default() };
        }
        let (left_out, counted): (Vec<&Resource>, Vec<&Resource>) =
            report.resources.iter().partition(|resource| report.is_left_out(resource));
        let unhealthy = counted.iter().copied().filter(|resource| is_unhealthy(resource.verdict));
        let unknown = counted.iter().copied().filter(|resource| resource.verdict == Verdict::Unknown);
        let is_healthy =
            |resource: &&Resource| !is_unhealthy(resource.verdict) && resource.verdict != Verdict::Unknown;
        let healthy: Vec<&Resource> = counted.iter().copied().filter(is_healthy).collect();
        let mut rows = by_cause(unhealthy.collect());
        rows.extend(folded(&unknown.collect::<Vec<_>>()));
        let is_counted = healthy.len() > MAX_HEALTHY;
        let healthy = healthy.into_iter().filter(|resource| !is_counted || resource.warning().is_some());
        rows.extend(healthy.map(|resource| ListRow::One { resource, cause: CauseText::Full }));
        let own_rows = rows.iter().filter(|row| matches!(row, ListRow::One { .. })).count();
        let is_shortened = own_rows < report.resources.len();
        Self { rows, without_status: kinds_of(&left_out), is_shortened }
    }
}

/// Resources with the same cause one below the other, at the place of the worst of them; the cause itself comes first if
/// it is one of them.
fn by_cause(unhealthy: Vec<&Resource>) -> Vec<ListRow<'_>> {
    let mut groups: Vec<Vec<&Resource>> = Vec::new();
    let mut group_of_cause: HashMap<&ObjectName, usize> = HashMap::new();
    for resource in unhealthy {
        let next = groups.len();
        let at = resource
            .cause
            .as_ref()
            .map_or(next, |cause| *group_of_cause.entry(&cause.object).or_insert(next));
        match groups.get_mut(at) {
            Some(group) => group.push(resource),
            None => groups.push(vec![resource]),
        }
    }
    let mut rows = Vec::new();
    for mut group in groups {
        let is_cause = |resource: &&Resource| resource.cause.as_ref().is_some_and(|cause| cause.is_own);
        let first = group.iter().position(is_cause).unwrap_or_default();
        group[..=first].rotate_right(1);
        let causes = std::iter::once(CauseText::Full).chain(std::iter::repeat(CauseText::SameAsAbove));
        rows.extend(group.into_iter().zip(causes).map(|(resource, cause)| ListRow::One { resource, cause }));
    }
    rows
}

/// A kind, without its version.
type KindKey<'a> = (&'a str, &'a str);

fn kind_key(resource: &Resource) -> KindKey<'_> {
    (&resource.object.kind, group_of(&resource.object.api_version))
}

/// What the rows of a fold have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FoldReason {
    rule: Rule,
    /// Ages and counts in it may differ.
    text: String,
}

impl FoldReason {
    fn of(resource: &Resource) -> Self {
        Self { rule: resource.own.rule, text: without_numbers(text(resource)) }
    }
}

/// Folds resources that are Unknown by the same rule for the same reason. A fold is at the place of its first resource.
fn folded<'a>(unknown: &[&'a Resource]) -> Vec<ListRow<'a>> {
    let reasons: Vec<FoldReason> = unknown.iter().map(|resource| FoldReason::of(resource)).collect();
    let mut kinds: HashMap<&FoldReason, HashSet<KindKey<'_>>> = HashMap::new();
    for (resource, reason) in unknown.iter().zip(&reasons) {
        kinds.entry(reason).or_default().insert(kind_key(resource));
    }
    // By kind too, unless there are too many of them.
    let key = |resource: &'a Resource, reason| {
        let is_few = kinds.get(reason).is_none_or(|kinds| kinds.len() <= MAX_KINDS);
        (reason, is_few.then(|| kind_key(resource)))
    };
    let mut groups: HashMap<_, Vec<&'a Resource>> = HashMap::new();
    for (resource, reason) in unknown.iter().zip(&reasons) {
        groups.entry(key(resource, reason)).or_default().push(resource);
    }
    let mut rows = Vec::new();
    for (resource, reason) in unknown.iter().zip(&reasons) {
        let key = key(resource, reason);
        match groups.get(&key).map(Vec::len) {
            Some(count) if count < MIN_FOLDED => {
                rows.push(ListRow::One { resource, cause: CauseText::Full });
            }
            Some(_) => rows.extend(groups.remove(&key).map(|group| fold(&group))),
            // It is in the fold above.
            None => {}
        }
    }
    rows
}

fn fold<'a>(group: &[&'a Resource]) -> ListRow<'a> {
    let kinds: HashSet<KindKey<'_>> = group.iter().map(|resource| kind_key(resource)).collect();
    let mut namespaces: Vec<&str> =
        group.iter().filter_map(|resource| resource.object.namespace.as_deref()).collect();
    namespaces.sort_unstable();
    namespaces.dedup();
    let first = group.first().map_or("", |resource| text(resource));
    let is_equal = group.iter().all(|resource| text(resource) == first);
    ListRow::Fold {
        count: group.len(),
        kind: group.first().filter(|_| kinds.len() == 1).map(|resource| resource.object.kind.as_str()),
        kinds: kinds.len(),
        namespaces,
        text: if is_equal { first.to_owned() } else { without_numbers(first) },
    }
}

fn text(resource: &Resource) -> &str {
    resource.own.message.as_deref().unwrap_or_default()
}

/// `last updated … ago`.
fn without_numbers(text: &str) -> String {
    let masked = |word: &str| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || "smhdy".contains(c));
        if is_number { format!("{DIFFERS}{}", &word[number.len()..]) } else { word.to_owned() }
    };
    text.split(' ').map(masked).collect::<Vec<_>>().join(" ")
}

/// The number of resources of each kind, those with most resources first.
fn kinds_of<'a>(resources: &[&'a Resource]) -> Vec<KindCount<'a>> {
    let mut counts: BTreeMap<KindKey<'a>, usize> = BTreeMap::new();
    for resource in resources {
        *counts.entry(kind_key(resource)).or_default() += 1;
    }
    let mut kinds: Vec<KindCount<'a>> = counts
        .into_iter()
        .map(|((kind, _), count)| KindCount { count, kind: Some(kind), kinds: 1 })
        .collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
    // A line for the others saves something only if there are at least two.
    if kinds.len() > MAX_WITHOUT_STATUS + 1 {
        let others = kinds.split_off(MAX_WITHOUT_STATUS);
        let count = others.iter().map(|kind| kind.count).sum();
        kinds.push(KindCount { count, kind: None, kinds: others.len() });
    }
    kinds
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::inspect::evaluation::Below;
    use crate::inspect::status::Requested;
    use crate::inspect::status::tests::{crashing, object, ready, report};
    use crate::inspect::test_snapshot::test_snapshot;
    use crate::model::kind::{Kind, StatusSubresource};
    use crate::model::rulebook::Rulebook;

    /// The report on all custom resources among some objects. Kinds that start with `Bare` have no status subresource.
    fn all(objects: &[Value]) -> StatusReport {
        let mut snapshot = test_snapshot(objects);
        for object in &mut snapshot.objects {
            let status_subresource = StatusSubresource::listed(!object.kind.kind.starts_with("Bare"));
            object.kind = Arc::new(Kind { status_subresource, ..(*object.kind).clone() });
        }
        let custom = snapshot.objects.iter().filter(|object| object.kind.group.contains('.'));
        snapshot.roots = custom.map(|object| object.meta.uid.clone()).collect();
        let report = report(&snapshot, Below::All, &Rulebook::default());
        StatusReport { requested: Requested::ByType, ..report }
    }

    fn thing(kind: &str, name: &str, body: &Value) -> Value {
        object("example.com/v1", kind, name, None, body)
    }

    fn in_namespace(namespace: &str, mut object: Value) -> Value {
        object["metadata"]["namespace"] = json!(namespace);
        object
    }

    /// Each row as one text.
    fn rows(report: &StatusReport, listed: ListedRows) -> Vec<String> {
        let row = |row: &ListRow<'_>| match row {
            ListRow::One { resource, cause: CauseText::Full } => resource.object.to_string(),
            ListRow::One { resource, cause: CauseText::SameAsAbove } => format!("  {}", resource.object),
            ListRow::Fold { count, kind, kinds, namespaces, text } => {
                format!("{count} {} of {kinds} in {}: {text}", kind.unwrap_or("?"), namespaces.join(","))
            }
        };
        Listing::of(report, listed).rows.iter().map(row).collect()
    }

    #[test]
    fn a_kind_that_keeps_no_status_is_counted_and_left_out() {
        let bare = ["a", "b", "c"].map(|name| thing("BareWidget", name, &json!({})));
        let report = all(&[&bare[..], &[thing("Site", "shop", &ready("True"))]].concat());
        let listing = Listing::of(&report, ListedRows::Folded);
        assert_eq!(listing.without_status, [KindCount { count: 3, kind: Some("BareWidget"), kinds: 1 }]);
        assert_eq!(rows(&report, ListedRows::Folded), ["Site/shop"]);
        let tally = report.tally();
        assert_eq!((tally.total, tally.unknown, tally.without_status), (4, 0, 3));
        assert_eq!(report.worst().unwrap().object.kind, "Site");
        let is_kept = |resource: &&Resource| resource.own.rule == Rule::KeepsNoStatus;
        assert_eq!(report.resources.iter().filter(is_kept).count(), 3, "each is in the JSON");
        assert_eq!(rows(&report, ListedRows::All).len(), 4);
        let named = StatusReport { requested: Requested::ByName, ..report };
        assert_eq!(named.tally().unknown, 3, "who asks for an object by name wants to know its health");
    }

    #[test]
    fn a_kind_with_a_status_in_use_keeps_one_even_without_a_subresource() {
        let report = all(&[
            thing("BareWidget", "silent", &json!({})),
            thing("BareWidget", "ready", &ready("True")),
            thing("Widget", "new", &json!({})),
        ]);
        let rule = |name: &str| {
            report.resources.iter().find(|resource| resource.object.name == name).map(|found| found.own.rule)
        };
        assert_eq!(rule("silent"), Some(Rule::NoStatus), "others of its kind have a status");
        assert_eq!(rule("new"), Some(Rule::NoStatus), "the kind has a status subresource");
        assert_eq!(report.tally().unknown, 2);
    }

    #[test]
    fn what_is_wrong_below_a_resource_without_status_counts() {
        let report = all(&[
            thing("BareWidget", "a", &json!({})),
            crashing("a-pod", "BareWidget/a"),
            thing("BareWidget", "b", &json!({})),
        ]);
        assert_eq!(rows(&report, ListedRows::Folded), ["BareWidget/a"]);
        assert_eq!((report.tally().unhealthy, report.tally().without_status), (1, 1));
    }

    #[test]
    fn many_kinds_without_status_take_a_few_lines() {
        let one = |number: usize| thing(&format!("Bare{number:02}"), "a", &json!({}));
        let mut objects: Vec<Value> = (0..=MAX_WITHOUT_STATUS).map(one).collect();
        assert_eq!(Listing::of(&all(&objects), ListedRows::Folded).without_status.len(), 6);
        objects.extend((6..40).map(one));
        objects.push(thing("Bare39", "b", &json!({})));
        let report = all(&objects);
        let kinds = Listing::of(&report, ListedRows::Folded).without_status;
        assert_eq!(kinds.len(), MAX_WITHOUT_STATUS + 1);
        assert_eq!(kinds[0], KindCount { count: 2, kind: Some("Bare39"), kinds: 1 });
        assert_eq!(kinds[5], KindCount { count: 35, kind: None, kinds: 35 });
    }

    #[test]
    fn equal_unknown_rows_are_folded_from_three_on() {
        let no_status = |kind: &str, name: &str| thing(kind, name, &json!({}));
        let odd = |name: &str, age: &str| thing("Odd", name, &json!({"status": {"lastUpdated": age}}));
        let mut objects = vec![
            no_status("Site", "a"),
            no_status("Site", "b"),
            no_status("Lake", "a"),
            no_status("Lake", "b"),
            in_namespace("other", no_status("Lake", "c")),
            odd("a", "2026-11-13T12:00:00Z"),
            odd("b", "2026-11-13T12:00:00Z"),
        ];
        let report = all(&objects);
        assert_eq!(
            rows(&report, ListedRows::Folded),
            ["3 Lake of 1 in other,shop: it has no status", "Odd/a", "Odd/b", "Site/a", "Site/b"]
        );
        assert_eq!(report.tally().unknown, 7);
        assert!(Listing::of(&report, ListedRows::Folded).is_shortened);
        assert_eq!(rows(&report, ListedRows::All).len(), 7);
        objects.push(odd("c", "2026-11-16T11:00:00Z"));
        let folded = rows(&all(&objects), ListedRows::Folded);
        assert!(
            folded[1].starts_with("3 Odd of 1 in shop: ") && folded[1].ends_with("last updated … ago"),
            "{folded:?}"
        );
    }

    #[test]
    fn equal_rows_of_many_kinds_are_one() {
        let objects: Vec<Value> =
            (0..=MAX_KINDS).map(|number| thing(&format!("Kind{number}"), "a", &json!({}))).collect();
        assert_eq!(rows(&all(&objects), ListedRows::Folded), ["11 ? of 11 in shop: it has no status"]);
        assert_eq!(rows(&all(&objects[1..]), ListedRows::Folded).len(), MAX_KINDS);
    }

    #[test]
    fn what_is_unhealthy_or_different_is_never_folded() {
        let failing = (0..5).map(|number| thing("Site", &format!("s{number}"), &ready("False")));
        let phases = ["Odd", "Queer", "Strange"]
            .map(|phase| thing("Lake", phase, &json!({"status": {"phase": phase}})));
        let report = all(&failing.chain(phases).collect::<Vec<_>>());
        assert_eq!(rows(&report, ListedRows::Folded).len(), 8);
        assert!(!Listing::of(&report, ListedRows::Folded).is_shortened);
    }

    #[test]
    fn a_cause_of_several_resources_is_told_once() {
        let below = |kind: &str, name: &str, owner: &str, body: &Value| {
            object("example.com/v1", kind, name, Some(owner), body)
        };
        let report = all(&[
            thing("App", "shop", &ready("True")),
            below("Site", "shop", "App/shop", &ready("True")),
            crashing("shop-pod", "Site/shop"),
            thing("App", "blog", &ready("False")),
            thing("Cluster", "main", &ready("True")),
            below("Machine", "m", "Cluster/main", &json!({"status": {"phase": "Failed"}})),
        ]);
        assert_eq!(
            rows(&report, ListedRows::Folded),
            // The Machine is the cause, so it comes before the Cluster, which is worse off by nothing but its name.
            ["App/shop", "  Site/shop", "Machine/m", "  Cluster/main", "App/blog"]
        );
        assert_eq!((report.tally().unhealthy, report.tally().total), (5, 5));
        let names: Vec<String> =
            report.resources.iter().map(|resource| resource.object.to_string()).collect();
        assert_eq!(
            names,
            ["App/shop", "Cluster/main", "Machine/m", "Site/shop", "App/blog"],
            "the JSON is in order"
        );
    }

    #[test]
    fn only_ages_and_counts_may_differ() {
        for (text, expected) in [
            ("last updated 3d4h ago, 12 more", "last updated … ago, … more"),
            ("phase \"v2\" is not a known word; 5m", "phase \"v2\" is not a known word; …"),
            ("disk 7f3a", "disk 7f3a"),
            ("", ""),
        ] {
            assert_eq!(without_numbers(text), expected);
        }
    }
}

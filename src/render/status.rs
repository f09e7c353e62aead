//! A status for the eye: of one resource on a page, of many one line each.

use jiff::Timestamp;

use super::footer::{Extent, completeness};
use super::table::{Cell, lay_out};
use super::tree::{Times, tone};
use super::wrap::sentence;
use crate::inspect::events::Line;
use crate::inspect::health::rules;
use crate::inspect::status::{Cause, Child, Resource, Status};
use crate::inspect::tree::{Weight, is_trouble};
use crate::model::age;
use crate::model::code::Code;
use crate::model::health::{ConditionMeaning, ConditionReport, Fact, Severity, Verdict};
use crate::ui::{Styles, Tone};

/// More resources that are fine than this are a count.
const MANY: usize = 10;

/// What is shown beside the usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub times: Times,
    pub detail: Verbosity,
}

/// How much of each resource is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    Usual,
    Wide,
    /// The rule and the fields behind each verdict.
    Explained,
}

/// The page of one resource, but for the next command.
pub fn one(resource: &Resource, status: &Status, view: View, styles: &Styles, width: Option<u16>) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut head = sentence(&resource.sentence, tone(resource.subtree.verdict), styles, width) + "\n";
    head.push_str(&facts_lines(resource, status, view, styles, width));
    blocks.push(head);
    if !resource.conditions.is_empty() {
        blocks.push(conditions(&resource.conditions, status.now, view.times, styles, width));
    }
    let bad: Vec<&Child> = resource.children.iter().filter(|child| is_bad(child)).collect();
    if !bad.is_empty() {
        blocks.push(format!("not fine\n{}", children(&bad, status.now, styles, width)));
    }
    if view.detail == Verbosity::Explained {
        blocks.push(format!("why\n{}", reasons(resource, styles, width)));
    }
    let findings = findings(resource, styles, width);
    if !findings.is_empty() {
        blocks.push(format!("findings\n{findings}"));
    }
    if !resource.events.is_empty() {
        blocks.push(format!(
            "events ({}newest last)\n{}",
            if resource.children.is_empty() { "" } else { "whole tree, " },
            events(&resource.events, status.now, view.times, styles, width)
        ));
    }
    blocks.join("\n") + "\n" + &footer(status, styles)
}

/// What the verdict and its cause have not said already.
fn findings(resource: &Resource, styles: &Styles, width: Option<u16>) -> String {
    let told = resource.subtree.cause.as_ref().map(|cause| cause.code);
    let is_new = |code| Some(code) != told && !matches!(code, Code::ReadyButChildNotReady | Code::NoStatus);
    let rows = resource.findings.iter().filter(|finding| is_new(finding.code)).map(|finding| {
        let tone = if finding.severity == Severity::Error { Tone::Bad } else { Tone::Uneasy };
        vec![
            Cell { text: format!("  {}", finding.code), tone },
            finding.object.to_string().into(),
            finding.message.clone().into(),
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    if rows.is_empty() { String::new() } else { table(None, rows, styles, width) }
}

fn is_bad(child: &Child) -> bool {
    is_trouble(child.verdict) && child.weight == Weight::Counts
}

/// Labelled lines under the verdict.
fn facts_lines(
    resource: &Resource,
    status: &Status,
    view: View,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut row = |label: &str, text: String| rows.push([label.to_owned(), text]);
    if let Some(cause) = resource.subtree.cause.as_ref() {
        row("cause", cause_line(cause, status.now));
    }
    if !resource.printed.is_empty() {
        let columns = resource.printed.iter().map(|column| format!("{} {}", column.name, column.value));
        row("columns", columns.collect::<Vec<_>>().join(", "));
    }
    if let Some(phase) = resource.phase.as_ref().filter(|_| resource.printed.is_empty()) {
        row("phase", phase.clone());
    }
    if let Some(since) = resource.deleting.filter(|_| resource.verdict != Verdict::Stuck) {
        row("deleting", format!("requested {} ago", age::human(status.now.duration_since(since))));
    }
    if !resource.finalizers.is_empty() && (resource.deleting.is_some() || view.detail != Verbosity::Usual) {
        row("finalizers", resource.finalizers.join(", "));
    }
    if let (Some(generation), Some(observed)) = (resource.generation, resource.observed_generation)
        && observed < generation
    {
        row("generation", format!("{generation}, the status is about {observed}"));
    }
    if view.detail != Verbosity::Usual {
        row("rule", resource.rule.to_string());
        row("uid", resource.uid.clone());
    }
    if rows.is_empty() { String::new() } else { plain_rows(&rows, styles, width) }
}

fn cause_line(cause: &Cause, now: Timestamp) -> String {
    let mut words = format!("{} {}", cause.object, cause.status);
    if let Some(since) = cause.since {
        words = format!("{words} for {}", age::human(now.duration_since(since)));
    }
    if let Some(warning) = &cause.warning {
        let ago = warning
            .last
            .map_or_else(String::new, |last| format!(", {} ago", age::human(now.duration_since(last))));
        words = format!("{words}; last warning {}{ago}: {}", warning.reason, warning.message);
    }
    format!("{words} ({})", cause.code)
}

fn conditions(
    all: &[ConditionReport],
    now: Timestamp,
    times: Times,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let header = ["CONDITION", "STATUS", "FOR", "REASON", "MESSAGE"].map(str::to_owned);
    let rows = all.iter().map(|condition| {
        let guess = if condition.guessed { "~" } else { "" };
        let lasted = condition.since.map_or_else(|| "-".to_owned(), |since| when(since, now, times));
        let tone = match condition.judged {
            ConditionMeaning::Bad => Tone::Bad,
            _ if condition.warning => Tone::Uneasy,
            ConditionMeaning::Good => Tone::Good,
            ConditionMeaning::Progressing | ConditionMeaning::Paused => Tone::Moving,
            ConditionMeaning::Neutral => Tone::Plain,
            ConditionMeaning::Unknown => Tone::Dim,
        };
        let status = condition.status.clone().unwrap_or_else(|| "-".to_owned());
        [
            Cell::from(format!("{guess}{}", condition.name)),
            Cell { text: status, tone },
            lasted.into(),
            condition.reason.clone().unwrap_or_else(|| "-".to_owned()).into(),
            condition.message.clone().unwrap_or_default().into(),
        ]
    });
    table(Some(&header), rows.map(Vec::from).collect(), styles, width)
}

fn children(all: &[&Child], now: Timestamp, styles: &Styles, width: Option<u16>) -> String {
    let rows = all.iter().map(|child| {
        let guess = if child.related { "~" } else { "" };
        let lasted =
            child.since.map_or_else(|| "-".to_owned(), |since| age::human(now.duration_since(since)));
        vec![
            Cell::from(format!("  {guess}{}", child.object)),
            child.ready.clone().unwrap_or_else(|| "-".to_owned()).into(),
            Cell { text: child.status.clone(), tone: tone(child.verdict) },
            lasted.into(),
            child.message.clone().unwrap_or_default().into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

fn events(all: &[Line], now: Timestamp, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let rows = all.iter().map(|line| {
        let last = line.last.map_or_else(|| "-".to_owned(), |last| when(last, now, times));
        let count = if line.count > 1 { format!(" (x{})", line.count) } else { String::new() };
        let tone = if line.event_type == "Warning" { Tone::Uneasy } else { Tone::Plain };
        vec![
            Cell::from(format!("  {last}{count}")),
            Cell { text: line.event_type.clone(), tone },
            line.reason.clone().into(),
            line.object.to_string().into(),
            line.message.clone().into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

/// The rule behind each verdict, and what it read.
fn reasons(resource: &Resource, styles: &Styles, width: Option<u16>) -> String {
    let own = (resource.object.to_string(), resource.verdict, resource.rule, &resource.facts);
    let below = resource.children.iter().filter(|child| child.verdict != Verdict::None);
    let below = below.map(|child| (child.object.to_string(), child.verdict, child.rule, &child.facts));
    let rows = std::iter::once(own).chain(below).map(|(name, verdict, rule, facts)| {
        let said = rules::entry(rule).description;
        let read: Vec<String> =
            facts.iter().map(|Fact { path, value }| format!("{path} = {value}")).collect();
        let read = if read.is_empty() { String::new() } else { format!("; read {}", read.join(", ")) };
        vec![
            Cell::from(format!("  {name}")),
            Cell { text: verdict.to_string(), tone: tone(verdict) },
            rule.to_string().into(),
            format!("{said}{read}").into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

/// Many resources, one line each, the worst first, then counts.
pub fn many(
    status: &Status,
    what: &str,
    view: View,
    all: All,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let total = status.resources.len();
    let bad = status.resources.iter().filter(|resource| !is_fine(resource.subtree.verdict)).count();
    let unknown =
        status.resources.iter().filter(|resource| resource.subtree.verdict == Verdict::Unknown).count();
    let headline = match total {
        // Nobody can say that there are none where not everything was seen.
        0 if !status.complete => format!("no {what} were seen, but not everything could be read"),
        _ => headline(bad - unknown, unknown, total, what),
    };
    let worst = status.resources.first().map_or(Verdict::None, |resource| resource.subtree.verdict);
    let fine = total - bad;
    let shown: Vec<&Resource> = status
        .resources
        .iter()
        .filter(|resource| all == All::Shown || fine <= MANY || !is_fine(resource.subtree.verdict))
        .collect();
    let mixed =
        status.resources.iter().any(|resource| resource.object.kind != status.resources[0].object.kind);
    let header = ["NAMESPACE", "NAME", "VERDICT", "FOR", "CAUSE"].map(str::to_owned);
    let rows = shown.iter().map(|resource| row(resource, status.now, mixed, view));
    let table = if shown.is_empty() {
        String::new()
    } else {
        format!("\n{}", table(Some(&header), rows.collect(), styles, width))
    };
    let counts: Vec<String> =
        status.counts().into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let headline = sentence(&headline, tone(worst), styles, width);
    format!("{headline}\n{table}\n{}\n{}", styles.plain(&counts.join(", ")), footer(status, styles))
}

fn headline(bad: usize, unknown: usize, total: usize, what: &str) -> String {
    let judged = match (bad, total) {
        (_, 0) => return format!("there are no {what}"),
        (0, _) if unknown > 0 => String::new(),
        (0, 1) => format!("1 {what} is fine"),
        (0, _) => format!("all {total} {what} are fine"),
        (1, 1) => format!("1 {what} is not fine"),
        (1, _) => format!("1 of {total} {what} is not fine"),
        _ => format!("{bad} of {total} {what} are not fine"),
    };
    match (judged.is_empty(), unknown) {
        (_, 0) => judged,
        (true, unknown) if unknown == total => match total {
            1 => format!("1 {what} cannot be judged"),
            _ => format!("none of {total} {what} can be judged"),
        },
        (true, _) => format!("{unknown} of {total} {what} cannot be judged, the rest is fine"),
        (false, _) => format!("{judged}, {unknown} cannot be judged"),
    }
}

/// Whether a long list of what is fine is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum All {
    Shown,
    Counted,
}

fn row(resource: &Resource, now: Timestamp, mixed: bool, view: View) -> Vec<Cell> {
    let name = if mixed { resource.object.to_string() } else { resource.object.name.clone() };
    let cause = resource.subtree.cause.as_ref();
    let since = cause.and_then(|cause| cause.since).or(resource.since);
    let lasted = since.map_or_else(|| "-".to_owned(), |since| when(since, now, view.times));
    let words = match cause {
        Some(cause) if cause.is_own => cause.message.clone().unwrap_or_else(|| cause.status.clone()),
        Some(cause) => match &cause.message {
            Some(message) => format!("{} {}: {message}", cause.object, cause.status),
            None => format!("{} {}", cause.object, cause.status),
        },
        None if resource.verdict == Verdict::Unknown => resource.message.clone().unwrap_or_default(),
        None => String::new(),
    };
    vec![
        Cell::from(resource.object.namespace.clone().unwrap_or_else(|| "-".to_owned())),
        name.into(),
        Cell { text: resource.subtree.verdict.to_string(), tone: tone(resource.subtree.verdict) },
        lasted.into(),
        words.into(),
    ]
}

const fn is_fine(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended)
}

/// Every resource as kubectl's `-o name` has it.
pub fn names(status: &Status, styles: &Styles) -> String {
    let line = |resource: &Resource| styles.plain(&super::tree::resource_name(&resource.object)) + "\n";
    status.resources.iter().map(line).collect()
}

fn footer(status: &Status, styles: &Styles) -> String {
    let extent = Extent { kinds_asked: status.kinds_asked, reach: &status.reach, gaps: &status.gaps };
    completeness(&extent, styles) + "\n"
}

fn when(time: Timestamp, now: Timestamp, times: Times) -> String {
    match times {
        Times::Absolute => time.to_string(),
        Times::Ages => age::human(now.duration_since(time)),
    }
}

fn plain_rows(rows: &[[String; 2]], styles: &Styles, width: Option<u16>) -> String {
    let rows = rows.iter().map(|row| row.iter().map(|text| Cell::from(text.clone())).collect()).collect();
    table(None, rows, styles, width)
}

fn table(header: Option<&[String]>, rows: Vec<Vec<Cell>>, styles: &Styles, width: Option<u16>) -> String {
    let painted =
        rows.into_iter().map(|row| row.iter().map(|cell| styles.toned(cell.tone, &cell.text)).collect());
    lay_out(header.unwrap_or_default().to_vec(), painted, width)
}

//! A status for the eye: of one resource on a page, of many one line each.

use jiff::Timestamp;

use super::footer::completeness;
use super::table::{Cell, lay_out};
use super::tree::{Times, tone};
use super::wrap::sentence;
use crate::inspect::evaluation::{Cause, Node, is_trouble};
use crate::inspect::events::EventSummary;
use crate::inspect::health::rules;
use crate::inspect::status::{Resource, StatusReport};
use crate::model::age;
use crate::model::code::Code;
use crate::model::health::{ConditionMeaning, ConditionReport, Fact, Health, Severity, Verdict};
use crate::ui::{Styles, Tone};

/// More resources that are fine than this are a count.
const MANY: usize = 10;

/// What is shown beside the usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    pub times: Times,
    pub verbosity: Verbosity,
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
pub fn one(
    resource: &Resource,
    status: &StatusReport,
    view: View,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut head = sentence(&resource.headline, tone(resource.verdict), styles, width) + "\n";
    head.push_str(&facts_lines(resource, status, view, styles, width));
    blocks.push(head);
    if !resource.conditions().is_empty() {
        blocks.push(conditions(resource.conditions(), status.coverage.now, view.times, styles, width));
    }
    let bad: Vec<&Node> = resource.children().iter().filter(|child| is_bad(child)).collect();
    if !bad.is_empty() {
        blocks.push(format!("not fine\n{}", children(&bad, status.coverage.now, styles, width)));
    }
    if view.verbosity == Verbosity::Explained {
        blocks.push(format!("why\n{}", reasons(resource, styles, width)));
    }
    let findings = findings(resource, styles, width);
    if !findings.is_empty() {
        blocks.push(format!("findings\n{findings}"));
    }
    if let Some(all) = resource.events.as_ref().filter(|all| !all.is_empty()) {
        blocks.push(format!(
            "events ({}newest last)\n{}",
            if resource.children().is_empty() { "" } else { "whole tree, " },
            events(all, status.coverage.now, view.times, styles, width)
        ));
    }
    blocks.join("\n") + "\n" + &footer(status, styles)
}

/// What the verdict and its cause have not said already.
fn findings(resource: &Resource, styles: &Styles, width: Option<u16>) -> String {
    let told = resource.cause.as_ref().map(|cause| cause.code);
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

fn is_bad(child: &Node) -> bool {
    is_trouble(child.own.verdict) && child.counts
}

/// Labelled lines under the verdict.
fn facts_lines(
    resource: &Resource,
    status: &StatusReport,
    view: View,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut row = |label: &str, text: String| rows.push([label.to_owned(), text]);
    if let Some(cause) = resource.cause.as_ref() {
        row("cause", cause_line(cause, status.coverage.now));
    }
    let printed = resource.printed.as_deref().unwrap_or_default();
    if !printed.is_empty() {
        let columns = printed.iter().map(|column| format!("{} {}", column.name, column.value));
        row("columns", columns.collect::<Vec<_>>().join(", "));
    }
    let body = resource.body.as_ref();
    if let Some(phase) = body.and_then(|body| body.phase.as_ref()).filter(|_| printed.is_empty()) {
        row("phase", phase.clone());
    }
    if let Some(since) = resource.deleting.filter(|_| resource.own.verdict != Verdict::Stuck) {
        row("deleting", format!("requested {} ago", age::human(status.coverage.now.duration_since(since))));
    }
    if !resource.finalizers.is_empty() && (resource.deleting.is_some() || view.verbosity != Verbosity::Usual)
    {
        row("finalizers", resource.finalizers.join(", "));
    }
    if let Some((Some(generation), Some(observed))) =
        body.map(|body| (body.generation, body.observed_generation))
        && observed < generation
    {
        row("generation", format!("{generation}, the status is about {observed}"));
    }
    if view.verbosity != Verbosity::Usual {
        row("rule", resource.own.rule.to_string());
        row("uid", resource.uid.clone());
    }
    if rows.is_empty() { String::new() } else { plain_rows(&rows, styles, width) }
}

fn cause_line(cause: &Cause, now: Timestamp) -> String {
    let mut words = format!("{} {}", cause.object, cause.status);
    if let Some(since) = cause.since {
        words = format!("{words} for {}", age::human(now.duration_since(since)));
    }
    if let Some(warning) = &cause.last_warning {
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

fn children(all: &[&Node], now: Timestamp, styles: &Styles, width: Option<u16>) -> String {
    let rows = all.iter().map(|child| {
        let guess = if child.related { "~" } else { "" };
        let lasted =
            child.own.since.map_or_else(|| "-".to_owned(), |since| age::human(now.duration_since(since)));
        vec![
            Cell::from(format!("  {guess}{}", child.name)),
            child.own.ready.clone().unwrap_or_else(|| "-".to_owned()).into(),
            Cell { text: child.own.status.clone(), tone: tone(child.own.verdict) },
            lasted.into(),
            child.own.message.clone().unwrap_or_default().into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

fn events(all: &[EventSummary], now: Timestamp, times: Times, styles: &Styles, width: Option<u16>) -> String {
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
    let below = resource.children().iter().filter(|child| child.own.verdict != Verdict::None);
    let all = std::iter::once((&resource.object, &resource.own));
    let rows = all.chain(below.map(|child| (&child.name, &child.own))).map(|(name, own)| {
        let Health { verdict, rule, facts, .. } = own;
        let said = rules::entry(*rule).description;
        let read: Vec<String> =
            facts.iter().map(|Fact { path, value }| format!("{path} = {value}")).collect();
        let read = if read.is_empty() { String::new() } else { format!("; read {}", read.join(", ")) };
        vec![
            Cell::from(format!("  {name}")),
            Cell { text: verdict.to_string(), tone: tone(*verdict) },
            rule.to_string().into(),
            format!("{said}{read}").into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

/// Many resources, one line each, the worst first, then counts.
pub fn many(
    status: &StatusReport,
    what: &str,
    view: View,
    all: All,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let total = status.resources.len();
    let bad = status.resources.iter().filter(|resource| !is_fine(resource.verdict)).count();
    let unknown = status.resources.iter().filter(|resource| resource.verdict == Verdict::Unknown).count();
    let headline = match total {
        // Nobody can say that there are none where not everything was seen.
        0 if !status.coverage.is_complete() => {
            format!("no {what} were seen, but not everything could be read")
        }
        _ => headline(bad - unknown, unknown, total, what),
    };
    let worst = status.resources.first().map_or(Verdict::None, |resource| resource.verdict);
    let fine = total - bad;
    let shown: Vec<&Resource> = status
        .resources
        .iter()
        .filter(|resource| all == All::Shown || fine <= MANY || !is_fine(resource.verdict))
        .collect();
    let mixed =
        status.resources.iter().any(|resource| resource.object.kind != status.resources[0].object.kind);
    let header = ["NAMESPACE", "NAME", "VERDICT", "FOR", "CAUSE"].map(str::to_owned);
    let rows = shown.iter().map(|resource| row(resource, status.coverage.now, mixed, view));
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
    let cause = resource.cause.as_ref();
    let since = cause.and_then(|cause| cause.since).or(resource.own.since);
    let lasted = since.map_or_else(|| "-".to_owned(), |since| when(since, now, view.times));
    let words = match cause {
        Some(cause) if cause.is_own => cause.message.clone().unwrap_or_else(|| cause.status.clone()),
        Some(cause) => match &cause.message {
            Some(message) => format!("{} {}: {message}", cause.object, cause.status),
            None => format!("{} {}", cause.object, cause.status),
        },
        None if resource.verdict == Verdict::Unknown => resource.own.message.clone().unwrap_or_default(),
        None => String::new(),
    };
    vec![
        Cell::from(resource.object.namespace.clone().unwrap_or_else(|| "-".to_owned())),
        name.into(),
        Cell { text: resource.verdict.to_string(), tone: tone(resource.verdict) },
        lasted.into(),
        words.into(),
    ]
}

const fn is_fine(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended)
}

/// Every resource as kubectl's `-o name` has it.
pub fn names(status: &StatusReport, styles: &Styles) -> String {
    let line = |resource: &Resource| styles.plain(&super::tree::resource_name(&resource.object)) + "\n";
    status.resources.iter().map(line).collect()
}

fn footer(status: &StatusReport, styles: &Styles) -> String {
    completeness(&status.coverage, styles) + "\n"
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

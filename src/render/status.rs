//! The status of resources as text: a page for one, a line each for several.

use jiff::Timestamp;

use super::footer::completeness;
use super::table::{Cell, layout};
use super::tree::{Times, tone};
use super::wrap::wrap_styled;
use crate::inspect::evaluation::{Cause, Node, is_unhealthy};
use crate::inspect::events::EventSummary;
use crate::inspect::health::rules;
use crate::inspect::status::{Resource, StatusReport};
use crate::model::age;
use crate::model::code::Code;
use crate::model::health::{ConditionMeaning, ConditionReport, Fact, Health, Severity, Verdict};
use crate::ui::{Styles, Tone};

/// If more resources than this are healthy, they are only counted.
const MAX_HEALTHY: usize = 10;

/// How a status is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presentation {
    pub times: Times,
    pub verbosity: Verbosity,
}

/// How much of each resource is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verbosity {
    Normal,
    Wide,
    /// The rule and the fields behind each verdict.
    Explained,
}

/// The page of one resource, without the next command.
pub fn one(
    resource: &Resource,
    status: &StatusReport,
    presentation: Presentation,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut head = wrap_styled(&resource.headline, tone(resource.verdict), styles, width) + "\n";
    head.push_str(&facts_lines(resource, status, presentation, styles, width));
    blocks.push(head);
    if !resource.conditions().is_empty() {
        blocks.push(conditions(
            resource.conditions(),
            status.coverage.now,
            presentation.times,
            styles,
            width,
        ));
    }
    let bad: Vec<&Node> = resource.children().iter().filter(|child| is_bad(child)).collect();
    if !bad.is_empty() {
        blocks.push(format!("not healthy\n{}", children(&bad, status.coverage.now, styles, width)));
    }
    if presentation.verbosity == Verbosity::Explained {
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
            events(all, status.coverage.now, presentation.times, styles, width)
        ));
    }
    blocks.join("\n") + "\n" + &footer(status, styles)
}

/// Findings that the headline and the cause do not report already.
fn findings(resource: &Resource, styles: &Styles, width: Option<u16>) -> String {
    let reported = resource.cause.as_ref().map(|cause| cause.code);
    let is_new =
        |code| Some(code) != reported && !matches!(code, Code::ReadyButChildNotReady | Code::NoStatus);
    let rows = resource.findings.iter().filter(|finding| is_new(finding.code)).map(|finding| {
        let tone = if finding.severity == Severity::Error { Tone::Error } else { Tone::Warning };
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
    is_unhealthy(child.own.verdict) && child.counts
}

/// Labelled lines under the verdict.
fn facts_lines(
    resource: &Resource,
    status: &StatusReport,
    presentation: Presentation,
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
    if !resource.finalizers.is_empty()
        && (resource.deleting.is_some() || presentation.verbosity != Verbosity::Normal)
    {
        row("finalizers", resource.finalizers.join(", "));
    }
    if let Some((Some(generation), Some(observed))) =
        body.map(|body| (body.generation, body.observed_generation))
        && observed < generation
    {
        row("generation", format!("{generation}, but the status is for generation {observed}"));
    }
    if presentation.verbosity != Verbosity::Normal {
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
            ConditionMeaning::Bad => Tone::Error,
            _ if condition.warning => Tone::Warning,
            ConditionMeaning::Good => Tone::Good,
            ConditionMeaning::Progressing | ConditionMeaning::Paused => Tone::Progressing,
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
        let tone = if line.is_warning() { Tone::Warning } else { Tone::Plain };
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

/// The rule behind each verdict, and the fields that it read.
fn reasons(resource: &Resource, styles: &Styles, width: Option<u16>) -> String {
    let below = resource.children().iter().filter(|child| child.own.verdict != Verdict::None);
    let all = std::iter::once((&resource.object, &resource.own));
    let rows = all.chain(below.map(|child| (&child.name, &child.own))).map(|(name, own)| {
        let Health { verdict, rule, facts, .. } = own;
        let description = rules::entry(*rule).description;
        let read: Vec<String> =
            facts.iter().map(|Fact { path, value }| format!("{path} = {value}")).collect();
        let read = if read.is_empty() { String::new() } else { format!("; fields: {}", read.join(", ")) };
        vec![
            Cell::from(format!("  {name}")),
            Cell { text: verdict.to_string(), tone: tone(*verdict) },
            rule.to_string().into(),
            format!("{description}{read}").into(),
        ]
    });
    table(None, rows.collect(), styles, width)
}

/// Several resources, one line each with the worst first, then counts.
pub fn many(
    status: &StatusReport,
    what: &str,
    presentation: Presentation,
    healthy: HealthyRows,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let total = status.resources.len();
    let bad = status.resources.iter().filter(|resource| !is_healthy(resource.verdict)).count();
    let unknown = status.resources.iter().filter(|resource| resource.verdict == Verdict::Unknown).count();
    let headline = match total {
        // Some may exist where nothing could be read.
        0 if !status.coverage.is_complete() => {
            format!("no {what} found, but not everything could be read")
        }
        _ => headline(bad - unknown, unknown, total, what),
    };
    let worst = status.resources.first().map_or(Verdict::None, |resource| resource.verdict);
    let healthy_count = total - bad;
    let shown: Vec<&Resource> = status
        .resources
        .iter()
        .filter(|resource| {
            healthy == HealthyRows::Shown || healthy_count <= MAX_HEALTHY || !is_healthy(resource.verdict)
        })
        .collect();
    let mixed =
        status.resources.iter().any(|resource| resource.object.kind != status.resources[0].object.kind);
    let header = ["NAMESPACE", "NAME", "VERDICT", "FOR", "CAUSE"].map(str::to_owned);
    let rows = shown.iter().map(|resource| row(resource, status.coverage.now, mixed, presentation));
    let table = if shown.is_empty() {
        String::new()
    } else {
        format!("\n{}", table(Some(&header), rows.collect(), styles, width))
    };
    let counts: Vec<String> =
        status.counts().into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let headline = wrap_styled(&headline, tone(worst), styles, width);
    format!("{headline}\n{table}\n{}\n{}", styles.plain(&counts.join(", ")), footer(status, styles))
}

fn headline(bad: usize, unknown: usize, total: usize, what: &str) -> String {
    let judged = match (bad, total) {
        (_, 0) => return format!("no {what} found"),
        (0, _) if unknown > 0 => String::new(),
        (0, 1) => format!("1 {what} is healthy"),
        (0, _) => format!("all {total} {what} are healthy"),
        (1, 1) => format!("1 {what} is not healthy"),
        (1, _) => format!("1 of {total} {what} is not healthy"),
        _ => format!("{bad} of {total} {what} are not healthy"),
    };
    match (judged.is_empty(), unknown) {
        (_, 0) => judged,
        (true, unknown) if unknown == total => match total {
            1 => format!("the health of 1 {what} is unknown"),
            _ => format!("the health of all {total} {what} is unknown"),
        },
        (true, _) => format!("the health of {unknown} of {total} {what} is unknown, the others are healthy"),
        (false, _) => format!("{judged}, the health of {unknown} is unknown"),
    }
}

/// Whether healthy resources are listed or only counted, if there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HealthyRows {
    Shown,
    Counted,
}

fn row(resource: &Resource, now: Timestamp, mixed: bool, presentation: Presentation) -> Vec<Cell> {
    let name = if mixed { resource.object.to_string() } else { resource.object.name.clone() };
    let cause = resource.cause.as_ref();
    let since = cause.and_then(|cause| cause.since).or(resource.own.since);
    let lasted = since.map_or_else(|| "-".to_owned(), |since| when(since, now, presentation.times));
    let text = match cause {
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
        text.into(),
    ]
}

const fn is_healthy(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::None | Verdict::Ready | Verdict::Suspended)
}

/// Every resource as `kubectl get -o name` prints it.
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
    layout(header.unwrap_or_default().to_vec(), painted, width)
}

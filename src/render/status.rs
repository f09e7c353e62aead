//! The status of resources as text: a page for one, a line each for several.

use jiff::Timestamp;

use super::footer::completeness;
use super::table::{Cell, differ, layout, or_nothing};
use super::tree::{age_header, tone};
use super::wrap::wrap_styled;
use crate::inspect::evaluation::{Cause, Node, is_unhealthy};
use crate::inspect::events::EventSummary;
use crate::inspect::health::rules;
use crate::inspect::status::{
    CauseText, KindCount, ListRow, ListedRows, Listing, LogContent, LogReport, Resource, StatusReport, Tally,
};
use crate::model::code::Code;
use crate::model::health::{ConditionMeaning, ConditionReport, Fact, Health, Severity, Verdict};
use crate::model::now::{Now, Times};
use crate::model::plural::counted;
use crate::ui::{Styles, Tone};

/// How a status is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presentation {
    pub times: Times,
    pub verbosity: Verbosity,
    pub namespaces: NamespaceColumn,
}

/// Whether a list has a column with the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamespaceColumn {
    /// As `kubectl get -A` does.
    Always,
    IfDifferent,
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
    let now = Now { time: status.coverage.now, times: presentation.times };
    let mut blocks: Vec<String> = Vec::new();
    let mut head = wrap_styled(&resource.headline, tone(resource.verdict), styles, width) + "\n";
    head.push_str(&facts_lines(resource, status, presentation, styles, width));
    blocks.push(head);
    if !resource.conditions().is_empty() {
        blocks.push(conditions(resource.conditions(), now, styles, width));
    }
    let bad: Vec<&Node> = resource.children().iter().filter(|child| is_bad(child)).collect();
    if !bad.is_empty() {
        blocks.push(format!("not healthy\n{}", children(&bad, now, styles, width)));
    }
    if presentation.verbosity == Verbosity::Explained {
        blocks.push(format!("why\n{}", reasons(resource, styles, width)));
    }
    let findings = findings(resource, styles, width);
    if !findings.is_empty() {
        blocks.push(format!("findings\n{findings}"));
    }
    blocks.extend(resource.log.as_ref().map(|log| last_lines(log, styles)));
    if let Some(all) = resource.events.as_ref().filter(|all| !all.is_empty()) {
        blocks.push(format!(
            "events ({}newest last)\n{}",
            if resource.children().is_empty() { "" } else { "whole tree, " },
            events(all, now, styles, width)
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
    let now = Now { time: status.coverage.now, times: presentation.times };
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut row = |label: &str, text: String| rows.push([label.to_owned(), text]);
    if let Some(cause) = resource.cause.as_ref() {
        row("cause", cause_line(cause, now));
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
        row("deleting", format!("requested {}", now.ago(since)));
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
        row("api version", resource.object.api_version.clone());
        if let Some(created) = resource.created {
            row(&age_header(now.times).to_lowercase(), now.cell(created));
        }
        if let Some(reason) = &resource.own.reason {
            row("reason", reason.clone());
        }
        row("rule", resource.own.rule.to_string());
        row("uid", resource.uid.clone());
    }
    if rows.is_empty() { String::new() } else { plain_rows(&rows, styles, width) }
}

fn cause_line(cause: &Cause, now: Now) -> String {
    let mut words = format!("{} {}", cause.display_name(), cause.status);
    if let Some(since) = cause.since {
        words = format!("{words} {}", now.lasting(since));
    }
    if let Some(warning) = &cause.last_warning {
        let ago = warning.last.map_or_else(String::new, |last| format!(", {}", now.ago(last)));
        words = format!("{words}; last warning {}{ago}: {}", warning.reason, warning.message);
    }
    format!("{words} ({})", cause.code)
}

fn conditions(all: &[ConditionReport], now: Now, styles: &Styles, width: Option<u16>) -> String {
    let header = ["CONDITION", "STATUS", since_header(now.times), "REASON", "MESSAGE"].map(str::to_owned);
    let rows = all.iter().map(|condition| {
        let guess = if condition.guessed { "~" } else { "" };
        let lasted = since_cell(condition.since, now);
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

fn children(all: &[&Node], now: Now, styles: &Styles, width: Option<u16>) -> String {
    let rows = all.iter().map(|child| {
        let guess = if child.related { "~" } else { "" };
        let lasted = since_cell(child.own.since, now);
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

fn events(all: &[EventSummary], now: Now, styles: &Styles, width: Option<u16>) -> String {
    let rows = all.iter().map(|line| {
        let last = since_cell(line.last, now);
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

/// The last lines of a crashed container, or why they cannot be shown. Lines are not wrapped, so that they can be
/// searched for.
fn last_lines(log: &LogReport, styles: &Styles) -> String {
    let run = if log.previous { ", previous run" } else { "" };
    let whose = format!("{}, container {}{run}", log.object, log.container);
    match &log.content {
        LogContent::Missing { error } => styles.plain(&format!("log ({whose}): {error}")) + "\n",
        LogContent::Lines { lines, truncated, binary } => {
            let count =
                if lines.len() == 1 { "last line".to_owned() } else { format!("last {} lines", lines.len()) };
            let shortened = if *truncated { ", shortened" } else { "" };
            let escaped = if *binary { ", binary data as \\xNN" } else { "" };
            let title = styles.plain(&format!("log ({whose}, {count}{shortened}{escaped})"));
            let lines = lines.iter().map(|line| format!("  {}\n", styles.plain(&line.replace('\t', "    "))));
            format!("{title}\n{}", lines.collect::<String>())
        }
    }
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
    listed: ListedRows,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let tally = status.tally();
    let headline = match tally.total {
        // Some may exist where nothing could be read.
        0 if !status.coverage.is_complete() => {
            format!("no {what} found, but not everything could be read")
        }
        _ => headline(&tally, what),
    };
    let worst = status.worst().map_or(Verdict::None, |resource| resource.verdict);
    let listing = Listing::of(status, listed);
    let list = ListColumns::of(status, presentation);
    let rows = listing.rows.iter().map(|row| list.row(row));
    let table = if listing.rows.is_empty() {
        String::new()
    } else {
        format!("\n{}", table(Some(&list.header()), rows.collect(), styles, width))
    };
    let headline = wrap_styled(&headline, tone(worst), styles, width);
    let counts = counts(&tally, &listing).into_iter().filter(|line| !line.is_empty());
    let counts: String = counts.map(|line| styles.plain(&line) + "\n").collect();
    format!("{headline}\n{table}\n{counts}{}", footer(status, styles))
}

/// The kinds that keep no status, a line each, and how many resources have each verdict.
fn counts(tally: &Tally, listing: &Listing<'_>) -> Vec<String> {
    let mut lines: Vec<String> = listing
        .without_status
        .iter()
        // The headline says it already.
        .filter(|_| listing.without_status.len() > 1 || tally.without_status < tally.total)
        .map(|KindCount { count, kind, kinds }| {
            let what = match kind {
                Some(_) => resources(*count, *kind, *kinds),
                None => format!("{count} resources of {kinds} other kinds"),
            };
            format!("{what} {} no status", keep(*count))
        })
        .collect();
    let mut counts: Vec<String> =
        tally.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    if tally.without_status > 0 && listing.without_status.is_empty() {
        counts.push(format!("{} {} no status", tally.without_status, keep(tally.without_status)));
    }
    let counts = counts.join(", ");
    let hint = if listing.is_shortened { "--all lists each of them" } else { "" };
    let separator = if counts.is_empty() || hint.is_empty() { "" } else { "; " };
    lines.push(format!("{counts}{separator}{hint}"));
    lines
}

/// `12 Widgets`, `40 resources of 12 kinds`.
fn resources(count: usize, kind: Option<&str>, kinds: usize) -> String {
    match kind {
        Some(kind) => counted(count, kind),
        None => format!("{count} resources of {kinds} kinds"),
    }
}

const fn keep(count: usize) -> &'static str {
    if count == 1 { "keeps" } else { "keep" }
}

fn headline(tally: &Tally, what: &str) -> String {
    let Tally { total, unhealthy, unknown, without_status, .. } = *tally;
    let healthy = total - unhealthy - unknown - without_status;
    let rest = match (healthy, without_status) {
        (_, 0) => "the others are healthy".to_owned(),
        (0, 1) => "the other keeps no status".to_owned(),
        (0, _) => "the others keep no status".to_owned(),
        (_, count) => format!("{count} {} no status, the others are healthy", keep(count)),
    };
    match (unhealthy, unknown) {
        _ if total == 0 => format!("no {what} found"),
        (0, 0) if without_status == 0 && total == 1 => format!("1 {what} is healthy"),
        (0, 0) if without_status == 0 => format!("all {total} {what} are healthy"),
        (0, 0) if without_status == total && total == 1 => format!("1 {what} keeps no status"),
        (0, 0) if without_status == total => format!("all {total} {what} keep no status"),
        (0, 0) => {
            let are = if healthy == 1 { "is" } else { "are" };
            format!(
                "{healthy} of {total} {what} {are} healthy, {without_status} {} no status",
                keep(without_status)
            )
        }
        (0, _) if unknown == total && total == 1 => format!("the health of 1 {what} is unknown"),
        (0, _) if unknown == total => format!("the health of all {total} {what} is unknown"),
        (0, _) => format!("the health of {unknown} of {total} {what} is unknown, {rest}"),
        _ => {
            let judged = match (unhealthy, total) {
                (1, 1) => format!("1 {what} is not healthy"),
                (1, _) => format!("1 of {total} {what} is not healthy"),
                _ => format!("{unhealthy} of {total} {what} are not healthy"),
            };
            if unknown == 0 { judged } else { format!("{judged}, the health of {unknown} is unknown") }
        }
    }
}

/// The columns of a list of resources.
struct ListColumns {
    now: Now,
    has_namespace: bool,
    is_wide: bool,
    /// Whether the resources are of several kinds.
    is_mixed: bool,
}

/// The cells of a row of a list; those of `wide` are shown on request.
struct ListCells {
    namespace: Cell,
    name: String,
    verdict: Verdict,
    since: String,
    wide: [Cell; 5],
    cause: String,
}

impl ListColumns {
    fn of(status: &StatusReport, presentation: Presentation) -> Self {
        let namespaces = status.resources.iter().map(|resource| resource.object.namespace.as_deref());
        let mut kinds = status.resources.iter().map(|resource| &resource.object.kind);
        let first = kinds.next();
        Self {
            now: Now { time: status.coverage.now, times: presentation.times },
            has_namespace: presentation.namespaces == NamespaceColumn::Always
                || differ(&namespaces.collect::<Vec<_>>()),
            is_wide: presentation.verbosity == Verbosity::Wide,
            is_mixed: kinds.any(|kind| Some(kind) != first),
        }
    }

    fn header(&self) -> Vec<String> {
        let namespace = self.has_namespace.then_some("NAMESPACE");
        let wide = ["READY", "REASON", "CODE", age_header(self.now.times), "API VERSION"];
        let wide = wide.into_iter().filter(|_| self.is_wide);
        let header = namespace.into_iter().chain(["NAME", "VERDICT", since_header(self.now.times)]);
        header.chain(wide).chain(["CAUSE"]).map(str::to_owned).collect()
    }

    fn row(&self, row: &ListRow<'_>) -> Vec<Cell> {
        let cells = match row {
            ListRow::One { resource, cause } => self.one(resource, *cause),
            ListRow::Fold { count, kind, kinds, namespaces, text } => {
                fold(&resources(*count, *kind, *kinds), namespaces, text)
            }
        };
        let ListCells { namespace, name, verdict, since, wide, cause } = cells;
        let namespace = self.has_namespace.then_some(namespace);
        let start = [name.into(), Cell { text: verdict.to_string(), tone: tone(verdict) }, since.into()];
        let wide = wide.into_iter().filter(|_| self.is_wide);
        namespace.into_iter().chain(start).chain(wide).chain([cause.into()]).collect()
    }

    fn one(&self, resource: &Resource, told: CauseText) -> ListCells {
        let (object, cause) = (&resource.object, resource.cause.as_ref());
        let name = if self.is_mixed { object.to_string() } else { object.name.clone() };
        let name = if told == CauseText::SameAsAbove { format!("  {name}") } else { name };
        // How long its own state has lasted says nothing about a cause below it.
        let since = cause.map_or(resource.own.since, |cause| cause.since);
        let reason = cause.and_then(|cause| cause.reason.as_deref()).or(resource.own.reason.as_deref());
        ListCells {
            namespace: or_nothing(object.namespace.as_deref().unwrap_or_default()),
            name,
            verdict: resource.verdict,
            since: since_cell(since, self.now),
            wide: [
                or_nothing(resource.own.ready.as_deref().unwrap_or_default()),
                or_nothing(reason.unwrap_or_default()),
                or_nothing(&cause.map_or_else(String::new, |cause| cause.code.to_string())),
                since_cell(resource.created, self.now).into(),
                or_nothing(&object.api_version),
            ],
            cause: cause_cell(resource, told),
        }
    }
}

fn cause_cell(resource: &Resource, told: CauseText) -> String {
    match resource.cause.as_ref() {
        Some(cause) if told == CauseText::SameAsAbove => {
            format!("same cause: {} {}", cause.object, cause.status)
        }
        Some(cause) if cause.is_own => cause.message.clone().unwrap_or_else(|| cause.status.clone()),
        Some(cause) => match &cause.message {
            Some(message) => format!("{} {}: {message}", cause.display_name(), cause.status),
            None => format!("{} {}", cause.display_name(), cause.status),
        },
        None if resource.verdict == Verdict::Unknown => resource.own.message.clone().unwrap_or_default(),
        None => match resource.warning() {
            Some(warning) if warning.object == resource.object => format!("warning: {}", warning.message),
            Some(warning) => format!("warning: {}: {}", warning.object, warning.message),
            None => String::new(),
        },
    }
}

/// The cells for several resources whose health is unknown.
fn fold(name: &str, namespaces: &[&str], text: &str) -> ListCells {
    let namespace = match namespaces {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several => counted(several.len(), "namespace"),
    };
    ListCells {
        namespace: or_nothing(&namespace),
        name: name.to_owned(),
        verdict: Verdict::Unknown,
        since: "-".to_owned(),
        wide: std::array::from_fn(|_| or_nothing("")),
        cause: text.to_owned(),
    }
}

/// Every resource as `kubectl get -o name` prints it.
pub fn names(status: &StatusReport, styles: &Styles) -> String {
    let line = |resource: &Resource| styles.plain(&super::tree::resource_name(&resource.object)) + "\n";
    status.resources.iter().map(line).collect()
}

fn footer(status: &StatusReport, styles: &Styles) -> String {
    completeness(&status.coverage, styles) + "\n"
}

fn since_cell(since: Option<Timestamp>, now: Now) -> String {
    since.map_or_else(|| "-".to_owned(), |since| now.cell(since))
}

/// The header of a column that says how long something has lasted.
const fn since_header(times: Times) -> &'static str {
    match times {
        Times::Ages => "FOR",
        Times::Absolute => "SINCE",
    }
}

fn plain_rows(rows: &[[String; 2]], styles: &Styles, width: Option<u16>) -> String {
    let rows = rows.iter().map(|row| row.iter().map(|text| Cell::from(text.clone())).collect()).collect();
    table(None, rows, styles, width)
}

fn table(header: Option<&[String]>, rows: Vec<Vec<Cell>>, styles: &Styles, width: Option<u16>) -> String {
    layout(header.unwrap_or_default().to_vec(), rows, styles, width)
}

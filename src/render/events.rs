//! Events as text: headline, one line per event with the newest last, and what could not be read.

use jiff::Timestamp;

use super::footer::completeness;
use super::table::{Cell, Table};
use super::tree::{ColumnSet, Times};
use super::wrap::wrap_styled;
use crate::inspect::events::{EventSummary, EventsReport};
use crate::model::age;
use crate::ui::{Styles, Tone};

/// Writes the report without the next command.
pub fn write(
    events: &EventsReport,
    column_set: ColumnSet,
    times: Times,
    styles: &Styles,
    width: Option<u16>,
) -> String {
    let tone = match (events.newest_warning().is_some(), events.is_incomplete()) {
        (true, _) => Tone::Warning,
        (false, true) => Tone::Dim,
        (false, false) => Tone::Plain,
    };
    let headline = wrap_styled(&events.headline, tone, styles, width);
    let footer = completeness(&events.coverage, styles);
    if events.events.is_empty() {
        return format!("{headline}\n\n{footer}\n");
    }
    let table = match column_set {
        ColumnSet::Default => usual(events, times, styles, width),
        ColumnSet::Wide => wide(events, times, styles, width),
    };
    format!("{headline}\n\n{table}\n{footer}\n")
}

/// Later events, one line each, below a table that was written before.
pub fn appended(events: &EventsReport, styles: &Styles) -> String {
    let line = |line: &EventSummary| {
        let time = line.last.map_or_else(|| "-".to_owned(), |last| format!("{last:.0}"));
        let count = if line.count > 1 { format!(" (x{})", line.count) } else { String::new() };
        let [event_type, reason, object] = columns(events, line);
        let head = styles.toned(event_type.tone, &format!("{time}{count}  {}", event_type.text));
        format!(
            "{head}  {}  {}  {}\n",
            styles.plain(&reason.text),
            styles.plain(&object.text),
            styles.plain(&line.message)
        )
    };
    events.events.iter().map(line).collect()
}

fn usual(events: &EventsReport, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let mut table = Table::new(["LAST", "TYPE", "REASON", "OBJECT", "MESSAGE"]);
    for line in &events.events {
        let [event_type, reason, object] = columns(events, line);
        table.row([
            when(events, line, times).into(),
            event_type,
            reason,
            object,
            line.message.clone().into(),
        ]);
    }
    table.write(styles, width)
}

fn wide(events: &EventsReport, times: Times, styles: &Styles, width: Option<u16>) -> String {
    let headers = ["LAST", "FIRST", "COUNT", "TYPE", "REASON", "OBJECT", "NAMESPACE", "SOURCE", "MESSAGE"];
    let mut table = Table::new(headers);
    for line in &events.events {
        let [event_type, reason, object] = columns(events, line);
        let or_nothing = |text: &str| Cell::from(if text.is_empty() { "-" } else { text }.to_owned());
        table.row([
            time(line.last, events.coverage.now, times).into(),
            time(line.first, events.coverage.now, times).into(),
            line.count.to_string().into(),
            event_type,
            reason,
            object,
            or_nothing(line.object.namespace.as_deref().unwrap_or_default()),
            or_nothing(&line.source),
            line.message.clone().into(),
        ]);
    }
    table.write(styles, width)
}

fn columns(events: &EventsReport, line: &EventSummary) -> [Cell; 3] {
    let tone = if line.is_warning() { Tone::Warning } else { Tone::Plain };
    let guess = if line.related { "~" } else { "" };
    let mut object = format!("{guess}{}", line.object);
    // The namespace, if it is not that of the root.
    let home = events.object.as_ref().and_then(|root| root.namespace.as_ref());
    if let Some(namespace) = line.object.namespace.as_ref().filter(|namespace| Some(*namespace) != home) {
        object = format!("{object} (in {namespace})");
    }
    [Cell { text: line.event_type.clone(), tone }, line.reason.clone().into(), object.into()]
}

/// `3m`, or `3m (x5 over 10m)` as kubectl prints it.
fn when(events: &EventsReport, line: &EventSummary, times: Times) -> String {
    let last = time(line.last, events.coverage.now, times);
    match (line.count, times) {
        (1, _) => last,
        (count, Times::Ages) => {
            format!("{last} (x{count} over {})", time(line.first, events.coverage.now, times))
        }
        (count, Times::Absolute) => {
            format!("{last} (x{count} since {})", time(line.first, events.coverage.now, times))
        }
    }
}

fn time(time: Option<Timestamp>, now: Timestamp, times: Times) -> String {
    match (time, times) {
        (None, _) => "<unknown>".to_owned(),
        (Some(time), Times::Ages) => age::human(now.duration_since(time)),
        (Some(time), Times::Absolute) => time.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::coverage::{Coverage, Scope};
    use crate::model::ident::ObjectName;

    fn name(kind: &str, namespace: &str, name: &str) -> ObjectName {
        let namespace = Some(namespace.to_owned());
        ObjectName { api_version: "v1".into(), kind: kind.into(), namespace, name: name.into() }
    }

    fn sample() -> EventsReport {
        let line = |object, event_type: &str, count, related| EventSummary {
            object,
            event_type: event_type.into(),
            reason: "BackOff".into(),
            message: "Back-off restarting failed container\x1b[31m nginx in pod shop-1\nagain".into(),
            count,
            first: "2026-11-16T10:00:00Z".parse().ok(),
            last: "2026-11-16T11:57:00Z".parse().ok(),
            source: String::new(),
            related,
        };
        EventsReport {
            schema: "kubectl-op/events/v1",
            events: vec![
                line(name("Pod", "shop", "shop-1"), "Warning", 5, false),
                line(name("ConfigMap", "other", "shop"), "Normal", 1, true),
            ],
            headline: "1 warning".into(),
            object: Some(name("Website", "shop", "shop")),
            coverage: Coverage {
                kinds: 12,
                scope: Scope::Namespace("shop".into()),
                gaps: Vec::new(),
                now: "2026-11-16T12:00:00Z".parse().unwrap(),
            },
            members: 2,
        }
    }

    #[test]
    fn counts_follow_the_age_and_guesses_are_marked() {
        let text = write(&sample(), ColumnSet::Default, Times::Ages, &Styles::default(), None);
        insta::assert_snapshot!(text, @r"
        1 warning

        LAST               TYPE     REASON   OBJECT                      MESSAGE
        3m (x5 over 120m)  Warning  BackOff  Pod/shop-1                  Back-off restarting failed container^[[31m nginx in pod shop-1\nagain
        3m                 Normal   BackOff  ~ConfigMap/shop (in other)  Back-off restarting failed container^[[31m nginx in pod shop-1\nagain

        complete: 12 kinds read in namespace shop
        ");
    }

    #[test]
    fn only_the_message_wraps() {
        let text = write(&sample(), ColumnSet::Default, Times::Ages, &Styles::default(), Some(90));
        insta::assert_snapshot!(text, @r"
        1 warning

        LAST               TYPE     REASON   OBJECT                      MESSAGE
        3m (x5 over 120m)  Warning  BackOff  Pod/shop-1                  Back-off restarting
                                                                         failed container^[[31m
                                                                         nginx in pod
                                                                         shop-1\nagain
        3m                 Normal   BackOff  ~ConfigMap/shop (in other)  Back-off restarting
                                                                         failed container^[[31m
                                                                         nginx in pod
                                                                         shop-1\nagain

        complete: 12 kinds read in namespace shop
        ");
    }

    #[test]
    fn wide_has_the_rest_and_times_can_be_absolute() {
        let text = write(&sample(), ColumnSet::Wide, Times::Ages, &Styles::default(), None);
        insta::assert_snapshot!(text, @r"
        1 warning

        LAST  FIRST  COUNT  TYPE     REASON   OBJECT                      NAMESPACE  SOURCE  MESSAGE
        3m    120m   5      Warning  BackOff  Pod/shop-1                  shop       -       Back-off restarting failed container^[[31m nginx in pod shop-1\nagain
        3m    120m   1      Normal   BackOff  ~ConfigMap/shop (in other)  other      -       Back-off restarting failed container^[[31m nginx in pod shop-1\nagain

        complete: 12 kinds read in namespace shop
        ");
        let text = write(&sample(), ColumnSet::Default, Times::Absolute, &Styles::default(), None);
        assert!(text.contains("\n2026-11-16T11:57:00Z (x5 since 2026-11-16T10:00:00Z)  Warning"), "{text}");
    }

    #[test]
    fn no_events_make_no_table() {
        let text = write(
            &EventsReport { events: Vec::new(), headline: "no events".into(), ..sample() },
            ColumnSet::Default,
            Times::Ages,
            &Styles::default(),
            None,
        );
        assert_eq!(text, "no events\n\ncomplete: 12 kinds read in namespace shop\n");
    }
}

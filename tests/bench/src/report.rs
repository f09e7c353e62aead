//! The figures and the verdicts as text.

use std::fmt::Write as _;

use crate::cli::Format;
use crate::comparison::Comparison;
use crate::figures::{BinaryStats, CaseResult, Row};
use crate::table::Table;
use crate::targets::{Check, Verdict, missed};
use crate::tool::Tool;
use crate::units::{self, float};

/// One case: a table with a title, and who failed and why.
pub(crate) fn case(result: &CaseResult, format: Format) -> String {
    let header = [
        "subject",
        "wall",
        "fastest",
        "slowest",
        "wall ratio",
        "peak",
        "received",
        "no gzip",
        "requests",
        "connections",
        "lines",
    ];
    let mut table = Table::new(&header, 1);
    for row in result.rows.iter().filter(|row| row.outcome.is_ok()) {
        table.push(cells(result, row));
    }
    let failed = |row: &Row| Some(format!("{} failed: {}\n", row.tool, row.outcome.as_ref().err()?));
    let mut failures: String = result.rows.iter().filter_map(failed).collect();
    if format == Format::Markdown && !failures.is_empty() {
        // Or they would be rows of the table.
        failures.insert(0, '\n');
    }
    let title = format!("{} ({} listed)", result.case, result.kinds);
    format!("{}{}{failures}\n", heading(&title, format), table.render(format))
}

fn cells(result: &CaseResult, row: &Row) -> Vec<String> {
    let Ok(figures) = &row.outcome else { return Vec::new() };
    let op = result.figures(Tool::Op).map(|op| op.wall.as_secs_f64());
    let bytes = |bytes: u64| units::megabytes(float(bytes));
    vec![
        row.tool.to_string(),
        units::time(figures.wall),
        units::time(figures.fastest),
        units::time(figures.slowest),
        op.map_or_else(|| "-".to_owned(), |op| units::times(figures.wall.as_secs_f64() / op)),
        bytes(figures.peak),
        bytes(figures.traffic.bytes),
        figures.uncompressed.map_or_else(|| "-".to_owned(), bytes),
        figures.traffic.requests.to_string(),
        figures.traffic.connections.to_string(),
        figures.lines.to_string(),
    ]
}

/// What was measured beside the cases: ratios are to the first row.
pub(crate) fn comparison(comparison: &Comparison, format: Format) -> String {
    let header = [
        "subject",
        "wall",
        "fastest",
        "slowest",
        "wall ratio",
        "peak",
        "received",
        "requests",
        "lists",
        "lines",
    ];
    let mut table = Table::new(&header, 1);
    let first = comparison.rows.first().and_then(|row| row.outcome.as_ref().ok()).map(|first| first.wall);
    let mut failures = String::new();
    for row in &comparison.rows {
        let figures = match &row.outcome {
            Ok(figures) => figures,
            Err(why) => {
                let _ = writeln!(failures, "{} failed: {why}", row.command);
                continue;
            }
        };
        let ratio = first.map(|first| figures.wall.as_secs_f64() / first.as_secs_f64());
        let counted = |number: usize| match figures.traffic.requests {
            0 => "-".to_owned(),
            _ => number.to_string(),
        };
        table.push(vec![
            row.command.to_string(),
            units::time(figures.wall),
            units::time(figures.fastest),
            units::time(figures.slowest),
            ratio.map_or_else(|| "-".to_owned(), units::times),
            units::megabytes(float(figures.peak)),
            match figures.traffic.bytes {
                0 => "-".to_owned(),
                bytes => units::megabytes(float(bytes)),
            },
            counted(figures.traffic.requests),
            counted(figures.traffic.lists),
            figures.lines.to_string(),
        ]);
    }
    if format == Format::Markdown && !failures.is_empty() {
        failures.insert(0, '\n');
    }
    format!("{}{}{failures}\n", heading(&comparison.title, format), table.render(format))
}

/// The binary's own figures, in a line.
pub(crate) fn binary(binary: BinaryStats) -> String {
    let (size, help) = (units::megabytes(float(binary.size)), units::time(binary.help));
    format!("kubectl-op: {size}, start to --help {help}\n\n")
}

/// The verdicts, and a last line that counts them.
pub(crate) fn targets(checks: &[Check], format: Format) -> String {
    let mut table = Table::new(&["verdict", "target", "limit", "found"], 2);
    for check in checks {
        let verdict = match check.verdict {
            Verdict::Pass => "PASS",
            Verdict::Miss => "MISS",
            Verdict::NotMeasured => "-",
        };
        let (what, limit, found) = (check.what.clone(), check.limit.clone(), check.found.clone());
        table.push(vec![verdict.to_owned(), what, limit, found]);
    }
    let unmeasured = checks.iter().filter(|check| check.verdict == Verdict::NotMeasured).count();
    let missed = missed(checks);
    let met = checks.len() - missed - unmeasured;
    let last = format!("{met} targets met, {missed} missed, {unmeasured} not measured\n");
    let gap = if format == Format::Markdown { "\n" } else { "" };
    format!("{}{}{gap}{last}", heading("targets", format), table.render(format))
}

fn heading(title: &str, format: Format) -> String {
    match format {
        Format::Text => format!("{title}\n"),
        Format::Markdown => format!("### {title}\n\n"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench_case::BenchCase;
    use crate::comparison::{ComparisonRow, MeasuredCommand};
    use crate::figures::{Figures, Traffic};

    fn sample() -> CaseResult {
        let figures = |milliseconds, bytes| Figures {
            wall: Duration::from_millis(milliseconds),
            fastest: Duration::from_millis(milliseconds - 10),
            slowest: Duration::from_millis(milliseconds + 10),
            peak: 20_000_000,
            lines: 216,
            traffic: Traffic { bytes, requests: 449, connections: 1, ..Traffic::default() },
            uncompressed: None,
        };
        let rows = vec![
            Row { tool: Tool::Op, outcome: Ok(figures(200, 2_000_000)) },
            Row { tool: Tool::Lineage, outcome: Ok(figures(2_300, 19_000_000)) },
            Row { tool: Tool::Bare, outcome: Err("no answer".to_owned()) },
        ];
        CaseResult { case: BenchCase::BASELINE, kinds: 231, nodes: 211, rows }
    }

    #[test]
    fn a_page_shows_ratios_and_failures() {
        let text = case(&sample(), Format::Text);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "10000 objects, 230 kinds (231 listed)");
        assert!(lines[2].starts_with("kubectl-op    200 ms   190 ms   210 ms       1.00x"), "{}", lines[2]);
        assert!(lines[3].contains("11.5x") && lines[3].contains("19.0 MB"), "{}", lines[3]);
        assert_eq!(lines[4], "bare minimum failed: no answer");
    }

    #[test]
    fn an_aside_compares_with_its_first_row() {
        let Ok(figures) = sample().rows[0].outcome.clone() else { panic!("the sample answers") };
        let slower = Figures { wall: figures.wall * 3, traffic: Traffic::default(), ..figures };
        let rows = vec![
            ComparisonRow { command: MeasuredCommand::DumpTree, outcome: Ok(figures) },
            ComparisonRow { command: MeasuredCommand::DumpReader, outcome: Ok(slower) },
            ComparisonRow { command: MeasuredCommand::DemoTree, outcome: Err("no answer".to_owned()) },
        ];
        let text = comparison(&Comparison { title: "a dump".to_owned(), rows }, Format::Text);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "a dump");
        assert!(lines[2].contains("1.00x") && lines[2].contains("449"), "{}", lines[2]);
        assert!(lines[3].contains("3.00x") && lines[3].ends_with("-      -    216"), "{}", lines[3]);
        assert_eq!(lines[4], "kubectl-op tree --demo failed: no answer");
    }

    #[test]
    fn the_last_line_counts_the_verdicts() {
        let check = |verdict| Check {
            what: "connections".to_owned(),
            limit: "at most 4".to_owned(),
            found: "1".to_owned(),
            verdict,
        };
        let checks = [check(Verdict::Pass), check(Verdict::Miss), check(Verdict::NotMeasured)];
        let text = targets(&checks, Format::Text);
        assert!(text.contains("PASS     connections  at most 4      1\n"), "{text}");
        assert!(text.ends_with("1 targets met, 1 missed, 1 not measured\n"));
        assert!(targets(&checks, Format::Markdown).starts_with("### targets\n\n| verdict | target |"));
    }
}

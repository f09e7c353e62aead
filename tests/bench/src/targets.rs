//! The targets for speed and size, and whether the figures meet them.

mod comparison;

use crate::bench_case::BenchCase;
use crate::figures::{BenchResults, Figures};
use crate::metric_value::MetricValue;
use crate::tool::Tool;
use crate::units::{self, float};

/// One target and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Check {
    pub(crate) what: String,
    pub(crate) limit: String,
    pub(crate) found: String,
    pub(crate) verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pass,
    Miss,
    /// The run did not include what it takes to tell.
    NotMeasured,
}

/// Which side of the limit is right.
#[derive(Clone, Copy, Debug)]
enum Limit {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
}

type Spelling = fn(f64) -> String;

const KILO: f64 = 1_000.0;
const MEGA: f64 = 1_000_000.0;

/// Judges every target.
pub(crate) fn judge(results: &BenchResults) -> Vec<Check> {
    let results = &results.judgeable();
    let mut checks = beside_others(results);
    checks.extend(when_it_grows(results));
    checks.push(answers(results));
    checks.push(requests(results));
    checks.push(connections(results));
    checks.extend(comparison::judge(results));
    checks.extend(binary(results));
    checks
}

/// How many were missed.
pub(crate) fn missed(checks: &[Check]) -> usize {
    checks.iter().filter(|check| check.verdict == Verdict::Miss).count()
}

fn wall(figures: &Figures) -> f64 {
    figures.wall.as_secs_f64()
}

fn peak(figures: &Figures) -> f64 {
    float(figures.peak)
}

fn bytes(figures: &Figures) -> f64 {
    float(figures.traffic.bytes)
}

fn uncompressed(figures: &Figures) -> f64 {
    float(figures.uncompressed.unwrap_or(figures.traffic.bytes))
}

fn beside_others(results: &BenchResults) -> Vec<Check> {
    let of = |tool, figure| MetricValue::of(results, BenchCase::BASELINE, tool, figure);
    let lineage = of(Tool::Lineage, bytes);
    vec![
        check(
            format!("faster than kube-lineage ({})", BenchCase::BASELINE),
            &of(Tool::Lineage, wall).over(of(Tool::Op, wall)),
            Limit::AtLeast(10.0),
            units::times,
        ),
        check(
            "fewer bytes than kube-lineage, uncompressed".to_owned(),
            &lineage.clone().over(of(Tool::Op, uncompressed)),
            Limit::AtLeast(8.0),
            units::times,
        ),
        check(
            "fewer bytes than kube-lineage, as asked by default (gzip)".to_owned(),
            &lineage.over(of(Tool::Op, bytes)),
            Limit::AtLeast(12.0),
            units::times,
        ),
        check(
            "wall time beside the bare minimum".to_owned(),
            &of(Tool::Op, wall).over(of(Tool::Bare, wall)),
            Limit::AtMost(1.2),
            units::times,
        ),
    ]
}

fn when_it_grows(results: &BenchResults) -> Vec<Check> {
    let of = |case, tool, figure| MetricValue::of(results, case, tool, figure);
    let op = |case, figure| of(case, Tool::Op, figure);
    vec![
        check(
            "wall time when unrelated objects grow 10x".to_owned(),
            &op(BenchCase::BASELINE, wall).over(op(BenchCase::SMALL, wall)),
            Limit::AtMost(3.0),
            units::times,
        ),
        check(
            "more peak memory when unrelated objects grow 10x".to_owned(),
            &op(BenchCase::BASELINE, peak).minus(op(BenchCase::SMALL, peak)),
            Limit::AtMost(30.0 * MEGA),
            units::megabytes,
        ),
        check(
            format!("faster than kube-lineage ({})", BenchCase::LARGE),
            &of(BenchCase::LARGE, Tool::Lineage, wall).over(op(BenchCase::LARGE, wall)),
            Limit::AtLeast(30.0),
            units::times,
        ),
        check(
            format!("peak memory ({})", BenchCase::LARGE),
            &op(BenchCase::LARGE, peak),
            Limit::Below(40.0 * MEGA),
            units::megabytes,
        ),
    ]
}

/// Not in the README, where it goes without saying; here a case without another target must not hide a failure.
fn answers(results: &BenchResults) -> Check {
    let asked: Vec<_> = results.cases.iter().filter_map(|result| result.row(Tool::Op)).collect();
    let failed = asked.iter().filter(|row| row.outcome.is_err()).count();
    let value = if asked.is_empty() { MetricValue::Absent } else { MetricValue::Value(float(failed as u64)) };
    check("cases without an answer".to_owned(), &value, Limit::AtMost(0.0), count)
}

/// Of all cases, the one in which the fewest requests are left of those that are allowed.
fn requests(results: &BenchResults) -> Check {
    let allowed = results.cases.iter().filter_map(|result| {
        let figures = result.figures(Tool::Op)?;
        // A folded tree prints fewer lines than it has nodes, and may read no more than it prints.
        let allowed = result.kinds + result.nodes.min(figures.lines) + 5;
        Some((result.case, float(allowed as u64), float(figures.traffic.requests as u64)))
    });
    let tightest = allowed.min_by(|one, other| (one.1 - one.2).total_cmp(&(other.1 - other.2)));
    let what = "requests, at most kinds + printed nodes + 5";
    if let Some((case, allowed, requests)) = tightest {
        check(format!("{what} ({case})"), &MetricValue::Value(requests), Limit::AtMost(allowed), count)
    } else {
        let nowhere = MetricValue::anywhere(results, Tool::Op);
        // What is allowed depends on the case, and there is none.
        Check { limit: "-".to_owned(), ..check(what.to_owned(), &nowhere, Limit::AtMost(0.0), count) }
    }
}

fn connections(results: &BenchResults) -> Check {
    let most = results
        .cases
        .iter()
        .filter_map(|result| result.figures(Tool::Op))
        .map(|figures| figures.traffic.connections)
        .max();
    let value =
        most.map_or_else(|| MetricValue::anywhere(results, Tool::Op), |most| MetricValue::Value(float(most)));
    check("connections".to_owned(), &value, Limit::AtMost(4.0), count)
}

fn binary(results: &BenchResults) -> Vec<Check> {
    let binary = results.binary;
    let value = |value: Option<f64>| value.map_or(MetricValue::Absent, MetricValue::Value);
    vec![
        check(
            "size of the binary".to_owned(),
            &value(binary.map(|binary| float(binary.size))),
            Limit::Below(10.0 * MEGA),
            units::megabytes,
        ),
        check(
            "start to --help".to_owned(),
            &value(binary.map(|binary| binary.help.as_secs_f64() * KILO)),
            Limit::Below(10.0),
            milliseconds,
        ),
    ]
}

fn check(what: String, value: &MetricValue, limit: Limit, spell: Spelling) -> Check {
    let (word, bound) = match limit {
        Limit::AtLeast(bound) => ("at least", bound),
        Limit::AtMost(bound) => ("at most", bound),
        Limit::Below(bound) => ("below", bound),
    };
    let (found, verdict) = match value {
        MetricValue::Value(value) => (spell(*value), limit.verdict(*value)),
        // A target that could not be measured is not met.
        MetricValue::Failed(why) => (why.clone(), Verdict::Miss),
        MetricValue::Absent => ("-".to_owned(), Verdict::NotMeasured),
    };
    Check { what, limit: format!("{word} {}", spell(bound)), found, verdict }
}

impl Limit {
    fn verdict(self, value: f64) -> Verdict {
        let kept = match self {
            Self::AtLeast(bound) => value >= bound,
            Self::AtMost(bound) => value <= bound,
            Self::Below(bound) => value < bound,
        };
        if kept { Verdict::Pass } else { Verdict::Miss }
    }
}

fn count(value: f64) -> String {
    format!("{value:.0}")
}

fn milliseconds(value: f64) -> String {
    format!("{value:.1} ms")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::figures::{BinaryStats, CaseResult, Row, Traffic};
    use crate::output_check::OpCommand;

    fn figures(milliseconds: u64, megabytes: u64, requests: usize) -> Figures {
        let wall = Duration::from_millis(milliseconds);
        let traffic =
            Traffic { bytes: megabytes * 1_000_000, requests, connections: 1, ..Traffic::default() };
        Figures {
            wall,
            fastest: wall,
            slowest: wall,
            peak: megabytes * 1_000_000,
            lines: 216,
            traffic,
            uncompressed: None,
        }
    }

    fn case_result(case: BenchCase, rows: Vec<(Tool, Result<Figures, String>)>) -> CaseResult {
        let rows = rows.into_iter().map(|(tool, outcome)| Row { tool, outcome }).collect();
        CaseResult { case, kinds: 233, nodes: 211, rows }
    }

    fn verdict(results: &BenchResults, what: &str) -> (Verdict, String) {
        let check = judge(results).into_iter().find(|check| check.what.starts_with(what)).unwrap();
        (check.verdict, check.found)
    }

    fn usual(op: Result<Figures, String>) -> BenchResults {
        let rows = vec![
            (Tool::Op, op),
            (Tool::Lineage, Ok(figures(2_300, 19, 400))),
            (Tool::Bare, Ok(figures(150, 2, 235))),
        ];
        BenchResults { cases: vec![case_result(BenchCase::BASELINE, rows)], ..BenchResults::default() }
    }

    #[test]
    fn ratios_are_judged_in_the_right_direction() {
        let good = usual(Ok(figures(175, 2, 236)));
        assert_eq!(verdict(&good, "faster than kube-lineage (10000"), (Verdict::Pass, "13.1x".to_owned()));
        assert_eq!(verdict(&good, "fewer bytes than kube-lineage, unc"), (Verdict::Pass, "9.50x".to_owned()));
        assert_eq!(verdict(&good, "fewer bytes than kube-lineage, as"), (Verdict::Miss, "9.50x".to_owned()));
        assert_eq!(verdict(&good, "wall time beside"), (Verdict::Pass, "1.17x".to_owned()));
        let slow = usual(Ok(figures(240, 2, 236)));
        assert_eq!(verdict(&slow, "faster than kube-lineage (10000"), (Verdict::Miss, "9.58x".to_owned()));
        assert_eq!(verdict(&slow, "wall time beside"), (Verdict::Miss, "1.60x".to_owned()));
    }

    #[test]
    fn growth_needs_both_cases() {
        let mut results = usual(Ok(figures(190, 40, 236)));
        assert_eq!(verdict(&results, "wall time when").0, Verdict::NotMeasured);
        results.cases.push(case_result(BenchCase::SMALL, vec![(Tool::Op, Ok(figures(60, 9, 236)))]));
        assert_eq!(verdict(&results, "wall time when"), (Verdict::Miss, "3.17x".to_owned()));
        assert_eq!(verdict(&results, "more peak memory"), (Verdict::Miss, "31.0 MB".to_owned()));
    }

    #[test]
    fn requests_may_cover_kinds_and_printed_nodes_and_five() {
        let at = |requests| verdict(&usual(Ok(figures(190, 2, requests))), "requests");
        assert_eq!(at(449), (Verdict::Pass, "449".to_owned()));
        assert_eq!(at(450), (Verdict::Miss, "450".to_owned()));
        // Of a folded tree, only what it printed.
        let folded = Figures { lines: 10, ..figures(190, 2, 249) };
        assert_eq!(verdict(&usual(Ok(folded)), "requests").0, Verdict::Miss);
    }

    #[test]
    fn a_subject_that_fails_misses_and_one_left_out_does_not() {
        let failed = usual(Err("no such command".to_owned()));
        let (seen, why) = verdict(&failed, "faster than kube-lineage (10000");
        assert_eq!((seen, why.as_str()), (Verdict::Miss, "kubectl-op failed: no such command"));
        assert_eq!(verdict(&failed, "connections").0, Verdict::Miss);
        assert_eq!(verdict(&failed, "cases without an answer"), (Verdict::Miss, "1".to_owned()));
        let mut left_out = failed;
        left_out.cases[0].rows.remove(0);
        assert_eq!(verdict(&left_out, "connections").0, Verdict::NotMeasured);
        assert_eq!(missed(&judge(&left_out)), 0);
    }

    #[test]
    fn another_question_is_not_judged() {
        let results = BenchResults { op_command: OpCommand::Other, ..usual(Ok(figures(1, 1, 1))) };
        assert!(judge(&results).iter().all(|check| check.verdict == Verdict::NotMeasured));
    }

    #[test]
    fn the_binary_has_limits_of_its_own() {
        let binary = BinaryStats { size: 7_900_000, help: Duration::from_millis(12) };
        let results = BenchResults { binary: Some(binary), ..BenchResults::default() };
        assert_eq!(verdict(&results, "size"), (Verdict::Pass, "7.9 MB".to_owned()));
        assert_eq!(verdict(&results, "start"), (Verdict::Miss, "12.0 ms".to_owned()));
    }
}

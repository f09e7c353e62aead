//! The targets besides those for trees of a cluster.

use super::{Check, KILO, Limit, MEGA, check, count, milliseconds, peak, wall};
use crate::comparison::{MeasuredCommand, Related};
use crate::figures::{BenchResults, Figures};
use crate::metric_value::MetricValue;
use crate::units::{self, float};

/// One list of events, and one of the columns that the kind's author chose.
const BESIDE_TREE: f64 = 2.0;

/// Judges them.
pub(super) fn judge(results: &BenchResults) -> Vec<Check> {
    let of = |command, figure| MetricValue::beside(results, command, figure);
    let mut checks = vec![
        check(
            "tree of a dump beside reading and parsing it once".to_owned(),
            &of(MeasuredCommand::DumpTree, wall).over(of(MeasuredCommand::DumpReader, wall)),
            Limit::AtMost(2.0),
            units::times,
        ),
        check(
            "peak memory of that, beside the bare reader".to_owned(),
            &of(MeasuredCommand::DumpTree, peak).over(of(MeasuredCommand::DumpReader, peak)),
            Limit::AtMost(1.0),
            units::times,
        ),
        check(
            "tree of the built-in demo cluster".to_owned(),
            &of(MeasuredCommand::DemoTree, |figures| wall(figures) * KILO),
            Limit::Below(50.0),
            milliseconds,
        ),
        check(
            "status of many resources beside the same requests alone".to_owned(),
            &of(MeasuredCommand::StatusAll, wall).over(of(MeasuredCommand::StatusReplay, wall)),
            Limit::AtMost(1.5),
            units::times,
        ),
        check(
            "peak memory of that".to_owned(),
            &of(MeasuredCommand::StatusAll, peak),
            Limit::Below(150.0 * MEGA),
            units::megabytes,
        ),
        check(
            "lists of any one kind in that".to_owned(),
            &of(MeasuredCommand::StatusAll, |figures| float(figures.traffic.most_lists as u64)),
            Limit::AtMost(2.0),
            count,
        ),
    ];
    checks.extend(related(results));
    checks.push(check(
        "requests of status beyond those of tree".to_owned(),
        &of(MeasuredCommand::CountedStatus, requests).minus(of(MeasuredCommand::CountedTree, requests)),
        Limit::AtMost(BESIDE_TREE),
        count,
    ));
    checks
}

fn requests(figures: &Figures) -> f64 {
    float(figures.traffic.requests as u64)
}

/// What a tree asks for beyond one with `--owned-only`.
fn related(results: &BenchResults) -> [Check; 2] {
    // Without the output of both there is nothing to compare, and the one that failed says why.
    let of = |command| MetricValue::beside(results, command, |_| 0.0);
    let none = of(MeasuredCommand::CountedTree).minus(of(MeasuredCommand::CountedOwnedTree));
    let value = |number: fn(&Related) -> usize| {
        let value = |related| MetricValue::Value(float(number(related) as u64));
        results.related.as_ref().map_or_else(|| none.clone(), value)
    };
    [
        check(
            "further lists for related children".to_owned(),
            &value(|related| related.lists),
            Limit::AtMost(0.0),
            count,
        ),
        check(
            "further reads of what is not printed".to_owned(),
            &value(|related| related.unprinted),
            Limit::AtMost(0.0),
            count,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Verdict;
    use super::*;
    use crate::comparison::{Comparison, ComparisonRow};
    use crate::figures::Traffic;

    fn figures(milliseconds: u64, megabytes: u64, requests: usize, most_lists: usize) -> Figures {
        let wall = Duration::from_millis(milliseconds);
        let traffic = Traffic { requests, most_lists, ..Traffic::default() };
        let peak = megabytes * 1_000_000;
        Figures { wall, fastest: wall, slowest: wall, peak, lines: 1, traffic, uncompressed: None }
    }

    fn with(rows: &[(MeasuredCommand, Figures)]) -> BenchResults {
        let row = |(command, figures): &(MeasuredCommand, Figures)| ComparisonRow {
            command: *command,
            outcome: Ok(*figures),
        };
        let comparison = Comparison { title: String::new(), rows: rows.iter().map(row).collect() };
        BenchResults { comparisons: vec![comparison], ..BenchResults::default() }
    }

    fn verdicts(results: &BenchResults) -> Vec<(Verdict, String)> {
        judge(results).into_iter().map(|check| (check.verdict, check.found)).collect()
    }

    #[test]
    fn nothing_is_judged_that_was_not_measured() {
        let all = verdicts(&BenchResults::default());
        assert!(all.iter().all(|(verdict, _)| *verdict == Verdict::NotMeasured), "{all:?}");
    }

    #[test]
    fn a_dump_is_compared_with_its_bare_reader() {
        let tree = figures(1_000, 90, 0, 0);
        let good = verdicts(&with(&[
            (MeasuredCommand::DumpTree, tree),
            (MeasuredCommand::DumpReader, figures(800, 900, 0, 0)),
        ]));
        assert_eq!(good[0], (Verdict::Pass, "1.25x".to_owned()));
        assert_eq!(good[1], (Verdict::Pass, "0.10x".to_owned()));
        let bad = verdicts(&with(&[
            (MeasuredCommand::DumpTree, tree),
            (MeasuredCommand::DumpReader, figures(400, 80, 0, 0)),
        ]));
        assert_eq!((bad[0].0, bad[1].0), (Verdict::Miss, Verdict::Miss));
        assert_eq!(verdicts(&with(&[(MeasuredCommand::DemoTree, figures(50, 9, 0, 0))]))[2].0, Verdict::Miss);
    }

    #[test]
    fn status_is_compared_with_its_requests() {
        let bare = (MeasuredCommand::StatusReplay, figures(500, 20, 70, 0));
        let good = verdicts(&with(&[(MeasuredCommand::StatusAll, figures(700, 140, 70, 2)), bare]));
        assert!(good[3..6].iter().all(|(verdict, _)| *verdict == Verdict::Pass), "{good:?}");
        let bad = verdicts(&with(&[(MeasuredCommand::StatusAll, figures(1_100, 150, 70, 20)), bare]));
        assert!(bad[3..6].iter().all(|(verdict, _)| *verdict == Verdict::Miss), "{bad:?}");
    }

    #[test]
    fn related_children_may_cost_reads_of_what_is_printed_only() {
        let mut results = with(&[
            (MeasuredCommand::CountedTree, figures(1, 1, 70, 1)),
            (MeasuredCommand::CountedStatus, figures(1, 1, 73, 1)),
        ]);
        results.related = Some(Related { lists: 1, unprinted: 0 });
        let all = verdicts(&results);
        assert_eq!((all[6].0, all[7].0), (Verdict::Miss, Verdict::Pass));
        assert_eq!(all[8], (Verdict::Miss, "3".to_owned()));
    }

    #[test]
    fn a_tree_that_failed_misses_the_target() {
        let mut results = with(&[(MeasuredCommand::CountedOwnedTree, figures(1, 1, 70, 1))]);
        let outcome = Err("no answer".to_owned());
        results.comparisons[0].rows.push(ComparisonRow { command: MeasuredCommand::CountedTree, outcome });
        let all = verdicts(&results);
        assert!(all[6..8].iter().all(|(verdict, _)| *verdict == Verdict::Miss), "{all:?}");
    }
}

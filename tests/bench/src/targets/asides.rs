//! What is promised beside the trees of a cluster.

use super::{Check, KILO, Limit, MEGA, check, count, milliseconds, peak, wall};
use crate::aside::{Entry, Related};
use crate::figures::{Figures, Findings};
use crate::reading::Reading;
use crate::units::{self, float};

/// One list of events, and one of the columns that the kind's author chose.
const BESIDE_TREE: f64 = 2.0;

/// Judges them.
pub(super) fn judge(findings: &Findings) -> Vec<Check> {
    let of = |entry, figure| Reading::beside(findings, entry, figure);
    let mut checks = vec![
        check(
            "tree of a dump beside reading and parsing it once".to_owned(),
            &of(Entry::DumpTree, wall).over(of(Entry::DumpReader, wall)),
            Limit::AtMost(2.0),
            units::times,
        ),
        check(
            "peak memory of that, beside the bare reader".to_owned(),
            &of(Entry::DumpTree, peak).over(of(Entry::DumpReader, peak)),
            Limit::AtMost(1.0),
            units::times,
        ),
        check(
            "tree of the built-in demo cluster".to_owned(),
            &of(Entry::DemoTree, |figures| wall(figures) * KILO),
            Limit::Below(50.0),
            milliseconds,
        ),
        check(
            "status of a crowd beside the same requests alone".to_owned(),
            &of(Entry::CrowdStatus, wall).over(of(Entry::CrowdReplay, wall)),
            Limit::AtMost(1.5),
            units::times,
        ),
        check(
            "peak memory of that".to_owned(),
            &of(Entry::CrowdStatus, peak),
            Limit::Below(150.0 * MEGA),
            units::megabytes,
        ),
        check(
            "lists of any one kind in that".to_owned(),
            &of(Entry::CrowdStatus, |figures| float(figures.traffic.most_lists as u64)),
            Limit::AtMost(2.0),
            count,
        ),
    ];
    checks.extend(related(findings));
    checks.push(check(
        "requests of status beyond those of tree".to_owned(),
        &of(Entry::CircleStatus, requests).minus(of(Entry::CircleTree, requests)),
        Limit::AtMost(BESIDE_TREE),
        count,
    ));
    checks
}

fn requests(figures: &Figures) -> f64 {
    float(figures.traffic.requests as u64)
}

/// What a tree asks for beyond one with `--owned-only`.
fn related(findings: &Findings) -> [Check; 2] {
    // Without an answer of both there is nothing to compare, and that one failed says why.
    let of = |entry| Reading::beside(findings, entry, |_| 0.0);
    let none = of(Entry::CircleTree).minus(of(Entry::CircleOwned));
    let reading = |number: fn(&Related) -> usize| {
        let value = |related| Reading::Value(float(number(related) as u64));
        findings.related.as_ref().map_or_else(|| none.clone(), value)
    };
    [
        check(
            "further lists for related children".to_owned(),
            &reading(|related| related.lists),
            Limit::AtMost(0.0),
            count,
        ),
        check(
            "further reads of what is not printed".to_owned(),
            &reading(|related| related.unprinted),
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
    use crate::aside::{Aside, AsideRow};
    use crate::figures::Traffic;

    fn figures(milliseconds: u64, megabytes: u64, requests: usize, most_lists: usize) -> Figures {
        let wall = Duration::from_millis(milliseconds);
        let traffic = Traffic { requests, most_lists, ..Traffic::default() };
        let peak = megabytes * 1_000_000;
        Figures { wall, fastest: wall, slowest: wall, peak, lines: 1, traffic, uncompressed: None }
    }

    fn with(rows: &[(Entry, Figures)]) -> Findings {
        let row = |(entry, figures): &(Entry, Figures)| AsideRow { entry: *entry, outcome: Ok(*figures) };
        let aside = Aside { title: String::new(), rows: rows.iter().map(row).collect() };
        Findings { asides: vec![aside], ..Findings::default() }
    }

    fn verdicts(findings: &Findings) -> Vec<(Verdict, String)> {
        judge(findings).into_iter().map(|check| (check.verdict, check.found)).collect()
    }

    #[test]
    fn nothing_is_judged_that_nobody_measured() {
        let all = verdicts(&Findings::default());
        assert!(all.iter().all(|(verdict, _)| *verdict == Verdict::NotMeasured), "{all:?}");
    }

    #[test]
    fn a_dump_is_held_against_its_bare_reader() {
        let tree = figures(1_000, 90, 0, 0);
        let good = verdicts(&with(&[(Entry::DumpTree, tree), (Entry::DumpReader, figures(800, 900, 0, 0))]));
        assert_eq!(good[0], (Verdict::Pass, "1.25x".to_owned()));
        assert_eq!(good[1], (Verdict::Pass, "0.10x".to_owned()));
        let bad = verdicts(&with(&[(Entry::DumpTree, tree), (Entry::DumpReader, figures(400, 80, 0, 0))]));
        assert_eq!((bad[0].0, bad[1].0), (Verdict::Miss, Verdict::Miss));
        assert_eq!(verdicts(&with(&[(Entry::DemoTree, figures(50, 9, 0, 0))]))[2].0, Verdict::Miss);
    }

    #[test]
    fn a_crowd_is_held_against_its_requests() {
        let bare = (Entry::CrowdReplay, figures(500, 20, 70, 0));
        let good = verdicts(&with(&[(Entry::CrowdStatus, figures(700, 140, 70, 2)), bare]));
        assert!(good[3..6].iter().all(|(verdict, _)| *verdict == Verdict::Pass), "{good:?}");
        let bad = verdicts(&with(&[(Entry::CrowdStatus, figures(1_100, 150, 70, 20)), bare]));
        assert!(bad[3..6].iter().all(|(verdict, _)| *verdict == Verdict::Miss), "{bad:?}");
    }

    #[test]
    fn related_children_may_cost_reads_of_what_is_printed_only() {
        let mut findings =
            with(&[(Entry::CircleTree, figures(1, 1, 70, 1)), (Entry::CircleStatus, figures(1, 1, 73, 1))]);
        findings.related = Some(Related { lists: 1, unprinted: 0 });
        let all = verdicts(&findings);
        assert_eq!((all[6].0, all[7].0), (Verdict::Miss, Verdict::Pass));
        assert_eq!(all[8], (Verdict::Miss, "3".to_owned()));
    }

    #[test]
    fn a_tree_that_failed_is_no_promise_kept() {
        let mut findings = with(&[(Entry::CircleOwned, figures(1, 1, 70, 1))]);
        let outcome = Err("no answer".to_owned());
        findings.asides[0].rows.push(AsideRow { entry: Entry::CircleTree, outcome });
        let all = verdicts(&findings);
        assert!(all[6..8].iter().all(|(verdict, _)| *verdict == Verdict::Miss), "{all:?}");
    }
}

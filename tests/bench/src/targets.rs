//! The targets for speed and size, and whether the figures meet them.

mod asides;

use crate::figures::{Figures, Findings};
use crate::reading::Reading;
use crate::scene::Scene;
use crate::subject::Name;
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
pub(crate) fn judge(findings: &Findings) -> Vec<Check> {
    let findings = &findings.judgeable();
    let mut checks = beside_others(findings);
    checks.extend(when_it_grows(findings));
    checks.push(answers(findings));
    checks.push(requests(findings));
    checks.push(connections(findings));
    checks.extend(asides::judge(findings));
    checks.extend(binary(findings));
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

fn beside_others(findings: &Findings) -> Vec<Check> {
    let of = |name, figure| Reading::of(findings, Scene::USUAL, name, figure);
    let lineage = of(Name::Lineage, bytes);
    vec![
        check(
            format!("faster than kube-lineage ({})", Scene::USUAL),
            &of(Name::Lineage, wall).over(of(Name::Op, wall)),
            Limit::AtLeast(10.0),
            units::times,
        ),
        check(
            "fewer bytes than kube-lineage, uncompressed".to_owned(),
            &lineage.clone().over(of(Name::Op, uncompressed)),
            Limit::AtLeast(8.0),
            units::times,
        ),
        check(
            "fewer bytes than kube-lineage, as asked by default (gzip)".to_owned(),
            &lineage.over(of(Name::Op, bytes)),
            Limit::AtLeast(12.0),
            units::times,
        ),
        check(
            "wall time beside the bare minimum".to_owned(),
            &of(Name::Op, wall).over(of(Name::Bare, wall)),
            Limit::AtMost(1.2),
            units::times,
        ),
    ]
}

fn when_it_grows(findings: &Findings) -> Vec<Check> {
    let of = |scene, name, figure| Reading::of(findings, scene, name, figure);
    let op = |scene, figure| of(scene, Name::Op, figure);
    vec![
        check(
            "wall time when unrelated objects grow 10x".to_owned(),
            &op(Scene::USUAL, wall).over(op(Scene::SMALL, wall)),
            Limit::AtMost(3.0),
            units::times,
        ),
        check(
            "more peak memory when unrelated objects grow 10x".to_owned(),
            &op(Scene::USUAL, peak).minus(op(Scene::SMALL, peak)),
            Limit::AtMost(30.0 * MEGA),
            units::megabytes,
        ),
        check(
            format!("faster than kube-lineage ({})", Scene::LARGE),
            &of(Scene::LARGE, Name::Lineage, wall).over(op(Scene::LARGE, wall)),
            Limit::AtLeast(30.0),
            units::times,
        ),
        check(
            format!("peak memory ({})", Scene::LARGE),
            &op(Scene::LARGE, peak),
            Limit::Below(40.0 * MEGA),
            units::megabytes,
        ),
    ]
}

/// Not in the README, where it goes without saying; here a scene without another target must not hide a failure.
fn answers(findings: &Findings) -> Check {
    let asked: Vec<_> = findings.pages.iter().filter_map(|page| page.row(Name::Op)).collect();
    let failed = asked.iter().filter(|row| row.outcome.is_err()).count();
    let reading = if asked.is_empty() { Reading::Absent } else { Reading::Value(float(failed as u64)) };
    check("scenes without an answer".to_owned(), &reading, Limit::AtMost(0.0), count)
}

/// Of all scenes, the one in which the fewest requests are left of those that are allowed.
fn requests(findings: &Findings) -> Check {
    let allowed = findings.pages.iter().filter_map(|page| {
        let figures = page.figures(Name::Op)?;
        // A folded tree prints fewer lines than it has nodes, and may read no more than it prints.
        let allowed = page.kinds + page.nodes.min(figures.lines) + 5;
        Some((page.scene, float(allowed as u64), float(figures.traffic.requests as u64)))
    });
    let tightest = allowed.min_by(|one, other| (one.1 - one.2).total_cmp(&(other.1 - other.2)));
    let what = "requests, at most kinds + printed nodes + 5";
    if let Some((scene, allowed, requests)) = tightest {
        check(format!("{what} ({scene})"), &Reading::Value(requests), Limit::AtMost(allowed), count)
    } else {
        let nowhere = Reading::anywhere(findings, Name::Op);
        // What is allowed depends on the scene, and there is none.
        Check { limit: "-".to_owned(), ..check(what.to_owned(), &nowhere, Limit::AtMost(0.0), count) }
    }
}

fn connections(findings: &Findings) -> Check {
    let most = findings
        .pages
        .iter()
        .filter_map(|page| page.figures(Name::Op))
        .map(|figures| figures.traffic.connections)
        .max();
    let reading =
        most.map_or_else(|| Reading::anywhere(findings, Name::Op), |most| Reading::Value(float(most)));
    check("connections".to_owned(), &reading, Limit::AtMost(4.0), count)
}

fn binary(findings: &Findings) -> Vec<Check> {
    let product = findings.product;
    let reading = |value: Option<f64>| value.map_or(Reading::Absent, Reading::Value);
    vec![
        check(
            "size of the binary".to_owned(),
            &reading(product.map(|product| float(product.size))),
            Limit::Below(10.0 * MEGA),
            units::megabytes,
        ),
        check(
            "start to --help".to_owned(),
            &reading(product.map(|product| product.help.as_secs_f64() * KILO)),
            Limit::Below(10.0),
            milliseconds,
        ),
    ]
}

fn check(what: String, reading: &Reading, limit: Limit, spell: Spelling) -> Check {
    let (word, bound) = match limit {
        Limit::AtLeast(bound) => ("at least", bound),
        Limit::AtMost(bound) => ("at most", bound),
        Limit::Below(bound) => ("below", bound),
    };
    let (found, verdict) = match reading {
        Reading::Value(value) => (spell(*value), limit.verdict(*value)),
        // A target that could not be measured is not met.
        Reading::Failed(why) => (why.clone(), Verdict::Miss),
        Reading::Absent => ("-".to_owned(), Verdict::NotMeasured),
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
    use crate::answer::Question;
    use crate::figures::{Page, Product, Row, Traffic};

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

    fn page(scene: Scene, rows: Vec<(Name, Result<Figures, String>)>) -> Page {
        let rows = rows.into_iter().map(|(name, outcome)| Row { name, outcome }).collect();
        Page { scene, kinds: 233, nodes: 211, rows }
    }

    fn verdict(findings: &Findings, what: &str) -> (Verdict, String) {
        let check = judge(findings).into_iter().find(|check| check.what.starts_with(what)).unwrap();
        (check.verdict, check.found)
    }

    fn usual(op: Result<Figures, String>) -> Findings {
        let rows = vec![
            (Name::Op, op),
            (Name::Lineage, Ok(figures(2_300, 19, 400))),
            (Name::Bare, Ok(figures(150, 2, 235))),
        ];
        Findings { pages: vec![page(Scene::USUAL, rows)], ..Findings::default() }
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
    fn growth_needs_both_worlds() {
        let mut findings = usual(Ok(figures(190, 40, 236)));
        assert_eq!(verdict(&findings, "wall time when").0, Verdict::NotMeasured);
        findings.pages.push(page(Scene::SMALL, vec![(Name::Op, Ok(figures(60, 9, 236)))]));
        assert_eq!(verdict(&findings, "wall time when"), (Verdict::Miss, "3.17x".to_owned()));
        assert_eq!(verdict(&findings, "more peak memory"), (Verdict::Miss, "31.0 MB".to_owned()));
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
        assert_eq!(verdict(&failed, "scenes without an answer"), (Verdict::Miss, "1".to_owned()));
        let mut left_out = failed;
        left_out.pages[0].rows.remove(0);
        assert_eq!(verdict(&left_out, "connections").0, Verdict::NotMeasured);
        assert_eq!(missed(&judge(&left_out)), 0);
    }

    #[test]
    fn another_question_is_not_judged() {
        let findings = Findings { question: Question::Other, ..usual(Ok(figures(1, 1, 1))) };
        assert!(judge(&findings).iter().all(|check| check.verdict == Verdict::NotMeasured));
    }

    #[test]
    fn the_binary_has_limits_of_its_own() {
        let product = Product { size: 7_900_000, help: Duration::from_millis(12) };
        let findings = Findings { product: Some(product), ..Findings::default() };
        assert_eq!(verdict(&findings, "size"), (Verdict::Pass, "7.9 MB".to_owned()));
        assert_eq!(verdict(&findings, "start"), (Verdict::Miss, "12.0 ms".to_owned()));
    }
}

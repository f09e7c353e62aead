//! The faults a test has asked for, and which of them apply to a request.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::request::Parts;

use super::fault::{Discovery, Fault};
use super::matching::Match;

/// Rules in the order in which they were made; the first that decides a request wins.
#[derive(Debug, Default)]
pub(super) struct Rules(Mutex<Vec<Rule>>);

/// A fault, its requests, and which of them it is for.
#[derive(Debug)]
struct Rule {
    matching: Match,
    fault: Fault,
    applies_to: AppliesTo,
    /// How many requests matched so far.
    seen: u64,
}

/// Which of the matching requests the fault applies to; the first is number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AppliesTo {
    Always,
    Nth(u64),
    First(u64),
}

/// The faults that apply to one request.
#[derive(Debug, Default)]
pub(super) struct AppliedFaults {
    pub(super) delay: Duration,
    pub(super) discovery: Option<Discovery>,
    pub(super) fault: Option<Fault>,
}

impl Rules {
    pub(super) fn add(&self, matching: Match, fault: Fault, applies_to: AppliesTo) {
        self.all().push(Rule { matching, fault, applies_to, seen: 0 });
    }

    pub(super) fn clear(&self) {
        self.all().clear();
    }

    /// What happens to a request; counts it for the rules that it reaches.
    pub(super) fn applied_to(&self, parts: &Parts) -> AppliedFaults {
        let mut applied = AppliedFaults::default();
        for rule in self.all().iter_mut().filter(|rule| rule.matching.holds(parts)) {
            rule.seen += 1;
            if !rule.applies_to.is(rule.seen) {
                continue;
            }
            match rule.fault.clone() {
                Fault::Decide(decision) => {
                    let Some(fault) = decision.about(parts) else { continue };
                    applied.add(fault);
                }
                fault => applied.add(fault),
            }
            if applied.fault.is_some() {
                break;
            }
        }
        applied
    }

    fn all(&self) -> MutexGuard<'_, Vec<Rule>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AppliesTo {
    fn is(self, number: u64) -> bool {
        match self {
            Self::Always => true,
            Self::Nth(nth) => number == nth,
            Self::First(count) => number <= count,
        }
    }
}

impl AppliedFaults {
    fn add(&mut self, fault: Fault) {
        match fault {
            Fault::Delay(time) => self.delay += time,
            Fault::Ask(discovery) => self.discovery = Some(discovery),
            // A closure that hands the decision to another closure has decided nothing.
            Fault::Decide(_) => {}
            fault => self.fault = Some(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::faults::ErrorResponse;

    fn parts() -> Parts {
        Request::get("/api/v1/pods").body(()).unwrap().into_parts().0
    }

    #[test]
    fn rules_count_matching_requests() {
        let rules = Rules::default();
        rules.add(Match::any(), Fault::Hang, AppliesTo::Nth(2));
        rules.add(Match::path("/elsewhere"), Fault::Cut, AppliesTo::Always);
        rules.add(Match::any(), Fault::Reset, AppliesTo::First(2));
        let faults: Vec<String> = (0..4).map(|_| format!("{:?}", rules.applied_to(&parts()).fault)).collect();
        // The second request never reaches the last rule, so that the third is its second.
        assert_eq!(faults, ["Some(Reset)", "Some(Hang)", "Some(Reset)", "None"]);
    }

    #[test]
    fn delays_add_up_until_a_rule_decides() {
        let rules = Rules::default();
        let second = Duration::from_secs(1);
        rules.add(Match::any(), Fault::Delay(second), AppliesTo::Always);
        rules.add(Match::any(), Fault::decide(|_| None), AppliesTo::Always);
        rules.add(
            Match::any(),
            Fault::decide(|_| Some(Fault::Delay(Duration::from_secs(2)))),
            AppliesTo::Always,
        );
        rules.add(Match::any(), ErrorResponse::Gone.into(), AppliesTo::Always);
        rules.add(Match::any(), Fault::Delay(second), AppliesTo::Always);
        let applied = rules.applied_to(&parts());
        assert_eq!(applied.delay, second * 3);
        assert!(matches!(applied.fault, Some(Fault::Error(ErrorResponse::Gone))));
        rules.clear();
        assert!(rules.applied_to(&parts()).fault.is_none());
    }
}

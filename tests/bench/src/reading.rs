//! A number out of the figures, or the reason why there is none.

use crate::aside::Entry;
use crate::figures::{Figures, Findings, Page};
use crate::scene::Scene;
use crate::subject::Name;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reading {
    Value(f64),
    /// The subject was asked and did not answer.
    Failed(String),
    /// The subject was not asked.
    Absent,
}

impl Reading {
    /// A figure of a subject in a scene.
    pub(crate) fn of(findings: &Findings, scene: Scene, name: Name, figure: fn(&Figures) -> f64) -> Self {
        findings.page(scene).map_or(Self::Absent, |page| Self::on(page, name, figure))
    }

    /// A figure of an entry that is no scene's.
    pub(crate) fn beside(findings: &Findings, entry: Entry, figure: fn(&Figures) -> f64) -> Self {
        match findings.entry(entry) {
            Some(Ok(figures)) => Self::Value(figure(figures)),
            Some(Err(why)) => Self::Failed(format!("{entry} failed: {why}")),
            None => Self::Absent,
        }
    }

    /// For a figure that no scene has: failed when the subject was asked at all.
    pub(crate) fn anywhere(findings: &Findings, name: Name) -> Self {
        let pages = findings.pages.iter();
        pages
            .map(|page| Self::on(page, name, |_| 0.0))
            .find(|reading| *reading != Self::Absent)
            .unwrap_or(Self::Absent)
    }

    fn on(page: &Page, name: Name, figure: fn(&Figures) -> f64) -> Self {
        match page.row(name).map(|row| &row.outcome) {
            Some(Ok(figures)) => Self::Value(figure(figures)),
            Some(Err(why)) => Self::Failed(format!("{name} failed: {why}")),
            None => Self::Absent,
        }
    }

    /// How many times the other it is.
    pub(crate) fn over(self, other: Self) -> Self {
        self.with(other, |one, other| one / other)
    }

    /// How much more than the other it is.
    pub(crate) fn minus(self, other: Self) -> Self {
        self.with(other, |one, other| one - other)
    }

    fn with(self, other: Self, calculate: fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Value(one), Self::Value(other)) => Self::Value(calculate(one, other)),
            (Self::Absent, _) | (_, Self::Absent) => Self::Absent,
            (failed @ Self::Failed(_), _) | (_, failed) => failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_one_side_there_is_no_ratio() {
        let failed = || Reading::Failed("why".to_owned());
        assert_eq!(Reading::Value(6.0).over(Reading::Value(3.0)), Reading::Value(2.0));
        assert_eq!(Reading::Value(6.0).minus(Reading::Value(3.0)), Reading::Value(3.0));
        assert_eq!(Reading::Value(6.0).over(failed()), failed());
        assert_eq!(failed().over(Reading::Value(1.0)), failed());
        assert_eq!(failed().over(Reading::Absent), Reading::Absent);
    }
}

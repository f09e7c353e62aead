//! A number out of the figures, or the reason why there is none.

use crate::bench_case::BenchCase;
use crate::comparison::MeasuredCommand;
use crate::figures::{BenchResults, CaseResult, Figures};
use crate::tool::Tool;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MetricValue {
    Value(f64),
    /// The command was run and failed.
    Failed(String),
    /// The command was not run.
    Absent,
}

impl MetricValue {
    /// A figure of a tool in a case.
    pub(crate) fn of(
        results: &BenchResults,
        case: BenchCase,
        tool: Tool,
        figure: fn(&Figures) -> f64,
    ) -> Self {
        results.case(case).map_or(Self::Absent, |result| Self::on(result, tool, figure))
    }

    /// A figure of a command outside the cases.
    pub(crate) fn beside(
        results: &BenchResults,
        command: MeasuredCommand,
        figure: fn(&Figures) -> f64,
    ) -> Self {
        match results.command(command) {
            Some(Ok(figures)) => Self::Value(figure(figures)),
            Some(Err(why)) => Self::Failed(format!("{command} failed: {why}")),
            None => Self::Absent,
        }
    }

    /// For a figure that no case has: failed when the tool was run at all.
    pub(crate) fn anywhere(results: &BenchResults, tool: Tool) -> Self {
        let cases = results.cases.iter();
        cases
            .map(|result| Self::on(result, tool, |_| 0.0))
            .find(|value| *value != Self::Absent)
            .unwrap_or(Self::Absent)
    }

    fn on(result: &CaseResult, tool: Tool, figure: fn(&Figures) -> f64) -> Self {
        match result.row(tool).map(|row| &row.outcome) {
            Some(Ok(figures)) => Self::Value(figure(figures)),
            Some(Err(why)) => Self::Failed(format!("{tool} failed: {why}")),
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
        let failed = || MetricValue::Failed("why".to_owned());
        assert_eq!(MetricValue::Value(6.0).over(MetricValue::Value(3.0)), MetricValue::Value(2.0));
        assert_eq!(MetricValue::Value(6.0).minus(MetricValue::Value(3.0)), MetricValue::Value(3.0));
        assert_eq!(MetricValue::Value(6.0).over(failed()), failed());
        assert_eq!(failed().over(MetricValue::Value(1.0)), failed());
        assert_eq!(failed().over(MetricValue::Absent), MetricValue::Absent);
    }
}

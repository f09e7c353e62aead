//! The conditions of an object one by one, with the meaning of each. Not here: the verdict on the object, which follows
//! from the same effects.

use super::RuleContext;
use super::condition::{self, Status};
use super::condition_effect::{ConditionEvaluator, Confidence, EvaluatedCondition};
use crate::known::conditions::Polarity;
use crate::known::reasons::Effect;
use crate::model::health::{ConditionMeaning, ConditionReport};

pub(super) fn conditions(context: &RuleContext) -> Vec<ConditionReport> {
    let evaluator = ConditionEvaluator::new(context);
    let report = |condition| {
        let evaluated = evaluator.evaluate(condition);
        let one = &evaluated.condition;
        let own = |words: Option<&str>| words.map(str::to_owned);
        ConditionReport {
            name: one.qualified_type(),
            status: own(Some(one.status.word()).filter(|word| !word.is_empty())),
            polarity: evaluated.polarity.map_or(ConditionMeaning::Unknown, meaning),
            judged: judged(&evaluated),
            guessed: evaluated.confidence == Confidence::Guessed,
            warning: evaluated.effect == Effect::Warning,
            reason: own(one.reason),
            message: own(one.message),
            since: one.changed_at(context.now),
            observed_generation: one.observed_generation,
        }
    };
    condition::read(context.object).into_iter().map(report).collect()
}

fn meaning(polarity: Polarity) -> ConditionMeaning {
    match polarity {
        Polarity::Good | Polarity::WarnIfFalse => ConditionMeaning::Good,
        Polarity::Bad | Polarity::WarnIfTrue => ConditionMeaning::Bad,
        Polarity::Progressing => ConditionMeaning::Progressing,
        Polarity::Paused => ConditionMeaning::Paused,
        Polarity::Info => ConditionMeaning::Neutral,
    }
}

fn judged(evaluated: &EvaluatedCondition) -> ConditionMeaning {
    match evaluated.effect {
        Effect::Ready => ConditionMeaning::Good,
        Effect::Failed | Effect::NotReady => ConditionMeaning::Bad,
        Effect::Progressing => ConditionMeaning::Progressing,
        Effect::Suspended => ConditionMeaning::Paused,
        Effect::Unknown => ConditionMeaning::Unknown,
        Effect::Warning => ConditionMeaning::Neutral,
        // No effect on the verdict, but still good or neutral to read.
        Effect::None => match (evaluated.polarity, evaluated.condition.status) {
            (Some(Polarity::Bad | Polarity::WarnIfTrue), Status::False)
            | (Some(Polarity::WarnIfFalse), Status::True) => ConditionMeaning::Good,
            (Some(Polarity::Info), _) | (Some(_), Status::True | Status::False) => ConditionMeaning::Neutral,
            _ => ConditionMeaning::Unknown,
        },
    }
}

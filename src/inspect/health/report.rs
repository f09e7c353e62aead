//! The conditions of an object one by one, with what is made of each. The verdict on the whole is drawn
//! elsewhere, from the same weights.

use super::Subject;
use super::condition::{self, Status};
use super::weigh::{Basis, Scales, Weighed};
use crate::known::conditions::Meaning;
use crate::known::reasons::Effect;
use crate::model::health::{ConditionReport, Judgement};

pub(super) fn conditions(subject: &Subject) -> Vec<ConditionReport> {
    let scales = Scales::of(subject);
    let told = |condition| {
        let weighed = scales.weigh(condition);
        let one = &weighed.condition;
        let own = |words: Option<&str>| words.map(str::to_owned);
        ConditionReport {
            name: one.title(),
            status: own(Some(one.status.word()).filter(|word| !word.is_empty())),
            polarity: weighed.meaning.map_or(Judgement::Unknown, polarity),
            judged: judged(&weighed),
            guessed: weighed.basis == Basis::Guess,
            warning: weighed.effect == Effect::Caution,
            reason: own(one.reason),
            message: own(one.message),
            since: one.began(subject.now),
            observed_generation: one.observed_generation,
        }
    };
    condition::read(subject.object).into_iter().map(told).collect()
}

fn polarity(meaning: Meaning) -> Judgement {
    match meaning {
        Meaning::Good | Meaning::Wish => Judgement::Good,
        Meaning::Bad | Meaning::Caution => Judgement::Bad,
        Meaning::Moving => Judgement::Moving,
        Meaning::Paused => Judgement::Paused,
        Meaning::Info => Judgement::Neutral,
    }
}

fn judged(weighed: &Weighed) -> Judgement {
    match weighed.effect {
        Effect::Fine => Judgement::Good,
        Effect::Bad | Effect::Unwell => Judgement::Bad,
        Effect::Moving => Judgement::Moving,
        Effect::Paused => Judgement::Paused,
        Effect::Unsure => Judgement::Unknown,
        Effect::Caution => Judgement::Neutral,
        // It decides nothing; that may still be good news.
        Effect::Nothing => match (weighed.meaning, weighed.condition.status) {
            (Some(Meaning::Bad | Meaning::Caution), Status::False) | (Some(Meaning::Wish), Status::True) => {
                Judgement::Good
            }
            (Some(Meaning::Info), _) | (Some(_), Status::True | Status::False) => Judgement::Neutral,
            _ => Judgement::Unknown,
        },
    }
}

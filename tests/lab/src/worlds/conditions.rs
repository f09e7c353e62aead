//! Conditions in a status, as `metav1.Condition` has them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock;

/// One condition; `lastTransitionTime` moves only with `status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    #[serde(rename = "type")]
    pub type_: String,
    #[schemars(extend("enum" = ["True", "False", "Unknown"]))]
    pub status: String,
    #[schemars(range(min = 0))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[schemars(extend("format" = "date-time"))]
    pub last_transition_time: String,
    pub reason: String,
    pub message: String,
}

/// Whether a condition holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds {
    Yes,
    No,
}

impl From<bool> for Holds {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl Condition {
    pub(super) fn new(
        type_: &str,
        holds: Holds,
        reason: &str,
        message: String,
        generation: Option<i64>,
    ) -> Self {
        let status = match holds {
            Holds::Yes => "True",
            Holds::No => "False",
        };
        Self {
            type_: type_.to_owned(),
            status: status.to_owned(),
            observed_generation: generation,
            last_transition_time: clock::stamp(),
            reason: reason.to_owned(),
            message,
        }
    }
}

/// Puts a condition into a list, in the place of the one of its type.
pub(super) fn set(conditions: &mut Vec<Condition>, mut new: Condition) {
    match conditions.iter_mut().find(|old| old.type_ == new.type_) {
        Some(old) => {
            if old.status == new.status {
                new.last_transition_time.clone_from(&old.last_transition_time);
            }
            *old = new;
        }
        None => conditions.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Holds, set};

    #[test]
    fn the_transition_time_moves_only_with_the_status() {
        let mut first = Condition::new("Ready", Holds::Yes, "A", String::new(), None);
        first.last_transition_time = "2020-01-01T00:00:00Z".to_owned();
        let mut conditions = vec![first];
        set(&mut conditions, Condition::new("Ready", Holds::Yes, "B", String::new(), None));
        assert_eq!(conditions[0].last_transition_time, "2020-01-01T00:00:00Z");
        assert_eq!(conditions[0].reason, "B");
        set(&mut conditions, Condition::new("Ready", Holds::No, "C", String::new(), None));
        assert_ne!(conditions[0].last_transition_time, "2020-01-01T00:00:00Z");
        assert_eq!(conditions.len(), 1);
    }
}

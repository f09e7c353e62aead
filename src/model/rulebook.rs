//! The user's own rules: what conditions mean, and which findings are not reported. They override what is
//! built in; an empty rulebook changes nothing. How they are read from a file is in `settings`.

use super::code::Code;
use super::health::ConditionMeaning;
use super::ident::GroupKind;

/// The user's own rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    pub conditions: Vec<Override>,
    /// Codes of findings that are not reported.
    pub skip: Vec<Code>,
}

/// The user's meaning of a condition type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Only in this API group; `""` is the core group.
    pub group: Option<String>,
    /// Only for this kind.
    pub kind: Option<String>,
    /// The condition's type.
    pub name: String,
    /// What it means when the condition is True.
    pub polarity: ConditionMeaning,
}

impl Rulebook {
    /// What a condition type means for a kind. The most specific override wins; a group is more specific than a
    /// kind.
    pub fn polarity(&self, kind: &GroupKind, name: &str) -> Option<ConditionMeaning> {
        let matches = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|wanted| wanted == is);
        self.conditions
            .iter()
            .filter(|entry| {
                entry.name == name && matches(&entry.group, &kind.group) && matches(&entry.kind, &kind.kind)
            })
            .max_by_key(|entry| (entry.group.is_some(), entry.kind.is_some()))
            .map(|entry| entry.polarity)
    }

    /// Whether findings with this code are not reported.
    pub fn skips(&self, code: Code) -> bool {
        self.skip.contains(&code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(group: Option<&str>, kind: Option<&str>, polarity: ConditionMeaning) -> Override {
        let own = |word: Option<&str>| word.map(str::to_owned);
        Override { group: own(group), kind: own(kind), name: "Drained".to_owned(), polarity }
    }

    #[test]
    fn the_most_specific_override_wins_in_any_order() {
        let mut conditions = vec![
            entry(Some("example.com"), Some("Thing"), ConditionMeaning::Bad),
            entry(Some("example.com"), None, ConditionMeaning::Good),
            entry(None, Some("Thing"), ConditionMeaning::Progressing),
            entry(None, None, ConditionMeaning::Paused),
        ];
        for _ in 0..2 {
            let rulebook = Rulebook { conditions: conditions.clone(), ..Rulebook::default() };
            let polarity =
                |api_version, kind| rulebook.polarity(&GroupKind::of(api_version, kind), "Drained");
            assert_eq!(polarity("example.com/v1", "Thing"), Some(ConditionMeaning::Bad));
            assert_eq!(polarity("example.com/v1", "Other"), Some(ConditionMeaning::Good));
            assert_eq!(polarity("example.org/v1", "Thing"), Some(ConditionMeaning::Progressing));
            assert_eq!(polarity("v1", "Other"), Some(ConditionMeaning::Paused));
            assert_eq!(rulebook.polarity(&GroupKind::of("example.com/v1", "Thing"), "drained"), None);
            conditions.reverse();
        }
    }

    #[test]
    fn an_empty_rulebook_changes_nothing() {
        let rulebook = Rulebook::default();
        assert_eq!(rulebook.polarity(&GroupKind::of("v1", "Pod"), "Ready"), None);
        assert!(!rulebook.skips(Code::OwnerNotFound));
    }
}

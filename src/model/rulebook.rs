//! What a person has settled: what conditions mean, which findings are left out, which flags are usual. It
//! beats what is built in. An empty one settles nothing.

use std::collections::BTreeMap;

use super::code::Code;
use super::health::ConditionMeaning;
use super::ident::GroupKind;

/// A person's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rulebook {
    pub conditions: Vec<Override>,
    /// Codes of findings that are not told.
    pub skip: Vec<Code>,
    /// Per command, flags that count as typed.
    pub defaults: BTreeMap<String, BTreeMap<String, String>>,
}

/// What a condition's type means, in the words of the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Only in this API group; the empty one is the core group.
    pub group: Option<String>,
    /// Only for this kind.
    pub kind: Option<String>,
    /// The condition's type.
    pub name: String,
    /// What it means when the condition is True.
    pub polarity: ConditionMeaning,
}

impl Rulebook {
    /// What a condition type of a kind means; the line that says most about where it holds wins, the group
    /// counting more than the kind.
    pub fn polarity(&self, kind: &GroupKind, name: &str) -> Option<ConditionMeaning> {
        let fits = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|wanted| wanted == is);
        self.conditions
            .iter()
            .filter(|line| {
                line.name == name && fits(&line.group, &kind.group) && fits(&line.kind, &kind.kind)
            })
            .max_by_key(|line| (line.group.is_some(), line.kind.is_some()))
            .map(|line| line.polarity)
    }

    /// Whether findings of a code are left out.
    pub fn skips(&self, code: Code) -> bool {
        self.skip.contains(&code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(group: Option<&str>, kind: Option<&str>, polarity: ConditionMeaning) -> Override {
        let own = |word: Option<&str>| word.map(str::to_owned);
        Override { group: own(group), kind: own(kind), name: "Drained".to_owned(), polarity }
    }

    #[test]
    fn the_line_that_says_most_wins_wherever_it_stands() {
        let mut conditions = vec![
            line(Some("example.com"), Some("Thing"), ConditionMeaning::Bad),
            line(Some("example.com"), None, ConditionMeaning::Good),
            line(None, Some("Thing"), ConditionMeaning::Progressing),
            line(None, None, ConditionMeaning::Paused),
        ];
        for _ in 0..2 {
            let book = Rulebook { conditions: conditions.clone(), ..Rulebook::default() };
            let said = |api_version, kind| book.polarity(&GroupKind::of(api_version, kind), "Drained");
            assert_eq!(said("example.com/v1", "Thing"), Some(ConditionMeaning::Bad));
            assert_eq!(said("example.com/v1", "Other"), Some(ConditionMeaning::Good));
            assert_eq!(said("example.org/v1", "Thing"), Some(ConditionMeaning::Progressing));
            assert_eq!(said("v1", "Other"), Some(ConditionMeaning::Paused));
            assert_eq!(book.polarity(&GroupKind::of("example.com/v1", "Thing"), "drained"), None);
            conditions.reverse();
        }
    }

    #[test]
    fn an_empty_one_settles_nothing() {
        let book = Rulebook::default();
        assert_eq!(book.polarity(&GroupKind::of("v1", "Pod"), "Ready"), None);
        assert!(!book.skips(Code::OwnerNotFound));
    }
}

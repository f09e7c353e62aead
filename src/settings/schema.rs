//! The keys of the settings file, as serde reads them, and the checks that serde cannot make.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_path_to_error::Track;
use serde_saphyr::Spanned;

use super::error::FieldError;
use super::{DefaultFlag, Flags};
use crate::model::code::Code;
use crate::model::health::ConditionMeaning;
use crate::model::rulebook::{Override, Rulebook};
use crate::model::similar::similar;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SettingsFile {
    conditions: Option<Vec<Condition>>,
    skip: Option<Vec<Spanned<String>>>,
    /// Per command, its flags with their values.
    defaults: Option<BTreeMap<Key, Option<FlagValues>>>,
}

type FlagValues = BTreeMap<Key, Spanned<Value>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Condition {
    #[serde(rename = "type")]
    name: Spanned<String>,
    #[serde(default, deserialize_with = "not_null")]
    group: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    kind: Option<String>,
    meaning: Meaning,
}

/// What a condition means when it is True.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Meaning {
    Good,
    Bad,
    Progressing,
    Paused,
    Neutral,
}

/// A key with its line: serde-saphyr's `Spanned` has no order, which the key of a map needs.
#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(from = "Spanned<String>")]
struct Key {
    name: String,
    line: u64,
}

impl From<Spanned<String>> for Key {
    fn from(key: Spanned<String>) -> Self {
        Self { line: key.referenced.line(), name: key.value }
    }
}

/// `group:` without a value could mean every group or the core group, so it is an error.
fn not_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// Reads the text of a settings file. `flags` is what `defaults` may name.
pub(super) fn parse(text: &str, flags: &Flags) -> Result<(Rulebook, Vec<DefaultFlag>), FieldError> {
    let options = serde_saphyr::options! {
        // Far more than anybody writes manually, and far too little for a file full of aliases to do harm.
        budget: serde_saphyr::budget! {
            max_depth: 16,
            flow_nesting_limit: 16,
            max_events: 400_000,
            max_nodes: 200_000,
            max_aliases: 1_000,
            max_anchors: 1_000,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 10_000,
            max_replay_stack_depth: 8,
        },
        // `n` and `on` are names, too.
        strict_booleans: true,
        with_snippet: false,
    };
    // serde-saphyr's errors have a line but no path.
    let mut track = Track::new();
    let file = serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
        Option::<SettingsFile>::deserialize(serde_path_to_error::Deserializer::new(deserializer, &mut track))
    });
    let file = file.map_err(|error| FieldError::explain(&error, &track.path()))?.unwrap_or_default();
    let rulebook = Rulebook {
        conditions: overrides(file.conditions.unwrap_or_default())?,
        skip: codes(file.skip.unwrap_or_default())?,
    };
    Ok((rulebook, default_flags(file.defaults.unwrap_or_default(), flags)?))
}

fn overrides(conditions: Vec<Condition>) -> Result<Vec<Override>, FieldError> {
    let mut overrides: Vec<Override> = Vec::new();
    for (index, condition) in conditions.into_iter().enumerate() {
        let line = condition.name.referenced.line();
        let Condition { name: Spanned { value: name, .. }, group, kind, meaning } = condition;
        if name.is_empty() {
            return Err(FieldError::missing(line, &format!("conditions[{index}]"), "type"));
        }
        let is_same = |other: &Override| (&other.group, &other.kind, &other.name) == (&group, &kind, &name);
        if overrides.iter().any(is_same) {
            let message = format!("conditions[{index}] repeats type {name:?}");
            return Err(FieldError::expected(line, message, "each type once per group and kind"));
        }
        overrides.push(Override { group, kind, name, polarity: meaning.into() });
    }
    Ok(overrides)
}

impl From<Meaning> for ConditionMeaning {
    fn from(meaning: Meaning) -> Self {
        match meaning {
            Meaning::Good => Self::Good,
            Meaning::Bad => Self::Bad,
            Meaning::Progressing => Self::Progressing,
            Meaning::Paused => Self::Paused,
            Meaning::Neutral => Self::Neutral,
        }
    }
}

fn codes(skip: Vec<Spanned<String>>) -> Result<Vec<Code>, FieldError> {
    let code = |(index, code): (usize, Spanned<String>)| {
        code.value.parse().map_err(|_| {
            let (index, line) = (format!("[{index}]"), code.referenced.line());
            FieldError::value(line, &["skip", &index], &code.value)
        })
    };
    skip.into_iter().enumerate().map(code).collect()
}

fn default_flags(
    defaults: BTreeMap<Key, Option<FlagValues>>,
    flags: &Flags,
) -> Result<Vec<DefaultFlag>, FieldError> {
    let mut found = Vec::new();
    for (Key { name: command, line }, set) in defaults {
        let Some(known) = flags.get(&command) else {
            let commands = flags.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let message = format!("unknown command {command:?} in defaults");
            return Err(FieldError::expected(line, message, &format!("one of {commands}")));
        };
        for (Key { name: flag, line }, value) in set.unwrap_or_default() {
            if !known.contains(&flag) {
                return Err(unknown_flag(line, &command, &flag, known));
            }
            let Some(values) = strings(value.value) else {
                return Err(FieldError::wrong_type(
                    value.referenced.line(),
                    &["defaults", command.as_str(), flag.as_str()],
                ));
            };
            if !values.is_empty() {
                found.push(DefaultFlag { command: command.clone(), flag, values, line });
            }
        }
    }
    Ok(found)
}

fn unknown_flag(line: u64, command: &str, flag: &str, known: &[String]) -> FieldError {
    let bare = flag.trim_start_matches('-');
    let near = similar(bare, known.iter().map(|known| (known.clone(), [known.as_str()])));
    let hint = match near.first() {
        Some(near) => format!("did you mean {near}?"),
        None => format!("expected the long name of a flag that {command} accepts, without dashes"),
    };
    FieldError { line, message: format!("unknown flag {flag:?} in defaults.{command}"), hint }
}

/// A scalar is one value, a list of scalars is several.
fn strings(value: Value) -> Option<Vec<String>> {
    let string = |value: Value| match value {
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    match value {
        Value::Array(items) => items.into_iter().map(string).collect(),
        other => string(other).map(|one| vec![one]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> Flags {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        BTreeMap::from([
            ("tree".to_owned(), own(&["all", "depth", "kind", "output"])),
            ("status".to_owned(), own(&[])),
        ])
    }

    fn error(text: &str) -> String {
        let FieldError { line, message, hint } = parse(text, &flags()).unwrap_err();
        format!("{line}: {message}; {hint}")
    }

    #[test]
    fn every_key_is_read() {
        let text = "\
# mine
conditions:
  - type: Drained
    group: example.com
    kind: Thing
    meaning: paused
  - {type: \"True\", meaning: bad}
skip: [OP-T004]
defaults:
  tree: {output: wide, depth: 3, all: true, kind: [Pod, Job]}
  status:
";
        let (rulebook, defaults) = parse(text, &flags()).unwrap();
        let drained = Override {
            group: Some("example.com".to_owned()),
            kind: Some("Thing".to_owned()),
            name: "Drained".to_owned(),
            polarity: ConditionMeaning::Paused,
        };
        let odd =
            Override { group: None, kind: None, name: "True".to_owned(), polarity: ConditionMeaning::Bad };
        assert_eq!(rulebook.conditions, [drained, odd]);
        assert_eq!(rulebook.skip, [Code::OwnerMismatch]);
        let defaults: Vec<String> = defaults
            .iter()
            .map(|default| format!("{} {}={:?}", default.command, default.flag, default.values))
            .collect();
        assert_eq!(
            defaults,
            [
                "tree all=[\"true\"]",
                "tree depth=[\"3\"]",
                "tree kind=[\"Pod\", \"Job\"]",
                "tree output=[\"wide\"]"
            ]
        );
    }

    #[test]
    fn a_file_without_settings_sets_nothing() {
        let nothing = ["", "\n\n", "# later\n", "conditions:\nskip:\ndefaults:\n", "{}", "---\n", "\u{feff}"];
        for text in nothing {
            assert_eq!(parse(text, &flags()), Ok((Rulebook::default(), Vec::new())), "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_line_the_key_and_what_was_expected() {
        let cases = [
            (
                "skip: []\ncolour: red\n",
                "2: unknown key \"colour\"; expected one of conditions, skip, defaults",
            ),
            ("- a\n", "1: the file is not a map; expected a map with the keys conditions, skip, defaults"),
            ("\nconditions: Ready\n", "2: conditions is not a list; expected a list of conditions"),
            (
                "conditions:\n  - Ready\n",
                "2: conditions[0] is not a map; expected a map with the keys type, group, kind, meaning",
            ),
            (
                "conditions:\n  - type: A\n    meaning: god\n",
                "3: invalid value \"god\" for conditions[0].meaning; expected good, bad, progressing, paused or neutral: \
                 what the condition means when it is True",
            ),
            (
                "conditions:\n  - type: A\n    meaning: [good]\n",
                "3: conditions[0].meaning is not a string; expected good, bad, progressing, paused or neutral: \
                 what the condition means when it is True",
            ),
            (
                "conditions:\n  - type: A\n    meaning: {good: 1}\n",
                "3: conditions[0].meaning is not a string; expected good, bad, progressing, paused or neutral: \
                 what the condition means when it is True",
            ),
            (
                "conditions:\n  - type: A\n    status: good\n",
                "3: unknown key \"status\" in conditions[0]; expected one of type, group, kind, meaning",
            ),
            (
                "conditions:\n  - meaning: good\n",
                "2: conditions[0] has no type; expected a type and a meaning",
            ),
            ("conditions:\n  - type: A\n", "2: conditions[0] has no meaning; expected a type and a meaning"),
            (
                "conditions:\n  - {type: '', meaning: bad}\n",
                "2: conditions[0] has no type; expected a type and a meaning",
            ),
            (
                "conditions:\n  - {type: A, meaning: good}\n  - {type: A, meaning: bad}\n",
                "3: conditions[1] repeats type \"A\"; expected each type once per group and kind",
            ),
            (
                "conditions:\n  - type: [A]\n    meaning: good\n",
                "2: conditions[0].type is not a string; expected a condition type such as Ready",
            ),
            (
                "conditions:\n  - type: A\n    group:\n    meaning: good\n",
                "3: conditions[0].group is not a string; expected an API group, or \"\" for the core group",
            ),
            (
                "conditions:\n  - type: A\n    kind: {}\n    meaning: good\n",
                "3: conditions[0].kind is not a string; expected a kind such as Deployment",
            ),
            (
                "skip:\n- OP-T004\n- T005\n",
                "3: invalid value \"T005\" for skip[1]; expected a code such as OP-T004",
            ),
            ("skip:\n- OP-T004\n- [a]\n", "3: skip[1] is not a string; expected a code such as OP-T004"),
            ("skip: {a: b}\n", "1: skip is not a list; expected a list of codes such as OP-T004"),
            ("skip: []\nskip: []\n", "2: key \"skip\" is given twice; expected every key once"),
        ];
        for (text, expected) in cases {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_in_defaults_name_the_command_and_the_flag() {
        let cases = [
            ("defaults: 5\n", "1: defaults is not a map; expected a map of commands"),
            (
                "defaults:\n  shrub:\n    a: b\n",
                "2: unknown command \"shrub\" in defaults; expected one of status, tree",
            ),
            (
                "defaults:\n  tree:\n    - depth\n",
                "3: an entry of defaults is not a map; expected a map of flags",
            ),
            (
                "defaults:\n  tree:\n    width: 3\n",
                "3: unknown flag \"width\" in defaults.tree; expected the long name of a flag that tree accepts, \
                 without dashes",
            ),
            (
                "defaults:\n  tree:\n    --output: wide\n",
                "3: unknown flag \"--output\" in defaults.tree; did you mean output?",
            ),
            (
                "defaults:\n  tree:\n    depth: {a: b}\n",
                "3: defaults.tree.depth has an invalid value; expected a string, a number, true, false, or a list of them",
            ),
            (
                "defaults:\n  tree:\n    depth: .nan\n",
                "3: a flag in defaults has an invalid value; expected a string, a number, true, false, or a list of them",
            ),
            (
                "defaults:\n  tree:\n    help: true\n",
                "3: unknown flag \"help\" in defaults.tree; expected the long name of a flag that tree accepts, \
                 without dashes",
            ),
            (
                "defaults:\n  tree: {}\n  tree: {}\n",
                "3: key \"tree\" is given twice; expected every key once",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    #[test]
    fn invalid_yaml_has_a_line_too() {
        let cases = [
            ("skip: []\nskip: [\n", "2: "),
            ("skip: ]\n", "1: invalid YAML; "),
            ("skip: [\n", "1: invalid YAML; "),
            ("skip: []\n\"\n", "invalid YAML; "),
            ("skip: *none\n", "1: invalid YAML; "),
            ("skip: []\n---\nskip: []\n", "3: more than one YAML document; expected one"),
        ];
        for (text, expected) in cases {
            assert!(error(text).contains(expected), "{text:?}: {}", error(text));
        }
    }

    #[test]
    fn aliases_work_and_are_limited() {
        let (_, defaults) = parse("skip: &s [OP-T001]\ndefaults: {tree: {kind: *s}}\n", &flags()).unwrap();
        assert_eq!(defaults[0].values, ["OP-T001"]);
        let level = |level: usize| {
            let aliases = vec![format!("*a{level}"); 10].join(", ");
            format!("    b{level}: &a{} [{aliases}]\n", level + 1)
        };
        let bomb = format!("defaults:\n  tree:\n    a: &a0 [x]\n{}", (0..7).map(level).collect::<String>());
        let error = error(&bomb);
        assert!(error.contains("the file is nested too deeply, or has too many aliases"), "{error}");
        let deep = format!("defaults: {{tree: {{kind: {}}}}}", "[".repeat(100_000));
        assert!(parse(&deep, &flags()).is_err());
    }
}

//! Label selectors of `-l` and of objects.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::json;

/// Labels by their key.
pub type Labels = BTreeMap<String, String>;

/// Requirements that labels must all meet. Without requirements it matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    requirements: Vec<Requirement>,
    /// The original text, for the server.
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    operator: LabelOperator,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LabelOperator {
    Exists,
    DoesNotExist,
    In(Vec<String>),
    NotIn(Vec<String>),
}

impl Selector {
    /// Parses `a=b,c!=d,e in (f,g),h notin (i),j,!k`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let requirements = parts(text).into_iter().map(requirement).collect::<Result<_, _>>()?;
        Ok(Self { requirements, text: text.to_owned() })
    }

    /// A `LabelSelector` with `matchLabels` and `matchExpressions`; `None` if it is empty or has an unknown operator.
    pub fn of_spec(selector: &Value) -> Option<Self> {
        let mut requirements: Vec<Requirement> = equal(selector.get("matchLabels"));
        for expression in json::list(selector, &["matchExpressions"]) {
            let key = json::text(expression, &["key"])?.to_owned();
            let values = json::list(expression, &["values"]);
            let values = values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let operator = match json::text(expression, &["operator"])? {
                "In" => LabelOperator::In(values),
                "NotIn" => LabelOperator::NotIn(values),
                "Exists" => LabelOperator::Exists,
                "DoesNotExist" => LabelOperator::DoesNotExist,
                _ => return None,
            };
            requirements.push(Requirement { key, operator });
        }
        (!requirements.is_empty()).then(|| Self { requirements, text: String::new() })
    }

    /// The selector of a Service, a plain map; `None` if it is empty.
    pub fn of_map(map: &Value) -> Option<Self> {
        let requirements = equal(Some(map));
        (!requirements.is_empty()).then(|| Self { requirements, text: String::new() })
    }

    /// Whether it has no requirements.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Whether labels meet every requirement.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.requirements.iter().all(|requirement| {
            let value = labels.get(&requirement.key);
            match &requirement.operator {
                LabelOperator::Exists => value.is_some(),
                LabelOperator::DoesNotExist => value.is_none(),
                LabelOperator::In(values) => value.is_some_and(|value| values.contains(value)),
                // As in Kubernetes, a missing label matches.
                LabelOperator::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            }
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn equal(map: Option<&Value>) -> Vec<Requirement> {
    let fields = map.and_then(Value::as_object).into_iter().flatten();
    let requirement = |(key, value): (&String, &Value)| {
        let value = value.as_str()?.to_owned();
        Some(Requirement { key: key.clone(), operator: LabelOperator::In(vec![value]) })
    };
    fields.filter_map(requirement).collect()
}

/// Splits at commas outside of parentheses.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn requirement(part: &str) -> Result<Requirement, String> {
    let invalid = || {
        format!(
            "unable to parse requirement \"{part}\": expected key=value, key!=value, key in (a,b), key notin (a,b), key or !key"
        )
    };
    if let Some(key) = part.strip_prefix('!') {
        return Ok(Requirement {
            key: checked(key).ok_or_else(invalid)?,
            operator: LabelOperator::DoesNotExist,
        });
    }
    // The longer operators first: `!=` and `==` contain `=`.
    for (sign, operator) in
        [("!=", LabelOperator::NotIn as fn(_) -> _), ("==", LabelOperator::In), ("=", LabelOperator::In)]
    {
        if let Some((key, value)) = part.split_once(sign) {
            let key = checked(key).ok_or_else(invalid)?;
            return if value.contains(['=', '!', '(', ')']) {
                Err(invalid())
            } else {
                Ok(Requirement { key, operator: operator(vec![value.trim().to_owned()]) })
            };
        }
    }
    if let Some((head, rest)) = part.split_once('(') {
        let values = rest.strip_suffix(')').ok_or_else(invalid)?;
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        let words: Vec<&str> = head.split_whitespace().collect();
        return match words.as_slice() {
            [key, "in"] => Ok(Requirement {
                key: checked(key).ok_or_else(invalid)?,
                operator: LabelOperator::In(values),
            }),
            [key, "notin"] => Ok(Requirement {
                key: checked(key).ok_or_else(invalid)?,
                operator: LabelOperator::NotIn(values),
            }),
            _ => Err(invalid()),
        };
    }
    Ok(Requirement { key: checked(part).ok_or_else(invalid)?, operator: LabelOperator::Exists })
}

fn checked(key: &str) -> Option<String> {
    let key = key.trim();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    (!key.is_empty() && key.chars().all(fits)).then(|| key.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn labels(text: &str) -> Labels {
        let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
        pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn every_form_of_a_requirement_is_parsed() {
        for (selector, met, unmet) in [
            ("a=b", "a=b,c=d", "a=c"),
            ("a==b", "a=b", "b=a"),
            ("a!=b", "a=c", "a=b"),
            ("a!=b", "c=d", "a=b,c=d"),
            ("a in (b, c)", "a=c", "a=d"),
            ("a notin (b,c),d", "d=", "a=c,d="),
            ("!a", "b=c", "a=b"),
            ("example.com/a", "example.com/a=", "a="),
            (" a = b , c ", "a=b,c=d", "a=b"),
        ] {
            let parsed = Selector::parse(selector).unwrap();
            assert!(parsed.matches(&labels(met)), "{selector} on {met}");
            assert!(!parsed.matches(&labels(unmet)), "{selector} on {unmet}");
        }
        assert!(Selector::parse("").unwrap().matches(&labels("")));
    }

    #[test]
    fn an_invalid_selector_is_rejected_with_the_invalid_part() {
        for text in ["=b", "a in b", "a in (b", "a<b", "a=b=c", "a b"] {
            assert!(Selector::parse(text).unwrap_err().contains("unable to parse requirement"), "{text}");
        }
    }

    #[test]
    fn selectors_of_objects_are_parsed_and_empty_ones_select_nothing() {
        let spec =
            json!({"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "Exists"}]});
        let selector = Selector::of_spec(&spec).unwrap();
        assert!(selector.matches(&labels("a=b,c=d")) && !selector.matches(&labels("a=b")));
        assert_eq!(Selector::of_spec(&json!({})), None);
        assert_eq!(Selector::of_map(&json!({})), None);
        assert!(Selector::of_map(&json!({"a": "b"})).unwrap().matches(&labels("a=b")));
    }
}

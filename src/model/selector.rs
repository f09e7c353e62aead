//! Label selectors, as `-l` takes them and as objects carry them.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::json;

/// Labels by their key.
pub type Labels = BTreeMap<String, String>;

/// Demands that labels must meet, all of them. One without demands is met by everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    demands: Vec<Demand>,
    /// As it was typed, for the server.
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Demand {
    key: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Exists,
    Missing,
    In(Vec<String>),
    NotIn(Vec<String>),
}

impl Selector {
    /// Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let demands = parts(text).into_iter().map(demand).collect::<Result<_, _>>()?;
        Ok(Self { demands, text: text.to_owned() })
    }

    /// The selector of a workload or a budget: `matchLabels` and `matchExpressions`. Nothing selects nothing.
    pub fn of_spec(selector: &Value) -> Option<Self> {
        let mut demands: Vec<Demand> = equal(selector.get("matchLabels"));
        for expression in json::list(selector, &["matchExpressions"]) {
            let key = json::text(expression, &["key"])?.to_owned();
            let values = json::list(expression, &["values"]);
            let values = values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let test = match json::text(expression, &["operator"])? {
                "In" => Test::In(values),
                "NotIn" => Test::NotIn(values),
                "Exists" => Test::Exists,
                "DoesNotExist" => Test::Missing,
                _ => return None,
            };
            demands.push(Demand { key, test });
        }
        (!demands.is_empty()).then(|| Self { demands, text: String::new() })
    }

    /// The plain map of a Service. An empty one selects nothing.
    pub fn of_map(map: &Value) -> Option<Self> {
        let demands = equal(Some(map));
        (!demands.is_empty()).then(|| Self { demands, text: String::new() })
    }

    /// Whether it demands nothing.
    pub fn is_empty(&self) -> bool {
        self.demands.is_empty()
    }

    /// Whether labels meet every demand.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.demands.iter().all(|demand| {
            let value = labels.get(&demand.key);
            match &demand.test {
                Test::Exists => value.is_some(),
                Test::Missing => value.is_none(),
                Test::In(values) => value.is_some_and(|value| values.contains(value)),
                // As the server has it: a label that is not there is not among the values.
                Test::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            }
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn equal(map: Option<&Value>) -> Vec<Demand> {
    let fields = map.and_then(Value::as_object).into_iter().flatten();
    let demand = |(key, value): (&String, &Value)| {
        let value = value.as_str()?.to_owned();
        Some(Demand { key: key.clone(), test: Test::In(vec![value]) })
    };
    fields.filter_map(demand).collect()
}

/// Splits at commas that are not inside brackets.
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

fn demand(part: &str) -> Result<Demand, String> {
    let wrong = || {
        format!(
            "unable to parse requirement \"{part}\": expected key=value, key!=value, key in (a,b), key notin (a,b), key or !key"
        )
    };
    if let Some(key) = part.strip_prefix('!') {
        return Ok(Demand { key: checked(key).ok_or_else(wrong)?, test: Test::Missing });
    }
    // The longer signs first: `!=` and `==` hold `=`.
    for (sign, test) in [("!=", Test::NotIn as fn(_) -> _), ("==", Test::In), ("=", Test::In)] {
        if let Some((key, value)) = part.split_once(sign) {
            let key = checked(key).ok_or_else(wrong)?;
            return if value.contains(['=', '!', '(', ')']) {
                Err(wrong())
            } else {
                Ok(Demand { key, test: test(vec![value.trim().to_owned()]) })
            };
        }
    }
    if let Some((head, rest)) = part.split_once('(') {
        let values = rest.strip_suffix(')').ok_or_else(wrong)?;
        let values = values.split(',').map(|value| value.trim().to_owned()).collect();
        let words: Vec<&str> = head.split_whitespace().collect();
        return match words.as_slice() {
            [key, "in"] => Ok(Demand { key: checked(key).ok_or_else(wrong)?, test: Test::In(values) }),
            [key, "notin"] => Ok(Demand { key: checked(key).ok_or_else(wrong)?, test: Test::NotIn(values) }),
            _ => Err(wrong()),
        };
    }
    Ok(Demand { key: checked(part).ok_or_else(wrong)?, test: Test::Exists })
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
    fn every_form_of_a_demand_is_understood() {
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
    fn what_is_no_selector_is_refused_with_the_part_that_is_wrong() {
        for text in ["=b", "a in b", "a in (b", "a<b", "a=b=c", "a b"] {
            assert!(Selector::parse(text).unwrap_err().contains("unable to parse requirement"), "{text}");
        }
    }

    #[test]
    fn selectors_of_objects_read_the_same_and_empty_ones_select_nothing() {
        let spec =
            json!({"matchLabels": {"a": "b"}, "matchExpressions": [{"key": "c", "operator": "Exists"}]});
        let selector = Selector::of_spec(&spec).unwrap();
        assert!(selector.matches(&labels("a=b,c=d")) && !selector.matches(&labels("a=b")));
        assert_eq!(Selector::of_spec(&json!({})), None);
        assert_eq!(Selector::of_map(&json!({})), None);
        assert!(Selector::of_map(&json!({"a": "b"})).unwrap().matches(&labels("a=b")));
    }
}

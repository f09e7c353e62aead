//! From a path and a value to what the path finds in it. Failures are sentences in kubectl's words; where
//! in the template they belong is known one floor up.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::{Operator, Part, Test};

/// Both the document and the literals of the template are found, so one lifetime covers the two.
pub(super) fn follow<'a>(path: &'a [Part], from: Vec<&'a Value>) -> Result<Vec<&'a Value>, String> {
    path.iter().try_fold(from, |input, part| step(part, input))
}

fn step<'a>(part: &'a Part, input: Vec<&'a Value>) -> Result<Vec<&'a Value>, String> {
    match part {
        Part::Field(name) => Ok(input.into_iter().filter_map(|value| value.get(name.as_str())).collect()),
        Part::Wildcard => Ok(input.into_iter().flat_map(children).collect()),
        Part::Descent => Ok(descend(input)),
        Part::Index(index) => lists(&input)?.map(|list| pick(list, *index)).collect(),
        Part::Slice { start, end, step } => {
            let mut found = Vec::new();
            for list in lists(&input)? {
                found.extend(cut(list, *start, *end, *step)?);
            }
            Ok(found)
        }
        Part::Union(paths) => {
            let mut found = Vec::new();
            for path in paths {
                found.append(&mut follow(path, input.clone())?);
            }
            Ok(found)
        }
        Part::Filter(left, test) => filter(&input, left, test),
        Part::Text(text) => Ok(vec![text]),
        Part::Scalar(scalar) => Ok(vec![scalar; input.len()]),
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(list) => list.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    }
}

/// Everything that holds something, each before what it holds; text counts, numbers do not.
fn descend(input: Vec<&Value>) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut waiting = input;
    waiting.reverse();
    while let Some(value) = waiting.pop() {
        let inner = children(value);
        if !inner.is_empty() || value.as_str().is_some_and(|text| !text.is_empty()) {
            found.push(value);
        }
        waiting.extend(inner.into_iter().rev());
    }
    found
}

// === Lists ===

/// The lists among `input`. Null is passed over, anything else does not belong.
fn lists<'a>(input: &[&'a Value]) -> Result<impl Iterator<Item = &'a [Value]>, String> {
    let lists: Result<Vec<&[Value]>, String> = input
        .iter()
        .filter(|value| !value.is_null())
        .map(|value| match value {
            Value::Array(list) => Ok(list.as_slice()),
            other => Err(format!("{} is not array or slice", go_type(other))),
        })
        .collect();
    Ok(lists?.into_iter())
}

fn pick(list: &[Value], index: i64) -> Result<&Value, String> {
    let length = length(list);
    let index = from_the_end(index, length);
    usize::try_from(index).ok().and_then(|at| list.get(at)).ok_or_else(|| out_of_bounds(index, length))
}

fn cut(
    list: &[Value],
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
) -> Result<impl Iterator<Item = &Value>, String> {
    let length = length(list);
    let start = from_the_end(start.unwrap_or(0), length);
    let end = end.map_or(length, |end| from_the_end(end, length));
    // Nothing asked for is nothing found, even out of bounds.
    let range = if start == end {
        0..0
    } else if !(0..length).contains(&start) {
        return Err(out_of_bounds(start, length));
    } else if !(0..=length).contains(&end) {
        return Err(out_of_bounds(end.saturating_sub(1), length));
    } else if start > end {
        return Err(format!("starting index {start} is greater than ending index {end}"));
    } else {
        usize::try_from(start).unwrap_or(0)..usize::try_from(end).unwrap_or(0)
    };
    let step = match step {
        Some(step) if step <= 0 && !range.is_empty() => return Err("step must be > 0".to_owned()),
        Some(step) => usize::try_from(step).unwrap_or(usize::MAX).max(1),
        None => 1,
    };
    Ok(list.get(range).unwrap_or_default().iter().step_by(step))
}

fn length(list: &[Value]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}

fn from_the_end(index: i64, length: i64) -> i64 {
    if index < 0 { index.saturating_add(length) } else { index }
}

fn out_of_bounds(index: i64, length: i64) -> String {
    format!("array index out of bounds: index {index}, length {length}")
}

/// What kubectl, being Go, calls it.
fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

// === Filters ===

fn filter<'a>(input: &[&'a Value], left: &'a [Part], test: &'a Test) -> Result<Vec<&'a Value>, String> {
    let mut found = Vec::new();
    for value in input {
        let Value::Array(list) = value else {
            // kubectl prints the whole value here, which helps nobody.
            return Err(format!("{} is not array or slice and cannot be filtered", go_type(value)));
        };
        for item in list {
            if passes(item, left, test)? {
                found.push(item);
            }
        }
    }
    Ok(found)
}

fn passes<'a>(item: &'a Value, left: &'a [Part], test: &'a Test) -> Result<bool, String> {
    let left = follow(left, vec![item]);
    let Test::Compare(operator, right) = test else {
        return Ok(left.is_ok_and(|found| !found.is_empty()));
    };
    let Some(left) = only(&left?)? else {
        return Ok(false);
    };
    let Some(right) = only(&follow(right, vec![item])?)? else {
        return Ok(false);
    };
    holds(*operator, left, right)
}

fn only<'a>(found: &[&'a Value]) -> Result<Option<&'a Value>, String> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => Err("can only compare one element at a time".to_owned()),
    }
}

fn holds(operator: Operator, left: &Value, right: &Value) -> Result<bool, String> {
    let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => numbers(left, right),
        (Value::Bool(left), Value::Bool(right)) if is_equality => left.cmp(right),
        (Value::Bool(_), Value::Bool(_))
        | (Value::Null | Value::Array(_) | Value::Object(_), _)
        | (_, Value::Null | Value::Array(_) | Value::Object(_)) => {
            return Err("invalid type for comparison".to_owned());
        }
        _ => return Err("incompatible types for comparison".to_owned()),
    };
    Ok(match operator {
        Operator::Equal => order.is_eq(),
        Operator::NotEqual => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::LessEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        Operator::GreaterEqual => order.is_ge(),
    })
}

fn numbers(left: &Number, right: &Number) -> Ordering {
    if let (Some(left), Some(right)) = (left.as_i128(), right.as_i128()) {
        return left.cmp(&right);
    }
    // JSON has no NaN, so every two numbers have an order.
    left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal)
}

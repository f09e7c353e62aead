//! Evaluates a path: from a value to the values that the path finds in it. Errors are in kubectl's words; the
//! caller adds the position in the template.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::{Node, Operator, Predicate};

/// Results are parts of the document or literals of the template, so one lifetime covers both.
pub(super) fn eval_path<'a>(path: &'a [Node], from: Vec<&'a Value>) -> Result<Vec<&'a Value>, String> {
    path.iter().try_fold(from, |input, node| eval_node(node, input))
}

fn eval_node<'a>(node: &'a Node, input: Vec<&'a Value>) -> Result<Vec<&'a Value>, String> {
    match node {
        Node::Field(name) => Ok(input.into_iter().filter_map(|value| value.get(name.as_str())).collect()),
        Node::Wildcard => Ok(input.into_iter().flat_map(children).collect()),
        Node::Recursive => Ok(eval_recursive(input)),
        Node::Index(index) => arrays(&input)?.map(|array| eval_index(array, *index)).collect(),
        Node::Slice { start, end, step } => {
            let mut found = Vec::new();
            for array in arrays(&input)? {
                found.extend(eval_slice(array, *start, *end, *step)?);
            }
            Ok(found)
        }
        Node::Union(paths) => {
            let mut found = Vec::new();
            for path in paths {
                found.append(&mut eval_path(path, input.clone())?);
            }
            Ok(found)
        }
        Node::Filter(left, predicate) => eval_filter(&input, left, predicate),
        Node::Text(text) => Ok(vec![text]),
        Node::Literal(literal) => Ok(vec![literal; input.len()]),
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(list) => list.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    }
}

/// All values that are not empty, parents before their children: a string counts, a number or boolean does not.
fn eval_recursive(input: Vec<&Value>) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut pending = input;
    pending.reverse();
    while let Some(value) = pending.pop() {
        let inner = children(value);
        if !inner.is_empty() || value.as_str().is_some_and(|text| !text.is_empty()) {
            found.push(value);
        }
        pending.extend(inner.into_iter().rev());
    }
    found
}

// === Arrays ===

/// The arrays of `input`. Null is ignored, anything else is an error.
fn arrays<'a>(input: &[&'a Value]) -> Result<impl Iterator<Item = &'a [Value]>, String> {
    let arrays: Result<Vec<&[Value]>, String> = input
        .iter()
        .filter(|value| !value.is_null())
        .map(|value| match value {
            Value::Array(array) => Ok(array.as_slice()),
            other => Err(format!("{} is not array or slice", go_type(other))),
        })
        .collect();
    Ok(arrays?.into_iter())
}

fn eval_index(array: &[Value], index: i64) -> Result<&Value, String> {
    let length = length(array);
    let index = resolve_index(index, length);
    usize::try_from(index).ok().and_then(|at| array.get(at)).ok_or_else(|| out_of_bounds(index, length))
}

fn eval_slice(
    array: &[Value],
    start: Option<i64>,
    end: Option<i64>,
    step: Option<i64>,
) -> Result<impl Iterator<Item = &Value>, String> {
    let length = length(array);
    let start = resolve_index(start.unwrap_or(0), length);
    let end = end.map_or(length, |end| resolve_index(end, length));
    // An empty slice finds nothing, even out of bounds.
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
    Ok(array.get(range).unwrap_or_default().iter().step_by(step))
}

fn length(array: &[Value]) -> i64 {
    i64::try_from(array.len()).unwrap_or(i64::MAX)
}

/// A negative index counts from the end.
fn resolve_index(index: i64, length: i64) -> i64 {
    if index < 0 { index.saturating_add(length) } else { index }
}

fn out_of_bounds(index: i64, length: i64) -> String {
    format!("array index out of bounds: index {index}, length {length}")
}

/// The type as Go's `%T` prints it, which is what kubectl shows.
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

fn eval_filter<'a>(
    input: &[&'a Value],
    left: &'a [Node],
    predicate: &'a Predicate,
) -> Result<Vec<&'a Value>, String> {
    let mut found = Vec::new();
    for value in input {
        let Value::Array(list) = value else {
            // kubectl prints the whole value here; its type says enough.
            return Err(format!("{} is not array or slice and cannot be filtered", go_type(value)));
        };
        for item in list {
            if is_match(item, left, predicate)? {
                found.push(item);
            }
        }
    }
    Ok(found)
}

fn is_match<'a>(item: &'a Value, left: &'a [Node], predicate: &'a Predicate) -> Result<bool, String> {
    let left = eval_path(left, vec![item]);
    let Predicate::Compare(operator, right) = predicate else {
        return Ok(left.is_ok_and(|found| !found.is_empty()));
    };
    let Some(left) = at_most_one(&left?)? else {
        return Ok(false);
    };
    let Some(right) = at_most_one(&eval_path(right, vec![item])?)? else {
        return Ok(false);
    };
    compare(*operator, left, right)
}

fn at_most_one<'a>(found: &[&'a Value]) -> Result<Option<&'a Value>, String> {
    match found {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        _ => Err("can only compare one element at a time".to_owned()),
    }
}

fn compare(operator: Operator, left: &Value, right: &Value) -> Result<bool, String> {
    let is_equality = matches!(operator, Operator::Equal | Operator::NotEqual);
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => compare_numbers(left, right),
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

fn compare_numbers(left: &Number, right: &Number) -> Ordering {
    if let (Some(left), Some(right)) = (left.as_i128(), right.as_i128()) {
        return left.cmp(&right);
    }
    // JSON has no NaN, so any two numbers are comparable.
    left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal)
}

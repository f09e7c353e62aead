//! An object with the resource's own name and no owner: a child only if it also holds a value of the resource.

use jiff::SignedDuration;

use super::reference::scalars;
use crate::known::kinds::is_custom;
use crate::model::meta::Meta;
use crate::model::object::Object;

/// Clocks and retries: what was made this much before the resource may still be its work.
const MAX_HEAD_START: SignedDuration = SignedDuration::from_secs(5);
/// A shorter value is equal to another by chance.
const MIN_LENGTH: usize = 3;

/// Where the values of a child stand, by kind: anything but its metadata and status.
const SECTIONS: [&str; 4] = ["data", "spec", "stringData", "binaryData"];

/// Whether an object could be the work of the root at all, before its content is read.
pub(super) fn is_candidate(root: &Object, object: &Object) -> bool {
    let (name, other) = (&root.meta.name, &object.meta.name);
    // Only kinds of Kubernetes: another custom resource of that name is a resource in its own right.
    name.name == other.name
        && name.namespace == other.namespace
        && !is_custom(&object.kind)
        && is_custom(&root.kind)
        && object.meta.owners.is_empty()
        && is_not_older(&root.meta, &object.meta)
}

fn is_not_older(root: &Meta, object: &Meta) -> bool {
    match (root.created, object.created) {
        (Some(root), Some(object)) => object.duration_since(root) >= -MAX_HEAD_START,
        _ => false,
    }
}

/// The evidence that a candidate is the resource's work; none without a value that both hold.
pub(super) fn evidence(root: &Object, object: &Object) -> Option<Vec<String>> {
    let (field, spec_value) = shared_value(root, object)?;
    let age = match (root.meta.created, object.meta.created) {
        (Some(root), Some(object)) => {
            let seconds = object.duration_since(root);
            let after = crate::model::age::human(seconds.max(SignedDuration::ZERO));
            format!("made {after} later")
        }
        _ => return None,
    };
    Some(vec!["same name".to_owned(), age, format!("{field} = {spec_value}")])
}

/// A value in the child that stands in the resource's spec as well: both places.
pub(super) fn shared_value(root: &Object, object: &Object) -> Option<(String, String)> {
    let (root_body, body) = (root.whole()?, object.whole()?);
    let spec_values = scalars(root_body, "spec");
    let is_distinctive = |text: &str| {
        text.len() >= MIN_LENGTH
            && text != root.meta.name.name
            && text.parse::<f64>().is_err()
            && !matches!(text, "true" | "false")
    };
    SECTIONS
        .iter()
        .flat_map(|section| scalars(body, section))
        .filter(|(_, value)| is_distinctive(value))
        .find_map(|(field, value)| {
            let spec_value = spec_values.iter().find(|(_, spec_value)| *spec_value == value)?;
            Some((field, spec_value.0.clone()))
        })
}

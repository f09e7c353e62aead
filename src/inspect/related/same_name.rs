//! Objects with the same name as the resource and no owner. Such an object is a child only if it also contains a value
//! of the resource's spec.

use std::collections::HashMap;

use jiff::SignedDuration;

use super::reference::FieldStrings;
use crate::known::kinds::is_custom;
use crate::model::meta::Meta;
use crate::model::object::Object;

/// A child may appear to be this much older than its resource, because clocks differ and creations are retried.
const MAX_EARLIER: SignedDuration = SignedDuration::from_secs(5);
/// Shorter values are too often equal by chance.
const MIN_LENGTH: usize = 3;

/// The sections of a child that are compared.
const SECTIONS: [&str; 4] = ["data", "spec", "stringData", "binaryData"];

/// Whether an object could be a child of the root, by its metadata alone.
pub(super) fn is_candidate(root: &Object, object: &Object) -> bool {
    let (name, other) = (&root.meta.name, &object.meta.name);
    // Only kinds of Kubernetes: another custom resource with that name is not a child.
    name.name == other.name
        && name.namespace == other.namespace
        && !is_custom(&object.kind)
        && is_custom(&root.kind)
        && object.meta.owners.is_empty()
        && is_not_older(&root.meta, &object.meta)
}

pub(super) fn is_not_older(root: &Meta, object: &Meta) -> bool {
    match (root.created, object.created) {
        (Some(root), Some(object)) => object.duration_since(root) >= -MAX_EARLIER,
        _ => false,
    }
}

/// The evidence that a candidate is a child; `None` without a common value.
pub(super) fn evidence(root: &Object, object: &Object) -> Option<Vec<String>> {
    let (field, spec_field) = shared_value(root, object)?;
    let age = match (root.meta.created, object.meta.created) {
        (Some(root_created), Some(created)) => {
            let seconds = created.duration_since(root_created);
            let after = crate::model::age::human(seconds.max(SignedDuration::ZERO));
            format!("created {after} after the {}", root.kind.kind)
        }
        _ => return None,
    };
    Some(vec!["same name".to_owned(), age, format!("{field} = {spec_field}")])
}

/// A value that is both in the child and in the resource's spec: the path of each.
pub(super) fn shared_value(root: &Object, object: &Object) -> Option<(String, String)> {
    let (root_body, body) = (root.whole()?, object.whole()?);
    let spec = FieldStrings::of(root_body, "spec");
    let mut spec_values: HashMap<&str, usize> = HashMap::new();
    for (number, value) in spec.iter() {
        spec_values.entry(value).or_insert(number);
    }
    let is_distinctive = |text: &str| {
        text.len() >= MIN_LENGTH
            && text != root.meta.name.name
            && text.parse::<f64>().is_err()
            && !matches!(text, "true" | "false")
    };
    SECTIONS.iter().find_map(|section| {
        let own = FieldStrings::of(body, section);
        let mut distinctive = own.iter().filter(|(_, value)| is_distinctive(value));
        distinctive.find_map(|(number, value)| {
            let spec_number = spec_values.get(value)?;
            Some((own.path(number), spec.path(*spec_number)))
        })
    })
}

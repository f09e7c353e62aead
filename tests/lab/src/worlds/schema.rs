//! Schemas as controller-gen writes them, where the derive writes something else.

use schemars::Schema;
use serde_json::Value;

/// Removes the defaults of a status: serde needs them to read a status that somebody cut short, but the API server
/// must not fill in what the operator never said.
pub(super) fn without_defaults(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|properties| properties.values_mut()) {
        if let Some(property) = property.as_object_mut() {
            property.remove("default");
        }
    }
}

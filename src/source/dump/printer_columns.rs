//! The additional printer columns of a `CustomResourceDefinition`, evaluated as the server does.

use serde_json::Value;

use super::Dump;
use crate::jsonpath::{self, go_text};
use crate::model::json::{list, number, text};
use crate::model::snapshot::{PrinterColumn, Snapshot};
use crate::source::selection::Selection;

impl Dump {
    /// Adds the printer columns of the roots to a snapshot, if the dump contains their definition.
    pub fn print(&self, snapshot: &mut Snapshot, wanted: &Selection) {
        let name = wanted.kind.full_name();
        let is_definition = |entry: &&super::DumpEntry| {
            entry.kind.kind == "CustomResourceDefinition" && entry.meta.name.name == name
        };
        let Some(definition) =
            self.entries.iter().find(is_definition).and_then(|entry| self.body(entry).ok())
        else {
            return;
        };
        let versions = list(&definition, &["spec", "versions"]);
        let of_version = |version: &&Value| text(version, &["name"]) == Some(&wanted.kind.version);
        // The age is printed anyway; columns with a priority belong to wide output.
        let is_shown = |column: &&Value| {
            text(column, &["name"]) != Some("Age") && number(column, &["priority"]).unwrap_or(0) == 0
        };
        let of_version = versions.iter().find(of_version);
        let of_version = of_version.map_or(&[][..], |version| list(version, &["additionalPrinterColumns"]));
        // A definition in v1beta1 may have the same columns for all versions.
        let of_all = list(&definition, &["spec", "additionalPrinterColumns"]);
        let columns: Vec<&Value> = of_version.iter().chain(of_all).filter(is_shown).collect();
        for object in snapshot.objects.iter().filter(|object| snapshot.roots.contains(&object.meta.uid)) {
            let Some(body) = object.whole() else { continue };
            let printed = columns.iter().filter_map(|column| evaluate(column, body)).collect();
            snapshot.printed.insert(object.meta.uid.clone(), printed);
        }
    }
}

fn evaluate(column: &Value, body: &Value) -> Option<PrinterColumn> {
    let path = text(column, &["jsonPath"]).or_else(|| text(column, &["JSONPath"]))?;
    let path = jsonpath::parse_relaxed(path).ok()?;
    let found = path.find(body).unwrap_or_default();
    let shown = |value: &&Value| match value {
        Value::String(text) => text.clone(),
        other => go_text(other),
    };
    let value = found.iter().map(shown).collect::<Vec<_>>().join(",");
    let value = if found.is_empty() { "<none>".to_owned() } else { value };
    Some(PrinterColumn { name: text(column, &["name"])?.to_owned(), value })
}

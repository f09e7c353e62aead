//! Printer columns, as the server prints them for `kubectl get`.

use serde::Deserialize;
use serde_json::Value;

use super::{Cluster, path};
use crate::model::snapshot::{PrinterColumn, Snapshot};
use crate::source::selection::{Select, Selection};

const TABLE_ACCEPT: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonTable {
    column_definitions: Option<Vec<JsonColumn>>,
    rows: Option<Vec<JsonRow>>,
}

#[derive(Deserialize)]
struct JsonColumn {
    name: String,
    #[serde(default)]
    priority: i64,
}

#[derive(Deserialize)]
struct JsonRow {
    #[serde(default)]
    cells: Vec<Value>,
    #[serde(default)]
    object: Value,
}

impl Cluster {
    /// Adds the printer columns of the roots to a snapshot. They are optional: an error is ignored.
    pub async fn read_printer_columns(&self, snapshot: &mut Snapshot, selection: &Selection) {
        let namespace = selection.namespace.as_deref();
        let path = match &selection.objects {
            Select::Named(name) => path::object(&selection.kind, namespace, name),
            Select::Matching(_) => path::list(&selection.kind, namespace),
        };
        let Ok(table) =
            self.get_json::<JsonTable>(&format!("{path}?includeObject=Metadata"), TABLE_ACCEPT).await
        else {
            return;
        };
        let columns = table.column_definitions.unwrap_or_default();
        for row in table.rows.unwrap_or_default() {
            let Some(uid) = row.object["metadata"]["uid"].as_str() else { continue };
            let cells = columns.iter().zip(&row.cells);
            // Name and age are shown anyway; columns with a priority are for wide output only.
            let own = cells
                .filter(|(column, _)| column.name != "Name" && column.name != "Age" && column.priority == 0);
            let printed =
                own.map(|(column, cell)| PrinterColumn { name: column.name.clone(), value: cell_text(cell) });
            let key = snapshot.roots.iter().find(|root| root.0 == uid).cloned();
            snapshot.printed.extend(key.map(|key| (key, printed.collect())));
        }
    }
}

fn cell_text(cell: &Value) -> String {
    match cell {
        Value::Null => "<none>".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

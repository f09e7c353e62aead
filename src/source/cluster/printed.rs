//! The columns that a kind's author chose to show, as the server prints them.

use serde::Deserialize;
use serde_json::Value;

use super::{Cluster, path};
use crate::model::snapshot::{PrinterColumn, Snapshot};
use crate::source::selection::{Select, Selection};

const TABLE: &str = "application/json;as=Table;g=meta.k8s.io;v=v1";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    column_definitions: Option<Vec<Column>>,
    rows: Option<Vec<Row>>,
}

#[derive(Deserialize)]
struct Column {
    name: String,
    #[serde(default)]
    priority: i64,
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    cells: Vec<Value>,
    #[serde(default)]
    object: Value,
}

impl Cluster {
    /// Adds the columns of the roots to a snapshot. They are a courtesy: what cannot be read is not missed.
    pub async fn print(&self, snapshot: &mut Snapshot, wanted: &Selection) {
        let namespace = wanted.namespace.as_deref();
        let path = match &wanted.objects {
            Select::Named(name) => path::object(&wanted.kind, namespace, name),
            Select::Matching(_) => path::list(&wanted.kind, namespace),
        };
        let Ok(table) = self.document::<Table>(&format!("{path}?includeObject=Metadata"), TABLE).await else {
            return;
        };
        let columns = table.column_definitions.unwrap_or_default();
        for row in table.rows.unwrap_or_default() {
            let Some(uid) = row.object["metadata"]["uid"].as_str() else { continue };
            let cells = columns.iter().zip(&row.cells);
            // The name and the age stand elsewhere already; what is for wide tables only is left to them.
            let own = cells
                .filter(|(column, _)| column.name != "Name" && column.name != "Age" && column.priority == 0);
            let printed =
                own.map(|(column, cell)| PrinterColumn { name: column.name.clone(), value: shown(cell) });
            let key = snapshot.roots.iter().find(|root| root.0 == uid).cloned();
            snapshot.printed.extend(key.map(|key| (key, printed.collect())));
        }
    }
}

fn shown(cell: &Value) -> String {
    match cell {
        Value::Null => "<none>".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

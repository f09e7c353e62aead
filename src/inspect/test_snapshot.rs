//! Snapshots for tests, from objects as kubectl prints them.

use std::sync::Arc;

use serde_json::Value;

use crate::model::coverage::{Coverage, Scope};
use crate::model::ident::{ObjectName, Uid};
use crate::model::json::{list, text, time};
use crate::model::kind::{Kind, KindScope};
use crate::model::meta::{Meta, Owner, OwnerRole};
use crate::model::object::{Detail, Object};
use crate::model::selector::Labels;
use crate::model::snapshot::Snapshot;

/// A snapshot of whole objects; the first is the root. The default uid is `KIND/NAME`, the default namespace `shop`; an
/// object with an empty namespace is cluster-scoped.
pub(crate) fn test_snapshot(objects: &[Value]) -> Snapshot {
    let mut kinds: Vec<Arc<Kind>> = Vec::new();
    let objects: Vec<Object> = objects.iter().map(|body| object(body, &mut kinds)).collect();
    Snapshot {
        roots: vec![objects[0].meta.uid.clone()],
        counts: kinds.iter().map(|kind| (kind.full_name(), 1)).collect(),
        coverage: Coverage {
            kinds: kinds.len(),
            scope: Scope::Namespace("shop".into()),
            now: "2026-11-16T12:00:00Z".parse().unwrap(),
            ..Coverage::default()
        },
        kinds: kinds.into(),
        objects,
        ..Snapshot::default()
    }
}

fn object(body: &Value, kinds: &mut Vec<Arc<Kind>>) -> Object {
    let (api_version, kind) = (text(body, &["apiVersion"]).unwrap(), text(body, &["kind"]).unwrap());
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let name = text(body, &["metadata", "name"]).unwrap();
    let namespace = text(body, &["metadata", "namespace"]).unwrap_or("shop");
    let known = kinds.iter().find(|known| known.group == group && known.kind == kind).cloned();
    let kind = known.unwrap_or_else(|| {
        let kind = Arc::new(Kind {
            group: group.into(),
            version: version.into(),
            kind: kind.into(),
            plural: format!("{}s", kind.to_lowercase()),
            singular: kind.to_lowercase(),
            scope: if namespace.is_empty() { KindScope::Cluster } else { KindScope::Namespaced },
            verbs: vec!["list".into()],
            versions: vec![version.into()],
            ..Kind::default()
        });
        kinds.push(Arc::clone(&kind));
        kind
    });
    let labels = |field: &str| -> Labels {
        let fields = body["metadata"][field].as_object().into_iter().flatten();
        fields.map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned())).collect()
    };
    let uid = text(body, &["metadata", "uid"]).map_or_else(|| format!("{}/{name}", kind.kind), str::to_owned);
    let owners = list(body, &["metadata", "ownerReferences"]).iter().map(|owner| Owner {
        api_version: text(owner, &["apiVersion"]).unwrap_or_default().into(),
        kind: text(owner, &["kind"]).unwrap_or_default().into(),
        name: text(owner, &["name"]).unwrap_or_default().into(),
        uid: Uid(text(owner, &["uid"]).unwrap_or_default().into()),
        role: OwnerRole::Controller,
    });
    let meta = Meta {
        name: ObjectName {
            api_version: api_version.into(),
            kind: kind.kind.clone(),
            namespace: Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty()),
            name: name.into(),
        },
        uid: Uid(uid),
        created: time(body, &["metadata", "creationTimestamp"]).or("2026-11-16T11:00:00Z".parse().ok()),
        deleted: time(body, &["metadata", "deletionTimestamp"]),
        finalizers: Vec::new(),
        owners: owners.collect(),
        labels: labels("labels"),
        annotations: labels("annotations"),
    };
    Object::with_body(kind, meta, body.clone(), Detail::WithManagedFields)
}

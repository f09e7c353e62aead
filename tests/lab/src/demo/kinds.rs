//! Which kinds the lab's server has, what is read of them, and the index that says so.

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{Request, header};
use kube::Client;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Resources that are not read, as (group, plural), sorted. `*` is every resource of the group. They are not in
/// the index either: nothing is known of them.
const SKIPPED: [(&str, &str); 8] = [
    ("", "bindings"),
    ("", "componentstatuses"),
    // EndpointSlices say the same.
    ("", "endpoints"),
    ("authentication.k8s.io", "*"),
    ("authorization.k8s.io", "*"),
    // The same objects as the core group's Events.
    ("events.k8s.io", "*"),
    // How the API server treats its callers.
    ("flowcontrol.apiserver.k8s.io", "*"),
    ("metrics.k8s.io", "*"),
];
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const AT_ONCE: usize = 8;

/// A kind, as the index has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    group: String,
    version: String,
    kind: String,
    plural: String,
    singular: String,
    short_names: Vec<String>,
    categories: Vec<String>,
    namespaced: bool,
    verbs: Vec<String>,
}

impl Entry {
    fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    fn path(&self) -> String {
        let root = if self.group.is_empty() { "api" } else { "apis" };
        format!("/{root}/{}/{}", self.api_version(), self.plural)
    }

    fn is_read(&self) -> bool {
        let skipped = |(group, plural): &(&str, &str)| {
            self.group == *group && (*plural == "*" || self.plural == *plural)
        };
        self.verbs.iter().any(|verb| verb == "list") && !SKIPPED.iter().any(skipped)
    }
}

/// The kinds to read, in the server's order, each in the version it prefers.
pub(super) async fn discover(client: &Client) -> Result<Vec<Entry>> {
    let mut kinds = Vec::new();
    for root in ["/api", "/apis"] {
        let request = Request::get(root).header(header::ACCEPT, AGGREGATED).body(Vec::new())?;
        let groups: Groups =
            client.request(request).await.with_context(|| format!("failed to read {root}"))?;
        kinds.extend(groups.items.into_iter().flat_map(Group::kinds));
    }
    kinds.retain(Entry::is_read);
    Ok(kinds)
}

/// The objects of each kind in all namespaces, by namespace and name.
pub(super) async fn read(client: &Client, kinds: &[Entry]) -> Result<Vec<Vec<Value>>> {
    stream::iter(kinds.iter().map(|kind| list(client, kind))).buffered(AT_ONCE).try_collect().await
}

/// An object that says which kinds were read, also those of which there are no objects: a reader can tell them
/// from kinds of which it knows nothing.
pub(super) fn index(kinds: &[Entry], logs: &[Value]) -> Value {
    let metadata = json!({ "name": "index" });
    json!({ "apiVersion": "kubectl-op/v1", "kind": "Index", "metadata": metadata, "kinds": kinds, "logs": logs })
}

async fn list(client: &Client, kind: &Entry) -> Result<Vec<Value>> {
    let path = kind.path();
    let answer: Value = client
        .request(Request::get(&path).body(Vec::new())?)
        .await
        .with_context(|| format!("failed to list {path}"))?;
    let Value::Array(items) = answer["items"].clone() else { return Ok(Vec::new()) };
    let mut objects: Vec<Value> = items.into_iter().map(|item| named(item, kind)).collect();
    let word = |object: &Value, key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
    objects.sort_by_cached_key(|object| (word(object, "namespace"), word(object, "name")));
    Ok(objects)
}

/// Objects in a list need not say what they are; outside of it they must.
fn named(item: Value, kind: &Entry) -> Value {
    let mut object = Map::new();
    object.insert("apiVersion".to_owned(), json!(kind.api_version()));
    object.insert("kind".to_owned(), json!(kind.kind));
    if let Value::Object(fields) = item {
        object.extend(fields.into_iter().filter(|(key, _)| key != "apiVersion" && key != "kind"));
    }
    Value::Object(object)
}

#[derive(Deserialize)]
struct Groups {
    items: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(default)]
    metadata: Named,
    versions: Vec<Version>,
}

#[derive(Default, Deserialize)]
struct Named {
    /// The core group has none.
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Version {
    version: String,
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    #[serde(rename = "resource")]
    plural: String,
    response_kind: Option<ResponseKind>,
    #[serde(default)]
    scope: String,
    #[serde(default, rename = "singularResource")]
    singular: String,
    #[serde(default)]
    short_names: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    verbs: Vec<String>,
}

#[derive(Deserialize)]
struct ResponseKind {
    kind: String,
}

impl Group {
    /// One kind per resource, in the first version that has it.
    fn kinds(self) -> Vec<Entry> {
        let mut kinds: Vec<Entry> = Vec::new();
        for Version { version, resources } in self.versions {
            for resource in resources {
                let Some(ResponseKind { kind }) = resource.response_kind else { continue };
                if kinds.iter().any(|known| known.plural == resource.plural) {
                    continue;
                }
                kinds.push(Entry {
                    group: self.metadata.name.clone(),
                    version: version.clone(),
                    kind,
                    plural: resource.plural,
                    singular: resource.singular,
                    short_names: resource.short_names,
                    categories: resource.categories,
                    namespaced: resource.scope == "Namespaced",
                    verbs: resource.verbs,
                });
            }
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_no_doubles() {
        assert!(SKIPPED.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn a_kind_is_taken_in_the_first_version_that_has_it() {
        let resource = |plural: &str, kind: &str| json!({"resource": plural, "responseKind": {"kind": kind}, "scope": "Namespaced", "verbs": ["list"]});
        let group: Group = serde_json::from_value(json!({
            "metadata": {"name": "g"},
            "versions": [
                {"version": "v2", "resources": [resource("as", "A")]},
                {"version": "v1", "resources": [resource("as", "A"), resource("bs", "B")]},
            ],
        }))
        .unwrap();
        let paths: Vec<String> = group.kinds().iter().map(Entry::path).collect();
        assert_eq!(paths, ["/apis/g/v2/as", "/apis/g/v1/bs"]);
    }

    #[test]
    fn the_index_has_the_names_a_reader_looks_for() {
        let kind = Entry {
            group: String::new(),
            version: "v1".to_owned(),
            kind: "Pod".to_owned(),
            plural: "pods".to_owned(),
            singular: "pod".to_owned(),
            short_names: vec!["po".to_owned()],
            categories: vec!["all".to_owned()],
            namespaced: true,
            verbs: vec!["list".to_owned()],
        };
        let index = index(&[kind], &[]);
        let expected = json!({"group": "", "version": "v1", "kind": "Pod", "plural": "pods", "singular": "pod",
            "shortNames": ["po"], "categories": ["all"], "namespaced": true, "verbs": ["list"]});
        assert_eq!(index["kinds"][0], expected);
        assert_eq!(index["kind"], "Index");
    }
}

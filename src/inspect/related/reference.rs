//! References from a custom resource to other objects, in its spec or status.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::words::words;
use crate::known::kinds::is_custom;
use crate::known::references;
use crate::model::ident::{ObjectName, group_of};
use crate::model::json::{at, text};
use crate::model::kind::{Kind, KindScope};
use crate::model::object::Object;

/// The maximum number of objects and lists that are visited in a resource.
const MAX_FIELDS: usize = 50_000;
/// The maximum number of references that are followed.
pub(super) const MAX_REFERENCES: usize = 200;
/// A longer key is no field of a schema, and nothing below it is searched: every path below it would contain it.
const MAX_KEY_LEN: usize = 256;
/// The number of words of a key that can mean a kind: no kind has more.
const MAX_KIND_WORDS: usize = 8;

/// The references of a resource.
#[derive(Debug, Default)]
pub(super) struct References {
    pub(super) found: Vec<Reference>,
    /// Whether the resource is too large to be searched completely.
    pub(super) is_partial: bool,
}

/// A reference to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) to: ObjectName,
    /// The path of the field: `status.configMapName`.
    pub(super) path: String,
    pub(super) section: Section,
    pub(super) level: ReferenceLevel,
}

/// Where the object of a reference is, seen from the resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceLevel {
    /// The resource is part of it, uses it or acts on it: a parent, a class, an issuer, a target.
    Above,
    /// Anything else: it may be a child.
    Below,
}

/// The section of the resource that contains a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Written by the user: the object may belong to anything.
    Spec,
    /// Written by the operator: the object is a child.
    Status,
}

/// All references of a custom resource. Kinds of Kubernetes are in `selectors.rs`.
pub(super) fn references(root: &Object, kinds: &[Arc<Kind>]) -> References {
    let mut references = References::default();
    let Some(body) = root.whole().filter(|_| is_custom(&root.kind)) else { return references };
    let finder = Finder { root, kinds };
    for (section, name) in [(Section::Status, "status"), (Section::Spec, "spec")] {
        let Some(value) = body.get(name) else { continue };
        finder.walk(value, name, section, &mut references);
    }
    references
}

/// The paths of the visited fields, each stored as a step from its parent.
struct FieldPaths<'a> {
    start: &'a str,
    steps: Vec<(Option<usize>, PathStep<'a>)>,
}

#[derive(Clone, Copy)]
enum PathStep<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> FieldPaths<'a> {
    fn add(&mut self, above: Option<usize>, step: PathStep<'a>) -> usize {
        self.steps.push((above, step));
        self.steps.len() - 1
    }

    /// The words of the last key, without a final `ref` or `refs`.
    fn last_words(&self, parent: Option<usize>) -> Vec<String> {
        let mut parent = parent;
        while let Some((above, step)) = parent.map(|parent| self.steps[parent]) {
            if let PathStep::Key(key) = step {
                let mut words = words(key);
                words.pop_if(|last| matches!(last.as_str(), "ref" | "refs" | "reference" | "references"));
                return words;
            }
            parent = above;
        }
        Vec::new()
    }

    /// `status.refs[0].name`
    fn path(&self, parent: Option<usize>, key: Option<&str>) -> String {
        let mut steps: Vec<PathStep<'_>> = key.map(PathStep::Key).into_iter().collect();
        let mut parent = parent;
        while let Some((above, step)) = parent.map(|parent| self.steps[parent]) {
            steps.push(step);
            parent = above;
        }
        let mut path = self.start.to_owned();
        for step in steps.into_iter().rev() {
            // Writing into memory does not fail.
            let _ = match step {
                PathStep::Key(key) => write!(path, ".{key}"),
                PathStep::Index(at) => write!(path, "[{at}]"),
            };
        }
        path
    }
}

/// A quick check whether a field can be a reference, because splitting every key into words is slow.
fn may_be_reference(key: &str, value: &Value) -> bool {
    let ends = |word: &str| {
        let key = key.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        let start = key.len().checked_sub(word.len());
        start.and_then(|start| key.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    match value {
        Value::String(_) => ["name", "ref", "reference"].into_iter().any(ends),
        Value::Array(_) => ["names", "refs", "references"].into_iter().any(ends),
        Value::Object(_) => true,
        _ => false,
    }
}

struct Finder<'a> {
    root: &'a Object,
    kinds: &'a [Arc<Kind>],
}

impl Finder<'_> {
    /// Visits every field, without recursion because a resource can be nested deeply. A path is formatted only for a
    /// reference: most fields are none.
    fn walk(&self, value: &Value, path: &str, section: Section, references: &mut References) {
        let References { found, is_partial } = references;
        let mut paths = FieldPaths { start: path, steps: Vec::new() };
        let mut open = vec![(None, value)];
        let mut visited = 0;
        while let Some((parent, value)) = open.pop() {
            visited += 1;
            if visited > MAX_FIELDS || found.len() >= MAX_REFERENCES {
                *is_partial = true;
                return;
            }
            match value {
                Value::Object(fields) => {
                    let target = self.by_object(fields, section, || paths.last_words(parent));
                    self.add(target, || paths.path(parent, None), section, found);
                    for (key, value) in fields.iter().rev() {
                        if key.len() > MAX_KEY_LEN {
                            *is_partial = true;
                            continue;
                        }
                        for target in self.by_key(key, value) {
                            if found.len() >= MAX_REFERENCES {
                                *is_partial = true;
                                return;
                            }
                            self.add(Some(target), || paths.path(parent, Some(key)), section, found);
                        }
                        if value.is_object() || value.is_array() {
                            open.push((Some(paths.add(parent, PathStep::Key(key))), value));
                        }
                    }
                }
                Value::Array(items) => {
                    for (at, item) in items.iter().enumerate().rev() {
                        if item.is_object() || item.is_array() {
                            open.push((Some(paths.add(parent, PathStep::Index(at))), item));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn add(
        &self,
        target: Option<ReferenceTarget>,
        path: impl FnOnce() -> String,
        section: Section,
        found: &mut Vec<Reference>,
    ) {
        let Some(target) = target else { return };
        let level = target.level;
        let Some(to) = self.name(target) else { return };
        if to == self.root.meta.name || found.iter().any(|known| known.to == to && known.section == section) {
            return;
        }
        found.push(Reference { to, path: path(), section, level });
    }

    /// A JSON object with the kind and name of another object.
    fn by_object(
        &self,
        fields: &Map<String, Value>,
        section: Section,
        last_words: impl FnOnce() -> Vec<String>,
    ) -> Option<ReferenceTarget<'_>> {
        let word = |key: &str| fields.get(key).and_then(Value::as_str).filter(|word| !word.is_empty());
        if let Some(entry) = word("id").and_then(inventory_entry) {
            let kind = self.of_kind(Some(entry.group), entry.kind)?;
            return Some(ReferenceTarget {
                kind,
                namespace: Some(entry.namespace.to_owned()),
                name: entry.name,
                level: ReferenceLevel::Below,
                names_kind: true,
            });
        }
        let name = word("name")?;
        let group = word("apiVersion").map(group_of).or_else(|| word("apiGroup")).or_else(|| word("group"));
        let kind = match (word("kind"), word("resource")) {
            (Some(kind), _) => self.of_kind(group, kind)?,
            (None, Some(plural)) => {
                let plural =
                    |kind: &&Arc<Kind>| kind.plural == plural && group.is_none_or(|g| kind.group == g);
                self.kinds.iter().find(plural)?
            }
            (None, None) => return None,
        };
        // A spec may contain a whole template, which is not a reference.
        let is_template = fields.contains_key("metadata") || fields.contains_key("spec");
        let is_sure = section == Section::Status || word("apiVersion").is_some();
        (is_sure && !is_template).then(|| ReferenceTarget {
            kind,
            namespace: word("namespace").map(str::to_owned),
            name: name.to_owned(),
            level: level(&last_words(), kind),
            names_kind: true,
        })
    }

    /// The references of a field whose key contains the kind.
    fn by_key(&self, key: &str, value: &Value) -> Vec<ReferenceTarget<'_>> {
        if !may_be_reference(key, value) {
            return Vec::new();
        }
        let words = words(key);
        let Some((last, before)) = words.split_last() else { return Vec::new() };
        match (last.as_str(), value) {
            ("name", Value::String(name)) => self.target(before, None, name).into_iter().collect(),
            ("names", Value::Array(names)) => {
                names.iter().filter_map(|name| self.target(before, None, name.as_str()?)).collect()
            }
            ("ref" | "reference", Value::String(name)) => {
                self.target(before, None, name).into_iter().collect()
            }
            ("ref" | "reference", Value::Object(_)) => self.by_reference(before, value).into_iter().collect(),
            ("refs" | "references", Value::Array(items)) => {
                items.iter().filter_map(|item| self.by_reference(before, item)).collect()
            }
            // `configMap: {name: x}`; the `secretName` in `secret: {secretName: x}` is a field of its own.
            (_, Value::Object(_)) if references::kind_of(&words.concat()).is_some() => {
                text(value, &["name"]).and_then(|name| self.target(&words, None, name)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// `{name, kind?, apiVersion? | apiGroup? | group?, namespace?}`.
    fn by_reference(&self, words: &[String], value: &Value) -> Option<ReferenceTarget<'_>> {
        let name = text(value, &["name"])?;
        let namespace = text(value, &["namespace"]);
        let group = text(value, &["apiVersion"])
            .map(group_of)
            .or_else(|| text(value, &["apiGroup"]))
            .or_else(|| text(value, &["group"]));
        match text(value, &["kind"]) {
            Some(kind) => {
                let kind = self.of_kind(group, kind)?;
                Some(ReferenceTarget {
                    kind,
                    namespace: namespace.map(str::to_owned),
                    name: name.to_owned(),
                    level: level(words, kind),
                    names_kind: true,
                })
            }
            None => self.target(words, namespace, name),
        }
    }

    /// The kind that some words end with: `tls secret` is a Secret.
    fn target(&self, words: &[String], namespace: Option<&str>, name: &str) -> Option<ReferenceTarget<'_>> {
        let first = words.len().saturating_sub(MAX_KIND_WORDS);
        let kind = (first..words.len()).find_map(|from| self.by_word(&words[from..].concat()))?;
        Some(ReferenceTarget {
            kind,
            namespace: namespace.map(str::to_owned),
            name: name.to_owned(),
            level: level(words, kind),
            names_kind: false,
        })
    }

    fn by_word(&self, word: &str) -> Option<&Arc<Kind>> {
        if let Some((group, name)) = references::kind_of(word) {
            return self.kinds.iter().find(|kind| kind.group == group && kind.kind == name);
        }
        let mut own = self.kinds.iter().filter(|kind| kind.group == self.root.kind.group);
        own.find(|kind| kind.kind.eq_ignore_ascii_case(word))
    }

    fn of_kind(&self, group: Option<&str>, name: &str) -> Option<&Arc<Kind>> {
        let named = || self.kinds.iter().filter(|kind| kind.kind == name);
        match group {
            Some(group) => named().find(|kind| kind.group == group),
            // Without a group: the resource's own group, else Kubernetes; any other would be a guess.
            None => named()
                .find(|kind| kind.group == self.root.kind.group)
                .or_else(|| named().find(|kind| !is_custom(kind))),
        }
    }

    /// The full name of a referenced object; `None` if it cannot be part of the tree.
    fn name(&self, target: ReferenceTarget<'_>) -> Option<ObjectName> {
        let ReferenceTarget { kind, namespace, name, level, names_kind } = target;
        let own_namespace = self.root.meta.name.namespace.clone();
        let namespace = match kind.scope {
            KindScope::Namespaced => Some(namespace.filter(|given| !given.is_empty()).or(own_namespace)?),
            // Nodes, namespaces, classes and the like do not belong to a namespaced resource.
            KindScope::Cluster
                if own_namespace.is_some()
                    && (!names_kind
                        || level == ReferenceLevel::Above
                        || !is_custom(kind)
                        || references::is_shared(kind)) =>
            {
                return None;
            }
            KindScope::Cluster => None,
        };
        is_name(&name).then(|| ObjectName {
            api_version: kind.api_version(),
            kind: kind.kind.clone(),
            namespace,
            name,
        })
    }
}

struct ReferenceTarget<'a> {
    kind: &'a Arc<Kind>,
    namespace: Option<String>,
    name: String,
    level: ReferenceLevel,
    /// Whether the reference has a kind, not only a name in a field whose key means the kind.
    names_kind: bool,
}

/// Where the object of a field is; `words` are those of its key.
fn level(words: &[String], kind: &Kind) -> ReferenceLevel {
    let is_volume_claim = kind.group.is_empty() && kind.kind == "PersistentVolumeClaim";
    if references::is_above(words) || references::is_claim(words) && !is_volume_claim {
        ReferenceLevel::Above
    } else {
        ReferenceLevel::Below
    }
}

/// An entry of Flux's inventory.
#[derive(Debug, PartialEq, Eq)]
struct InventoryEntry<'a> {
    namespace: &'a str,
    name: String,
    group: &'a str,
    kind: &'a str,
}

/// Parses `NAMESPACE_NAME_GROUP_KIND`, in which a colon of the name is written as two underscores.
fn inventory_entry(id: &str) -> Option<InventoryEntry<'_>> {
    let (namespace, rest) = id.split_once('_')?;
    let (rest, kind) = rest.rsplit_once('_')?;
    let (name, group) = rest.rsplit_once('_')?;
    Some(InventoryEntry { namespace, name: name.replace("__", ":"), group, kind })
}

/// Whether an object refers back to another one: as the claim or owner for which it was created, or as its parent.
pub(super) fn back_reference(object: &Object, other: &ObjectName) -> Option<String> {
    let spec = object.whole()?.get("spec")?.as_object()?;
    let is_meant = |value: &Value| {
        text(value, &["name"]) == Some(&other.name)
            && text(value, &["kind"]) == Some(&other.kind)
            && text(value, &["namespace"]).or(object.meta.name.namespace.as_deref())
                == other.namespace.as_deref()
    };
    let mut fields = spec.iter().filter(|(key, value)| key.len() <= MAX_KEY_LEN && is_meant(value));
    fields.find_map(|(key, _)| {
        let mut words = words(key);
        words.pop_if(|last| last == "ref");
        let is_back = references::is_claim(&words)
            || matches!(words.last().map(String::as_str), Some("claim" | "owner" | "parent"));
        is_back.then(|| format!("spec.{key}"))
    })
}

fn is_name(text: &str) -> bool {
    let fits =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-.:".contains(letter);
    !text.is_empty() && text.len() <= 253 && text.chars().all(fits)
}

/// The strings in a section of a body. A path is formatted only for the string that is asked for.
pub(super) struct FieldStrings<'a> {
    paths: FieldPaths<'a>,
    /// Each with its step.
    found: Vec<(Option<usize>, &'a str)>,
}

impl<'a> FieldStrings<'a> {
    /// Collects the strings, without those below keys that are too long to be searched.
    pub(super) fn of(body: &'a Value, section: &'a str) -> Self {
        let mut all = Self { paths: FieldPaths { start: section, steps: Vec::new() }, found: Vec::new() };
        let mut open: Vec<_> = at(body, &[section]).map(|value| (None, value)).into_iter().collect();
        let mut visited = 0;
        while let Some((parent, value)) = open.pop() {
            visited += 1;
            if visited > MAX_FIELDS {
                break;
            }
            match value {
                Value::String(text) => all.found.push((parent, text.as_str())),
                Value::Object(fields) => {
                    for (key, value) in fields.iter().rev().filter(|(key, _)| key.len() <= MAX_KEY_LEN) {
                        open.push((Some(all.paths.add(parent, PathStep::Key(key))), value));
                    }
                }
                Value::Array(items) => {
                    for (at, item) in items.iter().enumerate().rev() {
                        open.push((Some(all.paths.add(parent, PathStep::Index(at))), item));
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// The strings in order, each with the number by which its path is asked for.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &'a str)> {
        self.found.iter().enumerate().map(|(number, (_, text))| (number, *text))
    }

    /// The path of a string.
    pub(super) fn path(&self, number: usize) -> String {
        self.paths.path(self.found.get(number).and_then(|(step, _)| *step), None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    proptest! {
        #[test]
        fn the_quick_check_passes_every_possible_reference(
            key in "[a-zA-Z0-9._-]{0,8}([nN]ame|NAME|[rR]ef|[rR]eference|[cC]onfig[mM]ap)?s?[._-]{0,2}",
        ) {
            let last = words(&key).pop().unwrap_or_default();
            let values = [
                (json!("x"), ["name", "ref", "reference"].as_slice()),
                (json!(["x"]), ["names", "refs", "references"].as_slice()),
            ];
            for (value, ends) in values {
                prop_assert!(may_be_reference(&key, &value) || !ends.contains(&last.as_str()), "{} {}", key, value);
            }
            let object = json!({"name": "x"});
            prop_assert!(may_be_reference(&key, &object));
        }
    }

    #[test]
    fn entries_of_an_inventory_have_four_parts() {
        let entry = |id| inventory_entry(id).map(|e| (e.namespace, e.name, e.group, e.kind));
        assert_eq!(entry("shop_web_apps_Deployment"), Some(("shop", "web".to_owned(), "apps", "Deployment")));
        assert_eq!(entry("shop_web__Service"), Some(("shop", "web".to_owned(), "", "Service")));
        let role = "_system__node_rbac.authorization.k8s.io_ClusterRole";
        assert_eq!(
            entry(role),
            Some(("", "system:node".to_owned(), "rbac.authorization.k8s.io", "ClusterRole"))
        );
        assert_eq!(entry("a_b"), None);
    }

    /// A resource as large as a server stores: a long key at each of many levels, and many fields below it.
    #[test]
    fn what_is_below_a_key_of_200_kb_is_not_searched_and_this_is_said() {
        let mut inner = json!({"configMapName": "below", "more": vec!["text"; 40_000]});
        for _ in 0..4 {
            inner = json!({ "aB".repeat(100_000): inner });
        }
        let spec = json!({"configMapName": "near", "hidden": inner});
        let kind = |group: &str, name: &str| {
            let (group, kind) = (group.to_owned(), name.to_owned());
            Arc::new(Kind {
                group,
                version: "v1".into(),
                kind,
                scope: KindScope::Namespaced,
                ..Kind::default()
            })
        };
        let body = json!({"spec": spec});
        let mut meta = crate::model::meta::Meta::default();
        meta.name.namespace = Some("shop".into());
        let root = Object::with_body(
            kind("a.example.com", "Thing"),
            meta,
            body,
            crate::model::object::Detail::Whole,
        );
        let found = references(&root, &[kind("", "ConfigMap")]);
        let paths: Vec<&str> = found.found.iter().map(|reference| reference.path.as_str()).collect();
        assert_eq!((paths, found.is_partial), (vec!["spec.configMapName"], true));
        let strings = FieldStrings::of(root.whole().unwrap(), "spec");
        assert_eq!(strings.iter().collect::<Vec<_>>(), [(0, "near")]);
        assert_eq!(strings.path(0), "spec.configMapName");
    }

    #[test]
    fn a_path_starts_at_the_section() {
        let mut paths = FieldPaths { start: "status", steps: Vec::new() };
        let refs = paths.add(None, PathStep::Key("refs"));
        let second = paths.add(Some(refs), PathStep::Index(1));
        assert_eq!(paths.path(Some(second), Some("name")), "status.refs[1].name");
        assert_eq!(paths.path(None, None), "status");
    }
}

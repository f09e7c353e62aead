//! What the path of a file says about its content: must-gather and `kubectl cluster-info dump` write the namespace and
//! the resource into the path.

use crate::known::builtin_kinds::BUILTIN_KINDS;
use crate::model::kind::KindScope;

/// The namespace and resource that a path names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PathHint {
    pub(super) namespace: Option<String>,
    pub(super) resource: Option<ResourceHint>,
}

/// The resource that a file lists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ResourceHint {
    /// Absent when the path does not name it.
    pub(super) group: Option<String>,
    pub(super) plural: String,
}

impl PathHint {
    /// Parses a path relative to the dump, with `/` as separator.
    pub(super) fn parse(path: &str) -> Self {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        let Some((file, folders)) = parts.split_last() else { return Self::default() };
        // The innermost folder of that name: the user chose the names above it.
        if let Some(at) = folders.iter().rposition(|part| *part == "namespaces") {
            let Some((namespace, below)) = folders[at + 1..].split_first() else { return Self::default() };
            return Self {
                namespace: Some((*namespace).to_owned()),
                resource: must_gather_resource(below, file),
            };
        }
        if let Some(at) = folders.iter().rposition(|part| *part == "cluster-scoped-resources") {
            return Self { namespace: None, resource: must_gather_resource(&folders[at + 1..], file) };
        }
        // `shop/replication-controllers.json`
        let plural = stem(file).replace('-', "");
        let known = BUILTIN_KINDS.iter().find(|row| row.plural == plural);
        match (known, folders.last()) {
            (Some(row), Some(namespace)) if row.scope == KindScope::Namespaced => Self {
                namespace: Some((*namespace).to_owned()),
                resource: Some(ResourceHint { group: None, plural }),
            },
            (Some(row), _) if row.scope == KindScope::Cluster => {
                Self { namespace: None, resource: Some(ResourceHint { group: None, plural }) }
            }
            _ => Self::default(),
        }
    }
}

/// The resource of `GROUP/plural.yaml`. In `GROUP/plural/name.yaml` the object itself names its kind.
fn must_gather_resource(folders: &[&str], file: &str) -> Option<ResourceHint> {
    let [group] = folders else { return None };
    let group = if *group == "core" { "" } else { group };
    Some(ResourceHint { group: Some(group.to_owned()), plural: stem(file).to_owned() })
}

fn stem(file: &str) -> &str {
    file.split('.').next().unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_namespace_and_resource() {
        let shown = |path| {
            let PathHint { namespace, resource } = PathHint::parse(path);
            let resource = resource.map(|hint| format!("{}/{:?}", hint.plural, hint.group));
            format!("{} {}", namespace.unwrap_or_default(), resource.unwrap_or_default())
        };
        for (path, expected) in [
            ("namespaces/shop/core/configmaps.yaml", r#"shop configmaps/Some("")"#),
            ("must-gather/x/namespaces/shop/apps/deployments.yaml", r#"shop deployments/Some("apps")"#),
            ("namespaces/shop/example.com/things/a.yaml", "shop "),
            ("namespaces/shop/pods/a/a.yaml", "shop "),
            ("namespaces/shop/shop.yaml", "shop "),
            ("namespaces/a.yaml", " "),
            ("cluster-scoped-resources/core/nodes.yaml", r#" nodes/Some("")"#),
            ("out/shop/replication-controllers.json", "shop replicationcontrollers/None"),
            ("out/nodes.json", " nodes/None"),
            ("pods.json", " "),
            ("shop/website.yaml", " "),
            ("", " "),
        ] {
            assert_eq!(shown(path), expected, "{path}");
        }
    }
}

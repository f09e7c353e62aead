//! A kind that the server serves.

use serde::Serialize;

use super::ident::GroupKind;

/// Whether objects of a kind are in a namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum KindScope {
    #[default]
    Namespaced,
    Cluster,
}

/// A resource type of an API group, in the server's preferred version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// Empty for the core group.
    pub group: String,
    pub version: String,
    pub kind: String,
    pub plural: String,
    pub singular: String,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
    pub scope: KindScope,
    pub verbs: Vec<String>,
    /// Every served version, the preferred first.
    pub versions: Vec<String>,
}

impl Kind {
    /// `apps/v1`, or `v1` in the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// `deployments.apps`, or `pods` in the core group: the name that is unique in a cluster.
    pub fn full_name(&self) -> String {
        if self.group.is_empty() { self.plural.clone() } else { format!("{}.{}", self.plural, self.group) }
    }

    /// The kind without its version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group.clone(), kind: self.kind.clone() }
    }

    /// Whether both are the same resource type of the same group, in any version.
    pub fn is_same_resource(&self, other: &Self) -> bool {
        self.plural == other.plural && self.group == other.group
    }

    /// Whether its objects can be listed.
    pub fn is_listable(&self) -> bool {
        self.verbs.iter().any(|verb| verb == "list")
    }

    /// The same kind in another of its served versions.
    #[must_use]
    pub fn in_version(&self, version: &str) -> Self {
        Self { version: version.to_owned(), ..self.clone() }
    }
}

/// The name of a kind in the plural, as in `3 NetworkPolicies`; `Pod` for one.
pub fn plural(kind: &str, count: usize) -> String {
    let ends = |end: &str| kind.to_lowercase().ends_with(end);
    match count {
        1 => kind.to_owned(),
        _ if ends("y") && !ends("ay") && !ends("ey") => format!("{}ies", &kind[..kind.len() - 1]),
        _ if ends("s") || ends("x") || ends("ch") => format!("{kind}es"),
        _ => format!("{kind}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_an_english_plural() {
        let many = ["NetworkPolicy", "Ingress", "Gateway", "Pod"].map(|kind| plural(kind, 2));
        assert_eq!(many, ["NetworkPolicies", "Ingresses", "Gateways", "Pods"]);
        assert_eq!(plural("Ingress", 1), "Ingress");
    }
}

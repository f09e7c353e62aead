//! Where a tree leaves what was listed: a resource in one namespace can refer to objects in others, or to cluster-scoped
//! ones, whose own children were not listed.

use super::node::Node;
use crate::inspect::graph::EdgeKind;
use crate::known::{codes, kinds};
use crate::model::code::Code;
use crate::model::health::Finding;
use crate::model::ident::group_of;
use crate::model::kind::Kind;
use crate::model::snapshot::Snapshot;

/// The finding that the tree may go on where nothing was listed; `is_cut_off` if there were too many references.
pub(super) fn finding(nodes: &[Node], is_cut_off: bool, snapshot: &Snapshot) -> Option<Finding> {
    let root = nodes.first()?;
    let message = if is_cut_off {
        "it refers to more objects than are read by name; the others are not shown (-A lists all namespaces)"
            .to_owned()
    } else {
        let listed = snapshot.coverage.scope.namespace()?;
        let mut outside = nodes.iter().filter(|node| is_outside(node, listed));
        let first = outside.next()?;
        let place = match &first.name.namespace {
            Some(namespace) => format!(" in namespace {namespace}"),
            None => String::new(),
        };
        let more = match outside.count() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!(
            "only namespace {listed} was listed, so objects owned by {}{place}{more} are not shown (-A lists all namespaces)",
            first.name
        )
    };
    let code = Code::NotListedElsewhere;
    let severity = codes::entry(code).severity;
    Some(Finding { code, severity, object: root.name.clone(), message, hint: None })
}

/// The finding that a root is too large to be searched completely for the objects that it refers to.
pub(super) fn partly_searched(nodes: &[Node]) -> Option<Finding> {
    let code = Code::PartlySearched;
    let message = "it is too large to be searched completely for references: long keys, or too many fields or references; objects that it refers to may not be shown";
    Some(Finding {
        code,
        severity: codes::entry(code).severity,
        object: nodes.first()?.name.clone(),
        message: message.to_owned(),
        hint: None,
    })
}

/// Whether a node may own objects that were not listed. What the controllers of Kubernetes create for built-in kinds is
/// listed wherever it is.
fn is_outside(node: &Node, listed: &str) -> bool {
    let group = group_of(&node.name.api_version).to_owned();
    let is_custom = kinds::is_custom(&Kind { group, ..Kind::default() });
    is_custom
        && node.link.is_some_and(|link| link != EdgeKind::Named)
        && node.name.namespace.as_deref() != Some(listed)
}

//! Objects by name and by the values of their labels and annotations. Built once for all roots.

use std::collections::HashMap;

use crate::inspect::graph::Index;
use crate::model::ident::ObjectName;
use crate::model::meta::Meta;
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;

/// The index.
pub(super) struct NameIndex<'a> {
    by_label_value: HashMap<&'a str, Vec<Index>>,
    /// By namespace and name: in thousands of namespaces a resource can have the same name.
    by_name: HashMap<(Option<&'a str>, &'a str), Vec<Index>>,
    /// Whether a label or annotation of the object may name a resource in another namespace, by the object's index.
    may_name_elsewhere: Vec<bool>,
}

impl<'a> NameIndex<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> Self {
        let mut by_label_value: HashMap<&str, Vec<Index>> = HashMap::new();
        let mut by_name: HashMap<(Option<&str>, &str), Vec<Index>> = HashMap::new();
        let mut may_name_elsewhere = Vec::with_capacity(snapshot.objects.len());
        for (index, object) in snapshot.objects.iter().enumerate() {
            let mut names_elsewhere = false;
            for (key, value) in object.meta.labels.iter().chain(&object.meta.annotations) {
                names_elsewhere |= key.ends_with("namespace") || value.contains(['/', ':']);
                let words = [
                    value.as_str(),
                    value.rsplit('/').next().unwrap_or_default(),
                    value.split(':').next().unwrap_or_default(),
                ];
                for word in words {
                    let entry = by_label_value.entry(word).or_default();
                    if entry.last() != Some(&index) {
                        entry.push(index);
                    }
                }
            }
            may_name_elsewhere.push(names_elsewhere);
            by_name.entry(key(&object.meta.name)).or_default().push(index);
        }
        Self { by_label_value, by_name, may_name_elsewhere }
    }

    /// The objects of any kind with the same namespace and name.
    pub(super) fn same_name<'s>(&'s self, name: &'s ObjectName) -> &'s [Index] {
        self.by_name.get(&key(name)).map_or(&[], Vec::as_slice)
    }

    /// The object with a name, in any version.
    pub(super) fn find(&self, snapshot: &Snapshot, name: &ObjectName) -> Option<Index> {
        let mut same = self.same_name(name).iter().copied();
        same.find(|index| snapshot.objects[*index].meta.name.is_same_object(name))
    }

    /// The objects that may belong to a root by name, label or annotation.
    pub(super) fn candidates(&self, root: &Object, snapshot: &Snapshot) -> Vec<Index> {
        let Meta { name, uid, .. } = &root.meta;
        let may_be_meant = |index: &&Index| {
            name.namespace.is_none()
                || self.may_name_elsewhere[**index]
                || snapshot.objects[**index].meta.name.namespace == name.namespace
        };
        let labelled = |word: &str| self.by_label_value.get(word).into_iter().flatten();
        let by_name = labelled(&name.name).filter(may_be_meant);
        let mut all: Vec<Index> =
            by_name.chain(labelled(&uid.0)).chain(self.same_name(name)).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

fn key(name: &ObjectName) -> (Option<&str>, &str) {
    (name.namespace.as_deref(), &name.name)
}

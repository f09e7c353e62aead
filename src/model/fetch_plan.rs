//! What must be read to complete a report, and what was tried already.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::ident::{GroupKind, ObjectName};
use super::log::LogRequest;
use super::object::Detail;
use super::snapshot::Snapshot;

/// Objects to read, with the detail of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchPlan {
    /// Objects of the snapshot, by their index.
    pub bodies: BTreeMap<usize, Detail>,
    /// Objects that others refer to and that are not in the snapshot.
    pub named: BTreeMap<ObjectName, Detail>,
    /// Kinds whose owned objects are to be listed in a namespace outside of the scope.
    pub lists: BTreeSet<NamespaceList>,
    /// Objects of the snapshot whose events are to be read, by their index.
    pub events: Option<Vec<usize>>,
    /// The log to read.
    pub log: Option<Box<LogRequest>>,
}

/// A list of the objects of a kind in one namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamespaceList {
    pub kind: GroupKind,
    pub namespace: String,
}

impl FetchPlan {
    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        let Self { bodies, named, lists, events, log } = self;
        bodies.is_empty() && named.is_empty() && lists.is_empty() && events.is_none() && log.is_none()
    }

    /// Adds another plan.
    pub fn merge(&mut self, other: Self) {
        other.bodies.into_iter().for_each(|(index, detail)| self.want(index, detail));
        other.named.into_iter().for_each(|(name, detail)| self.look_up(name, detail));
        self.lists.extend(other.lists);
        self.events = self.events.take().or(other.events);
        self.log = self.log.take().or(other.log);
    }

    /// Asks for at least `detail` of an object of the snapshot.
    pub fn want(&mut self, index: usize, detail: Detail) {
        let wanted = self.bodies.entry(index).or_default();
        *wanted = detail.max(*wanted);
    }

    /// Asks for at least `detail` of an object that is not in the snapshot.
    pub fn look_up(&mut self, name: ObjectName, detail: Detail) {
        let wanted = self.named.entry(name).or_default();
        *wanted = detail.max(*wanted);
    }
}

/// What was requested so far, successful or not, so that a failed read is not repeated.
#[derive(Clone, Debug, Default)]
pub struct FetchAttempts {
    tried: HashMap<ObjectName, Detail>,
    lists: BTreeSet<NamespaceList>,
    events: bool,
    log: Option<Box<LogRequest>>,
    exhausted: bool,
}

impl FetchAttempts {
    /// The part of a plan that was not tried yet and is not in the snapshot.
    pub fn untried(&self, plan: FetchPlan, snapshot: &Snapshot) -> FetchPlan {
        let tried = |name: &ObjectName, detail| self.tried.get(name).is_some_and(|tried| *tried >= detail);
        let unread = |index: usize, detail| {
            let object = &snapshot.objects[index];
            object.detail() < detail && !tried(&object.meta.name, detail)
        };
        if self.exhausted {
            return FetchPlan::default();
        }
        FetchPlan {
            bodies: plan.bodies.into_iter().filter(|(index, detail)| unread(*index, *detail)).collect(),
            named: plan.named.into_iter().filter(|(name, detail)| !tried(name, *detail)).collect(),
            lists: plan.lists.difference(&self.lists).cloned().collect(),
            events: plan.events.filter(|_| !self.events),
            log: plan.log.filter(|wanted| self.log.as_ref() != Some(wanted)),
        }
    }

    /// Records the plan as tried.
    pub fn record(&mut self, plan: &FetchPlan, snapshot: &Snapshot) {
        let bodies = plan.bodies.iter().map(|(index, detail)| (&snapshot.objects[*index].meta.name, detail));
        for (name, detail) in bodies.chain(&plan.named) {
            let tried = self.tried.entry(name.clone()).or_default();
            *tried = (*detail).max(*tried);
        }
        self.lists.extend(plan.lists.iter().cloned());
        self.events |= plan.events.is_some();
        self.log = plan.log.clone().or(self.log.take());
    }

    /// Marks everything as tried: nothing more is read.
    pub fn exhaust(&mut self) {
        self.exhausted = true;
    }

    /// Allows a changed object to be read again.
    pub fn forget(&mut self, name: &ObjectName) {
        self.tried.remove(name);
    }

    /// Allows events to be read again.
    pub fn forget_events(&mut self) {
        self.events = false;
    }

    /// Allows all objects to be read again, except those that `is_known`, and all lists to be repeated.
    pub fn forget_unless(&mut self, is_known: impl Fn(&ObjectName) -> bool) {
        self.tried.retain(|name, _| is_known(name));
        self.lists.clear();
    }

    /// Whether reading an object was tried.
    pub fn contains(&self, name: &ObjectName) -> bool {
        self.tried.contains_key(name)
    }
}

/// The result of inspecting a snapshot.
#[derive(Debug)]
pub enum Inspection<R> {
    /// What must be read first.
    Missing(FetchPlan),
    /// The report.
    Complete(R),
}

//! The loop behind `-w` and `--wait`: reads once, then watches the kinds that the answer is about and reports again
//! when something changed. A command says how to inspect a snapshot and what to show.
//!
//! Nothing is read again but what changed, with one exception: when an object changed whose operator may have created
//! children of a kind that is not watched, everything is listed once more, now and then.

mod targets;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::{Instant, sleep_until};

use targets::{Added, Targets};

use super::call::{attending, interrupted};
use super::gather::Prepared;
use super::object::Named;
use super::output::Output;
use crate::error::{Failure, Kind as FailureKind, Outcome};
use crate::inspect::Inspected;
use crate::inspect::watch_set::watch_set;
use crate::model::fetch_plan::{FetchAttempts, Inspection};
use crate::model::ident::{GroupKind, Uid};
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;
use crate::source::SourceSpec;
use crate::source::keep::{Keep, Kept, Listed};
use crate::source::query::KeepRule;
use crate::source::session::Reading;
use crate::source::watch_event::{self, WatchEffect, WatchEvent, WatchMessage};
use crate::ui::Ui;

/// How long changes are collected before they are reported.
const COLLECT: Duration = Duration::from_millis(200);
/// How long there is at least between two full lists.
const RELIST: Duration = Duration::from_secs(10);
/// How long to wait when a root that was created again cannot be read yet.
const RETRY: Duration = Duration::from_secs(1);
/// Events that wait to be handled.
const QUEUE: usize = 256;

/// What is followed, and how.
pub(super) struct Following<'a, R> {
    /// One object, by its name.
    pub(super) prepared: &'a Prepared<'a>,
    /// The answer, or what must be read before it is complete.
    pub(super) inspect: &'a dyn Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>>,
    /// The answer is reported again after this long even if nothing changed: ages move on.
    pub(super) pulse: Duration,
    pub(super) events: Events,
    /// How a call ends that the person ends.
    pub(super) interrupted: Outcome,
}

/// Whether events about the objects are part of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    Followed,
    LeftOut,
}

/// Why the answer is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// For the first time.
    First,
    /// Something may have changed.
    Changed,
    /// Only time has passed.
    Pulse,
    /// The root was deleted: it is not in the snapshot. It is waited for.
    Deleted,
    /// The root exists again, as another object of the same name.
    Recreated,
}

/// Whether to go on, or how the call has ended.
pub(super) type Next = ControlFlow<Outcome>;

/// Refuses what cannot be followed: a dump, more than one object, or a format that makes no stream.
pub(super) fn check(
    flag: &str,
    command: &str,
    spec: &SourceSpec,
    named: &[Named],
    output: Option<&Output>,
    formats: &[&str],
) -> Result<(), Failure> {
    let usage = |message: String| Failure::new(FailureKind::Usage, message);
    if spec.from.is_some() {
        return Err(usage(format!("{flag} needs a cluster: a dump does not change"))
            .hint(format!("leave out {flag}, or leave out --from and --demo")));
    }
    if named.is_empty() || named.iter().any(|named| named.name.is_none()) {
        let program = &spec.target.program;
        let kind = named.first().map_or("TYPE", |named| named.kind.as_str());
        return Err(usage(format!("{flag} follows objects by name"))
            .hint(format!("{program} {command} {kind}/NAME {flag}")));
    }
    match output.map(Output::word).filter(|word| !formats.contains(word)) {
        None => Ok(()),
        Some(word) => Err(usage(format!("{flag} cannot write -o {word}"))
            .hint(format!("{flag} writes text or -o {}", formats.join(", -o ")))),
    }
}

/// Has `show` print the answer, again and again, until it ends the call or the person presses Ctrl-C, which is a good
/// end. The report is as good as a fresh one, with the server's time of this moment.
pub(super) fn follow<R>(
    following: &Following<'_, R>,
    ui: &mut Ui,
    mut show: impl FnMut(&mut Ui, R, &Snapshot, Moment) -> anyhow::Result<Next>,
) -> anyhow::Result<Outcome> {
    let prepared = following.prepared;
    let context = &prepared.call.context;
    prepared.call.block_on(async {
        let reading = Box::pin(attending(context, ui, prepared.read(context))).await?;
        if context.cancel.is_cancelled() {
            return Err(interrupted().into());
        }
        prepared.note_skew(ui);
        let mut live = Live::new(following, reading);
        tokio::select! {
            biased;
            // What is being written is written: only waiting is interrupted.
            Ok(()) = tokio::signal::ctrl_c() => Ok(following.interrupted),
            outcome = live.run(ui, &mut show) => outcome,
        }
    })
}

fn event_kind() -> GroupKind {
    GroupKind::of("v1", "Event")
}

/// Whether the root exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Exists,
    /// Deleted, and not reported yet.
    Deleted,
    /// Deleted, and reported.
    Absent,
    /// Another one of its name was seen, and is to be read.
    Recreated,
}

/// A watch under way.
type Watch<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

struct Live<'a, R> {
    following: &'a Following<'a, R>,
    reading: Reading,
    root: Root,
    targets: Targets,
    /// Which new objects may belong to the root.
    keep: Keep,
    members: HashSet<Uid>,
    /// Members whose operator may create children of any kind.
    parents: HashSet<Uid>,
    /// Deleted since the last full list.
    deleted: HashSet<Uid>,
    /// When changes that were collected are reported.
    due: Option<Instant>,
    listed: Instant,
    wants_list: bool,
}

impl<'a, R> Live<'a, R> {
    fn new(following: &'a Following<'a, R>, reading: Reading) -> Self {
        Self {
            following,
            reading,
            root: Root::Exists,
            targets: Targets::default(),
            keep: Keep::All,
            members: HashSet::new(),
            parents: HashSet::new(),
            deleted: HashSet::new(),
            due: None,
            listed: Instant::now(),
            wants_list: false,
        }
    }

    async fn run(
        &mut self,
        ui: &mut Ui,
        show: &mut impl FnMut(&mut Ui, R, &Snapshot, Moment) -> anyhow::Result<Next>,
    ) -> anyhow::Result<Outcome> {
        let (sender, mut queue) = mpsc::channel(QUEUE);
        let mut watches: FuturesUnordered<Watch<'a>> = FuturesUnordered::new();
        let mut moment = Moment::First;
        loop {
            let Inspected { report, members } = self.inspect(moment).await?;
            if moment != Moment::Pulse {
                self.settle(members);
            }
            if moment == Moment::First {
                // What exists at the start is no reason to list again.
                self.wants_list = false;
            }
            if let ControlFlow::Break(outcome) = show(ui, report, &self.reading.snapshot, moment)? {
                return Ok(outcome);
            }
            for note in self.targets.notes() {
                ui.note(&note);
            }
            for target in self.targets.take_new() {
                watches.push(Box::pin(self.following.prepared.session.watch(target, sender.clone())));
            }
            moment = self.wait(ui, &mut queue, &mut watches).await;
        }
    }

    /// The answer of this moment.
    async fn inspect(&mut self, moment: Moment) -> Result<Inspected<R>, Failure> {
        let Following { prepared, inspect, events, .. } = *self.following;
        if moment != Moment::Pulse {
            prepared.read_columns(&mut self.reading).await;
            if events == Events::Followed {
                // Which of them changed cannot be told: all are read again.
                self.reading.attempts.forget_events();
                self.reading.snapshot.events = None;
                self.reading.snapshot.coverage.gaps.retain(|gap| gap.resource != "events");
            }
        }
        self.reading.snapshot.coverage.now = prepared.session.now();
        prepared.complete(&mut self.reading, &prepared.call.context, inspect).await
    }

    /// Waits for something to report.
    async fn wait(
        &mut self,
        ui: &mut Ui,
        queue: &mut Receiver<WatchMessage>,
        watches: &mut FuturesUnordered<Watch<'a>>,
    ) -> Moment {
        let pulse = Instant::now() + self.following.pulse;
        loop {
            let wake = [self.due, self.list_at()].into_iter().flatten().fold(pulse, Instant::min);
            tokio::select! {
                Some(message) = queue.recv() => self.handle(message, ui),
                // They are polled here; none of them ends while its receiver lives.
                Some(()) = watches.next() => {}
                () = sleep_until(wake) => {}
            }
            let now = Instant::now();
            if self.due.is_some_and(|due| due <= now) {
                return self.refresh().await;
            }
            if self.list_at().is_some_and(|at| at <= now) {
                self.list_again().await;
                return self.refresh().await;
            }
            if pulse <= now {
                return Moment::Pulse;
            }
        }
    }

    /// Applies what a watch reports to the reading, and decides whether that matters.
    fn handle(&mut self, message: WatchMessage, ui: &mut Ui) {
        if let WatchEvent::Forbidden = message.event {
            // Each object has to be read by itself.
            let (target, members) = (&message.target, &self.members);
            let is_member = |object: &Object| target.contains(object) && members.contains(&object.meta.uid);
            watch_event::invalidate(&mut self.reading, is_member);
            self.mark_due();
        }
        if let Some(note) = self.targets.record(&message) {
            ui.note(&note);
        }
        if message.target.kind.group_kind() == event_kind() {
            self.mark_due();
            return;
        }
        let (keep, roots) = (&self.keep, &self.following.prepared.roots);
        let is_kept = |object: &Object| {
            let meta = &object.meta;
            let listed = Listed {
                kind: &object.kind,
                name: &meta.name.name,
                has_owner: !meta.owners.is_empty(),
                is_deleting: meta.deleted.is_some(),
            };
            let values = meta.labels.values().chain(meta.annotations.values()).map(String::as_str);
            roots.iter().any(|root| root.names(object)) || keep.decide(listed, values) != Kept::No
        };
        let effect = watch_event::apply(&mut self.reading, message, is_kept);
        self.weigh(effect);
    }

    /// Whether what happened matters to the answer.
    fn weigh(&mut self, effect: WatchEffect) {
        let snapshot = &self.reading.snapshot;
        let mut matters = effect.deleted.iter().any(|uid| self.members.contains(uid));
        if self.root == Root::Exists && effect.deleted.iter().any(|uid| snapshot.roots.contains(uid)) {
            self.root = Root::Deleted;
        }
        self.deleted.extend(effect.deleted);
        let touched: HashSet<&Uid> = effect.touched.iter().collect();
        for object in snapshot.objects.iter().filter(|object| touched.contains(&object.meta.uid)) {
            let meta = &object.meta;
            if self.following.prepared.roots.iter().any(|root| root.names(object)) {
                let is_same = snapshot.roots.contains(&meta.uid);
                self.root = if is_same { Root::Exists } else { Root::Recreated };
                matters = true;
            }
            self.wants_list |= self.parents.contains(&meta.uid);
            // An object without an owner can still be tied to a member by a label or a selector.
            matters |= self.members.contains(&meta.uid)
                || meta.owners.iter().any(|owner| self.members.contains(&owner.uid))
                || meta.owners.is_empty();
        }
        if matters {
            self.mark_due();
        }
    }

    fn mark_due(&mut self) {
        self.due.get_or_insert_with(|| Instant::now() + COLLECT);
    }

    fn list_at(&self) -> Option<Instant> {
        (self.wants_list && self.root == Root::Exists).then(|| self.listed + RELIST)
    }

    /// Lists everything once more, for kinds that are not watched.
    async fn list_again(&mut self) {
        (self.wants_list, self.listed) = (false, Instant::now());
        let prepared = self.following.prepared;
        // What cannot be read now is tried next time; a root that was deleted is reported by its own watch.
        let Ok(fresh) = prepared.read(&prepared.call.context).await else { return };
        if fresh.snapshot.roots == self.reading.snapshot.roots {
            let (targets, deleted) = (&self.targets, &self.deleted);
            watch_event::merge(
                &mut self.reading,
                fresh.snapshot,
                |object| targets.contain(object),
                |uid| deleted.contains(uid),
            );
            self.deleted.clear();
        }
    }

    /// Finds out what there is to report.
    async fn refresh(&mut self) -> Moment {
        self.due = None;
        let prepared = self.following.prepared;
        match self.root {
            Root::Exists | Root::Absent => Moment::Changed,
            Root::Deleted => {
                self.root = Root::Absent;
                Moment::Deleted
            }
            Root::Recreated => match prepared.read(&prepared.call.context).await {
                Ok(fresh) => {
                    self.reading = fresh;
                    self.listed = Instant::now();
                    self.deleted.clear();
                    self.root = Root::Exists;
                    Moment::Recreated
                }
                Err(failure) if failure.kind() == FailureKind::NotFound => {
                    self.root = Root::Absent;
                    Moment::Deleted
                }
                Err(_) => {
                    self.due = Some(Instant::now() + RETRY);
                    Moment::Pulse
                }
            },
        }
    }

    /// Finds out what the answer depends on now.
    fn settle(&mut self, members: Vec<usize>) {
        if self.root != Root::Exists {
            return;
        }
        let snapshot = &self.reading.snapshot;
        let mut watch_set = watch_set(snapshot, members);
        if self.following.events == Events::Followed {
            watch_set.expected.push(event_kind());
        }
        let uid = |index: &usize| snapshot.objects[*index].meta.uid.clone();
        self.members = watch_set.members.iter().map(uid).collect();
        self.parents = watch_set.may_create_children.iter().map(uid).collect();
        let prepared = self.following.prepared;
        let roots = snapshot.objects.iter().filter(|object| snapshot.roots.contains(&object.meta.uid));
        let roots: Vec<Object> = roots.cloned().collect();
        self.keep = KeepRule::Related(prepared.request.candidates).resolve(&roots, &snapshot.kinds);
        let added = self.targets.extend(snapshot, &watch_set, &prepared.roots);
        // Below kinds that were not there before there may be more of them.
        self.wants_list |= added == Added::Some;
    }
}

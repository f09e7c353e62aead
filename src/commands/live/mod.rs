//! The loop behind `-w` and `--wait`: reads once, then watches the kinds that the report depends on, and reports again
//! after a change. A command provides how to inspect a snapshot and what to show.
//!
//! Only what changed is read again, with one exception: if an object changed whose operator may have created children of
//! a kind that is not watched, everything is listed again, at most every 10 seconds.
//!
//! | to find                                              | look in      |
//! |------------------------------------------------------|--------------|
//! | what `-w` and `--wait` reject                        | `validate`   |
//! | the loop: when to report and when to read again      | `WatchState` |
//! | which kinds are watched, and notes about failures    | `targets.rs` |

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

use super::context::{interrupted, with_progress};
use super::gather::Prepared;
use super::object::ResourceArg;
use super::output::Output;
use crate::error::{Failure, FailureKind, Outcome};
use crate::inspect::Inspected;
use crate::inspect::watch_set::watch_set;
use crate::model::fetch_plan::{FetchAttempts, Inspection};
use crate::model::ident::{GroupKind, Uid};
use crate::model::object::Object;
use crate::model::snapshot::Snapshot;
use crate::source::SourceSpec;
use crate::source::keep::{KeepDecision, KeepFilter};
use crate::source::query::KeepRule;
use crate::source::session::Reading;
use crate::source::watch_event::{self, WatchEffect, WatchEvent, WatchMessage};
use crate::ui::Ui;

/// How long changes are collected before they are reported.
const COLLECT: Duration = Duration::from_millis(200);
/// The minimum time between two full lists.
const RELIST: Duration = Duration::from_secs(10);
/// How long to wait if a recreated root cannot be read yet.
const RETRY: Duration = Duration::from_secs(1);
/// The capacity of the queue of watch events.
const QUEUE: usize = 256;

/// What is watched, and how.
pub(super) struct WatchOptions<'a, R> {
    /// Selects one object by name.
    pub(super) prepared: &'a Prepared<'a>,
    /// Returns the report, or what must be read before it is complete.
    pub(super) inspect: &'a dyn Fn(&Snapshot, &FetchAttempts) -> Inspection<Inspected<R>>,
    /// The report is repeated after this long even without a change, because ages change.
    pub(super) refresh: Duration,
    pub(super) events: EventsMode,
    /// The outcome of Ctrl-C.
    pub(super) interrupted: Outcome,
}

/// Whether events are part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventsMode {
    Watched,
    Ignored,
}

/// Why a report is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trigger {
    /// It is the first one.
    First,
    /// Something may have changed.
    Changed,
    /// Only time has passed.
    Timer,
    /// The root was deleted and is not in the snapshot.
    Deleted,
    /// The root was recreated with a new uid.
    Recreated,
}

/// Whether to continue, or the outcome.
pub(super) type Flow = ControlFlow<Outcome>;

/// Rejects what cannot be watched: a dump, a type without a name, or a format that is not supported.
pub(super) fn validate(
    flag: &str,
    command: &str,
    spec: &SourceSpec,
    named: &[ResourceArg],
    output: Option<&Output>,
    formats: &[&str],
) -> Result<(), Failure> {
    let usage = |message: String| Failure::new(FailureKind::Usage, message);
    if spec.from.is_some() {
        return Err(usage(format!("{flag} requires a cluster: a dump does not change"))
            .hint(format!("remove {flag}, or remove --from and --demo")));
    }
    if named.is_empty() || named.iter().any(|named| named.name.is_none()) {
        let program = &spec.target.program;
        let kind = named.first().map_or("TYPE", |named| named.kind.as_str());
        return Err(usage(format!("{flag} requires the name of an object"))
            .hint(format!("{program} {command} {kind}/NAME {flag}")));
    }
    match output.map(Output::name).filter(|name| !formats.contains(name)) {
        None => Ok(()),
        Some(name) => Err(usage(format!("{flag} does not support -o {name}"))
            .hint(format!("formats supported with {flag}: {}", formats.join(", ")))),
    }
}

/// [`validate`] for `-w` and one object.
pub(super) fn validate_watch(
    command: &str,
    spec: &SourceSpec,
    named: &ResourceArg,
    output: Option<&Output>,
    formats: &[&str],
) -> Result<(), Failure> {
    validate("-w", command, spec, std::slice::from_ref(named), output, formats)
}

/// Calls `show` with the first report and after every change, until it breaks the loop or the user presses Ctrl-C. Each
/// report has the current time of the server.
pub(super) fn follow<R>(
    watch_options: &WatchOptions<'_, R>,
    ui: &mut Ui,
    mut show: impl FnMut(&mut Ui, R, &Snapshot, Trigger) -> anyhow::Result<Flow>,
) -> anyhow::Result<Outcome> {
    let prepared = watch_options.prepared;
    let context = &prepared.context.read;
    prepared.context.block_on(async {
        let reading = Box::pin(with_progress(context, ui, prepared.read(context))).await?;
        if context.cancel.is_cancelled() {
            return Err(interrupted().into());
        }
        prepared.note_skew(ui);
        let mut state = WatchState::new(watch_options, reading);
        tokio::select! {
            biased;
            // Output is written completely: only waiting is interrupted.
            () = context.cancel.cancelled() => Ok(watch_options.interrupted),
            outcome = state.run(ui, &mut show) => outcome,
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
    /// Recreated, and not read yet.
    Recreated,
}

/// A running watch.
type Watch<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

struct WatchState<'a, R> {
    watch_options: &'a WatchOptions<'a, R>,
    reading: Reading,
    root: Root,
    targets: Targets,
    /// Which new objects may belong to the root.
    keep: KeepFilter,
    members: HashSet<Uid>,
    /// Members whose operator may create children of any kind.
    parents: HashSet<Uid>,
    /// Deleted since the last full list.
    deleted: HashSet<Uid>,
    /// When the collected changes are reported.
    due: Option<Instant>,
    listed: Instant,
    wants_list: bool,
}

impl<'a, R> WatchState<'a, R> {
    fn new(watch_options: &'a WatchOptions<'a, R>, reading: Reading) -> Self {
        Self {
            watch_options,
            reading,
            root: Root::Exists,
            targets: Targets::default(),
            keep: KeepFilter::All,
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
        show: &mut impl FnMut(&mut Ui, R, &Snapshot, Trigger) -> anyhow::Result<Flow>,
    ) -> anyhow::Result<Outcome> {
        let (sender, mut queue) = mpsc::channel(QUEUE);
        let mut watches: FuturesUnordered<Watch<'a>> = FuturesUnordered::new();
        let mut trigger = Trigger::First;
        loop {
            let Inspected { report, members } = self.inspect(trigger).await?;
            if trigger != Trigger::Timer {
                self.update_targets(members);
            }
            if trigger == Trigger::First {
                // The first read was a full list.
                self.wants_list = false;
            }
            if let ControlFlow::Break(outcome) = show(ui, report, &self.reading.snapshot, trigger)? {
                return Ok(outcome);
            }
            let prepared = self.watch_options.prepared;
            prepared.context.show_warnings(prepared.session, ui);
            for note in self.targets.notes() {
                ui.note(&note);
            }
            for target in self.targets.take_new() {
                watches.push(Box::pin(self.watch_options.prepared.session.watch(target, sender.clone())));
            }
            trigger = self.wait(ui, &mut queue, &mut watches).await;
        }
    }

    /// The current report.
    async fn inspect(&mut self, trigger: Trigger) -> Result<Inspected<R>, Failure> {
        let WatchOptions { prepared, inspect, events, .. } = *self.watch_options;
        if trigger != Trigger::Timer {
            prepared.read_columns(&mut self.reading).await;
            if events == EventsMode::Watched {
                // All events are read again, because it is not known which of them changed.
                self.reading.attempts.forget_events();
                self.reading.snapshot.events = None;
                self.reading.snapshot.coverage.gaps.retain(|gap| gap.resource != "events");
            }
        }
        self.reading.snapshot.coverage.now = prepared.session.now();
        prepared.complete(&mut self.reading, &prepared.context.read, inspect).await
    }

    /// Waits for the next trigger.
    async fn wait(
        &mut self,
        ui: &mut Ui,
        queue: &mut Receiver<WatchMessage>,
        watches: &mut FuturesUnordered<Watch<'a>>,
    ) -> Trigger {
        let refresh = Instant::now() + self.watch_options.refresh;
        loop {
            let wake = [self.due, self.list_at()].into_iter().flatten().fold(refresh, Instant::min);
            tokio::select! {
                Some(message) = queue.recv() => self.handle(message, ui),
                // Polls the watches; none of them ends before the receiver is dropped.
                Some(()) = watches.next() => {}
                () = sleep_until(wake) => {}
            }
            let now = Instant::now();
            if self.due.is_some_and(|due| due <= now) {
                return self.next_trigger().await;
            }
            if self.list_at().is_some_and(|at| at <= now) {
                self.list_again().await;
                return self.next_trigger().await;
            }
            if refresh <= now {
                return Trigger::Timer;
            }
        }
    }

    /// Applies a watch event to the reading, and marks the report as due if it changes.
    fn handle(&mut self, message: WatchMessage, ui: &mut Ui) {
        if let WatchEvent::Forbidden = message.event {
            // Each object has to be read separately.
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
        let (keep, roots) = (&self.keep, &self.watch_options.prepared.roots);
        let is_kept = |object: &Object| {
            roots.iter().any(|root| root.names(object))
                || keep.decide_meta(&object.kind, &object.meta) != KeepDecision::No
        };
        let effect = watch_event::apply(&mut self.reading, message, is_kept);
        self.assess(effect);
    }

    /// Marks the report as due if the changed objects are part of it.
    fn assess(&mut self, effect: WatchEffect) {
        let snapshot = &self.reading.snapshot;
        let mut matters = effect.deleted.iter().any(|uid| self.members.contains(uid));
        if self.root == Root::Exists && effect.deleted.iter().any(|uid| snapshot.roots.contains(uid)) {
            self.root = Root::Deleted;
        }
        self.deleted.extend(effect.deleted);
        let touched: HashSet<&Uid> = effect.touched.iter().collect();
        for object in snapshot.objects.iter().filter(|object| touched.contains(&object.meta.uid)) {
            let meta = &object.meta;
            if self.watch_options.prepared.roots.iter().any(|root| root.names(object)) {
                let is_same = snapshot.roots.contains(&meta.uid);
                self.root = if is_same { Root::Exists } else { Root::Recreated };
                matters = true;
            }
            self.wants_list |= self.parents.contains(&meta.uid);
            // An object without an owner may be related to a member by a label or a selector.
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

    /// Lists everything again, for kinds that are not watched.
    async fn list_again(&mut self) {
        (self.wants_list, self.listed) = (false, Instant::now());
        let prepared = self.watch_options.prepared;
        // A failed list is tried again later; a deleted root is reported by its own watch.
        let Ok(fresh) = prepared.read(&prepared.context.read).await else { return };
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

    /// Determines what to report.
    async fn next_trigger(&mut self) -> Trigger {
        self.due = None;
        let prepared = self.watch_options.prepared;
        match self.root {
            Root::Exists | Root::Absent => Trigger::Changed,
            Root::Deleted => {
                self.root = Root::Absent;
                Trigger::Deleted
            }
            Root::Recreated => match prepared.read(&prepared.context.read).await {
                Ok(fresh) => {
                    self.reading = fresh;
                    self.listed = Instant::now();
                    self.deleted.clear();
                    self.root = Root::Exists;
                    Trigger::Recreated
                }
                Err(failure) if failure.kind() == FailureKind::NotFound => {
                    self.root = Root::Absent;
                    Trigger::Deleted
                }
                Err(_) => {
                    self.due = Some(Instant::now() + RETRY);
                    Trigger::Timer
                }
            },
        }
    }

    /// Starts watches for the kinds that the report depends on now.
    fn update_targets(&mut self, members: Vec<usize>) {
        if self.root != Root::Exists {
            return;
        }
        let snapshot = &self.reading.snapshot;
        let mut watch_set = watch_set(snapshot, members);
        if self.watch_options.events == EventsMode::Watched {
            watch_set.expected.push(event_kind());
        }
        let uid = |index: &usize| snapshot.objects[*index].meta.uid.clone();
        self.members = watch_set.members.iter().map(uid).collect();
        self.parents = watch_set.may_create_children.iter().map(uid).collect();
        let prepared = self.watch_options.prepared;
        let roots = snapshot.objects.iter().filter(|object| snapshot.roots.contains(&object.meta.uid));
        let roots: Vec<Object> = roots.cloned().collect();
        self.keep = KeepRule::Related(prepared.request.candidates).resolve(&roots, &snapshot.kinds);
        let added = self.targets.extend(snapshot, &watch_set, &prepared.roots);
        // Objects of a new kind may have children that were not listed.
        self.wants_list |= added == Added::Some;
    }
}

//! The loop behind `-w`: looks once, then watches the kinds that the answer is about and has it told again when
//! something changed. General: a command says what must be read, what its answer depends on, and what to show.
//!
//! Nothing is read again but what changed, with one exception: when an object changed whose operator may have made
//! children of a kind that nobody watches, everything is looked at once more, now and then.

mod places;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{self, Receiver};
use tokio::time::{Instant, sleep_until};

use places::{Grown, Places};

use super::gather::{Ask, Opened, open};
use super::wait::{attending, run};
use crate::error::{Failure, Kind as FailureKind, Outcome};
use crate::inspect::watch_set::WatchSet;
use crate::model::candidate::CandidateFilter;
use crate::model::ident::{GroupKind, Uid};
use crate::model::snapshot::{FetchPlan, Object, Snapshot};
use crate::source::ReadContext;
use crate::source::pointing::points_at_others;
use crate::source::watch_event::{self, Effect, WatchEvent, WatchMessage};
use crate::ui::Ui;

/// How long changes are gathered before they are told.
const GATHER: Duration = Duration::from_millis(200);
/// How long there is at least between two full looks.
const SWEEP: Duration = Duration::from_secs(10);
/// How long to wait when a root that came back cannot be read yet.
const AGAIN: Duration = Duration::from_secs(1);
/// WatchEvent that wait to be read.
const INBOX: usize = 256;

/// What is followed, and what it takes.
pub(super) struct Following<'a> {
    /// One object, by its name.
    pub(super) ask: &'a Ask<'a>,
    pub(super) context: &'a ReadContext,
    /// What must be read beside metadata before the answer can be told.
    pub(super) fetch_plan: &'a dyn Fn(&Snapshot) -> FetchPlan,
    /// What the answer depends on.
    pub(super) watch_set: &'a dyn Fn(&Snapshot) -> WatchSet,
    /// The answer is told again after this long even if nothing changed: ages move on.
    pub(super) pulse: Duration,
    pub(super) events: Events,
    /// How a call ends that the person ends.
    pub(super) interrupted: Outcome,
}

/// Whether what is written down about the objects is part of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Events {
    Followed,
    LeftOut,
}

/// Why the answer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// For the first time.
    First,
    /// Something may have changed.
    Changed,
    /// Only time has passed.
    Passing,
    /// The root was deleted: it is not in the snapshot. It is waited for.
    Gone,
    /// The root is there again, as another object under the same name.
    Back,
}

/// Whether to go on, or how the call has ended.
pub(super) type Next = ControlFlow<Outcome>;

/// Has `show` tell the answer, again and again, until it breaks off or the person presses Ctrl-C, which is a good
/// end. `show` is handed a snapshot that is as good as a fresh one, with the server's time of just now.
pub(super) fn follow(
    following: &Following<'_>,
    ui: &mut Ui,
    mut show: impl FnMut(&mut Ui, &Snapshot, Moment) -> anyhow::Result<Next>,
) -> anyhow::Result<Outcome> {
    let Following { ask, context, fetch_plan, .. } = following;
    run(async {
        let first = async {
            let opened = open(ask, context).await?;
            let snapshot = opened.gather(ask, context, fetch_plan).await?;
            Ok((opened, snapshot))
        };
        let (opened, snapshot) = Box::pin(attending(context, ui, first)).await?;
        if context.stop.is_asked() {
            return Err(Failure::new(FailureKind::Interrupted, "interrupted").into());
        }
        opened.remark(ui);
        let mut live = Live::new(&opened, following, snapshot);
        tokio::select! {
            biased;
            // What is being written is written: only waiting is broken off.
            Ok(()) = tokio::signal::ctrl_c() => Ok(following.interrupted),
            outcome = live.run(ui, &mut show) => outcome,
        }
    })
}

fn event_kind() -> GroupKind {
    GroupKind::of("v1", "Event")
}

/// Whether the root is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Here,
    /// Gone, and nobody was told yet.
    Leaving,
    Gone,
    /// Another one of its name was seen, and is to be looked at.
    Returned,
}

/// A watch under way.
type Watch<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

struct Live<'a> {
    opened: &'a Opened,
    following: &'a Following<'a>,
    snapshot: Snapshot,
    root: Root,
    places: Places,
    /// What else may belong to the root.
    candidates: CandidateFilter,
    members: HashSet<Uid>,
    may_create_children: HashSet<Uid>,
    /// Deleted since the last full look.
    gone: HashSet<Uid>,
    /// When changes that were gathered are told.
    due: Option<Instant>,
    swept: Instant,
    wants_sweep: bool,
}

impl<'a> Live<'a> {
    fn new(opened: &'a Opened, following: &'a Following<'a>, snapshot: Snapshot) -> Self {
        let mut live = Self {
            opened,
            following,
            snapshot,
            root: Root::Here,
            places: Places::default(),
            candidates: CandidateFilter::default(),
            members: HashSet::new(),
            may_create_children: HashSet::new(),
            gone: HashSet::new(),
            due: None,
            swept: Instant::now(),
            wants_sweep: false,
        };
        live.settle();
        // What is there at the start is no reason to look again.
        live.wants_sweep = false;
        live
    }

    async fn run(
        &mut self,
        ui: &mut Ui,
        show: &mut impl FnMut(&mut Ui, &Snapshot, Moment) -> anyhow::Result<Next>,
    ) -> anyhow::Result<Outcome> {
        let (post, mut inbox) = mpsc::channel(INBOX);
        let mut watches: FuturesUnordered<Watch<'a>> = FuturesUnordered::new();
        let mut moment = Moment::First;
        loop {
            if self.following.events == Events::Followed && moment != Moment::Passing {
                self.read_events().await;
            }
            self.snapshot.now = self.opened.source.now();
            if let ControlFlow::Break(outcome) = show(ui, &self.snapshot, moment)? {
                return Ok(outcome);
            }
            for remark in self.places.remarks() {
                ui.note(&remark);
            }
            for place in self.places.take_new() {
                watches.push(Box::pin(self.opened.source.watch(place, post.clone())));
            }
            moment = self.wait(ui, &mut inbox, &mut watches).await;
        }
    }

    /// Reads anew what was written down about the objects; there is no telling which of it changed.
    async fn read_events(&mut self) {
        self.snapshot.events.clear();
        self.snapshot.gaps.retain(|gap| gap.resource != "events");
        let objects = self.snapshot.objects.iter().enumerate();
        let about = objects.filter(|(_, object)| self.members.contains(&object.meta.uid));
        let about: Vec<usize> = about.map(|(index, _)| index).collect();
        self.opened.source.events(&mut self.snapshot, &about, self.following.context).await;
    }

    /// Waits for something to tell.
    async fn wait(
        &mut self,
        ui: &mut Ui,
        inbox: &mut Receiver<WatchMessage>,
        watches: &mut FuturesUnordered<Watch<'a>>,
    ) -> Moment {
        let pulse = Instant::now() + self.following.pulse;
        loop {
            let wake = [self.due, self.sweep_at()].into_iter().flatten().fold(pulse, Instant::min);
            tokio::select! {
                Some(message) = inbox.recv() => self.take(message, ui),
                // They are polled here; none of them ends while somebody listens.
                Some(()) = watches.next() => {}
                () = sleep_until(wake) => {}
            }
            let now = Instant::now();
            if self.due.is_some_and(|due| due <= now) {
                return self.refresh().await;
            }
            if self.sweep_at().is_some_and(|at| at <= now) {
                self.sweep().await;
                return self.refresh().await;
            }
            if pulse <= now {
                return Moment::Passing;
            }
        }
    }

    /// Takes what a watch tells into the snapshot, and decides whether that matters.
    fn take(&mut self, message: WatchMessage, ui: &mut Ui) {
        if let WatchEvent::Shut = message.event {
            // Somebody has to look after each object by itself.
            let (place, members) = (&message.place, &self.members);
            let is_ours = |object: &Object| place.holds(object) && members.contains(&object.meta.uid);
            watch_event::doubt(&mut self.snapshot, is_ours);
            self.hurry();
        }
        if let Some(note) = self.places.heed(&message) {
            ui.note(&note);
        }
        if message.place.kind.group_kind() == event_kind() {
            self.hurry();
            return;
        }
        let (candidates, wanted) = (&self.candidates, &self.opened.wanted);
        let keep = |object: &Object| {
            let meta = &object.meta;
            let marks = meta.labels.iter().chain(&meta.annotations);
            let marks = marks.map(|(key, value)| (key.as_str(), value.as_str()));
            !meta.owners.is_empty()
                || points_at_others(&object.kind)
                || wanted.iter().any(|wanted| wanted.is(object))
                || candidates.matches(&object.kind, &meta.name.name, marks)
        };
        let effect = watch_event::apply(&mut self.snapshot, message, keep);
        self.weigh(effect);
    }

    /// Whether what happened matters to the answer.
    fn weigh(&mut self, effect: Effect) {
        if effect.gone.iter().any(|uid| self.members.contains(uid)) {
            self.hurry();
        }
        if self.root == Root::Here && effect.gone.iter().any(|uid| self.snapshot.roots.contains(uid)) {
            self.root = Root::Leaving;
        }
        self.gone.extend(effect.gone);
        let touched: HashSet<&Uid> = effect.touched.iter().collect();
        let mut matters = false;
        for object in self.snapshot.objects.iter().filter(|object| touched.contains(&object.meta.uid)) {
            let meta = &object.meta;
            if self.opened.wanted.iter().any(|wanted| wanted.is(object)) {
                let same = self.snapshot.roots.contains(&meta.uid);
                self.root = if same { Root::Here } else { Root::Returned };
                matters = true;
            }
            self.wants_sweep |= self.may_create_children.contains(&meta.uid);
            // What is owned by none of ours can still be tied to them by a trace or a selector.
            matters |= self.members.contains(&meta.uid)
                || meta.owners.iter().any(|owner| self.members.contains(&owner.uid))
                || meta.owners.is_empty();
        }
        if matters {
            self.hurry();
        }
    }

    fn hurry(&mut self) {
        self.due.get_or_insert_with(|| Instant::now() + GATHER);
    }

    fn sweep_at(&self) -> Option<Instant> {
        (self.wants_sweep && self.root == Root::Here).then(|| self.swept + SWEEP)
    }

    /// Looks at everything once more, for kinds that nobody watches.
    async fn sweep(&mut self) {
        (self.wants_sweep, self.swept) = (false, Instant::now());
        let fresh = self.opened.sweep(self.following.ask, self.following.context).await;
        // What cannot be read now is tried at the next occasion; a root that is gone is told by its own watch.
        let Ok(fresh) = fresh else { return };
        if fresh.roots == self.snapshot.roots {
            let (places, gone) = (&self.places, &self.gone);
            watch_event::renew(
                &mut self.snapshot,
                fresh,
                |object| places.watch(object),
                |uid| gone.contains(uid),
            );
            self.gone.clear();
        }
    }

    /// Reads what is out of date, and says what there is to tell.
    async fn refresh(&mut self) -> Moment {
        self.due = None;
        let Following { ask, context, fetch_plan, .. } = *self.following;
        let moment = match self.root {
            Root::Here => Moment::Changed,
            Root::Leaving => {
                self.root = Root::Gone;
                return Moment::Gone;
            }
            Root::Gone => return Moment::Changed,
            Root::Returned => match self.opened.sweep(ask, context).await {
                Ok(fresh) => {
                    self.snapshot = fresh;
                    self.swept = Instant::now();
                    self.gone.clear();
                    self.root = Root::Here;
                    Moment::Back
                }
                Err(failure) if failure.kind() == FailureKind::NotFound => {
                    self.root = Root::Gone;
                    return Moment::Gone;
                }
                Err(_) => {
                    self.due = Some(Instant::now() + AGAIN);
                    return Moment::Passing;
                }
            },
        };
        self.opened.fetch(ask, &mut self.snapshot, context, fetch_plan).await;
        self.settle();
        moment
    }

    /// Finds out what the answer depends on now.
    fn settle(&mut self) {
        let mut watch_set = (self.following.watch_set)(&self.snapshot);
        if self.following.events == Events::Followed {
            watch_set.expected.push(event_kind());
        }
        let uid = |index: &usize| self.snapshot.objects[*index].meta.uid.clone();
        self.members = watch_set.members.iter().map(uid).collect();
        self.may_create_children = watch_set.may_create_children.iter().map(uid).collect();
        let roots =
            self.snapshot.objects.iter().filter(|object| self.snapshot.roots.contains(&object.meta.uid));
        let roots: Vec<Object> = roots.cloned().collect();
        self.candidates = (self.following.ask.candidates)(&roots, &self.snapshot.kinds);
        let grown = self.places.extend(&self.snapshot, &watch_set, &self.opened.wanted);
        // Below kinds that were not there before there may be more of them.
        self.wants_sweep |= grown == Grown::Yes;
    }
}

//! The way of every command that looks at objects: find the source, the kind and the objects, then look as often as
//! it takes.

use std::mem::ManuallyDrop;
use std::sync::Arc;

use super::object::{Named, not_found};
use crate::error::{Failure, Kind as FailureKind};
use crate::inspect::related::is_custom;
use crate::model::age;
use crate::model::kind::{Kind, KindScope};
use crate::model::selector::Selector;
use crate::model::snapshot::{FetchPlan, Reach, Snapshot};
use crate::source::selection::{Discovered, FilterOfRoots, Look, Select, Selection};
use crate::source::skip::is_worth_listing;
use crate::source::{ReadContext, Source, SourceSpec};
use crate::ui::Ui;

/// Owners of owners, and what they name, may take this many looks.
const LOOKS: usize = 40;

/// What a command wants to look at.
pub(super) struct Ask<'a> {
    pub(super) spec: &'a SourceSpec,
    pub(super) named: &'a [Named],
    pub(super) places: Places,
    pub(super) extent: Extent,
    pub(super) selector: Selector,
    /// The command's name, for hints.
    pub(super) command: &'static str,
    pub(super) candidates: &'a FilterOfRoots<'a>,
    pub(super) columns: Columns,
}

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// Where the object is; everywhere for one that has no namespace.
    Own,
    /// `-A`
    All,
}

/// How much is looked at beside the objects that were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Everything that could be below them.
    Trees,
    /// Nothing: no other kind is asked for.
    Roots,
}

/// Whether the columns of the kind's author are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Asked,
    NotAsked,
}

/// What was found.
pub(super) struct Gathered {
    /// Never dropped: the process ends with its answer, and giving back thousands of objects one by one would be a
    /// tenth of the time that a person waits.
    pub(super) snapshot: ManuallyDrop<Snapshot>,
    opened: Opened,
}

/// A source, and what is meant in it: ready to be looked at, once or again and again.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) wanted: Vec<Selection>,
    discovered: Discovered,
    reach: Reach,
    also: Vec<String>,
}

/// Looks, and looks again as long as `fetch_plan` finds something missing.
pub(super) async fn gather(
    ask: &Ask<'_>,
    context: &ReadContext,
    fetch_plan: impl Fn(&Snapshot) -> FetchPlan,
) -> Result<Gathered, Failure> {
    let opened = open(ask, context).await?;
    let snapshot = opened.gather(ask, context, &fetch_plan).await?;
    Ok(Gathered { snapshot: ManuallyDrop::new(snapshot), opened })
}

/// Finds the source and the kinds.
pub(super) async fn open(ask: &Ask<'_>, context: &ReadContext) -> Result<Opened, Failure> {
    let source = Source::open(ask.spec).await?;
    let discovered = context.progress.during(source.name().to_owned(), source.discover()).await?;
    let (mut wanted, mut also) = (Vec::new(), Vec::new());
    for named in ask.named {
        let found = named.find(&discovered, ask.spec, ask.command)?;
        wanted.push(want(ask, named, &source, &found.kind));
        also.extend(found.also.iter().map(|other| {
            format!("\"{}\" also names {other}; this is {}", named.kind, found.kind.full_name())
        }));
    }
    if ask.named.is_empty() {
        wanted = every_custom_kind(ask, &source, &discovered);
    }
    let reach = reach(ask, &wanted);
    let discovered = match ask.extent {
        Extent::Trees => discovered,
        Extent::Roots => Discovered { kinds: Arc::new([]), gaps: Vec::new() },
    };
    Ok(Opened { source, wanted, discovered, reach, also })
}

impl Opened {
    /// The first look and all that follow from it.
    pub(super) async fn gather(
        &self,
        ask: &Ask<'_>,
        context: &ReadContext,
        fetch_plan: &dyn Fn(&Snapshot) -> FetchPlan,
    ) -> Result<Snapshot, Failure> {
        match self.sweep(ask, context).await {
            Ok(mut snapshot) => {
                self.fetch(ask, &mut snapshot, context, fetch_plan).await;
                Ok(snapshot)
            }
            Err(failure) if failure.kind() == FailureKind::NotFound => {
                Err(absent(&self.source, &self.wanted, ask, failure).await)
            }
            Err(failure) => Err(failure),
        }
    }

    /// The first look: the roots, and the metadata of all that could belong to them.
    pub(super) async fn sweep(&self, ask: &Ask<'_>, context: &ReadContext) -> Result<Snapshot, Failure> {
        let look = Look { reach: self.reach.clone(), candidates: ask.candidates };
        self.source.sweep(&self.discovered, &self.wanted, look, context).await
    }

    /// Looks as often as `fetch_plan` finds something missing.
    pub(super) async fn fetch(
        &self,
        ask: &Ask<'_>,
        snapshot: &mut Snapshot,
        context: &ReadContext,
        fetch_plan: &dyn Fn(&Snapshot) -> FetchPlan,
    ) {
        for _ in 0..LOOKS {
            let fetch_plan = fetch_plan(snapshot);
            if fetch_plan.is_empty() || context.stop.is_asked() {
                break;
            }
            self.source.fetch(snapshot, &fetch_plan, context).await;
        }
        if ask.columns == Columns::Asked {
            // Kinds of Kubernetes are told better by their own rules than by their columns.
            let custom: Vec<Selection> =
                self.wanted.iter().filter(|wanted| is_custom(&wanted.kind)).cloned().collect();
            self.source.print(snapshot, &custom).await;
        }
    }

    /// Says on stderr what the answer itself does not.
    pub(super) fn remark(&self, ui: &mut Ui) {
        for other in &self.also {
            ui.note(other);
        }
        if let Some(skew) = self.source.skew() {
            let direction = if skew.is_negative() { "behind" } else { "ahead of" };
            let by = age::human(skew.abs());
            ui.note(&format!(
                "the server's clock is {by} {direction} this computer's; ages follow the server"
            ));
        }
    }
}

fn want(ask: &Ask<'_>, named: &Named, source: &Source, kind: &Arc<Kind>) -> Selection {
    let home = || named.namespace.clone().unwrap_or_else(|| source.namespace().to_owned());
    let (which, everywhere) = match &named.name {
        Some(name) => (Select::Named(name.clone()), false),
        None => (Select::All(ask.selector.clone()), ask.places == Places::All),
    };
    let namespace = (kind.scope == KindScope::Namespaced && !everywhere).then(home);
    Selection { kind: Arc::clone(kind), namespace, which }
}

/// Nothing was named: every resource of somebody's own kind, in the namespace or everywhere.
fn every_custom_kind(ask: &Ask<'_>, source: &Source, discovered: &Discovered) -> Vec<Selection> {
    let everywhere = ask.places == Places::All;
    let fits = |kind: &&Arc<Kind>| {
        is_custom(kind) && is_worth_listing(kind) && (everywhere || kind.scope == KindScope::Namespaced)
    };
    let wanted = |kind: &Arc<Kind>| Selection {
        kind: Arc::clone(kind),
        namespace: (!everywhere).then(|| source.namespace().to_owned()),
        which: Select::Any(ask.selector.clone()),
    };
    discovered.kinds.iter().filter(fits).map(wanted).collect()
}

/// One namespace when all that is wanted is there, else everywhere.
fn reach(ask: &Ask<'_>, wanted: &[Selection]) -> Reach {
    let mut places = wanted.iter().map(|wanted| wanted.namespace.as_ref());
    match (places.next(), ask.places) {
        (Some(Some(first)), Places::Own) if places.all(|place| place == Some(first)) => {
            Reach::Namespace(first.clone())
        }
        _ => Reach::Cluster,
    }
}

/// Which of the objects is not there, and what else is.
async fn absent(source: &Source, wanted: &[Selection], ask: &Ask<'_>, failure: Failure) -> Failure {
    for wanted in wanted {
        let Select::Named(name) = &wanted.which else { continue };
        let there = source.names(&wanted.kind, wanted.namespace.as_deref()).await;
        let here = |one: &crate::source::selection::Named| {
            one.name == *name && wanted.namespace.as_ref().is_none_or(|namespace| *namespace == one.namespace)
        };
        if !there.iter().any(here) {
            return not_found(&there, wanted, ask.spec, ask.command);
        }
    }
    failure
}

impl Gathered {
    /// Adds the events about some objects, by their places in the snapshot.
    pub(super) async fn add_events(&mut self, about: &[usize], context: &ReadContext) {
        self.opened.source.events(&mut self.snapshot, about, context).await;
    }

    /// Says on stderr, in kubectl's words, that there is no such object.
    pub(super) fn say_nothing_found(&self, ui: &mut Ui) {
        let place = match &self.snapshot.reach {
            Reach::Namespace(namespace) => format!(" in {namespace} namespace"),
            Reach::Cluster => String::new(),
        };
        ui.note(&format!("No resources found{place}."));
    }

    /// Says on stderr what the answer itself does not.
    pub(super) fn remark(&self, ui: &mut Ui) {
        self.opened.remark(ui);
    }
}

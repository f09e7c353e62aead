//! The way of every command that looks at objects: find the source, the kind and the objects, then look as often as
//! it takes.

use std::sync::Arc;

use super::object::{Found, Named, not_found};
use crate::error::{Failure, Kind as FailureKind};
use crate::model::age;
use crate::model::kind::{Kind, KindScope};
use crate::model::selector::Selector;
use crate::model::snapshot::{Reach, Reading, Snapshot};
use crate::source::wanted::{ClueTeller, Look, Wanted, Which};
use crate::source::{Aim, Attention, Source};
use crate::ui::Ui;

/// Owners of owners, and what they name, may take this many looks.
const LOOKS: usize = 40;

/// What a command wants to look at.
pub(super) struct Ask<'a> {
    pub(super) aim: &'a Aim,
    pub(super) named: &'a Named,
    pub(super) places: Places,
    pub(super) selector: Selector,
    /// The command's name, for hints.
    pub(super) command: &'static str,
    pub(super) clues: &'a ClueTeller<'a>,
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

/// Whether the columns of the kind's author are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Columns {
    Asked,
    NotAsked,
}

/// What was found.
pub(super) struct Gathered {
    pub(super) snapshot: Snapshot,
    pub(super) kind: Arc<Kind>,
    also: Vec<String>,
    skew: Option<jiff::SignedDuration>,
}

/// Looks, and looks again as long as `reading` finds something missing.
pub(super) async fn gather(
    ask: &Ask<'_>,
    attention: &Attention,
    reading: impl Fn(&Snapshot) -> Reading,
) -> Result<Gathered, Failure> {
    let source = Source::open(ask.aim).await?;
    let discovered = attention.progress.during(source.name().to_owned(), source.discover()).await?;
    let program = &ask.aim.target.program;
    let Found { kind, also } = ask.named.find(&discovered, program, ask.command)?;
    let wanted = wanted(ask, &source, &kind);
    let reach = match (&wanted.namespace, ask.places) {
        (Some(namespace), Places::Own) => Reach::Namespace(namespace.clone()),
        _ => Reach::Cluster,
    };
    let look = Look { reach, clues: ask.clues };
    let mut snapshot = match source.sweep(&discovered, &wanted, look, attention).await {
        Ok(snapshot) => snapshot,
        Err(failure) if failure.kind() == FailureKind::NotFound => {
            return Err(not_found(&source, &wanted, ask.aim, ask.command).await);
        }
        Err(failure) => return Err(failure),
    };
    for _ in 0..LOOKS {
        let reading = reading(&snapshot);
        if reading.is_empty() || attention.stop.is_asked() {
            break;
        }
        source.fill(&mut snapshot, &reading, attention).await;
    }
    if ask.columns == Columns::Asked {
        source.print(&mut snapshot, &wanted).await;
    }
    Ok(Gathered { snapshot, kind, also, skew: source.skew() })
}

fn wanted(ask: &Ask<'_>, source: &Source, kind: &Arc<Kind>) -> Wanted {
    let home = || ask.named.namespace.clone().unwrap_or_else(|| source.namespace().to_owned());
    let (which, everywhere) = match &ask.named.name {
        Some(name) => (Which::Named(name.clone()), false),
        None => (Which::All(ask.selector.clone()), ask.places == Places::All),
    };
    let namespace = (kind.scope == KindScope::Namespaced && !everywhere).then(home);
    Wanted { kind: Arc::clone(kind), namespace, which }
}

impl Gathered {
    /// Says on stderr what the answer itself does not.
    pub(super) fn remark(&self, named: &Named, ui: &mut Ui) {
        for other in &self.also {
            ui.note(&format!("\"{}\" also names {other}; this is {}", named.kind, self.kind.full_name()));
        }
        if let Some(skew) = self.skew {
            let direction = if skew.is_negative() { "behind" } else { "ahead of" };
            let by = age::human(skew.abs());
            ui.note(&format!(
                "the server's clock is {by} {direction} this computer's; ages follow the server"
            ));
        }
    }
}

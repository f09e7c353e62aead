//! A TYPE without a NAME, with somebody there to choose.

use super::object::{Found, Named};
use super::wait::attend;
use crate::error::{Failure, Kind as FailureKind};
use crate::model::kind::KindScope;
use crate::source::{ReadContext, Source, SourceSpec};
use crate::ui::Ui;

/// Asks which object is meant. Gives `named` back as it is when there is nobody to ask, or nothing to choose.
pub(super) fn pick(named: Named, spec: &SourceSpec, command: &str, ui: &mut Ui) -> Result<Named, Failure> {
    if named.name.is_some() || !ui.can_ask() {
        return Ok(named);
    }
    let context = ReadContext::default();
    let mut there = attend(&context, ui, async {
        let source = Source::open(spec).await?;
        let discovered = context.progress.during(source.name().to_owned(), source.discover()).await?;
        let Found { kind, .. } = named.find(&discovered, spec, command)?;
        let namespace = (kind.scope == KindScope::Namespaced).then(|| source.namespace().to_owned());
        let list = source.names(&kind, namespace.as_deref());
        let mut found = context.progress.during(kind.full_name(), list).await;
        found.retain(|one| namespace.as_ref().is_none_or(|namespace| one.namespace == *namespace));
        Ok(found)
    })?;
    there.sort();
    let choices: Vec<String> = there.into_iter().map(|one| one.name).collect();
    match choices.as_slice() {
        [] => Ok(named),
        [only] => Ok(Named { name: Some(only.clone()), ..named }),
        _ => match ui.pick(&format!("which {}", named.kind), &choices) {
            Ok(Some(at)) => Ok(Named { name: choices.get(at).cloned(), ..named }),
            Ok(None) | Err(_) => Err(Failure::new(FailureKind::Interrupted, "nothing was chosen")),
        },
    }
}

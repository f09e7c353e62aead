//! The prompt for a TYPE without a NAME, on a terminal.

use super::context::CommandContext;
use super::object::{ResolvedKind, ResourceArg};
use crate::error::{Failure, FailureKind};
use crate::model::kind::KindScope;
use crate::source::session::Session;
use crate::ui::Ui;

/// Asks for the object. Returns `named` unchanged if it has a name, stdin is not a terminal, or no object exists.
pub(super) fn pick(
    named: ResourceArg,
    context: &CommandContext<'_>,
    session: &Session,
    ui: &mut Ui,
) -> Result<ResourceArg, Failure> {
    if named.name.is_some() || !ui.is_interactive() {
        return Ok(named);
    }
    let ResolvedKind { kind, .. } = named.find(session, context.spec, context.command)?;
    let namespace = (kind.scope == KindScope::Namespaced).then(|| session.namespace().to_owned());
    let mut found = context.run_with_progress(ui, async {
        let list = session.names(&kind, namespace.as_deref());
        Ok(context.read.progress.track(kind.full_name(), list).await)
    })?;
    found.retain(|one| namespace.as_ref().is_none_or(|namespace| one.namespace == *namespace));
    found.sort();
    let choices: Vec<String> = found.into_iter().map(|one| one.name).collect();
    match choices.as_slice() {
        [] => Ok(named),
        [only] => Ok(ResourceArg { name: Some(only.clone()), ..named }),
        _ => match ui.pick(&format!("select a {}", kind.kind), &choices) {
            Ok(Some(at)) => Ok(ResourceArg { name: choices.get(at).cloned(), ..named }),
            Ok(None) | Err(_) => Err(Failure::new(FailureKind::Interrupted, "no object selected")),
        },
    }
}

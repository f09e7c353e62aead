//! The prompt for a TYPE without a NAME, on a terminal.

use super::context::CommandContext;
use super::object::{ResolvedKind, ResourceArg};
use crate::error::{Failure, FailureKind};
use crate::model::kind::KindScope;
use crate::source::selection::NamespacedName;
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
    let namespace = session.namespace().filter(|_| kind.scope == KindScope::Namespaced).map(str::to_owned);
    let mut found = context.run_with_progress(ui, async {
        let list = session.names(&kind, namespace.as_deref());
        Ok(context.read.progress.track(kind.full_name(), list).await)
    })?;
    found.retain(|one| namespace.as_ref().is_none_or(|namespace| one.namespace == *namespace));
    found.sort();
    let choice = |one: &NamespacedName| match &namespace {
        None if !one.namespace.is_empty() => format!("{} -n {}", one.name, one.namespace),
        _ => one.name.clone(),
    };
    let chosen = match found.as_slice() {
        [] => return Ok(named),
        [_] => Some(0),
        _ => {
            let choices: Vec<String> = found.iter().map(choice).collect();
            ui.pick(&format!("select a {}", kind.kind), &choices).ok().flatten()
        }
    };
    let Some(one) = chosen.and_then(|at| found.get(at)) else {
        return Err(Failure::new(FailureKind::Interrupted, "no object selected"));
    };
    let place = Some(one.namespace.clone()).filter(|place| !place.is_empty());
    Ok(ResourceArg { name: Some(one.name.clone()), namespace: place, ..named })
}

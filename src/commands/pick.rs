//! A TYPE without a NAME, with somebody there to choose.

use super::call::Call;
use super::object::{Found, Named};
use crate::error::{Failure, Kind as FailureKind};
use crate::model::kind::KindScope;
use crate::source::session::Session;
use crate::ui::Ui;

/// Asks which object is meant. Gives `named` back as it is when there is nobody to ask, or nothing to choose.
pub(super) fn pick(named: Named, call: &Call<'_>, session: &Session, ui: &mut Ui) -> Result<Named, Failure> {
    if named.name.is_some() || !ui.can_ask() {
        return Ok(named);
    }
    let Found { kind, .. } = named.find(session, call.spec, call.command)?;
    let namespace = (kind.scope == KindScope::Namespaced).then(|| session.namespace().to_owned());
    let mut found = call.attend(ui, async {
        let list = session.names(&kind, namespace.as_deref());
        Ok(call.context.progress.track(kind.full_name(), list).await)
    })?;
    found.retain(|one| namespace.as_ref().is_none_or(|namespace| one.namespace == *namespace));
    found.sort();
    let choices: Vec<String> = found.into_iter().map(|one| one.name).collect();
    match choices.as_slice() {
        [] => Ok(named),
        [only] => Ok(Named { name: Some(only.clone()), ..named }),
        _ => match ui.pick(&format!("which {}", named.kind), &choices) {
            Ok(Some(at)) => Ok(Named { name: choices.get(at).cloned(), ..named }),
            Ok(None) | Err(_) => Err(Failure::new(FailureKind::Interrupted, "nothing was chosen")),
        },
    }
}

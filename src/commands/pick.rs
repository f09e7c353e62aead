//! `tree TYPE` on a terminal: lets the user pick the object, with the state of each beside its name.

use super::context::CommandContext;
use super::gather::{Extent, Namespaces, Prepared, PrinterColumns, ReadRequest};
use super::object::ResourceArg;
use crate::error::{Failure, FailureKind};
use crate::inspect::evaluation::Below;
use crate::inspect::related;
use crate::inspect::status::{self, Resource, StatusOptions, StatusReport};
use crate::model::health::Verdict;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::source::session::Session;
use crate::ui::{Ui, display_width};

/// Asks for the object. Returns `named` unchanged if it has a name, stdin is not a terminal, or no object exists.
pub(super) fn pick(
    named: ResourceArg,
    context: &CommandContext<'_>,
    session: &Session,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> Result<ResourceArg, Failure> {
    if named.name.is_some() || !ui.is_interactive() {
        return Ok(named);
    }
    let report = states(&named, context, session, rulebook, ui)?;
    if context.is_interrupted() {
        return Err(cancelled());
    }
    let one = match report.resources.as_slice() {
        [] => return Ok(named),
        [only] => only,
        all => {
            let kind = &all[0].object.kind;
            let question = format!("select a {kind} (type to filter, Escape to cancel)");
            let chosen = ui.pick(&question, &choices(all, session.namespace())).ok().flatten();
            chosen.and_then(|at| all.get(at)).ok_or_else(cancelled)?
        }
    };
    let (name, namespace) = (one.object.name.clone(), one.object.namespace.clone());
    Ok(ResourceArg { name: Some(name), namespace, ..named })
}

/// The objects of the type with their own state, the worst first. They are read with one list.
fn states(
    named: &ResourceArg,
    context: &CommandContext<'_>,
    session: &Session,
    rulebook: &Rulebook,
    ui: &mut Ui,
) -> Result<StatusReport, Failure> {
    let request = ReadRequest {
        named: std::slice::from_ref(named),
        namespaces: Namespaces::Own,
        extent: Extent::Roots,
        selector: Selector::default(),
        candidates: &|roots, kinds| related::no_candidates(roots, kinds),
        columns: PrinterColumns::Skipped,
    };
    // The notes on the type are printed when the object is read.
    let (prepared, _) = Prepared::resolve(context, session, &request)?;
    let options = StatusOptions { below: Below::Nothing, ..StatusOptions::default() };
    let inspected = context.run_with_progress(ui, async {
        let mut reading = prepared.read(&context.read).await?;
        let inspect = |snapshot: &_, attempts: &_| status::inspect(snapshot, attempts, options, rulebook);
        prepared.complete(&mut reading, &context.read, &inspect).await
    })?;
    Ok(inspected.report)
}

/// One line per object: its name, its namespace if all are read, its verdict and the reason for it.
fn choices(all: &[Resource], read: Option<&str>) -> Vec<String> {
    let name = |one: &Resource| match (&one.object.namespace, read) {
        (Some(namespace), None) => format!("{} -n {namespace}", one.object.name),
        _ => one.object.name.clone(),
    };
    let width = all.iter().map(|one| display_width(&name(one))).max().unwrap_or_default();
    let choice = |one: &Resource| {
        let name = name(one);
        let state = match one.own.verdict {
            // The kind has no state.
            Verdict::None => String::new(),
            verdict => verdict.to_string(),
        };
        let reason = one.own.reason.as_deref().filter(|_| one.own.verdict > Verdict::Suspended);
        let padding = " ".repeat(width.saturating_sub(display_width(&name)));
        format!("{name}{padding}  {state} {}", reason.unwrap_or_default()).trim_end().to_owned()
    };
    all.iter().map(choice).collect()
}

fn cancelled() -> Failure {
    Failure::new(FailureKind::Interrupted, "no object selected")
}

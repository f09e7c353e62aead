//! `tree`: what an object owns, how each of it is, and what could not be seen.

use super::object::{Found, ObjectArgs, not_found};
use super::output::{Output, output};
use super::shell::{context_flags, quote};
use super::wait::attend;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::tree::{self, Node, Tree};
use crate::model::age;
use crate::model::health::Verdict;
use crate::model::ident::group_of;
use crate::model::rulebook::Rulebook;
use crate::model::snapshot::Reach;
use crate::render::drawing::Drawing;
use crate::render::tree::{Times, View};
use crate::render::{graphviz, machine, mermaid, tree as render};
use crate::source::cluster::{Attention, Cluster, Target};
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "tree",
    usage: "tree TYPE/NAME [flags]",
    examples: &[
        Example { call: "tree voteconfig/demo", says: "a resource and everything it owns" },
        Example { call: "tree deployment shop -n shop -o wide", says: "with uids, rules and reasons" },
        Example {
            call: "tree website/shop --fail --strict",
            says: "exits 1 when not fine, 3 when partly unseen",
        },
        Example { call: "tree -f site.yaml -o json", says: "the object that a manifest names, as data" },
    ],
    needs: "Reads only. Needs: get on the object, list on what it owns; works with less and says what it could not see.",
};

/// Show what a resource owns, with health
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct TreeArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// Look into all namespaces, also for an object that lives in one
    #[arg(long, short = 'A', help_heading = "Select")]
    all_namespaces: bool,
    /// Show this many levels below the object
    #[arg(long, value_name = "LEVELS", help_heading = "Select")]
    depth: Option<usize>,
    /// Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or
    /// custom-columns=NAME:.metadata.name,IS:.verdict with the fields of a node in -o json
    #[arg(long, short, value_name = "FORMAT", value_parser = output, help_heading = "Show")]
    output: Option<Output>,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
    /// Exit with 1 when anything in the tree is not fine
    #[arg(long, help_heading = "Judge")]
    fail: bool,
    /// Exit with 3 when not everything could be read
    #[arg(long, help_heading = "Judge")]
    strict: bool,
}

/// Gathers, tells, prints.
pub fn run(args: &TreeArgs, target: &Target, rulebook: &Rulebook, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let program = &target.program;
    let named = args.object.named(program, "tree")?;
    let attention = Attention::default();
    let work = async {
        let cluster = Cluster::connect(target).await?;
        let discovered = attention.progress.during(cluster.server().to_owned(), cluster.discover()).await?;
        let Found { wanted, also } = named.find(&discovered, &cluster, program, "tree")?;
        let reach = match (&wanted.namespace, args.all_namespaces) {
            (Some(namespace), false) => Reach::Namespace(namespace.clone()),
            _ => Reach::Cluster,
        };
        let mut snapshot = match cluster.sweep(&discovered, &wanted, reach, &attention).await {
            Ok(snapshot) => snapshot,
            Err(failure) if failure.kind() == Kind::NotFound => {
                return Err(not_found(&cluster, &wanted, program, "tree").await);
            }
            Err(failure) => return Err(failure),
        };
        let reading = tree::reading(&snapshot, args.depth);
        cluster.fill(&mut snapshot, &reading, &attention).await;
        Ok((snapshot, also, wanted.kind, cluster.skew()))
    };
    let (snapshot, also, kind, skew) = attend(&attention, ui, work)?;
    for other in also {
        ui.note(&format!("\"{}\" also names {other}; this is {}", named.kind, kind.full_name()));
    }
    if let Some(skew) = skew {
        let direction = if skew.is_negative() { "behind" } else { "ahead of" };
        let by = age::human(skew.abs());
        ui.note(&format!("the server's clock is {by} {direction} this computer's; ages follow the server"));
    }
    let Some(tree) = tree::tell(&snapshot, args.depth, rulebook) else {
        return Err(Failure::new(Kind::Server, "the object was deleted while it was read").into());
    };
    let text = match &args.output {
        Some(Output::Machine(format)) => machine::write(&tree, *format)?,
        Some(Output::Name) => render::names(&tree, ui.styles()),
        Some(Output::JsonPath(template)) => {
            let filled = template.write(&serde_json::to_value(&tree)?);
            ui.styles().block(&filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?)
        }
        Some(Output::Columns(columns)) => columns
            .write(&tree.nodes, ui.styles())
            .map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?,
        Some(Output::Dot) => graphviz::write(&Drawing::of(&tree)),
        Some(Output::Mermaid) => mermaid::write(&Drawing::of(&tree)),
        wide => {
            let view = if matches!(wide, Some(Output::Wide)) { View::Wide } else { View::Usual };
            let times = if args.absolute_time { Times::Absolute } else { Times::Ages };
            let told = render::write(&tree, view, times, ui.styles(), ui.width());
            let next = next(&tree, target);
            format!("{told}next: {}\n", ui.styles().plain(&next))
        }
    };
    ui.print(&text)?;
    Ok(outcome(args, &tree, attention.stop.is_asked()))
}

/// The command that says more about the worst object.
fn next(tree: &Tree, target: &Target) -> String {
    let worst = if tree.verdict() > Verdict::Unknown { tree.worst } else { 0 };
    let node = &tree.nodes[worst];
    let mut words = vec!["kubectl".to_owned()];
    if node.name.kind == "Pod" && crashed(node) {
        words.extend(["logs".to_owned(), node.name.name.clone(), "--previous".to_owned()]);
    } else {
        let group = group_of(&node.name.api_version);
        let kind = node.name.kind.to_lowercase();
        let kind = if group.is_empty() { kind } else { format!("{kind}.{group}") };
        words.extend(["describe".to_owned(), kind, node.name.name.clone()]);
    }
    if let Some(namespace) = &node.name.namespace {
        words.extend(["-n".to_owned(), namespace.clone()]);
    }
    words.extend(context_flags(target));
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

fn crashed(node: &Node) -> bool {
    node.verdict == Verdict::Failed
        && matches!(node.status.as_str(), "CrashLoopBackOff" | "Error" | "OOMKilled")
}

fn outcome(args: &TreeArgs, tree: &Tree, interrupted: bool) -> Outcome {
    if interrupted {
        return Outcome::Interrupted;
    }
    match tree.verdict() {
        Verdict::Progressing
        | Verdict::Terminating
        | Verdict::NotReady
        | Verdict::Failed
        | Verdict::Stuck
            if args.fail =>
        {
            Outcome::NotFine
        }
        _ if args.strict && !tree.complete => Outcome::CannotJudge,
        _ => Outcome::Fine,
    }
}

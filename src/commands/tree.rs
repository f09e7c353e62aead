//! `tree`: what an object owns, how each of it is, and what could not be seen.

use super::call::Call;
use super::gather::{Columns, Extent, Namespaces, Prepared, Request, deleted_meanwhile, gather};
use super::live;
use super::next::{self, Way};
use super::object::{Named, ObjectArgs};
use super::output::{self, Output};
use super::pick::pick;
use super::tree_watch;
use super::{Example, Page};
use crate::error::{Failure, Kind, Outcome};
use crate::inspect::evaluation::is_trouble;
use crate::inspect::related::{self, Relations};
use crate::inspect::tree::{self, Direction, Filter, Folds, HealthFilter, Tree, TreeOptions, TreeReport};
use crate::model::candidate::KeepLabels;
use crate::model::ident::GroupKind;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::drawing::Drawing;
use crate::render::tree::{Page as TreePage, Times, View};
use crate::render::{graphviz, mermaid, tree as render};
use crate::source::SourceSpec;
use crate::source::resolve::resolve;
use crate::source::session::Session;
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
    /// Labels: of the objects to show trees of, or, below a named one, of what is shown
    #[arg(long, short = 'l', value_name = "SELECTOR", value_parser = Selector::parse, help_heading = "Select")]
    selector: Option<Selector>,
    /// Show the owners instead, up to the top
    #[arg(long, conflicts_with = "around", help_heading = "Select")]
    up: bool,
    /// Show the owners and what is below, with the object marked
    #[arg(long, help_heading = "Select")]
    around: bool,
    /// Show this many levels below the object
    #[arg(long, value_name = "LEVELS", help_heading = "Select")]
    depth: Option<usize>,
    /// Hide what owner references do not lead to
    #[arg(long, conflicts_with = "deep", help_heading = "Select")]
    owned_only: bool,
    /// Show what Pods name as well: ConfigMaps, Secrets, claims, service accounts
    #[arg(long, help_heading = "Select")]
    deep: bool,
    /// Show objects of these types only, and what is below them
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Select")]
    kind: Vec<String>,
    /// Hide objects of these types, not what is below them
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Select")]
    exclude_kind: Vec<String>,
    /// Show only what is unhealthy, and the way there
    #[arg(long, value_name = "WHAT", value_parser = ["unhealthy"], help_heading = "Select")]
    only: Option<String>,
    /// Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or
    /// custom-columns=NAME:.metadata.name,IS:.own.verdict with the fields of a node in -o json
    #[arg(long, short, value_name = "FORMAT", value_parser = output::tree, help_heading = "Show")]
    pub(super) output: Option<Output>,
    /// Show equal siblings one by one
    #[arg(long, help_heading = "Show")]
    all: bool,
    /// Show times instead of ages
    #[arg(long, help_heading = "Show")]
    absolute_time: bool,
    /// Keep watching: on a terminal the tree is drawn anew, in a pipe every change is a line
    #[arg(long, short = 'w', conflicts_with_all = ["fail", "strict"], help_heading = "Show")]
    watch: bool,
    /// Exit with 1 when anything in the tree is not fine
    #[arg(long, help_heading = "Judge")]
    fail: bool,
    /// Exit with 3 when not everything could be read
    #[arg(long, help_heading = "Judge")]
    strict: bool,
}

/// The formats that make sense as a stream.
const STREAMED: [&str; 3] = ["json", "wide", "yaml"];

/// Reads, inspects, prints.
pub fn run(args: &TreeArgs, spec: &SourceSpec, rulebook: &Rulebook, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named = args.object.named(&spec.target.program, PAGE.name)?;
    let check = |named: &Named| {
        let named = std::slice::from_ref(named);
        live::check("-w", PAGE.name, spec, named, args.output.as_ref(), &STREAMED)
    };
    if args.watch && (named.name.is_some() || !ui.can_ask()) {
        check(&named)?;
    }
    let call = Call::new(spec, PAGE.name)?;
    let session = call.open(ui)?;
    let options = args.options(&session, named.name.is_some())?;
    let named = if args.all_namespaces || args.selector.is_some() {
        named
    } else {
        pick(named, &call, &session, ui)?
    };
    if args.watch {
        check(&named)?;
    }
    let candidates = |roots: &[_], kinds: &[_]| {
        let mut filter = match options.relations {
            Relations::Owned => related::no_candidates(roots, kinds),
            Relations::Related | Relations::Deep => related::candidates(roots, kinds),
        };
        if !options.filter.labels.is_empty() {
            filter.keep_labels = KeepLabels::All;
        }
        filter
    };
    let is_wide = matches!(args.output, Some(Output::Wide));
    let request = Request {
        named: std::slice::from_ref(&named),
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: Extent::Trees,
        selector: args.selector.clone().unwrap_or_default(),
        candidates: &candidates,
        columns: if is_wide { Columns::Wanted } else { Columns::NotWanted },
    };
    let prepared = Prepared::new(&call, &session, &request, ui)?;
    if args.watch {
        return tree_watch::watch(args, &options, &prepared, rulebook, ui);
    }
    let mut report =
        gather(&prepared, ui, |snapshot, attempts| tree::inspect(snapshot, attempts, &options, rulebook))?;
    report.of_one = named.name.is_some();
    if report.trees.is_empty() && report.of_one {
        return Err(deleted_meanwhile().into());
    }
    ui.print(&text(args, &report, spec, ui)?)?;
    if report.trees.is_empty() {
        prepared.note_nothing_found(ui);
    }
    Ok(outcome(args, &report, call.is_interrupted()))
}

impl TreeArgs {
    /// What to show. Types that are not served are refused before anything is listed.
    fn options(&self, session: &Session, of_one: bool) -> Result<TreeOptions, Failure> {
        let direction = match (self.up, self.around) {
            (true, _) => Direction::Up,
            (_, true) => Direction::Around,
            _ => Direction::Down,
        };
        let relations = match (self.owned_only, self.deep) {
            (true, _) => Relations::Owned,
            (_, true) => Relations::Deep,
            _ => Relations::Related,
        };
        let kinds = |flag: &str, words: &[String]| -> Result<Vec<GroupKind>, Failure> {
            words.iter().map(|word| kind_of(flag, word, session)).collect()
        };
        let filter = Filter {
            kinds: kinds("--kind", &self.kind)?,
            except: kinds("--exclude-kind", &self.exclude_kind)?,
            health: if self.only.is_some() { HealthFilter::Unhealthy } else { HealthFilter::All },
            // Without a name the selector selects the roots.
            labels: self.selector.clone().filter(|_| of_one).unwrap_or_default(),
        };
        let folds = if self.all { Folds::Open } else { Folds::Folded };
        Ok(TreeOptions { depth: self.depth, direction, relations, filter, folds })
    }
}

fn kind_of(flag: &str, word: &str, session: &Session) -> Result<GroupKind, Failure> {
    resolve(session.kinds(), word).map(|found| found.kind.group_kind()).map_err(|unknown| {
        let message = format!("{flag}: the server doesn't have a resource type \"{word}\"");
        let failure = Failure::new(Kind::Usage, message);
        match unknown.near.first() {
            Some(near) => failure.hint(format!("did you mean {near}?")),
            None => failure.hint("kubectl api-resources lists what it has"),
        }
    })
}

pub(super) fn text(
    args: &TreeArgs,
    report: &TreeReport,
    spec: &SourceSpec,
    ui: &Ui,
) -> anyhow::Result<String> {
    let styles = ui.styles();
    Ok(match &args.output {
        Some(Output::Data(format)) => format.write(report, styles)?,
        Some(Output::Name) => report.trees.iter().map(|tree| render::names(tree, styles)).collect(),
        Some(Output::Columns(columns)) => {
            let filled = columns.write(report.trees.iter().flat_map(|tree| &tree.nodes), styles);
            filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?
        }
        Some(Output::Dot) => graphviz::write(&Drawing::of(report)),
        Some(Output::Mermaid) => mermaid::write(&Drawing::of(report)),
        Some(Output::Wide) | None => {
            let Some(worst) = report.worst() else { return Ok(String::new()) };
            let page = args.page(report, ui);
            let trees: Vec<String> = report.trees.iter().map(|tree| render::write(tree, page)).collect();
            let footer = render::footer(worst, &report.coverage, styles);
            format!("{}\n{footer}\nnext: {}\n", trees.join("\n"), styles.plain(&next(worst, spec)))
        }
    })
}

impl TreeArgs {
    /// How the tree is written for the eye.
    pub(super) fn page<'a>(&self, report: &'a TreeReport, ui: &'a Ui) -> TreePage<'a> {
        let view = if matches!(self.output, Some(Output::Wide)) { View::Wide } else { View::Usual };
        let times = if self.absolute_time { Times::Absolute } else { Times::Ages };
        TreePage { view, times, coverage: &report.coverage, styles: ui.styles(), width: ui.width() }
    }
}

/// The command that says more: why a container crashed, else how the object is and why.
pub(super) fn next(tree: &Tree, spec: &SourceSpec) -> String {
    let root = tree.all.first().map(|root| &root.name);
    match (&tree.cause, root) {
        (Some(cause), _) if cause.is_crash() && spec.from.is_none() => {
            next::call(&cause.object, Way::PreviousLogs, spec)
        }
        (_, Some(root)) => next::call(root, Way::Status, spec),
        (_, None) => String::new(),
    }
}

fn outcome(args: &TreeArgs, report: &TreeReport, interrupted: bool) -> Outcome {
    if interrupted {
        return Outcome::Interrupted;
    }
    let is_troubled = report.trees.iter().any(|tree| is_trouble(tree.verdict));
    match (args.fail && is_troubled, args.strict && !report.coverage.is_complete()) {
        (true, _) => Outcome::NotFine,
        (_, true) => Outcome::CannotJudge,
        _ => Outcome::Fine,
    }
}

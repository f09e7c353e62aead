//! `tree`: the objects that belong to an object, with their health, and what could not be read.

use super::context::CommandContext;
use super::gather::{Extent, Namespaces, Prepared, PrinterColumns, ReadRequest, deleted_meanwhile, gather};
use super::live;
use super::next::{self, ReportSummary};
use super::object::{ObjectArgs, source_name, types_hint};
use super::output::{self, Output, times};
use super::pick::pick;
use super::tree_watch;
use super::{Example, Page};
use crate::error::{Failure, FailureKind, Outcome};
use crate::inspect::evaluation::is_unhealthy;
use crate::inspect::related::{self, Relations};
use crate::inspect::tree::{self, Direction, Filter, Folds, HealthFilter, Tree, TreeOptions, TreeReport};
use crate::model::candidate::KeepLabels;
use crate::model::ident::GroupKind;
use crate::model::rulebook::Rulebook;
use crate::model::selector::Selector;
use crate::render::drawing::Drawing;
use crate::render::tree::{ColumnSet, WriteOptions};
use crate::render::{graphviz, mermaid, tree as render};
use crate::source::SourceSpec;
use crate::source::resolve::resolve;
use crate::source::session::Session;
use crate::ui::Ui;

pub(super) const PAGE: Page = Page {
    name: "tree",
    usage: "tree TYPE[/NAME] [flags]",
    examples: &[
        Example { command: "tree website/shop", description: "a resource and everything below it" },
        Example {
            command: "tree deployment shop -n shop -o wide",
            description: "with namespaces, uids, rules and messages",
        },
        Example {
            command: "tree website/shop --fail --strict",
            description: "exit with 1 if not healthy, 3 if incomplete",
        },
        Example { command: "tree website/shop -n shop --demo", description: "in the built-in demo cluster" },
        Example {
            command: "tree -f site.yaml -o json",
            description: "the tree of the object in a manifest, as JSON",
        },
    ],
    requirements: "Read-only. Needs get on the object and list on the kinds below it; reports what it could not read.",
};

/// Show a resource, its objects and their health
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Debug)]
pub struct TreeArgs {
    #[command(flatten)]
    object: ObjectArgs,
    /// All namespaces: of the roots or, with a NAME, of the objects below it
    #[arg(long, short = 'A', help_heading = "Selection")]
    all_namespaces: bool,
    /// Selector (label query) to filter the resources or, with a NAME, the objects below it
    #[arg(long, short = 'l', value_name = "SELECTOR", value_parser = Selector::parse, help_heading = "Selection")]
    selector: Option<Selector>,
    /// Show the chain of owners instead of the objects below
    #[arg(long, conflicts_with_all = ["around", "depth"], help_heading = "Selection")]
    up: bool,
    /// Show both the owners and the objects below
    #[arg(long, help_heading = "Selection")]
    around: bool,
    /// Maximum number of levels to show
    #[arg(long, value_name = "LEVELS", help_heading = "Selection")]
    depth: Option<usize>,
    /// Show only objects that are connected by owner references
    #[arg(long, conflicts_with = "deep", help_heading = "Selection")]
    owned_only: bool,
    /// Also show what Pods refer to: ConfigMaps, Secrets, volume claims, service accounts
    #[arg(long, help_heading = "Selection")]
    deep: bool,
    /// Show only these types (comma-separated)
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Selection")]
    kind: Vec<String>,
    /// Hide these types (comma-separated), but not the objects below them
    #[arg(long, value_name = "TYPE", value_delimiter = ',', help_heading = "Selection")]
    exclude_kind: Vec<String>,
    /// Show only unhealthy objects and the path to them
    #[arg(long, value_name = "WHAT", value_parser = ["unhealthy"], help_heading = "Selection")]
    only: Option<String>,
    /// Output format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE or
    /// custom-columns=NAME:.metadata.name,VERDICT:.own.verdict, where the paths are fields of a node in -o json
    #[arg(long, short, value_name = "FORMAT", value_parser = output::tree(), hide_possible_values = true, help_heading = "Output")]
    pub(super) output: Option<Output>,
    /// Show all objects, without folding equal siblings
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Show timestamps instead of ages
    #[arg(long, help_heading = "Output")]
    pub(super) absolute_time: bool,
    /// Watch for changes: redraw on a terminal, print a line per change in a pipe
    #[arg(long, short = 'w', conflicts_with_all = ["fail", "strict"], help_heading = "Output")]
    watch: bool,
    /// Exit with 1 if anything in the tree is not healthy
    #[arg(long, help_heading = "Exit code")]
    fail: bool,
    /// Exit with 3 if not everything could be read
    #[arg(long, help_heading = "Exit code")]
    strict: bool,
}

/// The formats that are supported with `-w`.
const STREAMED: [&str; 3] = ["json", "wide", "yaml"];

/// Reads and evaluates the tree, and prints it.
pub fn run(args: &TreeArgs, spec: &SourceSpec, rulebook: &Rulebook, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let named = args.object.one(&spec.target.program, PAGE.name)?;
    let check = |named: &_| live::validate_watch(PAGE.name, spec, named, args.output.as_ref(), &STREAMED);
    if args.watch && (named.name.is_some() || !ui.is_interactive()) {
        check(&named)?;
    }
    let context = CommandContext::new(spec, PAGE.name)?;
    let session = context.open(ui)?;
    let options = args.options(spec, &session, named.name.is_some())?;
    let named = if args.all_namespaces || args.selector.is_some() {
        named
    } else {
        pick(named, &context, &session, rulebook, ui)?
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
    let request = ReadRequest {
        named: std::slice::from_ref(&named),
        namespaces: Namespaces::of_flag(args.all_namespaces),
        extent: Extent::Trees,
        selector: args.selector.clone().unwrap_or_default(),
        candidates: &candidates,
        columns: if is_wide { PrinterColumns::Read } else { PrinterColumns::Skipped },
    };
    let prepared = Prepared::new(&context, &session, &request, ui)?;
    if args.watch {
        let outcome = tree_watch::watch(args, &options, &prepared, rulebook, ui)?;
        return context.finish(outcome);
    }
    let mut report =
        gather(&prepared, ui, |snapshot, attempts| tree::inspect(snapshot, attempts, &options, rulebook))?;
    report.of_one = named.name.is_some();
    if report.trees.is_empty() && report.of_one {
        return Err(deleted_meanwhile().into());
    }
    ui.print(&text(args, &report, spec, ui)?)?;
    if report.trees.is_empty() {
        prepared.report_nothing_found(ui)?;
    }
    context.finish(outcome(args, &report, context.is_interrupted()))
}

impl TreeArgs {
    /// The options of the report. Types that are not served are rejected before anything is listed.
    fn options(&self, spec: &SourceSpec, session: &Session, of_one: bool) -> Result<TreeOptions, Failure> {
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
            words.iter().map(|word| kind_of(flag, word, spec, session)).collect()
        };
        let filter = Filter {
            kinds: kinds("--kind", &self.kind)?,
            except: kinds("--exclude-kind", &self.exclude_kind)?,
            health: if self.only.is_some() { HealthFilter::Unhealthy } else { HealthFilter::All },
            // Without a name the selector selects the roots.
            labels: self.selector.clone().filter(|_| of_one).unwrap_or_default(),
        };
        let folds = if self.all { Folds::Open } else { Folds::Folded };
        Ok(TreeOptions {
            depth: self.depth,
            direction,
            relations,
            filter,
            folds,
            times: times(self.absolute_time),
        })
    }
}

fn kind_of(flag: &str, word: &str, spec: &SourceSpec, session: &Session) -> Result<GroupKind, Failure> {
    resolve(session.kinds(), word).map(|found| found.kind.group_kind()).map_err(|unknown| {
        let message = format!("{flag}: {} doesn't have a resource type \"{word}\"", source_name(spec));
        let failure = Failure::new(FailureKind::Usage, message);
        match unknown.near.first() {
            Some(near) => failure.hint(format!("did you mean {near}?")),
            None => failure.hint(types_hint(spec)),
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
            filled.map_err(|problem| Failure::new(FailureKind::Usage, problem.to_string()))?
        }
        Some(Output::Dot) => graphviz::write(&Drawing::of(report)),
        Some(Output::Mermaid) => mermaid::write(&Drawing::of(report)),
        Some(Output::Wide) | None => {
            let Some(worst) = report.worst() else { return Ok(String::new()) };
            let page = args.write_options(report, ui);
            let trees: Vec<String> = report.trees.iter().map(|tree| render::write(tree, page)).collect();
            let footer = render::footer(worst, &report.coverage, styles);
            let next = next::line(summary(worst, report.of_one), spec, styles);
            format!("{}\n{footer}\n{next}", trees.join("\n"))
        }
    })
}

impl TreeArgs {
    /// How the tree is written as text.
    pub(super) fn write_options<'a>(&self, report: &'a TreeReport, ui: &'a Ui) -> WriteOptions<'a> {
        let column_set =
            if matches!(self.output, Some(Output::Wide)) { ColumnSet::Wide } else { ColumnSet::Default };
        let times = times(self.absolute_time);
        WriteOptions { column_set, times, coverage: &report.coverage, styles: ui.styles(), width: ui.width() }
    }
}

/// What the next command depends on.
pub(super) fn summary(worst: &Tree, of_one: bool) -> Option<ReportSummary<'_>> {
    let (root, verdict) = (&worst.all.first()?.name, worst.verdict);
    Some(if of_one {
        ReportSummary::Tree { root, verdict }
    } else {
        ReportSummary::List { worst: root, verdict }
    })
}

fn outcome(args: &TreeArgs, report: &TreeReport, interrupted: bool) -> Outcome {
    if interrupted {
        return Outcome::Interrupted;
    }
    let any_unhealthy = report.trees.iter().any(|tree| is_unhealthy(tree.verdict));
    match (args.fail && any_unhealthy, args.strict && !report.coverage.is_complete()) {
        (true, _) => Outcome::Unhealthy,
        (_, true) => Outcome::Unknown,
        _ => Outcome::Success,
    }
}

//! kubectl-op, a kubectl plugin that inspects the custom resources of operators.
//!
//! # Modules
//!
//! One command line passes through the modules in this order: `cli` parses it, a command has a `source` read a snapshot,
//! `inspect` evaluates the snapshot, `render` writes the report. Dependencies point one way only; `tests/house.rs`
//! checks them.
//!
//! | module       | what is in it                                                                          |
//! |--------------|----------------------------------------------------------------------------------------|
//! | `main`       | parse, run, print the error, exit code; the only module that reads the environment     |
//! | `cli`        | the command line, help, usage errors, default flags                                    |
//! | `commands`   | one file per command: arguments, help, `run`; what commands share, such as the watch   |
//! |              | loop                                                                                   |
//! | `connection` | from flags and kubeconfig to a client: credentials, TLS, proxies, retries; knows no    |
//! |              | objects                                                                                |
//! | `settings`   | the user's settings file                                                               |
//! | `source`     | where objects come from: `session.rs` opens a cluster, a dump or the demo cluster,     |
//! |              | `query.rs` says what to read                                                           |
//! | `model`      | plain data: kinds, objects, snapshots, coverage, verdicts, codes                       |
//! | `known`      | knowledge about other software: kinds, conditions, phases, references, codes           |
//! | `inspect`    | pure functions over a snapshot: `graph` and `related` build the tree, `health` judges  |
//! |              | one object, `evaluation` the whole; a report for each command                          |
//! | `jsonpath`   | kubectl's `JSONPath`                                                                   |
//! | `render`     | reports as text, drawings, JSON and YAML                                               |
//! | `ui`         | stdout, stderr, width, colour, prompts, escaping                                       |
//! | `interrupt`  | what the first and the second Ctrl-C do                                                |
//! | `error`      | outcomes, exit codes, failures with hints                                              |
//!
//! # Where to add
//!
//! | to add                      | change                                                                  |
//! |-----------------------------|-------------------------------------------------------------------------|
//! | a command                   | `commands/x.rs`, its `PAGE` in `commands::MANUAL`, a variant of         |
//! |                             | `cli::Command`, an arm in [`run`], `tests/cli/x.rs`; regenerate         |
//! |                             | `completions/`                                                          |
//! | a flag of a command         | its `XArgs` in `commands/x.rs`; regenerate `completions/`               |
//! | a time or an age in a text  | the methods of `Now` in `model/now.rs`, so that `--absolute-time` holds |
//! | a global flag               | `commands/args.rs`; if it is about the connection,                      |
//! |                             | `connection/target.rs` and `connection/overrides.rs`                    |
//! | `-w` for a command          | `commands::live::follow`, as in `commands/tree_watch.rs`                |
//! | a health rule               | a line of `KIND_RULES` in `inspect/health/builtin.rs`, its function in  |
//! |                             | the file of its family (`workload.rs`, `storage.rs`, ...), or a rule    |
//! |                             | for custom resources in `inspect/health/custom.rs`; its id in           |
//! |                             | `model/rule.rs`, its description in `inspect/health/rules.rs`; fixtures |
//! |                             | in `tests/fixtures/health`                                              |
//! | the meaning of a condition  | a line in `known/conditions.rs`, or by reason in `known/reasons.rs`,    |
//! |                             | or by the end of its type in `known/suffixes.rs`                        |
//! | the meaning of a phase      | a line in `known/phases.rs`                                             |
//! | where conditions are read   | a line of `PARTS` in `inspect/health/condition.rs`                      |
//! | a finding code              | a variant in `model/code.rs`, its text in `known/codes.rs`              |
//! | a problem with a code       | a variant of `Problem` in `model/health.rs`, set by the health rule;    |
//! |                             | its code in `inspect/evaluation/findings.rs`; if a server reports it    |
//! |                             | only as a message, a line in `known/server_messages.rs`                 |
//! | a rule for the root cause   | `inspect/evaluation/cause.rs`                                           |
//! | a rule over several objects | `inspect/evaluation/cross_object.rs`                                    |
//! | a kind that is never listed | a line of `NEVER_LISTED` in `known/kinds.rs`                            |
//! | a kind of evidence (`~`)    | `inspect/related`, see the table in its `mod.rs`; the list in README.md |
//! | a kind that selects or      | an arm in `inspect/related/selectors.rs`, a line of `LISTED_WHOLE` in   |
//! | targets others by its spec  | `known/kinds.rs`                                                        |
//! | a word for a reference, or  | a line in `known/references.rs`                                         |
//! | for what is above others    |                                                                         |
//! | a kind of children to watch | a line in `known/child_kinds.rs`                                        |
//! | a setting                   | `model/rulebook.rs`, its key in `settings/schema.rs`, its expected      |
//! |                             | value in `settings/error.rs`                                            |
//! | a flag without a default    | a line of `WITHOUT_DEFAULT` in `cli/defaults.rs`                        |
//! | an error message for a      | `connection/failure.rs`                                                 |
//! | failed request              |                                                                         |
//! | an output format            | a variant and its name in `commands/output.rs`; JSON-like formats in    |
//! |                             | `render/json_yaml.rs`, drawings in `render/x.rs` from a `Drawing`       |
//! | a dump format               | its detection in `source/dump/text/sniff.rs`, its reader in `read.rs`;  |
//! |                             | a tool's directory layout in `path_hint.rs`; the list in README.md      |
//! | where a dump has logs       | `LogName::parse` in `source/dump/logs.rs`                               |
//! | a `next:` command           | a variant of `NextCommand` and its table in `commands/next.rs`           |
//! | a built-in kind of a dump   | a line in `known/builtin_kinds.rs`: a dump has no discovery             |
//! | a style                     | `Tone` and `Styles` in `ui/color.rs`                                    |
//! | a new exit code             | `error::Outcome` and the table in README.md                             |
//! | which exit code a command   | `outcome` in `commands/status.rs` and `commands/tree.rs`; `run` in      |
//! | ends with                   | `commands/events.rs`                                                    |
//! | the wording of the first    | `inspect/evaluation/headline.rs`; for several resources                 |
//! | line                        | `render/status.rs`; for events `inspect/events.rs`                      |
//! | which requests are retried  | `connection/retry.rs`                                                   |
//! | a test against a real API   | `tests/live/x.rs`: listed in its `tests()` and in `tests/live/main.rs`  |
//! | server                      |                                                                         |
//! | an example in README.md     | a block that starts with `$ kubectl op ... --demo`, filled in by        |
//! |                             | `tests/cli/readme.rs`                                                   |
//! | to the demo cluster         | `tests/lab/src/demo/scenario.rs`; capture it again as README.md says    |

#![forbid(unsafe_code)]

pub mod cli;
pub mod commands;
pub mod connection;
pub mod error;
pub mod inspect;
pub mod interrupt;
pub mod jsonpath;
pub mod known;
pub mod model;
pub mod render;
pub mod settings;
pub mod source;
pub mod ui;

use std::ffi::OsString;

use crate::cli::{Command, Invocation, Parsed};
use crate::commands::{completion, events, explain, options, status, tree, version};
use crate::error::{Failure, FailureKind, Outcome};
use crate::interrupt::Interrupt;
use crate::settings::Settings;
use crate::ui::Ui;

/// The environment variables, by module.
#[derive(Clone, Debug)]
pub struct Env {
    /// About the terminal.
    pub terminal: ui::Env,
    /// About the cluster.
    pub cluster: connection::Env,
    /// About the settings file.
    pub config: settings::Env,
    /// `KUBECTL_OP_MEMORY`: how much memory a call may use.
    pub memory: Option<OsString>,
}

impl Env {
    /// Reads the variables; `variable` is the environment of the process or of a test.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        Self {
            terminal: ui::Env::read(&variable),
            cluster: connection::Env::read(&variable),
            config: settings::Env::read(&variable),
            memory: variable("KUBECTL_OP_MEMORY"),
        }
    }
}

/// Runs a command line.
pub fn run(parsed: Parsed, env: &Env, interrupt: &Interrupt, ui: &mut Ui) -> anyhow::Result<Outcome> {
    // Errors in the settings file are printed with the colour of the command line, too.
    ui.set_color(parsed.common.color());
    let memory =
        parsed.reads_settings().then(|| source::memory::budget(env.memory.as_deref())).transpose()?;
    let settings = if parsed.reads_settings() {
        settings::load(&env.config, &cli::default_flags())?
    } else {
        Settings::default()
    };
    let parsed = cli::with_defaults(parsed, &settings.defaults)?;
    ui.set_color(parsed.common.color());
    ui.set_hyperlinks(parsed.common.hyperlinks());
    let mut spec = parsed.common.source_spec(&env.cluster, &parsed.program, interrupt);
    spec.memory = memory.unwrap_or_default();
    let rulebook = &settings.rulebook;
    match parsed.invocation {
        Invocation::Help(text) => ui.print(&text).map(|()| Outcome::Success).map_err(Into::into),
        Invocation::UsageError { message, hint } => {
            Err(Failure::new(FailureKind::Usage, message).hint(hint).into())
        }
        Invocation::Run(Command::Completion(args)) => completion::run(&args, cli::definition(), ui),
        Invocation::Run(Command::Events(args)) => events::run(&args, &spec, rulebook, ui),
        Invocation::Run(Command::Explain(args)) => explain::run(&args, &parsed.program, ui),
        Invocation::Run(Command::Options(args)) => options::run(&args, ui),
        Invocation::Run(Command::Status(args)) => status::run(&args, &spec, rulebook, ui),
        Invocation::Run(Command::Tree(args)) => tree::run(&args, &spec, rulebook, ui),
        Invocation::Run(Command::Version(args)) => version::run(&args, &spec, ui),
    }
}

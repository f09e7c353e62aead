//! kubectl-op, a kubectl plugin that inspects the custom resources of operators.
//!
//! # The house
//!
//! A call goes through it in one line: what was typed becomes a command's arguments, the command has a source
//! gather a snapshot, inspects it, and renders the report. Arrows point one way only; `tests/house.rs` holds
//! them up.
//!
//! | room       | what lives there                                                               |
//! |------------|--------------------------------------------------------------------------------|
//! | `main`     | parse, run, report the error once, exit code; the only reader of environment   |
//! | `cli`      | what was typed, help, and what a wrong word may have meant                     |
//! | `commands` | a file per command: its arguments, its page of the manual, `run`; `x_watch.rs` |
//! |            | is its `-w`; `gather.rs` is the way of all of them to a snapshot               |
//! | `connection` | flags, kubeconfig, credentials, TLS, proxies, retries: from there to a client; |
//! |            | knows nothing of objects                                                       |
//! | `settings` | the person's settings file                                                     |
//! | `source`   | where facts come from: a cluster, a dump, the demo world                       |
//! | `jsonpath` | kubectl's `JSONPath`                                                           |
//! | `model`    | plain data: kinds, objects, snapshots, gaps, verdicts                          |
//! | `known`    | what is known of conditions, phases, references and our own codes: sorted      |
//! |            | tables                                                                         |
//! | `inspect`  | pure answers about a snapshot: graph, related objects, health, the tree, the   |
//! |            | status and its cause, events, changes                                          |
//! | `render`   | reports as tables, drawings, JSON and YAML                                     |
//! | `ui`       | stdout, stderr, width, colour, prompts; makes foreign text harmless            |
//! | `error`    | how a call can end: outcomes, exit codes, failures with hints                  |
//!
//! # Where to go
//!
//! | to add                     | touch                                                                          |
//! |----------------------------|--------------------------------------------------------------------------------|
//! | a command                  | `commands/x.rs`, its page in `commands::MANUAL`, a variant in `cli`,           |
//! |                            | an arm in [`run`], `tests/cli/x.rs`; refresh `completions/` as its test says   |
//! | a health rule, built-in    | one fn and one line of `KIND_RULES` in `inspect/health/builtin.rs`, its id in  |
//! |                            | `model/rule.rs`, its description in `inspect/health/rules.rs`, a fixture per   |
//! |                            | state in `tests/fixtures/health`; `tests/health.rs` names a rule without one   |
//! | a condition type           | one line in `known/conditions.rs`, by reason in `known/reasons.rs`; a phase    |
//! |                            | word: one in `known/phases.rs`; a fixture when it changes a verdict            |
//! | a part with conditions     | one line of `PARTS` in `inspect/health/condition.rs`                           |
//! | a problem with a code      | a variant of `Problem` in `model/health.rs`, set by the rule that finds it;    |
//! |                            | its code in `inspect/status/trouble.rs`; if a server reports it only as a      |
//! |                            | sentence, a line in `known/server_messages.rs`. Which cause comes first is     |
//! |                            | `inspect/status/cause.rs`                                                      |
//! | a code of a finding        | a variant in `model/code.rs`, its text in `known/codes.rs`                     |
//! | a kind of evidence (`~`)   | `inspect/related`, whose table says which file; a word for a reference:        |
//! |                            | `known/references.rs`; the list in README.md                                   |
//! | a kind that points at      | a match arm in `inspect/related/plumbing.rs`, and a line in                    |
//! | others by its spec         | `source/pointing.rs`, so that it is listed whole                               |
//! | a setting of a person      | `model/rulebook.rs`, its key in `settings/schema.rs`, what it may hold in      |
//! |                            | `settings/error.rs`; which flags may have a default: `cli/defaults.rs`         |
//! | `-w` to a command          | `commands::live::follow`, as `commands/tree_watch.rs` does                     |
//! | a kind not worth listing   | one line in `source/skip.rs`                                                   |
//! | a format of a dump         | how it is detected in `source/dump/sniff.rs`, how it is read in `read.rs`;     |
//! |                            | what a tool's folder layout says: `path_hint.rs`; the list in README.md        |
//! | a built-in kind of a dump  | one line in `source/dump/builtin_kinds.rs`: a dump has no discovery data       |
//! | a flag of every command    | `commands/args.rs`; if it is about connecting, also                            |
//! |                            | `connection/target.rs`                                                         |
//! | a way a flag beats a file  | `connection/overrides.rs`                                                      |
//! | words for a failed request | `connection/failure.rs`                                                        |
//! | a format for programs      | a variant of `render::Machine`, an arm in `render/machine.rs`, its word in     |
//! |                            | `commands/output.rs` and `commands/args.rs`                                    |
//! | a language for drawings    | `render/x.rs` that writes a `Drawing`, a variant of                            |
//! |                            | `commands::output::Output`, an arm in `commands/tree.rs`                       |
//! | a colour                   | a style in `ui::Styles`                                                        |
//! | an exit code               | `error::Outcome` and the table in README.md                                    |
//! | an answer in README.md     | a block that starts with `$ kubectl op ... --demo`; `tests/cli/readme.rs`      |
//! |                            | fills it in and proves it fresh                                                |
//! | to the demo world          | `tests/lab/src/demo/stage.rs`; capture it anew as README.md says               |

#![forbid(unsafe_code)]

pub mod cli;
pub mod commands;
pub mod connection;
pub mod error;
pub mod inspect;
pub mod jsonpath;
pub mod known;
pub mod model;
pub mod render;
pub mod settings;
pub mod source;
pub mod ui;

use std::ffi::OsString;

use crate::cli::{Command, Parsed, Wish};
use crate::commands::{completion, events, explain, options, status, tree, version};
use crate::error::{Failure, Kind, Outcome};
use crate::settings::Settings;
use crate::ui::Ui;

/// The environment, picked apart by the rooms that know what their variables mean.
#[derive(Clone, Debug)]
pub struct Env {
    /// What it says about the terminal.
    pub terminal: ui::Env,
    /// What it says about the cluster.
    pub cluster: connection::Env,
    /// Where it says the person's settings are.
    pub config: settings::Env,
}

impl Env {
    /// Reads it once; `variable` is the process's environment, or a test's.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        Self {
            terminal: ui::Env::read(&variable),
            cluster: connection::Env::read(&variable),
            config: settings::Env::read(&variable),
        }
    }
}

/// Does what was typed.
pub fn run(call: Parsed, env: &Env, ui: &mut Ui) -> anyhow::Result<Outcome> {
    // Errors in the settings have the colour that was typed, too.
    ui.set_color(call.common.color());
    let settings = if call.reads_settings() {
        settings::load(&env.config, &cli::default_flags())?
    } else {
        Settings::default()
    };
    let call = cli::with_defaults(call, &settings.defaults)?;
    ui.set_color(call.common.color());
    ui.set_hyperlinks(call.common.hyperlinks());
    let spec = call.common.spec(&env.cluster, &call.program);
    let rulebook = &settings.rulebook;
    match call.wish {
        Wish::Help(text) => ui.print(&text).map(|()| Outcome::Fine).map_err(Into::into),
        Wish::Misuse { message, hint } => Err(Failure::new(Kind::Usage, message).hint(hint).into()),
        Wish::Run(Command::Completion(args)) => completion::run(&args, cli::definition(), ui),
        Wish::Run(Command::Events(args)) => events::run(&args, &spec, ui),
        Wish::Run(Command::Explain(args)) => explain::run(&args, &call.program, ui),
        Wish::Run(Command::Options(args)) => options::run(&args, ui),
        Wish::Run(Command::Status(args)) => status::run(&args, &spec, rulebook, ui),
        Wish::Run(Command::Tree(args)) => tree::run(&args, &spec, rulebook, ui),
        Wish::Run(Command::Version(args)) => version::run(&args, &spec, ui),
    }
}

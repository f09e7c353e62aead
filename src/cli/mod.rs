//! The command line: kubectl's global flags and one command. It is parsed here and run elsewhere.
//!
//! | to find                                          | look in          |
//! |--------------------------------------------------|------------------|
//! | default flags from the settings file             | `defaults.rs`    |
//! | help texts                                       | `help.rs`        |
//! | how the user invokes the program (`kubectl op`)  | `program.rs`     |
//! | error messages and hints for the command line    | `usage_error.rs` |

mod defaults;
mod help;
mod program;
mod usage_error;

use std::ffi::OsString;

use clap::{Args as _, CommandFactory as _, FromArgMatches as _};

use self::help::Length;
use crate::commands::args::CommonArgs;
use crate::commands::completion::CompletionArgs;
use crate::commands::events::EventsArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::options::OptionsArgs;
use crate::commands::status::StatusArgs;
use crate::commands::tree::TreeArgs;
use crate::commands::version::VersionArgs;
use crate::error::Failure;
use crate::settings::{Defaults, Flags};

/// The whole command line.
#[derive(clap::Parser)]
#[command(
    name = env!("CARGO_PKG_NAME"),
    about = "Inspect Kubernetes operators and the resources they manage"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: CommonArgs,
}

/// The commands. The description of each in the help is the doc comment on its arguments.
#[derive(clap::Subcommand)]
pub enum Command {
    Completion(CompletionArgs),
    Events(EventsArgs),
    Explain(ExplainArgs),
    Options(OptionsArgs),
    Status(StatusArgs),
    Tree(TreeArgs),
    Version(VersionArgs),
}

/// A parsed command line.
pub struct Parsed {
    /// How the user invokes this program: `kubectl op`.
    pub program: String,
    /// The global flags, as far as they could be parsed.
    pub common: CommonArgs,
    /// What to do.
    pub invocation: Invocation,
    /// The arguments, with the program first.
    args: Vec<OsString>,
}

impl Parsed {
    /// Whether the command uses the settings file. Commands that need no cluster work even if it is not valid.
    pub fn reads_settings(&self) -> bool {
        matches!(self.invocation, Invocation::Run(Command::Events(_) | Command::Status(_) | Command::Tree(_)))
    }
}

/// What a command line asks for.
pub enum Invocation {
    /// Run a command.
    Run(Command),
    /// Print this help.
    Help(String),
    /// The command line is not valid.
    UsageError {
        /// What is wrong, a fragment that fits after `error:`.
        message: String,
        /// A suggestion.
        hint: String,
    },
}

/// Parses the arguments of the process, with the program first.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Parsed {
    let args = command_first(args.into_iter().collect());
    parse_as(defaults::accept_switch_values(definition(), &args), args)
}

/// Parses the same arguments again, with the default flags of the command.
pub fn with_defaults(parsed: Parsed, defaults: &Defaults) -> Result<Parsed, Failure> {
    if defaults.flags().is_empty() {
        return Ok(parsed);
    }
    defaults::check(definition(), &parsed.program, defaults)?;
    let definition = defaults::accept_switch_values(definition(), &parsed.args);
    let definition = defaults::apply(definition, &parsed.args, defaults);
    Ok(parse_as(definition, parsed.args))
}

fn parse_as(definition: clap::Command, args: Vec<OsString>) -> Parsed {
    let program = program::name(args.first().map(OsString::as_os_str));
    let long = args.iter().any(|arg| arg == "--help" || arg == "help");
    let root = help::add(definition, &program, if long { Length::Long } else { Length::Short });
    let (common, invocation) =
        match root.clone().try_get_matches_from(&args).and_then(|found| Cli::from_arg_matches(&found)) {
            Ok(Cli { command: Some(command), common }) => (common, Invocation::Run(command)),
            Ok(Cli { command: None, common }) => {
                (common, Invocation::Help(help::root(&Cli::command(), &program)))
            }
            Err(error) => {
                (common_args_of_invalid(&root, &args), usage_error::explain(&error, &program, &root, &args))
            }
        };
    Parsed { program, common, invocation, args }
}

/// Moves flags that come before the command behind it. If a flag that can be repeated, such as `--from`, is on both
/// sides of the command, clap drops the values before it.
fn command_first(mut args: Vec<OsString>) -> Vec<OsString> {
    let flags = CommonArgs::augment_args(clap::Command::new("flags")).allow_external_subcommands(true);
    let Ok(found) = flags.try_get_matches_from(&args) else { return args };
    let Some((command, rest)) = found.subcommand() else { return args };
    let after = rest.get_many::<OsString>("").map_or(0, Iterator::count);
    let at = args.len().saturating_sub(after + 1);
    if args.get(at).is_some_and(|arg| arg == command)
        && let Some(leading) = args.get_mut(1..=at)
    {
        leading.rotate_right(1);
    }
    args
}

/// The command line as clap knows it, without hidden flags: for completion scripts.
pub fn definition() -> clap::Command {
    Cli::command()
}

/// The commands and flags that can have defaults in the settings file.
pub fn default_flags() -> Flags {
    defaults::flags(&definition())
}

/// The global flags of an invalid command line. Only the colour matters, because the error is printed in it.
fn common_args_of_invalid(root: &clap::Command, args: &[OsString]) -> CommonArgs {
    let is_color = |arg: &OsString| arg.to_str().is_some_and(|arg| arg.starts_with("--color"));
    let mut color: Vec<_> = args.iter().skip_while(|arg| !is_color(arg)).take(2).collect();
    // `--color=never` is one argument, `--color never` is two.
    let is_one = color.first().is_some_and(|arg| arg.to_string_lossy().contains('='));
    color.truncate(if is_one { 1 } else { 2 });
    let read = |args: &[&OsString]| {
        let line = args.iter().copied().cloned();
        let found = root.clone().no_binary_name(true).try_get_matches_from(line).ok()?;
        CommonArgs::from_arg_matches(&found).ok()
    };
    read(&color).or_else(|| read(&[])).expect("every common flag is optional or has a default")
}

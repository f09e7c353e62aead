//! What was typed: kubectl's common flags and one command. Nothing is done here.

mod defaults;
mod help;
mod misuse;
mod program;

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

/// A call that makes sense.
#[derive(clap::Parser)]
#[command(
    name = env!("CARGO_PKG_NAME"),
    about = "Inspect Kubernetes operators and the resources they look after"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: CommonArgs,
}

/// The commands. What help says about each is the doc comment on its arguments.
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

/// What the words typed come to.
pub struct Parsed {
    /// How the person calls this program: `kubectl op`.
    pub program: String,
    /// The common flags, as far as they could be read.
    pub common: CommonArgs,
    /// What to do about them.
    pub wish: Wish,
    /// What was typed, the program's own name first.
    words: Vec<OsString>,
}

impl Parsed {
    /// Whether the settings file matters to this call: what needs no cluster works whatever is in it.
    pub fn reads_settings(&self) -> bool {
        matches!(self.wish, Wish::Run(Command::Events(_) | Command::Status(_) | Command::Tree(_)))
    }
}

/// What a person wants.
pub enum Wish {
    /// To run a command.
    Run(Command),
    /// To read this.
    Help(String),
    /// Something that cannot be understood.
    Misuse {
        /// What is wrong, a fragment that fits after `error:`.
        message: String,
        /// What may have been meant.
        hint: String,
    },
}

/// Reads the words typed, the program's own name first.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Parsed {
    let words = command_first(words.into_iter().collect());
    parse_as(defaults::accept_switch_values(definition(), &words), words)
}

/// Reads the words of `call` again, with the default flags of its command.
pub fn with_defaults(call: Parsed, defaults: &Defaults) -> Result<Parsed, Failure> {
    if defaults.flags().is_empty() {
        return Ok(call);
    }
    defaults::check(definition(), &call.program, defaults)?;
    let definition = defaults::accept_switch_values(definition(), &call.words);
    let definition = defaults::apply(definition, &call.words, defaults);
    Ok(parse_as(definition, call.words))
}

fn parse_as(definition: clap::Command, words: Vec<OsString>) -> Parsed {
    let program = program::name(words.first().map(OsString::as_os_str));
    let long = words.iter().any(|word| word == "--help" || word == "help");
    let root = help::add(definition, &program, if long { Length::Long } else { Length::Short });
    let (common, wish) =
        match root.clone().try_get_matches_from(&words).and_then(|found| Cli::from_arg_matches(&found)) {
            Ok(Cli { command: Some(command), common }) => (common, Wish::Run(command)),
            Ok(Cli { command: None, common }) => (common, Wish::Help(help::root(&Cli::command(), &program))),
            Err(error) => (lenient(&root, &words), misuse::explain(&error, &program, &root, &words)),
        };
    Parsed { program, common, wish, words }
}

/// Moves the flags in front of the command behind it. When a flag that may be repeated, such as `--from`, is on both
/// sides of the command, clap drops the values in front.
fn command_first(mut words: Vec<OsString>) -> Vec<OsString> {
    let flags = CommonArgs::augment_args(clap::Command::new("flags")).allow_external_subcommands(true);
    let Ok(found) = flags.try_get_matches_from(&words) else { return words };
    let Some((command, rest)) = found.subcommand() else { return words };
    let after = rest.get_many::<OsString>("").map_or(0, Iterator::count);
    let at = words.len().saturating_sub(after + 1);
    if words.get(at).is_some_and(|word| word == command)
        && let Some(leading) = words.get_mut(1..=at)
    {
        leading.rotate_right(1);
    }
    words
}

/// The whole command line as clap knows it, with no flag hidden: for completion scripts.
pub fn definition() -> clap::Command {
    Cli::command()
}

/// The commands and flags that a settings file may give defaults for.
pub fn default_flags() -> Flags {
    defaults::flags(&definition())
}

/// The common flags of a line that is wrong: only the colour matters, which its error has, too.
fn lenient(root: &clap::Command, words: &[OsString]) -> CommonArgs {
    let is_color = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("--color"));
    let mut color: Vec<_> = words.iter().skip_while(|word| !is_color(word)).take(2).collect();
    // `--color=never` is one word, `--color never` is two.
    let is_one = color.first().is_some_and(|word| word.to_string_lossy().contains('='));
    color.truncate(if is_one { 1 } else { 2 });
    let read = |words: &[&OsString]| {
        let line = words.iter().copied().cloned();
        let found = root.clone().no_binary_name(true).try_get_matches_from(line).ok()?;
        CommonArgs::from_arg_matches(&found).ok()
    };
    read(&color).or_else(|| read(&[])).expect("every common flag is optional or has a default")
}

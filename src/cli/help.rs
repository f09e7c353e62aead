//! The help texts. All commands have the same layout: description, usage, examples, flags.

use clap::Command;

use crate::commands::{Example, MANUAL, Page, page};

/// A command that works without a cluster.
const DEMO: &str = "tree website/shop -n shop --demo";

/// How much help to print for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// `-h`: usage and flags.
    Short,
    /// `--help`: examples and requirements, too.
    Long,
}

/// The root help. Short, because it is printed when no command is given.
pub(super) fn root(definition: &Command, program: &str) -> String {
    let about = |name| definition.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
    let about = |page: &Page| about(page.name).unwrap_or_default();
    let pages = || MANUAL.iter().flat_map(|group| group.pages);
    let name_width = pages().map(|page| page.name.len()).max().unwrap_or(0);
    let about_width = pages().map(|page| about(page).len()).max().unwrap_or(0);

    let mut lines = vec![
        definition.get_about().map(ToString::to_string).unwrap_or_default(),
        String::new(),
        format!("Usage: {program} COMMAND [flags]    (flags go after \"{}\")", last_word(program)),
        String::new(),
    ];
    for group in MANUAL {
        lines.push(group.title.to_owned());
        lines.extend(group.pages.iter().map(|page| {
            let call = page.examples.first().map_or(page.name, |example| example.command);
            let (name, about) = (page.name, about(page));
            format!("  {name:name_width$}  {about:about_width$}  {program} {call}")
        }));
    }
    lines.extend([
        String::new(),
        format!("Try it without a cluster: {program} {DEMO}"),
        format!("Help for a command: {program} COMMAND --help"),
        format!("Global flags: {program} options\n"),
    ]);
    lines.join("\n")
}

/// Adds the help of every command, and hides the global flags there.
pub(super) fn add(definition: Command, program: &str, length: Length) -> Command {
    let root_help = root(&definition, program);
    definition
        .bin_name(program)
        .override_help(root_help)
        .styles(clap::builder::Styles::plain())
        // If a flag is repeated, the last one wins, as with kubectl.
        .args_override_self(true)
        .mut_args(|flag| if flag.is_global_set() { flag.hide(true) } else { flag })
        .mut_subcommands(|command| match page(command.get_name()) {
            Some(page) => describe(command, page, program, length),
            None => command,
        })
}

/// clap's long help uses three lines per flag, so its short help is used, with the examples before it.
fn describe(command: Command, page: &Page, program: &str, length: Length) -> Command {
    let flags = format!("Global flags: {program} options\n");
    let command = command.override_usage(format!("{program} {}", page.usage)).help_template(
        "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}",
    );
    match length {
        Length::Short => command.after_help(format!("Examples: {program} {} --help\n{flags}", page.name)),
        Length::Long => command
            .before_help(format!("Examples:\n{}\n\n{}", examples(page.examples, program), page.requirements))
            .after_help(flags),
    }
}

fn examples(examples: &[Example], program: &str) -> String {
    let width = examples.iter().map(|example| example.command.len()).max().unwrap_or(0);
    let line =
        |Example { command, description }: &Example| format!("  {program} {command:width$}    {description}");
    examples.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The word that flags go after: `op` in `kubectl op`.
fn last_word(program: &str) -> &str {
    program.rsplit(' ').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    use super::super::definition;
    use super::*;

    #[test]
    fn every_visible_command_stands_in_exactly_one_group() {
        let definition = definition();
        let mut visible: Vec<_> = definition
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut listed: Vec<_> = MANUAL.iter().flat_map(|group| group.pages).map(|page| page.name).collect();
        visible.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, visible);
    }

    #[test]
    fn every_command_has_a_sentence_and_calls_of_its_own() {
        for page in MANUAL.iter().flat_map(|group| group.pages) {
            let definition = definition();
            let about =
                definition.find_subcommand(page.name).and_then(Command::get_about).unwrap().to_string();
            assert!(about.starts_with(char::is_uppercase) && !about.ends_with('.'), "{about}");
            assert!(page.usage.starts_with(page.name));
            assert!(!page.examples.is_empty());
            assert!(page.examples.iter().all(|example| example.command.starts_with(page.name)), "{page:?}");
            let examples = examples(page.examples, "kubectl op");
            assert!(examples.lines().all(|line| line.len() <= 100), "it would wrap:\n{examples}");
        }
    }

    #[test]
    fn clap_finds_no_fault_with_the_definition() {
        for length in [Length::Short, Length::Long] {
            add(definition(), "kubectl op", length).debug_assert();
        }
    }

    #[test]
    fn the_name_follows_the_call() {
        assert!(root(&definition(), "kubectl foo-bar").contains("kubectl foo-bar completion bash"));
        assert!(!root(&definition(), "kubectl foo-bar").contains("kubectl op"));
    }
}

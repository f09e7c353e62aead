//! The commands. Each file has the arguments of a command (`XArgs`), its help (`PAGE`) and `run`.
//!
//! | to find                                              | look in                                       |
//! |------------------------------------------------------|-----------------------------------------------|
//! | a command                                            | `tree.rs`, `status.rs`, `events.rs`,          |
//! |                                                      | `explain.rs`, `version.rs`, `options.rs`,     |
//! |                                                      | `completion.rs`                               |
//! | its `-w` or `--wait`                                 | `tree_watch.rs`, `status_watch.rs`,           |
//! |                                                      | `events_watch.rs`                             |
//! | global flags                                         | `args.rs`                                     |
//! | TYPE/NAME and `-f`                                   | `object.rs`                                   |
//! | the prompt for a TYPE without a NAME                 | `pick.rs`                                     |
//! | `-o`                                                 | `output.rs`                                   |
//! | values that completion offers                        | `suggest.rs`                                  |
//! | durations, as in `--timeout 5m`                      | `duration.rs`                                 |
//! | reading objects until a report is complete           | `gather.rs`                                   |
//! | the async runtime, progress and Ctrl-C               | `context.rs`                                  |
//! | the watch loop                                       | `live/`                                       |
//! | the `next:` line                                     | `next.rs`                                     |
//! | the flags that read the same source again            | `source_flags.rs`                             |

pub mod args;
pub mod completion;
mod context;
mod duration;
pub mod events;
mod events_watch;
pub mod explain;
mod gather;
mod live;
mod next;
pub mod object;
pub mod options;
pub mod output;
mod pick;
mod source_flags;
pub mod status;
mod status_watch;
mod suggest;
pub mod tree;
mod tree_watch;
pub mod version;

/// The help of one command, except its flags.
#[derive(Debug)]
pub struct Page {
    /// The name of the command.
    pub name: &'static str,
    /// The words after the program's name.
    pub usage: &'static str,
    /// Examples; the root help shows the first.
    pub examples: &'static [Example],
    /// The permissions that the command needs.
    pub requirements: &'static str,
}

/// A command that can be pasted.
#[derive(Debug)]
pub struct Example {
    /// The words after the program's name.
    pub command: &'static str,
    /// What it does.
    pub description: &'static str,
}

/// Commands that the root help lists together.
#[derive(Debug)]
pub struct CommandGroup {
    /// The heading.
    pub title: &'static str,
    /// The commands, in order.
    pub pages: &'static [Page],
}

/// All commands, each in exactly one group.
pub const MANUAL: &[CommandGroup] = &[
    CommandGroup {
        title: "Inspect commands:",
        pages: &[tree::PAGE, status::PAGE, events::PAGE, explain::PAGE],
    },
    CommandGroup { title: "Other commands:", pages: &[completion::PAGE, options::PAGE, version::PAGE] },
];

/// The help of the command `name`.
pub fn page(name: &str) -> Option<&'static Page> {
    MANUAL.iter().flat_map(|group| group.pages).find(|page| page.name == name)
}

/// `a`, `a or b`, `a, b or c`.
fn join_or(names: &[String]) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        names => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_name_follows_an_or() {
        let join = |names: &[&str]| join_or(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(join(&["a"]), "a");
        assert_eq!(join(&["a", "b"]), "a or b");
        assert_eq!(join(&["a", "b", "c"]), "a, b or c");
    }
}

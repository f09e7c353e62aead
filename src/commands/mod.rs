//! The commands: each file has the words a person types (`XArgs`), its page of the manual and `run`.

pub mod args;
mod call;
pub mod completion;
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
mod shell;
pub mod status;
mod status_watch;
pub mod tree;
mod tree_watch;
pub mod version;

/// What help says about one command beside its flags.
#[derive(Debug)]
pub struct Page {
    /// The command's name.
    pub name: &'static str,
    /// The words after the program's name.
    pub usage: &'static str,
    /// Calls that can be pasted; root help shows the first.
    pub examples: &'static [Example],
    /// What the command needs and what it never does.
    pub needs: &'static str,
}

/// One call that can be pasted.
#[derive(Debug)]
pub struct Example {
    /// The words after the program's name.
    pub call: &'static str,
    /// What it is good for.
    pub says: &'static str,
}

/// Commands that root help shows together.
#[derive(Debug)]
pub struct Group {
    /// The group's heading.
    pub title: &'static str,
    /// Its commands, in order.
    pub pages: &'static [Page],
}

/// The table of contents: every visible command stands in exactly one group.
pub const MANUAL: &[Group] = &[
    Group { title: "Look", pages: &[tree::PAGE, status::PAGE, events::PAGE] },
    Group { title: "Judge", pages: &[explain::PAGE] },
    Group { title: "Keep", pages: &[completion::PAGE, options::PAGE, version::PAGE] },
];

/// The page of the command called `name`.
pub fn page(name: &str) -> Option<&'static Page> {
    MANUAL.iter().flat_map(|group| group.pages).find(|page| page.name == name)
}

//! Reports as text and as data. Verdicts and order come from `inspect`; here only the wording for several resources, and
//! whether healthy rows are listed or counted.
//!
//! | to find                                     | look in                         |
//! |---------------------------------------------|---------------------------------|
//! | the text of a report                        | `tree.rs`, `status.rs`,         |
//! |                                             | `events.rs`, `explain.rs`       |
//! | the line about what could not be read       | `footer.rs`                     |
//! | the changes that `tree -w` reports          | `changes.rs`                    |
//! | JSON and YAML                               | `json_yaml.rs`                  |
//! | `-o custom-columns`                         | `columns.rs`                    |
//! | drawings, and their languages               | `drawing.rs`, `graphviz.rs`,    |
//! |                                             | `mermaid.rs`                    |
//! | tables, and wrapping at words               | `table.rs`, `wrap.rs`           |
//! | reports for the tests of this module        | `sample.rs`                     |

pub mod changes;
pub mod columns;
pub mod drawing;
pub mod events;
pub mod explain;
pub mod footer;
pub mod graphviz;
pub mod json_yaml;
pub mod mermaid;
#[cfg(test)]
mod sample;
pub mod status;
pub mod table;
pub mod tree;
mod wrap;

/// A structured output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonOrYaml {
    /// One JSON document.
    Json,
    /// One YAML document.
    Yaml,
}

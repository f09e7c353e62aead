//! Plain data without I/O, easy to construct in a test.
//!
//! | to find                                   | look in                                  |
//! |-------------------------------------------|------------------------------------------|
//! | names: uid, group and kind, object name   | `ident.rs`                               |
//! | kinds, objects and their metadata         | `kind.rs`, `object.rs`, `meta.rs`        |
//! | what was read, and what could not be read | `snapshot.rs`, `coverage.rs`, `gap.rs`   |
//! | what is to be read next                   | `fetch_plan.rs`                          |
//! | objects that may belong to a root         | `candidate.rs`                           |
//! | events and logs                           | `event.rs`, `log.rs`                     |
//! | verdicts, rules, findings and their codes | `health.rs`, `rule.rs`, `code.rs`        |
//! | the user's own rules                      | `rulebook.rs`                            |
//! | how times are written                     | `now.rs`, `age.rs`                       |
//! | how much memory a call may use            | `memory.rs`                              |
//! | how counts are written                    | `plural.rs`                              |
//! | label selectors, fields of JSON           | `selector.rs`, `json.rs`                 |
//! | what a misspelt word may stand for        | `similar.rs`                             |
//! | enums with a stable string per variant    | `string_enum.rs`                         |

mod string_enum;

pub mod age;
pub mod candidate;
pub mod code;
pub mod coverage;
pub mod event;
pub mod fetch_plan;
pub mod gap;
pub mod health;
pub mod ident;
pub mod json;
pub mod kind;
pub mod log;
pub mod memory;
pub mod meta;
pub mod now;
pub mod object;
pub mod plural;
pub mod rule;
pub mod rulebook;
pub mod selector;
pub mod similar;
pub mod snapshot;

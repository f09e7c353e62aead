//! From bytes to the text of one object after the other, and from its text to a value: detecting, converting, splitting
//! and parsing. Knows nothing of the index, nor of what is in an object.
//!
//! | to find                                          | look in                             |
//! |--------------------------------------------------|-------------------------------------|
//! | how a file format is detected                    | `sniff.rs`                          |
//! | UTF-16 text                                      | `utf16_reader.rs`                   |
//! | how much may be unpacked                         | `limited_reader.rs`                 |
//! | splitting JSON into objects, without building it | `json_scanner.rs`, `json_skipper.rs` |
//! | parsing one object, and its error messages       | `parse.rs`, `large_stack.rs`        |

pub(super) mod json_scanner;
mod json_skipper;
pub(super) mod large_stack;
pub(super) mod limited_reader;
pub(super) mod parse;
pub(super) mod sniff;
pub(super) mod utf16_reader;

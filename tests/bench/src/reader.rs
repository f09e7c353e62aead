//! The bare reader: the bytes of a dump, parsed once into values, with nothing done with them. It is a process of its
//! own, so that its time and memory compare with those of kubectl-op.

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The subcommand that runs this.
pub(crate) const SUBCOMMAND: &str = "bare-reader";

/// Reads a dump and prints how many objects it has. `args`: the file.
#[expect(clippy::print_stdout, reason = "this process has no other way to answer")]
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let file = args.next().with_context(|| format!("{SUBCOMMAND} wants a file"))?;
    let bytes = std::fs::read(&file).with_context(|| format!("failed to read {file}"))?;
    let list: Value = serde_json::from_slice(&bytes).with_context(|| format!("{file} is no JSON"))?;
    println!("{} objects", list["items"].as_array().map_or(0, Vec::len));
    // Freeing the memory piece by piece takes half as long as reading, and the process exits anyway.
    std::mem::forget(list);
    Ok(())
}

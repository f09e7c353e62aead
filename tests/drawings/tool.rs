//! Calling a tool that may not be here.

use std::io::Write as _;
use std::process::{Command, Stdio};

use libtest_mimic::Failed;

/// Why nothing can be said: the tool is not here.
pub(crate) struct Absent(pub(crate) String);

/// Hands `text` to a tool and takes its answer; a tool that refuses the text is a failure with its words.
pub(crate) fn ask(mut command: Command, text: &str) -> Result<Result<String, Absent>, Failed> {
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let tool = command.get_program().display();
            return Ok(Err(Absent(format!("{tool} cannot be run: {error}"))));
        }
    };
    // A tool that gives up early closes its end; its words say why.
    drop(child.stdin.take().map(|mut stdin| stdin.write_all(text.as_bytes())));
    let output = child.wait_with_output()?;
    let words = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(Failed::from(format!("{}: {words}", output.status)));
    }
    Ok(Ok(String::from_utf8(output.stdout)?))
}

//! One run of one program: how long it took, and how much memory it needed at most.
//!
//! The program is run by a process of its own, this binary called again, which ends with it: only then does the
//! kernel's record of ended children (`getrusage`) speak of that one alone. Nothing is polled, so that nothing is
//! missed and no core is taken away. A program's peak is never below that process's own, some 3.5 MB.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The subcommand that runs a program and measures it.
pub(crate) const SUBCOMMAND: &str = "stopwatch";
/// A program that takes longer hangs; the other tools take half a minute in the largest namespace.
const RUN_TIMEOUT: Duration = Duration::from_secs(180);

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    /// All of its environment.
    pub(crate) env: Vec<(&'static str, PathBuf)>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) wall: Duration,
    /// Bytes.
    pub(crate) peak: u64,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
}

impl Run {
    /// What it printed, when its exit code is one that means an answer.
    pub(crate) fn answer(&self, means_answer: impl Fn(Option<i32>) -> bool) -> Result<Vec<u8>> {
        if !means_answer(self.code) {
            let code = self.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
            bail!("{code}: {}", last_words(&self.stderr));
        }
        std::fs::read(&self.stdout).context("its answer is gone")
    }
}

/// What the process in between measured, printed as JSON.
#[derive(Serialize, Deserialize)]
struct RunSample {
    wall: Duration,
    peak: u64,
    code: Option<i32>,
}

/// Runs a program with its output in files below `folder`.
pub(crate) async fn time(invocation: &Invocation, folder: &Path) -> Result<Run> {
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    let mut command = Command::new(std::env::current_exe().context("failed to find this binary")?);
    command.arg(SUBCOMMAND).arg(&stdout).arg(&stderr).arg(&invocation.program).args(&invocation.args);
    command.env_clear().envs(invocation.env.iter().map(|(name, value)| (name, value)));
    // A group of its own: Ctrl-C in the terminal reaches the benchmark only, which then ends the group.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
    let program = invocation.program.display();
    let group = Group(command.spawn().with_context(|| format!("failed to start {program}"))?);
    let output = match timeout(RUN_TIMEOUT, group.output()).await {
        Ok(output) => output?,
        Err(_) => bail!("{program} was ended after {} s", RUN_TIMEOUT.as_secs()),
    };
    let sample: RunSample = serde_json::from_slice(&output)
        .with_context(|| format!("{program} could not be run: {}", last_words(&stderr)))?;
    Ok(Run { wall: sample.wall, peak: sample.peak, code: sample.code, stdout, stderr })
}

/// The process in between. `args`: files for stdout and stderr, the program, its arguments.
#[expect(clippy::print_stdout, reason = "this process has no other way to answer")]
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let (Some(stdout), Some(stderr), Some(program)) = (args.next(), args.next(), args.next()) else {
        bail!("{SUBCOMMAND} wants two files and a program");
    };
    let mut command = std::process::Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(File::create(stdout)?).stderr(File::create(stderr)?);
    let started = Instant::now();
    let status = command.status()?;
    let wall = started.elapsed();
    let kilobytes = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
    let sample = RunSample { wall, peak: u64::try_from(kilobytes)? * 1024, code: status.code() };
    println!("{}", serde_json::to_string(&sample)?);
    Ok(())
}

/// What a program said about its failure, for a message.
pub(crate) fn last_words(stderr: &Path) -> String {
    problem(&String::from_utf8_lossy(&std::fs::read(stderr).unwrap_or_default())).to_owned()
}

/// The line that calls itself an error, else the last one: hints come after, warnings before.
fn problem(stderr: &str) -> &str {
    let mut lines = stderr.lines().filter(|line| !line.trim().is_empty());
    let is_error = |line: &&str| line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("error"));
    lines.clone().find(is_error).or_else(|| lines.next_back()).unwrap_or("it said nothing")
}

/// A process and those that it started; dropping it before it has ended ends them all.
struct Group(Child);

impl Group {
    async fn output(mut self) -> Result<Vec<u8>> {
        use tokio::io::AsyncReadExt as _;
        let mut output = Vec::new();
        if let Some(mut pipe) = self.0.stdout.take() {
            pipe.read_to_end(&mut output).await?;
        }
        self.0.wait().await?;
        Ok(output)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Once waited for, it has no id any more.
        let pid = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // Fails only when everything in the group has ended by itself.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_by_its_error_line() {
        assert_eq!(problem("W1 slow\nerror: no such thing\nhint: look\n"), "error: no such thing");
        assert_eq!(problem("W1 slow\nUnable to connect\n\n"), "Unable to connect");
        assert_eq!(problem("\n"), "it said nothing");
    }
}

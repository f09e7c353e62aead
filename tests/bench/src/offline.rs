//! Trees without a cluster: of a large dump, beside merely reading it, and of the built-in demo cluster.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::comparison::{Comparison, ComparisonRow, MeasuredCommand};
use crate::dump;
use crate::figures::Figures;
use crate::log_progress;
use crate::output_check;
use crate::reader;
use crate::rounds::interleaved;
use crate::stopwatch::{self, Invocation, Run};
use crate::units::{self, float};

/// The demo cluster takes milliseconds.
const DEMO_ROUNDS: usize = 21;

/// Measures a dump of `size` bytes, which is gone afterwards.
pub(crate) async fn dump(op: &Path, size: u64, rounds: usize) -> Result<Comparison> {
    let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a folder")?;
    let file = folder.path().join("dump.json");
    let title = format!("a dump of {}", units::megabytes(float(size)));
    log_progress(&format!("writing {title}"));
    dump::write(&file, size)?;
    log_progress(&format!("measuring {title}"));
    let file = file.display().to_string();
    let bench = std::env::current_exe().context("failed to find this binary")?;
    let rows = measured(&[MeasuredCommand::DumpTree, MeasuredCommand::DumpReader], rounds, async |command| {
        let (program, args) = match command {
            MeasuredCommand::DumpReader => (bench.as_path(), vec![reader::SUBCOMMAND, &file]),
            _ => (op, vec!["tree", dump::ROOT, "--from", &file]),
        };
        let (run, answer) = run(program, &args, folder.path()).await?;
        let problem = dump::problem(&answer).filter(|_| command == MeasuredCommand::DumpTree);
        ensure!(problem.is_none(), "{}", problem.unwrap_or_default());
        Ok((run, output_check::lines(answer.as_bytes())))
    })
    .await;
    Ok(Comparison { title, rows })
}

/// Measures the demo cluster.
pub(crate) async fn demo(op: &Path) -> Result<Comparison> {
    let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a folder")?;
    let rows = measured(&[MeasuredCommand::DemoTree], DEMO_ROUNDS, async |_| {
        let (run, answer) = run(op, &["tree", "voteconfig/demo", "--demo"], folder.path()).await?;
        ensure!(answer.contains("VoteConfig/demo"), "its answer lacks VoteConfig/demo");
        Ok((run, output_check::lines(answer.as_bytes())))
    })
    .await;
    Ok(Comparison { title: "the demo cluster".to_owned(), rows })
}

async fn run(program: &Path, args: &[&str], folder: &Path) -> Result<(Run, String)> {
    let args = args.iter().map(|word| (*word).to_owned()).collect();
    let env = vec![("HOME", folder.to_owned())];
    let invocation = Invocation { program: program.to_owned(), args, env };
    let run = stopwatch::time(&invocation, folder).await?;
    let answer = run.answer(|code| code == Some(0))?;
    Ok((run, String::from_utf8_lossy(&answer).into_owned()))
}

/// Interleaved rounds of some commands; `run` returns a run and how many lines it printed.
pub(crate) async fn measured(
    commands: &[MeasuredCommand],
    rounds: usize,
    run: impl AsyncFnMut(MeasuredCommand) -> Result<(Run, usize)>,
) -> Vec<ComparisonRow> {
    let timed = interleaved(commands, rounds, run).await.into_iter();
    let figures = |runs: Vec<(Run, usize)>| {
        let lines = runs.last().map_or(0, |(_, lines)| *lines);
        let runs: Vec<Run> = runs.into_iter().map(|(run, _)| run).collect();
        Figures::timed(&runs, lines).ok_or_else(|| "it never ran".to_owned())
    };
    timed.map(|(command, runs)| ComparisonRow { command, outcome: runs.and_then(figures) }).collect()
}

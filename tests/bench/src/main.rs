//! kubectl-op beside kube-lineage, `kubectl get` and the bare minimum, on one lab, in one run.
//!
//! | to find                                          | look in                                            |
//! |--------------------------------------------------|----------------------------------------------------|
//! | the flags, and which cases are measured          | `cli.rs`, `bench_case.rs`                          |
//! | which tools are measured, and how each is called | `tool.rs`, `bare.rs`, `server.rs`                  |
//! | trees of a cluster                               | `tree_bench.rs`, `kinds.rs`, `idle.rs`             |
//! | dumps, and the demo cluster                      | `offline.rs`, `dump.rs`, `reader.rs`               |
//! | many resources, and the requests for one         | `status_bench.rs`, `replay.rs`, `request_stats.rs` |
//! | how a run is timed, and its memory measured      | `stopwatch.rs`, `rounds.rs`, `median.rs`           |
//! | the binary of kubectl-op: build, size, start     | `product.rs`                                       |
//! | the load of the machine                          | `machine.rs`                                       |
//! | whether the output of a tool is complete         | `output_check.rs`                                  |
//! | the results as plain data                        | `figures.rs`, `comparison.rs`                      |
//! | the targets, and whether they are met            | `targets.rs`, `metric_value.rs`                    |
//! | how results are printed                          | `report.rs`, `table.rs`, `units.rs`                |
//!
//! `cargo run --release -p bench`: the bare minimum is part of this binary and is built as kubectl-op is.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a small tool for developers, without a Ui")]

mod bare;
mod bench_case;
mod cli;
mod comparison;
mod dump;
mod figures;
mod idle;
mod kinds;
mod machine;
mod median;
mod metric_value;
mod offline;
mod output_check;
mod product;
mod reader;
mod replay;
mod report;
mod request_stats;
mod rounds;
mod server;
mod status_bench;
mod stopwatch;
mod table;
mod targets;
mod tool;
mod tree_bench;
mod units;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser as _;
use lab::{Lab, Peer};
use tokio::runtime::Runtime;

use cli::Cli;
use comparison::{Benchmark, Comparison};
use figures::{BenchResults, CaseResult};
use tool::ToolPaths;
use tree_bench::TreeBenchmark;

fn main() -> ExitCode {
    let done = match run_as_subprocess() {
        Some(done) => done.map(|()| ExitCode::SUCCESS),
        None => start(&Cli::parse()),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// Runs a subcommand when this binary was started by itself.
fn run_as_subprocess() -> Option<Result<()>> {
    let mut args = std::env::args().skip(1);
    match args.next()?.as_str() {
        bare::SUBCOMMAND => Some(bare::main(args)),
        reader::SUBCOMMAND => Some(reader::main(args)),
        replay::SUBCOMMAND => Some(replay::main(args)),
        stopwatch::SUBCOMMAND => Some(stopwatch::main(args)),
        _ => lab::run_as_subprocess(),
    }
}

fn start(cli: &Cli) -> Result<ExitCode> {
    let runtime = Runtime::new().context("failed to start a runtime")?;
    let done = runtime.block_on(async {
        tokio::select! {
            missed = measure(cli) => Ok(if missed? == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }),
            // Dropping the lab stops it, whatever it is doing.
            signal = tokio::signal::ctrl_c() => {
                log_progress("stopping");
                signal.context("failed to listen for Ctrl-C").map(|()| ExitCode::from(130))
            }
        }
    });
    // A build that still runs is ended by its supervisor as soon as this process is gone.
    runtime.shutdown_background();
    done
}

/// Measures and prints; how many targets were missed.
async fn measure(cli: &Cli) -> Result<usize> {
    // Before anything is built, which is a load of our own.
    let machine = machine::line();
    let op = match &cli.binary {
        Some(path) => std::path::absolute(path)?,
        None => product::build().await?,
    };
    let found = product::examine(&op).await?;
    print!("{machine}{}", report::binary(found));
    let mut results =
        BenchResults { op_command: cli.op_command(), binary: Some(found), ..BenchResults::default() };
    let benchmarks = cli.benchmarks();
    let rounds = cli.rounds();
    if benchmarks.contains(&Benchmark::Dump) {
        let comparison = offline::dump(&op, cli.dump_size(), rounds).await?;
        print_and_keep(comparison, cli, &mut results);
    }
    if benchmarks.contains(&Benchmark::Demo) {
        let comparison = offline::demo(&op).await?;
        print_and_keep(comparison, cli, &mut results);
    }
    if benchmarks.contains(&Benchmark::Status) || benchmarks.contains(&Benchmark::RequestCount) {
        log_progress("starting a lab for many resources");
        let benchmark = status_bench::StatusBenchmark::new(Lab::start().await?, &op).await?;
        if benchmarks.contains(&Benchmark::Status) {
            let comparison = benchmark.status(cli.many_resources(), rounds).await?;
            print_and_keep(comparison, cli, &mut results);
        }
        if benchmarks.contains(&Benchmark::RequestCount) {
            let (comparison, related) = benchmark.request_count().await?;
            print_and_keep(comparison, cli, &mut results);
            results.related = related;
        }
    }
    if benchmarks.contains(&Benchmark::Tree) {
        results.cases = trees(cli, op).await?;
    }
    let checks = targets::judge(&results);
    print!("{}", report::targets(&checks, cli.output));
    Ok(targets::missed(&checks))
}

/// Prints a comparison at once, and keeps it for the verdicts.
fn print_and_keep(comparison: Comparison, cli: &Cli, results: &mut BenchResults) {
    print!("{}", report::comparison(&comparison, cli.output));
    results.comparisons.push(comparison);
}

/// Trees of a cluster beside other tools, each case printed as soon as it is measured.
async fn trees(cli: &Cli, op: PathBuf) -> Result<Vec<CaseResult>> {
    let lineage = tokio::task::spawn_blocking(|| Peer::KubeLineage.find_or_build()).await??;
    log_progress("starting the lab");
    let lab = Lab::start().await?;
    let tools = ToolPaths {
        op,
        words: cli.op.clone(),
        op_command: cli.op_command(),
        lineage,
        kubectl: lab.kubectl().to_owned(),
        bench: std::env::current_exe().context("failed to find this binary")?,
    };
    let mut benchmark = TreeBenchmark::new(lab, tools).await?;
    let mut cases = Vec::new();
    for case in cli.cases() {
        let result = benchmark.measure(case, &cli.tools(), cli.rounds()).await?;
        print!("{}", report::case(&result, cli.output));
        cases.push(result);
    }
    Ok(cases)
}

/// Prints progress to stderr.
fn log_progress(line: &str) {
    eprintln!("bench: {line}");
}

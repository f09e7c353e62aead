//! kubectl-op beside kube-lineage, `kubectl get` and the bare minimum, on one lab, in one run.
//!
//! | to find                                          | look in                       |
//! |--------------------------------------------------|-------------------------------|
//! | which worlds are measured, and from how far      | `cli.rs`, `scene.rs`          |
//! | who is measured, and what each is asked          | `subject.rs`, `bare.rs`       |
//! | dumps, and the demo world                        | `offline.rs`, `dump.rs`, `reader.rs` |
//! | many resources, and what one costs in requests   | `crowd.rs`, `replay.rs`, `calls.rs`  |
//! | how a run is timed, and its memory measured      | `stopwatch.rs`, `rounds.rs`   |
//! | what else the machine does meanwhile             | `machine.rs`                  |
//! | how a world is made, and its traffic counted     | `stage.rs`, `quiet.rs`        |
//! | whether a subject did what it was asked          | `answer.rs`                   |
//! | the targets, and whether they are met            | `targets.rs`                  |
//! | how it is printed                                | `report.rs`, `table.rs`       |
//!
//! `cargo run --release -p bench`: the bare minimum is part of this binary and is built as kubectl-op is.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a small tool for developers, without a Ui")]

mod answer;
mod aside;
mod bare;
mod calls;
mod cli;
mod crowd;
mod dump;
mod figures;
mod kinds;
mod machine;
mod median;
mod offline;
mod product;
mod quiet;
mod reader;
mod reading;
mod replay;
mod report;
mod rounds;
mod scene;
mod server;
mod stage;
mod stopwatch;
mod subject;
mod table;
mod targets;
mod units;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser as _;
use lab::{Lab, Peer};
use tokio::runtime::Runtime;

use aside::{Aside, Topic};
use cli::Cli;
use figures::{Findings, Page};
use stage::Stage;
use subject::Tools;

fn main() -> ExitCode {
    let done = match again() {
        Some(done) => done.map(|()| ExitCode::SUCCESS),
        None => start(&Cli::parse()),
    };
    done.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// What this binary is when it calls itself.
fn again() -> Option<Result<()>> {
    let mut args = std::env::args().skip(1);
    match args.next()?.as_str() {
        bare::WORD => Some(bare::main(args)),
        reader::WORD => Some(reader::main(args)),
        replay::WORD => Some(replay::main(args)),
        stopwatch::WORD => Some(stopwatch::main(args)),
        _ => lab::reenter(),
    }
}

fn start(cli: &Cli) -> Result<ExitCode> {
    let runtime = Runtime::new().context("failed to start a runtime")?;
    let done = runtime.block_on(async {
        tokio::select! {
            missed = measure(cli) => Ok(if missed? == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }),
            // Dropping the lab, wherever it stands, takes it down.
            signal = tokio::signal::ctrl_c() => {
                log_progress("going down");
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
    print!("{machine}{}", report::product(found));
    let mut findings = Findings { question: cli.question(), product: Some(found), ..Findings::default() };
    let topics = cli.topics();
    let rounds = cli.rounds();
    if topics.contains(&Topic::Dump) {
        let aside = offline::dump(&op, cli.dump_size(), rounds).await?;
        print_and_keep(aside, cli, &mut findings);
    }
    if topics.contains(&Topic::Demo) {
        let aside = offline::demo(&op).await?;
        print_and_keep(aside, cli, &mut findings);
    }
    if topics.contains(&Topic::Crowd) || topics.contains(&Topic::Circle) {
        log_progress("starting a lab for many resources");
        let place = crowd::Place::new(Lab::start().await?, &op).await?;
        if topics.contains(&Topic::Crowd) {
            let aside = place.crowd(cli.crowd(), rounds).await?;
            print_and_keep(aside, cli, &mut findings);
        }
        if topics.contains(&Topic::Circle) {
            let (aside, related) = place.circle().await?;
            print_and_keep(aside, cli, &mut findings);
            findings.related = related;
        }
    }
    if topics.contains(&Topic::Tree) {
        findings.pages = trees(cli, op).await?;
    }
    let checks = targets::judge(&findings);
    print!("{}", report::targets(&checks, cli.output));
    Ok(targets::missed(&checks))
}

/// Prints what was measured as soon as it was, and keeps it for the verdicts.
fn print_and_keep(aside: Aside, cli: &Cli, findings: &mut Findings) {
    print!("{}", report::aside(&aside, cli.output));
    findings.asides.push(aside);
}

/// Trees of a cluster beside those of others, each printed as soon as it is measured.
async fn trees(cli: &Cli, op: PathBuf) -> Result<Vec<Page>> {
    let lineage = tokio::task::spawn_blocking(|| Peer::KubeLineage.find_or_build()).await??;
    log_progress("starting the lab");
    let lab = Lab::start().await?;
    let tools = Tools {
        op,
        words: cli.op.clone(),
        question: cli.question(),
        lineage,
        kubectl: lab.kubectl().to_owned(),
        bench: std::env::current_exe().context("failed to find this binary")?,
    };
    let mut stage = Stage::new(lab, tools).await?;
    let mut pages = Vec::new();
    for scene in cli.scenes() {
        let page = stage.page(scene, &cli.subjects(), cli.rounds()).await?;
        print!("{}", report::page(&page, cli.output));
        pages.push(page);
    }
    Ok(pages)
}

/// Prints progress to stderr.
fn log_progress(line: &str) {
    eprintln!("bench: {line}");
}

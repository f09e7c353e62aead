//! kubectl-op beside kube-lineage, `kubectl get` and the bare minimum, on one lab, in one run.
//!
//! | to find                                          | look in                       |
//! |--------------------------------------------------|-------------------------------|
//! | which worlds are measured, and from how far      | `cli.rs`, `scene.rs`          |
//! | who is measured, and what each is asked          | `subject.rs`, `bare.rs`       |
//! | how a run is timed, and its memory measured      | `stopwatch.rs`, `rounds.rs`   |
//! | what else the machine does meanwhile             | `machine.rs`                  |
//! | how a world is made, and its traffic counted     | `stage.rs`, `quiet.rs`        |
//! | whether a subject did what it was asked          | `answer.rs`                   |
//! | what is promised, and whether it is kept         | `targets.rs`                  |
//! | how it is printed                                | `report.rs`, `table.rs`       |
//!
//! `cargo run --release -p bench`: the bare minimum is part of this binary and is built as kubectl-op is.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a small tool for developers, without a Ui")]

mod answer;
mod bare;
mod cli;
mod figures;
mod kinds;
mod machine;
mod median;
mod product;
mod quiet;
mod reading;
mod report;
mod rounds;
mod scene;
mod stage;
mod stopwatch;
mod subject;
mod table;
mod targets;
mod units;

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser as _;
use lab::{Lab, Peer};
use tokio::runtime::Runtime;

use cli::Cli;
use figures::Findings;
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
                say("going down");
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
    let lineage = tokio::task::spawn_blocking(|| Peer::KubeLineage.find_or_build()).await??;
    let found = product::examine(&op).await?;
    print!("{machine}{}", report::product(found));
    let mut findings = Findings { question: cli.question(), product: Some(found), pages: Vec::new() };

    say("starting the lab");
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
    for scene in cli.scenes() {
        let page = stage.page(scene, &cli.subjects(), cli.rounds()).await?;
        print!("{}", report::page(&page, cli.output));
        findings.pages.push(page);
    }
    let checks = targets::judge(&findings);
    print!("{}", report::targets(&checks, cli.output));
    Ok(targets::missed(&checks))
}

/// Progress, for the person who waits.
fn say(line: &str) {
    eprintln!("bench: {line}");
}

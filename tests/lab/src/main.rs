//! `lab up`: a playground for a person, with the operators and objects that were asked for.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a small tool for developers, without a Ui")]

use std::time::Instant;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use lab::big::Big;
use lab::worlds::{Operator, World};
use lab::{Lab, User};
use tokio::runtime::Runtime;

/// Run a real control plane on loopback
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a control plane, print how to reach it, and keep it until Ctrl-C
    Up {
        /// An operator to install and start with a sample resource: voteconfig, memcached, vmgroup, website,
        /// helloworld or all; may be repeated
        #[arg(long = "world", value_name = "NAME")]
        worlds: Vec<Wanted>,
        /// How many unrelated objects to create in namespace big
        #[arg(long, value_name = "OBJECTS")]
        big: Option<usize>,
        /// Over how many kinds of their own the objects of --big are spread
        #[arg(long, value_name = "KINDS", default_value_t = 20)]
        kinds: usize,
    },
}

/// What `--world` names.
#[derive(Clone)]
enum Wanted {
    All,
    One(World),
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            name => name.parse().map(Self::One).map_err(|_| {
                let names: Vec<_> = World::ALL.iter().map(World::to_string).collect();
                format!("expected all or one of {}", names.join(", "))
            }),
        }
    }
}

fn main() -> Result<()> {
    if let Some(done) = lab::reenter() {
        return done;
    }
    let Command::Up { worlds, big, kinds } = Cli::parse().command;
    let worlds = chosen(&worlds);
    Runtime::new().context("failed to start a runtime")?.block_on(async {
        tokio::select! {
            kept = up(&worlds, big, kinds) => kept,
            // Dropping the lab, wherever it stands, takes it down.
            signal = tokio::signal::ctrl_c() => {
                eprintln!("\nlab: going down");
                signal.context("failed to listen for Ctrl-C")
            }
        }
    })
}

fn chosen(wanted: &[Wanted]) -> Vec<World> {
    let asked = |world: &World| wanted.iter().any(|one| matches!(one, Wanted::One(name) if name == world));
    let all = wanted.iter().any(|one| matches!(one, Wanted::All));
    World::ALL.into_iter().filter(|world| all || asked(world)).collect()
}

async fn up(worlds: &[World], big: Option<usize>, kinds: usize) -> Result<()> {
    let started = Instant::now();
    let lab = Lab::start().await?;
    eprintln!("lab: the control plane is ready after {:.1} s", started.elapsed().as_secs_f32());
    for world in worlds {
        let operator = Operator::new(&lab, *world);
        operator.install().await?;
        operator.start().await?;
        operator.sample("default", world.sample_name()).await?;
        eprintln!("lab: {world} runs");
    }
    if let Some(objects) = big {
        let filling = Instant::now();
        let world = Big { namespace: "big".to_owned(), objects, kinds, owned: 210.min(objects / 2) };
        world.fill(&lab.client()).await?;
        eprintln!("lab: {objects} objects in namespace big after {:.1} s", filling.elapsed().as_secs_f32());
    }
    eprintln!("lab: paste this into another shell; Ctrl-C here takes everything down");
    println!("export KUBECONFIG={}", lab.kubeconfig(User::Admin).display());
    std::future::pending().await
}

//! `lab up`: a cluster for manual use, with the operators and objects that were asked for. `lab capture`: captures the
//! cluster of `--demo` again.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a small tool for developers, without a Ui")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use clap::{Parser, Subcommand};
use lab::large_namespace::LargeNamespace;
use lab::many_resources::ManyResources;
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
        worlds: Vec<WorldSelection>,
        /// How many unrelated objects to create in namespace big
        #[arg(long, value_name = "OBJECTS")]
        big: Option<usize>,
        /// Over how many kinds of their own the objects of --big are spread
        #[arg(long, value_name = "KINDS", default_value_t = 20)]
        kinds: usize,
        /// How many resources of one kind to create in namespaces many-0 to many-19
        #[arg(long, value_name = "RESOURCES")]
        resources: Option<usize>,
    },
    /// Set up the cluster of `kubectl op --demo` on a control plane of its own and write it to a file
    Capture {
        /// Where the gzipped JSON goes; the one that is checked in is src/source/demo.json.gz
        file: PathBuf,
    },
}

/// What `--world` names.
#[derive(Clone)]
enum WorldSelection {
    All,
    One(World),
}

impl std::str::FromStr for WorldSelection {
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
    if let Some(done) = lab::run_as_subprocess() {
        return done;
    }
    let command = Cli::parse().command;
    Runtime::new().context("failed to start a runtime")?.block_on(async {
        tokio::select! {
            done = perform(command) => done,
            // Dropping the lab stops it, whatever it is doing.
            signal = tokio::signal::ctrl_c() => {
                eprintln!("\nlab: stopping");
                signal.context("failed to listen for Ctrl-C")
            }
        }
    })
}

async fn perform(command: Command) -> Result<()> {
    match command {
        Command::Up { worlds, big, kinds, resources } => up(&chosen(&worlds), big, kinds, resources).await,
        Command::Capture { file } => capture(&file).await,
    }
}

fn chosen(wanted: &[WorldSelection]) -> Vec<World> {
    let asked =
        |world: &World| wanted.iter().any(|one| matches!(one, WorldSelection::One(name) if name == world));
    let all = wanted.iter().any(|one| matches!(one, WorldSelection::All));
    World::ALL.into_iter().filter(|world| all || asked(world)).collect()
}

async fn up(worlds: &[World], big: Option<usize>, kinds: usize, resources: Option<usize>) -> Result<()> {
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
        let world =
            LargeNamespace { namespace: "big".to_owned(), objects, kinds, owned: 210.min(objects / 2) };
        world.fill(&lab.client()).await?;
        eprintln!("lab: {objects} objects in namespace big after {:.1} s", filling.elapsed().as_secs_f32());
    }
    if let Some(resources) = resources {
        let filling = Instant::now();
        ManyResources { resources, namespaces: 20 }.fill(&lab.client()).await?;
        eprintln!(
            "lab: {resources} resources in 20 namespaces after {:.1} s",
            filling.elapsed().as_secs_f32()
        );
    }
    eprintln!("lab: paste this into another shell; Ctrl-C here stops everything");
    println!("export KUBECONFIG={}", lab.kubeconfig(User::Admin).display());
    std::future::pending().await
}

async fn capture(file: &Path) -> Result<()> {
    let started = Instant::now();
    let lab = Lab::start().await?;
    eprintln!("lab: the control plane is ready after {:.1} s", started.elapsed().as_secs_f32());
    let world = lab::demo::capture(&lab).await?;
    std::fs::write(file, &world).with_context(|| format!("failed to write {}", file.display()))?;
    let seconds = started.elapsed().as_secs();
    eprintln!("lab: {} has {} KB after {seconds} s", file.display(), world.len() / 1024);
    Ok(())
}

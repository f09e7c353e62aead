//! The process an operator runs in: this same binary, called again with [`SUBCOMMAND`] first.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Parser;
use kube::Client;

use super::controller::{self, Context};
use super::events::{EventApi, Recorder};
use super::external_system::ExternalSystem;
use super::lease::Candidate;
use super::{World, clock, helloworld, memcached, vmgroup, voteconfig, webhook, website};
use crate::certs::Identity;

/// The subcommand that runs this binary as an operator.
pub(crate) const SUBCOMMAND: &str = "lab-operator";

/// The arguments of an operator.
#[derive(Clone, Debug, Parser)]
#[command(name = SUBCOMMAND, no_binary_name = true)]
pub(super) struct Settings {
    /// Which operator to be
    pub world: World,
    /// The lab's folder: the external system and the webhook's certificate are below it
    #[arg(long)]
    pub folder: PathBuf,
    /// Whose rights to use
    #[arg(long)]
    pub kubeconfig: PathBuf,
    /// The Pod that stands for this process in the cluster
    #[arg(long, default_value = "laptop")]
    pub pod: String,
    /// The holder of the Lease that is known to be dead
    #[arg(long)]
    pub former: Option<String>,
    /// Where to serve webhooks
    #[arg(long)]
    pub listen: Option<SocketAddr>,
}

/// What the re-entered binary does; `args` are those after [`SUBCOMMAND`].
pub(crate) fn operator_main(args: impl Iterator<Item = String>) -> Result<()> {
    let settings = Settings::try_parse_from(args)?;
    let runtime = tokio::runtime::Runtime::new().context("failed to start the runtime")?;
    runtime.block_on(run_operator(settings))
}

/// Runs an operator until it is killed or loses its lead.
async fn run_operator(settings: Settings) -> Result<()> {
    let Settings { world, folder, kubeconfig, pod, former, listen } = settings;
    log(&format!("starting the {world} operator"));
    let client = crate::lab::connect(&kubeconfig).await?;
    let context = context(world, &client, &folder, &pod);
    let hook = async {
        match listen {
            Some(address) => webhook::serve(address, &identity(&folder, world)?, memcached::review).await,
            None => std::future::pending().await,
        }
    };
    let work = async {
        let Some(in_cluster) = world.names().in_cluster else {
            control(world, &client, context).await;
            return Ok(());
        };
        let candidate = Candidate::new(client.clone(), in_cluster, &pod, former);
        candidate.lead().await?;
        tokio::select! {
            () = control(world, &client, context) => Ok(()),
            lost = candidate.keep() => lost,
        }
    };
    // Webhooks are served whether it leads or not.
    tokio::select! {
        done = hook => done,
        done = work => done,
    }
}

/// Where the lab puts the certificate of an operator's webhook, and where the operator looks for it.
pub(super) fn identity_folder(lab: &Path, world: World) -> PathBuf {
    lab.join("operators").join(world.names().name)
}

/// One line in the operator's log.
pub(super) fn log(line: &str) {
    // A log that cannot be written is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{} {line}", clock::stamp());
}

fn identity(folder: &Path, world: World) -> Result<Identity> {
    let folder = identity_folder(folder, world);
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))
    };
    Ok(Identity { certificate: read("tls.crt")?, key: read("tls.key")? })
}

fn context(world: World, client: &Client, folder: &Path, pod: &str) -> Context {
    // One of the five posts its events to the newer API, which names the Pod.
    let event_api = match world {
        World::Website => EventApi::Series { pod: pod.to_owned() },
        _ => EventApi::Classic,
    };
    let events = Recorder::new(client.clone(), format!("{world}-controller"), event_api);
    Context { client: client.clone(), events, external: ExternalSystem::new(folder, world) }
}

async fn control(world: World, client: &Client, context: Context) {
    let client = client.clone();
    match world {
        World::VoteConfig => controller::run(voteconfig::controller(client), context).await,
        World::Memcached => controller::run(memcached::controller(client), context).await,
        World::VmGroup => controller::run(vmgroup::controller(client), context).await,
        World::Website => controller::run(website::controller(client), context).await,
        World::HelloWorld => {
            controller::drive(helloworld::controller(client), context, helloworld::step).await;
        }
    }
}

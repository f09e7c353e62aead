//! `version`: prints the version of this program, and of the server if it responds.

use std::time::Duration;

use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::args::OutputArg;
use super::context::{CommandContext, interrupted};
use super::{Example, Page};
use crate::connection::{Target, platform};
use crate::error::{Failure, FailureKind, Outcome};
use crate::render::json_yaml;
use crate::source::cluster::{Cluster, ServerVersion};
use crate::source::dump::Dump;
use crate::source::{From, SourceSpec};
use crate::ui::{Styles, Ui};

/// How long to wait for the server.
const TIMEOUT: Duration = Duration::from_secs(5);

pub(super) const PAGE: Page = Page {
    name: "version",
    usage: "version [flags]",
    examples: &[
        Example { command: "version --client", description: "only the client version; no server required" },
        Example {
            command: "version",
            description: "also the server version, if it responds within 5 seconds",
        },
        Example { command: "version -o json", description: "as JSON" },
    ],
    requirements: "Read-only. Needs no permissions; without a cluster it prints the client version only.",
};

/// Print the client and server version
#[derive(clap::Args, Debug)]
pub struct VersionArgs {
    /// Print the client version only (no server required)
    #[arg(long, help_heading = "Selection")]
    client: bool,
    #[command(flatten)]
    output: OutputArg,
}

/// The report, as JSON and YAML have it.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    client: Client,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<Server>,
    complete: bool,
    gaps: Vec<VersionGap>,
}

#[derive(Debug, Serialize)]
struct Client {
    version: &'static str,
    platform: String,
}

#[derive(Debug, Serialize)]
struct Server {
    address: String,
    #[serde(flatten)]
    version: ServerVersion,
}

/// What could not be read.
#[derive(Debug, Serialize)]
struct VersionGap {
    what: &'static str,
    why: String,
}

/// Asks the server, prints what is known, and then reports the failure.
pub fn run(args: &VersionArgs, spec: &SourceSpec, ui: &mut Ui) -> anyhow::Result<Outcome> {
    if let Some(from) = spec.from.as_ref().filter(|_| !args.client) {
        return run_without_server(args, from, spec, ui);
    }
    let asked = if args.client { Ok(None) } else { read_version(spec, ui).map(Some) };
    let (server, failure) = match asked {
        Ok(server) => (server, None),
        Err(failure) => (None, Some(failure)),
    };
    let report = Report::new(server, failure.as_ref().map(ToString::to_string));
    let text = match args.output.output {
        Some(format) => json_yaml::write(&report, format, ui.styles())?,
        None => report.text(ui.styles()),
    };
    ui.print(&text)?;
    match failure {
        // The user's mistake, or Ctrl-C. An unreachable server is a result, not an error, of this command.
        Some(failure)
            if matches!(
                failure.kind(),
                FailureKind::Usage | FailureKind::Configuration | FailureKind::Interrupted
            ) =>
        {
            Err(failure.into())
        }
        Some(failure) => {
            ui.note(&format!("no server version: {failure}"));
            Ok(Outcome::Success)
        }
        None => Ok(Outcome::Success),
    }
}

/// Prints the client version, and that objects do not tell the version of the server they came from.
fn run_without_server(
    args: &VersionArgs,
    from: &From,
    spec: &SourceSpec,
    ui: &mut Ui,
) -> anyhow::Result<Outcome> {
    Dump::open(from, &spec.memory, &CancellationToken::new())?;
    let source = spec.described();
    let report = Report::new(None, Some(format!("{source} does not contain it")));
    let text = if let Some(format) = args.output.output {
        json_yaml::write(&report, format, ui.styles())?
    } else {
        let source = ui.styles().plain(source.trim_start_matches("the "));
        format!("{}Server Version: unknown ({source})\n", report.text(ui.styles()))
    };
    ui.print(&text)?;
    Ok(Outcome::Success)
}

fn read_version(spec: &SourceSpec, ui: &mut Ui) -> Result<Server, Failure> {
    let context = CommandContext::new(spec, PAGE.name)?;
    context.run_with_progress(ui, async {
        tokio::select! {
            biased;
            () = context.read.cancel.cancelled() => Err(interrupted()),
            version = ask(&spec.target) => version,
        }
    })
}

async fn ask(target: &Target) -> Result<Server, Failure> {
    let cluster = Cluster::connect(target).await?;
    let timeout = target.request_timeout.map_or(TIMEOUT, |limit| limit.min(TIMEOUT));
    let version = cluster.version(timeout).await?;
    Ok(Server { address: cluster.server().to_owned(), version })
}

impl Report {
    fn new(server: Option<Server>, why: Option<String>) -> Self {
        let gap = |why: String| VersionGap { what: "server version", why };
        Self {
            schema: "kubectl-op/version/v1",
            client: Client { version: concat!("v", env!("CARGO_PKG_VERSION")), platform: platform() },
            server,
            complete: why.is_none(),
            gaps: why.map(gap).into_iter().collect(),
        }
    }

    fn text(&self, styles: &Styles) -> String {
        let client = format!("Client Version: {}\n", styles.plain(self.client.version));
        let server = self.server.as_ref().map(|server| styles.plain(&server.version.version));
        client + &server.map(|version| format!("Server Version: {version}\n")).unwrap_or_default()
    }
}

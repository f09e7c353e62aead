//! `version`: prints this program's version, and the server's when one answers.

use std::time::Duration;

use serde::Serialize;

use super::args::OutputArg;
use super::call::{Call, interrupted};
use super::{Example, Page};
use crate::connection::{Target, platform};
use crate::error::{Failure, Kind, Outcome};
use crate::render::machine;
use crate::source::SourceSpec;
use crate::source::cluster::{Cluster, ServerVersion};
use crate::ui::{Styles, Ui};

/// How long a server may think about its own version.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) const PAGE: Page = Page {
    name: "version",
    usage: "version [flags]",
    examples: &[
        Example { call: "version --client", says: "this program's version; asks no server" },
        Example { call: "version", says: "the server's too, when it answers within 5 seconds" },
        Example { call: "version -o json", says: "for a script" },
    ],
    needs: "Reads only. Needs no rights; works without a cluster and says that it did.",
};

/// Print the client's and the server's version
#[derive(clap::Args, Debug)]
pub struct VersionArgs {
    /// Ask no server
    #[arg(long, help_heading = "Select")]
    client: bool,
    #[command(flatten)]
    output: OutputArg,
}

/// What `-o` writes.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    client: Client,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<Server>,
    complete: bool,
    gaps: Vec<Gap>,
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

/// Something that was asked for and could not be read.
#[derive(Debug, Serialize)]
struct Gap {
    what: &'static str,
    why: String,
}

/// Asks, prints what is known, and only then says what is not.
pub fn run(args: &VersionArgs, spec: &SourceSpec, ui: &mut Ui) -> anyhow::Result<Outcome> {
    let asked = if args.client { Ok(None) } else { read_version(spec, ui).map(Some) };
    let (server, failure) = match asked {
        Ok(server) => (server, None),
        Err(failure) => (None, Some(failure)),
    };
    let report = Report::new(server, failure.as_ref());
    let text = match args.output.output {
        Some(format) => machine::write(&report, format)?,
        None => report.text(ui.styles()),
    };
    ui.print(&text)?;
    match failure {
        // The person's mistake, or wish to stop. A server that is away is an answer to this question.
        Some(failure) if matches!(failure.kind(), Kind::Usage | Kind::Configuration | Kind::Interrupted) => {
            Err(failure.into())
        }
        Some(failure) => {
            ui.note(&format!("no server version: {failure}"));
            Ok(Outcome::Fine)
        }
        None => Ok(Outcome::Fine),
    }
}

fn read_version(spec: &SourceSpec, ui: &mut Ui) -> Result<Server, Failure> {
    let call = Call::new(spec, PAGE.name)?;
    call.attend(ui, async {
        tokio::select! {
            biased;
            () = call.context.cancel.cancelled() => Err(interrupted()),
            version = ask(&spec.target) => version,
        }
    })
}

async fn ask(target: &Target) -> Result<Server, Failure> {
    let cluster = Cluster::connect(target).await?;
    let patience = target.request_timeout.map_or(PATIENCE, |limit| limit.min(PATIENCE));
    let version = cluster.version(patience).await?;
    Ok(Server { address: cluster.server().to_owned(), version })
}

impl Report {
    fn new(server: Option<Server>, failure: Option<&Failure>) -> Self {
        let gap = |failure: &Failure| Gap { what: "server version", why: failure.to_string() };
        Self {
            schema: "kubectl-op/version/v1",
            client: Client { version: concat!("v", env!("CARGO_PKG_VERSION")), platform: platform() },
            server,
            complete: failure.is_none(),
            gaps: failure.map(gap).into_iter().collect(),
        }
    }

    fn text(&self, styles: &Styles) -> String {
        let client = format!("Client Version: {}\n", styles.plain(self.client.version));
        let server = self.server.as_ref().map(|server| styles.plain(&server.version.version));
        client + &server.map(|version| format!("Server Version: {version}\n")).unwrap_or_default()
    }
}

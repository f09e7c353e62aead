//! The requests of another program, sent once more, with the responses discarded. It is a process of its own, so
//! that its time and memory compare with those of that program.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::header;
use lab::faults::Record;
use serde::{Deserialize, Serialize};

use crate::kinds;
use crate::server::{AT_ONCE, Connection, Server, thrown_away};

/// The subcommand that runs this.
pub(crate) const SUBCOMMAND: &str = "bare-replay";

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedRequest {
    path: String,
    accept: String,
    encoding: Option<String>,
}

impl RecordedRequest {
    /// As it went through the proxy.
    pub(crate) fn of(record: &Record) -> Self {
        let encoding = record.headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
        Self {
            path: record.path.clone(),
            accept: record.accept().to_owned(),
            encoding: encoding.map(str::to_owned),
        }
    }

    fn path_only(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// Sends all and prints how much came. `args`: kubeconfig, a file with the requests.
#[expect(clippy::print_stdout, reason = "this process has no other way to answer")]
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let (Some(kubeconfig), Some(file)) = (args.next(), args.next()) else {
        bail!("{SUBCOMMAND} wants a kubeconfig and a file");
    };
    let requests = std::fs::read(&file).with_context(|| format!("failed to read {file}"))?;
    let requests: Vec<RecordedRequest> = serde_json::from_slice(&requests)?;
    let count = requests.len();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let bytes = runtime.block_on(send(Path::new(&kubeconfig), requests))?;
    println!("{count} requests, {bytes} bytes");
    Ok(())
}

async fn send(kubeconfig: &Path, requests: Vec<RecordedRequest>) -> Result<usize> {
    let server = Server::of(kubeconfig)?;
    let connection = server.connect().await?;
    let mut bytes = 0;
    // Discovery comes first: the other requests depend on it.
    let (first, rest): (Vec<_>, Vec<_>) =
        requests.into_iter().partition(|request| kinds::PATHS.contains(&request.path_only()));
    for phase in [first, rest] {
        let chains = stream::iter(chains(phase)).map(|chain| one_by_one(&server, &connection, chain));
        let sizes: Vec<usize> = chains.buffer_unordered(AT_ONCE).try_collect().await?;
        bytes += sizes.iter().sum::<usize>();
    }
    Ok(bytes)
}

async fn one_by_one(server: &Server, connection: &Connection, chain: Vec<RecordedRequest>) -> Result<usize> {
    let mut bytes = 0;
    for RecordedRequest { path, accept, encoding } in chain {
        bytes += thrown_away(server.ask(connection, &path, &accept, encoding.as_deref())).await?;
    }
    Ok(bytes)
}

/// Pages of one list follow each other: each names the next.
fn chains(requests: Vec<RecordedRequest>) -> Vec<Vec<RecordedRequest>> {
    let mut chains: Vec<Vec<RecordedRequest>> = Vec::new();
    for request in requests {
        let is_next = request.path.contains("continue=");
        let index = chains.iter().rposition(|chain| is_next && chain[0].path_only() == request.path_only());
        match index {
            Some(index) => chains[index].push(request),
            None => chains.push(vec![request]),
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_wait_for_each_other() {
        let all = ["/a?limit=5", "/b?limit=5", "/a?limit=5&continue=x", "/b", "/a?continue=y"];
        let requests =
            all.map(|path| RecordedRequest { path: path.to_owned(), accept: String::new(), encoding: None });
        let lengths: Vec<_> = chains(requests.to_vec()).iter().map(Vec::len).collect();
        assert_eq!(lengths, [3, 1, 1]);
    }
}

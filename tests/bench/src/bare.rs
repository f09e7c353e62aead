//! The bare minimum: the requests that a tree cannot do without, with the responses discarded. It is a
//! process of its own, so that its time and memory compare with those of the others.

use std::path::Path;

use anyhow::{Result, bail};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::kinds;
use crate::server::{AT_ONCE, Server, thrown_away, whole};

/// The subcommand that runs this.
pub(crate) const SUBCOMMAND: &str = "bare-minimum";
/// Names, owners and labels alone, in the shortest form that the server has.
const METADATA: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// Asks for everything in a namespace and prints how much came. `args`: kubeconfig, namespace.
#[expect(clippy::print_stdout, reason = "this process has no other way to answer")]
pub(crate) fn main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let (Some(kubeconfig), Some(namespace)) = (args.next(), args.next()) else {
        bail!("{SUBCOMMAND} wants a kubeconfig and a namespace");
    };
    // One thread: the server is the one that works.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (lists, bytes) = runtime.block_on(ask_all(Path::new(&kubeconfig), &namespace))?;
    println!("{lists} lists, {bytes} bytes");
    Ok(())
}

async fn ask_all(kubeconfig: &Path, namespace: &str) -> Result<(usize, usize)> {
    let server = Server::of(kubeconfig)?;
    let connection = server.connect().await?;
    let documents = kinds::PATHS.map(|path| server.ask(&connection, path, kinds::ACCEPT, None));
    let [core, groups] = documents;
    let (core, groups) = tokio::try_join!(whole(core), whole(groups))?;
    let kinds: Vec<_> = kinds::listable(&core)?.into_iter().chain(kinds::listable(&groups)?).collect();
    let paths = kinds.iter().map(|kind| format!("{}?resourceVersion=0", kind.path(namespace)));
    let sizes: Vec<usize> = stream::iter(paths)
        .map(|path| {
            let (server, connection) = (&server, &connection);
            async move { thrown_away(server.ask(connection, &path, METADATA, None)).await }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    Ok((sizes.len(), sizes.iter().sum()))
}

//! Waiting for a server: the runtime is started here, and only by commands that need it.

use std::future::Future;
use std::io;

use crate::error::{Failure, Kind};

/// Runs `work` to its end, or until Ctrl-C.
pub(super) fn wait_for<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    // Two threads: one for requests in flight, one to decode what came.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| cannot_start(&error))?;
    let result = runtime.block_on(async {
        tokio::select! {
            // In this order, so that Ctrl-C is listened for before the first request goes out.
            biased;
            Ok(()) = tokio::signal::ctrl_c() => Err(Failure::new(Kind::Interrupted, "interrupted")),
            result = work => result,
        }
    });
    // A name lookup cannot be cancelled; nobody waits for it.
    runtime.shutdown_background();
    result
}

fn cannot_start(error: &io::Error) -> Failure {
    Failure::new(Kind::Configuration, format!("cannot start threads: {error}"))
        .hint("the limit of processes or open files is reached: see ulimit -a")
}

//! Waiting for a server: the runtime is started here, and only by commands that need it.

use std::future::Future;
use std::io;
use std::time::{Duration, Instant};

use crate::error::{Failure, Kind};
use crate::source::ReadContext;
use crate::ui::Ui;

/// How long nothing is said about what is slow.
const QUIET: Duration = Duration::from_millis(400);
/// How often it is said again, where lines cannot be written over.
const REPEAT: Duration = Duration::from_secs(5);
/// How long a reader may take to hand over what it has.
const HANDOVER: Duration = Duration::from_secs(2);

/// Runs `work` to its end, or until Ctrl-C.
pub(super) fn wait_for<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    run(async {
        tokio::select! {
            // In this order, so that Ctrl-C is listened for before the first request goes out.
            biased;
            Ok(()) = tokio::signal::ctrl_c() => Err(interrupted()),
            result = work => result,
        }
    })
}

/// Runs `work` to its end and tells what is slow meanwhile. At Ctrl-C the work is asked to stop and may give back
/// what it has.
pub(super) fn attend<T>(
    context: &ReadContext,
    ui: &mut Ui,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    run(attending(context, ui, work))
}

/// The same for those who go on afterwards.
pub(super) async fn attending<T>(
    context: &ReadContext,
    ui: &mut Ui,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut work = std::pin::pin!(work);
    let mut teller = Teller { said: None };
    let result = loop {
        tokio::select! {
            biased;
            Ok(()) = tokio::signal::ctrl_c() => {
                context.stop.ask();
                break tokio::time::timeout(HANDOVER, work).await.unwrap_or_else(|_| Err(interrupted()));
            }
            result = &mut work => break result,
            () = tokio::time::sleep(Duration::from_millis(100)) => teller.tell(context, ui),
        }
    };
    ui.waited();
    result
}

struct Teller {
    said: Option<Instant>,
}

impl Teller {
    fn tell(&mut self, context: &ReadContext, ui: &mut Ui) {
        let due = self.said.is_none_or(|said| ui.rewrites() || said.elapsed() >= REPEAT);
        let slow = context.progress.slowest().filter(|slowest| slowest.waited >= QUIET && due);
        if let Some(slowest) = slow {
            let others =
                if slowest.others > 0 { format!(" and {} more", slowest.others) } else { String::new() };
            ui.waiting(&format!(
                "waiting for {}{others} ({:.1} s)",
                slowest.what,
                slowest.waited.as_secs_f32()
            ));
            self.said = Some(Instant::now());
        }
    }
}

/// Runs `work` on a runtime of its own.
pub(super) fn run<T, E: From<Failure>>(work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    // Two threads: one for requests in flight, one to decode what came.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| cannot_start(&error))?;
    let result = runtime.block_on(work);
    // A name lookup cannot be cancelled; nobody waits for it.
    runtime.shutdown_background();
    result
}

fn interrupted() -> Failure {
    Failure::new(Kind::Interrupted, "interrupted")
}

fn cannot_start(error: &io::Error) -> Failure {
    Failure::new(Kind::Configuration, format!("cannot start threads: {error}"))
        .hint("the limit of processes or open files is reached: see ulimit -a")
}

//! One call of a command that reads objects: its runtime, its progress on stderr, and Ctrl-C.

use std::future::Future;
use std::io;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use crate::error::{Failure, Kind};
use crate::source::session::Session;
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

/// How long nothing is said about what is slow.
const QUIET: Duration = Duration::from_millis(400);
/// How often it is said again, where lines cannot be overwritten.
const REPEAT: Duration = Duration::from_secs(5);
/// How long a reader may take to hand over what it has.
const HANDOVER: Duration = Duration::from_secs(2);

/// A call. Connections live in its runtime, so that it lasts from the first request to the last.
pub(super) struct Call<'a> {
    pub(super) spec: &'a SourceSpec,
    /// The command's name, for hints.
    pub(super) command: &'static str,
    pub(super) context: ReadContext,
    runtime: Option<Runtime>,
}

impl<'a> Call<'a> {
    pub(super) fn new(spec: &'a SourceSpec, command: &'static str) -> Result<Self, Failure> {
        // Two threads: one for requests in flight, one to decode the answers.
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| cannot_start(&error))?;
        Ok(Self { spec, command, context: ReadContext::default(), runtime: Some(runtime) })
    }

    /// Opens the source.
    pub(super) fn open(&self, ui: &mut Ui) -> Result<Session, Failure> {
        self.attend(ui, Session::open(self.spec, &self.context))
    }

    /// Runs `work` to its end and says what is slow meanwhile. At Ctrl-C the work is cancelled and may give back what
    /// it has.
    pub(super) fn attend<T>(
        &self,
        ui: &mut Ui,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.block_on(attending(&self.context, ui, work))
    }

    /// Runs `work` to its end.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.runtime {
            Some(runtime) => runtime.block_on(work),
            None => unreachable!("the runtime is taken only when the call is dropped"),
        }
    }

    /// Whether the person pressed Ctrl-C.
    pub(super) fn is_interrupted(&self) -> bool {
        self.context.cancel.is_cancelled()
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        // A name lookup cannot be cancelled; it is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Says what is slow while `work` goes on, and cancels it at Ctrl-C.
pub(super) async fn attending<T>(
    context: &ReadContext,
    ui: &mut Ui,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut work = std::pin::pin!(work);
    let mut progress = ProgressLine { written: None };
    let result = loop {
        tokio::select! {
            // In this order, so that Ctrl-C is listened for before the first request goes out.
            biased;
            Ok(()) = tokio::signal::ctrl_c() => {
                context.cancel.cancel();
                break tokio::time::timeout(HANDOVER, work).await.unwrap_or_else(|_| Err(interrupted()));
            }
            result = &mut work => break result,
            () = tokio::time::sleep(Duration::from_millis(100)) => progress.update(context, ui),
        }
    };
    ui.waited();
    result
}

struct ProgressLine {
    written: Option<Instant>,
}

impl ProgressLine {
    fn update(&mut self, context: &ReadContext, ui: &mut Ui) {
        let is_due = self.written.is_none_or(|written| ui.rewrites() || written.elapsed() >= REPEAT);
        let slow = context.progress.slowest().filter(|slowest| slowest.waited >= QUIET && is_due);
        if let Some(slowest) = slow {
            let others =
                if slowest.others > 0 { format!(" and {} more", slowest.others) } else { String::new() };
            ui.waiting(&format!(
                "waiting for {}{others} ({:.1} s)",
                slowest.what,
                slowest.waited.as_secs_f32()
            ));
            self.written = Some(Instant::now());
        }
    }
}

pub(super) fn interrupted() -> Failure {
    Failure::new(Kind::Interrupted, "interrupted")
}

fn cannot_start(error: &io::Error) -> Failure {
    Failure::new(Kind::Configuration, format!("cannot start threads: {error}"))
        .hint("the limit of processes or open files is reached: see ulimit -a")
}

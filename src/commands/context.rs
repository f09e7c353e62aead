//! What a command that reads objects runs in: the async runtime, progress on stderr, and Ctrl-C.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

use crate::error::{Failure, FailureKind, Outcome};
use crate::model::plural::counted;
use crate::source::session::Session;
use crate::source::{ReadContext, SourceSpec};
use crate::ui::Ui;

/// How long a request may take before progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_millis(400);
/// How often progress is printed where lines cannot be overwritten.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);
/// How long a cancelled read may take to return what it has.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

/// The context of one command. Connections live in its runtime, so it lasts from the first request to the last.
pub(super) struct CommandContext<'a> {
    pub(super) spec: &'a SourceSpec,
    /// The name of the command, for hints.
    pub(super) command: &'static str,
    pub(super) read: ReadContext,
    runtime: Option<Runtime>,
    /// How many warnings of the server were printed.
    warnings: Cell<usize>,
}

impl<'a> CommandContext<'a> {
    pub(super) fn new(spec: &'a SourceSpec, command: &'static str) -> Result<Self, Failure> {
        // Two threads: one for requests in flight, one to decode responses.
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| cannot_start(&error))?;
        Ok(Self {
            spec,
            command,
            read: ReadContext { cancel: spec.interrupt.start_reading(), ..ReadContext::default() },
            runtime: Some(runtime),
            warnings: Cell::new(0),
        })
    }

    /// Opens the source.
    pub(super) fn open(&self, ui: &mut Ui) -> Result<Session, Failure> {
        self.run_with_progress(ui, Session::open(self.spec, &self.read))
    }

    /// Runs `work` and shows progress if it is slow. Ctrl-C cancels the work, which may still return what it has.
    pub(super) fn run_with_progress<T>(
        &self,
        ui: &mut Ui,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.block_on(with_progress(&self.read, ui, work))
    }

    /// Runs `work`.
    pub(super) fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        match &self.runtime {
            Some(runtime) => runtime.block_on(work),
            None => unreachable!("the runtime is taken only when the context is dropped"),
        }
    }

    /// Prints the warnings of the server that were not printed yet.
    pub(super) fn show_warnings(&self, session: &Session, ui: &mut Ui) {
        let all = session.warnings();
        for warning in all.iter().skip(self.warnings.replace(all.len())) {
            ui.warn(warning);
        }
    }

    /// The outcome, or with `--warnings-as-errors` a failure if the server sent warnings, as kubectl does.
    pub(super) fn finish(&self, outcome: Outcome) -> anyhow::Result<Outcome> {
        match self.warnings.get() {
            0 => Ok(outcome),
            _ if !self.spec.warnings_as_errors || outcome == Outcome::Interrupted => Ok(outcome),
            count => {
                Err(Failure::new(FailureKind::Server, format!("{} received", counted(count, "warning")))
                    .into())
            }
        }
    }

    /// Whether the user pressed Ctrl-C.
    pub(super) fn is_interrupted(&self) -> bool {
        self.read.cancel.is_cancelled()
    }
}

impl Drop for CommandContext<'_> {
    fn drop(&mut self) {
        // Does not wait for a DNS lookup, which cannot be cancelled.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Shows progress while `work` runs, and cancels it on Ctrl-C.
pub(super) async fn with_progress<T>(
    context: &ReadContext,
    ui: &mut Ui,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut work = std::pin::pin!(work);
    let mut progress = ProgressLine { written: None };
    let result = loop {
        tokio::select! {
            // In this order, so that Ctrl-C is handled before the first request is sent.
            biased;
            () = context.cancel.cancelled() => {
                break tokio::time::timeout(CANCEL_TIMEOUT, work).await.unwrap_or_else(|_| Err(interrupted()));
            }
            result = &mut work => break result,
            () = tokio::time::sleep(Duration::from_millis(100)) => progress.update(context, ui),
        }
    };
    ui.clear_progress();
    result
}

struct ProgressLine {
    written: Option<Instant>,
}

impl ProgressLine {
    fn update(&mut self, context: &ReadContext, ui: &mut Ui) {
        let is_due = self
            .written
            .is_none_or(|written| ui.overwrites_progress() || written.elapsed() >= PROGRESS_INTERVAL);
        let slow = context.progress.slowest().filter(|slowest| slowest.waited >= PROGRESS_DELAY && is_due);
        if let Some(slowest) = slow {
            let others =
                if slowest.others > 0 { format!(" and {} more", slowest.others) } else { String::new() };
            ui.show_progress(&format!(
                "waiting for {}{others} ({:.1} s)",
                slowest.what,
                slowest.waited.as_secs_f32()
            ));
            self.written = Some(Instant::now());
        }
    }
}

pub(super) fn interrupted() -> Failure {
    Failure::new(FailureKind::Interrupted, "interrupted")
}

fn cannot_start(error: &io::Error) -> Failure {
    Failure::new(FailureKind::Configuration, format!("cannot start threads: {error}"))
        .hint("the limit on processes or open files may be reached: check ulimit -a")
}

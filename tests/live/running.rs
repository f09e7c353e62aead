//! The binary running in the background: its output so far, and its exit.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result};
use lab::wait::until_within;

/// Far longer than any pause of a watch.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a call may take to end; longer than any `--timeout` of a test.
const END_TIMEOUT: Duration = Duration::from_secs(360);

/// A process that is ended when this is dropped, however the test went.
pub(crate) struct RunningCommand {
    child: Child,
    out: CapturedPipe,
    err: CapturedPipe,
}

/// What was read from a pipe so far.
struct CapturedPipe {
    text: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl CapturedPipe {
    fn new(mut pipe: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let said = String::from_utf8_lossy(&buffer[..count]).into_owned();
                shared.lock().unwrap_or_else(PoisonError::into_inner).push_str(&said);
            }
        });
        Self { text, reader: Some(reader) }
    }

    fn so_far(&self) -> String {
        self.text.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl RunningCommand {
    /// Starts `kubectl-op` with a clean environment.
    pub(crate) fn op(kubeconfig: &Path, words: &[&str]) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-op"))
            .env_clear()
            .env("KUBECONFIG", kubeconfig)
            .env("LANG", "C.UTF-8")
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let out = CapturedPipe::new(child.stdout.take().context("a pipe")?);
        let err = CapturedPipe::new(child.stderr.take().context("a pipe")?);
        Ok(Self { child, out, err })
    }

    /// What it has written to stdout.
    pub(crate) fn out(&self) -> String {
        self.out.so_far()
    }

    /// What it has written to stderr.
    pub(crate) fn err(&self) -> String {
        self.err.so_far()
    }

    /// Waits until a line of stdout has all these words in it, and gives it back.
    pub(crate) async fn line(&self, words: &[&str]) -> Result<String> {
        let what = format!("a line with {words:?}");
        let found = until_within(OUTPUT_TIMEOUT, &what, async || {
            let out = self.out();
            Ok(out.lines().find(|line| words.iter().all(|word| line.contains(word))).map(str::to_owned))
        });
        found.await.with_context(|| format!("{}\n--- stderr\n{}", self.out(), self.err()))
    }

    /// Waits until stderr has these words in it.
    pub(crate) async fn note(&self, words: &str) -> Result<()> {
        let what = format!("the note {words:?}");
        let found =
            until_within(OUTPUT_TIMEOUT, &what, async || Ok(self.err().contains(words).then_some(())));
        found.await.with_context(|| format!("{}\n--- stderr\n{}", self.out(), self.err()))
    }

    /// Presses Ctrl-C; gives the exit code and everything that was written.
    pub(crate) async fn interrupt(self) -> Result<(Option<i32>, String, String)> {
        Command::new("kill").args(["-INT", &self.child.id().to_string()]).status()?;
        self.ended(OUTPUT_TIMEOUT, "the end after Ctrl-C").await
    }

    /// Waits until it ends by itself; gives the exit code and everything that was written.
    pub(crate) async fn end(self) -> Result<(Option<i32>, String, String)> {
        self.ended(END_TIMEOUT, "the call to end").await
    }

    async fn ended(mut self, limit: Duration, what: &str) -> Result<(Option<i32>, String, String)> {
        let code = until_within(limit, what, async || Ok(self.child.try_wait()?.map(|status| status.code())))
            .await
            .with_context(|| format!("{}\n--- stderr\n{}", self.out(), self.err()))?;
        for pipe in [&mut self.out, &mut self.err] {
            if let Some(reader) = pipe.reader.take() {
                let _ = reader.join();
            }
        }
        Ok((code, self.out(), self.err()))
    }
}

impl Drop for RunningCommand {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

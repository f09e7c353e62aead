//! Processes that end with the process that started them.
//!
//! The supervisor is this same binary, called again (see [`crate::run_as_subprocess`]), holding the other end of a
//! pipe: when the pipe closes, because a test ended, panicked or was killed with SIGKILL, it kills everything it
//! started and removes the lab's folder. A parent-death signal would need unsafe code and fires when a *thread* ends.

mod serve;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

pub(crate) use serve::supervisor_main;

/// The subcommand that runs this binary as a supervisor.
pub(crate) const SUBCOMMAND: &str = "lab-supervisor";

/// What the supervisor is to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// Unique per supervisor; the log is `logs/<name>.log` in its folder.
    pub name: String,
    pub path: PathBuf,
    pub args: Vec<String>,
    /// Where it runs; the supervisor's folder when not given.
    pub folder: Option<PathBuf>,
    /// Added to the environment.
    pub env: Vec<(String, String)>,
}

impl Program {
    /// A program with arguments, in the supervisor's folder, with no further environment.
    pub fn new<A: Into<String>>(name: &str, path: &Path, args: impl IntoIterator<Item = A>) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { name: name.to_owned(), path: path.to_owned(), args, folder: None, env: Vec::new() }
    }

    /// Adds a variable to the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }
}

/// What becomes of the supervisor's folder when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    Removed,
    Kept,
}

/// One line to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
enum Request {
    Spawn(Program),
    Stop(String),
    State(String),
}

/// One line from the supervisor.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Spawned(u32),
    Stopped,
    State(State),
    Failed(String),
}

/// The state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    Running(u32),
    /// Its exit status, as text.
    Ended(String),
    Succeeded,
    /// Never spawned, or stopped.
    Unknown,
}

/// The end of the pipe that keeps the programs alive.
pub struct Supervisor {
    folder: PathBuf,
    child: Mutex<Child>,
    pipe: Mutex<Option<Pipe>>,
}

struct Pipe {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Supervisor {
    /// Starts a supervisor whose programs log below `folder`.
    pub fn start(folder: &Path, afterwards: Folder) -> Result<Self> {
        let logs = folder.join("logs");
        std::fs::create_dir_all(&logs).with_context(|| format!("failed to create {}", logs.display()))?;
        let log = logs.join("supervisor.log");
        let log = File::create(&log).with_context(|| format!("failed to create {}", log.display()))?;
        let exe = std::env::current_exe().context("failed to find this binary")?;
        let mut command = Command::new(exe);
        command.arg(SUBCOMMAND).arg(folder);
        if afterwards == Folder::Removed {
            command.arg("--remove");
        }
        // A group of its own: Ctrl-C in the terminal reaches the test only, which then closes the pipe.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().context("failed to start the supervisor")?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the supervisor has no pipes");
        };
        let pipe = Mutex::new(Some(Pipe { to, from: BufReader::new(from) }));
        Ok(Self { folder: folder.to_owned(), child: Mutex::new(child), pipe })
    }

    /// Starts a program; its process id.
    pub fn spawn(&self, program: Program) -> Result<u32> {
        let name = program.name.clone();
        match self.ask(&Request::Spawn(program))? {
            Reply::Spawned(pid) => Ok(pid),
            other => Err(unexpected(&name, other)),
        }
    }

    /// Kills a program and waits until it is gone. Not running is fine.
    pub fn stop(&self, name: &str) -> Result<()> {
        match self.ask(&Request::Stop(name.to_owned()))? {
            Reply::Stopped => Ok(()),
            other => Err(unexpected(name, other)),
        }
    }

    /// The state of a program.
    pub fn state(&self, name: &str) -> Result<State> {
        match self.ask(&Request::State(name.to_owned()))? {
            Reply::State(state) => Ok(state),
            other => Err(unexpected(name, other)),
        }
    }

    /// The supervisor's own process id.
    pub fn pid(&self) -> u32 {
        self.child.lock().map(|child| child.id()).unwrap_or_default()
    }

    /// Where a program's log is.
    pub fn log(&self, name: &str) -> PathBuf {
        log_of(&self.folder, name)
    }

    fn ask(&self, request: &Request) -> Result<Reply> {
        let mut guard = self
            .pipe
            .lock()
            .map_err(|_| anyhow::anyhow!("a thread panicked while it talked to the supervisor"))?;
        let pipe = guard.as_mut().context("the supervisor is being stopped")?;
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        pipe.to.write_all(line.as_bytes()).context("the supervisor is gone")?;
        pipe.to.flush().context("the supervisor is gone")?;
        let mut answer = String::new();
        pipe.from.read_line(&mut answer).context("the supervisor is gone")?;
        serde_json::from_str(&answer).with_context(|| format!("the supervisor said {answer:?}"))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if let Ok(mut pipe) = self.pipe.lock() {
            pipe.take();
        }
        let Ok(mut child) = self.child.lock() else { return };
        // The supervisor kills with SIGKILL, so this takes milliseconds; the limit is for a machine that is overloaded.
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn unexpected(name: &str, reply: Reply) -> anyhow::Error {
    match reply {
        Reply::Failed(why) => anyhow::anyhow!("{name}: {why}"),
        other => anyhow::anyhow!("{name}: the supervisor answered {other:?}"),
    }
}

fn log_of(folder: &Path, name: &str) -> PathBuf {
    folder.join("logs").join(format!("{name}.log"))
}

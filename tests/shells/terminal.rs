//! A program in a terminal, by `script` of util-linux: keys in, screen out.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::cases::Case;

/// How long anything may take; only a failing test waits that long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Whether a program can be run here.
pub(crate) fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Why a test cannot run, if one of its programs is not here.
pub(crate) fn missing(programs: &[&str]) -> Option<String> {
    let absent: Vec<&str> = programs.iter().copied().filter(|program| !has(program)).collect();
    (!absent.is_empty()).then(|| format!("{} cannot be run", absent.join(", ")))
}

/// A running program and what it has printed so far.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts `call` in a terminal of 80 columns.
    pub(crate) fn start(call: &str, home: &Path, env: &[(&str, &Path)]) -> Result<Self, Failed> {
        let mut child = Command::new("script")
            .args(["-qefc", &format!("stty cols 80 rows 40; exec {call}"), "/dev/null"])
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .env("HOME", home)
            .envs(env.iter().copied())
            .current_dir(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let keys = child.stdin.take().ok_or("no pipe to it")?;
        let mut output = child.stdout.take().ok_or("no pipe from it")?;
        let screen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&screen);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shared.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Ok(Self { child, keys, screen, reader })
    }

    pub(crate) fn press(&mut self, keys: &str) -> Result<(), Failed> {
        self.keys.write_all(keys.as_bytes())?;
        Ok(self.keys.flush()?)
    }

    /// What was printed, with all escape sequences.
    pub(crate) fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).into_owned()
    }

    /// Waits until `found` has a result.
    pub(crate) fn wait_for<T>(&self, what: &str, found: impl Fn(&str) -> Option<T>) -> Result<T, Failed> {
        let started = Instant::now();
        loop {
            let screen = self.screen();
            if let Some(found) = found(&screen) {
                return Ok(found);
            }
            if started.elapsed() > PATIENCE {
                return Err(Failed::from(format!("{what} did not happen:\n{screen}")));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The exit code and everything that was printed.
    pub(crate) fn end(mut self) -> Result<(Option<i32>, String), Failed> {
        drop(self.keys);
        let status = self.child.wait()?;
        drop(self.reader.join());
        let screen = self.screen.lock().unwrap();
        Ok((status.code(), String::from_utf8_lossy(&screen).into_owned()))
    }
}

/// A home folder with an executable `kubectl-op` that only writes down its arguments.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self { folder: TempDir::new().unwrap() };
        let listener = "#!/bin/sh\nprintf 'kubectl-op %s\\n' \"$*\" >>\"$HOME/calls\"\n";
        home.write("bin/kubectl-op", listener);
        home.write("calls", "");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(home.path("bin/kubectl-op"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The completion script for a shell, as the binary prints it.
    pub(crate) fn script(shell: &str) -> String {
        let output =
            Command::new(env!("CARGO_BIN_EXE_kubectl-op")).args(["completion", shell]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Types every case at the prompt of a shell, then TAB and Enter, and compares what was called.
    pub(crate) fn type_all(&self, shell: &str, cases: &[Case]) -> Result<(), Failed> {
        let mut terminal = Terminal::start(shell, self.folder.path(), &[("ZDOTDIR", self.folder.path())])?;
        terminal.wait_for("the prompt", |screen| screen.contains("ready>").then_some(()))?;
        let mut wrong = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            terminal.press(&format!("{}\t\r", case.typed))?;
            let called = terminal.wait_for(&case.typed, |_| {
                let calls = fs::read_to_string(self.path("calls")).unwrap();
                calls.ends_with('\n').then(|| calls.lines().nth(at).map(str::to_owned)).flatten()
            })?;
            // zsh adds `=` to a flag with a value.
            if called.trim_end_matches([' ', '=']) != case.completed {
                wrong.push(format!("{} TAB: {called:?}, not {:?}", case.typed, case.completed));
            }
        }
        terminal.press("exit\r")?;
        terminal.end()?;
        if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
    }
}

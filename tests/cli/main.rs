//! The binary as a user runs it: arguments in; stdout, stderr and exit code out, as one text.
//!
//! One file per topic. Every call gets an empty environment and a home folder of its own, so no kubeconfig
//! of the person who runs the tests is ever read.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod color;
mod completion;
mod events;
mod explain;
mod from;
mod help;
mod hostile;
mod interrupt;
mod krew;
mod kubeconfig;
mod layout;
mod logs;
mod next;
mod options;
mod pipe;
mod plugin;
mod proxy;
mod quoting;
mod readme;
mod server;
mod settings;
mod status;
mod status_list;
mod tree;
mod usage_error;
mod version;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A home folder and an environment of its own to run the binary in.
struct TestHome {
    folder: TempDir,
    env: Vec<(String, String)>,
}

impl TestHome {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), env: Vec::new() }
    }

    /// Sets a variable; `~` stands for the home folder.
    fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.replace('~', &self.path().display().to_string())));
        self
    }

    /// Writes a file under the home folder.
    fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The call, not made yet. Words are split at spaces; `~` stands for the home folder.
    fn command(&self, words: &str) -> Command {
        let home = self.path().display().to_string();
        let mut command = Command::new(binary());
        command.env_clear().env("HOME", &home).env("COLUMNS", "100").current_dir(&home);
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.args(words.split_whitespace().map(|word| word.replace('~', &home)));
        command.stdin(Stdio::null());
        command
    }

    /// Makes the call and shows all that came of it.
    fn call(&self, words: &str) -> String {
        self.show(&self.command(words).output().unwrap())
    }

    fn show(&self, output: &Output) -> String {
        let text = format!(
            "{}{}{}",
            String::from_utf8_lossy(&output.stdout),
            section("stderr", &output.stderr),
            match output.status.code() {
                Some(code) => format!("--- exit {code}\n"),
                None => format!("--- {}\n", output.status),
            }
        );
        text.replace(&self.path().display().to_string(), "~")
            .replace(&kubectl_op::connection::platform(), "OS/ARCH")
            .replace(&format!("v{}", env!("CARGO_PKG_VERSION")), "vX.Y.Z")
    }
}

fn section(title: &str, bytes: &[u8]) -> String {
    if bytes.is_empty() { String::new() } else { format!("--- {title}\n{}", String::from_utf8_lossy(bytes)) }
}

fn binary() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("kubectl-op").to_path_buf()
}

/// A call that needs nothing around it.
fn call(words: &str) -> String {
    TestHome::new().call(words)
}

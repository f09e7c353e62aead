//! The supervisor's side of the pipe: plain blocking code, so that nothing can keep it from noticing that the pipe was
//! closed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

use super::{Program, Reply, Request, State, log_of};

/// Serves requests until standard input ends, then kills every program. `args`: the folder, then `--remove`
/// when it is to go as well.
pub(crate) fn supervisor_main(mut args: impl Iterator<Item = String>) -> Result<()> {
    let folder = PathBuf::from(args.next().context("the supervisor wants a folder")?);
    let remove = args.next().is_some();
    let mut programs = Programs { folder: folder.clone(), children: BTreeMap::new() };
    let served = serve(&mut programs);
    programs.stop_all();
    if remove {
        std::fs::remove_dir_all(&folder).with_context(|| format!("failed to remove {}", folder.display()))?;
    }
    served
}

fn serve(programs: &mut Programs) -> Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?).context("not a request")?;
        let reply = programs.answer(request);
        serde_json::to_writer(&mut out, &reply)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

struct Programs {
    folder: PathBuf,
    children: BTreeMap<String, Child>,
}

impl Programs {
    fn answer(&mut self, request: Request) -> Reply {
        match request {
            Request::Spawn(program) => match self.spawn(program) {
                Ok(pid) => Reply::Spawned(pid),
                Err(error) => Reply::Failed(format!("{error:#}")),
            },
            Request::Stop(name) => {
                if let Some(mut child) = self.children.remove(&name) {
                    stop(&mut child);
                }
                Reply::Stopped
            }
            Request::State(name) => Reply::State(self.state(&name)),
        }
    }

    fn spawn(&mut self, program: Program) -> Result<u32> {
        if let State::Running(pid) = self.state(&program.name) {
            anyhow::bail!("already runs as process {pid}");
        }
        let log = open_log(&log_of(&self.folder, &program.name))?;
        let child = Command::new(&program.path)
            .args(&program.args)
            .envs(program.env)
            .current_dir(program.folder.as_ref().unwrap_or(&self.folder))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("failed to start {}", program.path.display()))?;
        let pid = child.id();
        self.children.insert(program.name, child);
        Ok(pid)
    }

    fn state(&mut self, name: &str) -> State {
        match self.children.get_mut(name).map(|child| (child.id(), child.try_wait())) {
            None => State::Unknown,
            Some((pid, Ok(None))) => State::Running(pid),
            Some((_, Ok(Some(status)))) if status.success() => State::Succeeded,
            Some((_, Ok(Some(status)))) => State::Ended(status.to_string()),
            Some((_, Err(error))) => State::Ended(error.to_string()),
        }
    }

    fn stop_all(&mut self) {
        // All first, then wait: a control plane whose etcd goes first only fills its logs.
        for child in self.children.values_mut() {
            let _ = child.kill();
        }
        for child in self.children.values_mut() {
            let _ = child.wait();
        }
    }
}

fn stop(child: &mut Child) {
    // Both fail only when the process has ended by itself, which is what is wanted.
    let _ = child.kill();
    let _ = child.wait();
}

/// Appends, so that a program that is restarted keeps the log of its earlier runs.
fn open_log(path: &Path) -> Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("failed to open {}", path.display()))
}

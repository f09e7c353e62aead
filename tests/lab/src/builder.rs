//! Builds the control plane's binaries from published Go modules, once, however many tests ask.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::binaries::Recipe;
use crate::log_progress;
use crate::supervisor::{Folder, Program, State, Supervisor};

/// How often the progress of a build is printed.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(20);
/// A build that takes longer hangs; the slowest seen was six minutes, on two cores.
const BUILD_TIMEOUT: Duration = Duration::from_secs(40 * 60);

/// Builds these recipes into the cache. Waits for another process that builds at the same time, and does not build
/// again what it has built.
pub(crate) fn build(cache: &Path, recipes: &[&Recipe]) -> Result<()> {
    let bin = cache.join("bin");
    std::fs::create_dir_all(&bin).with_context(|| format!("failed to create {}", bin.display()))?;
    let _lock = lock(&cache.join("lock"))?;
    let mut left = Vec::new();
    for recipe in recipes {
        if !recipe.cached(cache)?.is_file() {
            left.push(*recipe);
        }
    }
    let supervisor = Supervisor::start(cache, Folder::Kept)?;
    for (index, recipe) in left.iter().enumerate() {
        let label = format!("{}, {} of {}", recipe.name, index + 1, left.len());
        build_one(&supervisor, cache, recipe, &label)?;
    }
    Ok(())
}

fn build_one(supervisor: &Supervisor, cache: &Path, recipe: &Recipe, label: &str) -> Result<()> {
    let name = format!("build-{}", recipe.name);
    let log = supervisor.log(&name);
    let target = recipe.cached(cache)?;
    // A build that is cut short must not look like a finished one.
    let unfinished = target.with_extension("unfinished");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("go").join(recipe.folder);
    log_progress(&format!("building {label}; log: {}", log.display()));
    let started = Instant::now();
    supervisor.spawn(go_build(&name, recipe, &folder, &unfinished)?).with_context(|| {
        format!("cannot build {}: is Go installed? (a folder with the binaries in KUBEBUILDER_ASSETS does as well)", recipe.name)
    })?;
    let mut mentioned = Instant::now();
    loop {
        match supervisor.state(&name)? {
            State::Succeeded => break,
            State::Running(_) if started.elapsed() < BUILD_TIMEOUT => {
                std::thread::sleep(Duration::from_millis(100));
            }
            State::Running(_) => bail!("gave up on building {}; log: {}", recipe.name, log.display()),
            State::Ended(status) => {
                bail!("failed to build {} ({status}); log: {}", recipe.name, log.display())
            }
            State::Unknown => bail!("the build of {} was lost", recipe.name),
        }
        if mentioned.elapsed() >= PROGRESS_INTERVAL {
            mentioned = Instant::now();
            log_progress(&format!("building {label}, {} so far", human(started.elapsed())));
        }
    }
    std::fs::rename(&unfinished, &target)
        .with_context(|| format!("failed to move {} into place", target.display()))
}

fn go_build(name: &str, recipe: &Recipe, folder: &Path, output: &Path) -> Result<Program> {
    let version = recipe.version()?;
    let numbers: Vec<&str> = version.trim_start_matches('v').split('.').collect();
    let [major, minor, _] = numbers.as_slice() else { bail!("{version} is not a version") };
    // Without these the server calls itself v0.0.0-master+$Format:%H$, which kubectl cannot parse.
    let package = "k8s.io/component-base/version";
    let link = format!(
        "-s -w -X {package}.gitVersion={version} -X {package}.gitMajor={major} -X {package}.gitMinor={minor}"
    );
    let output = output.display().to_string();
    let args = ["build", "-trimpath", "-ldflags", &link, "-o", &output, recipe.package];
    let mut program = Program::new(name, &PathBuf::from("go"), args).env("CGO_ENABLED", "0");
    program.folder = Some(folder.to_owned());
    Ok(program)
}

/// Held until the file is closed, also by a crash.
fn lock(path: &Path) -> Result<File> {
    let file = File::create(path).with_context(|| format!("failed to create {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            log_progress("waiting for another process that builds the lab");
            file.lock().with_context(|| format!("failed to lock {}", path.display()))?;
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("failed to lock {}", path.display()));
        }
    }
    Ok(file)
}

fn human(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

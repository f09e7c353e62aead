//! A system outside the cluster, for an operator that has to clean up there: a folder below that of the lab.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::World;

/// Whether the external system lets an operator clean up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    Works,
    /// Every cleanup fails, with an event and, where there is a status, a message; the finalizer stays.
    Refused,
}

/// The external system as one operator sees it.
#[derive(Clone, Debug)]
pub(super) struct ExternalSystem {
    folder: PathBuf,
    world: World,
}

impl ExternalSystem {
    pub(super) fn new(lab: &Path, world: World) -> Self {
        Self { folder: lab.join("outside"), world }
    }

    /// The folder with one file per VM.
    pub(super) fn vms(&self) -> PathBuf {
        self.folder.join("vms")
    }

    /// Lets cleanups work or fail from now on.
    pub(super) fn set(&self, cleanup: Cleanup) -> Result<()> {
        let marker = self.marker();
        let done = match cleanup {
            Cleanup::Refused => fs::create_dir_all(self.refusals())
                .and_then(|()| fs::write(&marker, "maintenance until further notice\n")),
            Cleanup::Works => match fs::remove_file(&marker) {
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                done => done,
            },
        };
        done.with_context(|| format!("failed to set {}", marker.display()))
    }

    /// Fails while cleanups are refused.
    pub(super) fn ensure_cleanup_allowed(&self) -> Result<()> {
        if self.marker().exists() {
            bail!("the outside system refuses: 503 maintenance until further notice");
        }
        Ok(())
    }

    fn refusals(&self) -> PathBuf {
        self.folder.join("refuses")
    }

    fn marker(&self) -> PathBuf {
        self.refusals().join(self.world.names().name)
    }
}

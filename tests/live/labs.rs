//! At most two labs at once: the shared one, and one for a test that breaks things. When the last shared test
//! is done, its lab is stopped, and two breaking tests can run side by side.

use std::sync::{Condvar, Mutex};

use anyhow::Result;
use lab::Lab;
use lab::large_namespace::LargeNamespace;
use tokio::runtime::Runtime;

const AT_ONCE: usize = 2;

/// The labs of one test run.
pub(crate) struct Labs {
    running: Mutex<usize>,
    changed: Condvar,
    shared: Mutex<Shared>,
}

struct Shared {
    /// Tests that have yet to finish with it.
    left: usize,
    lab: Option<Result<Lab, String>>,
}

/// The right to run a lab; given back when dropped.
pub(crate) struct Permit<'a>(&'a Labs);

impl Labs {
    /// For a run in which so many tests want the shared lab.
    pub(crate) fn new(shared_tests: usize) -> Self {
        let shared = Mutex::new(Shared { left: shared_tests, lab: None });
        Self { running: Mutex::new(0), changed: Condvar::new(), shared }
    }

    /// Waits until another lab may run.
    pub(crate) fn permit(&self) -> Permit<'_> {
        let running = self.running.lock().expect(POISON);
        let mut running = self.changed.wait_while(running, |running| *running >= AT_ONCE).expect(POISON);
        *running += 1;
        Permit(self)
    }

    /// The shared lab, which the first test that asks for it starts. A lab that does not start is tried once.
    pub(crate) fn shared(&self, runtime: &Runtime) -> Result<Lab> {
        let mut shared = self.shared.lock().expect(POISON);
        if shared.lab.is_none() {
            // Given back by `done_with_shared`.
            std::mem::forget(self.permit());
            shared.lab = Some(runtime.block_on(lab_with_operators()).map_err(|error| format!("{error:#}")));
        }
        match &shared.lab {
            Some(Ok(lab)) => Ok(lab.clone()),
            Some(Err(why)) => Err(anyhow::anyhow!("the shared lab did not start: {why}")),
            None => unreachable!("it was just set"),
        }
    }

    /// Says that one test needs the shared lab no more.
    pub(crate) fn done_with_shared(&self) {
        let mut shared = self.shared.lock().expect(POISON);
        shared.left -= 1;
        if shared.left == 0 {
            shared.lab = None;
            drop(Permit(self));
        }
    }

    /// Stops what still runs.
    pub(crate) fn close(&self) {
        self.shared.lock().expect(POISON).lab = None;
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.running.lock().expect(POISON) -= 1;
        self.0.changed.notify_all();
    }
}

const POISON: &str = "no test panics while it holds this";

/// A lab with all five operators. Every kind that a test on it needs is defined here: a kind that another test
/// defines would be a gap in the answers of this one until the server serves it.
async fn lab_with_operators() -> Result<Lab> {
    let lab = Lab::start().await?;
    crate::worlds::install_operators(&lab).await?;
    LargeNamespace::define(&lab.client(), crate::dump::KINDS).await?;
    Ok(lab)
}

//! A person's wish to stop, for readers that then give back what they have.

use std::sync::Arc;

use tokio::sync::watch;

/// Asked once, heard by all clones.
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    /// Asks everybody to stop.
    pub fn ask(&self) {
        self.0.send_replace(true);
    }

    /// Whether that was asked.
    pub fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is asked.
    pub async fn asked(&self) {
        // The sender lives in self, so that waiting cannot fail.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}

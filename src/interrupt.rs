//! Ctrl-C: the first one asks for what is known, the second one ends the process. While nothing can be known yet, the
//! first one ends it, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{io, process, thread};

use tokio_util::sync::CancellationToken;

use crate::error::Outcome;
use crate::ui;

/// Whether the user pressed Ctrl-C. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    token: CancellationToken,
    is_reading: Arc<AtomicBool>,
}

/// What the process does about Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaction {
    /// The command was told, and prints what is known.
    Told,
    /// The process ends at once.
    Exit,
}

impl Interrupt {
    /// Handles Ctrl-C from now on, on a thread of its own, because every other thread may be computing or blocked. If the
    /// thread cannot be started, Ctrl-C ends the process as the system does it.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let shared = interrupt.clone();
        drop(thread::Builder::new().name("ctrl-c".to_owned()).spawn(move || shared.handle_presses()));
        interrupt
    }

    fn handle_presses(&self) {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let Ok(mut presses) = ctrl_c() else { return };
            while presses.recv().await.is_some() {
                if self.press() == Reaction::Exit {
                    exit();
                }
            }
        });
    }

    /// Says that from now on a part of the answer may be known. Returns what is cancelled by the first Ctrl-C.
    pub fn start_reading(&self) -> CancellationToken {
        self.is_reading.store(true, Ordering::SeqCst);
        self.token.clone()
    }

    /// Whether the first Ctrl-C was pressed.
    pub fn is_pressed(&self) -> bool {
        self.token.is_cancelled()
    }

    /// The user pressed Ctrl-C.
    fn press(&self) -> Reaction {
        if !self.is_reading.load(Ordering::SeqCst) || self.token.is_cancelled() {
            return Reaction::Exit;
        }
        self.token.cancel();
        Reaction::Told
    }
}

#[cfg(unix)]
fn ctrl_c() -> io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn ctrl_c() -> io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}

#[expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "the only exit besides main: Ctrl-C ends the process whatever else it is doing"
)]
fn exit() -> ! {
    ui::restore_terminal();
    process::exit(Outcome::Interrupted.code().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_ends_the_process_and_the_first_only_if_nothing_is_known() {
        let interrupt = Interrupt::default();
        assert_eq!(interrupt.press(), Reaction::Exit);
        let token = interrupt.start_reading();
        assert!(!token.is_cancelled());
        assert_eq!(interrupt.clone().press(), Reaction::Told);
        assert!(token.is_cancelled());
        assert_eq!(interrupt.press(), Reaction::Exit);
    }
}

//! Ctrl-C, as the code that reads and the process see it: the first one asks for what is known, the second one ends the
//! process. While nothing can be known yet, the first one ends it, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::CancellationToken;

/// Whether the user pressed Ctrl-C. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    token: CancellationToken,
    is_reading: Arc<AtomicBool>,
}

/// What the process does about Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// The command was told, and prints what is known.
    Told,
    /// The process ends at once.
    Exit,
}

impl Interrupt {
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
    pub fn press(&self) -> Reaction {
        if !self.is_reading.load(Ordering::SeqCst) || self.token.is_cancelled() {
            return Reaction::Exit;
        }
        self.token.cancel();
        Reaction::Told
    }
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

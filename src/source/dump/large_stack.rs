//! Room for parsers that go down with the nesting of their text. How much a caller's own stack has left is not known:
//! the threads of a runtime have little, and so has the main one on Windows.

use std::{io, panic, thread};

/// Four times what the deepest text takes that is let through, without any optimisation.
const STACK_SIZE: usize = 16 << 20;

/// Does some work on a stack of its own. The error is that none can be had.
pub(super) fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        worker.join().or_else(|panicked| panic::resume_unwind(panicked))
    })
}

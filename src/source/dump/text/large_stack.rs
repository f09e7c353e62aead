//! A large stack for recursive parsers. The caller's own stack may be small: threads of a runtime have little, and so
//! has the main thread on Windows.

use std::{io, panic, thread};

/// Four times what the most deeply nested accepted text needs in a build without optimisation.
const STACK_SIZE: usize = 16 << 20;

/// Runs `work` on a thread with a large stack. The error is that the thread could not be started.
pub(in crate::source::dump) fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work)?;
        worker.join().or_else(|panicked| panic::resume_unwind(panicked))
    })
}

//! A reader that fails once the user has cancelled: what was read until then is kept.

use std::io::{self, Read};

use tokio_util::sync::CancellationToken;

/// A reader that can be cancelled between two reads. A read that blocks is not interrupted.
pub(super) struct CancellableReader<R> {
    input: R,
    cancel: CancellationToken,
}

impl<R: Read> CancellableReader<R> {
    pub(super) fn new(input: R, cancel: &CancellationToken) -> Self {
        Self { input, cancel: cancel.clone() }
    }
}

impl<R: Read> Read for CancellableReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            // Not of the kind `Interrupted`, after which readers try again.
            return Err(io::Error::other("interrupted"));
        }
        self.input.read(buffer)
    }
}

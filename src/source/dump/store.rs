//! Pieces of dumps that cannot be read twice (a pipe, an archive), kept in memory, compressed a block at a time.

use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// Large enough to compress well, small enough to be opened for one object.
const BLOCK: usize = 64 * 1024;

/// The pieces.
#[derive(Debug, Default)]
pub(super) struct Store {
    blocks: Vec<Vec<u8>>,
    /// The block that is being filled, not compressed yet.
    open: Vec<u8>,
    /// The block that was opened last: neighbours are often read together.
    last: Mutex<Option<Opened>>,
}

#[derive(Debug)]
struct Opened {
    block: usize,
    text: Vec<u8>,
}

/// Where a piece is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    block: usize,
    range: Range<usize>,
}

impl Store {
    /// Keeps a piece.
    pub(super) fn keep(&mut self, piece: &[u8]) -> Kept {
        if self.open.len() >= BLOCK {
            self.seal();
        }
        let start = self.open.len();
        self.open.extend_from_slice(piece);
        Kept { block: self.blocks.len(), range: start..self.open.len() }
    }

    /// A piece that was kept.
    pub(super) fn get(&self, kept: &Kept) -> Option<Vec<u8>> {
        let Some(block) = self.blocks.get(kept.block) else {
            return self.open.get(kept.range.clone()).map(<[u8]>::to_vec);
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|last| last.block != kept.block) {
            let mut text = Vec::new();
            DeflateDecoder::new(block.as_slice()).read_to_end(&mut text).ok()?;
            *last = Some(Opened { block: kept.block, text });
        }
        last.as_ref()?.text.get(kept.range.clone()).map(<[u8]>::to_vec)
    }

    fn seal(&mut self) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        // Writing into memory does not fail.
        if encoder.write_all(&self.open).is_ok()
            && let Ok(block) = encoder.finish()
        {
            self.blocks.push(block);
            self.open.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back() {
        let pieces: Vec<String> = (0..2_000).map(|number| format!("piece {number} ").repeat(20)).collect();
        let mut store = Store::default();
        let kept: Vec<Kept> = pieces.iter().map(|piece| store.keep(piece.as_bytes())).collect();
        assert!(store.blocks.len() > 3);
        for (piece, kept) in pieces.iter().zip(&kept) {
            assert_eq!(store.get(kept).as_deref(), Some(piece.as_bytes()));
        }
        assert!(store.blocks.iter().map(Vec::len).sum::<usize>() < 100_000);
    }
}

//! Keeps objects in memory whose text cannot be read twice, as from a pipe or an archive. They are compressed in blocks.

use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// Large enough to compress well, small enough to decompress for one object.
const BLOCK_SIZE: usize = 64 * 1024;

/// The stored texts.
#[derive(Debug, Default)]
pub(super) struct CompressedStore {
    blocks: Vec<Vec<u8>>,
    /// The block being filled, not compressed yet.
    open: Vec<u8>,
    /// The block decompressed last: neighbouring objects are often read together.
    cached: Mutex<Option<CachedBlock>>,
}

#[derive(Debug)]
struct CachedBlock {
    block: usize,
    text: Vec<u8>,
}

/// Where a stored text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredRange {
    block: usize,
    range: Range<usize>,
}

impl CompressedStore {
    /// Stores a text.
    pub(super) fn add(&mut self, text: &[u8]) -> StoredRange {
        if self.open.len() >= BLOCK_SIZE {
            self.compress_open_block();
        }
        let start = self.open.len();
        self.open.extend_from_slice(text);
        StoredRange { block: self.blocks.len(), range: start..self.open.len() }
    }

    /// Returns a stored text.
    pub(super) fn get(&self, stored: &StoredRange) -> Option<Vec<u8>> {
        let Some(block) = self.blocks.get(stored.block) else {
            return self.open.get(stored.range.clone()).map(<[u8]>::to_vec);
        };
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.as_ref().is_none_or(|cached| cached.block != stored.block) {
            let mut text = Vec::new();
            DeflateDecoder::new(block.as_slice()).read_to_end(&mut text).ok()?;
            *cached = Some(CachedBlock { block: stored.block, text });
        }
        cached.as_ref()?.text.get(stored.range.clone()).map(<[u8]>::to_vec)
    }

    fn compress_open_block(&mut self) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        // Writing to memory does not fail.
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
        let mut store = CompressedStore::default();
        let stored: Vec<StoredRange> = pieces.iter().map(|piece| store.add(piece.as_bytes())).collect();
        assert!(store.blocks.len() > 3);
        for (piece, stored) in pieces.iter().zip(&stored) {
            assert_eq!(store.get(stored).as_deref(), Some(piece.as_bytes()));
        }
        assert!(store.blocks.iter().map(Vec::len).sum::<usize>() < 100_000);
    }
}

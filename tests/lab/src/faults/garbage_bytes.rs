//! Bytes that mean nothing, the same ones every time, so that a failing test fails again.

/// So many meaningless bytes.
pub(super) fn bytes(length: usize) -> Vec<u8> {
    // Xorshift: short, and good enough to be no JSON, no protobuf and no UTF-8.
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_neither_text_nor_protobuf() {
        let garbage = bytes(64);
        assert_eq!(garbage.len(), 64);
        assert!(std::str::from_utf8(&garbage).is_err());
        assert!(!garbage.starts_with(b"k8s\0"));
        assert_eq!(garbage, bytes(64));
    }
}

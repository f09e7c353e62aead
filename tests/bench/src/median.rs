//! The middle of some measurements: one disturbed run does not move it.

/// The middle value; of an even number the lower one of the two, which was really measured.
pub(crate) fn median<T: Copy + Ord>(values: &[T]) -> Option<T> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outlier_does_not_move_it() {
        assert_eq!(median(&[3, 900, 1, 2, 4]), Some(3));
        assert_eq!(median(&[4, 1, 3, 2]), Some(2));
        assert_eq!(median(&[7]), Some(7));
        assert_eq!(median::<u64>(&[]), None);
    }
}

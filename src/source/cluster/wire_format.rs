//! The protobuf wire format as far as metadata needs it: the fields of a message, borrowed from its bytes.

/// The bytes are not protobuf, or not of the expected shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// The value of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireValue<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> WireValue<'a> {
    /// The text of a string field; empty if it is not UTF-8, which the server never sends.
    pub(super) fn text(self) -> &'a str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    /// The bytes of a string, bytes or message field; empty for a number.
    pub(super) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => &[],
        }
    }

    /// The number of an integer field; 0 for any other field.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Number(number) => number,
            Self::Bytes(_) => 0,
        }
    }
}

/// The fields of a message, in order.
#[derive(Clone)]
pub(super) struct WireFields<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for WireFields<'a> {
    type Item = Result<(u32, WireValue<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = take_field(self.0);
        // The start of the next field is unknown after a malformed one.
        self.0 = field.as_ref().map_or(&[], |(_, _, rest)| rest);
        Some(field.map(|(number, value, _)| (number, value)))
    }
}

type FieldAndRest<'a> = (u32, WireValue<'a>, &'a [u8]);

fn take_field(bytes: &[u8]) -> Result<FieldAndRest<'_>, Malformed> {
    let (tag, bytes) = take_varint(bytes)?.ok_or(Malformed)?;
    let number = u32::try_from(tag >> 3).map_err(|_| Malformed)?;
    match tag & 7 {
        0 => {
            take_varint(bytes)?.map(|(value, rest)| (number, WireValue::Number(value), rest)).ok_or(Malformed)
        }
        1 => split(bytes, 8).map(|(value, rest)| (number, WireValue::Bytes(value), rest)),
        2 => {
            let (length, bytes) = take_varint(bytes)?.ok_or(Malformed)?;
            let length = usize::try_from(length).map_err(|_| Malformed)?;
            split(bytes, length).map(|(value, rest)| (number, WireValue::Bytes(value), rest))
        }
        5 => split(bytes, 4).map(|(value, rest)| (number, WireValue::Bytes(value), rest)),
        _ => Err(Malformed),
    }
}

fn split(bytes: &[u8], at: usize) -> Result<(&[u8], &[u8]), Malformed> {
    bytes.split_at_checked(at).ok_or(Malformed)
}

/// A varint and the bytes after it; `None` if the bytes end within it.
pub(super) fn take_varint(bytes: &[u8]) -> Result<Option<(u64, &[u8])>, Malformed> {
    let mut value = 0_u64;
    for (index, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok(Some((value, &bytes[index + 1..])));
        }
    }
    if bytes.len() >= 10 { Err(Malformed) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_order() {
        let bytes = [0x08, 0x96, 0x01, 0x12, 0x02, b'h', b'i'];
        let fields: Vec<_> = WireFields(&bytes).collect();
        assert_eq!(fields, [Ok((1, WireValue::Number(150))), Ok((2, WireValue::Bytes(b"hi")))]);
    }

    #[test]
    fn a_length_past_the_end_is_malformed_and_ends_the_iteration() {
        let fields: Vec<_> = WireFields(&[0x12, 0x05, b'h', b'i']).collect();
        assert_eq!(fields, [Err(Malformed)]);
    }

    #[test]
    fn a_varint_may_be_incomplete_but_not_too_long() {
        assert_eq!(take_varint(&[0x80]), Ok(None));
        assert_eq!(take_varint(&[0xff; 11]), Err(Malformed));
    }
}

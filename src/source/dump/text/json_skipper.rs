//! Skips one JSON value without parsing it: counts brackets, steps over strings. Written by hand to save memory: finding
//! where a value ends must not build it. Whether the value is valid is left to the parser.

/// Skips a value that may arrive in several chunks.
#[derive(Clone, Copy, Debug)]
pub(in crate::source::dump) struct JsonSkipper {
    state: SkipState,
    depth: u32,
    /// The deepest nesting so far.
    pub(in crate::source::dump) deepest: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SkipState {
    /// Between the tokens of an object or array.
    Nested,
    String,
    /// After a backslash.
    Escape,
    /// A number, a literal or invalid text.
    Bare,
}

/// How much of a chunk was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) struct Skipped {
    /// How many bytes belong to the value.
    pub(in crate::source::dump) bytes: usize,
    /// How many line ends they contain.
    pub(in crate::source::dump) lines: u64,
    pub(in crate::source::dump) status: SkipStatus,
}

/// Whether the end of the value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum SkipStatus {
    Complete,
    Incomplete,
}

/// What a byte means outside strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    Other,
    Quote,
    Open,
    Close,
    Line,
}

const BYTE_CLASSES: [ByteClass; 256] = {
    let mut classes = [ByteClass::Other; 256];
    classes[b'"' as usize] = ByteClass::Quote;
    classes[b'{' as usize] = ByteClass::Open;
    classes[b'[' as usize] = ByteClass::Open;
    classes[b'}' as usize] = ByteClass::Close;
    classes[b']' as usize] = ByteClass::Close;
    classes[b'\n' as usize] = ByteClass::Line;
    classes
};

/// Bytes that matter inside a string.
const STRING_SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    special[b'"' as usize] = true;
    special[b'\\' as usize] = true;
    special[b'\n' as usize] = true;
    special
};

impl JsonSkipper {
    /// Starts at a value whose first byte is `first`; that byte is not skipped yet.
    pub(in crate::source::dump) fn new(first: u8) -> Self {
        let state = if matches!(first, b'{' | b'[' | b'"') { SkipState::Nested } else { SkipState::Bare };
        Self { state, depth: 0, deepest: 0 }
    }

    /// Skips as much of the chunk as belongs to the value.
    pub(in crate::source::dump) fn skip(&mut self, text: &[u8]) -> Skipped {
        let mut lines = 0;
        let mut at = 0;
        while at < text.len() {
            let status = match self.state {
                SkipState::Nested => self.skip_nested(text, &mut at, &mut lines),
                SkipState::String => self.skip_string(text, &mut at, &mut lines),
                SkipState::Escape => {
                    // A line end ends the string too, as below.
                    if text[at] != b'\n' {
                        at += 1;
                    }
                    self.state = SkipState::String;
                    SkipStatus::Incomplete
                }
                SkipState::Bare => {
                    let delimits = |byte: &u8| b",]}: \t\r\n\"{[".contains(byte);
                    let length = text[at..].iter().position(delimits);
                    at += length.unwrap_or(text.len() - at);
                    if length.is_some() { SkipStatus::Complete } else { SkipStatus::Incomplete }
                }
            };
            if status == SkipStatus::Complete {
                return Skipped { bytes: at, lines, status: SkipStatus::Complete };
            }
        }
        Skipped { bytes: at, lines, status: SkipStatus::Incomplete }
    }

    fn skip_nested(&mut self, text: &[u8], at: &mut usize, lines: &mut u64) -> SkipStatus {
        let mut here = *at;
        while let Some(byte) = text.get(here) {
            here += 1;
            match BYTE_CLASSES[usize::from(*byte)] {
                ByteClass::Other => {}
                ByteClass::Line => *lines += 1,
                ByteClass::Quote => {
                    self.state = SkipState::String;
                    break;
                }
                ByteClass::Open => {
                    self.depth = self.depth.saturating_add(1);
                    self.deepest = self.deepest.max(self.depth);
                }
                ByteClass::Close => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        *at = here;
                        return SkipStatus::Complete;
                    }
                }
            }
        }
        *at = here;
        SkipStatus::Incomplete
    }

    fn skip_string(&mut self, text: &[u8], at: &mut usize, lines: &mut u64) -> SkipStatus {
        let special = text[*at..].iter().position(|byte| STRING_SPECIAL[usize::from(*byte)]);
        let Some(length) = special else {
            *at = text.len();
            return SkipStatus::Incomplete;
        };
        *at += length + 1;
        self.state = match text[*at - 1] {
            b'\\' => SkipState::Escape,
            // A JSON string cannot contain a line end: a quote is missing. Ending the string here limits the damage.
            b'\n' => {
                *lines += 1;
                SkipState::Nested
            }
            _ => SkipState::Nested,
        };
        if self.state == SkipState::Nested && self.depth == 0 {
            SkipStatus::Complete
        } else {
            SkipStatus::Incomplete
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(text: &str) -> Skipped {
        JsonSkipper::new(text.as_bytes()[0]).skip(text.as_bytes())
    }

    #[test]
    fn a_value_ends_where_it_ends() {
        for (text, length) in [
            ("{} ,", 2),
            (r#"{"a":[1,{"b":"}]\"\\"}]}, 3"#, 24),
            (r#""a\"b" : 3"#, 6),
            ("null,", 4),
            ("12]", 2),
            ("[[]]]", 4),
        ] {
            assert_eq!(
                skip(text),
                Skipped { bytes: length, lines: 0, status: SkipStatus::Complete },
                "{text}"
            );
        }
        assert_eq!(skip("{\"a\": [1,\n2").status, SkipStatus::Incomplete);
    }

    #[test]
    fn a_lost_quote_costs_one_line() {
        assert_eq!(
            skip("{\"a\": \"b,\n\"c\": 1}\n"),
            Skipped { bytes: 17, lines: 1, status: SkipStatus::Complete }
        );
        assert_eq!(
            skip("{\"a\": \"b\\\n\"c\": 1}\n"),
            Skipped { bytes: 17, lines: 1, status: SkipStatus::Complete }
        );
    }
}

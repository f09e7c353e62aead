//! Passes over one JSON value without understanding it: brackets are counted, strings are left alone. Whether the
//! value is right is for the parser to say; here only its end matters.

/// A value that is being passed over; it may come in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passing {
    within: Within,
    depth: u32,
    /// The deepest nesting that was seen.
    pub(super) deepest: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// Between the tokens of an object or array.
    Nest,
    Text,
    /// Behind a backslash.
    Escape,
    /// A number, a word, or rubbish.
    Bare,
}

/// How far a piece of text went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// How many bytes belong to the value.
    pub(super) bytes: usize,
    /// How many lines ended in them.
    pub(super) lines: u64,
    pub(super) end: End,
}

/// Whether the value's end was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Found,
    Ahead,
}

/// What a byte means between strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Quote,
    Open,
    Close,
    Line,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    classes[b'"' as usize] = Class::Quote;
    classes[b'{' as usize] = Class::Open;
    classes[b'[' as usize] = Class::Open;
    classes[b'}' as usize] = Class::Close;
    classes[b']' as usize] = Class::Close;
    classes[b'\n' as usize] = Class::Line;
    classes
};

/// Bytes at which a string has to be looked at.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    special[b'"' as usize] = true;
    special[b'\\' as usize] = true;
    special[b'\n' as usize] = true;
    special
};

impl Passing {
    /// For a value that starts with `first`, which is not passed yet.
    pub(super) fn at(first: u8) -> Self {
        let within = if matches!(first, b'{' | b'[' | b'"') { Within::Nest } else { Within::Bare };
        Self { within, depth: 0, deepest: 0 }
    }

    /// Passes as much as there is.
    pub(super) fn over(&mut self, text: &[u8]) -> Passed {
        let mut lines = 0;
        let mut at = 0;
        while at < text.len() {
            let found = match self.within {
                Within::Nest => self.nest(text, &mut at, &mut lines),
                Within::Text => self.text(text, &mut at, &mut lines),
                Within::Escape => {
                    // A line that ends here ends the string too, as below.
                    if text[at] != b'\n' {
                        at += 1;
                    }
                    self.within = Within::Text;
                    End::Ahead
                }
                Within::Bare => {
                    let delimits = |byte: &u8| b",]}: \t\r\n\"{[".contains(byte);
                    let length = text[at..].iter().position(delimits);
                    at += length.unwrap_or(text.len() - at);
                    if length.is_some() { End::Found } else { End::Ahead }
                }
            };
            if found == End::Found {
                return Passed { bytes: at, lines, end: End::Found };
            }
        }
        Passed { bytes: at, lines, end: End::Ahead }
    }

    fn nest(&mut self, text: &[u8], at: &mut usize, lines: &mut u64) -> End {
        let mut here = *at;
        while let Some(byte) = text.get(here) {
            here += 1;
            match CLASSES[usize::from(*byte)] {
                Class::Other => {}
                Class::Line => *lines += 1,
                Class::Quote => {
                    self.within = Within::Text;
                    break;
                }
                Class::Open => {
                    self.depth = self.depth.saturating_add(1);
                    self.deepest = self.deepest.max(self.depth);
                }
                Class::Close => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        *at = here;
                        return End::Found;
                    }
                }
            }
        }
        *at = here;
        End::Ahead
    }

    fn text(&mut self, text: &[u8], at: &mut usize, lines: &mut u64) -> End {
        let special = text[*at..].iter().position(|byte| SPECIAL[usize::from(*byte)]);
        let Some(length) = special else {
            *at = text.len();
            return End::Ahead;
        };
        *at += length + 1;
        self.within = match text[*at - 1] {
            b'\\' => Within::Escape,
            // No string goes over a line's end: somebody lost a quote. Ending it here keeps the damage small.
            b'\n' => {
                *lines += 1;
                Within::Nest
            }
            _ => Within::Nest,
        };
        if self.within == Within::Nest && self.depth == 0 { End::Found } else { End::Ahead }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(text: &str) -> Passed {
        Passing::at(text.as_bytes()[0]).over(text.as_bytes())
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
            assert_eq!(passed(text), Passed { bytes: length, lines: 0, end: End::Found }, "{text}");
        }
        assert_eq!(passed("{\"a\": [1,\n2").end, End::Ahead);
    }

    #[test]
    fn a_lost_quote_costs_one_line() {
        assert_eq!(passed("{\"a\": \"b,\n\"c\": 1}\n"), Passed { bytes: 17, lines: 1, end: End::Found });
        assert_eq!(passed("{\"a\": \"b\\\n\"c\": 1}\n"), Passed { bytes: 17, lines: 1, end: End::Found });
    }
}

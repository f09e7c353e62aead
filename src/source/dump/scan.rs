//! Finds the objects in JSON text while it streams by: every top-level document, and inside a list every item, each
//! as the range of its bytes. Nothing but the piece under way is held.

use std::io::{self, Read};

use serde::Deserialize;

use super::passing::{End, Passing};

/// How much is read at once.
const CHUNK: usize = 256 * 1024;
/// A piece that is larger is given up; the largest object that a server stores is far smaller.
const LARGEST: usize = 64 * 1024 * 1024;
/// `kubectl cluster-info dump` prints logs between its documents.
const LOGS_START: &[u8] = b"==== START logs";
const LOGS_END: &[u8] = b"==== END logs";

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) offset: u64,
    /// Counted from 1.
    pub(super) line: u64,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Spot,
    /// The offset behind its last byte.
    pub(super) end: u64,
    /// How deep its values are nested.
    pub(super) depth: u32,
}

/// What a list says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) api_version: Option<String>,
    pub(super) kind: Option<String>,
    /// A list has none: what has one is an object with items of its own.
    pub(super) name: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A whole document that is no list.
    Document(Span),
    /// One item of the list that is open.
    Item(Span),
    /// The end of the list that was open.
    ListEnd(Header),
    /// Something in a list that belongs into no list.
    Odd(Spot),
    /// Text between documents that is no JSON.
    Stray(Spot),
    /// A piece that is too large to be looked at.
    TooLarge(Spot),
}

/// What the end of the text leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leftover {
    /// Text that is no JSON.
    Stray(Spot),
    /// A document that started here.
    Document(Spot),
    /// A list, or one of its items, in the middle of which the text ends here.
    List(Header, Spot),
}

/// Reads text bit by bit, and finds what is in it.
#[derive(Debug)]
pub(super) struct Scanner {
    /// The text that is still needed.
    window: Vec<u8>,
    /// Where the window begins in the text.
    base: u64,
    /// How far it was looked at, from the window's beginning.
    at: usize,
    line: u64,
    state: State,
    document: Document,
    /// Where the key, value, item or line under way starts.
    token: Spot,
    passing: Passing,
    /// Whether the piece under way was too large, so that its beginning is gone.
    lost: bool,
    /// Whether stray text was told of already.
    straying: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    StrayLine,
    LogLine,
    Key,
    InKey,
    Colon(Key),
    Value(Key),
    InValue(Key),
    Items,
    InItem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    ApiVersion,
    Kind,
    Metadata,
    Items,
    Other,
}

/// The top-level value that is open.
#[derive(Debug)]
struct Document {
    start: Spot,
    header: Header,
    form: Form,
    depth: u32,
    odd: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An object, as far as is known.
    IndexedObject,
    /// An object with `items`.
    List,
    /// A bare array of objects.
    Array,
}

impl Default for Scanner {
    fn default() -> Self {
        let start = Spot { offset: 0, line: 1 };
        Self {
            window: Vec::new(),
            base: 0,
            at: 0,
            line: 1,
            state: State::Between,
            document: Document {
                start,
                header: Header::default(),
                form: Form::IndexedObject,
                depth: 0,
                odd: false,
            },
            token: start,
            passing: Passing::at(b'{'),
            lost: false,
            straying: false,
        }
    }
}

impl Scanner {
    /// Reads some more; nothing at the end of the text.
    pub(super) fn fill(&mut self, input: &mut dyn Read) -> io::Result<usize> {
        self.let_go();
        let length = self.window.len();
        self.window.resize(length + CHUNK, 0);
        let read = loop {
            match input.read(&mut self.window[length..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.window.truncate(length + read.as_ref().map_or(0, |read| *read));
        read
    }

    /// The text of a piece that was just found; later its bytes are let go.
    pub(super) fn text(&self, span: &Span) -> &[u8] {
        self.window.get(self.index(span.start.offset)..self.index(span.end)).unwrap_or_default()
    }

    /// Where the scanner stands.
    pub(super) fn spot(&self) -> Spot {
        Spot { offset: self.base + self.at as u64, line: self.line }
    }

    /// Whether no document is open.
    pub(super) fn is_between(&self) -> bool {
        matches!(self.state, State::Between | State::StrayLine | State::LogLine)
    }

    /// The next thing in what was read so far.
    pub(super) fn next(&mut self) -> Option<Found> {
        while self.at < self.window.len() {
            let found = match self.state {
                State::Between => self.between(),
                State::StrayLine | State::LogLine => {
                    self.line_end()?;
                    self.line_of_text()
                }
                State::Key => self.key(),
                State::Colon(key) => self.colon(key),
                State::Value(key) => self.value(key),
                State::Items => self.items(),
                State::InKey | State::InValue(_) | State::InItem => {
                    if self.pass() == End::Ahead {
                        return None;
                    }
                    self.passed()
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What the end of the text leaves open.
    pub(super) fn finish(&mut self) -> Option<Leftover> {
        let header = std::mem::take(&mut self.document.header);
        match (self.state, self.document.form) {
            (State::Between | State::LogLine, _) => None,
            (State::StrayLine, _) => {
                let is_told = self.straying || is_separator(&self.window[self.index(self.token.offset)..]);
                (!is_told).then_some(Leftover::Stray(self.token))
            }
            (_, Form::IndexedObject) => Some(Leftover::Document(self.document.start)),
            (State::InItem, _) => Some(Leftover::List(header, self.token)),
            (_, Form::List | Form::Array) => Some(Leftover::List(header, self.spot())),
        }
    }

    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.window.len())
    }

    /// Drops the text that nobody needs any more.
    fn let_go(&mut self) {
        if self.window.len() - self.index(self.needed()) > LARGEST {
            self.lost = true;
        }
        let unneeded = self.index(self.needed());
        self.window.drain(..unneeded);
        self.base += unneeded as u64;
        self.at -= unneeded;
    }

    fn needed(&self) -> u64 {
        let is_token =
            matches!(self.state, State::InKey | State::InValue(_) | State::InItem | State::StrayLine);
        let in_object = !matches!(self.state, State::Between | State::StrayLine | State::LogLine)
            && self.document.form == Form::IndexedObject;
        match (self.lost, in_object, is_token) {
            (false, true, _) => self.document.start.offset,
            (false, false, true) => self.token.offset,
            _ => self.base + self.at as u64,
        }
    }

    fn step(&mut self) {
        if self.window[self.at] == b'\n' {
            self.line += 1;
        }
        self.at += 1;
    }

    fn between(&mut self) -> Option<Found> {
        let byte = self.window[self.at];
        let start = self.spot();
        match byte {
            b'{' | b'[' => {
                let (form, state) = if byte == b'{' {
                    (Form::IndexedObject, State::Key)
                } else {
                    (Form::Array, State::Items)
                };
                self.document = Document { start, header: Header::default(), form, depth: 1, odd: false };
                (self.state, self.lost, self.straying) = (state, false, false);
                self.step();
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.step(),
            // The byte order mark that Windows puts in front.
            0xef | 0xbb | 0xbf if start.offset < 3 => self.step(),
            // What a bracket too many leaves behind.
            b',' | b']' | b'}' => {
                self.step();
                return self.stray(start);
            }
            _ => (self.state, self.token) = (State::StrayLine, start),
        }
        None
    }

    /// Tells of stray text, once until there is JSON again.
    fn stray(&mut self, spot: Spot) -> Option<Found> {
        let is_new = !self.straying;
        self.straying = true;
        is_new.then_some(Found::Stray(spot))
    }

    /// How long the line under way is, with its end; a very long one may go in pieces.
    fn line_end(&self) -> Option<usize> {
        let rest = &self.window[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
        end.or_else(|| (rest.len() > CHUNK).then_some(rest.len()))
    }

    fn line_of_text(&mut self) -> Option<Found> {
        let start = self.spot();
        let length = self.line_end().unwrap_or(self.window.len() - self.at);
        let line = &self.window[self.at..self.at + length];
        let in_logs = self.state == State::LogLine;
        let (logs, is_quiet) = if in_logs {
            (!line.starts_with(LOGS_END), true)
        } else {
            let logs = line.starts_with(LOGS_START);
            (logs, logs || is_separator(line))
        };
        self.line += u64::from(line.ends_with(b"\n"));
        self.at += length;
        self.state = if logs { State::LogLine } else { State::Between };
        if is_quiet { None } else { self.stray(start) }
    }

    fn key(&mut self) -> Option<Found> {
        match self.window[self.at] {
            b'"' => self.begin(State::InKey),
            b'}' => {
                self.step();
                return Some(self.close());
            }
            b' ' | b'\t' | b'\r' | b'\n' | b',' => self.step(),
            _ => return self.odd(),
        }
        None
    }

    fn colon(&mut self, key: Key) -> Option<Found> {
        match self.window[self.at] {
            b':' => {
                self.state = State::Value(key);
                self.step();
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.step(),
            _ => self.state = State::Key,
        }
        None
    }

    fn value(&mut self, key: Key) -> Option<Found> {
        match self.window[self.at] {
            b' ' | b'\t' | b'\r' | b'\n' => self.step(),
            b'[' if key == Key::Items => {
                self.document.form = Form::List;
                (self.state, self.lost) = (State::Items, false);
                self.step();
            }
            b',' | b'}' | b']' => self.state = State::Key,
            _ => self.begin(State::InValue(key)),
        }
        None
    }

    fn items(&mut self) -> Option<Found> {
        match self.window[self.at] {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => self.step(),
            b']' => {
                self.step();
                if self.document.form == Form::Array {
                    return Some(self.close());
                }
                self.state = State::Key;
            }
            b'}' | b':' => return self.odd(),
            _ => self.begin(State::InItem),
        }
        None
    }

    /// Passes over a byte that has no business here. In an object the parser will say so.
    fn odd(&mut self) -> Option<Found> {
        let spot = self.spot();
        self.step();
        let is_told = self.document.odd || self.document.form == Form::IndexedObject;
        self.document.odd = true;
        (!is_told).then_some(Found::Odd(spot))
    }

    fn begin(&mut self, state: State) {
        (self.state, self.token) = (state, self.spot());
        self.passing = Passing::at(self.window[self.at]);
        if self.document.form != Form::IndexedObject {
            self.lost = false;
        }
    }

    fn pass(&mut self) -> End {
        let passed = self.passing.over(&self.window[self.at..]);
        self.at += passed.bytes;
        self.line += passed.lines;
        passed.end
    }

    /// A key, value or item is whole.
    fn passed(&mut self) -> Option<Found> {
        let depth = self.passing.deepest;
        let span = Span { start: self.token, end: self.spot().offset, depth };
        match self.state {
            State::InKey => {
                let key = match self.text(&span) {
                    b"\"apiVersion\"" => Key::ApiVersion,
                    b"\"kind\"" => Key::Kind,
                    b"\"metadata\"" => Key::Metadata,
                    b"\"items\"" => Key::Items,
                    _ => Key::Other,
                };
                self.state = State::Colon(key);
            }
            State::InValue(key) => {
                self.state = State::Key;
                self.document.depth = self.document.depth.max(depth.saturating_add(1));
                let word = |text: &[u8]| serde_json::from_slice(text).ok();
                match key {
                    Key::ApiVersion => self.document.header.api_version = word(self.text(&span)),
                    Key::Kind => self.document.header.kind = word(self.text(&span)),
                    Key::Metadata => {
                        let named = serde_json::from_slice::<Named>(self.text(&span)).ok();
                        self.document.header.name = named.and_then(|named| named.name);
                    }
                    Key::Items | Key::Other => {}
                }
            }
            _ => {
                self.state = State::Items;
                let found = if self.lost { Found::TooLarge(self.token) } else { Found::Item(span) };
                return Some(found);
            }
        }
        None
    }

    /// The document is whole.
    fn close(&mut self) -> Found {
        self.state = State::Between;
        let Document { start, depth, .. } = self.document;
        match self.document.form {
            Form::IndexedObject if self.lost => Found::TooLarge(start),
            Form::IndexedObject => Found::Document(Span { start, end: self.spot().offset, depth }),
            Form::List | Form::Array => Found::ListEnd(std::mem::take(&mut self.document.header)),
        }
    }
}

/// `---`, as between the documents of a YAML file.
fn is_separator(line: &[u8]) -> bool {
    line.trim_ascii() == b"---"
}

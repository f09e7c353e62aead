//! Finds the objects in a JSON stream: every top-level document, and every item of a list, as byte ranges. Written by
//! hand to save memory: a dump of 200 MB is indexed without building a document, holding one object at a time.

use std::io::{self, Read};

use serde::Deserialize;

use super::json_skipper::{JsonSkipper, SkipStatus};

/// How much is read at once.
const CHUNK: usize = 256 * 1024;
/// A larger object is skipped; a server stores far smaller ones.
const MAX_PIECE: usize = 64 * 1024 * 1024;
/// `kubectl cluster-info dump` prints logs between its documents.
const LOGS_START: &[u8] = b"==== START logs";
const LOGS_END: &[u8] = b"==== END logs";

/// A position in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) struct TextPosition {
    pub(in crate::source::dump) offset: u64,
    /// Counted from 1.
    pub(in crate::source::dump) line: u64,
}

/// The byte range of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::dump) struct JsonSpan {
    pub(in crate::source::dump) start: TextPosition,
    /// The offset after its last byte.
    pub(in crate::source::dump) end: u64,
    /// How deep it is nested.
    pub(in crate::source::dump) depth: u32,
}

/// The fields of a list other than its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::source::dump) struct ListHeader {
    pub(in crate::source::dump) api_version: Option<String>,
    pub(in crate::source::dump) kind: Option<String>,
    /// Lists have none: an object with a name has `items` as a field of its own.
    pub(in crate::source::dump) name: Option<String>,
}

#[derive(Deserialize)]
struct NamedMeta {
    name: Option<String>,
}

/// What the scanner found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum ScanEvent {
    /// A complete document that is not a list.
    Document(JsonSpan),
    /// One item of the open list.
    Item(JsonSpan),
    /// The end of the open list.
    ListEnd(ListHeader),
    /// A byte in a list that is not valid there.
    Unexpected(TextPosition),
    /// Text between documents that is not JSON.
    NotJson(TextPosition),
    /// A document or item that is too large.
    TooLarge(TextPosition),
}

/// What is incomplete at the end of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::source::dump) enum Unfinished {
    /// Text that is not JSON.
    NotJson(TextPosition),
    /// A document that started here.
    Document(TextPosition),
    /// A list or one of its items; the input ends here.
    List(ListHeader, TextPosition),
}

/// An incremental scanner.
#[derive(Debug)]
pub(in crate::source::dump) struct JsonScanner {
    /// The part of the input that is still needed.
    window: Vec<u8>,
    /// Offset of the window in the input.
    base: u64,
    /// How much of the window has been scanned.
    cursor: usize,
    line: u64,
    state: ScanState,
    document: OpenDocument,
    /// Start of the current key, value, item or line.
    token: TextPosition,
    skipper: JsonSkipper,
    /// Whether the current document or item was too large, so that its start is no longer in the window.
    start_discarded: bool,
    /// Whether text that is not JSON has been reported since the last document.
    not_json_reported: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScanState {
    Between,
    NotJsonLine,
    LogLine,
    Key,
    InKey,
    Colon(TopLevelKey),
    Value(TopLevelKey),
    InValue(TopLevelKey),
    Items,
    InItem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TopLevelKey {
    ApiVersion,
    Kind,
    Metadata,
    Items,
    Other,
}

/// The current top-level value.
#[derive(Debug)]
struct OpenDocument {
    start: TextPosition,
    header: ListHeader,
    shape: DocumentShape,
    depth: u32,
    unexpected: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentShape {
    /// An object; it may still turn out to be a list.
    Object,
    /// An object with `items`.
    List,
    /// A bare array of objects.
    Array,
}

impl Default for JsonScanner {
    fn default() -> Self {
        let start = TextPosition { offset: 0, line: 1 };
        Self {
            window: Vec::new(),
            base: 0,
            cursor: 0,
            line: 1,
            state: ScanState::Between,
            document: OpenDocument {
                start,
                header: ListHeader::default(),
                shape: DocumentShape::Object,
                depth: 0,
                unexpected: false,
            },
            token: start,
            skipper: JsonSkipper::new(b'{'),
            start_discarded: false,
            not_json_reported: false,
        }
    }
}

impl JsonScanner {
    /// Reads more input; returns 0 at its end.
    pub(in crate::source::dump) fn fill(&mut self, input: &mut dyn Read) -> io::Result<usize> {
        self.discard_consumed();
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

    /// The text of a span just returned; the next `fill` may discard it.
    pub(in crate::source::dump) fn text(&self, span: &JsonSpan) -> &[u8] {
        self.window.get(self.index(span.start.offset)..self.index(span.end)).unwrap_or_default()
    }

    /// The current position.
    pub(in crate::source::dump) fn position(&self) -> TextPosition {
        TextPosition { offset: self.base + self.cursor as u64, line: self.line }
    }

    /// Whether the scanner is between documents.
    pub(in crate::source::dump) fn is_between(&self) -> bool {
        matches!(self.state, ScanState::Between | ScanState::NotJsonLine | ScanState::LogLine)
    }

    /// The next event in the input read so far.
    pub(in crate::source::dump) fn next(&mut self) -> Option<ScanEvent> {
        while self.cursor < self.window.len() {
            let event = match self.state {
                ScanState::Between => self.between(),
                ScanState::NotJsonLine | ScanState::LogLine => {
                    self.line_end()?;
                    self.text_line()
                }
                ScanState::Key => self.key(),
                ScanState::Colon(key) => self.colon(key),
                ScanState::Value(key) => self.value(key),
                ScanState::Items => self.items(),
                ScanState::InKey | ScanState::InValue(_) | ScanState::InItem => {
                    if self.skip() == SkipStatus::Incomplete {
                        return None;
                    }
                    self.end_token()
                }
            };
            if event.is_some() {
                return event;
            }
        }
        None
    }

    /// What is incomplete at the end of the input.
    pub(in crate::source::dump) fn finish(&mut self) -> Option<Unfinished> {
        let header = std::mem::take(&mut self.document.header);
        match (self.state, self.document.shape) {
            (ScanState::Between | ScanState::LogLine, _) => None,
            (ScanState::NotJsonLine, _) => {
                let is_reported =
                    self.not_json_reported || is_separator(&self.window[self.index(self.token.offset)..]);
                (!is_reported).then_some(Unfinished::NotJson(self.token))
            }
            (_, DocumentShape::Object) => Some(Unfinished::Document(self.document.start)),
            (ScanState::InItem, _) => Some(Unfinished::List(header, self.token)),
            (_, DocumentShape::List | DocumentShape::Array) => {
                Some(Unfinished::List(header, self.position()))
            }
        }
    }

    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).min(self.window.len())
    }

    /// Discards the text that is no longer needed.
    fn discard_consumed(&mut self) {
        if self.window.len() - self.index(self.keep_from()) > MAX_PIECE {
            self.start_discarded = true;
        }
        let consumed = self.index(self.keep_from());
        self.window.drain(..consumed);
        self.base += consumed as u64;
        self.cursor -= consumed;
    }

    fn keep_from(&self) -> u64 {
        let is_token = matches!(
            self.state,
            ScanState::InKey | ScanState::InValue(_) | ScanState::InItem | ScanState::NotJsonLine
        );
        let in_object =
            !matches!(self.state, ScanState::Between | ScanState::NotJsonLine | ScanState::LogLine)
                && self.document.shape == DocumentShape::Object;
        match (self.start_discarded, in_object, is_token) {
            (false, true, _) => self.document.start.offset,
            (false, false, true) => self.token.offset,
            _ => self.base + self.cursor as u64,
        }
    }

    fn advance(&mut self) {
        if self.window[self.cursor] == b'\n' {
            self.line += 1;
        }
        self.cursor += 1;
    }

    fn between(&mut self) -> Option<ScanEvent> {
        let byte = self.window[self.cursor];
        let start = self.position();
        match byte {
            b'{' | b'[' => {
                let (shape, state) = if byte == b'{' {
                    (DocumentShape::Object, ScanState::Key)
                } else {
                    (DocumentShape::Array, ScanState::Items)
                };
                self.document =
                    OpenDocument { start, header: ListHeader::default(), shape, depth: 1, unexpected: false };
                (self.state, self.start_discarded, self.not_json_reported) = (state, false, false);
                self.advance();
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.advance(),
            // A byte order mark, as Windows writes it.
            0xef | 0xbb | 0xbf if start.offset < 3 => self.advance(),
            // Left over after a surplus bracket.
            b',' | b']' | b'}' => {
                self.advance();
                return self.not_json(start);
            }
            _ => (self.state, self.token) = (ScanState::NotJsonLine, start),
        }
        None
    }

    /// Reports text that is not JSON, once until the next document.
    fn not_json(&mut self, position: TextPosition) -> Option<ScanEvent> {
        let is_new = !self.not_json_reported;
        self.not_json_reported = true;
        is_new.then_some(ScanEvent::NotJson(position))
    }

    /// Length of the current line including its end; a very long line is returned in parts.
    fn line_end(&self) -> Option<usize> {
        let rest = &self.window[self.cursor..];
        let end = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
        end.or_else(|| (rest.len() > CHUNK).then_some(rest.len()))
    }

    fn text_line(&mut self) -> Option<ScanEvent> {
        let start = self.position();
        let length = self.line_end().unwrap_or(self.window.len() - self.cursor);
        let line = &self.window[self.cursor..self.cursor + length];
        let in_logs = self.state == ScanState::LogLine;
        let (logs, is_expected) = if in_logs {
            (!line.starts_with(LOGS_END), true)
        } else {
            let logs = line.starts_with(LOGS_START);
            (logs, logs || is_separator(line))
        };
        self.line += u64::from(line.ends_with(b"\n"));
        self.cursor += length;
        self.state = if logs { ScanState::LogLine } else { ScanState::Between };
        if is_expected { None } else { self.not_json(start) }
    }

    fn key(&mut self) -> Option<ScanEvent> {
        match self.window[self.cursor] {
            b'"' => self.begin_token(ScanState::InKey),
            b'}' => {
                self.advance();
                return Some(self.end_document());
            }
            b' ' | b'\t' | b'\r' | b'\n' | b',' => self.advance(),
            _ => return self.unexpected(),
        }
        None
    }

    fn colon(&mut self, key: TopLevelKey) -> Option<ScanEvent> {
        match self.window[self.cursor] {
            b':' => {
                self.state = ScanState::Value(key);
                self.advance();
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.advance(),
            _ => self.state = ScanState::Key,
        }
        None
    }

    fn value(&mut self, key: TopLevelKey) -> Option<ScanEvent> {
        match self.window[self.cursor] {
            b' ' | b'\t' | b'\r' | b'\n' => self.advance(),
            b'[' if key == TopLevelKey::Items => {
                self.document.shape = DocumentShape::List;
                (self.state, self.start_discarded) = (ScanState::Items, false);
                self.advance();
            }
            b',' | b'}' | b']' => self.state = ScanState::Key,
            _ => self.begin_token(ScanState::InValue(key)),
        }
        None
    }

    fn items(&mut self) -> Option<ScanEvent> {
        match self.window[self.cursor] {
            b' ' | b'\t' | b'\r' | b'\n' | b',' => self.advance(),
            b']' => {
                self.advance();
                if self.document.shape == DocumentShape::Array {
                    return Some(self.end_document());
                }
                self.state = ScanState::Key;
            }
            b'}' | b':' => return self.unexpected(),
            _ => self.begin_token(ScanState::InItem),
        }
        None
    }

    /// Skips a byte that is not valid here. In an object the parser reports it.
    fn unexpected(&mut self) -> Option<ScanEvent> {
        let position = self.position();
        self.advance();
        let is_reported = self.document.unexpected || self.document.shape == DocumentShape::Object;
        self.document.unexpected = true;
        (!is_reported).then_some(ScanEvent::Unexpected(position))
    }

    fn begin_token(&mut self, state: ScanState) {
        (self.state, self.token) = (state, self.position());
        self.skipper = JsonSkipper::new(self.window[self.cursor]);
        if self.document.shape != DocumentShape::Object {
            self.start_discarded = false;
        }
    }

    fn skip(&mut self) -> SkipStatus {
        let skipped = self.skipper.skip(&self.window[self.cursor..]);
        self.cursor += skipped.bytes;
        self.line += skipped.lines;
        skipped.status
    }

    /// Handles a complete key, value or item.
    fn end_token(&mut self) -> Option<ScanEvent> {
        let depth = self.skipper.deepest;
        let span = JsonSpan { start: self.token, end: self.position().offset, depth };
        match self.state {
            ScanState::InKey => {
                let key = match self.text(&span) {
                    b"\"apiVersion\"" => TopLevelKey::ApiVersion,
                    b"\"kind\"" => TopLevelKey::Kind,
                    b"\"metadata\"" => TopLevelKey::Metadata,
                    b"\"items\"" => TopLevelKey::Items,
                    _ => TopLevelKey::Other,
                };
                self.state = ScanState::Colon(key);
            }
            ScanState::InValue(key) => {
                self.state = ScanState::Key;
                self.document.depth = self.document.depth.max(depth.saturating_add(1));
                let string = |text: &[u8]| serde_json::from_slice(text).ok();
                match key {
                    TopLevelKey::ApiVersion => self.document.header.api_version = string(self.text(&span)),
                    TopLevelKey::Kind => self.document.header.kind = string(self.text(&span)),
                    TopLevelKey::Metadata => {
                        let named = serde_json::from_slice::<NamedMeta>(self.text(&span)).ok();
                        self.document.header.name = named.and_then(|named| named.name);
                    }
                    TopLevelKey::Items | TopLevelKey::Other => {}
                }
            }
            _ => {
                self.state = ScanState::Items;
                let event = if self.start_discarded {
                    ScanEvent::TooLarge(self.token)
                } else {
                    ScanEvent::Item(span)
                };
                return Some(event);
            }
        }
        None
    }

    /// Ends the current document.
    fn end_document(&mut self) -> ScanEvent {
        self.state = ScanState::Between;
        let OpenDocument { start, depth, .. } = self.document;
        match self.document.shape {
            DocumentShape::Object if self.start_discarded => ScanEvent::TooLarge(start),
            DocumentShape::Object => {
                ScanEvent::Document(JsonSpan { start, end: self.position().offset, depth })
            }
            DocumentShape::List | DocumentShape::Array => {
                ScanEvent::ListEnd(std::mem::take(&mut self.document.header))
            }
        }
    }
}

/// `---`, the separator of YAML documents.
fn is_separator(line: &[u8]) -> bool {
    line.trim_ascii() == b"---"
}

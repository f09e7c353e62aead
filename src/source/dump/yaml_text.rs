//! Reads YAML text into the index, line by line: documents end at `---`, and a list as kubectl prints it is taken
//! apart at its dashes, so that a broken item costs only itself.

use std::io::{self, BufRead, BufReader, Read};

use super::filing::{Filing, Piece, Wholeness};
use super::head::Head;
use super::parse::{Fault, Form, lines, parse};
use super::scan::{Header, Spot};

/// A piece that is larger is given up; the largest object that a server stores is far smaller.
const LARGEST: usize = 64 * 1024 * 1024;

/// Reads to the end of the text, or to where it cannot be read any more.
pub(super) fn read(input: &mut dyn Read, filing: &mut Filing<'_>) {
    let mut input = BufReader::with_capacity(256 * 1024, input);
    let mut splitter = Splitter::new(filing);
    let mut line = Vec::new();
    loop {
        line.clear();
        match read_line(&mut input, &mut line) {
            Ok(()) if line.is_empty() => break,
            Ok(()) => splitter.line(&line),
            Err(error) => {
                splitter.unreadable(&error);
                return;
            }
        }
    }
    splitter.end_document();
}

/// Reads one line with its end. Of a line without end only so much is taken that its piece is too large.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    input.take(LARGEST as u64 + 1).read_until(b'\n', line).map(|_| ())
}

/// Takes lines, and files pieces.
struct Splitter<'a, 'b> {
    filing: &'a mut Filing<'b>,
    at: Spot,
    mode: Mode,
    /// The document's text, without the items that were taken out of it.
    document: Text,
    /// The item under way.
    item: Text,
    /// The line at which the last item that ended had started.
    last_item: u64,
    /// Where the document goes on behind its items.
    rest: Option<Rest>,
}

/// Where in a document the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Outside of items.
    Plain,
    /// Behind `items:`.
    Awaiting,
    /// Among items whose dashes are that far in.
    Items { indent: usize },
}

/// Lines that belong together.
struct Text {
    start: Spot,
    bytes: Vec<u8>,
    /// Whether there is more in it than blanks, comments and directives.
    is_filled: bool,
    too_large: bool,
}

/// How lines behind the items are counted.
#[derive(Clone, Copy, Debug)]
struct Rest {
    /// Lines of the document before the items.
    before: u64,
    /// The line at which it goes on.
    line: u64,
}

impl Text {
    fn at(start: Spot) -> Self {
        Self { start, bytes: Vec::new(), is_filled: false, too_large: false }
    }

    fn push(&mut self, line: &[u8]) {
        if self.bytes.len() + line.len() > LARGEST {
            self.too_large = true;
            self.bytes.clear();
        }
        if !self.too_large {
            self.bytes.extend_from_slice(line);
        }
        self.is_filled |= !is_nothing(line);
    }
}

impl<'a, 'b> Splitter<'a, 'b> {
    fn new(filing: &'a mut Filing<'b>) -> Self {
        let start = Spot { offset: 0, line: 1 };
        let (document, item) = (Text::at(start), Text::at(start));
        Self { filing, at: start, mode: Mode::Plain, document, item, last_item: 0, rest: None }
    }

    fn line(&mut self, line: &[u8]) {
        // The byte order mark that Windows puts in front.
        let line = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.at.offset == 0 => {
                self.at.offset = 3;
                self.document = Text::at(self.at);
                rest
            }
            _ => line,
        };
        let next = Spot {
            offset: self.at.offset + line.len() as u64,
            line: self.at.line + u64::from(line.ends_with(b"\n")),
        };
        match marker(line) {
            Marker::None => self.content(line),
            Marker::Bare => {
                self.end_document();
                self.document = Text::at(next);
            }
            Marker::WithContent => {
                self.end_document();
                self.document = Text::at(self.at);
                self.document.push(line);
            }
        }
        self.at = next;
    }

    fn content(&mut self, line: &[u8]) {
        match self.mode {
            Mode::Items { indent } => match standing(line, indent) {
                Standing::Inside => return self.item.push(line),
                Standing::Dash => {
                    self.end_item();
                    return self.start_item(line, indent);
                }
                Standing::Outside => {
                    self.end_item();
                    self.mode = Mode::Plain;
                    let before = lines(&self.document.bytes);
                    self.rest = self.rest.or(Some(Rest { before, line: self.at.line }));
                }
            },
            Mode::Awaiting if !is_nothing(line) => {
                let indent = line.iter().take_while(|byte| **byte == b' ').count();
                if standing(line, indent) == Standing::Dash {
                    return self.start_item(line, indent);
                }
                self.mode = Mode::Plain;
            }
            Mode::Awaiting | Mode::Plain => {}
        }
        if is_items_key(line) {
            self.mode = Mode::Awaiting;
        }
        self.document.push(line);
    }

    fn start_item(&mut self, line: &[u8], indent: usize) {
        self.mode = Mode::Items { indent };
        self.item = Text::at(self.at);
        self.item.push(line);
    }

    fn end_item(&mut self) {
        let item = std::mem::replace(&mut self.item, Text::at(self.at));
        self.last_item = item.start.line;
        if item.too_large {
            return self.filing.broken(item.start.line, "it is larger than 64 MiB");
        }
        let piece = Piece { text: &item.bytes, form: Form::YamlItem, spot: item.start, depth: 0 };
        self.filing.item(piece);
    }

    fn end_document(&mut self) {
        let had_items = self.close_items();
        let document = std::mem::replace(&mut self.document, Text::at(self.at));
        let rest = self.rest.take();
        if document.too_large {
            self.filing.broken(document.start.line, "it is larger than 64 MiB");
        } else if had_items {
            self.end_list(&document, rest);
        } else if document.is_filled {
            let piece = Piece { text: &document.bytes, form: Form::Yaml, spot: document.start, depth: 0 };
            self.filing.document(piece);
        }
    }

    /// Ends the item under way, if there is one; whether the document had any.
    fn close_items(&mut self) -> bool {
        let open = matches!(self.mode, Mode::Items { .. });
        if open {
            self.end_item();
        }
        self.mode = Mode::Plain;
        open || self.rest.is_some()
    }

    fn end_list(&mut self, document: &Text, rest: Option<Rest>) {
        let header = match header(&document.bytes) {
            Ok(header) => header,
            Err(fault) => {
                let line = match rest {
                    Some(rest) if fault.line >= rest.before => rest.line + fault.line - rest.before,
                    _ => document.start.line + fault.line,
                };
                self.filing.broken(line, &fault.words);
                return self.filing.end_list(&Header::default(), Wholeness::Cut, line);
            }
        };
        let line = document.start.line;
        if header.kind.is_some() {
            return self.filing.end_list(&header, Wholeness::Whole, line);
        }
        // kubectl prints the kind behind the items: without it the text was cut, and nobody can tell whether the last
        // item is whole.
        self.filing.forget(self.last_item);
        self.filing.broken(self.at.line, "the list ends before it says its kind");
        self.filing.end_list(&header, Wholeness::Cut, line);
    }

    /// The text cannot be read any further: what is open is lost.
    fn unreadable(&mut self, error: &io::Error) {
        self.filing.broken(self.at.line, &format!("the rest cannot be read: {error}"));
        let header = header(&self.document.bytes).unwrap_or_default();
        self.filing.end_list(&header, Wholeness::Cut, self.at.line);
    }
}

fn header(text: &[u8]) -> Result<Header, Fault> {
    let head: Head = parse(text, Form::Yaml)?;
    let name = head.name().map(str::to_owned);
    Ok(Header { api_version: head.api_version, kind: head.kind, name })
}

/// Whether a line parts documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    None,
    Bare,
    /// `--- {a: b}`: the document starts on the same line.
    WithContent,
}

fn marker(line: &[u8]) -> Marker {
    let Some(rest) = line.strip_prefix(b"---").or_else(|| line.strip_prefix(b"...")) else {
        return Marker::None;
    };
    match rest.first() {
        Some(byte) if !byte.is_ascii_whitespace() => Marker::None,
        _ if is_nothing(rest) => Marker::Bare,
        _ => Marker::WithContent,
    }
}

/// How a line stands to a list whose dashes are `indent` far in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It belongs to the item under way.
    Inside,
    /// It starts an item.
    Dash,
    /// The list is over.
    Outside,
}

fn standing(line: &[u8], indent: usize) -> Standing {
    let deep = line.iter().take_while(|byte| **byte == b' ').count();
    let rest = &line[deep..];
    let is_dash = rest.first() == Some(&b'-') && rest.get(1).is_none_or(u8::is_ascii_whitespace);
    match rest.first() {
        // A blank line or a comment belongs to whatever is around it.
        _ if rest.trim_ascii_start().is_empty() => Standing::Inside,
        // Nor does a tab, which is wrong anyway, end more than its item.
        Some(b'#' | b'\t') => Standing::Inside,
        _ if deep > indent => Standing::Inside,
        _ if deep == indent && is_dash => Standing::Dash,
        _ => Standing::Outside,
    }
}

/// `items:` with nothing behind it.
fn is_items_key(line: &[u8]) -> bool {
    line.strip_prefix(b"items:")
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace) && is_nothing(rest))
}

/// Blanks, a comment, or a directive.
fn is_nothing(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#')) || line.first() == Some(&b'%')
}

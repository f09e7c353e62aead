//! Reads YAML text into the index, line by line: documents end at `---`, and a list as kubectl prints it is taken
//! apart at its dashes, so that a broken item costs only itself.

use std::io::{self, BufRead, BufReader, Read};

use super::index_builder::{Completeness, IndexBuilder, ObjectText};
use super::json_scanner::{ListHeader, TextPosition};
use super::parse::{ParseError, Syntax, count_lines, parse};
use super::partial_object::PartialObject;

/// A piece that is larger is given up; the largest object that a server stores is far smaller.
const MAX_PIECE: usize = 64 * 1024 * 1024;

/// Reads to the end of the text, or to where it cannot be read any more.
pub(super) fn read_yaml(input: &mut dyn Read, builder: &mut IndexBuilder<'_>) {
    let mut input = BufReader::with_capacity(256 * 1024, input);
    let mut splitter = YamlSplitter::new(builder);
    let mut line = Vec::new();
    loop {
        line.clear();
        match read_line(&mut input, &mut line) {
            Ok(()) if line.is_empty() => break,
            Ok(()) => splitter.add_line(&line),
            Err(error) => {
                splitter.abort(&error);
                return;
            }
        }
    }
    splitter.end_document();
}

/// Reads one line with its end. Of a line without end only so much is taken that its piece is too large.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    input.take(MAX_PIECE as u64 + 1).read_until(b'\n', line).map(|_| ())
}

/// Takes lines, and files pieces.
struct YamlSplitter<'a, 'b> {
    builder: &'a mut IndexBuilder<'b>,
    position: TextPosition,
    mode: SplitMode,
    /// The document's text, without the items that were taken out of it.
    document: YamlPiece,
    /// The item under way.
    item: YamlPiece,
    /// The line at which the last item that ended had started.
    last_item: u64,
    /// Where the document goes on behind its items.
    after_items: Option<AfterItems>,
}

/// Where in a document the next line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitMode {
    /// Outside of items.
    Plain,
    /// Behind `items:`.
    AfterItemsKey,
    /// Among items whose dashes are that far in.
    Items { indent: usize },
}

/// Lines that belong together.
struct YamlPiece {
    start: TextPosition,
    bytes: Vec<u8>,
    /// Whether there is more in it than blanks, comments and directives.
    has_content: bool,
    too_large: bool,
}

/// How lines behind the items are counted.
#[derive(Clone, Copy, Debug)]
struct AfterItems {
    /// Lines of the document before the items.
    before: u64,
    /// The line at which it goes on.
    line: u64,
}

impl YamlPiece {
    fn new(start: TextPosition) -> Self {
        Self { start, bytes: Vec::new(), has_content: false, too_large: false }
    }

    fn push(&mut self, line: &[u8]) {
        if self.bytes.len() + line.len() > MAX_PIECE {
            self.too_large = true;
            self.bytes.clear();
        }
        if !self.too_large {
            self.bytes.extend_from_slice(line);
        }
        self.has_content |= !is_blank(line);
    }
}

impl<'a, 'b> YamlSplitter<'a, 'b> {
    fn new(builder: &'a mut IndexBuilder<'b>) -> Self {
        let start = TextPosition { offset: 0, line: 1 };
        let (document, item) = (YamlPiece::new(start), YamlPiece::new(start));
        Self {
            builder,
            position: start,
            mode: SplitMode::Plain,
            document,
            item,
            last_item: 0,
            after_items: None,
        }
    }

    fn add_line(&mut self, line: &[u8]) {
        // The byte order mark that Windows puts in front.
        let line = match line.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if self.position.offset == 0 => {
                self.position.offset = 3;
                self.document = YamlPiece::new(self.position);
                rest
            }
            _ => line,
        };
        let next = TextPosition {
            offset: self.position.offset + line.len() as u64,
            line: self.position.line + u64::from(line.ends_with(b"\n")),
        };
        match marker(line) {
            DocumentMarker::None => self.content_line(line),
            DocumentMarker::Bare => {
                self.end_document();
                self.document = YamlPiece::new(next);
            }
            DocumentMarker::WithContent => {
                self.end_document();
                self.document = YamlPiece::new(self.position);
                self.document.push(line);
            }
        }
        self.position = next;
    }

    fn content_line(&mut self, line: &[u8]) {
        match self.mode {
            SplitMode::Items { indent } => match line_placement(line, indent) {
                LinePlacement::InItem => return self.item.push(line),
                LinePlacement::NewItem => {
                    self.end_item();
                    return self.start_item(line, indent);
                }
                LinePlacement::AfterList => {
                    self.end_item();
                    self.mode = SplitMode::Plain;
                    let before = count_lines(&self.document.bytes);
                    self.after_items =
                        self.after_items.or(Some(AfterItems { before, line: self.position.line }));
                }
            },
            SplitMode::AfterItemsKey if !is_blank(line) => {
                let indent = line.iter().take_while(|byte| **byte == b' ').count();
                if line_placement(line, indent) == LinePlacement::NewItem {
                    return self.start_item(line, indent);
                }
                self.mode = SplitMode::Plain;
            }
            SplitMode::AfterItemsKey | SplitMode::Plain => {}
        }
        if is_items_key(line) {
            self.mode = SplitMode::AfterItemsKey;
        }
        self.document.push(line);
    }

    fn start_item(&mut self, line: &[u8], indent: usize) {
        self.mode = SplitMode::Items { indent };
        self.item = YamlPiece::new(self.position);
        self.item.push(line);
    }

    fn end_item(&mut self) {
        let item = std::mem::replace(&mut self.item, YamlPiece::new(self.position));
        self.last_item = item.start.line;
        if item.too_large {
            return self.builder.add_error(item.start.line, "it is larger than 64 MiB");
        }
        let text =
            ObjectText { bytes: &item.bytes, syntax: Syntax::YamlItem, position: item.start, depth: 0 };
        self.builder.add_item(text);
    }

    fn end_document(&mut self) {
        let had_items = self.end_items();
        let document = std::mem::replace(&mut self.document, YamlPiece::new(self.position));
        let after_items = self.after_items.take();
        if document.too_large {
            self.builder.add_error(document.start.line, "it is larger than 64 MiB");
        } else if had_items {
            self.end_list(&document, after_items);
        } else if document.has_content {
            let text = ObjectText {
                bytes: &document.bytes,
                syntax: Syntax::Yaml,
                position: document.start,
                depth: 0,
            };
            self.builder.add_document(text);
        }
    }

    /// Ends the item under way, if there is one; whether the document had any.
    fn end_items(&mut self) -> bool {
        let open = matches!(self.mode, SplitMode::Items { .. });
        if open {
            self.end_item();
        }
        self.mode = SplitMode::Plain;
        open || self.after_items.is_some()
    }

    fn end_list(&mut self, document: &YamlPiece, after_items: Option<AfterItems>) {
        let header = match parse_header(&document.bytes) {
            Ok(header) => header,
            Err(error) => {
                let line = match after_items {
                    Some(after) if error.line >= after.before => after.line + error.line - after.before,
                    _ => document.start.line + error.line,
                };
                self.builder.add_error(line, &error.message);
                return self.builder.end_list(&ListHeader::default(), Completeness::Truncated, line);
            }
        };
        let line = document.start.line;
        if header.kind.is_some() {
            return self.builder.end_list(&header, Completeness::Complete, line);
        }
        // kubectl prints the kind behind the items: without it the text was cut, and nobody can tell whether the last
        // item is whole.
        self.builder.drop_last_item(self.last_item);
        self.builder.add_error(self.position.line, "the list ends before it says its kind");
        self.builder.end_list(&header, Completeness::Truncated, line);
    }

    /// The text cannot be read any further: what is open is lost.
    fn abort(&mut self, error: &io::Error) {
        self.builder.add_error(self.position.line, &format!("the rest cannot be read: {error}"));
        let header = parse_header(&self.document.bytes).unwrap_or_default();
        self.builder.end_list(&header, Completeness::Truncated, self.position.line);
    }
}

fn parse_header(text: &[u8]) -> Result<ListHeader, ParseError> {
    let list: PartialObject = parse(text, Syntax::Yaml)?;
    let name = list.name().map(str::to_owned);
    Ok(ListHeader { api_version: list.api_version, kind: list.kind, name })
}

/// Whether a line parts documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocumentMarker {
    None,
    Bare,
    /// `--- {a: b}`: the document starts on the same line.
    WithContent,
}

fn marker(line: &[u8]) -> DocumentMarker {
    let Some(rest) = line.strip_prefix(b"---").or_else(|| line.strip_prefix(b"...")) else {
        return DocumentMarker::None;
    };
    match rest.first() {
        Some(byte) if !byte.is_ascii_whitespace() => DocumentMarker::None,
        _ if is_blank(rest) => DocumentMarker::Bare,
        _ => DocumentMarker::WithContent,
    }
}

/// How a line stands to a list whose dashes are `indent` far in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinePlacement {
    /// It belongs to the item under way.
    InItem,
    /// It starts an item.
    NewItem,
    /// The list is over.
    AfterList,
}

fn line_placement(line: &[u8], indent: usize) -> LinePlacement {
    let depth = line.iter().take_while(|byte| **byte == b' ').count();
    let rest = &line[depth..];
    let is_dash = rest.first() == Some(&b'-') && rest.get(1).is_none_or(u8::is_ascii_whitespace);
    match rest.first() {
        // A blank line or a comment belongs to whatever is around it.
        _ if rest.trim_ascii_start().is_empty() => LinePlacement::InItem,
        // Nor does a tab, which is wrong anyway, end more than its item.
        Some(b'#' | b'\t') => LinePlacement::InItem,
        _ if depth > indent => LinePlacement::InItem,
        _ if depth == indent && is_dash => LinePlacement::NewItem,
        _ => LinePlacement::AfterList,
    }
}

/// `items:` with nothing behind it.
fn is_items_key(line: &[u8]) -> bool {
    line.strip_prefix(b"items:")
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace) && is_blank(rest))
}

/// Blanks, a comment, or a directive.
fn is_blank(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#')) || line.first() == Some(&b'%')
}

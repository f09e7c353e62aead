//! Reads a YAML file into the index, line by line: documents end at `---`, and a list as kubectl prints it is split at
//! its dashes. Split by hand so that one object is in memory at a time, and an invalid item costs only itself.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use super::index_builder::{Completeness, IndexBuilder, ObjectText};
use super::partial_object::PartialObject;
use super::text::json_scanner::{ListHeader, TextPosition};
use super::text::parse::{Defect, ParseError, Syntax, count_lines, parse};

/// A larger object is skipped; a server stores far smaller ones.
const MAX_PIECE: usize = 64 * 1024 * 1024;

/// How much text with anchors is kept for the aliases of later items. kubectl writes neither.
const MAX_ANCHORED: usize = 1024 * 1024;
/// How much text may be parsed again to resolve aliases.
const MAX_PARSED_AGAIN: usize = 16 * MAX_ANCHORED;

/// Reads to the end of the input, or until reading fails.
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

/// Reads one line including its end. An endless line is cut off where its object becomes too large.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    input.take(MAX_PIECE as u64 + 1).read_until(b'\n', line).map(|_| ())
}

/// Splits lines into documents and items.
struct YamlSplitter<'a, 'b> {
    builder: &'a mut IndexBuilder<'b>,
    position: TextPosition,
    mode: SplitMode,
    /// The text of the document without the items that were split off.
    document: YamlPiece,
    /// The current item.
    item: YamlPiece,
    /// The line at which the last complete item started.
    last_item: u64,
    /// Items of the document that define anchors.
    anchored: Vec<u8>,
    /// How much text has been parsed again to resolve aliases.
    parsed_again: usize,
    /// Where the document continues after its items.
    after_items: Option<AfterItems>,
}

/// What the next line may belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SplitMode {
    /// Outside the items.
    Plain,
    /// After `items:`.
    AfterItemsKey,
    /// Inside items whose dashes are indented by `indent`.
    Items { indent: usize },
}

/// The lines of one document or item.
struct YamlPiece {
    start: TextPosition,
    bytes: Vec<u8>,
    /// Whether it has more than blank lines, comments and directives.
    has_content: bool,
    too_large: bool,
}

/// Maps line numbers after the items back to the file.
#[derive(Clone, Copy, Debug)]
struct AfterItems {
    /// Lines of the document before the items.
    before: u64,
    /// The line of the file at which the document continues.
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
            anchored: Vec::new(),
            parsed_again: 0,
            after_items: None,
        }
    }

    fn add_line(&mut self, line: &[u8]) {
        // A byte order mark, as Windows writes it.
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
        match self.builder.try_add_item(text) {
            Err(error) if error.defect == Defect::UnknownAnchor => self.resolve_aliases(&item, &error),
            Err(error) => self.builder.add_error(item.start.line + error.line, &error.message),
            Ok(()) => {}
        }
        if self.anchored.len() + item.bytes.len() <= MAX_ANCHORED && has_anchor(&item.bytes) {
            self.anchored.extend_from_slice(&item.bytes);
        }
    }

    /// Adds an item that refers to anchors before it: parses it together with the items that have anchors.
    fn resolve_aliases(&mut self, item: &YamlPiece, error: &ParseError) {
        let text = [self.document.bytes.as_slice(), &self.anchored, &item.bytes].concat();
        self.parsed_again = self.parsed_again.saturating_add(text.len());
        let parsed =
            if self.parsed_again > MAX_PARSED_AGAIN { None } else { parse(&text, Syntax::Yaml).ok() };
        let items = parsed.and_then(|mut list: Value| list.get_mut("items").map(Value::take));
        match items {
            Some(Value::Array(mut items)) if !items.is_empty() => {
                let last = items.pop().unwrap_or_default();
                self.builder.add_value(last, item.start);
            }
            _ => self.builder.add_error(item.start.line + error.line, &error.message),
        }
    }

    fn end_document(&mut self) {
        let had_items = self.end_items();
        let document = std::mem::replace(&mut self.document, YamlPiece::new(self.position));
        let after_items = self.after_items.take();
        self.anchored.clear();
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

    /// Ends the current item, if any. Returns whether the document has items.
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
        // kubectl prints the kind after the items. Without it the text was truncated, and the last item may be
        // incomplete.
        self.builder.drop_last_item(self.last_item);
        self.builder.add_error(self.position.line, "the list ends before its kind field");
        self.builder.end_list(&header, Completeness::Truncated, line);
    }

    /// Reading failed: the current item and document are lost.
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

/// Whether a line separates documents.
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

/// Where a line belongs relative to a list whose dashes are indented by `indent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinePlacement {
    /// Part of the current item.
    InItem,
    /// The start of an item.
    NewItem,
    /// After the end of the list.
    AfterList,
}

fn line_placement(line: &[u8], indent: usize) -> LinePlacement {
    let depth = line.iter().take_while(|byte| **byte == b' ').count();
    let rest = &line[depth..];
    let is_dash = rest.first() == Some(&b'-') && rest.get(1).is_none_or(u8::is_ascii_whitespace);
    match rest.first() {
        // A blank line or a comment belongs to what surrounds it.
        _ if rest.trim_ascii_start().is_empty() => LinePlacement::InItem,
        // A tab is invalid as indentation, but only its item should fail.
        Some(b'#' | b'\t') => LinePlacement::InItem,
        _ if depth > indent => LinePlacement::InItem,
        _ if depth == indent && is_dash => LinePlacement::NewItem,
        _ => LinePlacement::AfterList,
    }
}

/// `items:` without a value on the same line.
fn is_items_key(line: &[u8]) -> bool {
    line.strip_prefix(b"items:")
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace) && is_blank(rest))
}

/// Whether a text seems to have an anchor, such as `metadata: &shared`. Only costs memory if it has none.
fn has_anchor(text: &[u8]) -> bool {
    text.windows(3).any(|window| matches!(window, [b' ', b'&', name] if name.is_ascii_alphanumeric()))
}

/// A blank line, a comment or a directive.
fn is_blank(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#')) || line.first() == Some(&b'%')
}

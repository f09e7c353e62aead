//! Reads a JSON file into the index, object by object.

use std::io::Read;

use super::index_builder::{Completeness, IndexBuilder, ObjectText};
use super::text::json_scanner::{JsonScanner, JsonSpan, ScanEvent, Unfinished};
use super::text::parse::Syntax;

const NOT_JSON: &str = "this is not JSON";

/// Reads to the end of the input, or until reading fails.
pub(super) fn read_json(input: &mut dyn Read, builder: &mut IndexBuilder<'_>) {
    let mut scanner = JsonScanner::default();
    let end_reason = loop {
        while let Some(event) = scanner.next() {
            handle_event(&scanner, event, builder);
        }
        match scanner.fill(input) {
            Ok(0) => break "it is truncated".to_owned(),
            Ok(_) => {}
            Err(error) => {
                let message = format!("the rest cannot be read: {error}");
                if scanner.is_between() {
                    builder.add_error(scanner.position().line, &message);
                }
                break message;
            }
        }
    };
    match scanner.finish() {
        Some(Unfinished::NotJson(position)) => builder.add_error(position.line, NOT_JSON),
        Some(Unfinished::Document(position)) => builder.add_error(position.line, &end_reason),
        Some(Unfinished::List(header, position)) => {
            builder.add_error(position.line, &end_reason);
            builder.end_list(&header, Completeness::Truncated, position.line);
        }
        None => {}
    }
}

fn handle_event(scanner: &JsonScanner, event: ScanEvent, builder: &mut IndexBuilder<'_>) {
    let object_text = |span: &JsonSpan| ObjectText {
        bytes: scanner.text(span),
        syntax: Syntax::Json,
        position: span.start,
        depth: span.depth,
    };
    match event {
        ScanEvent::Document(span) => builder.add_document(object_text(&span)),
        ScanEvent::Item(span) => builder.add_item(object_text(&span)),
        ScanEvent::ListEnd(header) => {
            builder.end_list(&header, Completeness::Complete, scanner.position().line);
        }
        ScanEvent::Unexpected(position) => {
            builder.add_error(position.line, "a bracket, comma or key is missing or unexpected");
        }
        ScanEvent::NotJson(position) => builder.add_error(position.line, NOT_JSON),
        ScanEvent::TooLarge(position) => builder.add_error(position.line, "it is larger than 64 MiB"),
    }
}

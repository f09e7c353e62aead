//! Reads JSON text into the index.

use std::io::Read;

use super::filing::{Filing, Piece, Wholeness};
use super::parse::Form;
use super::scan::{Found, Leftover, Scanner, Span};

const STRAY: &str = "this is no JSON";

/// Reads to the end of the text, or to where it cannot be read any more.
pub(super) fn read(input: &mut dyn Read, filing: &mut Filing<'_>) {
    let mut scanner = Scanner::default();
    let end = loop {
        while let Some(found) = scanner.next() {
            take(&scanner, found, filing);
        }
        match scanner.fill(input) {
            Ok(0) => break "it ends in the middle".to_owned(),
            Ok(_) => {}
            Err(error) => {
                let words = format!("the rest cannot be read: {error}");
                if scanner.is_between() {
                    filing.broken(scanner.spot().line, &words);
                }
                break words;
            }
        }
    };
    match scanner.finish() {
        Some(Leftover::Stray(spot)) => filing.broken(spot.line, STRAY),
        Some(Leftover::Document(spot)) => filing.broken(spot.line, &end),
        Some(Leftover::List(header, spot)) => {
            filing.broken(spot.line, &end);
            filing.end_list(&header, Wholeness::Cut, spot.line);
        }
        None => {}
    }
}

fn take(scanner: &Scanner, found: Found, filing: &mut Filing<'_>) {
    let piece = |span: &Span| Piece {
        text: scanner.text(span),
        form: Form::Json,
        spot: span.start,
        depth: span.depth,
    };
    match found {
        Found::Document(span) => filing.document(piece(&span)),
        Found::Item(span) => filing.item(piece(&span)),
        Found::ListEnd(header) => filing.end_list(&header, Wholeness::Whole, scanner.spot().line),
        Found::Odd(spot) => filing.broken(spot.line, "a bracket, comma or key is missing or too many"),
        Found::Stray(spot) => filing.broken(spot.line, STRAY),
        Found::TooLarge(spot) => filing.broken(spot.line, "it is larger than 64 MiB"),
    }
}

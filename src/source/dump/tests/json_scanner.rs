//! The scanner finds exactly what a parser finds, however the input is chunked.

use std::io::{self, Read};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::text::json_scanner::{JsonScanner, ScanEvent};
use super::super::text::parse::count_lines;

/// A reader that returns chunks of these sizes.
struct Pieces<'a> {
    text: &'a [u8],
    sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.next().copied().unwrap_or(1).min(self.text.len()).min(buffer.len());
        let (now, later) = self.text.split_at(size);
        buffer[..size].copy_from_slice(now);
        self.text = later;
        Ok(size)
    }
}

/// The documents and items that the scanner finds, in order.
fn scan(text: &[u8], sizes: &[usize]) -> Vec<Value> {
    let mut input = Pieces { text, sizes: sizes.iter().cycle() };
    let mut scanner = JsonScanner::default();
    let mut found = Vec::new();
    loop {
        while let Some(next) = scanner.next() {
            match next {
                ScanEvent::Document(span) | ScanEvent::Item(span) => {
                    let start = usize::try_from(span.start.offset).unwrap();
                    let end = usize::try_from(span.end).unwrap();
                    assert_eq!(scanner.text(&span), &text[start..end]);
                    assert_eq!(span.start.line, count_lines(&text[..start]) + 1);
                    found.push(serde_json::from_slice(scanner.text(&span)).unwrap());
                }
                ScanEvent::ListEnd(header) => found.push(json!([header.api_version, header.kind])),
                odd => panic!("{odd:?}"),
            }
        }
        if scanner.fill(&mut input).unwrap() == 0 {
            assert_eq!(scanner.finish(), None);
            return found;
        }
    }
}

/// The same, found by a parser.
fn expected(documents: &[Value]) -> Vec<Value> {
    documents
        .iter()
        .flat_map(|document| match document {
            Value::Array(items) => [items.as_slice(), &[json!([null, null])]].concat(),
            object => match object.get("items") {
                Some(Value::Array(items)) => {
                    let word = |key: &str| object.get(key).filter(|word| word.is_string());
                    [items.as_slice(), &[json!([word("apiVersion"), word("kind")])]].concat()
                }
                _ => vec![object.clone()],
            },
        })
        .collect()
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z{}\\[\\]\",:\\\\\n]{0,8}", any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| json!(number.round())),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(key(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec!["items", "kind", "apiVersion", "metadata", "a\"b"]).prop_map(str::to_owned),
        any::<String>(),
    ]
}

/// A top-level value: an object or an array.
fn document() -> impl Strategy<Value = Value> {
    let items = || prop::collection::vec(value(), 0..5).prop_map(Value::from);
    prop_oneof![
        prop::collection::vec((key(), value()), 0..6)
            .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        (prop::collection::vec((key(), value()), 0..4), items()).prop_map(|(fields, items)| {
            let mut object: Map<String, Value> = fields.into_iter().collect();
            object.insert("items".to_owned(), items);
            Value::Object(object)
        }),
        items(),
    ]
}

proptest! {
    #[test]
    fn the_scanner_finds_exactly_what_a_parser_finds(
        documents in prop::collection::vec((document(), any::<bool>()), 0..4),
        sizes in prop::collection::vec(1..50_usize, 1..5),
    ) {
        let text: String = documents
            .iter()
            .map(|(document, is_pretty)| {
                let pretty = || serde_json::to_string_pretty(document).unwrap() + "\n";
                if *is_pretty { pretty() } else { document.to_string() }
            })
            .collect();
        let documents: Vec<Value> = documents.into_iter().map(|(document, _)| document).collect();
        // Numbers are compared as a parser reads them.
        let documents: Vec<Value> =
            documents.iter().map(|document| serde_json::from_str(&document.to_string()).unwrap()).collect();
        prop_assert_eq!(scan(text.as_bytes(), &sizes), expected(&documents));
    }
}

#[test]
fn a_piece_that_is_too_large_is_given_up_and_the_next_one_found() {
    let large = "x".repeat(65 << 20);
    let text = format!(r#"{{"items":[{{"a":"{large}"}},{{"b":1}}]}}{{"c":"{large}"}}{{"d":1}}"#);
    let mut input = text.as_bytes();
    let mut scanner = JsonScanner::default();
    let mut found = Vec::new();
    loop {
        while let Some(next) = scanner.next() {
            found.push(match next {
                ScanEvent::Document(span) | ScanEvent::Item(span) => {
                    String::from_utf8_lossy(scanner.text(&span)).into_owned()
                }
                ScanEvent::TooLarge(position) => format!("too large at {}", position.offset),
                other => format!("{other:?}"),
            });
        }
        if scanner.fill(&mut input).unwrap() == 0 {
            break;
        }
    }
    let second = text.rfind(r#"{"c""#).unwrap();
    let end = "ListEnd(ListHeader { api_version: None, kind: None, name: None })";
    assert_eq!(
        found,
        ["too large at 10", r#"{"b":1}"#, end, &format!("too large at {second}"), r#"{"d":1}"#]
    );
}

//! Text that is truncated, invalid or malicious.

use proptest::prelude::*;
use serde_json::json;

use super::{broken, config_map, dump, list, names, stream};

const KIND: &str = "apiVersion: v1\nkind: ConfigMap\n";

/// A list with two valid items around an invalid one.
fn around(bad: &str) -> String {
    let (a, b) = (config_map("a"), config_map("b"));
    format!("{{\"apiVersion\":\"v1\",\"items\":[\n{a},\n{bad},\n{b}\n],\"kind\":\"List\"}}")
}

#[test]
fn a_bad_item_of_json_costs_only_itself() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let abyss = format!("{}{}", "[".repeat(300_000), "]".repeat(300_000));
    for (bad, words) in [
        ("3", "expected a Kubernetes object, but it is not an object"),
        ("\"text\"", "expected a Kubernetes object, but it is not an object"),
        ("null", "expected a Kubernetes object, but it is not an object"),
        ("{}", "expected a Kubernetes object, but it has no kind"),
        (r#"{"kind":"A","metadata":{"name":"x"}}"#, "expected a Kubernetes object, but it has no apiVersion"),
        (
            r#"{"apiVersion":"v1","kind":"A","metadata":{}}"#,
            "expected a Kubernetes object, but it has no metadata.name",
        ),
        (
            r#"{"apiVersion":"v1",,"kind":"A","metadata":{"name":"x"}}"#,
            "expected a Kubernetes object, but it is not valid JSON",
        ),
        (
            &format!(r#"{{"apiVersion":"v1","kind":"A","metadata":{{"name":"x"}},"spec":{deep}}}"#),
            "expected a Kubernetes object, but it is nested 128 or more levels deep",
        ),
        (
            &format!(r#"{{"apiVersion":"v1","kind":"A","metadata":{{"name":"x"}},"status":{abyss}}}"#),
            "expected a Kubernetes object, but it is nested 128 or more levels deep",
        ),
    ] {
        let dump = dump(&around(bad));
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"], "{words}");
        assert_eq!(broken(&dump), [format!("standard input line 3: {words}")]);
    }
}

#[test]
fn damage_to_the_text_between_items_does_not_lose_the_rest() {
    for bad in [
        "{\"apiVersion\":\"v1\",\"kind\":\"A,\n\"metadata\":{\"name\":\"x\"}}",
        "{\"kind\":\"A\"}}",
        ":",
        "rubbish here",
    ] {
        let dump = dump(&around(bad));
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"], "{bad}");
        assert!(!broken(&dump).is_empty(), "{bad}");
    }
}

#[test]
fn bytes_that_are_no_text_cost_only_their_object() {
    for text in [
        around("{\"apiVersion\":\"v1\",\"kind\":\"A\",\"metadata\":{\"name\":\"x\"},\"spec\":\"@\"}"),
        format!(
            "{KIND}metadata: {{name: a, namespace: shop}}\n---\n{KIND}data: \"@\"\nmetadata: {{name: x}}\n---\n{KIND}metadata: {{name: b, namespace: shop}}\n"
        ),
    ] {
        let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'@' { 0xff } else { byte }).collect();
        let dump = stream(&bytes).unwrap();
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
        assert_eq!(broken(&dump).len(), 1);
        assert!(broken(&dump)[0].ends_with("but it is not valid UTF-8"), "{:?}", broken(&dump));
    }
}

#[test]
fn a_bad_item_of_yaml_costs_only_itself() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..20 {
        bomb = format!("{bomb}  a{level}: &a{level} [{}]\n", format!("*a{}, ", level - 1).repeat(9));
    }
    let deep = format!("a: {}{}\n", "[".repeat(200), "]".repeat(200));
    let steep = (1..200).map(|level| " ".repeat(level * 2)).collect::<Vec<_>>().join("a:\n");
    for bad in [
        "3\n",
        "apiVersion: v1\n  kind: \"ConfigMap\n  metadata:\n    name: x\n",
        "apiVersion: v1\n\tkind: ConfigMap\n",
        "apiVersion: *nowhere\n  kind: ConfigMap\n  metadata: {name: x}\n",
        "kind: ConfigMap\n  metadata: {name: x}\n",
        bomb.as_str(),
        deep.as_str(),
        &format!("a:\n{steep}a:\n"),
    ] {
        let item = |name: &str| {
            format!("- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {name}, namespace: shop}}\n")
        };
        let text = format!("apiVersion: v1\nitems:\n{}- {bad}{}kind: List\n", item("a"), item("b"));
        let dump = dump(&text);
        assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"], "{text}");
        let gaps = broken(&dump);
        assert_eq!(gaps.len(), 1, "{gaps:?}");
        let line: u64 = gaps[0].split_whitespace().nth(3).unwrap().trim_end_matches(':').parse().unwrap();
        assert!((6..6 + bad.lines().count() as u64 + 1).contains(&line), "{gaps:?}");
    }
}

#[test]
fn rubbish_without_end_is_bounded() {
    let dump = dump(&format!("{}\n{}", config_map("a"), "{\"kind\": 1}\n".repeat(5_000)));
    assert_eq!(dump.discovered().gaps.len(), 501);
}

#[test]
fn json_cut_anywhere_keeps_every_whole_item_and_says_so() {
    let whole = list(&[config_map("a"), config_map("b"), config_map("c")]);
    let one = config_map("a").to_string();
    for text in [
        whole.to_string(),
        serde_json::to_string_pretty(&whole).unwrap(),
        format!("{}\n{}", config_map("a"), config_map("b")),
    ] {
        let mut most = 0;
        for length in 0..text.len() {
            if !text.is_char_boundary(length) {
                continue;
            }
            if let Ok(dump) = stream(&text.as_bytes()[..length]) {
                assert!(names(&dump).len() >= most);
                most = names(&dump).len();
                let is_end_of_object = *text[..length].trim_end() == one;
                assert!(!broken(&dump).is_empty() || is_end_of_object, "{length}");
                for entry in dump.entries() {
                    assert_eq!(dump.body(entry).unwrap(), config_map(&entry.meta.name.name));
                }
            }
        }
        assert!(most >= 1);
    }
}

#[test]
fn a_yaml_list_cut_anywhere_keeps_every_whole_item_and_says_so() {
    let text = serde_saphyr::to_string(&list(&[config_map("a"), config_map("b"), config_map("c")])).unwrap();
    let kind = text.rfind("kind: List").unwrap();
    let dash = |(at, start): (usize, &str)| at + start.trim_end().len();
    let starts: Vec<usize> =
        text.match_indices("\n- ").chain(text.match_indices("\n  - ")).map(dash).collect();
    assert_eq!(starts.len(), 3);
    for length in 0..kind + "kind: Li".len() {
        if !text.is_char_boundary(length) {
            continue;
        }
        // All but the item in which the text ends.
        let sure = starts.iter().filter(|start| **start < length).count().saturating_sub(1);
        match stream(&text.as_bytes()[..length]) {
            Ok(dump) => {
                assert!(!broken(&dump).is_empty(), "{length}");
                assert!(names(&dump).len() >= sure, "{length}");
                for entry in dump.entries() {
                    assert_eq!(dump.body(entry).unwrap(), config_map(&entry.meta.name.name));
                }
            }
            Err(_) => assert_eq!(sure, 0),
        }
    }
}

#[test]
fn an_object_with_items_of_its_own_is_a_gap() {
    let odd = json!({"apiVersion": "a.b/v1", "kind": "Menu", "metadata": {"name": "m"}, "items": [config_map("x")]});
    for odd in [odd.to_string(), serde_saphyr::to_string(&odd).unwrap() + "---"] {
        let dump = dump(&format!("{odd}\n{}", config_map("a")));
        assert_eq!(names(&dump), ["configmaps/shop/a"]);
        assert_eq!(broken(&dump).len(), 1);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = stream(&bytes);
        for start in [b"{".as_slice(), b"a:".as_slice(), b"\x1f\x8b\x08\0".as_slice()] {
            let _ = stream(&[start, &bytes].concat());
        }
    }

    #[test]
    fn no_text_of_familiar_words_makes_it_panic(words in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\n", "\n- ", "\n  - ", "---\n", "...", "items:", "\"items\"", "kind",
        "\"kind\"", "List", "metadata:", "name", " ", "  ", "\t", "&a", "*a", "!!x", "|", ">", "#", "%", "null", "1", "é",
        "apiVersion: v1", "==== START logs", "==== END logs", "\r\n", "? ", "<<: *a", "\u{feff}",
    ]), 0..60)) {
        let text = words.concat();
        let _ = stream(text.as_bytes());
        let _ = stream(format!("{}\n{text}", config_map("a")).as_bytes()).unwrap();
        let _ = stream(format!("{KIND}metadata: {{name: a}}\n---\n{text}").as_bytes()).unwrap();
    }
}

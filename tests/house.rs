//! Holds the house up: who may use whom, which crate lives where, how long a file may get, and that no test
//! is forgotten. The checks are functions over paths and texts, and are shown to fail.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A file: its path from the top of the repository, and its text.
type File = (String, String);

/// Rooms, and the rooms each may use. `main` sees the library from outside, as `kubectl_op`.
const ARROWS: &[(&str, &[&str])] = &[
    ("main", &["lib", "cli", "ui", "error"]),
    ("lib", &["cli", "commands", "connection", "settings", "source", "ui", "error"]),
    ("cli", &["commands", "settings", "error"]),
    ("commands", &["connection", "source", "inspect", "render", "model", "known", "jsonpath", "ui", "error"]),
    ("connection", &["error"]),
    ("settings", &["model", "error"]),
    ("source", &["connection", "model", "known", "jsonpath", "error"]),
    ("inspect", &["model", "known"]),
    ("render", &["inspect", "model", "jsonpath", "ui::Styles", "ui::Tone"]),
    ("jsonpath", &[]),
    ("known", &["model"]),
    ("model", &[]),
    ("ui", &[]),
    ("error", &[]),
];

/// Outside crates that not every room may name, and the rooms that may. A room ending in `/` is that folder
/// alone. Clap's derive reaches `cli` and `commands` only; `lib` hands a `clap::Command` on without naming it.
const CRATES: &[(&str, &[&str])] = &[
    ("anyhow", &["main", "lib", "commands", "connection", "source"]),
    ("clap", &["cli", "commands"]),
    ("clap_complete", &["commands"]),
    ("comfy_table", &["render"]),
    ("dialoguer", &["ui"]),
    ("flate2", &["source/dump/"]),
    ("kube", &["connection", "source/cluster/"]),
    ("owo_colors", &["ui"]),
    ("rustls", &["connection"]),
    ("tar", &["source/dump/"]),
    ("terminal_size", &["ui"]),
    ("tokio", &["main", "commands", "connection", "source"]),
];

/// Lines of code, tests not counted, at which a file has to be split.
const TOO_LONG: usize = 600;

const NAMELESS: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

// === The checks ===

/// Everything that is wrong with one file under src/.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let room = room(path);
    let code = without_comments_and_strings(text);
    if !text.starts_with("//!") {
        found.push(format!("{path} does not open with //!"));
    }
    if Path::new(path).file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| NAMELESS.contains(&stem))
    {
        found.push(format!("{path} is named after nothing"));
    }
    let lines = code_lines(text);
    if lines >= TOO_LONG && room != "known" {
        found.push(format!("{path} has {lines} lines of code; split it"));
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
        found.push(format!("{path} is in no known room"));
        return found;
    };
    for used in used_paths(path, &code) {
        let target = used.split("::").next().unwrap_or_default();
        let is_room = ARROWS.iter().any(|(name, _)| *name == target);
        // What is no room is an item of lib.rs.
        let target = if is_room { target } else { "lib" };
        let fits = |arrow: &str| arrow == target || used == arrow || used.starts_with(&format!("{arrow}::"));
        if target != room && !allowed.iter().any(|arrow| fits(arrow)) {
            found.push(format!("{path} uses {used}: {room} may not use {target}"));
        }
    }
    for (name, rooms) in CRATES {
        let may = rooms
            .iter()
            .any(|place| *place == room || path.starts_with(&format!("src/{place}")) && place.ends_with('/'));
        if !may && names_crate(&code, name) {
            found.push(format!("{path} names the crate {name}, which lives in {}", rooms.join(", ")));
        }
    }
    found
}

/// Test files that no `mod` line of the folder's main.rs, or of a module in it, declares.
fn forgotten(files: &[File]) -> Vec<String> {
    let declared: BTreeSet<String> = files
        .iter()
        .flat_map(|(path, text)| {
            let folder = match path.strip_suffix("main.rs").or_else(|| path.strip_suffix("mod.rs")) {
                Some(folder) => folder.to_owned(),
                None => format!("{}/", path.trim_end_matches(".rs")),
            };
            let code = without_comments_and_strings(text);
            modules(&code).into_iter().map(move |name| format!("{folder}{name}")).collect::<Vec<_>>()
        })
        .collect();
    let name = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
    let is_root = |path: &str| path.ends_with("main.rs");
    files
        .iter()
        .map(|(path, _)| path)
        .filter(|path| !is_root(path) && !declared.contains(&name(path)))
        .cloned()
        .collect()
}

// === Reading Rust, as far as it is needed ===

/// `src/commands/version.rs` is in `commands`, `src/ui.rs` and `src/ui/mod.rs` are both `ui`.
fn room(path: &str) -> &str {
    let path = path.trim_start_matches("src/");
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

/// Blanks out comments, strings and characters; line breaks stay.
fn without_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest, &out) {
            length
        } else if c == '"' {
            string(rest)
        } else {
            character(rest).unwrap_or_default()
        };
        if skip == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            out.push(' ');
            out.extend(rest[..skip].chars().filter(|c| *c == '\n'));
            rest = &rest[skip..];
        }
    }
    out
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn raw_string(text: &str, before: &str) -> Option<usize> {
    // An `r` at the end of a name is not a prefix.
    if before.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let body = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(inner.find(&end).map_or(text.len(), |at| text.len() - inner.len() + at + end.len()))
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `'a'` and `'\u{1b}'` are characters, `'a` is a lifetime.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    if body.starts_with('\\') {
        let end = body.char_indices().skip(2).find(|(_, c)| *c == '\'')?.0;
        return Some(end + 2);
    }
    let mut chars = body.char_indices().skip(1);
    let (at, quote) = chars.next()?;
    (quote == '\'').then_some(at + 2)
}

/// Lines above the tests.
fn code_lines(text: &str) -> usize {
    text.lines().take_while(|line| line.trim() != "#[cfg(test)]").count()
}

/// Every path into our own crate, from its top: `crate::`, `kubectl_op::` and what `super::` climbs to.
fn used_paths(path: &str, code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in ["crate::", "kubectl_op::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let begins = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if begins {
                let depth = inline_depth(&code[..at]);
                found.extend(expand(&code[at..]).iter().filter_map(|used| from_top(path, depth, used)));
            }
        }
    }
    found
}

/// `crate::{a::b, c}` is `crate::a::b` and `crate::c`.
fn expand(code: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '*';
    let stem_end = code.find(|c| !is_word(c)).unwrap_or(code.len());
    let stem = &code[..stem_end];
    if !code[stem_end..].starts_with('{') || !stem.ends_with("::") {
        return vec![stem.trim_end_matches(':').to_owned()];
    }
    let mut paths = Vec::new();
    for part in group(&code[stem_end..]) {
        let part = part.trim();
        if part == "self" {
            paths.push(stem.trim_end_matches(':').to_owned());
        } else if !part.is_empty() {
            paths.extend(expand(part).into_iter().map(|inner| format!("{stem}{inner}")));
        }
    }
    paths
}

/// The parts of `{a, b::{c, d}}`.
fn group(code: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 1, Vec::new());
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            parts.push(&code[from..at]);
            from = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    parts
}

/// How many `mod x {` are open at the end of `code`: each takes one `super`.
fn inline_depth(code: &str) -> usize {
    let mut open = Vec::new();
    for (at, c) in code.char_indices() {
        match c {
            '{' => {
                let before =
                    code[..at].trim_end().trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
                open.push(before.ends_with("mod "));
            }
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open.into_iter().filter(|is_module| *is_module).count()
}

/// The path from the crate's top; `None` when `super` does not climb out of the room.
fn from_top(path: &str, depth: usize, used: &str) -> Option<String> {
    if let Some(rest) = used.strip_prefix("crate::").or_else(|| used.strip_prefix("kubectl_op::")) {
        return Some(rest.to_owned());
    }
    let mut module: Vec<&str> = path.trim_start_matches("src/").trim_end_matches(".rs").split('/').collect();
    if module.last() == Some(&"mod") {
        module.pop();
    }
    let (mut rest, mut inline) = (used, depth);
    while let Some(inner) = rest.strip_prefix("super::") {
        match inline.checked_sub(1) {
            Some(outer) => inline = outer,
            None => drop(module.pop()?),
        }
        rest = inner;
    }
    module.is_empty().then(|| rest.to_owned())
}

/// Whether `code` names an outside crate, as `name::..`, in a `use`, or as an attribute's path.
fn names_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = &code[..at];
        let after = &code[at + name.len()..];
        // `::kube` is the crate, `x::kube` is not.
        let before = before.strip_suffix("::").unwrap_or(before);
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == ':');
        let is_use = before.trim_end().ends_with("use") && after.starts_with([';', ' ']);
        is_whole && (after.starts_with("::") || is_use)
    })
}

/// The names in `mod x;` lines.
fn modules(code: &str) -> Vec<&str> {
    let words =
        |line: &'_ str| line.trim().trim_end_matches(';').rsplit_once("mod ").map(|(_, name)| name.len());
    code.lines()
        .map(str::trim)
        .filter(|line| line.ends_with(';'))
        .filter_map(|line| words(line).map(|length| &line[line.len() - 1 - length..line.len() - 1]))
        .collect()
}

// === The house as it stands ===

fn read(folder: &str) -> Vec<File> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![top.join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(top).unwrap().to_str().unwrap().replace('\\', "/");
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn the_house_stands() {
    let files = read("src");
    assert!(files.len() > 10);
    let found: Vec<_> = files.iter().flat_map(|(path, text)| complaints(path, text)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn main_fits_a_page() {
    let main = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 40);
}

#[test]
fn no_test_file_is_forgotten() {
    for folder in ["tests/cli", "tests/drawings", "tests/live"] {
        assert_eq!(forgotten(&read(folder)), Vec::<String>::new());
    }
}

#[test]
fn test_files_are_named_and_open_with_what_they_are() {
    for (path, text) in
        ["tests/cli", "tests/drawings", "tests/live", "tests/lab/src"].map(read).into_iter().flatten()
    {
        let stem = Path::new(&path).file_stem().unwrap().to_str().unwrap();
        assert!(text.starts_with("//!"), "{path}");
        assert!(!NAMELESS.contains(&stem), "{path}");
    }
}

// === That the checks can fail ===

fn check(path: &str, code: &str) -> Vec<String> {
    complaints(path, &format!("//! x\n{code}\n"))
}

#[test]
fn a_broken_arrow_fails() {
    for (path, code) in [
        ("src/inspect/graph.rs", "use crate::source::cluster::Cluster;"),
        ("src/model/ident.rs", "pub(crate) use crate::error::Failure;"),
        ("src/model/ident.rs", "use crate::{known::labels, model::snapshot};"),
        ("src/model/ident.rs", "use crate::{\n    model::{snapshot, plan},\n    ui::{self, Ui},\n};"),
        ("src/render/tree.rs", "use crate::ui::Ui;"),
        ("src/render/tree.rs", "use crate::ui::{Styles, sanitize};"),
        ("src/render/tree.rs", "use crate::ui;"),
        ("src/ui.rs", "fn f() -> crate::error::Outcome { todo!() }"),
        ("src/ui/color.rs", "use super::super::error::Outcome;"),
        ("src/ui/mod.rs", "use super::error::Outcome;"),
        ("src/ui/mod.rs", "mod tests { fn f() {} use super::super::error::Outcome; }"),
        ("src/cli.rs", "use crate::source;"),
        ("src/commands/tree.rs", "use crate::cli::Cli;"),
        ("src/commands/tree.rs", "use crate::Env;"),
        ("src/main.rs", "use kubectl_op::source::cluster::Cluster;"),
        ("src/source/cluster/connect.rs", "use crate::render::table::Table;"),
    ] {
        assert!(!check(path, code).is_empty(), "{path}: {code}");
    }
}

#[test]
fn a_right_arrow_holds() {
    for (path, code) in [
        ("src/inspect/graph.rs", "use crate::model::snapshot::Snapshot;\nuse crate::known::labels;"),
        ("src/render/tree.rs", "use crate::ui::Styles;\nuse crate::inspect::{graph::Graph, cause};"),
        ("src/render/tree.rs", "use super::table::Table;"),
        ("src/ui/color.rs", "use super::Env;\nmod tests { fn f() {} use super::super::Color; }"),
        (
            "src/model/ident.rs",
            "// crate::source is not for us\nlet x = \"crate::source\"; let y = r#\"crate::ui\"#;",
        ),
        (
            "src/model/ident.rs",
            "/* crate::ui /* nested */ crate::ui */ let c = '\"'; let d: &'static str = \"crate::ui\";",
        ),
        ("src/main.rs", "use kubectl_op::{Env, cli, run};"),
        ("src/commands/tree.rs", "use crate::error::{Failure, Kind};"),
    ] {
        assert_eq!(check(path, code), Vec::<String>::new(), "{path}: {code}");
    }
}

#[test]
fn a_forbidden_crate_fails() {
    for (path, code) in [
        ("src/model/object.rs", "use kube::Client;"),
        ("src/source/dump/mod.rs", "fn f(client: &kube::Client) {}"),
        ("src/render/tree.rs", "use owo_colors::Style;"),
        ("src/inspect/graph.rs", "use tokio;"),
        ("src/inspect/graph.rs", "pub use anyhow as failure;"),
        ("src/lib.rs", "#[derive(clap::Parser)]\nstruct Cli;"),
        ("src/ui/mod.rs", "fn f() -> ::clap::Command { todo!() }"),
    ] {
        assert!(!check(path, code).is_empty(), "{path}: {code}");
    }
}

#[test]
fn a_crate_in_its_room_holds() {
    for (path, code) in [
        ("src/source/cluster/list.rs", "use kube::Api;"),
        ("src/commands/tree.rs", "#[derive(clap::Args)]\nstruct TreeArgs;\nuse anyhow::Result;"),
        ("src/model/object.rs", "use kube_like::Thing; let my_kube = kube_config; let s = \"kube::Client\";"),
        ("src/ui/mod.rs", "use dialoguer::Confirm;"),
    ] {
        assert_eq!(check(path, code), Vec::<String>::new(), "{path}: {code}");
    }
}

#[test]
fn a_long_file_fails_unless_it_is_a_table_or_tests() {
    let long = "let x = 1;\n".repeat(TOO_LONG);
    assert_eq!(check("src/inspect/graph.rs", &long).len(), 1);
    assert_eq!(check("src/known/finalizers.rs", &long), Vec::<String>::new());
    assert_eq!(
        check("src/inspect/graph.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}")),
        Vec::<String>::new()
    );
}

#[test]
fn a_nameless_silent_or_homeless_file_fails() {
    assert_eq!(check("src/inspect/utils.rs", "").len(), 1);
    assert_eq!(complaints("src/inspect/graph.rs", "fn f() {}\n").len(), 1);
    assert_eq!(check("src/attic.rs", "").len(), 1);
}

#[test]
fn a_forgotten_test_file_fails() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        file("tests/cli/main.rs", "mod tree;\npub(crate) mod deep;\n// mod commented;\n"),
        file("tests/cli/tree.rs", ""),
        file("tests/cli/deep/mod.rs", "mod inner;"),
        file("tests/cli/deep/inner.rs", ""),
        file("tests/cli/deep/lost.rs", ""),
        file("tests/cli/commented.rs", ""),
        file("tests/cli/inner.rs", ""),
    ];
    assert_eq!(forgotten(&files), ["tests/cli/deep/lost.rs", "tests/cli/commented.rs", "tests/cli/inner.rs"]);
}

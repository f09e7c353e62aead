//! Holds the house up: who may use whom, which crate lives where, how long a file and how big a room may get, which
//! names are taken, and that no test is forgotten. The checks are functions over paths and texts, and are shown to
//! fail.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "house/rust.rs"]
mod rust;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rust::{Code, Named};

/// A file: its path from the top of the repository, and its text.
type File = (String, String);

/// A file's path, and its Rust.
type Parsed = (String, Code);

/// Rooms, and the rooms each may use. `main` sees the library from outside, as `kubectl_op`.
const ARROWS: &[(&str, &[&str])] = &[
    ("main", &["lib", "cli", "interrupt", "ui", "error"]),
    ("lib", &["cli", "commands", "connection", "interrupt", "settings", "source", "ui", "error"]),
    ("cli", &["commands", "settings", "model", "error"]),
    (
        "commands",
        &[
            "connection",
            "source",
            "inspect",
            "interrupt",
            "render",
            "model",
            "known",
            "jsonpath",
            "ui",
            "error",
        ],
    ),
    ("connection", &["error"]),
    ("settings", &["model", "error"]),
    ("source", &["connection", "interrupt", "model", "known", "jsonpath", "error"]),
    ("inspect", &["model", "known"]),
    ("render", &["inspect", "model", "jsonpath", "ui::Styles", "ui::Tone", "ui::display_width"]),
    ("jsonpath", &[]),
    ("interrupt", &["ui", "error"]),
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
    ("tokio", &["main", "interrupt", "commands", "connection", "source"]),
];

/// Files that write a duration between two times, neither of which is now. Sorted.
const WRITES_DURATIONS: [&str; 3] =
    ["src/commands/gather.rs", "src/inspect/related/same_name.rs", "src/model/now.rs"];

/// Lines of code, tests not counted, at which a file has to be split.
const TOO_LONG: usize = 600;

/// Lines of code, tests not counted, past which a room has two ideas in it.
const TOO_BIG: usize = 4_000;

/// Rooms that may be bigger, sorted, each with its reason.
const BIG: &[(&str, &str)] =
    &[("inspect", "each of its answers has a folder of its own, and all of them are about one graph")];

/// Folders that are rooms of their own when their lines are counted, the inner one before the one around it.
const INNER_ROOMS: &[&str] = &["source/cluster", "source/dump/text", "source/dump"];

/// Files in a folder past which its mod.rs has to open with a table of what is where.
const MANY: usize = 8;

/// Folders that do not have that table yet, sorted. The list should shrink: an entry that is not needed any more is a
/// complaint.
const TABLELESS: &[&str] = &[];

/// Names of types that are defined more than once, sorted. Some are the natural word in each of their places, the
/// others wait for a name of their own. The list should shrink: an entry that is not needed any more is a complaint.
const LOCAL_WORDS: &[&str] = &["Condition", "Env", "Inner", "Node", "Problem"];

/// Rooms that only compute: nothing in them waits.
const SYNC: &[&str] = &["inspect", "render"];

/// Files whose comment at the top may have a table of what is where.
const INDEXES: &[&str] = &["lib.rs", "main.rs", "mod.rs"];

const NAMELESS: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

// === The checks ===

/// Everything that is wrong with one file under src/.
fn complaints(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let room = room(path);
    if !text.starts_with("//!") {
        found.push(format!("{path} does not open with //!"));
    }
    if Path::new(path).file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| NAMELESS.contains(&stem))
    {
        found.push(format!("{path} is named after nothing"));
    }
    let code = match Code::parse(text) {
        Ok(code) => code,
        Err(error) => {
            found.push(format!("{path} is not Rust: {error}"));
            return found;
        }
    };
    if code.lines >= TOO_LONG && room != "known" {
        found.push(format!("{path} has {} lines of code; split it", code.lines));
    }
    if code.is_async && SYNC.contains(&room) {
        found.push(format!("{path} is async: {room} only computes"));
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
        found.push(format!("{path} is in no known room"));
        return found;
    };
    let used: BTreeSet<String> = code.paths.iter().filter_map(|named| from_top(path, named)).collect();
    for used in used {
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
        if !may && code.paths.iter().any(|named| named.names_crate(name)) {
            found.push(format!("{path} names the crate {name}, which lives in {}", rooms.join(", ")));
        }
    }
    found
}

/// Folders of many files whose mod.rs does not open with a table, and those of the list that need not be in it.
fn tableless(files: &[File], listed: &[&str]) -> Vec<String> {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, _) in files {
        *folders.entry(folder(path)).or_default() += 1;
    }
    let has_table = |name: &str| {
        let module = format!("{name}/mod.rs");
        let text = files.iter().find(|(path, _)| *path == module).map_or("", |(_, text)| text);
        text.lines().take_while(|line| line.starts_with("//!")).any(|line| line.starts_with("//! | "))
    };
    let found: BTreeSet<&str> = folders
        .into_iter()
        .filter(|(name, count)| *count > MANY && !has_table(name))
        .map(|(name, _)| name)
        .collect();
    against(&found, listed, "has many files, and its mod.rs does not open with a table")
}

/// Files that a table at the top of a mod.rs, lib.rs or main.rs names and that do not exist, and modules of its folder
/// that it does not name. A module is named as `x.rs`, `x/` or `x`; a path may start at the top of the repository, and
/// `x.rs` in a path stands for any file.
fn wrong_tables(files: &[File]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let Some(folder) = INDEXES.iter().find_map(|name| path.strip_suffix(name)) else { continue };
        let top = text.lines().take_while(|line| line.starts_with("//!"));
        let rows = top.filter(|line| line.starts_with("//! | "));
        let named: BTreeSet<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
        if named.is_empty() {
            continue;
        }
        let exists = |name: &str| {
            let below = format!("/{name}");
            let fits = |known: &str| known == name || known.starts_with(folder) && known.ends_with(&below);
            name.ends_with("/x.rs") || files.iter().any(|(known, _)| fits(known))
        };
        let is_rust = |name: &str| Path::new(name).extension().is_some_and(|extension| extension == "rs");
        let missing = named.iter().filter(|name| is_rust(name) && !exists(name));
        found.extend(missing.map(|name| format!("{path} names {name}, which does not exist")));
        let modules = files.iter().filter(|(known, _)| known != path).filter_map(|(known, _)| {
            let module = known.strip_prefix(folder)?.strip_suffix(".rs")?;
            let module = module.strip_suffix("/mod").unwrap_or(module);
            (!module.contains('/') && module != "tests").then_some(module)
        });
        let is_named = |module: &str| {
            [format!("{module}.rs"), format!("{module}/"), module.to_owned()]
                .iter()
                .any(|name| named.contains(name.as_str()))
        };
        let left_out = modules.filter(|module| !is_named(module));
        found.extend(left_out.map(|module| format!("{path} does not name {folder}{module} in its table")));
    }
    found
}

/// Rooms that are too big, and those of the list that are not.
fn too_big(files: &[Parsed], listed: &[&str]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, code) in without_tests(files) {
        let name = path.trim_start_matches("src/");
        let inner = INNER_ROOMS.iter().find(|inner| name.starts_with(&format!("{inner}/")));
        *rooms.entry(inner.copied().unwrap_or(room(path))).or_default() += code.lines;
    }
    let found = rooms.into_iter().filter(|(_, lines)| *lines > TOO_BIG).map(|(name, _)| name).collect();
    against(&found, listed, &format!("has more than {TOO_BIG} lines of code: look for the second idea in it"))
}

/// Names of types that are defined more than once, and those of the list that are not.
fn defined_twice(files: &[Parsed], listed: &[&str]) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for name in without_tests(files).flat_map(|(_, code)| &code.types) {
        *count.entry(name).or_default() += 1;
    }
    let found = count.into_iter().filter(|(_, times)| *times > 1).map(|(name, _)| name).collect();
    against(&found, listed, "is the name of more than one type")
}

/// What was found and is not listed, and what is listed and was not found.
fn against(found: &BTreeSet<&str>, listed: &[&str], what: &str) -> Vec<String> {
    let new = found.iter().filter(|name| !listed.contains(name)).map(|name| format!("{name} {what}"));
    let old = listed.iter().filter(|name| !found.contains(*name));
    new.chain(old.map(|name| format!("{name} is listed in tests/house.rs for nothing"))).collect()
}

/// All files that are Rust; those that are not are a complaint elsewhere.
fn parse(files: &[File]) -> Vec<Parsed> {
    let parse = |(path, text): &File| Some((path.clone(), Code::parse(text).ok()?));
    files.iter().filter_map(parse).collect()
}

/// Test files that no `mod` line of the folder's main.rs, or of a module in it, declares.
fn forgotten(files: &[File]) -> Vec<String> {
    let declared: BTreeSet<String> = files
        .iter()
        .flat_map(|(path, text)| {
            let modules = Code::parse(text).unwrap().modules;
            let folder = module_folder(path);
            modules.into_iter().map(move |module| format!("{folder}{}", module.name)).collect::<Vec<_>>()
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

// === Paths of files ===

/// `src/commands/version.rs` is in `commands`, `src/ui.rs` and `src/ui/mod.rs` are both `ui`.
fn room(path: &str) -> &str {
    let path = path.trim_start_matches("src/");
    path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Where the modules are that a file declares, with a slash at the end.
fn module_folder(path: &str) -> String {
    let own = ["main.rs", "lib.rs", "mod.rs"].iter().find_map(|name| path.strip_suffix(name));
    own.map_or_else(|| format!("{}/", path.trim_end_matches(".rs")), str::to_owned)
}

/// The files but for those of modules under `#[cfg(test)]`.
fn without_tests(files: &[Parsed]) -> impl Iterator<Item = &Parsed> {
    let declared = |(path, code): &Parsed| {
        let tests = code.modules.iter().filter(|module| module.is_test);
        tests.map(|module| format!("{}{}", module_folder(path), module.name)).collect::<Vec<_>>()
    };
    let tests: Vec<String> = files.iter().flat_map(declared).collect();
    let is_test = move |path: &str| {
        tests.iter().any(|module| path == format!("{module}.rs") || path.starts_with(&format!("{module}/")))
    };
    files.iter().filter(move |(path, _)| !is_test(path))
}

/// The path from the crate's top; `None` for a path into another crate, and when `super` does not climb out of the
/// room.
fn from_top(path: &str, named: &Named) -> Option<String> {
    let mut rest = named.segments.as_slice();
    if let [top, inner @ ..] = rest
        && (top == "crate" || top == "kubectl_op")
    {
        return (!inner.is_empty()).then(|| inner.join("::"));
    }
    let mut module: Vec<&str> = path.trim_start_matches("src/").trim_end_matches(".rs").split('/').collect();
    if module.last() == Some(&"mod") {
        module.pop();
    }
    let mut inline = named.depth;
    while let [first, inner @ ..] = rest
        && first == "super"
    {
        match inline.checked_sub(1) {
            Some(outer) => inline = outer,
            None => drop(module.pop()?),
        }
        rest = inner;
    }
    (module.is_empty() && !rest.is_empty()).then(|| rest.join("::"))
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
fn folders_rooms_and_names_are_in_order() {
    let files = read("src");
    let big: Vec<&str> = BIG.iter().map(|(room, _)| *room).collect();
    let code = parse(&files);
    let found =
        [tableless(&files, TABLELESS), too_big(&code, &big), defined_twice(&code, LOCAL_WORDS)].concat();
    assert!(found.is_empty(), "{}", found.join("\n"));
    for list in [&big, TABLELESS, LOCAL_WORDS] {
        assert!(list.is_sorted_by(|one, next| one < next), "{list:?}");
    }
}

#[test]
fn tables_name_the_files_of_their_folder() {
    let found = wrong_tables(&["src", "tests"].map(read).concat());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn main_fits_a_page() {
    let main = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 40);
}

#[test]
fn no_test_file_is_forgotten() {
    for folder in ["tests/cli", "tests/drawings", "tests/live", "tests/shells"] {
        assert_eq!(forgotten(&read(folder)), Vec::<String>::new());
    }
}

#[test]
fn test_files_are_named_and_open_with_what_they_are() {
    for (path, text) in ["tests/cli", "tests/drawings", "tests/live", "tests/shells", "tests/lab/src"]
        .map(read)
        .into_iter()
        .flatten()
    {
        let stem = Path::new(&path).file_stem().unwrap().to_str().unwrap();
        assert!(text.starts_with("//!"), "{path}");
        assert!(!NAMELESS.contains(&stem), "{path}");
    }
}

#[test]
fn only_durations_are_written_without_the_clock() {
    let users: Vec<String> = read("src")
        .into_iter()
        .filter(|(_, text)| text.contains("model::age") || text.contains("age::human"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(users, WRITES_DURATIONS, "an age is written by model/now.rs, so that --absolute-time holds");
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
        ("src/model/ident.rs", "use {std::fmt, crate::{error as e}};"),
        ("src/model/ident.rs", "fn f(x: &dyn Fn(crate::ui::Ui) -> u8) {}"),
        ("src/model/ident.rs", "fn f() { assert!(matches!(x, crate::ui::Tone::Bad)); }"),
        ("src/model/ident.rs", "thread_local! { static X: u8 = { use crate::{ui::Ui}; 1 }; }"),
        ("src/model/ident.rs", "pub(in crate::ui) struct X;"),
        ("src/model/ident.rs", "#[serde(with = \"x\", default = crate::ui::x)] struct X;"),
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
            "// crate::source is not for us\nfn f() { let x = \"crate::source\"; let y = r#\"crate::ui\"#; }",
        ),
        (
            "src/model/ident.rs",
            "/* crate::ui /* nested */ crate::ui */ fn f() { let c = '\"'; let d: &'static str = \"crate::ui\"; }",
        ),
        ("src/main.rs", "use kubectl_op::{Env, cli, run};"),
        ("src/commands/tree.rs", "use crate::error::{Failure, FailureKind};"),
        ("src/model/ident.rs", "fn f() { vec![super::object::X, self::ui::X, source::x()]; }"),
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
        ("src/inspect/graph.rs", "extern crate tokio;"),
        ("src/lib.rs", "#[derive(clap::Parser)]\nstruct Cli;"),
        ("src/ui/mod.rs", "fn f() -> ::clap::Command { todo!() }"),
        ("src/ui/mod.rs", "fn f() { println!(\"{}\", clap::x()); }"),
    ] {
        assert!(!check(path, code).is_empty(), "{path}: {code}");
    }
}

#[test]
fn a_crate_in_its_room_holds() {
    for (path, code) in [
        ("src/source/cluster/list.rs", "use kube::Api;"),
        ("src/commands/tree.rs", "#[derive(clap::Args)]\nstruct TreeArgs;\nuse anyhow::Result;"),
        (
            "src/model/object.rs",
            "use kube_like::Thing; fn f() { let my_kube = kube_config; let kube = s.kube; let s = \"kube::Client\"; }",
        ),
        ("src/ui/mod.rs", "use dialoguer::Confirm;"),
    ] {
        assert_eq!(check(path, code), Vec::<String>::new(), "{path}: {code}");
    }
}

#[test]
fn a_long_file_fails_unless_it_is_a_table_or_tests() {
    let long = "const X: u8 = 1;\n".repeat(TOO_LONG);
    assert_eq!(check("src/inspect/graph.rs", &long).len(), 1);
    assert_eq!(check("src/known/finalizers.rs", &long), Vec::<String>::new());
    assert_eq!(
        check("src/inspect/graph.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}")),
        Vec::<String>::new()
    );
    let around = format!("#[cfg(test)]\nmod tests {{}}\n{long}");
    assert_eq!(check("src/inspect/graph.rs", &around).len(), 1, "code below the tests counts");
}

#[test]
fn a_room_that_waits_fails() {
    for code in [
        "async fn f() {}",
        "struct X; impl X { async fn f() {} }",
        "fn f() { let x = async { 1 }; }",
        "fn f() { let x = async || 1; }",
        "fn f() { select! { x = async { 1 } => {} } }",
    ] {
        assert_eq!(check("src/inspect/graph.rs", code).len(), 1, "{code}");
        assert_eq!(check("src/source/graph.rs", code), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn a_folder_of_many_files_without_a_table_fails() {
    let many = |text: &str| -> Vec<File> {
        let others = (0..MANY).map(|number| (format!("src/ui/x{number}.rs"), String::new()));
        others.chain([("src/ui/mod.rs".to_owned(), text.to_owned())]).collect()
    };
    assert_eq!(tableless(&many("//! x\n//!\n//! | a | b |\n"), &[]), Vec::<String>::new());
    assert_eq!(tableless(&many("//! x\n\nmod x0;\n//! | a | b |\n"), &[]).len(), 1);
    assert_eq!(tableless(&many("//! x\n"), &["src/ui"]), Vec::<String>::new());
    assert_eq!(tableless(&many("//! x\n")[1..], &["src/ui"]).len(), 1, "eight are not many");
}

#[test]
fn a_table_that_does_not_fit_its_folder_fails() {
    let check = |table: &str| {
        let others =
            ["src/ui/a.rs", "src/ui/b/mod.rs", "src/ui/b/deep.rs", "src/ui/c.rs", "src/ui/c/deep.rs"];
        let others = others.into_iter().chain(["src/ui/tests.rs", "src/ui/tests/mod.rs", "src/other.rs"]);
        let others = others.map(|path| (path.to_owned(), String::new()));
        let index = ("src/ui/mod.rs".to_owned(), format!("//! x\n//!\n{table}\nmod a;\n"));
        wrong_tables(&others.chain([index]).collect::<Vec<_>>())
    };
    for right in [
        "",
        "//! | a | `a.rs`, `b/` |\n//! | c | `c.rs` |",
        "//! | `a` | x |\n//! | `b`, `c` | x |",
        "//! | a | `a.rs`, `b/`, `c.rs`, `deep.rs`, `src/other.rs`, `b/deep.rs`, `commands/x.rs`, `a::b` |",
    ] {
        assert_eq!(check(right), Vec::<String>::new(), "{right}");
    }
    for wrong in [
        "//! | a | `a.rs` |\n//! | b | `b/` |",
        "//! | a | `a.rs`, `c.rs` |",
        "//! | a | `a.rs`, `b/`, `c.rs`, `gone.rs` |",
        "//! | a | `a.rs`, `b/`, `c.rs`, `b/gone.rs` |",
        "//! | a | `a.rs`, `b/`, `c.rs`, `other.rs` |",
    ] {
        assert_eq!(check(wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn a_room_that_is_too_big_fails() {
    let file = |path: &str, lines: usize| (path.to_owned(), "const X: u8 = 1;\n".repeat(lines));
    let big_rooms = |files: &[File], listed: &[&str]| too_big(&parse(files), listed);
    let half = TOO_BIG / 2 + 1;
    assert_eq!(big_rooms(&[file("src/ui/a.rs", half), file("src/ui/b/c.rs", half)], &[]).len(), 1);
    assert_eq!(big_rooms(&[file("src/ui/a.rs", TOO_BIG + 1)], &["ui"]), Vec::<String>::new());
    assert_eq!(big_rooms(&[file("src/ui/a.rs", TOO_BIG)], &["ui"]).len(), 1, "it is not too big any more");
    let inner = [file("src/source/a.rs", half), file("src/source/dump/b.rs", half)];
    assert_eq!(big_rooms(&inner, &[]), Vec::<String>::new(), "a dump is a room of its own");
    let module = ("src/ui/mod.rs".to_owned(), "#[cfg(test)]\nmod tests;\n".to_owned());
    let tests = [module, file("src/ui/tests.rs", TOO_BIG), file("src/ui/tests/a.rs", TOO_BIG)];
    assert_eq!(big_rooms(&tests, &[]), Vec::<String>::new(), "tests do not count");
}

#[test]
fn a_type_that_is_defined_twice_fails() {
    let files = |one: &str, two: &str| {
        parse(&[("src/a.rs".to_owned(), one.to_owned()), ("src/b.rs".to_owned(), two.to_owned())])
    };
    for (one, two) in [
        ("struct X;", "pub enum X {}"),
        ("trait X {}", "mod inner { type X = u8; }"),
        ("struct X; mod inner { union X { a: u8 } }", ""),
        ("struct X;", "fn f() { struct X; }"),
    ] {
        assert_eq!(defined_twice(&files(one, two), &[]).len(), 1, "{one} {two}");
        assert_eq!(defined_twice(&files(one, two), &["X"]), Vec::<String>::new(), "{one} {two}");
    }
    for (one, two) in [
        ("struct X;", "#[cfg(test)] mod tests { struct X; }"),
        ("struct X;", "#[cfg(test)] struct X;"),
        ("struct X;", "impl Iterator for Y { type X = u8; }"),
    ] {
        assert_eq!(defined_twice(&files(one, two), &[]), Vec::<String>::new(), "{one} {two}");
        assert_eq!(defined_twice(&files(one, two), &["X"]).len(), 1, "an entry for nothing: {one} {two}");
    }
}

#[test]
fn a_nameless_silent_or_homeless_file_fails() {
    assert_eq!(check("src/inspect/utils.rs", "").len(), 1);
    assert_eq!(complaints("src/inspect/graph.rs", "fn f() {}\n").len(), 1);
    assert_eq!(check("src/attic.rs", "").len(), 1);
    assert_eq!(check("src/ui/mod.rs", "fn f( {}").len(), 1);
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

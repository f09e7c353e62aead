//! krew-manifest.yaml by the rules that krew and its index check, and that these checks can fail.

use std::collections::BTreeSet;

use serde_json::Value;

const MANIFEST: &str = include_str!("../../krew-manifest.yaml");
const VERSION: &str = concat!("v", env!("CARGO_PKG_VERSION"));
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// What krew-index's automation uses as the file name, and so as the plugin's name.
const NAME: &str = "op";

/// The platforms to ship for, as krew names them.
const PLATFORMS: [(&str, &str); 6] = [
    ("linux", "amd64"),
    ("linux", "arm64"),
    ("darwin", "amd64"),
    ("darwin", "arm64"),
    ("windows", "amd64"),
    ("windows", "arm64"),
];

/// Every rule that `text` breaks.
fn complaints(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_saphyr::from_str::<Value>(text) else {
        return vec!["not YAML".into()];
    };
    let at = |path: &str| manifest.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let mut found = Vec::new();
    let mut demand = |holds: bool, rule: &str| {
        if !holds {
            found.push(rule.to_owned());
        }
    };
    demand(at("/apiVersion") == "krew.googlecontainertools.github.com/v1alpha2", "apiVersion");
    demand(at("/kind") == "Plugin", "kind");
    demand(at("/metadata/name") == NAME, "name equals the file name in the index");
    demand(at("/spec/version") == VERSION && is_semver(VERSION), "version is v and Cargo.toml's");
    demand(at("/spec/homepage") == REPOSITORY, "homepage is the repository");
    let short = at("/spec/shortDescription");
    demand(
        !short.is_empty() && short.len() <= 50 && !short.contains('\n'),
        "shortDescription is one line of 50",
    );
    demand(!short.ends_with('.'), "shortDescription has no full stop");
    let description = at("/spec/description");
    demand(!description.trim().is_empty(), "description is there");
    demand(description.lines().all(|line| line.chars().count() <= 80), "description is wrapped at 80");
    demand(!description.to_lowercase().contains("usage"), "description has no usage list");
    demand(!description.contains("kubectl op"), "description has no list of calls");

    let none = Vec::new();
    let platforms = manifest.pointer("/spec/platforms").and_then(Value::as_array).unwrap_or(&none);
    let mut pairs = BTreeSet::new();
    for platform in platforms {
        found.extend(platform_complaints(platform, &mut pairs));
    }
    if pairs != PLATFORMS.iter().map(|(os, arch)| ((*os).to_owned(), (*arch).to_owned())).collect() {
        found.push("all six platforms are there and no other".into());
    }
    found
}

fn platform_complaints(platform: &Value, pairs: &mut BTreeSet<(String, String)>) -> Vec<String> {
    let mut found = Vec::new();
    let mut demand = |holds: bool, rule: &str| {
        if !holds {
            found.push(rule.to_owned());
        }
    };
    let none = serde_json::Map::new();
    let labels = platform.pointer("/selector/matchLabels").and_then(Value::as_object).unwrap_or(&none);
    demand(labels.keys().collect::<Vec<_>>() == ["arch", "os"], "selector is on os and arch only");
    let label = |name: &str| labels.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (os, arch) = (label("os"), label("arch"));
    let text = |name: &str| platform.get(name).and_then(Value::as_str).unwrap_or_default();
    let archive = format!("{REPOSITORY}/releases/download/{VERSION}/kubectl-op_{VERSION}_{os}_{arch}.tar.gz");
    demand(text("uri") == archive, "uri is this platform's archive");
    let is_lower_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    demand(
        text("sha256").len() == 64 && text("sha256").chars().all(is_lower_hex),
        "sha256 is 64 lower-case hex digits",
    );
    demand(
        text("bin") == if os == "windows" { "kubectl-op.exe" } else { "kubectl-op" },
        "bin, an .exe on Windows",
    );
    demand(platform.get("files").is_none(), "no files: the whole archive is installed, with its LICENSE");
    demand(pairs.insert((os, arch)), "no two platforms match the same pair");
    found
}

/// MAJOR.MINOR.PATCH with an optional pre-release after the dash; krew wants the `v` before it.
fn is_semver(version: &str) -> bool {
    let Some(version) = version.strip_prefix('v') else { return false };
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<_> = core.split('.').collect();
    let is_number = |part: &&str| part.parse::<u64>().is_ok_and(|number| number.to_string() == **part);
    parts.len() == 3 && parts.iter().all(is_number)
}

#[test]
fn the_manifest_keeps_every_rule() {
    assert_eq!(complaints(MANIFEST), Vec::<String>::new());
}

#[test]
fn the_archive_can_carry_the_license_krew_asks_for() {
    let license = include_str!("../../LICENSE");
    assert!(license.contains("Apache License") && license.contains("END OF TERMS AND CONDITIONS"));
    assert_eq!(env!("CARGO_PKG_LICENSE"), "Apache-2.0");
}

/// A check that cannot fail proves nothing: each edit breaks one rule, and that rule is named.
#[test]
fn every_rule_can_be_broken() {
    let zeros = "0".repeat(64);
    let edits: &[(&str, &str, &str)] = &[
        ("v1alpha2", "v1alpha1", "apiVersion"),
        ("kind: Plugin", "kind: Pod", "kind"),
        ("name: op", "name: ops", "name equals"),
        ("version: v", "version: ", "version is v"),
        ("homepage: https", "homepage: http", "homepage"),
        ("shortDescription: Inspect", "shortDescription: Inspect with great care", "one line of 50"),
        ("resources of operators\n", "resources of operators.\n", "no full stop"),
        ("    A plugin", "    Usage: a plugin", "no usage list"),
        ("on call. It shows", "on call. It shows, in a long line, and shows", "wrapped at 80"),
        ("It is read-only", "kubectl op is read-only", "no list of calls"),
        ("arch: arm64", "arch: arm64\n          libc: musl", "os and arch only"),
        (".tar.gz", ".zip", "this platform's archive"),
        ("_darwin_arm64", "_darwin_amd64", "this platform's archive"),
        (&zeros, &"A".repeat(64), "lower-case"),
        (&zeros, "00", "64 lower-case"),
        ("kubectl-op.exe", "kubectl-op", "an .exe"),
        ("      bin:", "      files: []\n      bin:", "no files"),
        ("os: darwin", "os: linux", "same pair"),
        ("os: darwin", "os: plan9", "all six"),
        ("kind: Plugin", "kind: [", "not YAML"),
    ];
    for (old, new, rule) in edits {
        assert!(MANIFEST.contains(old), "nothing to edit: {old}");
        let found = complaints(&MANIFEST.replace(old, new));
        assert!(found.iter().any(|complaint| complaint.contains(rule)), "{old} -> {new}: {found:?}");
    }
}

#[test]
fn versions_are_semantic() {
    for good in ["v0.1.0", "v1.20.3", "v1.0.0-rc.1"] {
        assert!(is_semver(good), "{good}");
    }
    for bad in ["0.1.0", "v1", "v1.2", "v01.2.3", "v1.2.x", "v1.2.3.4", "v"] {
        assert!(!is_semver(bad), "{bad}");
    }
}

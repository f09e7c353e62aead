//! Errors quote nothing of a file that is not what it should be, and stay short; files that are no files are refused.

use super::TestHome;

const SECRET: &str = "eyJhbGciOiJSUzI1NiIsImtpZCI6InNlY3JldC10b2tlbiJ9";

/// Every way to name a file.
const CALLS: [&str; 6] = [
    "tree website/shop --from ~/file",
    "status -A --from ~/file -o json",
    "tree --demo -f ~/file",
    "version --kubeconfig ~/file",
    "version --token x --server https://127.0.0.1:1 --certificate-authority ~/file",
    "tree website/shop --from ~",
];

#[test]
fn the_content_of_a_file_is_never_quoted() {
    let tar = format!("{SECRET}\0");
    for content in [
        SECRET.to_owned(),
        format!("{SECRET}\n"),
        format!("\"{SECRET}\""),
        format!("[{SECRET}]"),
        format!("[\"{SECRET}\"]"),
        format!("{{\"{SECRET}\": 1,}}"),
        format!("{{{SECRET}: [}}"),
        format!("- {SECRET}: *{SECRET}\n"),
        format!("apiVersion: v1\nkind: Pod\nmetadata: {SECRET}\n"),
        format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: [{SECRET}]}}\n"),
        format!("{{\"kind\": \"Pod\", \"metadata\": {{\"labels\": \"{SECRET}\"}}}}"),
        format!("password: {SECRET}\npassword: {SECRET}\n"),
        format!("'{SECRET}\n{SECRET}"),
        format!("!<{SECRET}> x"),
        format!("%{SECRET}\n---\na: !{SECRET} b\n"),
        tar,
    ] {
        let home = TestHome::new().file("file", &content).file("x.yaml", &content);
        for words in CALLS {
            let told = home.call(words);
            assert!(!told.contains(SECRET), "{words} of {content:?}:\n{told}");
        }
        let home = home.env("KUBECTL_OP_CONFIG", "~/file");
        // The keys of the settings file are ours to name.
        if !content.contains(&format!("{SECRET}\":")) {
            let told = home.call("tree website/shop --demo");
            assert!(!told.contains(SECRET), "settings of {content:?}:\n{told}");
        }
    }
}

#[test]
fn errors_are_short_whatever_the_input() {
    let long = "x".repeat(3_000_000);
    for content in [
        long.clone(),
        format!("\"{long}\""),
        format!("{{\"{long}\": 1, \"{long}\": 2, \"kind\": \"Pod\", \"metadata\": 3}}"),
        format!("{{\"kind\": \"{long}\", \"items\": [], \"metadata\": {{}}}}"),
        format!("kind: {long}\nitems:\n- a: b\n"),
        format!("a: 1\n{long}: 1\n{long}: 2\n"),
    ] {
        let home = TestHome::new().file("file", &content).file("x.yaml", &content);
        for words in CALLS {
            let told = home.call(words);
            assert!(told.len() < 5_000, "{words}: {} bytes: {}", told.len(), &told[..2_000]);
        }
    }
    let argument = "(".repeat(50_000);
    for flag in ["-l", "-ojsonpath={", "--kind", "--context"] {
        let home = TestHome::new();
        let output = home.command("tree website --demo").arg(format!("{flag}={argument}")).output().unwrap();
        assert!(output.stderr.len() < 5_000, "{flag}: {} bytes", output.stderr.len());
    }
}

#[cfg(unix)]
#[test]
fn devices_sockets_and_directories_are_refused() {
    let home = TestHome::new().file("folder/a.txt", "");
    let _listener = std::os::unix::net::UnixListener::bind(home.path().join("socket")).unwrap();
    for (words, message) in [
        ("tree --demo -f /dev/zero", "-f /dev/zero: is a device, not a file"),
        ("tree --demo -f /dev/random", "-f /dev/random: is a device, not a file"),
        ("tree --demo -f ~/folder", "-f ~/folder: is a directory, not a file"),
        ("tree --demo -f ~/socket", "-f ~/socket: is a socket, not a file"),
        ("tree a/b --from /dev/zero", "/dev/zero cannot be read: it is a device"),
        ("tree a/b --from ~/socket", "~/socket cannot be read: it is a socket"),
        ("tree a/b --demo -o custom-columns-file=/dev/zero", "/dev/zero, it is a device, not a file"),
    ] {
        let told = home.call(words);
        assert!(told.contains(message) && told.ends_with("--- exit 2\n"), "{words}:\n{told}");
    }
    for file in ["/dev/zero", "~/folder", "~/socket"] {
        let told =
            TestHome::new().env("KUBECTL_OP_CONFIG", file).file("folder/a.txt", "").call("tree a/b --demo");
        assert!(
            told.starts_with("--- stderr\nerror: settings file ") && told.ends_with("--- exit 2\n"),
            "{told}"
        );
    }
}

#[test]
fn a_manifest_is_limited_in_size() {
    let home = TestHome::new().file("big.yaml", vec![b'#'; 16 * 1024 * 1024 + 1]);
    let told = home.call("tree --demo -f ~/big.yaml");
    assert!(
        told.contains("error: -f ~/big.yaml: is larger than 16 MiB\n") && told.ends_with("--- exit 2\n"),
        "{told}"
    );
}

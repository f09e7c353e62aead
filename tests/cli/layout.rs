//! What holds for every text, checked on many commands in the built-in demo cluster: times, blank lines, columns.

use super::{TestHome, call};

/// Everything that can be asked about the demo cluster.
fn calls() -> Vec<String> {
    let objects = [
        "website/shop -n shop",
        "website/blog -n shop",
        "vmgroup/old -n vms",
        "vmgroup/web -n vms",
        "voteconfig/demo",
        "helloworld/my-hello-world -n greetings",
        "memcached/mc -n cache",
        "deployment/shop -n shop",
        "pod/shop-d778b5768-8x2g4 -n shop",
    ];
    let commands = ["tree", "tree -o wide", "tree --up", "tree --around --all", "status", "status -o wide"];
    let commands =
        commands.iter().chain(&["status --explain", "events", "events -o wide", "events --types Warning"]);
    let mut calls: Vec<String> = commands
        .flat_map(|command| objects.iter().map(move |object| format!("{command} {object}")))
        .collect();
    let lists = [
        "status -A",
        "status -A -o wide",
        "status -n shop",
        "status -n nowhere",
        "status websites",
        "tree websites -n shop",
    ];
    calls.extend(lists.map(str::to_owned));
    calls
}

fn stdout(call: &str) -> String {
    let output = TestHome::new().command(&format!("{call} --demo")).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether a word is an age as kubectl writes it: `3d`, `5m10s`.
fn is_age(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_unit = |c: char| matches!(c, 's' | 'm' | 'h' | 'd' | 'y');
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.ends_with(is_unit)
        && word.chars().all(|c| c.is_ascii_digit() || is_unit(c))
}

#[test]
fn absolute_times_leave_no_age_in_any_line() {
    let mut ages = 0;
    for call in calls() {
        ages += stdout(&call).split_whitespace().filter(|word| is_age(word)).count();
        let text = stdout(&format!("{call} --absolute-time"));
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            for (at, word) in words.iter().enumerate().filter(|(_, word)| is_age(word)) {
                // The kubelet's own words, and the time between two objects.
                let before = at.checked_sub(1).and_then(|at| words.get(at));
                let is_duration = before == Some(&"back-off") || words.get(at + 1) == Some(&"after");
                assert!(is_duration, "{call} --absolute-time: {word} in {line}");
            }
            // The description of a rule says how long it waits.
            let own = line.replace("more than 10 minutes ago", "");
            assert!(!own.contains(" ago") && !own.contains(" in the last "), "{call}: {line}");
        }
    }
    assert!(ages > 100, "the same calls have {ages} ages without the flag");
}

#[test]
fn blank_lines_stand_alone_and_never_first_or_last() {
    for call in calls() {
        let text = stdout(&call);
        assert!(!text.contains("\n\n\n"), "{call}:\n{text}");
        assert!(!text.starts_with('\n') && !text.ends_with("\n\n"), "{call}:\n{text}");
    }
}

#[test]
fn namespaces_have_a_column_if_they_differ_or_with_all_namespaces() {
    let has_column = |call: &str| stdout(call).lines().any(|line| line.contains("NAMESPACE"));
    for (call, expected) in [
        ("status -n shop", false),
        ("status -n shop -o wide", false),
        ("status -A", true),
        ("status memcached -A", true),
        ("tree website/shop -n shop -o wide", false),
        ("events website/shop -n shop -o wide", false),
    ] {
        assert_eq!(has_column(call), expected, "{call}");
    }
}

#[test]
fn wide_is_wider() {
    let (usual, wide) = (call("status -n shop --demo"), call("status -n shop -o wide --demo"));
    assert!(usual.contains("\nNAME  VERDICT  FOR   CAUSE\n"), "{usual}");
    assert!(wide.contains("VERDICT  FOR   READY  REASON"), "{wide}");
    assert!(wide.contains("OP-H010") && wide.contains("webapp.example.com/v1"), "{wide}");
    let one = call("status website/blog -n shop -o wide --demo");
    for label in ["api version  webapp.example.com/v1", "age          3d", "reason       ReconcileSuccess"] {
        assert!(one.contains(label), "{one}");
    }
}

#[test]
fn kinds_have_their_plural() {
    let manifest = |name: &str| {
        format!(
            "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: {name}, namespace: a}}\n"
        )
    };
    let dump = format!("{}---\n{}", manifest("one"), manifest("two"));
    let place = TestHome::new().file("dump.yaml", dump);
    let told = place.call("status networkpolicies -n a --from dump.yaml");
    assert!(told.contains("2 NetworkPolicies "), "{told}");
}

#[test]
fn line_feeds_in_a_message_become_spaces() {
    let dump = "apiVersion: a.example.com/v1\nkind: Thing\nmetadata: {name: x, namespace: a}\nstatus: {conditions: [{type: Ready, status: \"False\", reason: Broken, message: \"first:\\n  - second\\n\"}]}\n";
    let place = TestHome::new().file("dump.yaml", dump);
    let told = place.call("status thing/x -n a --from dump.yaml");
    let row = told.lines().find(|line| line.starts_with("Ready  ")).unwrap();
    assert!(row.ends_with("Broken  first: - second"), "{told}");
    assert!(!told.contains("\\n"), "{told}");
}

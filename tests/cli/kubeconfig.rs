//! Kubeconfigs that are missing, broken or incomplete: exit 2, the file and the thing named, no secret shown.

use super::{TestHome, call};

/// Two contexts; the server of both refuses connections at once.
pub(crate) const GOOD: &str = "
apiVersion: v1
kind: Config
current-context: lab
clusters:
- {name: here, cluster: {server: 'http://127.0.0.1:1'}}
- {name: nowhere, cluster: {}}
contexts:
- {name: lab, context: {cluster: here, user: admin}}
- {name: away, context: {cluster: gone, user: admin}}
- {name: nobody, context: {cluster: here, user: ghost}}
- {name: bare, context: {cluster: nowhere, user: admin}}
users:
- {name: admin, user: {token: s3cr3t}}
";

fn with(content: impl AsRef<[u8]>) -> TestHome {
    TestHome::new().file("config", content).env("KUBECONFIG", "~/config")
}

fn version(content: impl AsRef<[u8]>) -> String {
    let text = with(content).call("version");
    assert!(!text.contains("s3cr3t"), "{text}");
    text
}

#[test]
fn missing() {
    insta::assert_snapshot!(TestHome::new().env("KUBECONFIG", "~/nope").call("version"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: no cluster: no file in KUBECONFIG exists: ~/nope
    hint: correct KUBECONFIG, or unset it to use ~/.kube/config
    --- exit 2
    ");
    insta::assert_snapshot!(TestHome::new().env("KUBECONFIG", "~/nope:~/neither").call("version"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: no cluster: no file in KUBECONFIG exists: ~/nope, ~/neither
    hint: correct KUBECONFIG, or unset it to use ~/.kube/config
    --- exit 2
    ");
    insta::assert_snapshot!(call("version --kubeconfig ~/nope"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/nope does not exist
    hint: --kubeconfig sets this path; without the flag, KUBECONFIG or ~/.kube/config is used
    --- exit 2
    ");
}

#[test]
fn empty() {
    insta::assert_snapshot!(version(""), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config defines no clusters or contexts
    hint: it is empty or not a kubeconfig; pass another one with --kubeconfig FILE
    --- exit 2
    ");
    insta::assert_snapshot!(version("# nothing but a comment\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config defines no clusters or contexts
    hint: it is empty or not a kubeconfig; pass another one with --kubeconfig FILE
    --- exit 2
    ");
    insta::assert_snapshot!(version("kind: Pod\nmetadata: {name: x}\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config defines no clusters or contexts
    hint: it is empty or not a kubeconfig; pass another one with --kubeconfig FILE
    --- exit 2
    ");
}

#[test]
fn not_yaml() {
    insta::assert_snapshot!(version("users:\n- name: a\n  user: {token: s3cr3t\n  x: [}\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not valid YAML: error at line 4, column 4
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    insta::assert_snapshot!(version("apiVersion: v1\nclusters:\n\t- s3cr3t\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not valid YAML: error at line 3, column 2
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    insta::assert_snapshot!(version(b"\xff\xfes"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a text file
    hint: a kubeconfig is a YAML file in UTF-8
    --- exit 2
    ");
    insta::assert_snapshot!(version(b"\x7fELF\x80\x81"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a text file
    hint: a kubeconfig is a YAML file in UTF-8
    --- exit 2
    ");
}

#[test]
fn yaml_of_another_shape() {
    insta::assert_snapshot!(version("s3cr3t"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a valid kubeconfig: error at line 1, column 1
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    insta::assert_snapshot!(version("users:\n- name: a\n  user: {token: [s3cr3t]}\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a valid kubeconfig: error at line 3, column 17
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    insta::assert_snapshot!(version("users: s3cr3t\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a valid kubeconfig: error at line 1, column 8
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    insta::assert_snapshot!(version("contexts:\n- context: {cluster: s3cr3t}\n"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config is not a valid kubeconfig: error at line 2, column 3
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
}

#[test]
fn a_folder() {
    insta::assert_snapshot!(TestHome::new().env("KUBECONFIG", "~").call("version"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~ is a directory, not a file
    hint: use a file in it, usually `config`
    --- exit 2
    ");
    insta::assert_snapshot!(call("version --kubeconfig ~"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~ is a directory, not a file
    hint: use a file in it, usually `config`
    --- exit 2
    ");
}

#[cfg(unix)]
#[test]
fn not_readable() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = with(GOOD);
    let path = home.path().join("config");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        return; // root reads everything
    }
    insta::assert_snapshot!(home.call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/config cannot be read: permission denied
    hint: check its permissions
    --- exit 2
    "#);
}

#[test]
fn names_that_do_not_exist() {
    insta::assert_snapshot!(with(GOOD).call("version --context x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: context "x" does not exist: looked in ~/config
    hint: available: away, bare, lab, nobody
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD).call("version --cluster x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: cluster "x" does not exist: looked in ~/config
    hint: available: here, nowhere
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD).call("version --user x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: auth info "x" does not exist: looked in ~/config
    hint: available: admin
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD).call("version --context away"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: cluster "gone" does not exist: referenced by context "away" in ~/config
    hint: available: here, nowhere
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD).call("version --context nobody"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: auth info "ghost" does not exist: referenced by context "nobody" in ~/config
    hint: available: admin
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD.replace("current-context: lab", "current-context: old")).call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: context "old" does not exist: it is the current-context of ~/config
    hint: available: away, bare, lab, nobody
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD.replace("current-context: lab", "current-context: ''")).call("version"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: no context: current-context is not set in ~/config
    hint: pass --context NAME; available: away, bare, lab, nobody
    --- exit 2
    ");
    insta::assert_snapshot!(call("version --cluster x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: cluster "x" does not exist: no kubeconfig was found
    hint: set KUBECONFIG, or pass --kubeconfig FILE
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --user x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: auth info "x" does not exist: no kubeconfig was found
    hint: set KUBECONFIG, or pass --kubeconfig FILE
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --context x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: context "x" does not exist: no kubeconfig was found
    hint: set KUBECONFIG, or pass --kubeconfig FILE
    --- exit 2
    "#);
}

#[test]
fn a_cluster_without_an_address() {
    insta::assert_snapshot!(with(GOOD).call("version --context bare"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: cluster "nowhere" in ~/config has no server
    hint: pass --server https://HOST:PORT
    --- exit 2
    "#);
    insta::assert_snapshot!(version(GOOD.replace("http://127.0.0.1:1", "https://me:s3cr3t@ho st")), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: the server of cluster "here" in ~/config is not a valid address
    hint: expected a URL or HOST:PORT, such as https://10.0.0.1:6443
    --- exit 2
    "#);
    insta::assert_snapshot!(call("version --server ftp://x"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: --server is not a valid address
    hint: expected a URL or HOST:PORT, such as https://10.0.0.1:6443
    --- exit 2
    ");
}

#[test]
fn files_it_names() {
    let home =
        |cluster: &str| {
            with(GOOD.replace(
                "server: 'http://127.0.0.1:1'",
                &format!("server: 'https://127.0.0.1:1', {cluster}"),
            ))
        };
    insta::assert_snapshot!(home("certificate-authority: no.crt").call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: unable to read certificate-authority ~/no.crt of cluster "here" in ~/config: no such file or directory
    hint: correct it, or pass --certificate-authority FILE
    --- exit 2
    "#);
    insta::assert_snapshot!(home("certificate-authority-data: '%%s3cr3t'").call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: certificate-authority-data of cluster "here" in ~/config is not base64
    hint: correct it, or pass --certificate-authority FILE
    --- exit 2
    "#);
    insta::assert_snapshot!(home("certificate-authority: config").call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: the certificate authority of cluster "here" in ~/config contains no PEM certificate
    hint: expected PEM that starts with -----BEGIN CERTIFICATE-----
    --- exit 2
    "#);
    insta::assert_snapshot!(with(GOOD).call("version -s https://127.0.0.1:1 --client-certificate ~/config --client-key ~/no.key"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: unable to read client-key ~/no.key: no such file or directory
    hint: correct it, or pass --client-key FILE
    --- exit 2
    ");
    insta::assert_snapshot!(with(GOOD).call("version -s https://127.0.0.1:1 --client-certificate ~/config"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: client-key is missing, but client-certificate is set
    hint: correct it, or pass --client-key FILE
    --- exit 2
    ");
    insta::assert_snapshot!(with(GOOD).call("version -s https://127.0.0.1:1 --client-certificate ~/config --client-key ~/config"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: client-certificate ~/config contains no certificate
    hint: expected PEM that starts with -----BEGIN CERTIFICATE-----
    --- exit 2
    ");
    insta::assert_snapshot!(version(GOOD.replace("token: s3cr3t", "tokenFile: no-token").replace("http://", "https://")), @"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: token file ~/no-token cannot be read: no such file or directory
    hint: check the path, or pass --token
    --- exit 2
    ");
}

#[cfg(unix)]
#[test]
fn devices_and_large_files() {
    insta::assert_snapshot!(call("version --kubeconfig /dev/zero"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig /dev/zero cannot be read: it is a device, not a file
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    let text = TestHome::new().env("KUBECONFIG", "/dev/null").call("version");
    assert!(text.contains("kubeconfig /dev/null defines no clusters or contexts"), "{text}");
    let home = with(GOOD);
    std::fs::File::create(home.path().join("large")).unwrap().set_len(1 << 40).unwrap();
    insta::assert_snapshot!(home.call("version --kubeconfig ~/large"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kubeconfig ~/large cannot be read: it is larger than 16 MiB
    hint: a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view
    --- exit 2
    ");
    let (large, device, directory) = ("it is larger than 16 MiB", "it is a device", "it is a directory");
    for (flags, field, why) in [
        ("--certificate-authority ~/large", "certificate-authority ~/large", large),
        ("--certificate-authority /dev/zero", "certificate-authority /dev/zero", device),
        ("--client-certificate ~/large --client-key ~/large", "client-certificate ~/large", large),
        ("--client-certificate ~ --client-key ~", "client-certificate ~", directory),
    ] {
        let text = home.call(&format!("version --token t -s https://127.0.0.1:1 {flags}"));
        assert!(text.contains(&format!("unable to read {field}")) && text.contains(why), "{text}");
        assert!(text.ends_with("--- exit 2\n"), "{text}");
    }
    for file in ["~/large", "/dev/zero", "~"] {
        let path = file.replace('~', &home.path().display().to_string());
        let token_file = GOOD.replace("token: s3cr3t", &format!("tokenFile: {path}"));
        let home = with(token_file.replace("http://", "https://"));
        let text = home.call("version");
        assert!(text.contains("cannot be read: it is ") && text.ends_with("--- exit 2\n"), "{text}");
        let exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: 'true'}";
        let home = with(GOOD.replace("token: s3cr3t", exec).replace("http://", "https://"));
        let text = home.call(&format!("version --kuberc {path}"));
        assert!(text.contains("kuberc ") && text.contains("cannot be read: it is "), "{text}");
    }
}

/// All of these get as far as asking the server, which refuses the connection.
#[test]
fn found_where_kubectl_finds_it() {
    let refused = |text: String| assert!(text.contains("127.0.0.1:1 was refused"), "{text}");
    refused(TestHome::new().file(".kube/config", GOOD).call("version"));
    refused(TestHome::new().file(".kube/config", GOOD).env("KUBECONFIG", "").call("version"));
    refused(TestHome::new().file("c", GOOD).call("version --kubeconfig ~/c"));
    refused(TestHome::new().file("c", GOOD).env("KUBECONFIG", "~/nope").call("version --kubeconfig c"));
    refused(with(format!("\u{feff}{GOOD}")).call("version"));
}

/// Scripts pass `--context "$CONTEXT"`, and the variable may be empty.
#[test]
fn an_empty_flag_is_no_flag() {
    let home = TestHome::new().file(".kube/config", GOOD);
    let output = home
        .command("version --context= --kubeconfig=")
        .args(["--cluster", "", "--as", ""])
        .output()
        .unwrap();
    assert!(home.show(&output).contains("127.0.0.1:1 was refused"), "{}", home.show(&output));
}

#[test]
fn a_list_may_name_files_that_do_not_exist() {
    let text = with(GOOD).env("KUBECONFIG", "~/nope::~/config:~/neither").call("version");
    assert!(text.contains("127.0.0.1:1 was refused"), "{text}");
}

#[test]
fn the_first_file_of_a_list_wins() {
    let second = GOOD.replace("127.0.0.1:1", "127.0.0.1:2").replace("lab", "second");
    let home = with(GOOD).file("second", second).env("KUBECONFIG", "~/config:~/second");
    // `second` stands in the second file, but the cluster it names is defined in the first one too.
    let text = home.call("version --context second");
    assert!(text.contains("127.0.0.1:1 was refused"), "{text}");
    insta::assert_snapshot!(home.call("version --context x"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: context "x" does not exist: looked in ~/config, ~/second
    hint: available: away, bare, lab, nobody, second
    --- exit 2
    "#);
}

/// `--kubeconfig <(...)` is a pipe: it can be read only once.
#[cfg(unix)]
#[test]
fn a_pipe_of_the_shell_is_read_once() {
    use std::io::Write as _;
    let home = TestHome::new();
    let mut child = home
        .command("version --kubeconfig /dev/stdin")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GOOD.as_bytes()).unwrap();
    let text = home.show(&child.wait_with_output().unwrap());
    assert!(text.contains("127.0.0.1:1 was refused"), "{text}");
}

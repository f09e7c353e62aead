//! Credential plugins that fail: named with their user, never quoted, and only run when kubectl's settings allow.

#![cfg(unix)]

use base64::Engine as _;

use super::TestHome;
use super::kubeconfig::GOOD;
use super::server::Server;

/// A home whose user logs in by `exec`, which says all that a plugin can say wrong.
fn with(exec: &str) -> TestHome {
    let config = GOOD.replace("token: s3cr3t", &format!("exec: {{{exec}}}")).replace("http://", "https://");
    TestHome::new().file("config", config).env("KUBECONFIG", "~/config").env("PATH", "/usr/bin:/bin")
}

fn version(exec: &str) -> String {
    let text = with(exec).call("version");
    assert!(!text.contains("s3cr3t"), "{text}");
    text
}

/// A plugin that is a line of shell.
fn script(line: &str) -> String {
    format!(
        "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh, args: [-c, '{line}']"
    )
}

#[test]
fn that_is_missing() {
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1, command: no-helper"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin no-helper of user "admin" in ~/config is not installed
    hint: install it, correct the kubeconfig, or pass --token
    --- exit 2
    "#);
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1, command: no-helper, installHint: brew install helper"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin no-helper of user "admin" in ~/config is not installed
    hint: brew install helper
    --- exit 2
    "#);
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1, command: ./config"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin ~/./config of user "admin" in ~/config cannot be started: permission denied
    hint: check its permissions
    --- exit 2
    "#);
}

#[test]
fn that_is_described_wrongly() {
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1alpha1, command: sh"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec configuration of user "admin" in ~/config has unsupported apiVersion client.authentication.k8s.io/v1alpha1
    hint: use client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1
    --- exit 2
    "#);
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec configuration of user "admin" in ~/config has no command
    hint: correct the kubeconfig, or pass --token
    --- exit 2
    "#);
    insta::assert_snapshot!(version("apiVersion: client.authentication.k8s.io/v1, command: sh, interactiveMode: Always"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec configuration of user "admin" in ~/config runs sh with interactiveMode Always, but standard input is not a terminal
    hint: run this in a terminal, or pass --token
    --- exit 2
    "#);
}

#[test]
fn that_fails_keeps_its_own_words_on_stderr() {
    insta::assert_snapshot!(version(&script("echo s3cr3t; echo please log in >&2; exit 3")), @r#"
    Client Version: vX.Y.Z
    --- stderr
    please log in
    error: getting credentials: the exec plugin sh of user "admin" in ~/config failed: exit status: 3
    hint: run it manually to see why, or log in again
    --- exit 2
    "#);
}

#[test]
fn that_talks_rubbish() {
    insta::assert_snapshot!(version(&script("echo s3cr3t")), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin sh of user "admin" in ~/config did not print JSON
    hint: run it manually to see what it prints, or log in again
    --- exit 2
    "#);
    insta::assert_snapshot!(version(&script(r#"echo "{apiVersion: client.authentication.k8s.io/v1, kind: ExecCredential, status: {token: s3cr3t, expirationTimestamp: 2020-01-01T00:00:00Z}}""#)), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin sh of user "admin" in ~/config returned a credential that has already expired
    hint: log in again, and check this computer's clock
    --- exit 2
    "#);
}

/// What it is told and what it may read: never the answer to `-f -`.
#[test]
fn that_works_is_told_what_kubectl_tells_it() {
    let server = Server::answering_tls(200, r#"{"gitVersion":"v1.36.0","platform":"x"}"#);
    let exec = "apiVersion: client.authentication.k8s.io/v1beta1, command: ./login, args: [one, two], \
        provideClusterInfo: true, env: [{name: EXTRA, value: yes}]";
    let home = with(exec).file(
        "login",
        "#!/bin/sh\necho \"$KUBERNETES_EXEC_INFO\" > ~/info\necho \"$* $EXTRA $(cat)\" > ~/seen\necho run >> ~/runs\n\
         echo '{\"apiVersion\": \"client.authentication.k8s.io/v1beta1\", \"kind\": \"ExecCredential\", \"status\": {\"token\": \"s3cr3t\"}}'\n",
    );
    allow_to_run(&home, "login");
    let home = home.file("ca.crt", server.authority());
    let mut call =
        home.command(&format!("version -v 8 --server {} --certificate-authority ~/ca.crt", server.url()));
    let mut child = call
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    let text = home.show(&child.wait_with_output().unwrap());
    assert!(text.contains("Server Version: v1.36.0") && !text.contains("s3cr3t"), "{text}");
    let read = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!((read("seen").as_str(), read("runs").as_str()), ("one two yes \n", "run\n"));
    let info: serde_json::Value = serde_json::from_str(&read("info")).unwrap();
    let expected = serde_json::json!({
        "kind": "ExecCredential",
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "spec": {"interactive": false, "cluster": {
            "server": server.url(),
            "certificate-authority-data": base64::engine::general_purpose::STANDARD.encode(server.authority()),
        }},
    });
    assert_eq!(info, expected);
    assert!(server.wait_for_request().contains(&"authorization: bearer s3cr3t".to_owned()));
}

#[test]
fn that_kubectls_settings_forbid_is_not_run() {
    let home = with(&script("echo ran >&2")).file(".kube/kuberc", "credentialPluginPolicy: DenyAll\n");
    insta::assert_snapshot!(home.call("version"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin sh of user "admin" in ~/config is not allowed: policy set to "DenyAll"
    hint: see credentialPluginPolicy in your kuberc
    --- exit 2
    "#);
    let other =
        home.file("rc", "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: other}]\n");
    insta::assert_snapshot!(other.call("version --kuberc ~/rc"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: the exec plugin sh of user "admin" in ~/config is not allowed: not permitted by the credential plugin allowlist
    hint: see credentialPluginPolicy in your kuberc
    --- exit 2
    "#);
    insta::assert_snapshot!(other.call("version --kuberc ~/nope"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: kuberc ~/nope cannot be read: no such file or directory
    hint: it controls which credential plugins may run; KUBERC=off ignores it
    --- exit 2
    ");
    let off = other.env("KUBERC", "off");
    assert!(off.call("version").contains("\nran\n"), "{}", off.call("version"));
}

/// A server without TLS gets no credentials at all, as with kubectl.
#[test]
fn that_is_for_a_server_without_tls_is_not_run() {
    let server = Server::answering(200, r#"{"gitVersion":"v1.36.0","platform":"x"}"#);
    let home = with(&script("echo ran >&2"));
    let text = home.call(&format!("version -v 6 --server {}", server.url()));
    assert!(text.contains("Server Version: v1.36.0") && !text.contains("ran\n"), "{text}");
    assert!(text.contains("it is not https"), "{text}");
    for user in ["token: s3cr3t", "username: u, password: s3cr3t"] {
        let config = GOOD.replace("token: s3cr3t", user);
        let home = TestHome::new().file("config", config).env("KUBECONFIG", "~/config");
        home.call(&format!("version --server {}", server.url()));
        let head = server.wait_for_request();
        assert!(!head.iter().any(|line| line.starts_with("authorization")), "{head:?}");
    }
}

/// kubectl has no such providers any more, and one of them ran a command that no kuberc could forbid.
#[test]
fn that_is_an_old_provider_is_refused() {
    let provider = |name: &str| {
        let provider =
            format!("auth-provider: {{name: {name}, config: {{cmd-path: sh, cmd-args: '-c echo>ran'}}}}");
        let config = GOOD.replace("token: s3cr3t", &provider).replace("http://", "https://");
        let home = TestHome::new().file("config", config).env("KUBECONFIG", "~/config");
        let text = home.env("PATH", "/usr/bin:/bin").call("version");
        assert!(text.ends_with("--- exit 2\n"), "{text}");
        text
    };
    insta::assert_snapshot!(provider("gcp"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: user "admin" in ~/config: The gcp auth plugin has been removed.
    hint: use the "gke-gcloud-auth-plugin" credential plugin: gcloud container clusters get-credentials NAME writes it into the kubeconfig
    --- exit 2
    "#);
    insta::assert_snapshot!(provider("azure"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: user "admin" in ~/config: The azure auth plugin has been removed.
    hint: use the https://github.com/Azure/kubelogin credential plugin: kubelogin convert-kubeconfig writes it into the kubeconfig
    --- exit 2
    "#);
    insta::assert_snapshot!(provider("foo"), @r#"
    Client Version: vX.Y.Z
    --- stderr
    error: getting credentials: user "admin" in ~/config: no Auth Provider found for name "foo"
    hint: use a credential plugin (exec), or pass --token
    --- exit 2
    "#);
}

fn allow_to_run(home: &TestHome, name: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = home.path().join(name);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

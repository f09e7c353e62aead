//! `version`: the client's always, the server's when one answers.

use super::server::Server;
use super::{TestHome, call};

const FORBIDDEN: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: User \"jane\" cannot get path \"/version\"","reason":"Forbidden","details":{},"code":403}"#;

const UNAUTHORIZED: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}"#;

fn ask(server: &Server, flags: &str) -> String {
    call(&format!("version -s {} {flags}", server.url())).replace(&server.url(), "SERVER")
}

#[test]
fn without_a_cluster_the_client_is_an_answer() {
    insta::assert_snapshot!(call("version"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: no cluster: KUBECONFIG is not set, ~/.kube/config does not exist, and this is not running in a Pod
    --- exit 0
    ");
    insta::assert_snapshot!(call("version --client"), @"
    Client Version: vX.Y.Z
    --- exit 0
    ");
}

#[test]
fn programs_get_a_versioned_schema() {
    insta::assert_snapshot!(call("version --client -o json"), @r#"
    {
      "schema": "kubectl-op/version/v1",
      "client": {
        "version": "vX.Y.Z",
        "platform": "OS/ARCH"
      },
      "complete": true,
      "gaps": []
    }
    --- exit 0
    "#);
    insta::assert_snapshot!(call("version --client -o yaml"), @"
    schema: kubectl-op/version/v1
    client:
      version: vX.Y.Z
      platform: OS/ARCH
    complete: true
    gaps: []
    --- exit 0
    ");
    insta::assert_snapshot!(call("version -o json"), @r#"
    {
      "schema": "kubectl-op/version/v1",
      "client": {
        "version": "vX.Y.Z",
        "platform": "OS/ARCH"
      },
      "complete": false,
      "gaps": [
        {
          "what": "server version",
          "why": "no cluster: KUBECONFIG is not set, ~/.kube/config does not exist, and this is not running in a Pod"
        }
      ]
    }
    --- stderr
    no server version: no cluster: KUBECONFIG is not set, ~/.kube/config does not exist, and this is not running in a Pod
    --- exit 0
    "#);
}

#[test]
fn a_server_that_answers_is_shown() {
    let server = Server::answering(200, r#"{"gitVersion":"v1.36.0","platform":"linux/amd64"}"#);
    insta::assert_snapshot!(ask(&server, ""), @"
    Client Version: vX.Y.Z
    Server Version: v1.36.0
    --- exit 0
    ");
    insta::assert_snapshot!(ask(&server, "-o json").replace("linux/amd64", "OS/ARCH"), @r#"
    {
      "schema": "kubectl-op/version/v1",
      "client": {
        "version": "vX.Y.Z",
        "platform": "OS/ARCH"
      },
      "server": {
        "address": "SERVER",
        "version": "v1.36.0",
        "platform": "OS/ARCH"
      },
      "complete": true,
      "gaps": []
    }
    --- exit 0
    "#);
}

/// Test servers are built from source and carry the placeholders of an unfinished build.
#[test]
fn a_version_that_is_none_is_shown_as_it_is_and_harmless() {
    let server = Server::answering(
        200,
        r#"{"gitVersion":"v0.0.0-master+$Format:%H$\u001b[31m\u202e","platform":"x"}"#,
    );
    insta::assert_snapshot!(ask(&server, ""), @r"
    Client Version: vX.Y.Z
    Server Version: v0.0.0-master+$Format:%H$^[[31m\u{202e}
    --- exit 0
    ");
}

#[test]
fn a_server_that_is_away_is_named() {
    insta::assert_snapshot!(call("version -s http://127.0.0.1:1"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: the connection to the server http://127.0.0.1:1 was refused - did you specify the right host or port?
    --- exit 0
    ");
}

#[test]
fn a_server_that_is_silent_is_not_waited_for() {
    insta::assert_snapshot!(ask(&Server::silent(), "--request-timeout 300ms"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: unable to connect to the server: SERVER did not respond in time
    --- exit 0
    ");
}

#[test]
fn a_server_that_refuses_is_quoted() {
    insta::assert_snapshot!(ask(&Server::answering(403, FORBIDDEN), ""), @r#"
    Client Version: vX.Y.Z
    --- stderr
    no server version: from server (Forbidden): forbidden: User "jane" cannot get path "/version"
    --- exit 0
    "#);
    insta::assert_snapshot!(ask(&Server::answering(401, UNAUTHORIZED), ""), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: you must be logged in to the server (Unauthorized): SERVER does not accept these credentials
    --- exit 0
    ");
    insta::assert_snapshot!(ask(&Server::answering(502, "<html>gateway</html>"), ""), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: SERVER returned an error that is not from a Kubernetes API server
    --- exit 0
    ");
    insta::assert_snapshot!(ask(&Server::answering(200, "<html>sign in</html>"), ""), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: unexpected response from SERVER: not a Kubernetes API server
    --- exit 0
    ");
}

#[test]
fn a_plain_server_called_by_https_is_explained() {
    let server = Server::answering(200, "{}");
    let url = server.url().replace("http:", "https:");
    insta::assert_snapshot!(call(&format!("version -s {url}")).replace(&url, "SERVER"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: unable to connect to the server: SERVER: the server did not respond with TLS
    --- exit 0
    ");
}

/// Who asks, as whom, and by which program: all of it is in the request.
#[test]
fn flags_reach_the_server() {
    let server = Server::answering_tls(200, r#"{"gitVersion":"v1.36.0","platform":"x"}"#);
    ask(
        &server,
        "--insecure-skip-tls-verify --token t0ken --as jane --as-group dev --as-group ops --as-uid 7 --as-user-extra team=a",
    );
    let request = server.wait_for_request();
    let agent = format!("user-agent: kubectl-op/{} (", env!("CARGO_PKG_VERSION"));
    for expected in [
        "get /version http/1.1",
        "authorization: bearer t0ken",
        "impersonate-user: jane",
        "impersonate-group: dev",
        "impersonate-group: ops",
        "impersonate-uid: 7",
        "impersonate-extra-team: a",
        &agent,
    ] {
        assert!(request.iter().any(|line| line.starts_with(expected)), "{expected} is not in {request:#?}");
    }
}

#[test]
fn flags_override_the_kubeconfig() {
    let server = Server::answering_tls(200, r#"{"gitVersion":"v1.36.0","platform":"x"}"#);
    let home = TestHome::new().file(".kube/config", super::kubeconfig::GOOD);
    let text = home.call(&format!(
        "version --server {} --insecure-skip-tls-verify --username me --password pw",
        server.url()
    ));
    assert!(text.contains("Server Version: v1.36.0"), "{text}");
    let request = server.wait_for_request();
    assert!(request.iter().any(|line| line.starts_with("authorization: basic ")), "{request:#?}");
}

#[test]
fn the_demo_cluster_and_a_dump_are_not_asked_for_a_server() {
    insta::assert_snapshot!(call("version --demo"), @"
    Client Version: vX.Y.Z
    Server Version: unknown (demo cluster)
    --- exit 0
    ");
    let home = TestHome::new().file("d.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    insta::assert_snapshot!(home.call("version --from d.yaml"), @"
    Client Version: vX.Y.Z
    Server Version: unknown (dump d.yaml)
    --- exit 0
    ");
    let told = home.call("version --from d.yaml -o json");
    assert!(told.contains("\"why\": \"the dump d.yaml does not contain it\""), "{told}");
    let told = home.call("version --from none.yaml");
    assert!(told.contains("error: no such file or directory: none.yaml"), "{told}");
}

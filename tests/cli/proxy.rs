//! Proxies that are away, refuse, or are misspelt: the proxy is named, and its password is not.

use super::TestHome;
use super::server::Server;

fn version(variable: &str, value: &str) -> String {
    let home = TestHome::new().env(variable, value);
    let text = home.call("version -s https://cluster.example:6443 --insecure-skip-tls-verify --token t");
    assert!(!text.contains("s3cr3t"), "{text}");
    text
}

#[test]
fn one_that_is_away_is_named() {
    insta::assert_snapshot!(version("HTTPS_PROXY", "http://me:s3cr3t@127.0.0.1:1"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: the connection to the proxy http://127.0.0.1:1 was refused
    --- exit 0
    ");
    insta::assert_snapshot!(version("https_proxy", "socks5://me:s3cr3t@127.0.0.1:1"), @"
    Client Version: vX.Y.Z
    --- stderr
    no server version: the connection to the proxy socks5://127.0.0.1:1 was refused
    --- exit 0
    ");
}

#[test]
fn one_that_refuses_is_named() {
    for (status, expected) in [
        (407, "no server version: the proxy PROXY requires a username and a password"),
        (403, "no server version: the proxy PROXY refused to connect to https://cluster.example:6443"),
    ] {
        let proxy = Server::answering(status, "no");
        let text = version("HTTPS_PROXY", &proxy.url()).replace(&proxy.url(), "PROXY");
        assert!(text.contains(expected), "{text}");
        assert_eq!(proxy.wait_for_request()[0], "connect cluster.example:6443 http/1.1");
    }
}

#[test]
fn its_password_reaches_it() {
    let proxy = Server::answering(403, "no");
    version("HTTPS_PROXY", &proxy.url().replace("http://", "http://me:s3cr3t@"));
    let head = proxy.wait_for_request();
    assert!(head.iter().any(|line| line.starts_with("proxy-authorization: basic ")), "{head:?}");
}

#[test]
fn one_that_is_misspelt_is_not_repeated() {
    insta::assert_snapshot!(version("HTTPS_PROXY", "ftp://me:s3cr3t@p"), @"
    Client Version: vX.Y.Z
    --- stderr
    error: invalid configuration: the proxy in HTTPS_PROXY has an unsupported scheme
    hint: expected a URL such as http://proxy.example:3128; http, https and socks5 are supported
    --- exit 2
    ");
}

#[test]
fn loopback_goes_around_the_environments_proxy_but_not_around_the_clusters() {
    let server = Server::answering(200, r#"{"gitVersion":"v1.36.0","platform":"x"}"#);
    let home = TestHome::new().env("HTTP_PROXY", "http://127.0.0.1:1");
    let text = home.call(&format!("version -s {}", server.url()));
    assert!(text.contains("Server Version: v1.36.0"), "{text}");
    let config = super::kubeconfig::GOOD.replace(
        "server: 'http://127.0.0.1:1'",
        "server: 'https://127.0.0.1:6443', proxy-url: 'http://127.0.0.1:2'",
    );
    let home = home.file("config", config).env("NO_PROXY", "*");
    let text = home.call("version --kubeconfig ~/config");
    assert!(text.contains("the connection to the proxy http://127.0.0.1:2 was refused"), "{text}");
}

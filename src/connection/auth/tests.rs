//! What is sent for which credentials.

use super::*;
use crate::connection::target::Impersonation;

const USER: &str = "user \"u\" in /c";

fn take(user: serde_json::Value, target: &Target) -> Result<Option<String>, String> {
    let mut resolved = ResolvedContext {
        cluster_display: String::new(),
        cluster: kube::config::Cluster::default(),
        user_display: USER.to_owned(),
        user: serde_json::from_value(user).unwrap(),
        namespace: None,
    };
    let taken = Authorization::take_from(&mut resolved, target).map_err(|failure| failure.to_string())?;
    assert_eq!(serde_json::to_value(&resolved.user).unwrap(), serde_json::json!({}), "all are taken");
    let mut headers = HeaderMap::new();
    taken.add_to(&mut headers);
    assert_eq!(taken.is_none(), headers.is_empty());
    Ok(headers.get(header::AUTHORIZATION).map(|value| {
        assert!(value.is_sensitive());
        value.to_str().unwrap().to_owned()
    }))
}

fn sent(user: serde_json::Value) -> Result<Option<String>, String> {
    take(user, &Target::default())
}

#[test]
fn the_rules_are_client_gos() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let (good, empty, broken) = (file("good", "file\n"), file("empty", "\n"), file("broken", "t0\nken"));
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(sent(json("{}")), Ok(None));
    assert_eq!(sent(json(r#"{"token": ""}"#)), Ok(None));
    assert_eq!(sent(json(r#"{"token": "t"}"#)), Ok(Some("Bearer t".to_owned())));
    assert_eq!(sent(serde_json::json!({"tokenFile": good})), Ok(Some("Bearer file".to_owned())));
    assert_eq!(
        sent(serde_json::json!({"token": "t", "tokenFile": good})),
        Ok(Some("Bearer file".to_owned()))
    );
    for unusable in [&empty, &broken, &"/no/such".to_owned()] {
        assert_eq!(
            sent(serde_json::json!({"token": "t", "tokenFile": unusable})),
            Ok(Some("Bearer t".to_owned()))
        );
    }
    // u:p, and a user without a password
    assert_eq!(sent(json(r#"{"username": "u", "password": "p"}"#)), Ok(Some("Basic dTpw".to_owned())));
    assert_eq!(sent(json(r#"{"username": "u"}"#)), Ok(Some("Basic dTo=".to_owned())));
    assert_eq!(sent(json(r#"{"password": "p"}"#)), Ok(None));
    for (user, words) in [
        (serde_json::json!({"token": "t", "username": "u"}), "may be set, but not both"),
        (serde_json::json!({"tokenFile": empty}), "empty cannot be read: it is empty"),
        (serde_json::json!({"tokenFile": "/no/such"}), "/no/such cannot be read: no such file or directory"),
        (serde_json::json!({"tokenFile": folder.path()}), "it is a directory, not a file"),
        (serde_json::json!({"tokenFile": broken}), "broken contains characters that are not allowed"),
        (serde_json::json!({"token": "t0\nken"}), "the token of user \"u\" in /c contains characters"),
    ] {
        let failure = sent(user.clone()).unwrap_err();
        assert!(failure.contains(words) && !failure.contains("ken\""), "{user}: {failure}");
    }
    let flag = Target { token: Some("t0\nken".into()), ..Target::default() };
    let failure = take(serde_json::json!({"token": "t0\nken"}), &flag).unwrap_err();
    assert!(failure.starts_with("--token contains"), "{failure}");
}

#[test]
fn a_token_file_is_read_again() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, "one").unwrap();
    let token_file = TokenFile::open(&path, None, USER).unwrap();
    let start = Instant::now();
    std::fs::write(&path, "two").unwrap();
    assert_eq!(token_file.current(start), "Bearer one");
    let later = start + Duration::from_secs(60);
    assert_eq!(token_file.current(later), "Bearer two");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(token_file.current(later + Duration::from_secs(60)), "Bearer two");
    std::fs::write(&path, "th\nree").unwrap();
    assert_eq!(token_file.current(later + Duration::from_secs(120)), "Bearer two");
}

fn jwt(exp: &str) -> String {
    format!("h.{}.s", URL_SAFE_NO_PAD.encode(format!(r#"{{"iss": "x", "exp": {exp}}}"#)))
}

fn oidc(more: &[(&str, &str)]) -> AuthProviderConfig {
    let fields = [("idp-issuer-url", "https://idp"), ("client-id", "kube")];
    let config = fields.iter().chain(more).map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let config = config.collect();
    AuthProviderConfig { name: "oidc".into(), config, other: std::collections::BTreeMap::default() }
}

#[test]
fn an_id_token_is_sent_until_it_expires() {
    // 1970-01-01T00:16:40Z
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
    let usable = |more: &[(&str, &str)]| {
        let token = id_token(&oidc(more), USER).unwrap();
        token.usable(now, USER).map(|_| ()).map_err(|failure| failure.to_string())
    };
    let valid = |exp: &str| usable(&[("id-token", &jwt(exp)), ("refresh-token", "r")]);
    for exp in ["1011", "1e300", "1011.5", "99999999999999999999"] {
        assert_eq!(valid(exp), Ok(()), "{exp}");
    }
    for exp in ["1010", "0", "-1e300"] {
        assert!(valid(exp).unwrap_err().contains("has expired, and only kubectl refreshes it"), "{exp}");
    }
    assert!(usable(&[("id-token", &jwt("5"))]).unwrap_err().contains("cannot refresh without refresh-token"));
    assert!(usable(&[]).unwrap_err().contains("cannot refresh without refresh-token"));
    for broken in ["s3cr3t", "a.b", "a.!.c", "a.b.c.d"] {
        let failure = usable(&[("id-token", broken)]).unwrap_err();
        assert!(failure.ends_with("ID Token is not a valid JWT") && !failure.contains("s3cr3t"), "{failure}");
    }
}

#[test]
fn other_providers_are_refused_in_kubectls_words() {
    for (name, words) in [
        ("gcp", "The gcp auth plugin has been removed."),
        ("azure", "The azure auth plugin has been removed."),
        ("foo", "no Auth Provider found for name \"foo\""),
        ("oidc", "Must provide idp-issuer-url"),
    ] {
        let provider = serde_json::json!({"name": name, "config": {"cmd-path": "/bin/false"}});
        let expected = format!("getting credentials: {USER}: {words}");
        assert_eq!(sent(serde_json::json!({"auth-provider": provider})), Err(expected.clone()));
        assert_eq!(sent(serde_json::json!({"auth-provider": provider, "token": "t"})), Err(expected));
    }
}

#[test]
fn impersonation_that_no_header_can_contain_is_refused_with_its_origin() {
    let check = |user: serde_json::Value, impersonation: Impersonation| {
        let user: AuthInfo = serde_json::from_value(user).unwrap();
        let target = Target { impersonation, ..Target::default() };
        check_impersonation(&user, USER, &target).map_err(|failure| failure.to_string())
    };
    let none = Impersonation::default;
    let flag = |text: &str| Some(text.to_owned());
    assert_eq!(check(serde_json::json!({"as": "jane", "as-user-extra": {"a b": ["ä"]}}), none()), Ok(()));
    for (user, impersonation, origin) in [
        (serde_json::json!({"as": "a\nb"}), none(), "as of user"),
        (serde_json::json!({"as": "a\nb"}), Impersonation { user: flag("a\nb"), ..none() }, "--as "),
        (serde_json::json!({"as-uid": "a\nb"}), Impersonation { uid: flag("a\nb"), ..none() }, "--as-uid "),
        (serde_json::json!({"as-groups": ["g", "a\nb"]}), none(), "as-groups of user"),
        (
            serde_json::json!({"as-user-extra": {"k": ["a\nb"]}}),
            Impersonation { extra: vec![("k".into(), "a\nb".into())], ..none() },
            "--as-user-extra ",
        ),
    ] {
        let failure = check(user, impersonation).unwrap_err();
        assert!(failure.starts_with(origin), "{origin}: {failure}");
    }
}

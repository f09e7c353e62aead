//! How flags override a kubeconfig, by kubectl's rules for what else a flag replaces.

use std::collections::HashMap;

use kube::config::{AuthInfo, Cluster};

use super::target::Target;
use crate::error::{Failure, FailureKind};

/// Applies the flags about the server.
pub(super) fn apply_to_cluster(target: &Target, cluster: &mut Cluster) {
    if target.server.is_some() || target.tls_server_name.is_some() {
        // The tls-server-name of the file belongs to the server of the file.
        cluster.tls_server_name.clone_from(&target.tls_server_name);
    }
    replace(&mut cluster.server, target.server.as_ref());
    if target.insecure_skip_tls_verify || target.certificate_authority.is_some() {
        // Both decide how the server is verified, so either one replaces all of these settings.
        cluster.insecure_skip_tls_verify = Some(target.insecure_skip_tls_verify);
        cluster.certificate_authority.clone_from(&target.certificate_authority);
        cluster.certificate_authority_data = None;
    }
    if target.disable_compression {
        cluster.disable_compression = Some(true);
    }
}

/// Applies the flags about the user.
pub(super) fn apply_to_user(target: &Target, user: &mut AuthInfo) -> Result<(), Failure> {
    let basic_auth = target.username.is_some() || target.password.is_some();
    if target.token.is_some() && basic_auth {
        return Err(Failure::new(
            FailureKind::Usage,
            "--token and --username/--password cannot be used together",
        )
        .hint("remove one of them"));
    }
    if target.token.is_some() || basic_auth {
        // Credentials from flags replace those of the file, except for client certificates.
        user.token = None;
        user.token_file = None;
        user.username = user.username.take().filter(|_| basic_auth);
        user.password = user.password.take().filter(|_| basic_auth);
        user.exec = None;
        user.auth_provider = None;
    }
    if let Some(token) = &target.token {
        user.token = Some(token.clone().into());
    }
    replace(&mut user.username, target.username.as_ref());
    if let Some(password) = &target.password {
        user.password = Some(password.clone().into());
    }
    if target.client_certificate.is_some() {
        user.client_certificate_data = None;
        replace(&mut user.client_certificate, target.client_certificate.as_ref());
    }
    if target.client_key.is_some() {
        user.client_key_data = None;
        replace(&mut user.client_key, target.client_key.as_ref());
    }
    impersonate(target, user)
}

fn impersonate(target: &Target, user: &mut AuthInfo) -> Result<(), Failure> {
    let requested = &target.impersonation;
    replace(&mut user.impersonate, requested.user.as_ref());
    replace(&mut user.impersonate_uid, requested.uid.as_ref());
    if !requested.groups.is_empty() {
        user.impersonate_groups = Some(requested.groups.clone());
    }
    if !requested.extra.is_empty() {
        let mut extra: HashMap<String, Vec<String>> = HashMap::new();
        for (key, value) in &requested.extra {
            extra.entry(key.clone()).or_default().push(value.clone());
        }
        user.impersonate_user_extra = Some(extra);
    }
    let needs_user = user.impersonate_uid.is_some()
        || user.impersonate_groups.is_some()
        || user.impersonate_user_extra.is_some();
    if needs_user && user.impersonate.is_none() {
        return Err(Failure::new(
            FailureKind::Usage,
            "requesting uid, groups or user-extra without impersonating a user",
        )
        .hint("pass --as USER"));
    }
    Ok(())
}

fn replace<T: Clone>(value: &mut Option<T>, by: Option<&T>) {
    if by.is_some() {
        *value = by.cloned();
    }
}

#[cfg(test)]
mod tests {
    use super::super::target::Impersonation;
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "every field it fills is an option")]
    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    fn file_cluster() -> Cluster {
        Cluster {
            server: text("https://file"),
            tls_server_name: text("file.example"),
            certificate_authority_data: text("ZmlsZQ=="),
            ..Cluster::default()
        }
    }

    fn apply(target: &Target) -> Cluster {
        let mut cluster = file_cluster();
        apply_to_cluster(target, &mut cluster);
        cluster
    }

    fn as_json(user: &AuthInfo) -> serde_json::Value {
        serde_json::to_value(user).unwrap()
    }

    #[test]
    fn no_flag_changes_nothing() {
        let cluster = apply(&Target::default());
        assert_eq!(cluster.server, text("https://file"));
        assert_eq!(cluster.tls_server_name, text("file.example"));
        assert_eq!(cluster.certificate_authority_data, text("ZmlsZQ=="));
        let mut user = AuthInfo { token: Some("t".to_owned().into()), ..AuthInfo::default() };
        apply_to_user(&Target::default(), &mut user).unwrap();
        assert_eq!(as_json(&user), serde_json::json!({"token": "t"}));
    }

    #[test]
    fn a_new_server_forgets_the_old_servers_tls_name() {
        let cluster = apply(&Target { server: text("https://flag"), ..Target::default() });
        assert_eq!((cluster.server, cluster.tls_server_name), (text("https://flag"), None));
        let cluster = apply(&Target { tls_server_name: text("flag.example"), ..Target::default() });
        assert_eq!((cluster.server, cluster.tls_server_name), (text("https://file"), text("flag.example")));
    }

    #[test]
    fn whom_to_trust_is_replaced_as_a_whole() {
        let cluster = apply(&Target { insecure_skip_tls_verify: true, ..Target::default() });
        assert_eq!(
            (cluster.insecure_skip_tls_verify, cluster.certificate_authority_data),
            (Some(true), None)
        );
        let cluster = apply(&Target { certificate_authority: text("ca.crt"), ..Target::default() });
        assert_eq!(cluster.certificate_authority, text("ca.crt"));
        assert_eq!(
            (cluster.insecure_skip_tls_verify, cluster.certificate_authority_data),
            (Some(false), None)
        );
    }

    #[test]
    fn a_token_replaces_every_other_way_to_log_in() {
        let mut user = AuthInfo {
            username: text("u"),
            password: Some("p".to_owned().into()),
            token_file: text("/t"),
            exec: Some(kube::config::ExecConfig::default()),
            client_certificate: text("/c"),
            ..AuthInfo::default()
        };
        apply_to_user(&Target { token: text("new"), ..Target::default() }, &mut user).unwrap();
        assert_eq!(as_json(&user), serde_json::json!({"token": "new", "client-certificate": "/c"}));
    }

    #[test]
    fn a_user_name_keeps_the_password_of_the_file() {
        let mut user =
            AuthInfo { password: Some("p".to_owned().into()), token_file: text("/t"), ..AuthInfo::default() };
        apply_to_user(&Target { username: text("u"), ..Target::default() }, &mut user).unwrap();
        assert_eq!(as_json(&user), serde_json::json!({"username": "u", "password": "p"}));
    }

    #[test]
    fn certificate_files_replace_certificate_data() {
        let mut user = AuthInfo {
            client_certificate_data: text("Yw=="),
            client_key_data: Some("aw==".to_owned().into()),
            ..AuthInfo::default()
        };
        let target = Target { client_certificate: text("c"), client_key: text("k"), ..Target::default() };
        apply_to_user(&target, &mut user).unwrap();
        assert_eq!(as_json(&user), serde_json::json!({"client-certificate": "c", "client-key": "k"}));
    }

    #[test]
    fn impersonation_needs_a_user() {
        let mut target = Target {
            impersonation: Impersonation {
                groups: vec!["dev".to_owned()],
                uid: text("7"),
                extra: vec![("a".to_owned(), "1".to_owned()), ("a".to_owned(), "2".to_owned())],
                user: None,
            },
            ..Target::default()
        };
        assert_eq!(apply_to_user(&target, &mut AuthInfo::default()).unwrap_err().kind(), FailureKind::Usage);
        target.impersonation.user = text("jane");
        let mut user = AuthInfo::default();
        apply_to_user(&target, &mut user).unwrap();
        let expected = serde_json::json!({
            "as": "jane",
            "as-uid": "7",
            "as-groups": ["dev"],
            "as-user-extra": {"a": ["1", "2"]},
        });
        assert_eq!(as_json(&user), expected);
    }

    #[test]
    fn two_ways_to_log_in_are_refused() {
        let target = Target { token: text("t"), username: text("u"), ..Target::default() };
        assert_eq!(apply_to_user(&target, &mut AuthInfo::default()).unwrap_err().kind(), FailureKind::Usage);
    }
}

//! The credentials of a user that are sent with every request: a token, a token file, a password, the token of the
//! `oidc` provider. By client-go's rules; kube has its own, runs the command of the `gcp` provider without asking
//! the kuberc, and panics on a token that no header can contain. Credential plugins are in `exec.rs`.
//!
//! | what a user has                        | what is sent                                                       |
//! |----------------------------------------|--------------------------------------------------------------------|
//! | `token` and `tokenFile`                | the file's, read again every minute; the other one if it is empty  |
//! | `username`                             | basic authentication                                               |
//! | `token` and `username`                 | refused                                                            |
//! | `auth-provider: oidc`                  | its `id-token` until that expires; it is not refreshed             |
//! | any other `auth-provider`              | refused                                                            |
//! | any of them, and an `http://` server   | nothing: all of them would be readable on the way                  |

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderValue, header};
use kube::config::{AuthInfo, AuthProviderConfig};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::file;
use super::kubeconfig::ResolvedContext;
use super::target::Target;
use crate::error::{Failure, FailureKind};

/// How long the content of a token file is used; client-go's minute less its margin of ten seconds.
const TOKEN_FILE_PERIOD: Duration = Duration::from_secs(50);
/// A token that expires sooner counts as expired, as in client-go.
const EXPIRY_MARGIN: Duration = Duration::from_secs(10);

/// What is sent as `Authorization`; clones share a token file. Not `Debug`: it is a secret.
#[derive(Clone, Default)]
pub(super) struct Authorization(HeaderSource);

#[derive(Clone, Default)]
enum HeaderSource {
    #[default]
    None,
    Fixed(HeaderValue),
    TokenFile(Arc<TokenFile>),
}

impl Authorization {
    /// Takes the credentials out of `resolved.user`, so that nothing else sends them.
    pub(super) fn take_from(resolved: &mut ResolvedContext, target: &Target) -> Result<Self, Failure> {
        let ResolvedContext { user, user_display, .. } = resolved;
        check_one_method(user, user_display)?;
        let token = non_empty_secret(user.token.take());
        let token_file = user.token_file.take().filter(|file| !file.is_empty());
        let username = user.username.take().filter(|name| !name.is_empty());
        let password = non_empty_secret(user.password.take());
        let provider = user.auth_provider.take();
        // Checked even if something else is sent, as kubectl does.
        let provider = provider.map(|provider| id_token(&provider, user_display)).transpose()?;
        let source = if let Some(path) = token_file {
            HeaderSource::TokenFile(Arc::new(TokenFile::open(Path::new(&path), token, user_display)?))
        } else if let Some(token) = token {
            let origin = if target.token.is_some() {
                "--token".to_owned()
            } else {
                format!("the token of {user_display}")
            };
            HeaderSource::Fixed(bearer(token.expose_secret()).ok_or_else(|| not_a_header(&origin))?)
        } else if let Some(name) = username {
            HeaderSource::Fixed(basic(
                &name,
                password.as_ref().map_or("", |password| password.expose_secret()),
            ))
        } else if let Some(id_token) = provider {
            HeaderSource::Fixed(id_token.usable(SystemTime::now(), user_display)?)
        } else {
            HeaderSource::None
        };
        Ok(Self(source))
    }

    /// Adds the header to a request.
    pub(super) fn add_to(&self, headers: &mut HeaderMap) {
        let value = match &self.0 {
            HeaderSource::None => return,
            HeaderSource::Fixed(value) => value.clone(),
            HeaderSource::TokenFile(token_file) => token_file.current(Instant::now()),
        };
        headers.insert(header::AUTHORIZATION, value);
    }

    /// Whether there is anything to send, so that no plugin has to run.
    pub(super) fn is_none(&self) -> bool {
        matches!(self.0, HeaderSource::None)
    }
}

/// Refuses a token together with a password, as kubectl does even if neither would be sent.
pub(super) fn check_one_method(user: &AuthInfo, display: &str) -> Result<(), Failure> {
    let is_set = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
    let has_token =
        is_set(user.token.as_ref().map(ExposeSecret::expose_secret)) || is_set(user.token_file.as_deref());
    if has_token && is_set(user.username.as_deref()) {
        let what = "username/password or bearer token may be set, but not both";
        return Err(invalid(&format!("{display}: {what}")).hint("remove one of them, or pass --token"));
    }
    Ok(())
}

/// Removes all credentials of a user whose server is not reached by TLS.
pub(super) fn withhold(user: &mut AuthInfo) -> bool {
    let withheld = user.token.is_some()
        || user.token_file.is_some()
        || user.username.is_some()
        || user.auth_provider.is_some()
        || user.exec.is_some();
    user.token = None;
    user.token_file = None;
    user.username = None;
    user.password = None;
    user.auth_provider = None;
    user.exec = None;
    withheld
}

fn non_empty_secret(secret: Option<SecretString>) -> Option<SecretString> {
    secret.filter(|secret| !secret.expose_secret().is_empty())
}

/// A file whose content changes while this program runs, such as the token of a service account.
struct TokenFile {
    path: PathBuf,
    /// Only these are read again: a pipe has been read to its end.
    is_regular: bool,
    current: Mutex<(HeaderValue, Instant)>,
}

impl TokenFile {
    /// Reads the file; `inline` is what is sent if it cannot be read.
    fn open(path: &Path, inline: Option<SecretString>, user: &str) -> Result<Self, Failure> {
        let display = path.display();
        let value = match (read_token(path), inline) {
            (Ok(Some(value)), _) => value,
            (Ok(None), None) => return Err(not_a_header(&format!("token file {display}"))),
            (Err(why), None) => {
                return Err(invalid(&format!("token file {display} cannot be read: {why}"))
                    .hint("check the path, or pass --token"));
            }
            (_, Some(token)) => {
                bearer(token.expose_secret()).ok_or_else(|| not_a_header(&format!("the token of {user}")))?
            }
        };
        Ok(Self {
            path: path.to_owned(),
            is_regular: path.is_file(),
            current: Mutex::new((value, Instant::now())),
        })
    }

    /// The latest token. One that can no longer be read stays in use, as with kubectl.
    fn current(&self, now: Instant) -> HeaderValue {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_regular && now.saturating_duration_since(current.1) >= TOKEN_FILE_PERIOD {
            let value = read_token(&self.path).ok().flatten().unwrap_or_else(|| current.0.clone());
            *current = (value, now);
        }
        current.0.clone()
    }
}

/// The content of a token file, `None` if no header can contain it, or why it cannot be read.
fn read_token(path: &Path) -> Result<Option<HeaderValue>, String> {
    let text = file::read_text(path).map_err(|error| error.to_string())?;
    match text.trim() {
        "" => Err("it is empty".to_owned()),
        token => Ok(bearer(token)),
    }
}

/// `None` if no header can contain the token.
pub(super) fn bearer(token: &str) -> Option<HeaderValue> {
    sensitive(&format!("Bearer {token}"))
}

fn basic(name: &str, password: &str) -> HeaderValue {
    // Base64 is always allowed in a header.
    sensitive(&format!("Basic {}", STANDARD.encode(format!("{name}:{password}"))))
        .unwrap_or_else(|| HeaderValue::from_static(""))
}

fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// The `id-token` of the `oidc` provider.
struct IdToken {
    token: Option<String>,
    can_refresh: bool,
}

/// The claims of an `id-token` that are read.
#[derive(Deserialize)]
struct Claims {
    #[serde(default)]
    exp: f64,
}

/// Checks an `auth-provider` and returns its token. Only `oidc` is left in kubectl, whose words these are.
fn id_token(provider: &AuthProviderConfig, user: &str) -> Result<IdToken, Failure> {
    let refused = |what: &str| invalid(&format!("{user}: {what}"));
    match provider.name.as_str() {
        "oidc" => {}
        "gcp" => {
            return Err(refused("The gcp auth plugin has been removed.").hint(
                "use the \"gke-gcloud-auth-plugin\" credential plugin: \
                 gcloud container clusters get-credentials NAME writes it into the kubeconfig",
            ));
        }
        "azure" => {
            return Err(refused("The azure auth plugin has been removed.").hint(
                "use the https://github.com/Azure/kubelogin credential plugin: \
                 kubelogin convert-kubeconfig writes it into the kubeconfig",
            ));
        }
        other => {
            return Err(refused(&format!("no Auth Provider found for name \"{other}\""))
                .hint("use a credential plugin (exec), or pass --token"));
        }
    }
    let field = |name: &str| provider.config.get(name).filter(|value| !value.is_empty());
    for name in ["idp-issuer-url", "client-id"] {
        if field(name).is_none() {
            return Err(refused(&format!("Must provide {name}")).hint("log in again, or pass --token"));
        }
    }
    Ok(IdToken { token: field("id-token").cloned(), can_refresh: field("refresh-token").is_some() })
}

impl IdToken {
    /// The header, if the token is valid at `now`.
    fn usable(self, now: SystemTime, user: &str) -> Result<HeaderValue, Failure> {
        let malformed =
            || invalid(&format!("{user}: ID Token is not a valid JWT")).hint("log in again, or pass --token");
        let header = match &self.token {
            Some(token) => {
                let expires = expiry(token).ok_or_else(malformed)?;
                // In seconds as a float: a date that is out of range for the clock is just far away.
                let now = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default() + EXPIRY_MARGIN;
                if now.as_secs_f64() < expires { Some(bearer(token).ok_or_else(malformed)?) } else { None }
            }
            None => None,
        };
        header.ok_or_else(|| {
            if self.can_refresh {
                // A refresh may rotate the refresh token, and saving that is a write to the kubeconfig.
                invalid(&format!("the id-token of {user} has expired, and only kubectl refreshes it")).hint(
                    "kubectl get --raw /version with the same context refreshes and saves it; then run this again",
                )
            } else {
                invalid(&format!("{user}: No valid id-token, and cannot refresh without refresh-token"))
                    .hint("log in again, or pass --token")
            }
        })
    }
}

/// When a JWT expires, in seconds since 1970; `None` if it is not a JWT.
fn expiry(token: &str) -> Option<f64> {
    let mut parts = token.split('.');
    let (_, payload, _, None) = (parts.next()?, parts.next()?, parts.next()?, parts.next()) else {
        return None;
    };
    let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
    Some(serde_json::from_slice::<Claims>(&payload).ok()?.exp)
}

/// Refuses impersonation that no header can contain; flags and fields are named as the user wrote them.
pub(super) fn check_impersonation(user: &AuthInfo, display: &str, target: &Target) -> Result<(), Failure> {
    let by_flag = &target.impersonation;
    let origin = |flag: &str, field: &str, is_flag: bool| {
        if is_flag { format!("--{flag}") } else { format!("{field} of {display}") }
    };
    let check = |value: &str, origin: String| match HeaderValue::from_str(value) {
        Ok(_) => Ok(()),
        Err(_) => Err(not_a_header(&origin)),
    };
    if let Some(value) = &user.impersonate {
        check(value, origin("as", "as", by_flag.user.is_some()))?;
    }
    if let Some(value) = &user.impersonate_uid {
        check(value, origin("as-uid", "as-uid", by_flag.uid.is_some()))?;
    }
    for value in user.impersonate_groups.iter().flatten() {
        check(value, origin("as-group", "as-groups", !by_flag.groups.is_empty()))?;
    }
    for (key, values) in user.impersonate_user_extra.iter().flatten() {
        let origin = || origin("as-user-extra", "as-user-extra", !by_flag.extra.is_empty());
        if key.is_empty() {
            return Err(invalid(&format!("{} has an empty key", origin())).hint("expected KEY=VALUE"));
        }
        for value in values {
            check(value, origin())?;
        }
    }
    Ok(())
}

fn not_a_header(origin: &str) -> Failure {
    Failure::new(
        FailureKind::Configuration,
        format!("{origin} contains characters that are not allowed in an HTTP header"),
    )
    .hint("expected one line; the usual cause is a line break in or after it")
}

fn invalid(what: &str) -> Failure {
    Failure::new(FailureKind::Configuration, format!("getting credentials: {what}"))
}

#[cfg(test)]
mod tests;

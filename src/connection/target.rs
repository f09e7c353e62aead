//! Which cluster to use and as which user: kubectl's common flags and the environment, as plain values.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::log::Log;

/// The environment variables about the cluster; read in `main` and passed on as a value.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// `KUBECONFIG`: a list of paths.
    pub kubeconfig: Option<OsString>,
    /// The home directory, which contains `.kube/config`.
    pub home: Option<PathBuf>,
    /// `KUBERNETES_SERVICE_HOST`: set in every Pod.
    pub service_host: Option<String>,
    /// `KUBERNETES_SERVICE_PORT`: set in every Pod.
    pub service_port: Option<String>,
    /// `PATH`: where a credential plugin is looked up when there is an allowlist.
    pub path: Option<OsString>,
    /// `KUBERC`: the path of kubectl's own settings, or `off`.
    pub kuberc: Option<OsString>,
    /// `DISABLE_HTTP2`: any value selects HTTP/1.1, as with kubectl.
    pub disable_http2: bool,
    /// The proxy variables.
    pub proxy: ProxyEnv,
}

/// The environment variables about proxies. Not shown by `Debug`: a proxy's URL may contain a password.
#[derive(Clone, Default)]
pub struct ProxyEnv {
    /// `HTTPS_PROXY`, for `https://` servers.
    pub https_proxy: Option<String>,
    /// `HTTP_PROXY`, for `http://` servers.
    pub http_proxy: Option<String>,
    /// `NO_PROXY`: servers that need no proxy.
    pub no_proxy: Option<String>,
}

impl fmt::Debug for ProxyEnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyEnv").field("no_proxy", &self.no_proxy).finish_non_exhaustive()
    }
}

impl Env {
    /// Reads the variables of this module; `variable` looks one up.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let text = |name| {
            variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty())
        };
        // Upper case first, as Go reads them.
        let either = |upper, lower| text(upper).or_else(|| text(lower));
        // `HOME` first on Windows too, as kubectl does.
        let home = variable("HOME").filter(|home| !home.is_empty()).or_else(|| variable("USERPROFILE"));
        Self {
            kubeconfig: variable("KUBECONFIG").filter(|list| !list.is_empty()),
            home: home.map(PathBuf::from),
            service_host: text("KUBERNETES_SERVICE_HOST"),
            service_port: text("KUBERNETES_SERVICE_PORT"),
            path: variable("PATH"),
            kuberc: variable("KUBERC").filter(|value| !value.is_empty()),
            disable_http2: text("DISABLE_HTTP2").is_some(),
            proxy: ProxyEnv {
                https_proxy: either("HTTPS_PROXY", "https_proxy"),
                http_proxy: either("HTTP_PROXY", "http_proxy"),
                no_proxy: either("NO_PROXY", "no_proxy"),
            },
        }
    }
}

/// The user to impersonate.
#[derive(Clone, Default)]
pub struct Impersonation {
    /// `--as`
    pub user: Option<String>,
    /// `--as-group`
    pub groups: Vec<String>,
    /// `--as-uid`
    pub uid: Option<String>,
    /// `--as-user-extra`, as pairs of key and value
    pub extra: Vec<(String, String)>,
}

/// Everything that decides where requests go and which user sends them. Not `Debug`: it contains a token and a
/// password.
#[derive(Clone, Default)]
pub struct Target {
    /// The name that this program was called by, for commands in hints.
    pub program: String,
    /// The environment.
    pub env: Env,
    /// `--kubeconfig`
    pub kubeconfig: Option<PathBuf>,
    /// `--context`
    pub context: Option<String>,
    /// `--cluster`
    pub cluster: Option<String>,
    /// `--user`
    pub user: Option<String>,
    /// `--namespace`
    pub namespace: Option<String>,
    /// `--server`
    pub server: Option<String>,
    /// `--tls-server-name`
    pub tls_server_name: Option<String>,
    /// `--insecure-skip-tls-verify`
    pub insecure_skip_tls_verify: bool,
    /// `--certificate-authority`
    pub certificate_authority: Option<String>,
    /// `--client-certificate`
    pub client_certificate: Option<String>,
    /// `--client-key`
    pub client_key: Option<String>,
    /// `--token`
    pub token: Option<String>,
    /// `--username`
    pub username: Option<String>,
    /// `--password`
    pub password: Option<String>,
    /// `--as`, `--as-group`, `--as-uid` and `--as-user-extra`
    pub impersonation: Impersonation,
    /// `--request-timeout`; `None` means no timeout
    pub request_timeout: Option<Duration>,
    /// `--disable-compression`
    pub disable_compression: bool,
    /// `--kuberc`
    pub kuberc: Option<PathBuf>,
    /// `-v`, and where its lines are written
    pub log: Log,
}

//! The service account of a Pod, as if it were a context of a kubeconfig, so that flags override it the same way.

use std::path::Path;

use kube::config::{AuthInfo, Cluster};

use super::file;
use super::kubeconfig::ResolvedContext;
use super::target::Env;

const SERVICE_ACCOUNT_DIR: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The service account of this Pod; `None` outside of a Pod.
pub(super) fn service_account(env: &Env) -> Option<ResolvedContext> {
    let (host, port) = (env.service_host.as_ref()?, env.service_port.as_ref()?);
    let path = |name: &str| format!("{SERVICE_ACCOUNT_DIR}/{name}");
    if !Path::new(&path("token")).is_file() {
        return None;
    }
    Some(ResolvedContext {
        cluster_display: "the cluster of this Pod".to_owned(),
        cluster: Cluster {
            server: Some(url(host, port)),
            certificate_authority: Some(path("ca.crt")),
            ..Cluster::default()
        },
        user_display: "the service account of this Pod".to_owned(),
        user: AuthInfo { token_file: Some(path("token")), ..AuthInfo::default() },
        namespace: file::read_text(Path::new(&path("namespace"))).ok().map(|name| name.trim().to_owned()),
    })
}

fn url(host: &str, port: &str) -> String {
    // An IPv6 address needs brackets.
    if host.contains(':') { format!("https://[{host}]:{port}") } else { format!("https://{host}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_both_kinds_make_a_url() {
        assert_eq!(url("10.0.0.1", "443"), "https://10.0.0.1:443");
        assert_eq!(url("fd00::1", "443"), "https://[fd00::1]:443");
    }
}

//! The parts of the control plane, and how each is started.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rcgen::KeyPair;

use crate::binaries::Binaries;
use crate::certs::Authority;
use crate::pod_logs;
use crate::slot::Slot;
use crate::supervisor::Program;

/// The behaviour of nodes and Pods that kwok simulates.
const STAGES: &str = include_str!("stages.yaml");
/// Metadata of every request: enough for a test to count requests and find writers.
const AUDIT_POLICY: &str = r#"{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"],
"rules": [{"level": "Metadata"}]}"#;

/// What every part needs to know, laid out in the lab's folder.
pub(crate) struct Plane<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) binaries: &'a Binaries,
    ports: Ports,
    services: String,
}

struct Ports {
    etcd: u16,
    etcd_peer: u16,
    apiserver: u16,
    controller_manager: u16,
    scheduler: u16,
    kwok: u16,
}

impl<'a> Plane<'a> {
    pub(crate) fn new(folder: &'a Path, binaries: &'a Binaries, slot: &Slot) -> Self {
        let [etcd, etcd_peer, apiserver, controller_manager, scheduler, kwok] = slot.ports();
        let ports = Ports { etcd, etcd_peer, apiserver, controller_manager, scheduler, kwok };
        Self { folder, binaries, ports, services: slot.service_range() }
    }

    pub(crate) fn server(&self) -> String {
        format!("https://127.0.0.1:{}", self.ports.apiserver)
    }

    pub(crate) fn authority_file(&self) -> PathBuf {
        self.folder.join("ca.crt")
    }

    pub(crate) fn audit_log(&self) -> PathBuf {
        self.folder.join("logs").join("audit.log")
    }

    /// Writes certificates, keys, tokens and policies.
    pub(crate) fn lay_out(&self, authority: &Authority, tokens: &str) -> Result<()> {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let serving = authority.issue(&["localhost", "kubernetes", "kubernetes.default.svc"], &[loopback])?;
        let accounts = KeyPair::generate().context("failed to make the key of service accounts")?;
        for (name, text) in [
            ("ca.crt", authority.certificate()),
            ("apiserver.crt", serving.certificate.as_str()),
            ("apiserver.key", serving.key.as_str()),
            ("accounts.key", accounts.serialize_pem().as_str()),
            ("accounts.pub", accounts.public_key_pem().as_str()),
            ("tokens.csv", tokens),
            ("audit-policy.yaml", AUDIT_POLICY),
            ("kwok.yaml", &format!("{STAGES}---\n{}\n", pod_logs::lay_out(self.folder)?)),
        ] {
            let path = self.folder.join(name);
            fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
        }
        Ok(())
    }

    pub(crate) fn etcd(&self) -> Program {
        let client = format!("http://127.0.0.1:{}", self.ports.etcd);
        let peer = format!("http://127.0.0.1:{}", self.ports.etcd_peer);
        let args = [
            format!("--data-dir={}", self.path("etcd")),
            format!("--listen-client-urls={client}"),
            format!("--advertise-client-urls={client}"),
            format!("--listen-peer-urls={peer}"),
            format!("--initial-advertise-peer-urls={peer}"),
            format!("--initial-cluster=default={peer}"),
            // The data lives as long as the lab; waiting for the disk would prove nothing.
            "--unsafe-no-fsync".to_owned(),
        ];
        Program::new("etcd", &self.binaries.etcd, args)
    }

    pub(crate) fn apiserver(&self) -> Program {
        let args = [
            format!("--etcd-servers=http://127.0.0.1:{}", self.ports.etcd),
            format!("--secure-port={}", self.ports.apiserver),
            "--bind-address=127.0.0.1".to_owned(),
            // Or it looks for an address of this machine and tells it to clients.
            "--external-hostname=127.0.0.1".to_owned(),
            format!("--cert-dir={}", self.path("apiserver")),
            format!("--tls-cert-file={}", self.path("apiserver.crt")),
            format!("--tls-private-key-file={}", self.path("apiserver.key")),
            format!("--service-cluster-ip-range={}", self.services),
            // The endpoints of the `kubernetes` Service would be a loopback address, which validation refuses.
            "--endpoint-reconciler-type=none".to_owned(),
            "--service-account-issuer=https://localhost".to_owned(),
            format!("--service-account-key-file={}", self.path("accounts.pub")),
            format!("--service-account-signing-key-file={}", self.path("accounts.key")),
            "--disable-admission-plugins=ServiceAccount".to_owned(),
            "--authorization-mode=RBAC".to_owned(),
            format!("--token-auth-file={}", self.path("tokens.csv")),
            "--allow-privileged".to_owned(),
            // Logs are read from the node's address; its name is in no DNS.
            "--kubelet-preferred-address-types=InternalIP".to_owned(),
            format!("--audit-policy-file={}", self.path("audit-policy.yaml")),
            format!("--audit-log-path={}", self.audit_log().display()),
        ];
        Program::new("kube-apiserver", &self.binaries.kube_apiserver, args)
    }

    pub(crate) fn controller_manager(&self, kubeconfig: &Path) -> Program {
        let args = [
            format!("--kubeconfig={}", kubeconfig.display()),
            "--leader-elect=false".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--secure-port={}", self.ports.controller_manager),
            format!("--cert-dir={}", self.path("controller-manager")),
            format!("--root-ca-file={}", self.path("ca.crt")),
            format!("--service-account-private-key-file={}", self.path("accounts.key")),
            // The defaults are meant for a shared server and would make the tests wait.
            "--kube-api-qps=500".to_owned(),
            "--kube-api-burst=1000".to_owned(),
        ];
        Program::new("kube-controller-manager", &self.binaries.kube_controller_manager, args)
    }

    pub(crate) fn scheduler(&self, kubeconfig: &Path) -> Program {
        let args = [
            format!("--kubeconfig={}", kubeconfig.display()),
            "--leader-elect=false".to_owned(),
            "--bind-address=127.0.0.1".to_owned(),
            format!("--secure-port={}", self.ports.scheduler),
            format!("--cert-dir={}", self.path("scheduler")),
            "--kube-api-qps=500".to_owned(),
            "--kube-api-burst=1000".to_owned(),
        ];
        Program::new("kube-scheduler", &self.binaries.kube_scheduler, args)
    }

    pub(crate) fn kwok(&self, kubeconfig: &Path) -> Program {
        let args = [
            format!("--kubeconfig={}", kubeconfig.display()),
            "--manage-all-nodes".to_owned(),
            // Without a lease the node turns NotReady every minute, and its Pods with it.
            "--node-lease-duration-seconds=40".to_owned(),
            format!("--config={}", self.path("kwok.yaml")),
            // Endpoints refuse loopback addresses, so Pods get addresses of a range that is routed nowhere.
            "--cidr=198.18.0.0/15".to_owned(),
            "--node-ip=127.0.0.1".to_owned(),
            format!("--node-port={}", self.ports.kwok),
            format!("--server-address=127.0.0.1:{}", self.ports.kwok),
        ];
        Program::new("kwok", &self.binaries.kwok, args)
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

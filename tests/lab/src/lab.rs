//! A running control plane.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::core::v1::{Namespace, Node, ServiceAccount};
use k8s_openapi::api::rbac::v1::ClusterRoleBinding;
use kube::api::{Api, ObjectMeta, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config, ResourceExt as _};
use serde_json::json;
use tempfile::TempDir;

use crate::binaries::Binaries;
use crate::certs::Authority;
use crate::kubeconfig::Access;
use crate::plane::Plane;
use crate::slot::Slot;
use crate::supervisor::{Folder, Program, State, Supervisor};
use crate::wait::until;

/// The user of a kubeconfig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// In `system:masters`.
    Admin,
    /// Bound to the stock `view` role in every namespace.
    Viewer,
    /// Has no rights until a test grants some.
    Narrow,
}

impl User {
    const ALL: [Self; 3] = [Self::Admin, Self::Viewer, Self::Narrow];

    /// The name that the API server knows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Viewer => "viewer",
            Self::Narrow => "narrow",
        }
    }

    /// The bearer token. Not a secret: the server listens on loopback and lives as long as a test.
    pub const fn token(self) -> &'static str {
        match self {
            Self::Admin => "lab-admin-token",
            Self::Viewer => "lab-viewer-token",
            Self::Narrow => "lab-narrow-token",
        }
    }

    const fn groups(self) -> &'static str {
        match self {
            Self::Admin => "system:masters",
            Self::Viewer => "lab:viewers",
            Self::Narrow => "lab:narrow",
        }
    }
}

/// A control plane on loopback. Clones share it; it is torn down when the last one is dropped.
#[derive(Clone)]
pub struct Lab(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    server: String,
    authority: Authority,
    authority_file: PathBuf,
    audit_log: PathBuf,
    kubectl: PathBuf,
    client: Client,
    // Dropped in this order: the processes and their folder, then the ports they used.
    supervisor: Supervisor,
    _slot: Slot,
}

impl Lab {
    /// Starts etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok with one node.
    pub async fn start() -> Result<Self> {
        let binaries = tokio::task::spawn_blocking(Binaries::find_or_build).await??;
        let slot = Slot::take()?;
        // From here on the supervisor removes the folder: it outlives a killed test, a TempDir does not.
        let folder =
            TempDir::with_prefix("kubectl-op-lab-").context("failed to make the lab's folder")?.keep();
        let supervisor = Supervisor::start(&folder, Folder::Removed)?;
        let plane = Plane::new(&folder, &binaries, &slot);
        let authority = Authority::new("kubectl-op lab")?;
        plane.lay_out(&authority, &tokens())?;
        let (server, authority_file) = (plane.server(), plane.authority_file());
        for user in User::ALL {
            let access = Access {
                server: &server,
                authority: &authority_file,
                user: user.name(),
                token: user.token(),
            };
            access.write(&kubeconfig_of(&folder, user.name()))?;
        }
        let admin = kubeconfig_of(&folder, User::Admin.name());
        supervisor.spawn(plane.etcd())?;
        supervisor.spawn(plane.apiserver())?;
        let client = connect(&admin).await?;
        let started = async {
            ready(&supervisor, &client).await?;
            supervisor.spawn(plane.controller_manager(&admin))?;
            supervisor.spawn(plane.scheduler(&admin))?;
            supervisor.spawn(plane.kwok(&admin))?;
            prepare_cluster(&client).await
        };
        if let Err(error) = started.await {
            let tail = tail_of(&supervisor.log("kube-apiserver"), 30);
            return Err(error
                .context(format!("the lab did not start; the last lines of the API server's log:\n{tail}")));
        }
        let audit_log = plane.audit_log();
        let kubectl = binaries.kubectl;
        let inner = Inner {
            folder,
            server,
            authority,
            authority_file,
            audit_log,
            kubectl,
            client,
            supervisor,
            _slot: slot,
        };
        Ok(Self(Arc::new(inner)))
    }

    /// A client with every right.
    pub fn client(&self) -> Client {
        self.0.client.clone()
    }

    /// `https://127.0.0.1:PORT`.
    pub fn server(&self) -> &str {
        &self.0.server
    }

    /// The authority that signed the API server's certificate.
    pub fn authority(&self) -> &Authority {
        &self.0.authority
    }

    /// The lab's temporary folder; `logs/` is below it.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// A kubectl of the API server's version.
    pub fn kubectl(&self) -> &Path {
        &self.0.kubectl
    }

    /// Every request that the API server answered, one JSON object per line.
    pub fn audit_log(&self) -> &Path {
        &self.0.audit_log
    }

    /// The kubeconfig file of a user.
    pub fn kubeconfig(&self, user: User) -> PathBuf {
        kubeconfig_of(&self.0.folder, user.name())
    }

    /// Writes a kubeconfig with a bearer token: for service accounts, and for other addresses (the proxy).
    pub fn write_kubeconfig(&self, name: &str, server: &str, token: &str) -> Result<PathBuf> {
        let access = Access { server, authority: &self.0.authority_file, user: name, token };
        access.write(&kubeconfig_of(&self.0.folder, name))
    }

    /// Creates a namespace whose name starts with `prefix`, and returns the name.
    pub async fn namespace(&self, prefix: &str) -> Result<String> {
        let metadata = ObjectMeta { generate_name: Some(format!("{prefix}-")), ..ObjectMeta::default() };
        let namespace = Namespace { metadata, ..Namespace::default() };
        let api: Api<Namespace> = Api::all(self.client());
        let made = api.create(&PostParams::default(), &namespace).await;
        Ok(made.with_context(|| format!("failed to create a namespace {prefix}-..."))?.name_any())
    }

    /// Starts a process that ends with the lab; its log is `logs/<name>.log`.
    pub fn spawn(&self, program: Program) -> Result<u32> {
        self.0.supervisor.spawn(program)
    }

    /// Kills a process by the name it was spawned under and waits until it is gone. Not running is fine.
    pub fn stop(&self, name: &str) -> Result<()> {
        self.0.supervisor.stop(name)
    }

    /// The state of the process of that name.
    pub fn state(&self, name: &str) -> Result<State> {
        self.0.supervisor.state(name)
    }

    /// The last lines of a process's log.
    pub fn log_tail(&self, name: &str, lines: usize) -> String {
        tail_of(&self.0.supervisor.log(name), lines)
    }

    /// The process ids of the supervisor and of the control plane's parts.
    pub fn processes(&self) -> Result<Vec<u32>> {
        let mut pids = vec![self.0.supervisor.pid()];
        for name in ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"] {
            match self.state(name)? {
                State::Running(pid) => pids.push(pid),
                other => bail!("{name} does not run: {other:?}"),
            }
        }
        Ok(pids)
    }
}

/// A client from a kubeconfig file, without kube's own retries: a test wants to see the first answer.
pub async fn connect(kubeconfig: &Path) -> Result<Client> {
    let read = Kubeconfig::read_from(kubeconfig)
        .with_context(|| format!("failed to read {}", kubeconfig.display()))?;
    let mut config = Config::from_custom_kubeconfig(read, &KubeConfigOptions::default()).await?;
    config.default_retry = false;
    Client::try_from(config).context("failed to make a client")
}

fn kubeconfig_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.kubeconfig"))
}

/// The API server's token file: token, user, uid, groups.
fn tokens() -> String {
    let line = |user: User| format!("{},{name},{name},{}\n", user.token(), user.groups(), name = user.name());
    User::ALL.into_iter().map(line).collect()
}

async fn ready(supervisor: &Supervisor, client: &Client) -> Result<()> {
    until("the API server to be ready", async || {
        for name in ["etcd", "kube-apiserver"] {
            if let State::Ended(status) = supervisor.state(name)? {
                // A final answer: polling again would not help.
                return Ok(Some(Err(anyhow::anyhow!("{name} ended: {status}"))));
            }
        }
        let request = http::Request::get("/readyz").body(Vec::new())?;
        Ok(client.request_text(request).await.ok().map(|_| Ok(())))
    })
    .await?
}

/// Creates one node and the viewer's binding, and waits until the controllers run.
async fn prepare_cluster(client: &Client) -> Result<()> {
    let node: Node = serde_json::from_value(json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {"name": "node-1", "labels": {"kubernetes.io/hostname": "node-1", "kubernetes.io/os": "linux"}},
        "status": {
            "allocatable": {"cpu": "64", "memory": "256Gi", "pods": "10000"},
            "capacity": {"cpu": "64", "memory": "256Gi", "pods": "10000"},
        },
    }))?;
    let nodes: Api<Node> = Api::all(client.clone());
    nodes.create(&PostParams::default(), &node).await.context("failed to create the node")?;
    let binding: ClusterRoleBinding = serde_json::from_value(json!({
        "metadata": {"name": "lab-viewer"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": User::Viewer.name()}],
    }))?;
    let bindings: Api<ClusterRoleBinding> = Api::all(client.clone());
    bindings.create(&PostParams::default(), &binding).await.context("failed to bind the viewer")?;
    until("the node to be ready", async || {
        let node = nodes.get("node-1").await?;
        let conditions = node.status.and_then(|status| status.conditions).unwrap_or_default();
        Ok(conditions.iter().any(|c| c.type_ == "Ready" && c.status == "True").then_some(()))
    })
    .await?;
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), "default");
    until("the controllers to run", async || Ok(accounts.get_opt("default").await?.map(drop))).await?;
    // A controller fills the stock role, and the authorizer learns of it and of the binding later.
    let review: SubjectAccessReview = serde_json::from_value(json!({"spec": {
        "user": User::Viewer.name(),
        "resourceAttributes": {"verb": "list", "group": "apps", "resource": "deployments", "namespace": "default"},
    }}))?;
    let reviews: Api<SubjectAccessReview> = Api::all(client.clone());
    until("the viewer to have its rights", async || {
        let status = reviews.create(&PostParams::default(), &review).await?.status;
        Ok(status.filter(|status| status.allowed).map(drop))
    })
    .await
}

fn tail_of(path: &Path, lines: usize) -> String {
    match std::fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            let all: Vec<&str> = text.lines().collect();
            all[all.len().saturating_sub(lines)..].join("\n")
        }
        Err(error) => format!("{}: {error}", path.display()),
    }
}

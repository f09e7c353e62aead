//! What a test can do to an operator.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use kube::api::{DynamicObject, PostParams};
use serde_json::{Value, json};

use super::external_system::{Cleanup, ExternalSystem};
use super::process::SUBCOMMAND;
use super::world::InClusterInstall;
use super::{World, deployment, install, writes};
use crate::lab::{Lab, User};
use crate::pods::PodState;
use crate::supervisor::{Program, State};
use crate::wait::until;

/// A day: longer than any lab lives.
const TOKEN_SECONDS: i64 = 24 * 60 * 60;

/// A handle on one world's operator; there is one operator per world and lab, however many handles.
#[derive(Clone)]
pub struct Operator {
    lab: Lab,
    world: World,
}

impl Operator {
    pub fn new(lab: &Lab, world: World) -> Self {
        Self { lab: lab.clone(), world }
    }

    /// Which one it is.
    pub const fn world(&self) -> World {
        self.world
    }

    /// Puts everything into the cluster that the operator needs, and waits until its kind is really served. What
    /// is installed stays as it is. The process does not run yet.
    pub async fn install(&self) -> Result<()> {
        install::install(&self.lab, self.world).await.with_context(|| self.failed("install"))
    }

    /// Lets the operator run: its Pod is healthy, its process leads and (Memcached) its webhook answers. Also after
    /// [`Self::pause`] and [`Self::crash`].
    pub async fn start(&self) -> Result<()> {
        let started = match self.world.names().in_cluster {
            Some(in_cluster) => self.start_in_cluster(&in_cluster).await,
            None => self.start_on_laptop(),
        };
        started.with_context(|| self.failed("start"))
    }

    /// What an admin does: scales the Deployment to 0. The Lease stays with its last holder.
    pub async fn pause(&self) -> Result<()> {
        self.lab.stop(&self.process())?;
        let Some(in_cluster) = self.world.names().in_cluster else { return Ok(()) };
        let client = self.lab.client();
        let paused = async {
            deployment::scale(&client, &in_cluster, 0).await?;
            deployment::gone(&client, &in_cluster).await
        };
        paused.await.with_context(|| self.failed("pause"))
    }

    /// Its Pods crash-loop from now on.
    pub async fn crash(&self) -> Result<()> {
        self.lab.stop(&self.process())?;
        let Some(in_cluster) = self.world.names().in_cluster else { return Ok(()) };
        let crashed = deployment::put(&self.lab.client(), &in_cluster, PodState::CrashLoopBackOff).await;
        crashed.with_context(|| self.failed("crash"))
    }

    /// Removes workload, RBAC and webhook (OLM: CSV and Subscription too). The CRD, the custom resources, the
    /// operator's namespace and its last Lease stay.
    pub async fn uninstall(&self) -> Result<()> {
        self.lab.stop(&self.process())?;
        let removed = async {
            install::uninstall(&self.lab, self.world).await?;
            match self.world.names().in_cluster {
                Some(in_cluster) => deployment::gone(&self.lab.client(), &in_cluster).await,
                None => Ok(()),
            }
        };
        removed.await.with_context(|| self.failed("uninstall"))
    }

    /// Installs the next release over this one and starts it. The old `ReplicaSet` is kept; OLM gets a CSV that
    /// replaces the former.
    pub async fn upgrade(&self) -> Result<()> {
        install::upgrade(&self.lab, self.world).await.with_context(|| self.failed("upgrade"))?;
        self.lab.stop(&self.process())?;
        self.start().await
    }

    /// Whether the external system lets the operator clean up, from now on.
    #[expect(clippy::unused_async, reason = "everything a test does to an operator is awaited")]
    pub async fn fail_cleanup(&self, cleanup: Cleanup) -> Result<()> {
        ExternalSystem::new(self.lab.folder(), self.world).set(cleanup)
    }

    /// The custom resources of a namespace.
    pub fn objects(&self, namespace: &str) -> Api<DynamicObject> {
        Api::namespaced_with(self.lab.client(), namespace, &self.world.resource())
    }

    /// Creates a custom resource with an ordinary spec.
    pub async fn sample(&self, namespace: &str, name: &str) -> Result<DynamicObject> {
        self.create(namespace, name, sample_spec(self.world)).await
    }

    /// Creates a custom resource as `kubectl create` would.
    pub async fn create(&self, namespace: &str, name: &str, spec: Value) -> Result<DynamicObject> {
        let object = DynamicObject::new(name, &self.world.resource()).data(json!({ "spec": spec }));
        let made = self.objects(namespace).create(&writes::by("kubectl-create"), &object).await;
        made.with_context(|| format!("failed to create {} {namespace}/{name}", self.world.names().kind))
    }

    /// The VMs of the external system, by their ids: of every `VmGroup` in the lab.
    pub fn vms(&self) -> Result<Vec<String>> {
        super::vms::Machines::new(ExternalSystem::new(self.lab.folder(), self.world).vms()).ids()
    }

    async fn start_in_cluster(&self, in_cluster: &InClusterInstall) -> Result<()> {
        let client = self.lab.client();
        deployment::scale(&client, in_cluster, 1).await?;
        deployment::put(&client, in_cluster, PodState::Ready).await?;
        let pod = deployment::settled(&client, in_cluster).await?;
        let holder = self.holder(in_cluster).await?;
        let leads = holder.as_deref().is_some_and(|holder| holder.starts_with(&format!("{pod}_")));
        if leads && self.runs()? {
            return Ok(());
        }
        self.lab.stop(&self.process())?;
        let listen = match self.world {
            World::Memcached => Some(install::certify(&self.lab, self.world, in_cluster).await?),
            _ => None,
        };
        self.spawn(self.log_in(in_cluster).await?, Some(&pod), holder, listen)?;
        self.wait_for_lead(in_cluster, &pod).await?;
        if listen.is_some() {
            self.wait_for_webhook().await?;
        }
        Ok(())
    }

    fn start_on_laptop(&self) -> Result<()> {
        if self.runs()? {
            return Ok(());
        }
        self.spawn(self.lab.kubeconfig(User::Admin), None, None, None)
    }

    fn spawn(
        &self,
        kubeconfig: PathBuf,
        pod: Option<&str>,
        former: Option<String>,
        listen: Option<SocketAddr>,
    ) -> Result<()> {
        let path = |path: PathBuf| path.into_os_string().into_string().ok().context("a path is not UTF-8");
        let mut args = vec![SUBCOMMAND.to_owned(), self.world.to_string()];
        let mut flag = |name: &str, value: String| args.push(format!("--{name}={value}"));
        flag("folder", path(self.lab.folder().to_owned())?);
        flag("kubeconfig", path(kubeconfig)?);
        if let Some(pod) = pod {
            flag("pod", pod.to_owned());
        }
        // The holder of the Lease is dead: this handle stopped it, or it never ran here.
        if let Some(former) = former {
            flag("former", former);
        }
        if let Some(listen) = listen {
            flag("listen", listen.to_string());
        }
        let exe = std::env::current_exe().context("failed to find this binary")?;
        self.lab.spawn(Program::new(&self.process(), &exe, args))?;
        Ok(())
    }

    /// Gets a token for the operator's service account, so that its rights are the ones it was given.
    async fn log_in(&self, in_cluster: &InClusterInstall) -> Result<PathBuf> {
        let api: Api<ServiceAccount> = Api::namespaced(self.lab.client(), in_cluster.namespace);
        let spec =
            TokenRequestSpec { expiration_seconds: Some(TOKEN_SECONDS), ..TokenRequestSpec::default() };
        let request = TokenRequest { spec, ..TokenRequest::default() };
        let answer = api.create_token_request(in_cluster.workload, &PostParams::default(), &request).await;
        let status = answer.context("failed to get a token for the operator")?.status;
        let token = status.context("the operator got no token")?.token;
        self.lab.write_kubeconfig(&self.process(), self.lab.server(), &token)
    }

    async fn wait_for_lead(&self, in_cluster: &InClusterInstall, pod: &str) -> Result<()> {
        until(&format!("{pod} to lead"), async || {
            if !self.runs()? {
                // A final answer: polling again would not help.
                let words = self.lab.log_tail(&self.process(), 20);
                return Ok(Some(Err(anyhow::anyhow!(
                    "the process ended; the last lines of its log:\n{words}"
                ))));
            }
            let holder = self.holder(in_cluster).await?.unwrap_or_default();
            Ok(holder.starts_with(&format!("{pod}_")).then_some(Ok(())))
        })
        .await?
    }

    /// Waits until the API server knows the webhook and the webhook says both yes and no.
    async fn wait_for_webhook(&self) -> Result<()> {
        let api = self.objects("default");
        let trial = PostParams { dry_run: true, ..PostParams::default() };
        let probe =
            |spec: Value| DynamicObject::new("probe", &self.world.resource()).data(json!({ "spec": spec }));
        let (good, bad) = (probe(sample_spec(self.world)), probe(json!({ "size": 0 })));
        until("the webhook to answer", async || {
            match api.create(&trial, &bad).await {
                Err(kube::Error::Api(status)) if status.message.contains("must be greater than 0") => {}
                Err(error) => bail!(error),
                Ok(_) => return Ok(None),
            }
            api.create(&trial, &good).await?;
            Ok(Some(()))
        })
        .await
    }

    async fn holder(&self, in_cluster: &InClusterInstall) -> Result<Option<String>> {
        let api: Api<Lease> = Api::namespaced(self.lab.client(), in_cluster.namespace);
        let lease = api.get_opt(in_cluster.lease).await.context("failed to read the operator's Lease")?;
        Ok(lease.and_then(|lease| lease.spec?.holder_identity))
    }

    fn runs(&self) -> Result<bool> {
        Ok(matches!(self.lab.state(&self.process())?, State::Running(_)))
    }

    /// What its process is called; its log is `logs/<this>.log`.
    pub fn process(&self) -> String {
        format!("operator-{}", self.world)
    }

    fn failed(&self, verb: &str) -> String {
        format!("failed to {verb} the {} operator", self.world)
    }
}

/// A spec that an ordinary user would write.
fn sample_spec(world: World) -> Value {
    match world {
        World::VoteConfig => json!({ "options": [
            { "id": "a", "label": "Cats", "color": "#1aaaf8" },
            { "id": "b", "label": "Dogs", "color": "#00cbca" },
        ] }),
        World::Memcached => json!({ "size": 3, "version": "1.6.39" }),
        World::VmGroup => json!({ "cpu": 2, "memory": 4, "template": "ubuntu-24.04", "replicas": 2 }),
        World::Website => json!({ "replicas": 2, "html": "<h1>Hello</h1>\n" }),
        World::HelloWorld => json!({ "name": "Ada" }),
    }
}

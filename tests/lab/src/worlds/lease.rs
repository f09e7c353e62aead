//! Leader election by a Lease, with controller-runtime's habits: 15 seconds long, renewed every two, never given
//! back. What a dead operator leaves behind is a Lease whose renewal stopped.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use kube::api::ObjectMeta;
use kube::{Api, Client};

use super::events::{EventApi, EventLevel, Recorder};
use super::process::log;
use super::world::InClusterInstall;
use super::{clock, writes};

const LENGTH: i32 = 15;
const RENEWAL: Duration = Duration::from_secs(2);

/// A candidate for leadership.
pub(super) struct Candidate {
    client: Client,
    in_cluster: InClusterInstall,
    identity: String,
    /// A holder that is known to be dead: its Lease need not run out first.
    former: Option<String>,
}

impl Candidate {
    pub(super) fn new(
        client: Client,
        in_cluster: InClusterInstall,
        pod: &str,
        former: Option<String>,
    ) -> Self {
        Self { client, in_cluster, identity: format!("{pod}_{}", uuid()), former }
    }

    /// Returns once this process is the leader.
    pub(super) async fn lead(&self) -> Result<()> {
        let api = self.api();
        log(&format!(
            "attempting to acquire leader lease {}/{}",
            self.in_cluster.namespace, self.in_cluster.lease
        ));
        loop {
            // Whatever went wrong, a rival or the network, the next try may do better.
            match self.acquire(&api).await {
                Ok(Some(lease)) => {
                    log(&format!("became leader as {}", self.identity));
                    let events = Recorder::new(self.client.clone(), self.identity.clone(), EventApi::Classic);
                    let message = format!("{} became leader", self.identity);
                    events.post(&lease, EventLevel::Normal, "LeaderElection", message).await;
                    return Ok(());
                }
                Ok(None) => {}
                Err(error) => log(&format!("{error:#}")),
            }
            tokio::time::sleep(RENEWAL / 4).await;
        }
    }

    /// Keeps the lead; returns only when it is lost.
    pub(super) async fn keep(&self) -> Result<()> {
        let api = self.api();
        loop {
            tokio::time::sleep(RENEWAL).await;
            match self.renew(&api).await {
                Ok(()) => {}
                Err(Lost::Rival(holder)) => bail!("leader election lost to {holder:?}"),
                // A real operator exits when its Lease expires, and the kubelet restarts it. Nothing would restart it
                // here, and on a busy machine the API server may not answer for that long.
                Err(Lost::NotYet(error)) => log(&format!("failed to renew the lease: {error}")),
            }
        }
    }

    async fn acquire(&self, api: &Api<Lease>) -> Result<Option<Lease>> {
        let now = MicroTime(clock::now());
        let found = api.get_opt(self.in_cluster.lease).await.context("failed to read the lease")?;
        let Some(mut lease) = found else {
            let spec = LeaseSpec { lease_transitions: Some(0), ..self.spec(&now) };
            return writes::create(api, &self.lease(spec)).await.map(Some);
        };
        let held = lease.spec.clone().unwrap_or_default();
        if !takeable(&held, self.former.as_deref(), now.0) {
            return Ok(None);
        }
        let transitions = held.lease_transitions.unwrap_or_default() + 1;
        lease.spec = Some(LeaseSpec { lease_transitions: Some(transitions), ..self.spec(&now) });
        writes::replace(api, &lease).await.map(Some)
    }

    async fn renew(&self, api: &Api<Lease>) -> Result<(), Lost> {
        let mut lease = match api.get_opt(self.in_cluster.lease).await {
            Ok(Some(lease)) => lease,
            Ok(None) => self.lease(self.spec(&MicroTime(clock::now()))),
            Err(error) => return Err(Lost::NotYet(error)),
        };
        let spec = lease.spec.get_or_insert_default();
        if spec.holder_identity.as_ref() != Some(&self.identity) {
            return Err(Lost::Rival(spec.holder_identity.clone().unwrap_or_default()));
        }
        spec.renew_time = Some(MicroTime(clock::now()));
        let params = writes::by(writes::MANAGER);
        let written = match lease.metadata.resource_version {
            Some(_) => api.replace(self.in_cluster.lease, &params, &lease).await,
            // Somebody deleted it.
            None => api.create(&params, &lease).await,
        };
        written.map(drop).map_err(Lost::NotYet)
    }

    fn api(&self) -> Api<Lease> {
        Api::namespaced(self.client.clone(), self.in_cluster.namespace)
    }

    fn lease(&self, spec: LeaseSpec) -> Lease {
        let metadata = ObjectMeta {
            name: Some(self.in_cluster.lease.to_owned()),
            namespace: Some(self.in_cluster.namespace.to_owned()),
            ..ObjectMeta::default()
        };
        Lease { metadata, spec: Some(spec) }
    }

    fn spec(&self, now: &MicroTime) -> LeaseSpec {
        LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: Some(LENGTH),
            acquire_time: Some(now.clone()),
            renew_time: Some(now.clone()),
            ..LeaseSpec::default()
        }
    }
}

/// Why a renewal failed.
enum Lost {
    Rival(String),
    NotYet(kube::Error),
}

/// Whether a Lease may be taken from its holder.
fn takeable(held: &LeaseSpec, former: Option<&str>, now: Timestamp) -> bool {
    let holder = held.holder_identity.as_deref().unwrap_or_default();
    if holder.is_empty() || former == Some(holder) {
        return true;
    }
    let length = SignedDuration::from_secs(i64::from(held.lease_duration_seconds.unwrap_or(LENGTH)));
    held.renew_time.as_ref().is_none_or(|renewed| now.duration_since(renewed.0) > length)
}

/// A random id of version 4. The standard library's hasher is seeded at random, which is enough for a name.
fn uuid() -> String {
    let random = || RandomState::new().hash_one(());
    let (high, low) = (random(), random());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0xfff,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::coordination::v1::LeaseSpec;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;

    use super::{takeable, uuid};

    #[test]
    fn a_lease_is_taken_when_it_ran_out_or_its_holder_is_dead() {
        let held = LeaseSpec {
            holder_identity: Some("a".to_owned()),
            lease_duration_seconds: Some(15),
            renew_time: Some(MicroTime("2026-01-01T00:00:00Z".parse().unwrap())),
            ..LeaseSpec::default()
        };
        let soon = "2026-01-01T00:00:10Z".parse().unwrap();
        let late = "2026-01-01T00:00:16Z".parse().unwrap();
        assert!(!takeable(&held, None, soon));
        assert!(!takeable(&held, Some("b"), soon));
        assert!(takeable(&held, Some("a"), soon));
        assert!(takeable(&held, None, late));
        assert!(takeable(&LeaseSpec::default(), None, soon));
    }

    #[test]
    fn ids_look_like_ids_and_differ() {
        let (one, two) = (uuid(), uuid());
        assert_eq!(one.len(), 36);
        assert_ne!(one, two);
    }
}

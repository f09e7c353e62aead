//! A server on a Service's own address.
//!
//! The lab's cluster addresses are loopback addresses, so that a server that listens on a Service's own address and
//! port is what the API server reaches under the Service's name.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Collected};
use hyper::body::Incoming;
use hyper::service::service_fn;
use k8s_openapi::api::core::v1::Service;
use kube::api::{Api, DeleteParams, PostParams};
use serde_json::json;
use tokio::sync::{Mutex, watch};

use super::answer;
use super::body::{self, Payload};
use super::mood::{Mood, Role};
use super::noise;
use super::tls::{self, Server};
use crate::certs::Identity;
use crate::lab::Lab;

/// The port of every staged Service; above 1023, because the lab does without root.
pub(super) const PORT: u16 = 9443;

/// A Service and the server behind it.
pub(super) struct Stage {
    service: String,
    services: Api<Service>,
    address: SocketAddr,
    identity: Identity,
    role: Arc<dyn Role>,
    mood: watch::Sender<Mood>,
    server: Mutex<Option<Server>>,
}

impl Stage {
    /// Creates the Service and listens on its address; the server starts alive.
    pub(super) async fn open(lab: &Lab, namespace: &str, service: &str, role: Arc<dyn Role>) -> Result<Self> {
        let services: Api<Service> = Api::namespaced(lab.client(), namespace);
        let wanted: Service = serde_json::from_value(json!({
            "metadata": { "name": service },
            "spec": { "ports": [{ "name": "https", "port": PORT, "targetPort": PORT }] },
        }))?;
        let made = services.create(&PostParams::default(), &wanted).await;
        let made = made.with_context(|| format!("failed to create the Service {namespace}/{service}"))?;
        let ip = made.spec.and_then(|spec| spec.cluster_ip).context("the Service got no ClusterIP")?;
        let ip = ip.parse().with_context(|| format!("{ip} is not an address"))?;
        let identity = lab.authority().issue(&[&format!("{service}.{namespace}.svc")], &[ip])?;
        let stage = Self {
            service: service.into(),
            services,
            address: SocketAddr::new(ip, PORT),
            identity,
            role,
            mood: watch::Sender::new(Mood::Dead),
            server: Mutex::default(),
        };
        stage.set_mood(Mood::Alive).await?;
        Ok(stage)
    }

    /// Changes the mood; when this returns, the new one holds.
    pub(super) async fn set_mood(&self, mood: Mood) -> Result<()> {
        let mut server = self.server.lock().await;
        self.mood.send_replace(mood);
        if mood == Mood::Dead {
            if let Some(server) = server.take() {
                server.stop().await;
            }
        } else if server.is_none() {
            *server = Some(self.listen().await?);
        }
        Ok(())
    }

    /// The mood that holds now.
    pub(super) fn mood(&self) -> Mood {
        *self.mood.borrow()
    }

    /// Closes the port and deletes the Service.
    pub(super) async fn close(&self) -> Result<()> {
        self.set_mood(Mood::Dead).await?;
        let gone = self.services.delete(&self.service, &DeleteParams::default()).await;
        gone.map(drop).with_context(|| format!("failed to delete the Service {}", self.service))
    }

    /// The Services of the namespace, for those who must touch theirs.
    pub(super) fn services(&self) -> &Api<Service> {
        &self.services
    }

    async fn listen(&self) -> Result<Server> {
        let (role, mood) = (self.role.clone(), self.mood.subscribe());
        let service = service_fn(move |request| {
            let (role, mood) = (role.clone(), mood.clone());
            async move { Ok::<_, Infallible>(respond(&*role, mood, request).await) }
        });
        tls::serve(self.address, &self.identity, service).await
    }
}

async fn respond(
    role: &dyn Role,
    mut mood: watch::Receiver<Mood>,
    request: Request<Incoming>,
) -> Response<Payload> {
    let (parts, body) = request.into_parts();
    // The caller left in the middle of its question: the answer does not matter.
    let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    let awake = mood.wait_for(|mood| !matches!(mood, Mood::Hangs | Mood::Dead)).await.map(|mood| *mood);
    let answer = match awake {
        Ok(Mood::Alive) => role.work(&parts, &body),
        Ok(Mood::Refuses) => role.refuse(&parts, &body),
        Ok(Mood::Lies | Mood::Hangs | Mood::Dead) => {
            answer::answer(200, "application/json", noise::bytes(256))
        }
        // The stage is gone, and this connection with it in a moment.
        Err(_) => std::future::pending().await,
    };
    answer.map(body::full)
}

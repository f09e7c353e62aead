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

use super::body::{self, Payload};
use super::error_response;
use super::garbage_bytes;
use super::server_behavior::{RequestHandler, ServerBehavior};
use super::tls::{self, Server};
use crate::certs::Identity;
use crate::lab::Lab;

/// The port of every such Service; above 1023, because the lab runs without root.
pub(super) const PORT: u16 = 9443;

/// A Service and the server behind it.
pub(super) struct ServiceBackend {
    service: String,
    services: Api<Service>,
    address: SocketAddr,
    identity: Identity,
    handler: Arc<dyn RequestHandler>,
    behavior: watch::Sender<ServerBehavior>,
    server: Mutex<Option<Server>>,
}

impl ServiceBackend {
    /// Creates the Service and listens on its address; the server works at first.
    pub(super) async fn open(
        lab: &Lab,
        namespace: &str,
        service: &str,
        handler: Arc<dyn RequestHandler>,
    ) -> Result<Self> {
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
        let backend = Self {
            service: service.into(),
            services,
            address: SocketAddr::new(ip, PORT),
            identity,
            handler,
            behavior: watch::Sender::new(ServerBehavior::ConnectionRefused),
            server: Mutex::default(),
        };
        backend.set_behavior(ServerBehavior::Works).await?;
        Ok(backend)
    }

    /// Changes the behavior; when this returns, the new one applies.
    pub(super) async fn set_behavior(&self, behavior: ServerBehavior) -> Result<()> {
        let mut server = self.server.lock().await;
        self.behavior.send_replace(behavior);
        if behavior == ServerBehavior::ConnectionRefused {
            if let Some(server) = server.take() {
                server.stop().await;
            }
        } else if server.is_none() {
            *server = Some(self.listen().await?);
        }
        Ok(())
    }

    /// The current behavior.
    pub(super) fn behavior(&self) -> ServerBehavior {
        *self.behavior.borrow()
    }

    /// Closes the port and deletes the Service.
    pub(super) async fn close(&self) -> Result<()> {
        self.set_behavior(ServerBehavior::ConnectionRefused).await?;
        let gone = self.services.delete(&self.service, &DeleteParams::default()).await;
        gone.map(drop).with_context(|| format!("failed to delete the Service {}", self.service))
    }

    /// The Services of the namespace, for those who must touch theirs.
    pub(super) fn services(&self) -> &Api<Service> {
        &self.services
    }

    async fn listen(&self) -> Result<Server> {
        let (handler, behavior) = (self.handler.clone(), self.behavior.subscribe());
        let service = service_fn(move |request| {
            let (handler, behavior) = (handler.clone(), behavior.clone());
            async move { Ok::<_, Infallible>(respond(&*handler, behavior, request).await) }
        });
        tls::serve(self.address, &self.identity, service).await
    }
}

async fn respond(
    handler: &dyn RequestHandler,
    mut behavior: watch::Receiver<ServerBehavior>,
    request: Request<Incoming>,
) -> Response<Payload> {
    let (parts, body) = request.into_parts();
    // The caller closed the connection during its request: the response does not matter.
    let body = body.collect().await.map(Collected::to_bytes).unwrap_or_default();
    let current = behavior
        .wait_for(|behavior| {
            !matches!(behavior, ServerBehavior::NeverResponds | ServerBehavior::ConnectionRefused)
        })
        .await
        .map(|behavior| *behavior);
    let answer = match current {
        Ok(ServerBehavior::Works) => handler.handle(&parts, &body),
        Ok(ServerBehavior::Rejects) => handler.reject(&parts, &body),
        Ok(
            ServerBehavior::ReturnsGarbage
            | ServerBehavior::NeverResponds
            | ServerBehavior::ConnectionRefused,
        ) => error_response::response(200, "application/json", garbage_bytes::bytes(256)),
        // The backend was dropped, and this connection will be closed with it.
        Err(_) => std::future::pending().await,
    };
    answer.map(body::full)
}

//! A proxy between a client and the real API server that breaks what a test tells it to break.
//!
//! Everything is passed on as it comes, watches included; only upgrades (exec, port-forward) are not.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use http::request::Parts;
use http::{Request, Response, header};
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;

use super::body::{self, AfterCut, CutAt, Payload};
use super::error_response;
use super::fault::{Change, Fault};
use super::matching::Match;
use super::record::{Record, Recorder};
use super::rules::{AppliedFaults, AppliesTo, Rules};
use super::target::Target;
use super::tls::{self, Server};
use super::upstream::{Encoding, Upstream};
use super::wire::{self, Connection, Traffic};
use crate::certs::Identity;
use crate::lab::{Lab, User};

/// A running proxy; dropping it ends all its connections.
pub struct Proxy {
    lab: Option<Lab>,
    server: Server,
    inside: Arc<Inside>,
}

struct Inside {
    upstream: Upstream,
    rules: Rules,
    recorder: Recorder,
}

impl Proxy {
    /// Starts a proxy before a lab's API server.
    pub async fn start(lab: &Lab) -> Result<Self> {
        let identity = lab.authority().issue(&["localhost"], &[Ipv4Addr::LOCALHOST.into()])?;
        let mut proxy = Self::before(lab.server(), lab.authority().certificate(), &identity).await?;
        proxy.lab = Some(lab.clone());
        Ok(proxy)
    }

    /// Starts a proxy before any HTTPS server on loopback; the authority is PEM.
    pub async fn before(server: &str, certificate_authority: &str, identity: &Identity) -> Result<Self> {
        let inside = Arc::new(Inside {
            upstream: Upstream::new(server, certificate_authority)?,
            rules: Rules::default(),
            recorder: Recorder::default(),
        });
        let shared = inside.clone();
        let service = service_fn(move |request| {
            let inside = shared.clone();
            async move { Ok::<_, Infallible>(inside.handle(request).await) }
        });
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let server = tls::serve(address, identity, service).await.context("failed to start the proxy")?;
        Ok(Self { lab: None, server, inside })
    }

    /// `https://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("https://{}", self.server.address())
    }

    /// A kubeconfig of a lab's user that leads through the proxy.
    pub fn kubeconfig(&self, user: User) -> Result<PathBuf> {
        let lab = self.lab.as_ref().context("this proxy was not started before a lab")?;
        let name = format!("proxy-{}-{user:?}", self.server.address().port()).to_lowercase();
        lab.write_kubeconfig(&name, &self.url(), user.token())
    }

    /// From now on, every matching request meets the fault. Rules are asked in the order they were made.
    pub fn on(&self, matching: Match, fault: impl Into<Fault>) {
        self.inside.rules.add(matching, fault.into(), AppliesTo::Always);
    }

    /// The nth matching request from now on meets the fault; the first is number 1.
    pub fn on_nth(&self, nth: u64, matching: Match, fault: impl Into<Fault>) {
        self.inside.rules.add(matching, fault.into(), AppliesTo::Nth(nth));
    }

    /// The first so many matching requests from now on meet the fault.
    pub fn on_first(&self, times: u64, matching: Match, fault: impl Into<Fault>) {
        self.inside.rules.add(matching, fault.into(), AppliesTo::First(times));
    }

    /// Removes all faults; requests that hang keep hanging.
    pub fn clear(&self) {
        self.inside.rules.clear();
    }

    /// Adds latency: two round trips for a connection, one for the first byte of every response. Zero removes it.
    pub fn set_round_trip(&self, time: Duration) {
        self.server.stats().set_round_trip(time);
    }

    /// The requests so far, in the order they came.
    pub fn requests(&self) -> Vec<Record> {
        self.inside.recorder.all()
    }

    /// How many connections clients have opened.
    pub fn connections(&self) -> u64 {
        self.server.stats().connections()
    }

    /// How many bytes went between the clients and the proxy, TLS included.
    pub fn bytes(&self) -> Traffic {
        self.server.stats().traffic()
    }

    /// Forgets requests, connections and bytes; the faults stay.
    pub fn reset_records(&self) {
        self.inside.recorder.forget();
        self.server.stats().forget();
    }
}

impl Inside {
    async fn handle(&self, request: Request<Incoming>) -> Response<Payload> {
        let connection = request.extensions().get::<Connection>().cloned().unwrap_or_default();
        let (parts, body) = request.into_parts();
        let entry = self.recorder.begin(&parts);
        let applied = self.rules.applied_to(&parts);
        wire::pause(applied.delay).await;
        let response = self.carry_out(applied, parts, body, &connection).await.unwrap_or_else(|error| {
            let text = format!("the proxy got no answer from the API server: {error:#}");
            error_response::text(502, &text).map(body::full)
        });
        entry.answered(response.status());
        response.map(|body| body::counted(body, entry))
    }

    async fn carry_out(
        &self,
        applied: AppliedFaults,
        parts: Parts,
        body: Incoming,
        connection: &Connection,
    ) -> Result<Response<Payload>> {
        let discovery = applied.discovery;
        let target = Target::of(&parts);
        let fault = match applied.fault {
            Some(Fault::Error(error_response)) => {
                return Ok(error_response.response(&target).map(body::full));
            }
            Some(Fault::Response(answer)) => return Ok(answer.map(body::full)),
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::Reset) => {
                connection.reset();
                std::future::pending().await
            }
            other => other,
        };
        let encoding = if let Some(Fault::Change(_)) = fault { Encoding::Plain } else { Encoding::AsAsked };
        let real = self.upstream.ask(parts, body, encoding, discovery).await?;
        match fault {
            Some(Fault::Cut) => break_off(real, &target, AfterCut::Error).await,
            Some(Fault::Stall) => break_off(real, &target, AfterCut::Silence).await,
            Some(Fault::Change(change)) => alter(real, &change).await,
            _ => Ok(real),
        }
    }
}

/// Leaves about the first half of an answer's body; of a watch, which has no half, its first bytes.
async fn break_off(
    real: Response<Payload>,
    target: &Target,
    after_cut: AfterCut,
) -> Result<Response<Payload>> {
    let (parts, body) = real.into_parts();
    let (body, cut_at) = if target.verb == "watch" {
        (body, CutAt::FirstFrame)
    } else if let Some(length) = body.size_hint().exact() {
        (body, CutAt::After(length / 2))
    } else {
        // Long lists come without a length.
        let whole = body::collect(body).await?;
        let half = whole.len() as u64 / 2;
        (body::full(whole), CutAt::After(half))
    };
    Ok(Response::from_parts(parts, body::broken(body, cut_at, after_cut)))
}

async fn alter(real: Response<Payload>, change: &Change) -> Result<Response<Payload>> {
    let (mut parts, body) = real.into_parts();
    let whole = body::collect(body).await?;
    // The length is counted anew from what the change leaves.
    parts.headers.remove(header::CONTENT_LENGTH);
    Ok(change.apply(Response::from_parts(parts, whole)).map(body::full))
}

#[cfg(test)]
mod tests;

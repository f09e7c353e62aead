//! An aggregated API that the API server really calls, and that can fail in any way.
//!
//! Like many small extension servers it answers in plain JSON, whatever `Accept` says, and can only be read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use http::request::Parts;
use http::{Request, header};
use hyper::body::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use super::error_response::{self, BufferedResponse, ErrorResponse};
use super::server_behavior::{RequestHandler, ServerBehavior};
use super::service_backend::{PORT, ServiceBackend};
use super::target::Target;
use crate::lab::Lab;
use crate::wait::until_within;

const SERVICE: &str = "extension";
const VERSION: &str = "v1";
const KIND: &str = "Parcel";
const PLURAL: &str = "parcels";
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// The aggregator looks by itself every 30 s (availability) and every minute (discovery).
const LIMIT: Duration = Duration::from_secs(240);

/// How often the aggregator is nudged to look sooner.
const NUDGE: Duration = Duration::from_secs(2);

/// What the condition `Available` of an `APIService` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Available {
    True,
    False,
}

/// What aggregated discovery says about a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscoveryFreshness {
    Current,
    Stale,
}

/// The kind `Parcel` of an aggregated group.
pub struct Extension {
    lab: Lab,
    backend: ServiceBackend,
    parcels: Arc<ParcelApi>,
    namespace: String,
    nudges: AtomicU64,
}

impl Extension {
    /// Registers the group's `v1` and waits until the aggregator has judged it; the Service lives in `namespace`.
    pub async fn start(lab: &Lab, namespace: &str, group: &str, behavior: ServerBehavior) -> Result<Self> {
        let objects = ["first", "second"].map(|name| parcel(group, namespace, name)).into();
        let state = ParcelApiState { objects, error_response: ErrorResponse::Forbidden };
        let parcels = Arc::new(ParcelApi { group: group.into(), state: Mutex::new(state) });
        let backend = ServiceBackend::open(lab, namespace, SERVICE, parcels.clone()).await?;
        let extension = Self {
            lab: lab.clone(),
            backend,
            parcels,
            namespace: namespace.into(),
            nudges: AtomicU64::new(0),
        };
        extension.backend.set_behavior(behavior).await?;
        extension.register().await.with_context(|| format!("failed to register {}", extension.name()))?;
        let (available, freshness) = expected(behavior);
        extension.wait_available(available).await?;
        extension.wait_freshness(freshness).await?;
        Ok(extension)
    }

    /// Changes how the server answers from now on. The aggregator notices later: see the waits.
    pub async fn set_behavior(&self, behavior: ServerBehavior) -> Result<()> {
        self.backend.set_behavior(behavior).await?;
        self.nudge().await
    }

    /// The name of the `APIService`.
    pub fn name(&self) -> String {
        format!("{VERSION}.{}", self.parcels.group)
    }

    /// What the server has from now on; whole objects, in any namespace.
    pub fn set_objects(&self, objects: Vec<Value>) {
        self.parcels.state().objects = objects;
    }

    /// The response to lists and reads while the behavior is [`ServerBehavior::Rejects`]; 403 unless set otherwise.
    pub fn set_error_response(&self, error_response: ErrorResponse) {
        self.parcels.state().error_response = error_response;
    }

    /// Waits until the `APIService` has this condition.
    pub async fn wait_available(&self, wanted: Available) -> Result<()> {
        let (api, name) = (self.registrations(), self.name());
        let what = format!("the condition Available of {name} to be {wanted:?}");
        let mut nudged = Instant::now();
        until_within(LIMIT, &what, async || {
            self.nudge_after(&mut nudged).await?;
            let conditions = api.get(&name).await?.status.and_then(|status| status.conditions);
            let available = conditions.unwrap_or_default().into_iter().find(|c| c.type_ == "Available");
            Ok(available.filter(|condition| condition.status == format!("{wanted:?}")).map(drop))
        })
        .await
    }

    /// Waits until aggregated discovery calls the group so.
    pub async fn wait_freshness(&self, wanted: DiscoveryFreshness) -> Result<()> {
        let what = format!("discovery to call {} {wanted:?}", self.parcels.group);
        let client = self.lab.client();
        let mut nudged = Instant::now();
        until_within(LIMIT, &what, async || {
            self.nudge_after(&mut nudged).await?;
            let request = Request::get("/apis").header(header::ACCEPT, AGGREGATED).body(Vec::new())?;
            let document: Value = client.request(request).await?;
            let groups = document["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            let group = groups.iter().find(|group| group["metadata"]["name"] == *self.parcels.group);
            let freshness = group.map(|group| &group["versions"][0]["freshness"]);
            Ok(freshness.filter(|freshness| **freshness == format!("{wanted:?}")).map(drop))
        })
        .await
    }

    /// Removes the group.
    pub async fn remove(self) -> Result<()> {
        let name = self.name();
        let gone = self.registrations().delete(&name, &DeleteParams::default()).await;
        gone.with_context(|| format!("failed to delete {name}"))?;
        let gone = self.slices().delete(SERVICE, &DeleteParams::default()).await;
        gone.context("failed to delete the extension's EndpointSlice")?;
        self.backend.close().await
    }

    async fn register(&self) -> Result<()> {
        let slice = json!({
            "metadata": { "name": SERVICE, "labels": { "kubernetes.io/service-name": SERVICE } },
            "addressType": "IPv4",
            // The aggregator wants an address to be here and then goes to the ClusterIP. Loopback is refused by
            // validation; this one is routed nowhere.
            "endpoints": [{ "addresses": ["198.18.255.1"], "conditions": { "ready": true } }],
            "ports": [{ "name": "https", "port": PORT, "protocol": "TCP" }],
        });
        self.slices().create(&PostParams::default(), &serde_json::from_value(slice)?).await?;
        let authority = ByteString(self.lab.authority().certificate().as_bytes().to_vec());
        let registration = json!({
            "metadata": { "name": self.name() },
            "spec": {
                "group": self.parcels.group,
                "version": VERSION,
                "groupPriorityMinimum": 1000,
                "versionPriority": 15,
                "caBundle": authority,
                "service": { "namespace": self.namespace, "name": SERVICE, "port": PORT },
            },
        });
        self.registrations().create(&PostParams::default(), &serde_json::from_value(registration)?).await?;
        Ok(())
    }

    /// Touches the Service, whereupon the aggregator judges its availability again, and the registration,
    /// whereupon it reads discovery again.
    async fn nudge(&self) -> Result<()> {
        let count = (self.nudges.fetch_add(1, Ordering::Relaxed) + 1).to_string();
        let annotation = json!({ "metadata": { "annotations": { "lab.example/nudge": count } } });
        let (patch, params) = (Patch::Merge(&annotation), PatchParams::default());
        let touched = self.backend.services().patch(SERVICE, &params, &patch).await;
        touched.context("failed to touch the extension's Service")?;
        // A registration that changes makes the aggregator's only worker fetch the server's OpenAPI: for a minute,
        // if it hangs, and so long it would go on passing requests to a server that it has found unavailable.
        if self.backend.behavior() != ServerBehavior::NeverResponds {
            let touched = self.registrations().patch(&self.name(), &params, &patch).await;
            touched.context("failed to touch the extension's registration")?;
        }
        Ok(())
    }

    async fn nudge_after(&self, last: &mut Instant) -> Result<()> {
        if last.elapsed() >= NUDGE {
            *last = Instant::now();
            self.nudge().await?;
        }
        Ok(())
    }

    fn registrations(&self) -> Api<APIService> {
        Api::all(self.lab.client())
    }

    fn slices(&self) -> Api<EndpointSlice> {
        Api::namespaced(self.lab.client(), &self.namespace)
    }
}

/// What the aggregator reports about a server with this behavior.
fn expected(behavior: ServerBehavior) -> (Available, DiscoveryFreshness) {
    match behavior {
        ServerBehavior::Works | ServerBehavior::Rejects => (Available::True, DiscoveryFreshness::Current),
        // The check of availability looks at the HTTP status only.
        ServerBehavior::ReturnsGarbage => (Available::True, DiscoveryFreshness::Stale),
        ServerBehavior::ConnectionRefused | ServerBehavior::NeverResponds => {
            (Available::False, DiscoveryFreshness::Stale)
        }
    }
}

/// A Parcel for [`Extension::set_objects`].
pub fn parcel(group: &str, namespace: &str, name: &str) -> Value {
    json!({
        "apiVersion": format!("{group}/{VERSION}"),
        "kind": KIND,
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": format!("parcel-{namespace}-{name}"),
            "resourceVersion": "1",
            "creationTimestamp": "2020-01-01T00:00:00Z",
        },
        "spec": { "weight": 1 },
    })
}

/// What the extension server serves.
struct ParcelApi {
    group: String,
    state: Mutex<ParcelApiState>,
}

struct ParcelApiState {
    objects: Vec<Value>,
    error_response: ErrorResponse,
}

impl RequestHandler for ParcelApi {
    fn handle(&self, parts: &Parts, _: &Bytes) -> BufferedResponse {
        if let Some(discovery) = self.discovery(parts) {
            return discovery;
        }
        let target = Target::of(parts);
        if target.group != self.group || target.resource != PLURAL || !target.subresource.is_empty() {
            return ErrorResponse::UnknownPath.response(&target);
        }
        let fits = |object: &&Value| {
            let metadata = &object["metadata"];
            (target.namespace.is_empty() || metadata["namespace"] == target.namespace)
                && (target.name.is_empty() || metadata["name"] == target.name)
        };
        let state = self.state();
        match target.verb.as_str() {
            "list" => error_response::json(
                200,
                &json!({
                    "kind": format!("{KIND}List"),
                    "apiVersion": format!("{}/{VERSION}", self.group),
                    "metadata": { "resourceVersion": "1" },
                    "items": state.objects.iter().filter(fits).collect::<Vec<_>>(),
                }),
            ),
            "get" => match state.objects.iter().find(fits) {
                Some(object) => error_response::json(200, object),
                None => ErrorResponse::NotFound.response(&target),
            },
            verb => {
                error_response::status(405, "MethodNotAllowed", &format!("{verb} is not supported"), None)
            }
        }
    }

    fn reject(&self, parts: &Parts, _: &Bytes) -> BufferedResponse {
        let error_response = self.state().error_response;
        self.discovery(parts).unwrap_or_else(|| error_response.response(&Target::of(parts)))
    }
}

impl ParcelApi {
    fn state(&self) -> std::sync::MutexGuard<'_, ParcelApiState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The discovery document of a path, if it has one.
    fn discovery(&self, parts: &Parts) -> Option<BufferedResponse> {
        let path: Vec<&str> = parts.uri.path().split('/').filter(|word| !word.is_empty()).collect();
        let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
        match path.as_slice() {
            ["apis"] if accept.is_some_and(|accept| accept.contains("v=v2;")) => {
                Some(error_response::response(200, AGGREGATED, self.aggregated().to_string()))
            }
            ["apis"] => {
                let groups = [self.api_group()];
                Some(error_response::json(
                    200,
                    &json!({ "kind": "APIGroupList", "apiVersion": "v1", "groups": groups }),
                ))
            }
            ["apis", group] if *group == self.group => Some(error_response::json(200, &self.api_group())),
            ["apis", group, VERSION] if *group == self.group => {
                Some(error_response::json(200, &self.resources()))
            }
            _ => None,
        }
    }

    fn api_group(&self) -> Value {
        let version = json!({ "groupVersion": format!("{}/{VERSION}", self.group), "version": VERSION });
        json!({
            "kind": "APIGroup", "apiVersion": "v1", "name": self.group,
            "versions": [version], "preferredVersion": version,
        })
    }

    fn resources(&self) -> Value {
        json!({
            "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": format!("{}/{VERSION}", self.group),
            "resources": [{
                "name": PLURAL, "singularName": "parcel", "namespaced": true, "kind": KIND, "verbs": ["get", "list"],
            }],
        })
    }

    fn aggregated(&self) -> Value {
        let resource = json!({
            "resource": PLURAL,
            "responseKind": { "group": self.group, "version": VERSION, "kind": KIND },
            "scope": "Namespaced",
            "singularResource": "parcel",
            "verbs": ["get", "list"],
        });
        json!({
            "kind": "APIGroupDiscoveryList",
            "apiVersion": "apidiscovery.k8s.io/v2",
            "metadata": {},
            "items": [{
                "metadata": { "name": self.group },
                "versions": [{ "version": VERSION, "resources": [resource], "freshness": "Current" }],
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parcels() -> ParcelApi {
        let objects = vec![parcel("a.example", "x", "one"), parcel("a.example", "y", "two")];
        ParcelApi {
            group: "a.example".into(),
            state: Mutex::new(ParcelApiState { objects, error_response: ErrorResponse::Forbidden }),
        }
    }

    fn get(path: &str, accept: &str) -> (u16, Value) {
        let parts = Request::get(path).header("accept", accept).body(()).unwrap().into_parts().0;
        let answer = parcels().handle(&parts, &Bytes::new());
        (answer.status().as_u16(), serde_json::from_slice(answer.body()).unwrap_or_default())
    }

    #[test]
    fn lists_and_gets_in_plain_json() {
        let protobuf = "application/vnd.kubernetes.protobuf";
        let (_, all) = get("/apis/a.example/v1/parcels", protobuf);
        assert_eq!((&all["kind"], all["items"].as_array().unwrap().len()), (&json!("ParcelList"), 2));
        let (_, some) = get("/apis/a.example/v1/namespaces/y/parcels", protobuf);
        assert_eq!(some["items"][0]["metadata"]["name"], "two");
        assert_eq!(get("/apis/a.example/v1/namespaces/y/parcels/two", protobuf).1["kind"], "Parcel");
        assert_eq!(get("/apis/a.example/v1/namespaces/y/parcels/one", protobuf).0, 404);
        assert_eq!(get("/openapi/v3", protobuf).0, 404);
    }

    #[test]
    fn discovery_has_both_forms() {
        assert_eq!(get("/apis", AGGREGATED).1["kind"], "APIGroupDiscoveryList");
        assert_eq!(get("/apis", "application/json").1["kind"], "APIGroupList");
        assert_eq!(get("/apis/a.example", "application/json").1["kind"], "APIGroup");
        assert_eq!(get("/apis/a.example/v1", "application/json").1["kind"], "APIResourceList");
        assert_eq!(get("/apis/b.example/v1", "application/json").0, 404);
    }

    #[test]
    fn a_refusal_spares_discovery() {
        let reject = |path: &str| {
            let parts = Request::get(path).body(()).unwrap().into_parts().0;
            parcels().reject(&parts, &Bytes::new()).status().as_u16()
        };
        assert_eq!((reject("/apis/a.example/v1"), reject("/apis/a.example/v1/parcels")), (200, 403));
    }
}

//! A kind with two versions whose conversion webhook can fail in any way.
//!
//! `v1` is stored and says `spec.size: "3x4"`; `v2`, which discovery prefers, says `spec.width` and `.height`.
//!
//! The API server keeps converted copies for its lists: they stay, without the converter, until the server
//! restarts or the kind is edited. A test can have lists answered with or without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use http::request::Parts;
use http::{Request, header};
use hyper::body::Bytes;
use k8s_openapi::ByteString;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};

use super::error_response::{self, BufferedResponse};
use super::server_behavior::{RequestHandler, ServerBehavior};
use super::service_backend::{PORT, ServiceBackend};
use crate::lab::Lab;
use crate::wait::until;

/// The message of a rejected conversion.
pub const REJECTION: &str = "rejected by the lab's converter";

const KIND: &str = "Gadget";
const PLURAL: &str = "gadgets";
const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io";

/// The versions of the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GadgetVersion {
    /// Stored.
    V1,
    /// Converted.
    V2,
}

impl GadgetVersion {
    /// As in `apiVersion`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// The kind `Gadget` of a group, and its converter.
pub struct Conversion {
    lab: Lab,
    backend: ServiceBackend,
    group: String,
    edits: AtomicU64,
}

impl Conversion {
    /// Creates the kind and returns when both versions can be listed; the Service lives in `namespace`.
    ///
    /// A converter that cannot be reached affects the whole cluster: other namespaces are no longer deleted.
    pub async fn start(lab: &Lab, namespace: &str, group: &str, behavior: ServerBehavior) -> Result<Self> {
        let service = "converter";
        let backend = ServiceBackend::open(lab, namespace, service, Arc::new(Converter)).await?;
        let conversion = Self { lab: lab.clone(), backend, group: group.into(), edits: AtomicU64::new(0) };
        let definition = conversion.definition(namespace, service)?;
        let made = conversion.definitions().create(&PostParams::default(), &definition).await;
        made.with_context(|| format!("failed to create the kind {}", conversion.name()))?;
        for version in [GadgetVersion::V1, GadgetVersion::V2] {
            let api: Api<DynamicObject> = conversion.gadgets(namespace, version);
            let what = format!("{} to be served as {}", conversion.name(), version.name());
            until(&what, async || Ok(Some(api.list(&ListParams::default()).await.map(drop)?))).await?;
        }
        conversion.set_behavior(behavior).await?;
        Ok(conversion)
    }

    /// Changes how the converter behaves and has the API server drop its converted copies, so that lists are affected
    /// too.
    pub async fn set_behavior(&self, behavior: ServerBehavior) -> Result<()> {
        self.backend.set_behavior(behavior).await?;
        self.forget_copies().await
    }

    /// Changes how the converter behaves; lists go on as before, only reads of single objects are affected.
    pub async fn set_behavior_keeping_cache(&self, behavior: ServerBehavior) -> Result<()> {
        self.backend.set_behavior(behavior).await
    }

    /// The name of the `CustomResourceDefinition`.
    pub fn name(&self) -> String {
        format!("{PLURAL}.{}", self.group)
    }

    /// The Gadgets of a namespace as one version shows them.
    pub fn gadgets(&self, namespace: &str, version: GadgetVersion) -> Api<DynamicObject> {
        let gvk = GroupVersionKind::gvk(&self.group, version.name(), KIND);
        let resource = ApiResource::from_gvk_with_plural(&gvk, PLURAL);
        Api::namespaced_with(self.lab.client(), namespace, &resource)
    }

    /// Creates a Gadget, stored as v1.
    pub async fn gadget(&self, namespace: &str, name: &str) -> Result<DynamicObject> {
        let object = json!({
            "apiVersion": format!("{}/v1", self.group), "kind": KIND,
            "metadata": { "name": name }, "spec": { "size": "3x4" },
        });
        let api = self.gadgets(namespace, GadgetVersion::V1);
        let made = api.create(&PostParams::default(), &serde_json::from_value(object)?).await;
        made.with_context(|| format!("failed to create the Gadget {name}"))
    }

    /// Takes the kind away with all its objects; a Gadget with a finalizer makes this time out.
    pub async fn remove(self) -> Result<()> {
        self.backend.set_behavior(ServerBehavior::Works).await?;
        let (api, name) = (self.definitions(), self.name());
        let gone = api.delete(&name, &DeleteParams::default()).await;
        gone.with_context(|| format!("failed to delete the kind {name}"))?;
        until(&format!("the kind {name} to be gone"), async || {
            Ok(api.get_opt(&name).await?.is_none().then_some(()))
        })
        .await?;
        self.backend.close().await
    }

    /// Edits the kind, whereupon the API server builds its storage anew, and waits until it has.
    async fn forget_copies(&self) -> Result<()> {
        let edit = format!("edit {}", self.edits.fetch_add(1, Ordering::Relaxed) + 1);
        let patch = json!({ "spec": { "versions": versions(&edit) } });
        let edited =
            self.definitions().patch(&self.name(), &PatchParams::default(), &Patch::Merge(&patch)).await;
        edited.with_context(|| format!("failed to edit the kind {}", self.name()))?;
        // The stored version needs no converter, and its table shows which edit it was built from.
        let stored = format!("/apis/{}/v1/{PLURAL}", self.group);
        until(&format!("{} to be served after {edit}", self.name()), async || {
            let request = Request::get(&stored).header(header::ACCEPT, TABLE).body(Vec::new())?;
            let table: Value = self.lab.client().request(request).await?;
            let columns = table["columnDefinitions"].as_array().map(Vec::as_slice).unwrap_or_default();
            Ok(columns.iter().any(|column| column["description"] == *edit).then_some(()))
        })
        .await
    }

    fn definitions(&self) -> Api<CustomResourceDefinition> {
        Api::all(self.lab.client())
    }

    fn definition(&self, namespace: &str, service: &str) -> Result<CustomResourceDefinition> {
        let authority = ByteString(self.lab.authority().certificate().as_bytes().to_vec());
        let definition = json!({
            "metadata": { "name": self.name() },
            "spec": {
                "group": self.group,
                "scope": "Namespaced",
                "names": { "kind": KIND, "plural": PLURAL, "singular": "gadget" },
                "versions": versions("edit 0"),
                "conversion": {
                    "strategy": "Webhook",
                    "webhook": {
                        "conversionReviewVersions": ["v1"],
                        "clientConfig": {
                            "caBundle": authority,
                            "service": { "namespace": namespace, "name": service, "port": PORT },
                        },
                    },
                },
            },
        });
        Ok(serde_json::from_value(definition)?)
    }
}

/// Both versions; the text makes an edit that changes nothing but the storage.
fn versions(edit: &str) -> Value {
    let version = |name: &str, stored: Value, spec: Value| {
        let schema = json!({
            "type": "object",
            "properties": { "spec": { "type": "object", "properties": spec } },
        });
        let column = json!({ "name": "Kind", "type": "string", "jsonPath": ".kind", "priority": 1, "description": edit });
        json!({
            "name": name, "served": true, "storage": stored,
            "schema": { "openAPIV3Schema": schema }, "additionalPrinterColumns": [column],
        })
    };
    let number = json!({ "type": "integer" });
    json!([
        version("v1", json!(true), json!({ "size": { "type": "string" } })),
        version("v2", json!(false), json!({ "width": number, "height": number })),
    ])
}

/// Answers conversion reviews.
struct Converter;

impl RequestHandler for Converter {
    fn handle(&self, _: &Parts, body: &Bytes) -> BufferedResponse {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        let request = &review["request"];
        let desired = request["desiredAPIVersion"].as_str().unwrap_or_default();
        let objects = request["objects"].as_array().map(Vec::as_slice).unwrap_or_default();
        let converted: Option<Vec<Value>> = objects.iter().map(|object| convert(object, desired)).collect();
        match converted {
            Some(objects) => reviewed(&json!({
                "uid": request["uid"], "result": { "status": "Success" }, "convertedObjects": objects,
            })),
            None => failed(request, "a Gadget has a size that cannot be read"),
        }
    }

    fn reject(&self, _: &Parts, body: &Bytes) -> BufferedResponse {
        let review: Value = serde_json::from_slice(body).unwrap_or_default();
        failed(&review["request"], REJECTION)
    }
}

fn failed(request: &Value, message: &str) -> BufferedResponse {
    reviewed(&json!({ "uid": request["uid"], "result": { "status": "Failure", "message": message } }))
}

fn reviewed(response: &Value) -> BufferedResponse {
    let version = "apiextensions.k8s.io/v1";
    error_response::json(
        200,
        &json!({ "kind": "ConversionReview", "apiVersion": version, "response": response }),
    )
}

/// A Gadget in another version; none when its size makes no sense.
fn convert(gadget: &Value, desired: &str) -> Option<Value> {
    let mut gadget = gadget.clone();
    let spec = &gadget["spec"];
    let converted = if desired.ends_with("/v2") {
        match spec["size"].as_str() {
            Some(size) => {
                let (width, height) = size.split_once('x')?;
                json!({ "width": width.parse::<u32>().ok()?, "height": height.parse::<u32>().ok()? })
            }
            None => json!({ "width": spec["width"], "height": spec["height"] }),
        }
    } else {
        match (spec["width"].as_u64(), spec["height"].as_u64()) {
            (Some(width), Some(height)) => json!({ "size": format!("{width}x{height}") }),
            _ => json!({ "size": spec["size"] }),
        }
    };
    gadget["apiVersion"] = json!(desired);
    gadget["spec"] = converted;
    Some(gadget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_goes_both_ways() {
        let first = json!({
            "apiVersion": "a.example/v1", "kind": KIND, "metadata": { "name": "a" }, "spec": { "size": "3x4" },
        });
        let second = convert(&first, "a.example/v2").unwrap();
        assert_eq!(second["spec"], json!({ "width": 3, "height": 4 }));
        assert_eq!(
            (&second["apiVersion"], &second["metadata"]),
            (&json!("a.example/v2"), &first["metadata"])
        );
        assert_eq!(convert(&second, "a.example/v1").unwrap(), first);
    }

    #[test]
    fn nonsense_is_not_converted() {
        assert!(convert(&json!({ "spec": { "size": "large" } }), "a.example/v2").is_none());
    }
}

//! The faults do what they say: through the proxy, and for real behind Services on loopback.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use http::{Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ListParams, PostParams};
use kube::client::Body;
use lab::faults::{
    Conversion, Discovery, ErrorResponse, Extension, FailurePolicy, Fault, Match, Proxy, ServerBehavior,
    Webhook, WebhookConfig,
};
use lab::faults::{conversion::GadgetVersion, extension::Available, extension::DiscoveryFreshness};
use lab::wait::{eventually, until};
use lab::{Lab, User};
use serde_json::{Value, json};

use crate::harness::{Test, own, shared};

pub(crate) fn tests() -> Vec<Test> {
    vec![
        shared("faults::error_responses_have_the_servers_text", error_responses_have_the_servers_text),
        shared("faults::answers_are_delayed_hung_reset_and_cut", answers_are_delayed_hung_reset_and_cut),
        shared("faults::answers_are_changed", answers_are_changed),
        shared("faults::discovery_is_answered_in_the_old_forms", discovery_is_answered_in_the_old_forms),
        shared("faults::requests_are_counted", requests_are_counted),
        shared("faults::a_webhook_fails_in_every_way", a_webhook_fails_in_every_way),
        own("faults::a_conversion_webhook_fails_in_every_way", a_conversion_webhook_fails_in_every_way),
        own("faults::an_aggregated_api_fails_in_every_way", an_aggregated_api_fails_in_every_way),
    ]
}

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

async fn error_responses_have_the_servers_text(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    for (response, code, words) in [
        (ErrorResponse::Unauthorized, 401, "Unauthorized"),
        (ErrorResponse::Forbidden, 403, "configmaps is forbidden"),
        (ErrorResponse::UnknownPath, 404, "404 page not found"),
        (ErrorResponse::Gone, 410, "Expired"),
        (ErrorResponse::TooManyRequests { retry_after: 1 }, 429, "storage is (re)initializing"),
        (ErrorResponse::Internal, 500, "InternalError"),
        (ErrorResponse::Unavailable, 503, "ServiceUnavailable"),
        (ErrorResponse::DeadBackend, 503, "service unavailable"),
    ] {
        proxy.clear();
        proxy.on_first(1, Match::path(MAPS), response);
        let answer = get(&proxy, MAPS).await?;
        ensure!(answer.status() == code, "{response:?}: {}", answer.status());
        let retry = answer.headers().contains_key(header::RETRY_AFTER);
        ensure!(
            retry == matches!(response, ErrorResponse::TooManyRequests { .. } | ErrorResponse::Unavailable),
            "{response:?}"
        );
        let text = text(answer).await?;
        ensure!(text.contains(words), "{response:?}: {text}");
        ensure!(get(&proxy, MAPS).await?.status() == StatusCode::OK, "the second request meets nothing");
    }
    Ok(())
}

async fn answers_are_delayed_hung_reset_and_cut(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    proxy.on(Match::path(MAPS), Fault::Delay(Duration::from_millis(300)));
    let asked = Instant::now();
    ensure!(get(&proxy, MAPS).await?.status() == StatusCode::OK);
    ensure!(asked.elapsed() >= Duration::from_millis(300), "{:?}", asked.elapsed());
    for fault in [Fault::Hang, Fault::Stall] {
        proxy.clear();
        proxy.on(Match::path(MAPS), fault.clone());
        let whole = async { text(get(&proxy, MAPS).await?).await };
        let answer = tokio::time::timeout(Duration::from_millis(500), whole).await;
        ensure!(answer.is_err(), "{fault:?} let an answer through");
    }
    for fault in [Fault::Reset, Fault::Cut] {
        proxy.clear();
        proxy.on(Match::path(MAPS), fault.clone());
        let broken = async { text(get(&proxy, MAPS).await?).await };
        ensure!(broken.await.is_err(), "{fault:?} let an answer through");
    }
    Ok(())
}

async fn answers_are_changed(lab: Lab, _: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    let truth: Value = serde_json::from_str(&text(get(&proxy, MAPS).await?).await?)?;
    ensure!(truth["kind"] == "ConfigMapList", "{truth}");
    proxy.on(Match::path(MAPS), Fault::wrong_content_type());
    let answer = get(&proxy, MAPS).await?;
    ensure!(answer.headers()[header::CONTENT_TYPE] == "text/html");
    serde_json::from_str::<Value>(&text(answer).await?)?;
    for fault in [Fault::garbage(), Fault::half()] {
        proxy.clear();
        proxy.on(Match::path(MAPS), fault);
        let answer = get(&proxy, MAPS).await?;
        ensure!(
            answer.status() == StatusCode::OK && answer.headers()[header::CONTENT_TYPE] == "application/json"
        );
        let bytes = answer.into_body().collect().await?.to_bytes();
        ensure!(serde_json::from_slice::<Value>(&bytes).is_err(), "it should be broken");
    }
    Ok(())
}

async fn discovery_is_answered_in_the_old_forms(lab: Lab, _: String) -> Result<()> {
    const BOTH: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
        application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    let proxy = Proxy::start(&lab).await?;
    let kind = async |path: &str| -> Result<(String, String)> {
        let client = lab::connect(&proxy.kubeconfig(User::Admin)?).await?;
        let request = Request::get(path).header(header::ACCEPT, BOTH).body(Vec::new())?;
        let document: Value = client.request(request).await?;
        let word = |key: &str| document[key].as_str().unwrap_or_default().to_owned();
        Ok((word("kind"), word("apiVersion")))
    };
    ensure!(kind("/apis").await? == ("APIGroupDiscoveryList".into(), "apidiscovery.k8s.io/v2".into()));
    proxy.on(Match::discovery(), Fault::Ask(Discovery::Beta));
    let beta = kind("/apis").await?;
    // A server that has dropped v2beta1 answers in the old form.
    ensure!(beta.1 == "apidiscovery.k8s.io/v2beta1" || beta.0 == "APIGroupList", "{beta:?}");
    proxy.clear();
    proxy.on(Match::discovery(), Fault::Ask(Discovery::Old));
    ensure!(kind("/apis").await?.0 == "APIGroupList");
    ensure!(kind("/api").await?.0 == "APIVersions");
    Ok(())
}

async fn requests_are_counted(lab: Lab, namespace: String) -> Result<()> {
    let proxy = Proxy::start(&lab).await?;
    let client = lab::connect(&proxy.kubeconfig(User::Viewer)?).await?;
    let maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
    for _ in 0..3 {
        maps.list(&ListParams::default()).await?;
    }
    let paths: Vec<_> = proxy.requests().into_iter().map(|record| record.path).collect();
    ensure!(paths.len() == 3 && paths.iter().all(|path| path.contains(&namespace)), "{paths:?}");
    // Over HTTP/1.1 a client opens another one when the last answer's end has not reached it yet.
    ensure!((1..=3).contains(&proxy.connections()), "{} connections", proxy.connections());
    proxy.reset_records();
    ensure!(proxy.requests().is_empty());
    Ok(())
}

async fn a_webhook_fails_in_every_way(lab: Lab, namespace: String) -> Result<()> {
    let hook = WebhookConfig::validating("hook").on("", "configmaps", &["CREATE"]).timeout_seconds(1);
    let webhook =
        Webhook::start(&lab, &namespace, hook.failure_policy(FailurePolicy::Fail), ServerBehavior::Works)
            .await?;
    let maps: Api<ConfigMap> = Api::namespaced(lab.client(), &namespace);
    for (behavior, words) in [
        (ServerBehavior::Works, ""),
        (ServerBehavior::Rejects, "denied the request"),
        (ServerBehavior::ConnectionRefused, "connection refused"),
        (ServerBehavior::NeverResponds, "deadline exceeded"),
        (ServerBehavior::ReturnsGarbage, "failed calling webhook"),
    ] {
        webhook.set_behavior(behavior).await?;
        // The API server may find out on a connection it still has that nobody listens any more, so it is asked
        // again until it says what it says from then on.
        let trial = PostParams { dry_run: true, ..PostParams::default() };
        let map = serde_json::from_value(json!({"metadata": {"name": "trial"}}))?;
        until(&format!("{behavior:?} to show as {words:?}"), async || {
            match maps.create(&trial, &map).await {
                Ok(_) => Ok((behavior == ServerBehavior::Works).then_some(())),
                Err(error) if !words.is_empty() && error.to_string().contains(words) => Ok(Some(())),
                Err(error) => Err(error.into()),
            }
        })
        .await?;
    }
    webhook.remove().await
}

async fn a_conversion_webhook_fails_in_every_way(lab: Lab) -> Result<()> {
    let conversion = Conversion::start(&lab, "default", "gadgets.example.com", ServerBehavior::Works).await?;
    conversion.gadget("default", "one").await?;
    let v2 = conversion.gadgets("default", GadgetVersion::V2);
    // The API server may still have a connection to the converter as it was.
    let converted = async || {
        eventually("a conversion", async || {
            let gadget = v2.get("one").await?;
            ensure!(gadget.data["spec"]["width"] == 3, "{:?}", gadget.data);
            Ok(())
        })
        .await
    };
    converted().await?;
    for behavior in
        [ServerBehavior::Rejects, ServerBehavior::ConnectionRefused, ServerBehavior::ReturnsGarbage]
    {
        conversion.set_behavior(behavior).await?;
        eventually(&format!("{behavior:?} to show"), async || {
            let error = v2.get("one").await.err().context("it was converted")?.to_string();
            ensure!(error.contains("conversion webhook"), "{behavior:?}: {error}");
            // The stored version needs no conversion.
            conversion.gadgets("default", GadgetVersion::V1).get("one").await?;
            Ok(())
        })
        .await?;
    }
    conversion.set_behavior(ServerBehavior::Works).await?;
    converted().await?;
    conversion.remove().await
}

async fn an_aggregated_api_fails_in_every_way(lab: Lab) -> Result<()> {
    let extension = Extension::start(&lab, "default", "parcels.example.com", ServerBehavior::Works).await?;
    let list = "/apis/parcels.example.com/v1/namespaces/default/parcels";
    let answers = async |code: u16, words: &str| {
        eventually(&format!("a list that answers {code}"), async || {
            let answer = lab.client().send(Request::get(list).body(Body::empty())?).await?;
            let (status, text) = (answer.status().as_u16(), text(answer).await?);
            ensure!(status == code && text.contains(words), "{status} {text}");
            Ok(())
        })
        .await
    };
    answers(200, "first").await?;
    extension.set_behavior(ServerBehavior::Rejects).await?;
    answers(403, "").await?;
    extension.set_behavior(ServerBehavior::ConnectionRefused).await?;
    extension.wait_available(Available::False).await?;
    extension.wait_freshness(DiscoveryFreshness::Stale).await?;
    answers(503, "service unavailable").await?;
    extension.set_behavior(ServerBehavior::Works).await?;
    extension.wait_available(Available::True).await?;
    extension.remove().await
}

/// One request through the proxy, on a connection of its own.
async fn get(proxy: &Proxy, path: &str) -> Result<Response<Body>> {
    let client = lab::connect(&proxy.kubeconfig(User::Admin)?).await?;
    Ok(client.send(Request::get(path).body(Body::empty())?).await?)
}

async fn text(answer: Response<Body>) -> Result<String> {
    Ok(String::from_utf8_lossy(&answer.into_body().collect().await?.to_bytes()).into_owned())
}

//! Every fault over both protocols, before a small server that stands for the API server.

use std::io;
use std::time::Instant;

use futures_util::future::join_all;
use http::{HeaderMap, Method, StatusCode, Version};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::*;
use crate::certs::Authority;
use crate::faults::upstream::client_config;
use crate::faults::{Discovery, ErrorResponse};

const BOTH: [Version; 2] = [Version::HTTP_11, Version::HTTP_2];
const SHORT: Duration = Duration::from_millis(150);
/// After so long without a byte nothing more comes, also on a busy machine.
const SILENCE: Duration = Duration::from_secs(3);
/// Longer than anything takes that happens at all.
const LONG: Duration = Duration::from_secs(60);

/// A proxy, the server behind it, and a client before it.
struct ProxyFixture {
    proxy: Proxy,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    _origin: Server,
}

/// A whole answer.
struct ReceivedResponse {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl ProxyFixture {
    async fn new(protocol: Version) -> Self {
        let authority = Authority::new("test").unwrap();
        let identity = authority.issue(&["localhost"], &[Ipv4Addr::LOCALHOST.into()]).unwrap();
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let origin = tls::serve(anywhere, &identity, service_fn(origin)).await.unwrap();
        let url = format!("https://{}", origin.address());
        let proxy = Proxy::before(&url, authority.certificate(), &identity).await.unwrap();
        let tls = client_config(authority.certificate()).unwrap();
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_only();
        let client = match protocol {
            Version::HTTP_2 => {
                Client::builder(TokioExecutor::new()).http2_only(true).build(connector.enable_http2().build())
            }
            _ => Client::builder(TokioExecutor::new()).build(connector.enable_http1().build()),
        };
        Self { proxy, client, _origin: origin }
    }

    async fn send(&self, method: Method, path: &str, accept: &str) -> Result<Response<Incoming>> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.proxy.url()))
            .header("accept", accept)
            .header("authorization", "Bearer secret")
            .header("user-agent", "test/1")
            .body(Full::new(Bytes::from_static(b"the request's body")))?;
        Ok(self.client.request(request).await?)
    }

    async fn get(&self, path: &str) -> Result<ReceivedResponse> {
        self.get_as(path, "application/json").await
    }

    async fn get_as(&self, path: &str, accept: &str) -> Result<ReceivedResponse> {
        let (parts, body) = self.send(Method::GET, path, accept).await?.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(ReceivedResponse { status: parts.status, headers: parts.headers, body })
    }

    /// The beginning of a body that breaks off, and whether it ended with an error or in silence.
    async fn beginning(&self, path: &str) -> (Vec<u8>, Option<hyper::Error>) {
        let mut body = self.send(Method::GET, path, "*/*").await.unwrap().into_body();
        let mut begun = Vec::new();
        loop {
            match timeout(SILENCE, body.frame()).await {
                Ok(Some(Ok(frame))) => begun.extend_from_slice(&frame.into_data().unwrap()),
                Ok(Some(Err(error))) => return (begun, Some(error)),
                Ok(None) => panic!("the body ended well"),
                Err(_) => return (begun, None),
            }
        }
    }
}

/// Tells the client what it asked; `/long` has a length, `/list` has none, `/watch` has no end.
async fn origin(request: Request<Incoming>) -> Result<Response<Payload>, Infallible> {
    let (parts, body) = request.into_parts();
    let text = |name: header::HeaderName| {
        parts.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
    };
    let piece = Bytes::from(vec![b'x'; 1000]);
    let pieces = |count| {
        let frames = (0..count).map(move |_| Ok::<_, Infallible>(hyper::body::Frame::data(piece.clone())));
        futures_util::stream::iter(frames)
    };
    let endless = futures_util::stream::pending();
    let body = match parts.uri.path() {
        "/long" => body::full(Bytes::from(vec![b'x'; 100_000])),
        "/list" => body::boxed(http_body_util::StreamBody::new(pieces(100))),
        "/api/v1/pods" => {
            use futures_util::StreamExt as _;
            body::boxed(http_body_util::StreamBody::new(pieces(1).chain(endless)))
        }
        _ => {
            let echoed = json!({
                "apiVersion": "apidiscovery.k8s.io/v2",
                "method": parts.method.as_str(),
                "path": parts.uri.path_and_query().map(ToString::to_string),
                "accept": text(header::ACCEPT),
                "authorization": text(header::AUTHORIZATION),
                "body": String::from_utf8_lossy(&body.collect().await.unwrap().to_bytes()),
            });
            body::full(echoed.to_string().into())
        }
    };
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
    Ok(response)
}

fn echoed(response: &ReceivedResponse) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

#[tokio::test]
async fn everything_is_passed_on_and_recorded() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        let answer = fixture.send(Method::PATCH, "/a/b?c=d%2Fe", "application/json").await.unwrap();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let echoed: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&echoed["method"], &echoed["path"]), (&json!("PATCH"), &json!("/a/b?c=d%2Fe")));
        assert_eq!(
            (&echoed["authorization"], &echoed["body"]),
            (&json!("Bearer secret"), &json!("the request's body"))
        );
        let requests = fixture.proxy.requests();
        let [record] = requests.as_slice() else { panic!("{requests:?}") };
        assert_eq!((record.method.as_str(), record.path.as_str()), ("PATCH", "/a/b?c=d%2Fe"));
        assert_eq!((record.accept(), record.user_agent()), ("application/json", "test/1"));
        assert_eq!((record.status, record.bytes, record.protocol), (Some(200), body.len() as u64, protocol));
        assert!(!format!("{requests:?}").contains("secret"));
        assert_eq!(fixture.proxy.connections(), 1);
        assert!(fixture.proxy.bytes().to_client > record.bytes && fixture.proxy.bytes().from_client > 0);
        fixture.proxy.reset_records();
        assert!(fixture.proxy.requests().is_empty() && fixture.proxy.connections() == 0);
    }
}

#[tokio::test]
async fn a_watch_is_passed_on_piece_by_piece() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        let (begun, error) = fixture.beginning("/api/v1/pods?watch=1").await;
        assert_eq!((begun.len(), error.is_none()), (1000, true));
    }
}

#[tokio::test]
async fn error_responses_replace_the_servers() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        fixture.proxy.on(Match::path("/api/v1/pods"), ErrorResponse::Forbidden);
        fixture.proxy.on_first(1, Match::path_starts("/api/"), ErrorResponse::Throttled { retry_after: 3 });
        let forbidden = fixture.get("/api/v1/pods").await.unwrap();
        assert_eq!((forbidden.status.as_u16(), &echoed(&forbidden)["reason"]), (403, &json!("Forbidden")));
        let throttled = fixture.get("/api/v1/nodes").await.unwrap();
        assert_eq!(
            (throttled.status.as_u16(), &throttled.headers["retry-after"]),
            (429, &"3".parse().unwrap())
        );
        assert_eq!(throttled.headers["content-type"], "text/plain; charset=utf-8");
        assert_eq!(fixture.get("/api/v1/nodes").await.unwrap().status, 200);
        fixture.proxy.clear();
        fixture.proxy.on_nth(2, Match::any(), error_response::response(418, "text/html", "tea"));
        let codes = [fixture.get("/a").await.unwrap().status, fixture.get("/a").await.unwrap().status];
        assert_eq!(codes.map(|code| code.as_u16()), [200, 418]);
    }
}

#[tokio::test]
async fn a_reset_is_a_reset() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        fixture.get("/a").await.unwrap();
        fixture.proxy.on(Match::path("/b"), Fault::Reset);
        let error = fixture.get("/b").await.err().unwrap();
        let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
        assert!(causes.any(|cause| cause.kind() == io::ErrorKind::ConnectionReset), "{error:?}");
        assert_eq!(fixture.proxy.requests()[1].status, None);
        assert_eq!(fixture.get("/a").await.unwrap().status, 200);
        assert_eq!(fixture.proxy.connections(), 2);
    }
}

#[tokio::test]
async fn a_cut_body_begins_and_fails() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        fixture.proxy.on(Match::any(), Fault::Cut);
        for (path, half) in [("/long", 50_000), ("/list", 50_000), ("/api/v1/pods?watch=true", 1000)] {
            let (begun, error) = fixture.beginning(path).await;
            assert_eq!(begun.len(), half, "{path} {protocol:?}");
            assert!(error.is_some(), "{path} {protocol:?}");
        }
        assert_eq!(fixture.proxy.requests()[0].bytes, 50_000);
        // HTTP/2 loses the stream only.
        assert_eq!(fixture.proxy.connections(), if protocol == Version::HTTP_2 { 1 } else { 3 });
    }
}

#[tokio::test]
async fn a_stalled_body_begins_and_is_silent() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        fixture.proxy.on(Match::any(), Fault::Stall);
        let (begun, error) = fixture.beginning("/long").await;
        assert_eq!((begun.len(), error.is_none()), (50_000, true));
    }
}

#[tokio::test]
async fn a_hang_hangs_and_ends_with_the_proxy() {
    for protocol in BOTH {
        let ProxyFixture { proxy, client, _origin } = ProxyFixture::new(protocol).await;
        proxy.on(Match::path("/b"), Fault::Hang);
        let request = Request::get(format!("{}/b", proxy.url())).body(Full::default()).unwrap();
        let mut hanging = client.request(request);
        assert!(timeout(SHORT, &mut hanging).await.is_err());
        proxy.clear();
        drop(proxy);
        assert!(timeout(LONG, hanging).await.unwrap().is_err());
    }
}

#[tokio::test]
async fn a_delay_passes_on_to_the_next_rule() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        fixture.proxy.on(Match::any(), Fault::Delay(SHORT));
        fixture.proxy.on(Match::any(), ErrorResponse::Unavailable);
        let start = Instant::now();
        assert_eq!(fixture.get("/a").await.unwrap().status, 503);
        assert!(start.elapsed() >= SHORT);
    }
}

#[tokio::test]
async fn answers_are_changed() {
    for protocol in BOTH {
        let fixture = ProxyFixture::new(protocol).await;
        let real = fixture.get("/long").await.unwrap();
        fixture.proxy.on_nth(1, Match::any(), Fault::wrong_content_type());
        let html = fixture.get("/long").await.unwrap();
        assert_eq!((&html.body, &html.headers["content-type"]), (&real.body, &"text/html".parse().unwrap()));
        fixture.proxy.clear();
        fixture.proxy.on_nth(1, Match::any(), Fault::garbage());
        let garbage = fixture.get("/list").await.unwrap();
        assert_eq!(
            (garbage.body.len(), &garbage.headers["content-type"]),
            (100_000, &real.headers["content-type"])
        );
        assert_ne!(garbage.body, real.body);
        fixture.proxy.clear();
        fixture.proxy.on_nth(1, Match::any(), Fault::half());
        assert_eq!(fixture.get("/long").await.unwrap().body.len(), 50_000);
    }
}

#[tokio::test]
async fn closures_decide() {
    let fixture = ProxyFixture::new(Version::HTTP_2).await;
    let slashes = |parts: &Parts| parts.uri.path().matches('/').count();
    fixture.proxy.on(
        Match::any(),
        Fault::decide(move |parts| (slashes(parts) > 1).then_some(ErrorResponse::Gone.into())),
    );
    assert_eq!(fixture.get("/a/b").await.unwrap().status, 410);
    assert_eq!(fixture.get("/a").await.unwrap().status, 200);
}

#[tokio::test]
async fn the_server_is_asked_for_older_discovery() {
    let fixture = ProxyFixture::new(Version::HTTP_2).await;
    let both = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
                application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
    fixture.proxy.on(Match::discovery(), Fault::Ask(Discovery::Old));
    assert_eq!(echoed(&fixture.get_as("/apis", both).await.unwrap())["accept"], "application/json");
    assert_eq!(echoed(&fixture.get_as("/apis/apps/v1", both).await.unwrap())["accept"], both);
    assert_eq!(fixture.proxy.requests()[0].accept(), both);
    fixture.proxy.clear();
    fixture.proxy.on(Match::discovery(), Fault::Ask(Discovery::Beta));
    let beta = fixture.get_as("/apis", both).await.unwrap();
    assert!(beta.headers["content-type"].to_str().unwrap().contains("v=v2beta1"));
    assert_eq!(echoed(&beta)["apiVersion"], "apidiscovery.k8s.io/v2beta1");
    let newer_only = both.split(',').next().unwrap();
    assert_eq!(echoed(&fixture.get_as("/api", newer_only).await.unwrap())["accept"], "application/json");
}

#[tokio::test]
async fn streams_do_not_wait_for_each_other() {
    let fixture = ProxyFixture::new(Version::HTTP_2).await;
    let round_trip = Duration::from_millis(500);
    fixture.proxy.set_round_trip(round_trip);
    fixture.proxy.on(Match::path("/hangs"), Fault::Hang);
    let hanging = fixture.get("/hangs");
    let others = async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        join_all((0..32).map(|_| fixture.get("/long"))).await
    };
    let start = Instant::now();
    tokio::select! {
        _ = hanging => panic!("the first request was answered"),
        answers = others => assert!(answers.iter().all(|response| response.as_ref().unwrap().body.len() == 100_000)),
    }
    // Two round trips for the connection and one for all requests together; one after the other they would take 32.
    assert!(start.elapsed() >= round_trip * 3);
    assert!(start.elapsed() < round_trip * 32, "{:?}", start.elapsed());
    assert_eq!(fixture.proxy.connections(), 1);
}

//! The end of a container's log.

use std::time::Duration;

use http_body_util::BodyExt as _;

use super::request::{RequestError, media_type};
use super::{Cluster, path};
use crate::model::log::{ContainerRun, LogError, LogRequest, LogTail};
use crate::source::ReadContext;

/// Errors are JSON, whatever was requested.
const ACCEPT: &str = "text/plain, application/json";
/// A log only illustrates a report, so it is waited for less long: the node may be down.
const MAX_WAIT: Duration = Duration::from_secs(10);

impl Cluster {
    /// Reads the last lines of a log. The API server forwards the request to the kubelet.
    pub async fn log(&self, request: &LogRequest, context: &ReadContext) -> Result<LogTail, LogError> {
        let what = format!("log of {}", request.pod);
        let limit = self.timeout.map_or(MAX_WAIT, |timeout| timeout.min(MAX_WAIT));
        let read = tokio::time::timeout(limit, self.read_log(request));
        let result = tokio::select! {
            biased;
            () = context.cancel.cancelled() => Err(RequestError::interrupted()),
            read = context.progress.track(what, read) => {
                read.unwrap_or_else(|_| Err(RequestError::timed_out(&self.server, limit)))
            }
        };
        result.map_err(|RequestError { reason, message, .. }| LogError { reason, message })
    }

    async fn read_log(&self, request: &LogRequest) -> Result<LogTail, RequestError> {
        let max_bytes = request.max_bytes();
        let response = self.get(&log_path(request, max_bytes), ACCEPT).await?;
        if media_type(&response) != "text/plain" {
            return Err(RequestError::unreadable(&self.server, "not a log"));
        }
        let (mut body, mut bytes) = (response.into_body(), Vec::new());
        // Not every kubelet obeys the limit.
        while let Some(frame) = body.frame().await
            && bytes.len() < max_bytes
        {
            let frame = frame.map_err(|error| RequestError::broken(&error, &self.server))?;
            bytes.extend(frame.into_data().unwrap_or_default());
        }
        let is_cut = bytes.len() >= max_bytes;
        bytes.truncate(max_bytes);
        Ok(LogTail { bytes, is_cut })
    }
}

fn log_path(request: &LogRequest, max_bytes: usize) -> String {
    let LogRequest { pod, container, lines } = request;
    let namespace = path::segment(pod.namespace.as_deref().unwrap_or_default());
    format!(
        "/api/v1/namespaces/{namespace}/pods/{}/log?container={}&previous={}&tailLines={lines}&limitBytes={max_bytes}",
        path::segment(&pod.name),
        path::segment(&container.name),
        container.run == ContainerRun::Previous,
    )
}

//! The operators' clock, and the demo's.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;

/// Now, by the machine's clock: an operator has no other, and writes its times.
#[expect(
    clippy::disallowed_methods,
    reason = "the operators write times; only kubectl-op must not read the clock"
)]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// Now, as the API writes times in statuses: whole seconds.
pub(super) fn stamp() -> String {
    k8s_openapi::jiff::fmt::strtime::format("%Y-%m-%dT%H:%M:%SZ", now()).unwrap_or_default()
}

/// Now, as an object's field.
pub(super) fn time() -> Time {
    Time(now())
}

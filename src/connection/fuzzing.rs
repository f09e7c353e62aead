//! What tests/fuzz feeds: the readers of kubeconfigs and of `Retry-After`, which are private otherwise.

use std::time::Duration;

use super::Target;
use super::kubeconfig::Kubeconfigs;
use crate::error::Failure;

pub use super::retry::delay_for_header as retry_after;

/// Reads the kubeconfig of a target and resolves its context.
pub fn kubeconfig(target: &Target) -> Result<(), Failure> {
    let files = Kubeconfigs::load(target)?;
    if files.is_empty() {
        return Err(files.no_cluster(target));
    }
    files.resolve(target).map(|_| ())
}

/// The longest delay that a header may ask for.
pub const MAX_DELAY: Duration = Duration::from_secs(60);

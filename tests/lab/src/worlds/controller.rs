//! What every reconciler shares: read the object afresh, hold it by a finalizer, reconcile it or clean up
//! after it, and try again soon when something failed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use futures_util::StreamExt as _;
use kube::runtime::Controller;
use kube::runtime::controller::{Action, Error};
use kube::{Api, Client, ResourceExt as _};

use super::World;
use super::events::{EventLevel, Recorder};
use super::external_system::ExternalSystem;
use super::process::log;
use super::writes::{self, Namespaced};

/// Short, so that tests are fast.
const RETRY: Duration = Duration::from_secs(1);

/// What a reconciler works with.
pub(super) struct Context {
    pub(super) client: Client,
    pub(super) events: Recorder,
    pub(super) external: ExternalSystem,
}

/// A custom resource whose operator is built like kubebuilder's.
pub(super) trait Custom: Namespaced {
    const WORLD: World;

    /// Creates and updates the children as the spec says.
    fn reconcile(&self, context: &Context) -> impl Future<Output = Result<Action>> + Send;

    /// Removes what the garbage collector will not.
    fn clean(&self, context: &Context) -> impl Future<Output = Result<()>> + Send;

    /// Writes to the status, if it has a field for it, why the cleanup failed.
    fn report_cleanup_failure(&self, context: &Context, why: &str)
    -> impl Future<Output = Result<()>> + Send;
}

/// A failed reconcile: anyhow's error as an error of the standard library.
#[derive(Debug)]
pub(super) struct Failed(anyhow::Error);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.0)
    }
}

impl std::error::Error for Failed {}

/// Runs a kubebuilder-like controller for ever.
pub(super) async fn run<K: Custom>(controller: Controller<K>, context: Context) {
    drive(controller, context, step::<K>).await;
}

/// Runs any reconciler for ever; `reconcile` gets the object as it is now, not as the cache has it.
pub(super) async fn drive<K, F>(
    controller: Controller<K>,
    context: Context,
    reconcile: impl Fn(K, Arc<Context>) -> F + Clone + Send + 'static,
) where
    K: Namespaced,
    F: Future<Output = Result<Action>> + Send + 'static,
{
    let on_object = move |seen: Arc<K>, context: Arc<Context>| {
        let reconcile = reconcile.clone();
        async move {
            let api: Api<K> = writes::beside(&context.client, &*seen);
            match api.get_opt(&seen.name_any()).await.context("failed to read the object") {
                Ok(Some(object)) => reconcile(object, context).await.map_err(Failed),
                Ok(None) => Ok(Action::await_change()),
                Err(error) => Err(Failed(error)),
            }
        }
    };
    let on_error = |_: Arc<K>, _: &Failed, _: Arc<Context>| Action::requeue(RETRY);
    controller
        .run(on_object, on_error, Arc::new(context))
        .for_each(|outcome| async move {
            match outcome {
                // Woken by a child, or by its own requeue, after the object went.
                Ok(_) | Err(Error::ObjectNotFound(_)) => {}
                Err(error) => log(&error.to_string()),
            }
        })
        .await;
}

async fn step<K: Custom>(object: K, context: Arc<Context>) -> Result<Action> {
    let names = K::WORLD.names();
    let held = object.finalizers().iter().any(|finalizer| finalizer == names.finalizer);
    match (object.meta().deletion_timestamp.is_some(), held) {
        (true, false) => Ok(Action::await_change()),
        (true, true) => finish(&object, &context).await,
        (false, true) => object.reconcile(&context).await,
        (false, false) => {
            let object = writes::hold(&context.client, names.manager, &object, names.finalizer).await?;
            object.reconcile(&context).await
        }
    }
}

async fn finish<K: Custom>(object: &K, context: &Context) -> Result<Action> {
    let names = K::WORLD.names();
    let cleaned = match context.external.ensure_cleanup_allowed() {
        Ok(()) => object.clean(context).await,
        refused => refused,
    };
    if let Err(error) = cleaned {
        let why = format!("{error:#}");
        context.events.post(object, EventLevel::Warning, "CleanupFailed", why.clone()).await;
        object.report_cleanup_failure(context, &why).await?;
        return Err(error).context("failed to clean up");
    }
    writes::release(&context.client, names.manager, object, names.finalizer).await?;
    log(&format!("{}: cleaned up", object.name_any()));
    Ok(Action::await_change())
}

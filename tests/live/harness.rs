//! How a live test is declared and run: on the shared lab in a namespace of its own, or on a lab of its own.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use lab::Lab;
use lab::wait::until;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use tokio::runtime::Runtime;

use crate::labs::Labs;

/// Waiting for the cluster is most of a test, so more of them run at once than there are cores.
const THREADS: usize = 8;
/// Listed at the end of the run.
const SLOW: Duration = Duration::from_secs(60);
/// A test that takes longer hangs. Longer than any single wait, so that the wait fails first and says what for.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
/// What `version` says about a server that takes longer than the five seconds it gives it.
const GAVE_UP: &str = "did not respond in time";
/// How much of the server's log a failure shows.
const TAIL: usize = 25;

type TestFuture = Pin<Box<dyn Future<Output = Result<()>>>>;

/// One live test.
pub(crate) struct Test {
    name: &'static str,
    body: Body,
}

/// What a test does, by what it needs for it.
enum Body {
    Shared(Box<dyn FnOnce(Lab, String) -> TestFuture + Send>),
    Own(Box<dyn FnOnce(Lab) -> TestFuture + Send>),
    WithoutLab(Box<dyn FnOnce() -> TestFuture + Send>),
}

/// A test on the shared lab, where all five operators run: it gets a namespace of its own and breaks nothing
/// outside of it.
pub(crate) fn shared<F>(name: &'static str, body: impl FnOnce(Lab, String) -> F + Send + 'static) -> Test
where
    F: Future<Output = Result<()>> + 'static,
{
    Test { name, body: Body::Shared(Box::new(|lab, namespace| Box::pin(body(lab, namespace)))) }
}

/// A test that breaks cluster-wide things or stops an operator: it gets a lab of its own, with no operator.
pub(crate) fn own<F>(name: &'static str, body: impl FnOnce(Lab) -> F + Send + 'static) -> Test
where
    F: Future<Output = Result<()>> + 'static,
{
    Test { name, body: Body::Own(Box::new(|lab| Box::pin(body(lab)))) }
}

/// A test that needs no lab, or starts one itself: it counts as one of the labs that may run at once.
pub(crate) fn without_lab<F>(name: &'static str, body: impl FnOnce() -> F + Send + 'static) -> Test
where
    F: Future<Output = Result<()>> + 'static,
{
    Test { name, body: Body::WithoutLab(Box::new(|| Box::pin(body()))) }
}

/// Repeats an attempt when a call of `version` in it gave up on the server: it waits for five seconds only, which
/// a busy machine may need for one request. Any other failure is the attempt's.
pub(crate) async fn in_time<T>(mut attempt: impl AsyncFnMut() -> Result<T>) -> Result<T> {
    until("an answer within five seconds", async || match attempt().await {
        Err(error) if format!("{error:#}").contains(GAVE_UP) => Err(error),
        outcome => Ok(Some(outcome)),
    })
    .await?
}

/// Runs the tests that were asked for.
pub(crate) fn run(mut args: Arguments, tests: Vec<Test>) -> ExitCode {
    args.test_threads = args.test_threads.or(Some(THREADS));
    let wanted = |test: &Test| !args.list && !args.is_filtered_out(&placeholder(test.name));
    let shared = tests.iter().filter(|test| matches!(test.body, Body::Shared(_)) && wanted(test)).count();
    let absent = if tests.iter().any(wanted) { lab::prepare().err() } else { None };
    let runner = Arc::new(TestRunner {
        runtime: Runtime::new().expect("a runtime can be made"),
        labs: Labs::new(shared),
        absent: absent.map(|error| format!("no lab: {error:#}")),
        slow: Mutex::new(Vec::new()),
    });
    let trials = tests.into_iter().map(|test| trial(&runner, test)).collect();
    let conclusion = libtest_mimic::run(&args, trials);
    runner.labs.close();
    for (name, took) in runner.slow.lock().expect("no test panics while it holds this").iter() {
        eprintln!("slow: {name} took {} s", took.as_secs());
    }
    conclusion.exit_code()
}

/// What all tests share.
struct TestRunner {
    runtime: Runtime,
    labs: Labs,
    /// Why no lab can be had.
    absent: Option<String>,
    slow: Mutex<Vec<(&'static str, Duration)>>,
}

fn placeholder(name: &str) -> Trial {
    Trial::test(name, || Ok(()))
}

fn trial(runner: &Arc<TestRunner>, test: Test) -> Trial {
    let runner = Arc::clone(runner);
    Trial::ignorable_test(test.name, move || match &runner.absent {
        Some(reason) if lab::settings::in_ci() => Err(Failed::from(reason)),
        Some(reason) => Ok(Completion::ignored_with(reason)),
        None => runner.run(test).map(|()| Completion::Completed).map_err(Failed::from),
    })
}

impl TestRunner {
    fn run(&self, test: Test) -> Result<(), String> {
        let name = test.name;
        match test.body {
            Body::Shared(body) => {
                let lab = self.labs.shared(&self.runtime);
                let result = lab.map_err(error_text).and_then(|lab| {
                    let namespace = self.runtime.block_on(lab.namespace("test")).map_err(error_text)?;
                    self.run_body(name, Some(&lab), body(lab.clone(), namespace))
                });
                self.labs.done_with_shared();
                result
            }
            Body::Own(body) => {
                let _permit = self.labs.permit();
                let lab = self.runtime.block_on(Lab::start()).map_err(error_text)?;
                self.run_body(name, Some(&lab), body(lab.clone()))
            }
            Body::WithoutLab(body) => {
                let _permit = self.labs.permit();
                self.run_body(name, None, body())
            }
        }
    }

    /// Runs the body; its failure includes the end of the log of the API server.
    fn run_body(&self, name: &'static str, lab: Option<&Lab>, body: TestFuture) -> Result<(), String> {
        let started = Instant::now();
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
            self.runtime.block_on(async {
                tokio::time::timeout(TEST_TIMEOUT, body).await.context("the test took too long").flatten()
            })
        }));
        if started.elapsed() > SLOW {
            self.slow.lock().expect("no test panics while it holds this").push((name, started.elapsed()));
        }
        outcome.unwrap_or_else(|panic| Err(anyhow!("{}", panic_text(panic.as_ref())))).map_err(|error| {
            match lab {
                Some(lab) => {
                    let tail = lab.log_tail("kube-apiserver", TAIL);
                    format!("{error:#}\n\nlast lines of the API server's log:\n{tail}")
                }
                None => error_text(error),
            }
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to map_err")]
fn error_text(error: anyhow::Error) -> String {
    format!("{error:#}")
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("the test panicked")
}

//! The status of many resources, and what one resource costs in requests; on a lab of their own, so that the large
//! namespaces of the trees do not affect them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use lab::every_relation;
use lab::faults::Proxy;
use lab::many_resources::{GROUP, ManyResources};
use lab::{Lab, User};
use tempfile::TempDir;

use crate::comparison::{Comparison, ComparisonRow, MeasuredCommand, Related};
use crate::figures::Figures;
use crate::idle;
use crate::log_progress;
use crate::offline::measured;
use crate::output_check;
use crate::replay::{self, RecordedRequest};
use crate::request_stats::RequestStats;
use crate::stopwatch::{self, Invocation, Run};
use crate::tree_bench::traffic;

/// How long the server may be busy after objects were created, and after a run.
const AFTER_FILLING: Duration = Duration::from_secs(60);
const AFTER_RUN: Duration = Duration::from_secs(3);

/// A lab, a proxy before it, and the programs to run.
pub(crate) struct StatusBenchmark {
    lab: Lab,
    proxy: Proxy,
    op: PathBuf,
    bench: PathBuf,
    folder: TempDir,
}

/// One run of kubectl-op, and its output.
struct RunOutput {
    run: Run,
    answer: String,
}

impl StatusBenchmark {
    /// On a lab that has just been started.
    pub(crate) async fn new(lab: Lab, op: &Path) -> Result<Self> {
        let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a home folder")?;
        let bench = std::env::current_exe().context("failed to find this binary")?;
        Ok(Self { proxy: Proxy::start(&lab).await?, lab, op: op.to_owned(), bench, folder })
    }

    /// Tree and status of one resource with children of every sort.
    pub(crate) async fn request_count(&self) -> Result<(Comparison, Option<Related>)> {
        every_relation::fill(&self.lab.client())
            .await
            .context("failed to create the resource with every relation")?;
        idle::wait_until_idle(&self.lab, AFTER_FILLING).await;
        let root = format!("thing.{GROUP}/{}", every_relation::ROOT);
        let (mut rows, mut found) = (Vec::new(), Vec::new());
        for (command, words) in [
            (MeasuredCommand::CountedTree, vec!["tree", &root, "--all"]),
            (MeasuredCommand::CountedOwnedTree, vec!["tree", &root, "--all", "--owned-only"]),
            (MeasuredCommand::CountedStatus, vec!["status", &root]),
        ] {
            let args: Vec<&str> = words.into_iter().chain(["-n", every_relation::NAMESPACE]).collect();
            let counted = self.counted(&args).await.map_err(|error| format!("{error:#}"));
            found.push(counted.as_ref().ok().map(|(_, stats, answer)| (stats.clone(), answer.clone())));
            rows.push(ComparisonRow { command, outcome: counted.map(|(figures, ..)| figures) });
        }
        let related = match found.as_slice() {
            [Some((tree, answer)), Some((owned, _)), ..] => Some(Related::of(tree, answer, owned)),
            _ => None,
        };
        Ok((Comparison { title: "one resource, through the counting proxy".to_owned(), rows }, related))
    }

    /// The status of many resources, beside the same requests alone.
    pub(crate) async fn status(&self, many: ManyResources, rounds: usize) -> Result<Comparison> {
        let title = format!("{} resources in {} namespaces", many.resources, many.namespaces);
        log_progress(&format!("making {title}"));
        many.fill(&self.lab.client()).await.context("failed to create many resources")?;
        idle::wait_until_idle(&self.lab, AFTER_FILLING).await;
        log_progress(&format!("measuring {title}"));
        let kind = format!("things.{GROUP}");
        let status = ["status", &kind, "-A"];
        // Counted first: the bare requests are those that were sent here.
        let counted = self.counted(&status).await;
        let requests: Vec<RecordedRequest> = self.proxy.requests().iter().map(RecordedRequest::of).collect();
        let file = self.folder.path().join("requests.json");
        std::fs::write(&file, serde_json::to_vec(&requests)?)?;
        let (file, admin) = (file.display().to_string(), self.lab.kubeconfig(User::Admin));
        let mut rows =
            measured(&[MeasuredCommand::StatusAll, MeasuredCommand::StatusReplay], rounds, async |command| {
                idle::wait_until_idle(&self.lab, AFTER_RUN).await;
                let server = admin.display().to_string();
                let output = match command {
                    MeasuredCommand::StatusReplay => {
                        self.run(&self.bench, &[replay::SUBCOMMAND, &server, &file], &admin).await?
                    }
                    _ => self.run(&self.op, &status, &admin).await?,
                };
                if command == MeasuredCommand::StatusAll {
                    let not_ready = many.not_ready_count().to_string();
                    ensure!(
                        output.answer.contains(&not_ready),
                        "its output lacks the number that are not ready, {not_ready}"
                    );
                }
                Ok((output.run, output_check::lines(output.answer.as_bytes())))
            })
            .await;
        match counted {
            Ok((counted, ..)) => {
                for row in &mut rows {
                    row.outcome =
                        row.outcome.clone().map(|timed| Figures { traffic: counted.traffic, ..timed });
                }
            }
            Err(error) => rows[0].outcome = Err(format!("{error:#}")),
        }
        Ok(Comparison { title, rows })
    }

    /// One run through the proxy.
    async fn counted(&self, args: &[&str]) -> Result<(Figures, RequestStats, String)> {
        let kubeconfig = self.proxy.kubeconfig(User::Admin)?;
        idle::wait_until_idle(&self.lab, AFTER_RUN).await;
        self.proxy.reset_records();
        let output = self.run(&self.op, args, &kubeconfig).await?;
        let (traffic, stats) = traffic(&self.proxy);
        let lines = output_check::lines(output.answer.as_bytes());
        let timed = Figures::timed(&[output.run], lines).context("it never ran")?;
        Ok((Figures { traffic, ..timed }, stats, output.answer))
    }

    async fn run(&self, program: &Path, args: &[&str], kubeconfig: &Path) -> Result<RunOutput> {
        let args = args.iter().map(|word| (*word).to_owned()).collect();
        let env = vec![("KUBECONFIG", kubeconfig.to_owned()), ("HOME", self.folder.path().to_owned())];
        let invocation = Invocation { program: program.to_owned(), args, env };
        let run = stopwatch::time(&invocation, self.folder.path()).await?;
        // Not healthy (1) and unknown (3) are valid results.
        let answer = run.answer(|code| matches!(code, Some(0 | 1 | 3)))?;
        Ok(RunOutput { run, answer: String::from_utf8_lossy(&answer).into_owned() })
    }
}

//! Trees of a cluster: creates the objects of each case and measures every tool with them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use lab::faults::Proxy;
use lab::large_namespace::LargeNamespace;
use lab::{Lab, User, wait};
use tempfile::TempDir;

use crate::bench_case::BenchCase;
use crate::figures::{CaseResult, Figures, Row, Traffic};
use crate::idle;
use crate::kinds::{self, Kind};
use crate::log_progress;
use crate::output_check::{self, Expected};
use crate::request_stats::RequestStats;
use crate::rounds::interleaved;
use crate::stopwatch::{self, Run};
use crate::tool::{Compression, RunTarget, Tool, ToolPaths};

/// How many objects the root owns.
const OWNED: usize = 210;
/// How long the server may be busy after objects were created, and after a run.
const AFTER_FILLING: Duration = Duration::from_secs(90);
const AFTER_RUN: Duration = Duration::from_secs(3);
/// How long new kinds may take to appear in discovery.
const DISCOVERY: Duration = Duration::from_secs(300);

/// A lab whose namespaces grow from case to case.
pub(crate) struct TreeBenchmark {
    lab: Lab,
    proxy: Proxy,
    tools: ToolPaths,
    /// How many kinds the server has of its own.
    own_kinds: usize,
    /// How many objects a namespace has already.
    filled: BTreeMap<String, usize>,
}

/// What the tools are run against, and what has to exist as long as they run.
struct BenchTarget {
    kubeconfig: PathBuf,
    case: BenchCase,
    namespace: String,
    kinds: Vec<Kind>,
    expected: Expected,
    folder: TempDir,
}

impl BenchTarget {
    fn new(kubeconfig: PathBuf, case: BenchCase, kinds: &[Kind], expected: Expected) -> Result<Self> {
        let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a home folder")?;
        Ok(Self { kubeconfig, case, namespace: case.namespace(), kinds: kinds.to_vec(), expected, folder })
    }

    fn target(&self) -> RunTarget<'_> {
        let (kubeconfig, namespace) = (self.kubeconfig.as_path(), self.namespace.as_str());
        RunTarget { kubeconfig, namespace, kinds: &self.kinds, home: self.folder.path() }
    }
}

impl TreeBenchmark {
    /// On a lab that has just been started.
    pub(crate) async fn new(lab: Lab, tools: ToolPaths) -> Result<Self> {
        let proxy = Proxy::start(&lab).await?;
        let own_kinds = listed_kinds(&lab).await?.len();
        Ok(Self { lab, proxy, tools, own_kinds, filled: BTreeMap::new() })
    }

    /// Creates the objects of the case and measures the tools with them.
    pub(crate) async fn measure(
        &mut self,
        case: BenchCase,
        subjects: &[Tool],
        rounds: usize,
    ) -> Result<CaseResult> {
        let big = self.fill(case).await.with_context(|| format!("failed to make {case}"))?;
        let wanted = self.own_kinds + big.kinds;
        let kinds = wait::until_within(DISCOVERY, "discovery of all kinds", async || {
            Ok(Some(listed_kinds(&self.lab).await?).filter(|kinds| kinds.len() >= wanted))
        })
        .await?;
        self.proxy.set_round_trip(case.round_trip);
        let op_command = self.tools.op_command;
        let expected = Expected { op_command, owned: big.owned, objects: big.objects };
        let through_proxy = BenchTarget::new(self.proxy.kubeconfig(User::Admin)?, case, &kinds, expected)?;
        let direct = BenchTarget::new(self.lab.kubeconfig(User::Admin), case, &kinds, expected)?;
        let target = if case.round_trip.is_zero() { &direct } else { &through_proxy };
        log_progress(&format!("measuring {case}"));
        let timed = interleaved(subjects, rounds, async |tool| {
            Ok(self.run(tool, target, Compression::AsUsual).await?.0)
        })
        .await;
        let mut rows = Vec::new();
        for (tool, runs) in timed {
            let outcome = match runs {
                Ok(runs) => {
                    self.figures(tool, &runs, &through_proxy).await.map_err(|error| format!("{error:#}"))
                }
                Err(why) => Err(why),
            };
            rows.push(Row { tool, outcome });
        }
        Ok(CaseResult { case, kinds: kinds.len(), nodes: big.owned + 1, rows })
    }

    async fn fill(&mut self, case: BenchCase) -> Result<LargeNamespace> {
        let namespace = case.namespace();
        let big = LargeNamespace {
            namespace: namespace.clone(),
            objects: case.objects,
            kinds: case.kinds.saturating_sub(self.own_kinds).max(1),
            owned: OWNED.min(case.objects / 2),
        };
        let before = self.filled.get(&namespace).copied();
        if before == Some(case.objects) {
            return Ok(big);
        }
        let started = Instant::now();
        log_progress(&format!("making {} objects, {} kinds", case.objects, case.kinds));
        match before {
            None => big.fill(&self.lab.client()).await?,
            Some(before) => {
                ensure!(before < case.objects, "a namespace only grows");
                big.grow(&self.lab.client(), before).await?;
            }
        }
        self.filled.insert(namespace, case.objects);
        let (made, settling) = (started.elapsed(), Instant::now());
        idle::wait_until_idle(&self.lab, AFTER_FILLING).await;
        let settled = settling.elapsed();
        log_progress(&format!(
            "made in {:.1} s, settled after {:.1} s more",
            made.as_secs_f32(),
            settled.as_secs_f32()
        ));
        Ok(big)
    }

    /// One successful run, and how many lines it printed.
    async fn run(&self, tool: Tool, target: &BenchTarget, compression: Compression) -> Result<(Run, usize)> {
        idle::wait_until_idle(&self.lab, AFTER_RUN).await;
        let invocation = self.tools.invocation(tool, &target.target(), compression);
        let invocation = invocation.with_context(|| format!("{tool} has no flag for compression"))?;
        let run = stopwatch::time(&invocation, target.folder.path()).await?;
        let answer = run.answer(|code| tool.is_valid_exit(code))?;
        if let Some(problem) = target.expected.problem(tool, &answer) {
            bail!("{problem}");
        }
        Ok((run, output_check::lines(&answer)))
    }

    async fn figures(&self, tool: Tool, runs: &[Run], through_proxy: &BenchTarget) -> Result<Figures> {
        if through_proxy.case.round_trip.is_zero() {
            // The rounds went to the server itself; to a cache of discovery the proxy is another one.
            self.run(tool, through_proxy, Compression::AsUsual).await?;
        }
        let (traffic, lines) = self.counted(tool, through_proxy, Compression::AsUsual).await?;
        let uncompressed = match tool {
            Tool::Op => Some(self.counted(tool, through_proxy, Compression::Off).await?.0.bytes),
            _ => None,
        };
        let timed = Figures::timed(runs, lines).context("it never ran")?;
        Ok(Figures { traffic, uncompressed, ..timed })
    }

    /// What a run through the proxy sends and receives, and how long its answer is.
    async fn counted(
        &self,
        tool: Tool,
        target: &BenchTarget,
        compression: Compression,
    ) -> Result<(Traffic, usize)> {
        self.proxy.reset_records();
        let (_, lines) = self.run(tool, target, compression).await?;
        Ok((traffic(&self.proxy).0, lines))
    }
}

/// What went through a proxy since its records were reset.
pub(crate) fn traffic(proxy: &Proxy) -> (Traffic, RequestStats) {
    let records = proxy.requests();
    let stats = RequestStats::of(records.iter().map(|record| record.path.as_str()));
    let traffic = Traffic {
        bytes: proxy.bytes().to_client,
        requests: stats.requests(),
        connections: proxy.connections(),
        lists: stats.lists(),
        most_lists: stats.most_lists(),
    };
    (traffic, stats)
}

async fn listed_kinds(lab: &Lab) -> Result<Vec<Kind>> {
    let mut all = Vec::new();
    for path in kinds::PATHS {
        let request = http::Request::get(path).header(http::header::ACCEPT, kinds::ACCEPT).body(Vec::new())?;
        let document = lab.client().request_text(request).await.context("failed to discover kinds")?;
        all.extend(kinds::listable(document.as_bytes())?);
    }
    Ok(all)
}

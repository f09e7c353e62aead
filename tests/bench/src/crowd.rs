//! Many resources judged together, and what one resource costs in requests; on a lab of their own, so that neither
//! meets the large worlds of the trees.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use lab::circle;
use lab::crowd::{Crowd, GROUP};
use lab::faults::Proxy;
use lab::{Lab, User};
use tempfile::TempDir;

use crate::answer;
use crate::aside::{Aside, AsideRow, Entry, Related};
use crate::calls::Calls;
use crate::figures::Figures;
use crate::log_progress;
use crate::offline::measured;
use crate::quiet;
use crate::replay::{self, Wanted};
use crate::stage::traffic;
use crate::stopwatch::{self, Invocation, Run};

/// How long the server may tidy up after a world was made, and after a run.
const AFTER_FILLING: Duration = Duration::from_secs(60);
const AFTER_RUN: Duration = Duration::from_secs(3);

/// A lab, and the way to it.
pub(crate) struct Place {
    lab: Lab,
    proxy: Proxy,
    op: PathBuf,
    bench: PathBuf,
    folder: TempDir,
}

/// One run of kubectl-op: how it went and what it said.
struct Asked {
    run: Run,
    answer: String,
}

impl Place {
    /// On a lab that has just been started.
    pub(crate) async fn new(lab: Lab, op: &Path) -> Result<Self> {
        let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a home folder")?;
        let bench = std::env::current_exe().context("failed to find this binary")?;
        Ok(Self { proxy: Proxy::start(&lab).await?, lab, op: op.to_owned(), bench, folder })
    }

    /// Tree and status of one resource with children of every sort.
    pub(crate) async fn circle(&self) -> Result<(Aside, Option<Related>)> {
        circle::fill(&self.lab.client()).await.context("failed to make the circle")?;
        quiet::settle(&self.lab, AFTER_FILLING).await;
        let root = format!("thing.{GROUP}/{}", circle::ROOT);
        let (mut rows, mut found) = (Vec::new(), Vec::new());
        for (entry, words) in [
            (Entry::CircleTree, vec!["tree", &root, "--all"]),
            (Entry::CircleOwned, vec!["tree", &root, "--all", "--owned-only"]),
            (Entry::CircleStatus, vec!["status", &root]),
        ] {
            let args: Vec<&str> = words.into_iter().chain(["-n", circle::NAMESPACE]).collect();
            let counted = self.counted(&args).await.map_err(|error| format!("{error:#}"));
            found.push(counted.as_ref().ok().map(|(_, calls, answer)| (calls.clone(), answer.clone())));
            rows.push(AsideRow { entry, outcome: counted.map(|(figures, ..)| figures) });
        }
        let related = match found.as_slice() {
            [Some((tree, answer)), Some((owned, _)), ..] => Some(Related::of(tree, answer, owned)),
            _ => None,
        };
        Ok((Aside { title: "one resource, through the counting proxy".to_owned(), rows }, related))
    }

    /// The status of many resources, beside the same requests alone.
    pub(crate) async fn crowd(&self, crowd: Crowd, rounds: usize) -> Result<Aside> {
        let title = format!("{} resources in {} namespaces", crowd.resources, crowd.namespaces);
        log_progress(&format!("making {title}"));
        crowd.fill(&self.lab.client()).await.context("failed to make the crowd")?;
        quiet::settle(&self.lab, AFTER_FILLING).await;
        log_progress(&format!("measuring {title}"));
        let kind = format!("things.{GROUP}");
        let status = ["status", &kind, "-A"];
        // Counted first: the bare requests are those that were sent here.
        let counted = self.counted(&status).await;
        let requests: Vec<Wanted> = self.proxy.requests().iter().map(Wanted::of).collect();
        let file = self.folder.path().join("requests.json");
        std::fs::write(&file, serde_json::to_vec(&requests)?)?;
        let (file, admin) = (file.display().to_string(), self.lab.kubeconfig(User::Admin));
        let mut rows = measured(&[Entry::CrowdStatus, Entry::CrowdReplay], rounds, async |entry| {
            quiet::settle(&self.lab, AFTER_RUN).await;
            let server = admin.display().to_string();
            let asked = match entry {
                Entry::CrowdReplay => self.run(&self.bench, &[replay::WORD, &server, &file], &admin).await?,
                _ => self.run(&self.op, &status, &admin).await?,
            };
            if entry == Entry::CrowdStatus {
                let troubled = crowd.troubled().to_string();
                ensure!(asked.answer.contains(&troubled), "its answer lacks the {troubled} in trouble");
            }
            Ok((asked.run, answer::lines(asked.answer.as_bytes())))
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
        Ok(Aside { title, rows })
    }

    /// One run through the proxy.
    async fn counted(&self, args: &[&str]) -> Result<(Figures, Calls, String)> {
        let kubeconfig = self.proxy.kubeconfig(User::Admin)?;
        quiet::settle(&self.lab, AFTER_RUN).await;
        self.proxy.reset_records();
        let asked = self.run(&self.op, args, &kubeconfig).await?;
        let (traffic, calls) = traffic(&self.proxy);
        let lines = answer::lines(asked.answer.as_bytes());
        let timed = Figures::timed(&[asked.run], lines).context("it never ran")?;
        Ok((Figures { traffic, ..timed }, calls, asked.answer))
    }

    async fn run(&self, program: &Path, args: &[&str], kubeconfig: &Path) -> Result<Asked> {
        let args = args.iter().map(|word| (*word).to_owned()).collect();
        let env = vec![("KUBECONFIG", kubeconfig.to_owned()), ("HOME", self.folder.path().to_owned())];
        let invocation = Invocation { program: program.to_owned(), args, env };
        let run = stopwatch::time(&invocation, self.folder.path()).await?;
        // Not fine, or not to be judged, is an answer.
        let answer = run.answer(|code| matches!(code, Some(0 | 1 | 3)))?;
        Ok(Asked { run, answer: String::from_utf8_lossy(&answer).into_owned() })
    }
}

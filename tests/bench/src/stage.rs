//! The lab with its worlds: makes each as it is asked for, and measures every subject in it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use lab::big::Big;
use lab::faults::Proxy;
use lab::{Lab, User, wait};
use tempfile::TempDir;

use crate::answer::{self, Expected};
use crate::calls::Calls;
use crate::figures::{Figures, Page, Row, Traffic};
use crate::kinds::{self, Kind};
use crate::log_progress;
use crate::quiet;
use crate::rounds::interleaved;
use crate::scene::Scene;
use crate::stopwatch::{self, Run};
use crate::subject::{Compression, Ground, Name, Tools};

/// How many objects the root owns.
const OWNED: usize = 210;
/// How long the server may tidy up after a world was made, and after a run.
const AFTER_FILLING: Duration = Duration::from_secs(90);
const AFTER_RUN: Duration = Duration::from_secs(3);
/// How long new kinds may take to appear in discovery.
const DISCOVERY: Duration = Duration::from_secs(300);

/// A lab in which worlds grow.
pub(crate) struct Stage {
    lab: Lab,
    proxy: Proxy,
    tools: Tools,
    /// How many kinds the server has of its own.
    own_kinds: usize,
    /// How many objects a namespace has already.
    filled: BTreeMap<String, usize>,
}

/// Where the subjects are sent, with what has to live as long as they do.
struct Place {
    kubeconfig: PathBuf,
    scene: Scene,
    namespace: String,
    kinds: Vec<Kind>,
    expected: Expected,
    folder: TempDir,
}

impl Place {
    fn new(kubeconfig: PathBuf, scene: Scene, kinds: &[Kind], expected: Expected) -> Result<Self> {
        let folder = TempDir::with_prefix("kubectl-op-bench-").context("failed to make a home folder")?;
        Ok(Self { kubeconfig, scene, namespace: scene.namespace(), kinds: kinds.to_vec(), expected, folder })
    }

    fn ground(&self) -> Ground<'_> {
        let (kubeconfig, namespace) = (self.kubeconfig.as_path(), self.namespace.as_str());
        Ground { kubeconfig, namespace, kinds: &self.kinds, home: self.folder.path() }
    }
}

impl Stage {
    /// On a lab that has just been started.
    pub(crate) async fn new(lab: Lab, tools: Tools) -> Result<Self> {
        let proxy = Proxy::start(&lab).await?;
        let own_kinds = listed_kinds(&lab).await?.len();
        Ok(Self { lab, proxy, tools, own_kinds, filled: BTreeMap::new() })
    }

    /// Makes the scene's world and measures the subjects in it.
    pub(crate) async fn page(&mut self, scene: Scene, subjects: &[Name], rounds: usize) -> Result<Page> {
        let big = self.fill(scene).await.with_context(|| format!("failed to make {scene}"))?;
        let wanted = self.own_kinds + big.kinds;
        let kinds = wait::until_within(DISCOVERY, "discovery of all kinds", async || {
            Ok(Some(listed_kinds(&self.lab).await?).filter(|kinds| kinds.len() >= wanted))
        })
        .await?;
        self.proxy.set_round_trip(scene.round_trip);
        let question = self.tools.question;
        let expected = Expected { question, owned: big.owned, objects: big.objects };
        let through_proxy = Place::new(self.proxy.kubeconfig(User::Admin)?, scene, &kinds, expected)?;
        let direct = Place::new(self.lab.kubeconfig(User::Admin), scene, &kinds, expected)?;
        let place = if scene.round_trip.is_zero() { &direct } else { &through_proxy };
        log_progress(&format!("measuring {scene}"));
        let timed = interleaved(subjects, rounds, async |name| {
            Ok(self.run(name, place, Compression::AsUsual).await?.0)
        })
        .await;
        let mut rows = Vec::new();
        for (name, runs) in timed {
            let outcome = match runs {
                Ok(runs) => {
                    self.figures(name, &runs, &through_proxy).await.map_err(|error| format!("{error:#}"))
                }
                Err(why) => Err(why),
            };
            rows.push(Row { name, outcome });
        }
        Ok(Page { scene, kinds: kinds.len(), nodes: big.owned + 1, rows })
    }

    async fn fill(&mut self, scene: Scene) -> Result<Big> {
        let namespace = scene.namespace();
        let big = Big {
            namespace: namespace.clone(),
            objects: scene.objects,
            kinds: scene.kinds.saturating_sub(self.own_kinds).max(1),
            owned: OWNED.min(scene.objects / 2),
        };
        let before = self.filled.get(&namespace).copied();
        if before == Some(scene.objects) {
            return Ok(big);
        }
        let started = Instant::now();
        log_progress(&format!("making {} objects, {} kinds", scene.objects, scene.kinds));
        match before {
            None => big.fill(&self.lab.client()).await?,
            Some(before) => {
                ensure!(before < scene.objects, "a world only grows");
                big.grow(&self.lab.client(), before).await?;
            }
        }
        self.filled.insert(namespace, scene.objects);
        let (made, settling) = (started.elapsed(), Instant::now());
        quiet::settle(&self.lab, AFTER_FILLING).await;
        let settled = settling.elapsed();
        log_progress(&format!(
            "made in {:.1} s, settled after {:.1} s more",
            made.as_secs_f32(),
            settled.as_secs_f32()
        ));
        Ok(big)
    }

    /// One run that answered, and how many lines it answered.
    async fn run(&self, name: Name, place: &Place, compression: Compression) -> Result<(Run, usize)> {
        quiet::settle(&self.lab, AFTER_RUN).await;
        let invocation = self.tools.invocation(name, &place.ground(), compression);
        let invocation = invocation.with_context(|| format!("{name} cannot be told about compression"))?;
        let run = stopwatch::time(&invocation, place.folder.path()).await?;
        let answer = run.answer(|code| name.answered(code))?;
        if let Some(complaint) = place.expected.complaint(name, &answer) {
            bail!("{complaint}");
        }
        Ok((run, answer::lines(&answer)))
    }

    async fn figures(&self, name: Name, runs: &[Run], through_proxy: &Place) -> Result<Figures> {
        if through_proxy.scene.round_trip.is_zero() {
            // The rounds went to the server itself; to a cache of discovery the proxy is another one.
            self.run(name, through_proxy, Compression::AsUsual).await?;
        }
        let (traffic, lines) = self.counted(name, through_proxy, Compression::AsUsual).await?;
        let uncompressed = match name {
            Name::Op => Some(self.counted(name, through_proxy, Compression::Off).await?.0.bytes),
            _ => None,
        };
        let timed = Figures::timed(runs, lines).context("it never ran")?;
        Ok(Figures { traffic, uncompressed, ..timed })
    }

    /// What a run through the proxy sends and receives, and how long its answer is.
    async fn counted(&self, name: Name, place: &Place, compression: Compression) -> Result<(Traffic, usize)> {
        self.proxy.reset_records();
        let (_, lines) = self.run(name, place, compression).await?;
        Ok((traffic(&self.proxy).0, lines))
    }
}

/// What went through a proxy since its records were reset.
pub(crate) fn traffic(proxy: &Proxy) -> (Traffic, Calls) {
    let records = proxy.requests();
    let calls = Calls::of(records.iter().map(|record| record.path.as_str()));
    let traffic = Traffic {
        bytes: proxy.bytes().to_client,
        requests: calls.requests(),
        connections: proxy.connections(),
        lists: calls.lists(),
        most_lists: calls.most_lists(),
    };
    (traffic, calls)
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

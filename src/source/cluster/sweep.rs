//! The first look: the metadata of every kind that could hold a child, all at once, and the root itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;

use tokio::sync::watch;

use super::Cluster;
use super::list::{Keep, Listed};
use super::request::RequestError;
use crate::error::{Failure, Kind as FailureKind};
use crate::model::candidate::CandidateFilter;
use crate::model::gap::Gap;
use crate::model::ident::Uid;
use crate::model::kind::{Kind, KindScope};
use crate::model::snapshot::{Object, Reach, Snapshot};
use crate::source::ReadContext;
use crate::source::selection::{Discovered, Look, Select, Selection};
use crate::source::skip::{is_within, is_worth_listing};

/// More namespaces than this are not asked one by one.
const NAMESPACES: usize = 100;

/// The candidates, as soon as the roots are read. Lists are asked for meanwhile and wait with their answers.
#[derive(Clone)]
pub(super) struct Told(watch::Receiver<Option<Arc<CandidateFilter>>>);

impl Told {
    pub(super) async fn wait(&self) -> Result<Arc<CandidateFilter>, RequestError> {
        let mut told = self.0.clone();
        let candidates = told.wait_for(Option::is_some).await.map_err(|_| RequestError::interrupted())?;
        candidates.clone().ok_or_else(RequestError::interrupted)
    }
}

/// What was read of one wish.
struct Roots {
    object: Vec<Object>,
    /// What stood in the way.
    gap: Option<Gap>,
}

/// One list to ask for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Errand {
    kind: usize,
    namespace: Option<String>,
}

/// What all errands brought home.
#[derive(Default)]
struct Harvest {
    /// By the kind's place in the server's order.
    found: Vec<(usize, Arc<Kind>, Listed)>,
    gaps: Vec<Gap>,
    /// Kinds that may not be listed in all namespaces at once, and what that leaves out.
    shut: Vec<(usize, Gap)>,
}

impl Cluster {
    /// Reads the roots and the metadata of everything that could be below them; `candidates` says by which traces their
    /// children are known. What cannot be read is a gap; only the roots are indispensable.
    pub async fn sweep(
        &self,
        discovered: &Discovered,
        wanted: &[Selection],
        look: Look<'_>,
        context: &ReadContext,
    ) -> Result<Snapshot, Failure> {
        let Look { reach, candidates } = look;
        let kinds: Vec<Arc<Kind>> =
            discovered.kinds.iter().filter(|kind| is_worth_listing(kind)).cloned().collect();
        let (tell, told) = watch::channel(None);
        let roots = std::pin::pin!(async {
            let roots = self.read_roots(wanted, context).await?;
            tell.send_replace(Some(Arc::new(candidates(&roots.0, &discovered.kinds))));
            Ok::<_, Failure>(roots)
        });
        let told = Told(told);
        // What is read whole for its own sake is not listed once more.
        let whole = |kind: &Arc<Kind>| wanted.iter().any(|wanted| wanted.covers(kind, &reach));
        let listed: Vec<Arc<Kind>> = kinds.iter().filter(|kind| !whole(kind)).cloned().collect();
        let lists = std::pin::pin!(self.list_all(&listed, &reach, &told, context));
        // A root that is not there makes the rest pointless, so it is not waited for.
        let ((roots, missed), mut harvest) = match select(roots, lists).await {
            Either::Left((roots, lists)) => (roots?, lists.await),
            Either::Right((harvest, roots)) => (roots.await?, harvest),
        };
        let mut counts: HashMap<String, usize> = HashMap::new();
        for root in roots.iter().filter(|root| whole(&root.kind)) {
            *counts.entry(root.kind.full_name()).or_default() += 1;
        }
        let uids: Vec<Uid> = roots.iter().map(|root| root.meta.uid.clone()).collect();
        let mut known: HashSet<Uid> = uids.iter().cloned().collect();
        let mut objects = roots;
        for (_, kind, listed) in harvest.found {
            *counts.entry(kind.full_name()).or_default() += listed.total;
            // One object may be served by two groups; the first one announced tells of it.
            let new = listed.kept.into_iter().filter(|kept| known.insert(kept.meta.uid.clone()));
            objects.extend(new.map(|kept| Object {
                kind: Arc::clone(&kind),
                meta: kept.meta,
                body: kept.body,
            }));
        }
        harvest.gaps.extend(missed);
        harvest.gaps.extend(discovered.gaps.iter().cloned());
        harvest.gaps.sort();
        Ok(Snapshot {
            roots: uids,
            objects,
            kinds: Arc::clone(&discovered.kinds),
            counts,
            kinds_asked: kinds.iter().filter(|kind| is_within(kind, &reach)).count(),
            reach: reach.clone(),
            gaps: harvest.gaps,
            now: self.clock.now(),
            ..Snapshot::default()
        })
    }

    /// Reads what was asked about. A named object must be there; kinds that cannot be listed are gaps when there
    /// are others.
    async fn read_roots(
        &self,
        wanted: &[Selection],
        context: &ReadContext,
    ) -> Result<(Vec<Object>, Vec<Gap>), Failure> {
        let reads =
            wanted.iter().map(|wanted| async move { (wanted, self.read_wanted(wanted, context).await) });
        let mut reads = futures_util::stream::iter(reads).buffered(self.at_once());
        let (mut roots, mut gaps) = (Vec::new(), Vec::new());
        loop {
            let read = tokio::select! {
                biased;
                () = context.stop.asked() => return Err(Failure::new(FailureKind::Interrupted, "interrupted")),
                read = reads.next() => read,
            };
            match read {
                None => return Ok((roots, gaps)),
                Some((_, Ok(found))) => {
                    roots.extend(found.object);
                    gaps.extend(found.gap);
                }
                Some((wanted, Err(error))) if wanted.is_optional() => {
                    gaps.push(error.gap(&wanted.kind, wanted.namespace.as_deref(), "list"));
                }
                Some((_, Err(error))) => return Err(error.failure()),
            }
        }
    }

    async fn read_wanted(&self, wanted: &Selection, context: &ReadContext) -> Result<Roots, RequestError> {
        let (kind, namespace) = (&wanted.kind, wanted.namespace.as_deref());
        match &wanted.which {
            Select::Named(name) => {
                let what = format!("{}/{name}", kind.full_name());
                context.progress.during(what, self.read_any_version(kind, namespace, name)).await
            }
            Select::All(selector) | Select::Any(selector) => {
                let list = self.list_whole(kind, namespace, selector);
                let object = context.progress.during(kind.full_name(), list).await?;
                Ok(Roots { object, gap: None })
            }
        }
    }

    /// Reads an object in the version that the server prefers, or in another one when that cannot be converted to:
    /// the person sees it all the same, and why it was hard to see.
    async fn read_any_version(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Roots, RequestError> {
        let error = match self.read(kind, namespace, name).await {
            Ok(root) => return Ok(Roots { object: vec![root], gap: None }),
            Err(error) if error.is_conversion() => error,
            Err(error) => return Err(error),
        };
        for version in kind.versions.iter().filter(|version| **version != kind.version) {
            let other = Arc::new(kind.in_version(version));
            if let Ok(root) = self.read(&other, namespace, name).await {
                return Ok(Roots { object: vec![root], gap: Some(error.gap(kind, namespace, "get")) });
            }
        }
        Err(error)
    }

    async fn list_all(
        &self,
        kinds: &[Arc<Kind>],
        reach: &Reach,
        candidates: &Told,
        context: &ReadContext,
    ) -> Harvest {
        let namespace = match reach {
            Reach::Namespace(namespace) => Some(namespace.clone()),
            Reach::Cluster => None,
        };
        let within = kinds.iter().enumerate().filter(|(_, kind)| is_within(kind, reach));
        let errands = within.map(|(kind, _)| Errand { kind, namespace: namespace.clone() }).collect();
        let mut harvest = self.run(kinds, errands, candidates, context).await;
        if !harvest.shut.is_empty() {
            let open =
                self.list_by_namespace(kinds, std::mem::take(&mut harvest.shut), candidates, context).await;
            harvest.found.extend(open.found);
            harvest.gaps.extend(open.gaps);
        }
        // Answers come in any order; what is made of them must not.
        harvest.found.sort_by_key(|(place, ..)| *place);
        harvest
    }

    /// For people who may look into namespaces, but not into all at once.
    async fn list_by_namespace(
        &self,
        kinds: &[Arc<Kind>],
        shut: Vec<(usize, Gap)>,
        candidates: &Told,
        context: &ReadContext,
    ) -> Harvest {
        let all = self.namespaces().await.ok().filter(|all| all.len() <= NAMESPACES);
        let known = all.is_some();
        let namespaces = all.unwrap_or_else(|| vec![self.client.default_namespace().to_owned()]);
        let each = |(kind, _): &(usize, Gap)| {
            let errand = |namespace: &String| Errand { kind: *kind, namespace: Some(namespace.clone()) };
            namespaces.iter().map(errand).collect::<Vec<_>>()
        };
        let mut harvest = self.run(kinds, shut.iter().flat_map(each).collect(), candidates, context).await;
        if !known {
            // Other namespaces may have children: nobody can say which.
            harvest.gaps.extend(shut.into_iter().map(|(_, gap)| gap));
        }
        harvest
    }

    /// Runs errands side by side until all are done or the person has had enough.
    async fn run(
        &self,
        kinds: &[Arc<Kind>],
        errands: Vec<Errand>,
        candidates: &Told,
        context: &ReadContext,
    ) -> Harvest {
        let mut open: HashSet<Errand> = errands.iter().cloned().collect();
        let ask = |errand: Errand| async move {
            let kind = &kinds[errand.kind];
            let list = self.list_any_version(kind, errand.namespace.as_deref(), candidates);
            let answer = context.progress.during(kind.full_name(), list).await;
            (errand, answer)
        };
        let (mut waiting, mut answers) = (errands.into_iter(), FuturesUnordered::new());
        let mut harvest = Harvest::default();
        loop {
            // Asked anew each time: the first answers show how far away the server is.
            let room = self.at_once().saturating_sub(answers.len());
            answers.extend(waiting.by_ref().take(room).map(&ask));
            let (errand, answer) = tokio::select! {
                biased;
                () = context.stop.asked() => break,
                next = answers.next() => match next {
                    Some(next) => next,
                    None => break,
                },
            };
            let kind = &kinds[errand.kind];
            match answer {
                Ok((kind, listed)) => harvest.found.push((errand.kind, kind, listed)),
                Err(error)
                    if error.status == Some(403)
                        && errand.namespace.is_none()
                        && kind.scope == KindScope::Namespaced =>
                {
                    harvest.shut.push((errand.kind, error.gap(kind, None, "list")));
                }
                Err(error) => harvest.gaps.push(error.gap(kind, errand.namespace.as_deref(), "list")),
            }
            open.remove(&errand);
        }
        harvest.gaps.extend(open.into_iter().map(|errand| {
            RequestError::interrupted().gap(&kinds[errand.kind], errand.namespace.as_deref(), "list")
        }));
        harvest
    }

    /// Lists a kind in the version that the server prefers, or in another one when the preferred one cannot be
    /// converted to: the stored version needs no webhook.
    async fn list_any_version(
        &self,
        kind: &Arc<Kind>,
        namespace: Option<&str>,
        candidates: &Told,
    ) -> Result<(Arc<Kind>, Listed), RequestError> {
        let first = self.list_metadata(kind, namespace, Keep::Pointed(candidates)).await;
        let Err(error) = first else { return first.map(|listed| (Arc::clone(kind), listed)) };
        if error.is_conversion() {
            for version in kind.versions.iter().filter(|version| **version != kind.version) {
                let other = Arc::new(kind.in_version(version));
                if let Ok(listed) = self.list_metadata(&other, namespace, Keep::Pointed(candidates)).await {
                    return Ok((other, listed));
                }
            }
        }
        Err(error)
    }
}

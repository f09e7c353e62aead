//! Following `next:` from any report ends in an action, and never leads back.

use super::*;
use crate::model::log::CrashedContainer;
use crate::model::rule::Rule;

fn object(kind: &str, name: &str) -> ObjectName {
    ObjectName {
        api_version: if kind == "Pod" { "v1".into() } else { "example.com/v1".into() },
        kind: kind.into(),
        namespace: Some("shop".into()),
        name: name.into(),
    }
}

/// A command of this program, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Visit {
    Tree(ObjectName),
    TreeList,
    Status(ObjectName),
    StatusList,
    Events(ObjectName),
    Explain(Code),
}

/// Everything that the reports about a resource can depend on.
#[derive(Debug)]
struct World {
    root: ObjectName,
    verdict: Verdict,
    cause: Option<Cause>,
    finding: Option<Code>,
    events: EventsShown,
    warning: Option<ObjectName>,
    is_restart: bool,
    source: SourceKind,
}

impl World {
    /// The report of a command. The object of a warning is judged like the resource itself, which is the worst case.
    fn summary<'a>(&'a self, visit: &'a Visit) -> Option<ReportSummary<'a>> {
        let (root, verdict) = (&self.root, self.verdict);
        Some(match visit {
            Visit::Tree(root) => ReportSummary::Tree { root, verdict },
            Visit::TreeList | Visit::StatusList => ReportSummary::List { worst: root, verdict },
            Visit::Status(resource) => ReportSummary::Status {
                resource,
                verdict,
                cause: self.cause.as_ref(),
                finding: self.finding,
                events: self.events,
            },
            Visit::Events(_) => {
                ReportSummary::Events { warning: self.warning.as_ref(), is_restart: self.is_restart }
            }
            Visit::Explain(_) => return None,
        })
    }
}

fn causes(root: &ObjectName) -> Vec<Option<Cause>> {
    let cause = |object: ObjectName, verdict, run: Option<ContainerRun>| {
        let container = |run| CrashedContainer { name: "app".into(), run, restarts: 1 };
        Some(Cause {
            is_own: object == *root,
            related: false,
            object,
            verdict,
            status: "Error".into(),
            rule: Rule::Pod,
            reason: None,
            message: None,
            since: None,
            code: Code::CrashLoop,
            last_warning: None,
            crashed_container: run.map(container),
        })
    };
    let mut all = vec![None];
    for verdict in
        [Verdict::Progressing, Verdict::Terminating, Verdict::NotReady, Verdict::Failed, Verdict::Stuck]
    {
        all.push(cause(root.clone(), verdict, None));
        all.push(cause(object("Deployment", "shop"), verdict, None));
        for run in [ContainerRun::Current, ContainerRun::Previous] {
            all.push(cause(object("Pod", "shop-0"), verdict, Some(run)));
        }
    }
    all
}

fn worlds() -> Vec<World> {
    let root = object("Website", "shop");
    let mut worlds = Vec::new();
    let verdicts = [
        Verdict::None,
        Verdict::Ready,
        Verdict::Suspended,
        Verdict::Unknown,
        Verdict::Failed,
        Verdict::Stuck,
    ];
    for source in [SourceKind::Cluster, SourceKind::Dump] {
        // In a dump, `status` always shows the events.
        let shown: &[EventsShown] = match source {
            SourceKind::Cluster => &[EventsShown::Yes, EventsShown::No],
            SourceKind::Dump => &[EventsShown::Yes],
        };
        for (events, verdict) in shown.iter().flat_map(|events| verdicts.map(|verdict| (*events, verdict))) {
            for (cause, finding) in causes(&root)
                .into_iter()
                .flat_map(|cause| [(cause.clone(), None), (cause, Some(Code::NoStatus))])
            {
                for warning in [None, Some(root.clone()), Some(object("Pod", "shop-0"))] {
                    for is_restart in [false, true] {
                        worlds.push(World {
                            root: root.clone(),
                            verdict,
                            cause: cause.clone(),
                            finding,
                            events,
                            warning: warning.clone(),
                            is_restart,
                            source,
                        });
                    }
                }
            }
        }
    }
    worlds
}

#[test]
fn following_next_ends_within_three_steps_and_never_leads_back() {
    let worlds = worlds();
    for world in &worlds {
        let root = &world.root;
        for start in [
            Visit::Tree(root.clone()),
            Visit::TreeList,
            Visit::Status(root.clone()),
            Visit::StatusList,
            Visit::Events(root.clone()),
        ] {
            let mut visited = vec![start];
            while let Some(next) = visited.last().and_then(|last| world.summary(last)) {
                let next = match follow(next, world.source) {
                    Some(NextCommand::Status(object)) => Visit::Status(object.clone()),
                    Some(NextCommand::Events(object)) => Visit::Events(object.clone()),
                    Some(NextCommand::Explain(code)) => Visit::Explain(code),
                    Some(
                        kubectl @ (NextCommand::Describe(_)
                        | NextCommand::Finalizers(_)
                        | NextCommand::Logs { .. }),
                    ) => {
                        assert_eq!(world.source, SourceKind::Cluster, "{kubectl:?} cannot read a dump");
                        break;
                    }
                    None => break,
                };
                assert!(!visited.contains(&next), "{visited:?} leads back to {next:?}: {world:?}");
                visited.push(next);
                assert!(visited.len() <= 4, "{visited:?} is too long: {world:?}");
            }
        }
    }
    assert!(worlds.len() > 1000);
}

#[test]
fn what_is_wrong_has_a_next_command_and_what_is_healthy_has_none() {
    for world in worlds() {
        let status = world.summary(&Visit::Status(world.root.clone())).map(|_| ());
        assert!(status.is_some());
        let visit = Visit::Status(world.root.clone());
        let next = world.summary(&visit).and_then(|summary| follow(summary, world.source));
        match (&world.cause, world.verdict) {
            (Some(_), _) => assert!(next.is_some(), "{world:?}"),
            (None, Verdict::None | Verdict::Ready | Verdict::Suspended) => assert_eq!(next, None),
            _ => {}
        }
    }
}

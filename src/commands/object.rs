//! The objects on the command line: `TYPE/NAME`, `TYPE NAME`, or a manifest.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::join_or;
use super::source_flags::source_flags;
use crate::error::{Failure, FailureKind};
use crate::known::kinds::{EXTENSIONS, moved_to};
use crate::model::gap::Gap;
use crate::model::ident::group_of;
use crate::model::kind::{Kind, KindScope};
use crate::source::resolve::{Resolved, Unknown, near_names, resolve};
use crate::source::selection::{NamespacedName, Select, Selection};
use crate::source::session::Session;
use crate::source::text_file;
use crate::source::{From, SourceSpec};
use crate::ui::quote::{join_words, quote};

/// The largest manifest that is read. It only identifies objects, each of which a server limits to a few MiB.
const MAX_MANIFEST: u64 = 16 * 1024 * 1024;

const MANIFEST_HINT: &str = "the file must contain objects with apiVersion, kind and metadata.name";

/// How many namespaces are named; nobody reads more.
const MAX_SHOWN: usize = 5;

/// The arguments that select objects.
#[derive(clap::Args, Debug)]
pub struct ObjectArgs {
    /// TYPE/NAME or TYPE NAME; types as kubectl accepts them
    #[arg(value_name = "TYPE/NAME", hide = true)]
    args: Vec<String>,
    /// Manifest that identifies the object; - reads standard input
    #[arg(long, short, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Selection")]
    filename: Option<PathBuf>,
}

/// A resource argument, not resolved yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceArg {
    /// The type as typed: plural, singular, short name or kind, with or without a group.
    pub kind: String,
    /// `None` selects all objects of the type.
    pub name: Option<String>,
    /// Only set by a manifest.
    pub namespace: Option<String>,
}

impl ObjectArgs {
    /// The only object, or the only type, on the command line.
    pub fn one(&self, program: &str, command: &str) -> Result<ResourceArg, Failure> {
        let mut all = self.all(program, command)?;
        match (all.pop(), all.is_empty(), &self.filename) {
            (Some(one), true, _) => Ok(one),
            (_, _, Some(file)) => Err(Failure::new(
                FailureKind::Usage,
                format!("{}: expected exactly one object, found {}", shown(file), all.len() + 1),
            )
            .hint(format!("for several objects: {program} status"))),
            _ => Err(Failure::new(FailureKind::Usage, "expected exactly one object").hint(format!(
                "usage: {program} {command} TYPE/NAME, for example {program} {command} website/shop"
            ))),
        }
    }

    /// Whether no object is given.
    pub fn is_empty(&self) -> bool {
        self.args.is_empty() && self.filename.is_none()
    }

    /// All objects on the command line or in the manifest. `command` is for hints.
    pub fn all(&self, program: &str, command: &str) -> Result<Vec<ResourceArg>, Failure> {
        let usage = |message: String| {
            Failure::new(FailureKind::Usage, message).hint(format!(
                "usage: {program} {command} TYPE/NAME, for example {program} {command} website/shop"
            ))
        };
        match (&self.filename, self.args.as_slice()) {
            (Some(file), []) => from_manifest(file),
            (Some(_), _) => Err(usage(
                "when files are provided as input arguments may not be provided as well".to_owned(),
            )),
            (None, args) => from_args(args).map_err(usage),
        }
    }
}

/// Parses resource arguments by kubectl's rules, with its error messages.
fn from_args(args: &[String]) -> Result<Vec<ResourceArg>, String> {
    let named = |kind: &str, name: Option<&str>| ResourceArg {
        kind: kind.to_owned(),
        name: name.map(str::to_owned),
        namespace: None,
    };
    let slashed = args.iter().filter(|arg| arg.contains('/')).count();
    match (args, slashed) {
        ([], _) => Err("you must specify an object".to_owned()),
        ([types], 0) => Ok(types.split(',').filter(|arg| !arg.is_empty()).map(|kind| named(kind, None)).collect()),
        ([kind, others @ ..], 0) => Ok(others.iter().map(|name| named(kind, Some(name))).collect()),
        (args, slashed) if slashed < args.len() => Err(
            "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form".to_owned(),
        ),
        (args, _) => args
            .iter()
            .map(|arg| match arg.split('/').collect::<Vec<_>>().as_slice() {
                [kind, name] if !kind.is_empty() && !name.is_empty() => Ok(named(kind, Some(name))),
                [_, _] => Err("arguments in resource/name form must have a single resource and name".to_owned()),
                _ => Err("arguments in resource/name form may not have more than one slash".to_owned()),
            })
            .collect(),
    }
}

fn shown(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

fn from_manifest(file: &Path) -> Result<Vec<ResourceArg>, Failure> {
    let shown = shown(file);
    let broken =
        |what: &str| Failure::new(FailureKind::Usage, format!("{shown}: {what}")).hint(MANIFEST_HINT);
    let text = text_file::read(file, MAX_MANIFEST).map_err(|problem| {
        Failure::new(FailureKind::Usage, format!("-f {shown}: {problem}")).hint(MANIFEST_HINT)
    })?;
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).map_err(|error| {
        let place = error.location().map_or_else(String::new, |place| format!(" at line {}", place.line()));
        broken(&format!("not YAML or JSON{place}"))
    })?;
    let objects: Vec<Value> =
        documents.into_iter().filter(|document| !document.is_null()).flat_map(unfolded).collect();
    if objects.is_empty() {
        return Err(broken("contains no objects"));
    }
    objects.iter().map(|object| from_object(object, &broken)).collect()
}

fn from_object(object: &Value, broken: &impl Fn(&str) -> Failure) -> Result<ResourceArg, Failure> {
    let text = |value: &Value, field: &str| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| broken(&format!("{field} is missing")))
    };
    let (api_version, kind) = (text(&object["apiVersion"], "apiVersion")?, text(&object["kind"], "kind")?);
    let name = text(&object["metadata"]["name"], "metadata.name")?;
    let namespace = object["metadata"]["namespace"].as_str().map(str::to_owned);
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let kind = match group_of(&api_version) {
        "" => kind,
        group => format!("{kind}.{version}.{group}"),
    };
    Ok(ResourceArg { kind, name: Some(name), namespace })
}

/// The objects in a List, or the object itself.
fn unfolded(document: Value) -> Vec<Value> {
    match document {
        Value::Object(mut fields) if fields.get("kind").is_some_and(|kind| kind == "List") => {
            match fields.remove("items") {
                Some(Value::Array(items)) => items,
                _ => Vec::new(),
            }
        }
        other => vec![other],
    }
}

/// A kind that the source serves.
pub struct ResolvedKind {
    pub kind: Arc<Kind>,
    /// Other kinds that the same name matches.
    pub also: Vec<String>,
}

impl ResourceArg {
    /// Resolves the type to a kind.
    pub fn find(&self, session: &Session, spec: &SourceSpec, command: &str) -> Result<ResolvedKind, Failure> {
        let resolved = resolve(session.kinds(), &self.kind)
            .or_else(|unknown| self.find_moved(session).ok_or(unknown))
            .map_err(|unknown| self.no_such_kind(&unknown, session, spec, command))?;
        Ok(ResolvedKind { kind: resolved.kind, also: resolved.also })
    }

    /// Rejects a manifest whose namespace is not that of `--namespace`, in kubectl's words.
    pub fn check_namespace(&self, kind: &Kind, spec: &SourceSpec) -> Result<(), Failure> {
        match (&self.namespace, &spec.target.namespace) {
            (Some(own), Some(flag)) if own != flag && kind.scope == KindScope::Namespaced => {
                Err(Failure::new(
                    FailureKind::Usage,
                    format!(
                        "the namespace from the provided object \"{own}\" does not match the namespace \"{flag}\". You must pass '--namespace={own}' to perform this operation."
                    ),
                ))
            }
            _ => Ok(()),
        }
    }

    /// The kind that moved out of the group `extensions`, if the type is in that group.
    fn find_moved(&self, session: &Session) -> Option<Resolved> {
        let (name, group) = self.kind.split_once('.')?;
        let group = group.rsplit('.').next().unwrap_or(group);
        let found = resolve(session.kinds(), name).ok().filter(|_| group == EXTENSIONS)?;
        moved_to(group, &found.kind.kind).map(|_| Resolved { kind: found.kind, also: Vec::new() })
    }

    fn no_such_kind(
        &self,
        unknown: &Unknown,
        session: &Session,
        spec: &SourceSpec,
        command: &str,
    ) -> Failure {
        let who = source_name(spec);
        let failure = Failure::new(
            FailureKind::Server,
            format!("{who} doesn't have a resource type \"{}\"", self.kind),
        );
        match unknown.near.as_slice() {
            // The type may be in the part that cannot be read.
            [] if session.unreadable_parts().next().is_some() => {
                let message = format!("no resource type \"{}\" in {}", self.kind, spec.described());
                unreadable(&message, self.name.as_deref().unwrap_or(&self.kind), session, spec)
                    .unwrap_or(failure)
            }
            [] => failure.hint(types_hint(spec)),
            [first, ..] => {
                let near = join_or(&unknown.near);
                let name = self.name.as_ref().map_or_else(String::new, |name| format!("/{name}"));
                let namespace = spec.target.namespace.as_ref();
                let place =
                    namespace.map_or_else(String::new, |namespace| format!(" -n {}", quote(namespace)));
                let from = from_flags(spec);
                let program = &spec.target.program;
                failure.hint(format!("did you mean {near}? {program} {command} {first}{name}{place}{from}"))
            }
        }
    }
}

/// Where objects are read from, as errors name it.
pub(super) fn source_name(spec: &SourceSpec) -> &'static str {
    match spec.from {
        None => "the server",
        Some(From::Dump(_)) => "the dump",
        Some(From::Demo) => "the demo cluster",
    }
}

/// The hint for a type that does not exist.
pub(super) fn types_hint(spec: &SourceSpec) -> String {
    match spec.from {
        None => "for a list of resource types: kubectl api-resources".to_owned(),
        Some(From::Dump(_)) => {
            "a dump has only the kinds of its objects and of its CustomResourceDefinitions".to_owned()
        }
        Some(From::Demo) => format!("for its custom resources: {} status --demo", spec.target.program),
    }
}

/// The flags that select the same dump again; none for a cluster.
fn from_flags(spec: &SourceSpec) -> String {
    if spec.from.is_some() { format!(" {}", join_words(&source_flags(spec))) } else { String::new() }
}

/// The failure for an object that was not found in a dump of which parts cannot be read: it may be in one of them. `message`
/// says what was not found, `name` is its name; the part whose place has the name is named first.
pub(super) fn unreadable(message: &str, name: &str, session: &Session, spec: &SourceSpec) -> Option<Failure> {
    let is_likely = |gap: &&Gap| !name.is_empty() && gap.resource.contains(name);
    let part = session.unreadable_parts().find(is_likely).or_else(|| session.unreadable_parts().next())?;
    let more = match session.unreadable_parts().count() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let source = spec.described();
    let message = format!("{message}, but parts of {source} cannot be read, so it may be in them");
    let hint = format!("{}{more}: {}", part.what(), part.message);
    Some(Failure::new(FailureKind::Server, message).hint(hint))
}

/// The failure for a name that several namespaces of a dump have.
pub(super) fn ambiguous(
    kind: &Arc<Kind>,
    name: &str,
    namespaces: &[String],
    spec: &SourceSpec,
    command: &str,
) -> Failure {
    let (full_name, source) = (kind.full_name(), spec.described());
    let count = namespaces.len();
    let shown: Vec<&str> = namespaces.iter().take(MAX_SHOWN).map(String::as_str).collect();
    let more = match count.saturating_sub(MAX_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message =
        format!("{full_name} \"{name}\" is in {count} namespaces of {source}: {}{more}", shown.join(", "));
    let commands: Vec<String> =
        shown.iter().map(|namespace| command_for(kind, name, namespace, spec, command)).collect();
    Failure::new(FailureKind::Usage, message).hint(format!("choose one with -n: {}", commands.join(", or ")))
}

/// A command about an object of the same source.
fn command_for(kind: &Arc<Kind>, name: &str, namespace: &str, spec: &SourceSpec, command: &str) -> String {
    let flag = if namespace.is_empty() { String::new() } else { format!(" -n {}", quote(namespace)) };
    let object = format!("{}/{name}", type_name(kind));
    format!("{} {command} {}{flag}{}", spec.target.program, quote(&object), from_flags(spec))
}

/// The failure for an object that does not exist, with similar or existing names as a hint.
pub fn not_found(others: &[NamespacedName], wanted: &Selection, spec: &SourceSpec, command: &str) -> Failure {
    let Selection { kind, namespace, objects, .. } = wanted;
    let Select::Named(name) = objects else {
        return Failure::new(FailureKind::Server, format!("no {} found", kind.full_name()));
    };
    let place = match (namespace, spec.from.is_some()) {
        (Some(namespace), true) => format!(" in namespace {namespace} of {}", spec.described()),
        (None, true) => format!(" in {}", spec.described()),
        (Some(namespace), false) => format!(" in namespace {namespace}"),
        (None, false) => String::new(),
    };
    let failure =
        Failure::new(FailureKind::NotFound, format!("{} \"{name}\" not found{place}", kind.full_name()));
    let call = |name: &str, place: &str| command_for(kind, name, place, spec, command);
    if let Some(other) = others.iter().find(|other| other.name == *name) {
        let place = &other.namespace;
        return failure.hint(format!("there is one in namespace {place}: {}", call(name, place)));
    }
    let here = others
        .iter()
        .filter(|other| namespace.as_ref().is_none_or(|namespace| *namespace == other.namespace));
    let here: Vec<&str> = here.map(|other| other.name.as_str()).collect();
    match near_names(here.iter().copied(), name).first() {
        Some(near) => {
            let place = others.iter().find(|other| other.name == *near).map(|other| other.namespace.as_str());
            failure.hint(format!("did you mean {near}? {}", call(near, place.unwrap_or_default())))
        }
        None if here.is_empty() => failure,
        None => failure
            .hint(format!("existing names: {}", here.iter().take(5).copied().collect::<Vec<_>>().join(", "))),
    }
}

/// The type as users type it.
fn type_name(kind: &Arc<Kind>) -> &str {
    if kind.singular.is_empty() { &kind.plural } else { &kind.singular }
}

//! Which object is meant: `TYPE/NAME`, `TYPE NAME`, or a manifest.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::shell::{line, source_flags};
use crate::error::{Failure, Kind as FailureKind};
use crate::model::gap::Reason;
use crate::model::ident::group_of;
use crate::model::kind::Kind;
use crate::source::SourceSpec;
use crate::source::resolve::{Unknown, near_names, resolve};
use crate::source::selection::{NamespacedName, Select, Selection};
use crate::source::session::Session;

/// The words and the flag that name one object.
#[derive(clap::Args, Debug)]
pub struct ObjectArgs {
    /// TYPE/NAME or TYPE NAME; the type as kubectl takes it
    #[arg(value_name = "TYPE/NAME", hide = true)]
    words: Vec<String>,
    /// Take type, name and namespace from a manifest; - reads standard input
    #[arg(long, short, value_name = "FILE", value_hint = clap::ValueHint::FilePath, help_heading = "Select")]
    filename: Option<PathBuf>,
}

/// What was named, before the server was asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// A word for a type.
    pub kind: String,
    /// Nothing means all of them.
    pub name: Option<String>,
    /// Given by a manifest only.
    pub namespace: Option<String>,
}

impl ObjectArgs {
    /// The one object, or the one type, that was typed.
    pub fn named(&self, program: &str, command: &str) -> Result<Named, Failure> {
        let mut all = self.all(program, command)?;
        match (all.pop(), all.is_empty(), &self.filename) {
            (Some(one), true, _) => Ok(one),
            (_, _, Some(file)) => Err(Failure::new(
                FailureKind::Usage,
                format!("{} holds {} objects; one at a time, please", shown(file), all.len() + 1),
            )
            .hint(format!("{program} status takes several"))),
            _ => Err(Failure::new(FailureKind::Usage, "one object at a time, please")
                .hint(format!("{program} {command} TYPE/NAME, as in {program} {command} voteconfig/demo"))),
        }
    }

    /// Whether nothing was typed at all.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.filename.is_none()
    }

    /// Everything that was typed, or that a manifest names. `command` is for hints.
    pub fn all(&self, program: &str, command: &str) -> Result<Vec<Named>, Failure> {
        let usage = |message: String| {
            Failure::new(FailureKind::Usage, message)
                .hint(format!("{program} {command} TYPE/NAME, as in {program} {command} voteconfig/demo"))
        };
        match (&self.filename, self.words.as_slice()) {
            (Some(file), []) => from_manifest(file),
            (Some(_), _) => Err(usage(
                "when files are provided as input arguments may not be provided as well".to_owned(),
            )),
            (None, words) => from_words(words).map_err(usage),
        }
    }
}

/// kubectl's rules and words.
fn from_words(words: &[String]) -> Result<Vec<Named>, String> {
    let named = |kind: &str, name: Option<&str>| Named {
        kind: kind.to_owned(),
        name: name.map(str::to_owned),
        namespace: None,
    };
    let slashed = words.iter().filter(|word| word.contains('/')).count();
    match (words, slashed) {
        ([], _) => Err("you must specify the object to look at".to_owned()),
        ([types], 0) => Ok(types.split(',').filter(|word| !word.is_empty()).map(|kind| named(kind, None)).collect()),
        ([kind, others @ ..], 0) => Ok(others.iter().map(|name| named(kind, Some(name))).collect()),
        (words, slashed) if slashed < words.len() => Err(
            "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form".to_owned(),
        ),
        (words, _) => words
            .iter()
            .map(|word| match word.split('/').collect::<Vec<_>>().as_slice() {
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

fn from_manifest(file: &Path) -> Result<Vec<Named>, Failure> {
    let shown = shown(file);
    let broken = |what: &str| {
        Failure::new(FailureKind::Usage, format!("{shown}: {what}"))
            .hint("it must hold objects with apiVersion, kind and metadata.name")
    };
    let text = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| broken(&format!("cannot be read: {}", error.kind())))?;
    let documents: Vec<Value> = serde_saphyr::from_multiple(&text).map_err(|error| {
        let place = error.location().map_or_else(String::new, |place| format!(" at line {}", place.line()));
        broken(&format!("not YAML or JSON{place}"))
    })?;
    let objects: Vec<Value> =
        documents.into_iter().filter(|document| !document.is_null()).flat_map(unfolded).collect();
    if objects.is_empty() {
        return Err(broken("holds no object"));
    }
    objects.iter().map(|object| from_object(object, &broken)).collect()
}

fn from_object(object: &Value, broken: &impl Fn(&str) -> Failure) -> Result<Named, Failure> {
    let word = |value: &Value, field: &str| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| broken(&format!("{field} is missing")))
    };
    let (api_version, kind) = (word(&object["apiVersion"], "apiVersion")?, word(&object["kind"], "kind")?);
    let name = word(&object["metadata"]["name"], "metadata.name")?;
    let namespace = object["metadata"]["namespace"].as_str().map(str::to_owned);
    let version = api_version.rsplit('/').next().unwrap_or_default();
    let kind = match group_of(&api_version) {
        "" => kind,
        group => format!("{kind}.{version}.{group}"),
    };
    Ok(Named { kind, name: Some(name), namespace })
}

/// A List is what it holds.
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

/// The kind as the server knows it.
pub struct Found {
    pub kind: Arc<Kind>,
    /// Other kinds that the word names too.
    pub also: Vec<String>,
}

impl Named {
    /// Finds the kind among those that there are.
    pub fn find(&self, session: &Session, spec: &SourceSpec, command: &str) -> Result<Found, Failure> {
        let resolved = resolve(session.kinds(), &self.kind)
            .map_err(|unknown| self.no_such_kind(&unknown, session, spec, command))?;
        Ok(Found { kind: resolved.kind, also: resolved.also })
    }

    fn no_such_kind(
        &self,
        unknown: &Unknown,
        session: &Session,
        spec: &SourceSpec,
        command: &str,
    ) -> Failure {
        let broken = session.discovery_gaps().iter().find(|gap| gap.reason == Reason::Broken);
        let who = if spec.from.is_some() { "the dump" } else { "the server" };
        let failure = Failure::new(
            FailureKind::Server,
            format!("{who} doesn't have a resource type \"{}\"", self.kind),
        );
        match unknown.near.as_slice() {
            // What is broken may have been just that.
            [] if broken.is_some() => {
                let gap = broken.map_or_else(String::new, |gap| format!("{}: {}", gap.what(), gap.message));
                failure.hint(format!("part of the dump is broken: {gap}"))
            }
            [] if spec.from.is_some() => {
                failure.hint("a kind is known when the dump holds an object of it, or its definition")
            }
            [] => failure.hint("kubectl api-resources lists what it has"),
            [first, ..] => {
                let near = unknown.near.join(", or ");
                let name = self.name.as_ref().map_or_else(String::new, |name| format!("/{name}"));
                let from = from_flags(spec);
                let program = &spec.target.program;
                failure.hint(format!("did you mean {near}? {program} {command} {first}{name}{from}"))
            }
        }
    }
}

/// A cluster is still the same one; a dump must be named again.
fn from_flags(spec: &SourceSpec) -> String {
    if spec.from.is_some() { format!(" {}", line(&source_flags(spec))) } else { String::new() }
}

/// Says what else there is, where an object is not.
pub fn not_found(others: &[NamespacedName], wanted: &Selection, spec: &SourceSpec, command: &str) -> Failure {
    let Selection { kind, namespace, objects, .. } = wanted;
    let Select::Named(name) = objects else {
        return Failure::new(FailureKind::Server, format!("{} are not there", kind.full_name()));
    };
    let place = namespace.as_ref().map_or_else(String::new, |namespace| format!(" in namespace {namespace}"));
    let failure =
        Failure::new(FailureKind::NotFound, format!("{} \"{name}\" not found{place}", kind.full_name()));
    let call = |name: &str, place: &str| {
        let flag = if place.is_empty() { String::new() } else { format!(" -n {place}") };
        let from = from_flags(spec);
        format!("{} {command} {}/{name}{flag}{from}", spec.target.program, word_for(kind))
    };
    if let Some(other) = others.iter().find(|other| other.name == *name) {
        let place = &other.namespace;
        return failure.hint(format!("there is one in namespace {place}: {}", call(name, place)));
    }
    let here = others
        .iter()
        .filter(|other| namespace.as_ref().is_none_or(|namespace| *namespace == other.namespace));
    let here: Vec<&str> = here.map(|other| other.name.as_str()).collect();
    match near_names(here.iter().copied(), name).first() {
        Some(near) => failure
            .hint(format!("did you mean {near}? {}", call(near, namespace.as_deref().unwrap_or_default()))),
        None if here.is_empty() => failure,
        None => failure
            .hint(format!("there are: {}", here.iter().take(5).copied().collect::<Vec<_>>().join(", "))),
    }
}

/// The shortest word that people use for a kind.
fn word_for(kind: &Arc<Kind>) -> &str {
    if kind.singular.is_empty() { &kind.plural } else { &kind.singular }
}

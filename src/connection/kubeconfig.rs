//! Kubeconfig files: which are read, and what they define.
//!
//! Files are kept apart rather than merged, so that an error can name the one that is wrong. The first file
//! that defines a name wins, which is what merging would do.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, KubeconfigError};

use super::failure;
use super::target::Target;
use crate::error::{Failure, Kind};

/// The one context, cluster and user that a call is about.
pub(super) struct ResolvedContext {
    /// How an error calls the cluster: by name and file. Empty when only a flag knows of it.
    pub(super) cluster_display: String,
    pub(super) cluster: Cluster,
    /// How an error calls the user, like the cluster.
    pub(super) user_display: String,
    pub(super) user: AuthInfo,
    pub(super) namespace: Option<String>,
}

/// The files that were found, in the order in which they win.
pub(super) struct Kubeconfigs {
    files: Vec<KubeconfigFile>,
}

struct KubeconfigFile {
    path: PathBuf,
    config: Kubeconfig,
}

impl Kubeconfigs {
    /// Reads what `--kubeconfig` names, else what `KUBECONFIG` lists, else `~/.kube/config`.
    pub(super) fn load(target: &Target) -> Result<Self, Failure> {
        if let Some(path) = &target.kubeconfig {
            let file = KubeconfigFile::read(path)?.ok_or_else(|| {
                Failure::new(Kind::Configuration, format!("kubeconfig {} does not exist", path.display()))
                    .hint("--kubeconfig names it; without the flag, KUBECONFIG and ~/.kube/config are read")
            })?;
            return Ok(Self { files: vec![file] });
        }
        // A list may name files that do not exist (yet), as kubectl allows.
        let files = default_paths(target)
            .iter()
            .filter_map(|path| KubeconfigFile::read(path).transpose())
            .collect::<Result<_, _>>()?;
        Ok(Self { files })
    }

    /// Whether there is nothing to choose from.
    pub(super) fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.config.contexts.is_empty() && file.config.clusters.is_empty())
    }

    /// Why nothing was found, when nothing was.
    pub(super) fn no_cluster(&self, target: &Target) -> Failure {
        let program = &target.program;
        if let Some(file) = self.files.first() {
            return Failure::new(
                Kind::Configuration,
                format!("kubeconfig {} names no cluster", file.path.display()),
            )
            .hint("it is empty or not a kubeconfig; another one is used with --kubeconfig FILE");
        }
        if target.env.kubeconfig.is_some() {
            let list: Vec<_> = default_paths(target).iter().map(|path| path.display().to_string()).collect();
            return Failure::new(
                Kind::Configuration,
                format!("no cluster: KUBECONFIG names {}, which does not exist", list.join(", ")),
            )
            .hint("correct KUBECONFIG, or unset it to use ~/.kube/config");
        }
        Failure::new(
            Kind::NoCluster,
            "no cluster: KUBECONFIG is not set, ~/.kube/config does not exist, and this is not a Pod",
        )
        .hint(format!("set KUBECONFIG, or try it without a cluster: {program} tree voteconfig/demo --demo"))
    }

    /// Follows context to cluster and user, as flags and files name them.
    pub(super) fn resolve(&self, target: &Target) -> Result<ResolvedContext, Failure> {
        let context = self.context(target)?;
        let (cluster_display, cluster) = match target.cluster.as_ref().or(context.cluster.as_ref()) {
            Some(name) => self.cluster(name, &context, target)?,
            None => (String::new(), Cluster::default()),
        };
        let (user_display, user) = match target.user.as_ref().or(context.user.as_ref()) {
            Some(name) => self.user(name, &context, target)?,
            None => (String::new(), AuthInfo::default()),
        };
        Ok(ResolvedContext { cluster_display, cluster, user_display, user, namespace: context.namespace })
    }

    fn context(&self, target: &Target) -> Result<SelectedContext, Failure> {
        let current = || {
            self.files.iter().find_map(|file| {
                let name = file.config.current_context.as_ref().filter(|name| !name.is_empty())?;
                Some((name, format!("it is the current-context of {}", file.path.display())))
            })
        };
        let by_flag = target.context.as_ref().map(|name| (name, self.searched_files()));
        let Some((name, origin)) = by_flag.or_else(current) else {
            // A server or a cluster named by flag needs no context, as with kubectl.
            if target.server.is_some() || target.cluster.is_some() || self.files.is_empty() {
                return Ok(SelectedContext::default());
            }
            return Err(Failure::new(
                Kind::Configuration,
                format!("no context: {} sets no current-context", self.paths()),
            )
            .hint(format!("pass --context NAME; {}", available(self.context_names()))));
        };
        let found = self.files.iter().find_map(|file| {
            let context = file.config.contexts.iter().find(|context| context.name == *name)?;
            Some((file, context.context.clone().unwrap_or_default()))
        });
        match found {
            Some((file, context)) => Ok(SelectedContext::new(name, &file.path, context)),
            None => Err(not_found("context", name, &origin, self.context_names())),
        }
    }

    fn cluster(
        &self,
        name: &str,
        context: &SelectedContext,
        target: &Target,
    ) -> Result<(String, Cluster), Failure> {
        for file in &self.files {
            if let Some(found) = file.config.clusters.iter().find(|cluster| cluster.name == name) {
                let display = format!("cluster \"{name}\" in {}", file.path.display());
                return Ok((display, found.cluster.clone().unwrap_or_default()));
            }
        }
        let names =
            self.files.iter().flat_map(|file| &file.config.clusters).map(|cluster| cluster.name.as_str());
        let origin = if target.cluster.is_some() { self.searched_files() } else { context.origin.clone() };
        Err(not_found("cluster", name, &origin, names.collect()))
    }

    fn user(
        &self,
        name: &str,
        context: &SelectedContext,
        target: &Target,
    ) -> Result<(String, AuthInfo), Failure> {
        for file in &self.files {
            if let Some(found) = file.config.auth_infos.iter().find(|user| user.name == name) {
                let display = format!("user \"{name}\" in {}", file.path.display());
                return Ok((display, found.auth_info.clone().unwrap_or_default()));
            }
        }
        let names = self.files.iter().flat_map(|file| &file.config.auth_infos).map(|user| user.name.as_str());
        let origin = if target.user.is_some() { self.searched_files() } else { context.origin.clone() };
        // "auth info" is what kubectl calls a user here.
        Err(not_found("auth info", name, &origin, names.collect()))
    }

    fn context_names(&self) -> Vec<&str> {
        self.files
            .iter()
            .flat_map(|file| &file.config.contexts)
            .map(|context| context.name.as_str())
            .collect()
    }

    fn searched_files(&self) -> String {
        if self.files.is_empty() {
            "there is no kubeconfig".to_owned()
        } else {
            format!("looked in {}", self.paths())
        }
    }

    fn paths(&self) -> String {
        self.files.iter().map(|file| file.path.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// A context with empty names taken as no names, and the words for where it stands.
#[derive(Default)]
struct SelectedContext {
    origin: String,
    cluster: Option<String>,
    user: Option<String>,
    namespace: Option<String>,
}

impl SelectedContext {
    fn new(name: &str, path: &Path, context: Context) -> Self {
        let non_empty = |value: Option<String>| value.filter(|value| !value.is_empty());
        Self {
            origin: format!("context \"{name}\" in {} names it", path.display()),
            cluster: non_empty(Some(context.cluster)),
            user: non_empty(context.user),
            namespace: non_empty(context.namespace),
        }
    }
}

impl KubeconfigFile {
    /// Reads one file; `None` when there is none. Read once, since it may be a pipe of the shell's.
    fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let invalid =
            |what: &str| Failure::new(Kind::Configuration, format!("kubeconfig {} {what}", path.display()));
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(_) if path.is_dir() => {
                return Err(invalid("is a folder, not a file").hint("name the file in it, often `config`"));
            }
            Err(error) => {
                return Err(invalid(&format!("cannot be read: {}", failure::io_reason(&error)))
                    .hint("check its permissions"));
            }
        };
        let text = decode(&bytes).ok_or_else(|| {
            invalid("is not text").hint("a kubeconfig is YAML in UTF-8; this file is something else")
        })?;
        let mut config = Kubeconfig::from_yaml(&text)
            .map_err(|error| invalid(&parse_error(&text, &error)).hint(FORMAT_HINT))?;
        resolve_paths(&mut config, path.parent().unwrap_or(Path::new("")));
        Ok(Some(Self { path: path.to_owned(), config }))
    }
}

const FORMAT_HINT: &str =
    "a kubeconfig is YAML with clusters, users, contexts and current-context; kubectl config view checks it";

/// Says where the file is wrong. Never what stands there: it may be a token.
fn parse_error(text: &str, error: &KubeconfigError) -> String {
    let is_yaml = serde_saphyr::from_multiple::<serde_json::Value>(text).is_ok();
    let what = if is_yaml { "is not a kubeconfig" } else { "is not YAML" };
    match error {
        KubeconfigError::Parse(error) => match error.location().filter(|location| location.line() > 0) {
            Some(location) => {
                format!("{what}: wrong at line {}, column {}", location.line(), location.column())
            }
            None => what.to_owned(),
        },
        _ => "holds documents of different kinds or versions".to_owned(),
    }
}

/// UTF-8, or UTF-16 as some Windows editors save it, with or without a byte order mark.
fn decode(bytes: &[u8]) -> Option<String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units =
            bytes.chunks(2).map(|pair| Some(unit(pair.try_into().ok()?))).collect::<Option<Vec<_>>>()?;
        String::from_utf16(&units).ok()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => String::from_utf8(rest.to_vec()).ok(),
    }
}

/// Files that a kubeconfig names stand beside it. An empty name is no name, as kubectl reads it.
fn resolve_paths(config: &mut Kubeconfig, folder: &Path) {
    let clusters = config.clusters.iter_mut().filter_map(|entry| entry.cluster.as_mut());
    let users = config.auth_infos.iter_mut().filter_map(|entry| entry.auth_info.as_mut());
    for cluster in clusters {
        resolve_path(&mut cluster.certificate_authority, folder);
    }
    for user in users {
        for path in [&mut user.client_certificate, &mut user.client_key, &mut user.token_file] {
            resolve_path(path, folder);
        }
        // A bare command is looked up in PATH; only one with a folder in it is a file of the kubeconfig's.
        if let Some(exec) = &mut user.exec
            && exec.command.as_ref().is_some_and(|command| command.contains(std::path::is_separator))
        {
            resolve_path(&mut exec.command, folder);
        }
    }
}

fn resolve_path(path: &mut Option<String>, folder: &Path) {
    *path = path.take().filter(|path| !path.is_empty()).map(|path| {
        // A name that is not UTF-8 is left as it is: opening it will say what is wrong.
        folder.join(&path).to_str().map_or(path, str::to_owned)
    });
}

/// Where to look when no flag says it.
fn default_paths(target: &Target) -> Vec<PathBuf> {
    match &target.env.kubeconfig {
        Some(list) => std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect(),
        None => target.env.home.iter().map(|home| home.join(".kube").join("config")).collect(),
    }
}

fn not_found(what: &str, name: &str, origin: &str, names: Vec<&str>) -> Failure {
    Failure::new(Kind::Configuration, format!("{what} \"{name}\" does not exist: {origin}"))
        .hint(available(names))
}

fn available(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "you have none".to_owned() } else { format!("you have: {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
    }

    #[test]
    fn text_is_decoded_whatever_the_editor_saved() {
        assert_eq!(decode(b"a: b").as_deref(), Some("a: b"));
        assert_eq!(decode(b"\xef\xbb\xbfa: b").as_deref(), Some("a: b"));
        assert_eq!(decode(&utf16("a: ä", [0xff, 0xfe], u16::to_le_bytes)).as_deref(), Some("a: ä"));
        assert_eq!(decode(&utf16("a: ä", [0xfe, 0xff], u16::to_be_bytes)).as_deref(), Some("a: ä"));
        assert_eq!(decode(b"\xff\xfea"), None, "half a character");
        assert_eq!(decode(b"\x80\x81"), None);
    }

    #[test]
    fn files_stand_beside_the_kubeconfig_and_empty_names_are_none() {
        let text = "
clusters: [{name: c, cluster: {certificate-authority: ca.crt}}]
users:
- {name: u, user: {client-certificate: '', client-key: /keys/u.key, exec: {command: ./login}}}
- {name: v, user: {exec: {command: aws}}}
";
        let mut config = Kubeconfig::from_yaml(text).unwrap();
        resolve_paths(&mut config, Path::new("/cfg"));
        let cluster = config.clusters[0].cluster.as_ref().unwrap();
        let users: Vec<_> = config.auth_infos.iter().map(|user| user.auth_info.as_ref().unwrap()).collect();
        assert_eq!(cluster.certificate_authority.as_deref(), Some("/cfg/ca.crt"));
        assert_eq!(users[0].client_certificate, None);
        assert_eq!(users[0].client_key.as_deref(), Some("/keys/u.key"));
        assert_eq!(users[0].exec.as_ref().unwrap().command.as_deref(), Some("/cfg/./login"));
        assert_eq!(users[1].exec.as_ref().unwrap().command.as_deref(), Some("aws"));
    }
}

//! Kubeconfig files: which are read, and what they define.
//!
//! Files are kept apart and not merged as kube would do, so that an error can name the file. The first file that
//! defines a name wins, which gives the same result as merging.

use std::path::{Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig, KubeconfigError};

use super::file::{self, FileError};
use super::target::Target;
use crate::error::{Failure, FailureKind};

/// The selected cluster, user and namespace.
pub(super) struct ResolvedContext {
    /// The cluster in errors, by name and file. Empty when only flags describe it.
    pub(super) cluster_display: String,
    pub(super) cluster: Cluster,
    /// The user in errors, by name and file.
    pub(super) user_display: String,
    pub(super) user: AuthInfo,
    pub(super) namespace: Option<String>,
}

/// The files that were found, in order of precedence.
pub(super) struct Kubeconfigs {
    files: Vec<KubeconfigFile>,
}

struct KubeconfigFile {
    path: PathBuf,
    config: Kubeconfig,
}

impl Kubeconfigs {
    /// Reads the file of `--kubeconfig`, else those of `KUBECONFIG`, else `~/.kube/config`.
    pub(super) fn load(target: &Target) -> Result<Self, Failure> {
        if let Some(path) = &target.kubeconfig {
            let file = KubeconfigFile::read(path)?.ok_or_else(|| {
                Failure::new(
                    FailureKind::Configuration,
                    format!("kubeconfig {} does not exist", path.display()),
                )
                .hint("--kubeconfig sets this path; without the flag, KUBECONFIG or ~/.kube/config is used")
            })?;
            return Ok(Self { files: vec![file] });
        }
        // A list may contain files that do not exist, as with kubectl.
        let files = default_paths(target)
            .iter()
            .filter_map(|path| KubeconfigFile::read(path).transpose())
            .collect::<Result<_, _>>()?;
        Ok(Self { files })
    }

    /// Whether no file defines a context or a cluster.
    pub(super) fn is_empty(&self) -> bool {
        self.files.iter().all(|file| file.config.contexts.is_empty() && file.config.clusters.is_empty())
    }

    /// The error when no cluster is configured at all.
    pub(super) fn no_cluster(&self, target: &Target) -> Failure {
        let program = &target.program;
        if let Some(file) = self.files.first() {
            return Failure::new(
                FailureKind::Configuration,
                format!("kubeconfig {} defines no clusters or contexts", file.path.display()),
            )
            .hint("it is empty or not a kubeconfig; pass another one with --kubeconfig FILE");
        }
        if target.env.kubeconfig.is_some() {
            let list: Vec<_> = default_paths(target).iter().map(|path| path.display().to_string()).collect();
            return Failure::new(
                FailureKind::Configuration,
                format!("no cluster: no file in KUBECONFIG exists: {}", list.join(", ")),
            )
            .hint("correct KUBECONFIG, or unset it to use ~/.kube/config");
        }
        Failure::new(
            FailureKind::NoCluster,
            "no cluster: KUBECONFIG is not set, ~/.kube/config does not exist, and this is not running in a Pod",
        )
        .hint(format!("set KUBECONFIG, or try it without a cluster: {program} tree voteconfig/demo --demo"))
    }

    /// Resolves the context and its cluster and user; flags take precedence.
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
            // With --server or --cluster no context is needed, as with kubectl.
            if target.server.is_some() || target.cluster.is_some() || self.files.is_empty() {
                return Ok(SelectedContext::default());
            }
            return Err(Failure::new(
                FailureKind::Configuration,
                format!("no context: current-context is not set in {}", self.paths()),
            )
            .hint(format!("pass --context NAME; {}", self.available(self.context_names()))));
        };
        let found = self.files.iter().find_map(|file| {
            let context = file.config.contexts.iter().find(|context| context.name == *name)?;
            Some((file, context.context.clone().unwrap_or_default()))
        });
        match found {
            Some((file, context)) => Ok(SelectedContext::new(name, &file.path, context)),
            None => Err(self.not_found("context", name, &origin, self.context_names())),
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
        Err(self.not_found("cluster", name, &origin, names.collect()))
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
        // kubectl says "auth info" for a user here.
        Err(self.not_found("auth info", name, &origin, names.collect()))
    }

    fn context_names(&self) -> Vec<&str> {
        self.files
            .iter()
            .flat_map(|file| &file.config.contexts)
            .map(|context| context.name.as_str())
            .collect()
    }

    fn not_found(&self, what: &str, name: &str, origin: &str, names: Vec<&str>) -> Failure {
        Failure::new(FailureKind::Configuration, format!("{what} \"{name}\" does not exist: {origin}"))
            .hint(self.available(names))
    }

    fn available(&self, mut names: Vec<&str>) -> String {
        names.sort_unstable();
        names.dedup();
        match (self.files.is_empty(), names.is_empty()) {
            (true, _) => "set KUBECONFIG, or pass --kubeconfig FILE".to_owned(),
            (_, true) => "none are defined".to_owned(),
            _ => format!("available: {}", names.join(", ")),
        }
    }

    fn searched_files(&self) -> String {
        if self.files.is_empty() {
            "no kubeconfig was found".to_owned()
        } else {
            format!("looked in {}", self.paths())
        }
    }

    fn paths(&self) -> String {
        self.files.iter().map(|file| file.path.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// A context, with empty names as `None`, and where it was defined.
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
            origin: format!("referenced by context \"{name}\" in {}", path.display()),
            cluster: non_empty(Some(context.cluster)),
            user: non_empty(context.user),
            namespace: non_empty(context.namespace),
        }
    }
}

impl KubeconfigFile {
    /// Reads one file; `None` if it does not exist. Reads it only once, because it may be a pipe.
    fn read(path: &Path) -> Result<Option<Self>, Failure> {
        let invalid = |what: &str| {
            Failure::new(FailureKind::Configuration, format!("kubeconfig {} {what}", path.display()))
        };
        let bytes = match file::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(FileError::Directory) => {
                return Err(invalid("is a directory, not a file").hint("use a file in it, usually `config`"));
            }
            Err(error @ FileError::Io(_)) => {
                return Err(invalid(&format!("cannot be read: {error}")).hint("check its permissions"));
            }
            Err(error) => return Err(invalid(&format!("cannot be read: {error}")).hint(FORMAT_HINT)),
        };
        let text = decode(&bytes)
            .ok_or_else(|| invalid("is not a text file").hint("a kubeconfig is a YAML file in UTF-8"))?;
        let mut config = Kubeconfig::from_yaml(&text)
            .map_err(|error| invalid(&parse_error(&text, &error)).hint(FORMAT_HINT))?;
        resolve_paths(&mut config, path.parent().unwrap_or(Path::new("")));
        Ok(Some(Self { path: path.to_owned(), config }))
    }
}

const FORMAT_HINT: &str = "a kubeconfig is YAML with clusters, users, contexts and current-context; check it with kubectl config view";

/// Tells the line of the error, never its content, which may be a token.
fn parse_error(text: &str, error: &KubeconfigError) -> String {
    let is_yaml = serde_saphyr::from_multiple::<serde_json::Value>(text).is_ok();
    let what = if is_yaml { "is not a valid kubeconfig" } else { "is not valid YAML" };
    match error {
        KubeconfigError::Parse(error) => match error.location().filter(|location| location.line() > 0) {
            Some(location) => {
                format!("{what}: error at line {}, column {}", location.line(), location.column())
            }
            None => what.to_owned(),
        },
        _ => "contains documents of different kinds or API versions".to_owned(),
    }
}

/// Decodes UTF-8, with or without a byte order mark, and UTF-16, which some Windows editors write.
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

/// Resolves paths relative to the directory of the kubeconfig. An empty path counts as none, as with kubectl.
fn resolve_paths(config: &mut Kubeconfig, directory: &Path) {
    let clusters = config.clusters.iter_mut().filter_map(|entry| entry.cluster.as_mut());
    let users = config.auth_infos.iter_mut().filter_map(|entry| entry.auth_info.as_mut());
    for cluster in clusters {
        resolve_path(&mut cluster.certificate_authority, directory);
    }
    for user in users {
        for path in [&mut user.client_certificate, &mut user.client_key, &mut user.token_file] {
            resolve_path(path, directory);
        }
        // A command without a separator is looked up in PATH.
        if let Some(exec) = &mut user.exec
            && exec.command.as_ref().is_some_and(|command| command.contains(std::path::is_separator))
        {
            resolve_path(&mut exec.command, directory);
        }
    }
}

fn resolve_path(path: &mut Option<String>, directory: &Path) {
    *path = path.take().filter(|path| !path.is_empty()).map(|path| {
        // A path that is not UTF-8 stays as it is: opening it will report the error.
        directory.join(&path).to_str().map_or(path, str::to_owned)
    });
}

/// The files to read without `--kubeconfig`.
fn default_paths(target: &Target) -> Vec<PathBuf> {
    match &target.env.kubeconfig {
        Some(list) => std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect(),
        None => target.env.home.iter().map(|home| home.join(".kube").join("config")).collect(),
    }
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
    fn paths_are_relative_to_the_kubeconfig_and_empty_ones_are_none() {
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

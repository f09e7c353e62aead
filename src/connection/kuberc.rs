//! kubectl's own settings file. Only its policy on credential plugins is used.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::file;
use super::target::Target;
use crate::error::{Failure, FailureKind};

/// Which credential plugins may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PluginPolicy {
    AllowAll,
    DenyAll,
    /// Those listed by name or path; names are looked up in `PATH`.
    Allowlist {
        entries: Vec<String>,
        path: Option<std::ffi::OsString>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Preference {
    #[serde(default)]
    credential_plugin_policy: Option<String>,
    #[serde(default)]
    credential_plugin_allowlist: Option<Vec<AllowlistEntry>>,
}

#[derive(Deserialize)]
struct AllowlistEntry {
    #[serde(default)]
    command: Option<String>,
    /// The name of `command` in Kubernetes 1.35.
    #[serde(default)]
    name: Option<String>,
}

impl PluginPolicy {
    /// Reads the policy of the user's kuberc. A file that was set explicitly must exist, and an invalid one is an
    /// error, because its purpose is to keep plugins from running.
    pub(super) fn load(target: &Target) -> Result<Self, Failure> {
        let Some((path, must_exist)) = kuberc_path(target) else { return Ok(Self::AllowAll) };
        let invalid = |what: &str| {
            Failure::new(FailureKind::Configuration, format!("kuberc {} {what}", path.display()))
                .hint("it controls which credential plugins may run; KUBERC=off ignores it")
        };
        match file::read_text(&path) {
            Ok(text) => Self::parse(&text, target.env.path.as_deref()).map_err(|what| invalid(&what)),
            Err(error) if error.is_not_found() && !must_exist => Ok(Self::AllowAll),
            Err(error) => Err(invalid(&format!("cannot be read: {error}"))),
        }
    }

    fn parse(text: &str, path: Option<&OsStr>) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::AllowAll);
        }
        let value: serde_json::Value =
            serde_saphyr::from_str(text).map_err(|_| "is not a valid Preference")?;
        let preference: Preference =
            serde_json::from_value(value).map_err(|_| "is not a valid Preference")?;
        let entries = preference.credential_plugin_allowlist.map(|list| {
            let name = |entry: AllowlistEntry| entry.command.or(entry.name).unwrap_or_default();
            list.into_iter().map(name).collect::<Vec<_>>()
        });
        match (preference.credential_plugin_policy.as_deref().unwrap_or_default(), entries) {
            ("" | "AllowAll", None) => Ok(Self::AllowAll),
            ("DenyAll", None) => Ok(Self::DenyAll),
            ("Allowlist", Some(entries)) if !entries.is_empty() && !entries.contains(&String::new()) => {
                Ok(Self::Allowlist { entries, path: path.map(OsStr::to_owned) })
            }
            ("Allowlist", _) => {
                Err("sets credentialPluginPolicy to Allowlist, but has no valid credentialPluginAllowlist"
                    .into())
            }
            ("" | "AllowAll" | "DenyAll", Some(_)) => {
                Err("has a credentialPluginAllowlist, but its credentialPluginPolicy is not Allowlist".into())
            }
            (other, _) => Err(format!("has unknown credentialPluginPolicy {other}")),
        }
    }

    /// The program to run for `command`, or the reason why it is not allowed.
    pub(super) fn resolve(&self, command: &str) -> Result<PathBuf, String> {
        match self {
            Self::AllowAll => Ok(PathBuf::from(command)),
            Self::DenyAll => Err("policy set to \"DenyAll\"".to_owned()),
            Self::Allowlist { entries, path } => {
                // A name is looked up once, so that the program that is checked is the one that runs.
                let program = look_path(command, path.as_deref());
                let matches = |entry: &String| {
                    entry == command || program.is_some() && look_path(entry, path.as_deref()) == program
                };
                let listed = entries.iter().any(matches);
                match program {
                    _ if !listed => Err("not permitted by the credential plugin allowlist".to_owned()),
                    Some(program) => Ok(program),
                    None => Ok(PathBuf::from(command)),
                }
            }
        }
    }
}

/// The path of the kuberc, and whether it was set explicitly.
fn kuberc_path(target: &Target) -> Option<(PathBuf, bool)> {
    let variable = target.env.kuberc.as_ref();
    if let Some(path) = &target.kuberc {
        return Some((path.clone(), true));
    }
    match variable {
        Some(value) if value == "off" => None,
        Some(path) => Some((PathBuf::from(path), true)),
        None => target.env.home.as_ref().map(|home| (home.join(".kube").join("kuberc"), false)),
    }
}

/// Returns a path as it is and looks a name up in `PATH`.
fn look_path(command: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    if Path::new(command).components().count() > 1 {
        return Path::new(command).is_file().then(|| PathBuf::from(command));
    }
    let names = [command.to_owned(), format!("{command}.exe")];
    let names = if cfg!(windows) { &names[..] } else { &names[..1] };
    std::env::split_paths(path?)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(fields: &str) -> Result<PluginPolicy, String> {
        PluginPolicy::parse(
            &format!("apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n{fields}"),
            None,
        )
    }

    #[test]
    fn policies_are_parsed_and_mistakes_are_errors() {
        assert_eq!(policy(""), Ok(PluginPolicy::AllowAll));
        assert_eq!(policy("aliases: []\ncredentialPluginPolicy: AllowAll"), Ok(PluginPolicy::AllowAll));
        assert_eq!(policy("credentialPluginPolicy: DenyAll"), Ok(PluginPolicy::DenyAll));
        let listed = PluginPolicy::Allowlist { entries: vec!["a".into(), "/b".into()], path: None };
        let list = "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: a}, {name: /b}]";
        assert_eq!(policy(list), Ok(listed));
        for fields in [
            "credentialPluginPolicy: Allowlist",
            "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []",
            "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{}]",
            "credentialPluginAllowlist: [{command: a}]",
            "credentialPluginPolicy: Whatever",
            "credentialPluginPolicy: [DenyAll]",
        ] {
            assert!(policy(fields).is_err(), "{fields}");
        }
    }

    #[test]
    fn a_name_and_its_path_match_each_other() {
        let folder = tempfile::TempDir::new().unwrap();
        let program = folder.path().join("login");
        std::fs::write(&program, "").unwrap();
        let full_path = program.display().to_string();
        let listed = |entry: &str| PluginPolicy::Allowlist {
            entries: vec![entry.to_owned()],
            path: Some(folder.path().as_os_str().to_owned()),
        };
        for (entry, command, allowed) in [
            ("login", "login", true),
            ("login", full_path.as_str(), true),
            (full_path.as_str(), "login", true),
            ("other", "login", false),
            ("login", "/elsewhere/login", false),
        ] {
            assert_eq!(listed(entry).resolve(command).is_ok(), allowed, "{entry} {command}");
        }
        assert_eq!(listed("login").resolve("login"), Ok(program));
        assert!(PluginPolicy::DenyAll.resolve("login").is_err());
        assert_eq!(PluginPolicy::AllowAll.resolve("login"), Ok(PathBuf::from("login")));
    }
}

//! The user's settings file: where it is, how it is read, and what it contains.
//!
//! | file        | what lives there                                                           |
//! |-------------|----------------------------------------------------------------------------|
//! | `schema.rs` | the keys of the file, and the checks that serde cannot make                |
//! | `error.rs`  | what is wrong in the file, with its line: serde's errors in our own words  |

mod error;
mod schema;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::error::{Failure, FailureKind, io_reason};
use crate::model::rulebook::Rulebook;

/// The largest settings file that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// What the environment says about the settings; read in `main`, passed on as a value.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// `KUBECTL_OP_CONFIG`: the file, which must exist then.
    pub file: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `.config` in the home directory.
    pub folder: Option<PathBuf>,
}

impl Env {
    /// Picks the variables about settings out of the environment.
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || path("HOME").or_else(|| path("USERPROFILE"));
        // The XDG specification says to ignore a relative path.
        let folder = path("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        Self {
            file: path("KUBECTL_OP_CONFIG"),
            folder: folder.or_else(|| home().map(|home| home.join(".config"))),
        }
    }
}

/// Everything a settings file can set. Without a file nothing is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub rulebook: Rulebook,
    pub defaults: Defaults,
}

/// Flags that count as typed, and the file they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    file: PathBuf,
    flags: Vec<DefaultFlag>,
}

/// The default of one flag of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultFlag {
    pub command: String,
    /// The long name without its dashes.
    pub flag: String,
    /// At least one; more than one only if the file has a list.
    pub values: Vec<String>,
    /// The line of the file.
    line: u64,
}

impl Defaults {
    /// The defaults of all commands.
    pub fn flags(&self) -> &[DefaultFlag] {
        &self.flags
    }

    /// The error for a default that cannot be applied; `message` follows its key.
    pub fn invalid(&self, default: &DefaultFlag, message: &str) -> Failure {
        let DefaultFlag { command, flag, line, .. } = default;
        let place = place(&self.file, *line);
        Failure::new(FailureKind::Configuration, format!("{place}: defaults.{command}.{flag}: {message}"))
    }
}

/// The commands that `defaults` may name, and the long flags of each.
pub type Flags = BTreeMap<String, Vec<String>>;

/// Reads the settings file. It may be missing, unless `KUBECTL_OP_CONFIG` names it.
pub fn load(env: &Env, flags: &Flags) -> Result<Settings, Failure> {
    let default_file = || Some(env.folder.as_ref()?.join("kubectl-op").join("config.yaml"));
    let Some(file) = env.file.clone().or_else(default_file) else { return Ok(Settings::default()) };
    let failure = |message: &str| {
        Failure::new(FailureKind::Configuration, format!("settings file {} {message}", file.display()))
    };
    let text = match read(&file) {
        Ok(text) => text.map_err(failure)?,
        Err(error) if error.kind() == ErrorKind::NotFound && env.file.is_none() => {
            return Ok(Settings::default());
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(failure("does not exist")
                .hint("correct KUBECTL_OP_CONFIG, or unset it to use ~/.config/kubectl-op/config.yaml"));
        }
        Err(error) => return Err(failure(&format!("cannot be read: {}", io_reason(&error)))),
    };
    let (rulebook, flags) = schema::parse(&text, flags).map_err(|error| {
        let message = format!("{}: {}", place(&file, error.line), error.message);
        Failure::new(FailureKind::Configuration, message).hint(error.hint)
    })?;
    Ok(Settings { rulebook, defaults: Defaults { file, flags } })
}

fn place(file: &Path, line: u64) -> String {
    format!("settings file {}:{line}", file.display())
}

/// The text of the file, or what is wrong with the file as a whole.
fn read(file: &Path) -> io::Result<Result<String, &'static str>> {
    // Asked before it is opened: opening a pipe waits for somebody to write to it.
    if !fs::metadata(file)?.is_file() {
        return Ok(Err("is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Ok(Err("is larger than 1 MiB"));
    }
    Ok(String::from_utf8(bytes).map_err(|_| "is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load_file(content: &[u8]) -> Result<Settings, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.yaml");
        fs::write(&file, content).unwrap();
        load(&Env { file: Some(file), folder: None }, &Flags::default())
    }

    #[test]
    fn the_folder_follows_the_environment() {
        let read = |set: &[(&str, &str)]| {
            Env::read(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into()))
        };
        let folder = |set: &[(&str, &str)]| read(set).folder;
        assert_eq!(folder(&[("HOME", "/h")]), Some("/h/.config".into()));
        assert_eq!(folder(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]), Some("/x".into()));
        assert_eq!(folder(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "x")]), Some("/h/.config".into()));
        assert_eq!(folder(&[]), None);
        assert_eq!(read(&[("KUBECTL_OP_CONFIG", "")]).file, None);
        assert_eq!(load(&Env::default(), &Flags::default()).unwrap(), Settings::default());
    }

    #[test]
    fn the_size_is_limited() {
        let comment = |bytes: usize| [b"#".as_slice(), &vec![b'a'; bytes - 1]].concat();
        assert!(load_file(&comment(1024 * 1024)).is_ok());
        let error = load_file(&comment(1024 * 1024 + 1)).unwrap_err().to_string();
        assert!(error.ends_with("config.yaml is larger than 1 MiB"), "{error}");
    }

    #[test]
    fn only_text_in_a_regular_file_is_read() {
        let error = load_file(b"skip: [\xff]\n").unwrap_err().to_string();
        assert!(error.ends_with("config.yaml is not UTF-8 text"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let env = Env { file: Some(folder.path().to_owned()), folder: None };
        let error = load(&env, &Flags::default()).unwrap_err().to_string();
        assert!(error.ends_with(" is not a regular file"), "{error}");
    }
}

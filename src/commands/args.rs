//! Arguments that commands share: kubectl's global flags, and `-o`.
//!
//! `kubectl op options` and the completion scripts are generated from these definitions. Switches accept `=true` and
//! `=false`, as kubectl's do.

use std::path::PathBuf;

use clap::ArgAction;
use clap::builder::{BoolishValueParser, OsStringValueParser, PossibleValuesParser, TypedValueParser};

use super::duration::{Limit, parse_limit};
use crate::connection::{Env, Impersonation, Log, Target};
use crate::interrupt::Interrupt;
use crate::model::memory::MemoryBudget;
use crate::render::JsonOrYaml;
use crate::source::{DumpInput, From, SourceSpec};
use crate::ui::{self, Color, Hyperlinks, Ui};

/// The flags that every command accepts. Not `Debug`, because they contain a token and a password.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Clone)]
pub struct CommonArgs {
    /// Path to the kubeconfig file to use
    #[arg(
        long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
        value_parser = path_parser(),
    )]
    kubeconfig: Option<PathBuf>,
    /// Name of the kubeconfig context to use
    #[arg(long, global = true, value_name = "NAME")]
    context: Option<String>,
    /// Name of the kubeconfig cluster to use
    #[arg(long, global = true, value_name = "NAME")]
    cluster: Option<String>,
    /// Name of the kubeconfig user to use
    #[arg(long, global = true, value_name = "NAME")]
    user: Option<String>,
    /// Namespace to use
    #[arg(long, short, global = true, value_name = "NAME")]
    namespace: Option<String>,
    /// Address and port of the Kubernetes API server
    #[arg(long, short, global = true, value_name = "URL")]
    server: Option<String>,
    /// Server name for certificate validation, instead of the host name
    #[arg(long, global = true, value_name = "NAME")]
    tls_server_name: Option<String>,
    /// Do not validate the server's certificate; this makes the connection insecure
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    insecure_skip_tls_verify: bool,
    /// Path to a certificate file for the certificate authority
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    certificate_authority: Option<String>,
    /// Path to a client certificate file for TLS
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    client_certificate: Option<String>,
    /// Path to a client key file for TLS
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    client_key: Option<String>,
    /// Bearer token for authentication to the API server
    #[arg(long, global = true, value_name = "TOKEN")]
    token: Option<String>,
    /// User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME
    #[arg(long = "as", global = true, value_name = "USER")]
    impersonate: Option<String>,
    /// Group to impersonate; can be repeated
    #[arg(long = "as-group", global = true, value_name = "GROUP", action = ArgAction::Append)]
    impersonate_groups: Vec<String>,
    /// UID to impersonate
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    impersonate_uid: Option<String>,
    /// User extra to impersonate; can be repeated
    #[arg(
        long = "as-user-extra", global = true, value_name = "KEY=VALUE", action = ArgAction::Append,
        value_parser = key_value,
    )]
    impersonate_extra: Vec<(String, String)>,
    /// Username for basic authentication to the API server
    #[arg(long, global = true, value_name = "NAME")]
    username: Option<String>,
    /// Password for basic authentication to the API server
    #[arg(long, global = true, value_name = "PASSWORD")]
    password: Option<String>,
    /// Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout
    #[arg(long, global = true, value_name = "TIME", default_value = "30s", value_parser = parse_limit)]
    request_timeout: Limit,
    /// Accepted for compatibility with kubectl; nothing is cached on disk
    #[arg(long, global = true, value_name = "DIRECTORY", value_hint = clap::ValueHint::DirPath)]
    cache_dir: Option<PathBuf>,
    /// Opt out of response compression for all requests to the server
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    disable_compression: bool,
    /// Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers
    #[arg(long, short, global = true, value_name = "LEVEL")]
    v: Option<u8>,
    /// Treat warnings received from the server as errors and exit with a non-zero exit code
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    warnings_as_errors: bool,
    /// Path to the kuberc file, which says which credential plugins may run
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    kuberc: Option<PathBuf>,
    /// Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated
    #[arg(
        long, global = true, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, conflicts_with = "demo",
        action = ArgAction::Append,
    )]
    from: Vec<PathBuf>,
    /// Use the built-in demo cluster
    #[arg(long, global = true)]
    demo: bool,
    /// When to use colour: auto, always or never
    #[arg(
        long, global = true, value_name = "WHEN", default_value = "auto", value_parser = color_parser(),
        hide_possible_values = true,
    )]
    color: Color,
    /// When to print URLs as hyperlinks: auto, always or never
    #[arg(
        long, global = true, value_name = "WHEN", default_value = "auto", value_parser = hyperlinks_parser(),
        hide_possible_values = true,
    )]
    hyperlinks: Hyperlinks,
}

impl CommonArgs {
    /// When to use colour.
    pub fn color(&self) -> Color {
        self.color
    }

    /// When to print hyperlinks.
    pub fn hyperlinks(&self) -> Hyperlinks {
        self.hyperlinks
    }

    /// The source that the flags select.
    pub fn source_spec(&self, env: &Env, program: &str, interrupt: &Interrupt) -> SourceSpec {
        let input = |path: &PathBuf| match path.as_os_str() {
            name if name == "-" => DumpInput::Stdin,
            _ => DumpInput::Path(path.clone()),
        };
        let from = match self.from.as_slice() {
            _ if self.demo => Some(From::Demo),
            [] => None,
            paths => Some(From::Dump(paths.iter().map(input).collect())),
        };
        SourceSpec {
            target: self.target(env, program),
            from,
            memory: MemoryBudget::default(),
            warnings_as_errors: self.warnings_as_errors,
            interrupt: interrupt.clone(),
        }
    }

    /// The cluster that the flags select. `program` is how the user invokes this program, for hints.
    fn target(&self, env: &Env, program: &str) -> Target {
        let flags = self.clone();
        // An empty value counts as absent, as with kubectl: scripts pass --context "$CONTEXT".
        let given = |value: Option<String>| value.filter(|value| !value.is_empty());
        Target {
            program: program.to_owned(),
            env: env.clone(),
            kubeconfig: flags.kubeconfig.filter(|path| !path.as_os_str().is_empty()),
            context: given(flags.context),
            cluster: given(flags.cluster),
            user: given(flags.user),
            namespace: given(flags.namespace),
            server: given(flags.server),
            tls_server_name: given(flags.tls_server_name),
            insecure_skip_tls_verify: flags.insecure_skip_tls_verify,
            certificate_authority: given(flags.certificate_authority),
            client_certificate: given(flags.client_certificate),
            client_key: given(flags.client_key),
            token: given(flags.token),
            username: given(flags.username),
            password: given(flags.password),
            impersonation: Impersonation {
                user: given(flags.impersonate),
                groups: flags.impersonate_groups,
                uid: given(flags.impersonate_uid),
                extra: flags.impersonate_extra,
            },
            request_timeout: flags.request_timeout.0,
            disable_compression: flags.disable_compression,
            kuberc: flags.kuberc.filter(|path| !path.as_os_str().is_empty()),
            log: match flags.v {
                Some(level) => Log::new(level, |line| Ui::new(ui::Env::default()).note(line)),
                None => Log::default(),
            },
        }
    }
}

/// `-o` of a command that supports only text, JSON and YAML.
#[derive(clap::Args, Debug)]
pub struct OutputArg {
    /// Output format
    #[arg(long, short, value_name = "FORMAT", value_parser = json_or_yaml_parser(), help_heading = "Output")]
    pub output: Option<JsonOrYaml>,
}

fn color_parser() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => Color::Always,
        "never" => Color::Never,
        _ => Color::Auto,
    })
}

fn hyperlinks_parser() -> impl TypedValueParser<Value = Hyperlinks> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => Hyperlinks::Always,
        "never" => Hyperlinks::Never,
        _ => Hyperlinks::Auto,
    })
}

fn json_or_yaml_parser() -> impl TypedValueParser<Value = JsonOrYaml> {
    PossibleValuesParser::new(["json", "yaml"]).map(|word| match word.as_str() {
        "yaml" => JsonOrYaml::Yaml,
        _ => JsonOrYaml::Json,
    })
}

/// Accepts any path, even an empty one, which clap's own parser rejects.
fn path_parser() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("must be KEY=VALUE".to_owned()),
    }
}

//! Arguments that commands share: kubectl's common flags, and `-o`.
//!
//! One definition: `kubectl op options` and the completion scripts are made from it. Switches take `=true` and
//! `=false` too, as kubectl's do.

use std::path::PathBuf;

use clap::ArgAction;
use clap::builder::{BoolishValueParser, OsStringValueParser, PossibleValuesParser, TypedValueParser};

use super::duration::{Limit, limit};
use crate::connection::{Env, Impersonation, Log, Target};
use crate::render::Machine;
use crate::source::{DumpInput, From, SourceSpec};
use crate::ui::{self, Color, Hyperlinks, Ui};

/// The flags that every command accepts. Without `Debug`: they hold a token and a password.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
#[derive(clap::Args, Clone)]
pub struct CommonArgs {
    /// Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config
    #[arg(
        long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
        value_parser = paths(),
    )]
    kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME")]
    context: Option<String>,
    /// Cluster of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME")]
    cluster: Option<String>,
    /// User of the kubeconfig to use
    #[arg(long, global = true, value_name = "NAME")]
    user: Option<String>,
    /// Namespace to look in
    #[arg(long, short, global = true, value_name = "NAME")]
    namespace: Option<String>,
    /// Address of the API server
    #[arg(long, short, global = true, value_name = "URL")]
    server: Option<String>,
    /// Name to expect in the server's certificate instead of its host name
    #[arg(long, global = true, value_name = "NAME")]
    tls_server_name: Option<String>,
    /// Trust any server certificate: whoever is in between can read and change everything
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    insecure_skip_tls_verify: bool,
    /// File with the certificate authority to trust
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    certificate_authority: Option<String>,
    /// File with the client certificate to show
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    client_certificate: Option<String>,
    /// File with the client certificate's key
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    client_key: Option<String>,
    /// Bearer token to log in with
    #[arg(long, global = true, value_name = "TOKEN")]
    token: Option<String>,
    /// User to act as; a service account is system:serviceaccount:NAMESPACE:NAME
    #[arg(long = "as", global = true, value_name = "USER")]
    impersonate: Option<String>,
    /// Group to act as; may be repeated
    #[arg(long = "as-group", global = true, value_name = "GROUP", action = ArgAction::Append)]
    impersonate_groups: Vec<String>,
    /// UID to act as
    #[arg(long = "as-uid", global = true, value_name = "UID")]
    impersonate_uid: Option<String>,
    /// Extra information about the user to act as; may be repeated
    #[arg(
        long = "as-user-extra", global = true, value_name = "KEY=VALUE", action = ArgAction::Append,
        value_parser = key_value,
    )]
    impersonate_extra: Vec<(String, String)>,
    /// User name to log in with
    #[arg(long, global = true, value_name = "NAME")]
    username: Option<String>,
    /// Password to log in with
    #[arg(long, global = true, value_name = "PASSWORD")]
    password: Option<String>,
    /// How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever
    #[arg(long, global = true, value_name = "TIME", default_value = "30s", value_parser = limit)]
    request_timeout: Limit,
    /// Accepted for kubectl's sake: nothing is cached on disk
    #[arg(long, global = true, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    cache_dir: Option<PathBuf>,
    /// Ask the server for uncompressed answers
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    disable_compression: bool,
    /// Log to stderr: 6 every request with its status and time, 8 the headers of answers too
    #[arg(long, short, global = true, value_name = "LEVEL")]
    v: Option<u8>,
    /// Accepted for kubectl's sake: the server's warnings are not shown
    #[arg(
        long, global = true, value_name = "BOOL", value_parser = BoolishValueParser::new(), hide_possible_values = true,
        num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true",
    )]
    warnings_as_errors: bool,
    /// kuberc file to obey: it says which credential plugins may be run
    #[arg(long, global = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    kuberc: Option<PathBuf>,
    /// Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated
    #[arg(
        long, global = true, value_name = "PATH", value_hint = clap::ValueHint::AnyPath, conflicts_with = "demo",
        action = ArgAction::Append,
    )]
    from: Vec<PathBuf>,
    /// Use the built-in demo cluster; no other cluster is needed
    #[arg(long, global = true)]
    demo: bool,
    /// When to colour: auto, always or never
    #[arg(
        long, global = true, value_name = "WHEN", default_value = "auto", value_parser = colors(),
        hide_possible_values = true,
    )]
    color: Color,
    /// When to make addresses links that can be clicked: auto, always or never
    #[arg(
        long, global = true, value_name = "WHEN", default_value = "auto", value_parser = hyperlinks(),
        hide_possible_values = true,
    )]
    hyperlinks: Hyperlinks,
}

impl CommonArgs {
    /// When to colour.
    pub fn color(&self) -> Color {
        self.color
    }

    /// When to make links.
    pub fn hyperlinks(&self) -> Hyperlinks {
        self.hyperlinks
    }

    /// Where these flags say to look.
    pub fn spec(&self, env: &Env, program: &str) -> SourceSpec {
        let input = |path: &PathBuf| match path.as_os_str() {
            name if name == "-" => DumpInput::Stdin,
            _ => DumpInput::Path(path.clone()),
        };
        let from = match self.from.as_slice() {
            _ if self.demo => Some(From::Demo),
            [] => None,
            paths => Some(From::Dump(paths.iter().map(input).collect())),
        };
        SourceSpec { target: self.target(env, program), from }
    }

    /// Which cluster these flags mean, to a person who calls this program `program`.
    fn target(&self, env: &Env, program: &str) -> Target {
        let flags = self.clone();
        // An empty value is none, as with kubectl: scripts pass --context "$CONTEXT".
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

/// `-o` of a command that has no other formats than text and these.
#[derive(clap::Args, Debug)]
pub struct OutputArg {
    /// Write the answer for a program
    #[arg(long, short, value_name = "FORMAT", value_parser = machines(), help_heading = "Show")]
    pub output: Option<Machine>,
}

fn colors() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => Color::Always,
        "never" => Color::Never,
        _ => Color::Auto,
    })
}

fn hyperlinks() -> impl TypedValueParser<Value = Hyperlinks> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => Hyperlinks::Always,
        "never" => Hyperlinks::Never,
        _ => Hyperlinks::Auto,
    })
}

fn machines() -> impl TypedValueParser<Value = Machine> {
    PossibleValuesParser::new(["json", "yaml"]).map(|word| match word.as_str() {
        "yaml" => Machine::Yaml,
        _ => Machine::Json,
    })
}

/// Any path, an empty one too, which clap's own parser for paths refuses.
fn paths() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("must be KEY=VALUE".to_owned()),
    }
}

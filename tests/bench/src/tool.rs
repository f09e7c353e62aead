//! The tools that are measured, and how each is called for the same purpose: what belongs to this root?

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lab::large_namespace::GROUP;

use crate::bare;
use crate::kinds::Kind;
use crate::output_check::OpCommand;
use crate::stopwatch::Invocation;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tool {
    /// kubectl-op tree
    #[value(name = "kubectl-op")]
    Op,
    /// kube-lineage
    #[value(name = "kube-lineage")]
    Lineage,
    /// kubectl get of every namespaced kind, which is what a user without either would do
    #[value(name = "kubectl-get")]
    Get,
    /// The same requests with the responses discarded
    #[value(name = "bare")]
    Bare,
}

impl Tool {
    /// In the order of a round.
    pub(crate) const ALL: [Self; 4] = [Self::Op, Self::Lineage, Self::Get, Self::Bare];

    /// Whether an exit code means that the tool worked: 1 of kubectl-op says that something is not healthy.
    pub(crate) fn is_valid_exit(self, code: Option<i32>) -> bool {
        code == Some(0) || (self == Self::Op && code == Some(1))
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Op => "kubectl-op",
            Self::Lineage => "kube-lineage",
            Self::Get => "kubectl get",
            Self::Bare => "bare minimum",
        })
    }
}

/// The programs of the tools.
#[derive(Clone, Debug)]
pub(crate) struct ToolPaths {
    pub(crate) op: PathBuf,
    /// The arguments of kubectl-op, and which command they are.
    pub(crate) words: String,
    pub(crate) op_command: OpCommand,
    pub(crate) lineage: PathBuf,
    pub(crate) kubectl: PathBuf,
    /// This binary, which is the bare minimum too.
    pub(crate) bench: PathBuf,
}

/// What a tool is run against.
#[derive(Clone, Debug)]
pub(crate) struct RunTarget<'a> {
    pub(crate) kubeconfig: &'a Path,
    pub(crate) namespace: &'a str,
    /// The kinds that there are.
    pub(crate) kinds: &'a [Kind],
    /// A home folder of its own: kubectl and kube-lineage keep discovery in it, and find it there again.
    pub(crate) home: &'a Path,
}

/// Whether a tool may ask for compressed responses, as all of them do by default where they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    AsUsual,
    Off,
}

impl ToolPaths {
    /// How a tool is run; nothing when it has no flag for compression.
    pub(crate) fn invocation(
        &self,
        tool: Tool,
        target: &RunTarget<'_>,
        compression: Compression,
    ) -> Option<Invocation> {
        let namespace = target.namespace;
        let words = |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let (program, mut args) = match tool {
            Tool::Op => {
                let root = format!("thing0.{GROUP}/root");
                (&self.op, words(&self.words.replace("{root}", &root).replace("{namespace}", namespace)))
            }
            Tool::Lineage => (&self.lineage, words(&format!("thing0s.{GROUP} root -n {namespace}"))),
            Tool::Get => {
                let all: Vec<_> = target.kinds.iter().map(Kind::resource).collect();
                (&self.kubectl, words(&format!("get {} -n {namespace} -o name", all.join(","))))
            }
            Tool::Bare => {
                let kubeconfig = target.kubeconfig.display().to_string();
                (&self.bench, vec![bare::SUBCOMMAND.to_owned(), kubeconfig, namespace.to_owned()])
            }
        };
        match (compression, tool) {
            (Compression::AsUsual, _) => {}
            (Compression::Off, Tool::Op | Tool::Get) => args.push("--disable-compression".to_owned()),
            (Compression::Off, Tool::Lineage | Tool::Bare) => return None,
        }
        let env = vec![("KUBECONFIG", target.kubeconfig.to_owned()), ("HOME", target.home.to_owned())];
        Some(Invocation { program: program.clone(), args, env })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(tool: Tool, compression: Compression) -> Option<String> {
        let tools = ToolPaths {
            op: "op".into(),
            words: "tree {root} -n {namespace}".into(),
            op_command: OpCommand::Tree,
            lineage: "lineage".into(),
            kubectl: "kubectl".into(),
            bench: "bench".into(),
        };
        let document = r#"{"items": [{"versions": [{"version": "v1", "resources": [
            {"resource": "pods", "scope": "Namespaced", "verbs": ["list"]},
            {"resource": "secrets", "scope": "Namespaced", "verbs": ["list"]}]}]}]}"#;
        let kinds = crate::kinds::listable(document.as_bytes()).unwrap();
        let target = RunTarget {
            kubeconfig: Path::new("/k"),
            namespace: "big230",
            kinds: &kinds,
            home: Path::new("/h"),
        };
        tools.invocation(tool, &target, compression).map(|invocation| invocation.args.join(" "))
    }

    #[test]
    fn each_has_its_own_arguments() {
        let asked = Tool::ALL.map(|tool| args(tool, Compression::AsUsual).unwrap());
        let expected = [
            "tree thing0.big.lab.kubectl-op.dev/root -n big230",
            "thing0s.big.lab.kubectl-op.dev root -n big230",
            "get pods,secrets -n big230 -o name",
            "bare-minimum /k big230",
        ];
        assert_eq!(asked, expected);
    }

    #[test]
    fn only_kubectls_flag_turns_compression_off() {
        assert!(args(Tool::Op, Compression::Off).unwrap().ends_with(" --disable-compression"));
        assert_eq!(args(Tool::Lineage, Compression::Off), None);
        assert_eq!(args(Tool::Bare, Compression::Off), None);
    }

    #[test]
    fn exit_code_1_is_valid_for_kubectl_op_only() {
        assert!(
            Tool::Op.is_valid_exit(Some(1))
                && !Tool::Op.is_valid_exit(Some(2))
                && !Tool::Op.is_valid_exit(None)
        );
        assert!(!Tool::Lineage.is_valid_exit(Some(1)) && Tool::Lineage.is_valid_exit(Some(0)));
    }
}

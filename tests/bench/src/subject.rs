//! Who is measured, and how each is asked the same question: what belongs to this root?

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lab::big::GROUP;

use crate::answer::Question;
use crate::bare;
use crate::kinds::Kind;
use crate::stopwatch::Invocation;

/// A subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// kubectl-op tree
    #[value(name = "kubectl-op")]
    Op,
    /// kube-lineage
    #[value(name = "kube-lineage")]
    Lineage,
    /// kubectl get of every namespaced kind, which is what a person without either would do
    #[value(name = "kubectl-get")]
    Get,
    /// The same requests with nothing done with the answers
    #[value(name = "bare")]
    Bare,
}

impl Name {
    /// In the order of a round.
    pub(crate) const ALL: [Self; 4] = [Self::Op, Self::Lineage, Self::Get, Self::Bare];

    /// Whether an exit code means that the question was answered: 1 of kubectl-op says that something is not fine.
    pub(crate) fn answered(self, code: Option<i32>) -> bool {
        code == Some(0) || (self == Self::Op && code == Some(1))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Op => "kubectl-op",
            Self::Lineage => "kube-lineage",
            Self::Get => "kubectl get",
            Self::Bare => "bare minimum",
        })
    }
}

/// The programs of the subjects.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    pub(crate) op: PathBuf,
    /// What kubectl-op is asked, in words and in kind.
    pub(crate) words: String,
    pub(crate) question: Question,
    pub(crate) lineage: PathBuf,
    pub(crate) kubectl: PathBuf,
    /// This binary, which is the bare minimum too.
    pub(crate) bench: PathBuf,
}

/// Where a subject is sent.
#[derive(Clone, Debug)]
pub(crate) struct Ground<'a> {
    pub(crate) kubeconfig: &'a Path,
    pub(crate) namespace: &'a str,
    /// The kinds that there are.
    pub(crate) kinds: &'a [Kind],
    /// A home folder of its own: kubectl and kube-lineage keep discovery in it, and find it there again.
    pub(crate) home: &'a Path,
}

/// Whether a subject may ask for compressed answers, as all of them do by themselves where they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    AsUsual,
    Off,
}

impl Tools {
    /// How a subject is run; nothing when it cannot be told about compression.
    pub(crate) fn invocation(
        &self,
        name: Name,
        ground: &Ground<'_>,
        compression: Compression,
    ) -> Option<Invocation> {
        let namespace = ground.namespace;
        let words = |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let (program, mut args) = match name {
            Name::Op => {
                let root = format!("thing0.{GROUP}/root");
                (&self.op, words(&self.words.replace("{root}", &root).replace("{namespace}", namespace)))
            }
            Name::Lineage => (&self.lineage, words(&format!("thing0s.{GROUP} root -n {namespace}"))),
            Name::Get => {
                let all: Vec<_> = ground.kinds.iter().map(Kind::resource).collect();
                (&self.kubectl, words(&format!("get {} -n {namespace} -o name", all.join(","))))
            }
            Name::Bare => {
                let kubeconfig = ground.kubeconfig.display().to_string();
                (&self.bench, vec![bare::WORD.to_owned(), kubeconfig, namespace.to_owned()])
            }
        };
        match (compression, name) {
            (Compression::AsUsual, _) => {}
            (Compression::Off, Name::Op | Name::Get) => args.push("--disable-compression".to_owned()),
            (Compression::Off, Name::Lineage | Name::Bare) => return None,
        }
        let env = vec![("KUBECONFIG", ground.kubeconfig.to_owned()), ("HOME", ground.home.to_owned())];
        Some(Invocation { program: program.clone(), args, env })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(name: Name, compression: Compression) -> Option<String> {
        let tools = Tools {
            op: "op".into(),
            words: "tree {root} -n {namespace}".into(),
            question: Question::Tree,
            lineage: "lineage".into(),
            kubectl: "kubectl".into(),
            bench: "bench".into(),
        };
        let document = r#"{"items": [{"versions": [{"version": "v1", "resources": [
            {"resource": "pods", "scope": "Namespaced", "verbs": ["list"]},
            {"resource": "secrets", "scope": "Namespaced", "verbs": ["list"]}]}]}]}"#;
        let kinds = crate::kinds::listable(document.as_bytes()).unwrap();
        let ground =
            Ground { kubeconfig: Path::new("/k"), namespace: "big230", kinds: &kinds, home: Path::new("/h") };
        tools.invocation(name, &ground, compression).map(|invocation| invocation.args.join(" "))
    }

    #[test]
    fn each_is_asked_in_its_own_words() {
        let asked = Name::ALL.map(|name| args(name, Compression::AsUsual).unwrap());
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
        assert!(args(Name::Op, Compression::Off).unwrap().ends_with(" --disable-compression"));
        assert_eq!(args(Name::Lineage, Compression::Off), None);
        assert_eq!(args(Name::Bare, Compression::Off), None);
    }

    #[test]
    fn not_fine_is_an_answer_of_ours_only() {
        assert!(Name::Op.answered(Some(1)) && !Name::Op.answered(Some(2)) && !Name::Op.answered(None));
        assert!(!Name::Lineage.answered(Some(1)) && Name::Lineage.answered(Some(0)));
    }
}

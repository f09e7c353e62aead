//! The benchmark's flags.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

use lab::many_resources::ManyResources;

use crate::bench_case::{BenchCase, CaseMatrix, with_extremes};
use crate::comparison::Benchmark;
use crate::output_check::OpCommand;
use crate::tool::Tool;

/// The command that the targets are about.
const TREE: &str = "tree {root} -n {namespace}";

/// Measure kubectl-op beside other tools and the bare minimum, on a lab of its own
///
/// Exits with 1 when a target is missed and with 2 when nothing could be measured.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Cli {
    /// Measure one small namespace twice: to see that the benchmark works
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Also measure 50,000 objects, 30 kinds and 1,000 kinds
    #[arg(long)]
    full: bool,
    /// How many objects the namespace has; may be a list [default: 1000,10000]
    #[arg(long, value_delimiter = ',', value_name = "NUMBER")]
    objects: Vec<usize>,
    /// How many namespaced kinds the server has, its own among them; may be a list [default: 230]
    #[arg(long, value_delimiter = ',', value_name = "NUMBER")]
    kinds: Vec<usize>,
    /// Round trips that are added for the largest namespace, in milliseconds; 0 for none [default: 20,80]
    #[arg(long, value_delimiter = ',', value_name = "MILLISECONDS")]
    round_trips: Vec<u64>,
    /// Measured rounds, after one to warm up [default: 5]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..), value_name = "NUMBER")]
    rounds: Option<u16>,
    /// Measure this tool only; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<Tool>,
    /// Run this benchmark only; may be repeated [default: all; tree when --only, --op or a size is given]
    #[arg(long, value_name = "NAME")]
    benchmark: Vec<Benchmark>,
    /// The kubectl-op to measure [default: built from this tree]
    #[arg(long, value_name = "PATH")]
    pub(crate) binary: Option<PathBuf>,
    /// The arguments of kubectl-op; {root} and {namespace} are filled in. Only the default is judged
    #[arg(long, default_value = TREE, value_name = "WORDS")]
    pub(crate) op: String,
    /// How the figures are printed
    #[arg(short, long, default_value = "text")]
    pub(crate) output: Format,
}

/// How the figures are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns
    Text,
    /// Tables for the README
    Markdown,
}

impl Cli {
    /// What to measure, in order.
    pub(crate) fn cases(&self) -> Vec<BenchCase> {
        let (objects, kinds, trips): (&[usize], &[usize], &[u64]) =
            if self.quick { (&[1_000], &[60], &[]) } else { (&[1_000, 10_000], &[230], &[20, 80]) };
        let trips = chosen(&self.round_trips, trips);
        let cases = CaseMatrix {
            objects: chosen(&self.objects, objects),
            kinds: chosen(&self.kinds, kinds),
            round_trips: trips.into_iter().filter(|time| *time > 0).map(Duration::from_millis).collect(),
        }
        .cases();
        if self.full { with_extremes(cases) } else { cases }
    }

    /// Which tools to measure, in the order of a round.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        Tool::ALL.into_iter().filter(|tool| self.only.is_empty() || self.only.contains(tool)).collect()
    }

    /// What to measure at all, in order.
    pub(crate) fn benchmarks(&self) -> Vec<Benchmark> {
        let about_trees = !self.only.is_empty()
            || !self.objects.is_empty()
            || !self.kinds.is_empty()
            || !self.round_trips.is_empty()
            || self.op_command() == OpCommand::Other;
        let asked = match self.benchmark.as_slice() {
            [] if about_trees => &[Benchmark::Tree],
            [] => Benchmark::ALL.as_slice(),
            asked => asked,
        };
        Benchmark::ALL.into_iter().filter(|benchmark| asked.contains(benchmark)).collect()
    }

    /// How many bytes the dump has.
    pub(crate) fn dump_size(&self) -> u64 {
        if self.quick { 20_000_000 } else { 200_000_000 }
    }

    /// How many resources `status` evaluates together.
    pub(crate) fn many_resources(&self) -> ManyResources {
        if self.quick {
            ManyResources { resources: 200, namespaces: 4 }
        } else {
            ManyResources { resources: 2_000, namespaces: 20 }
        }
    }

    /// Whether kubectl-op runs the command that the targets are about.
    pub(crate) fn op_command(&self) -> OpCommand {
        if self.op == TREE { OpCommand::Tree } else { OpCommand::Other }
    }

    /// How many rounds count.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.map_or(if self.quick { 2 } else { 5 }, usize::from)
    }
}

fn chosen<T: Copy>(asked: &[T], default: &[T]) -> Vec<T> {
    if asked.is_empty() { default.to_vec() } else { asked.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cli(args: &[&str]) -> Cli {
        Cli::try_parse_from(["bench"].iter().chain(args)).unwrap()
    }

    #[test]
    fn the_default_run_covers_the_cases_of_the_targets() {
        let cases = cli(&[]).cases();
        assert!(cases.contains(&BenchCase::SMALL) && cases.contains(&BenchCase::BASELINE));
        assert_eq!((cases.len(), cli(&[]).rounds(), cli(&[]).tools().len()), (4, 5, 4));
        assert!(cli(&["--full"]).cases().contains(&BenchCase::LARGE));
        assert_eq!(cli(&["--full"]).cases().len(), 7);
    }

    #[test]
    fn topics_are_all_or_those_asked_for() {
        assert_eq!(cli(&[]).benchmarks(), Benchmark::ALL);
        assert_eq!(cli(&["--quick"]).benchmarks(), Benchmark::ALL);
        assert_eq!(cli(&["--only", "bare"]).benchmarks(), [Benchmark::Tree]);
        assert_eq!(cli(&["--op", "version"]).benchmarks(), [Benchmark::Tree]);
        assert_eq!(
            cli(&["--benchmark", "status", "--benchmark", "dump"]).benchmarks(),
            [Benchmark::Dump, Benchmark::Status]
        );
        assert!(cli(&["--quick"]).dump_size() < cli(&[]).dump_size());
        assert_eq!((cli(&[]).many_resources().resources, cli(&[]).many_resources().namespaces), (2_000, 20));
    }

    #[test]
    fn flags_narrow_it() {
        assert_eq!(cli(&["--quick"]).cases(), [BenchCase::without_latency(1_000, 60)]);
        assert_eq!(cli(&["--quick", "--rounds", "3"]).rounds(), 3);
        let one = cli(&["--objects", "500", "--kinds", "40", "--round-trips", "0"]);
        assert_eq!(one.cases(), [BenchCase::without_latency(500, 40)]);
        assert_eq!(cli(&["--only", "bare", "--only", "kube-lineage"]).tools(), [Tool::Lineage, Tool::Bare]);
        assert_eq!(cli(&["--op", "version"]).op_command(), OpCommand::Other);
        assert_eq!(cli(&[]).op_command(), OpCommand::Tree);
        assert!(Cli::try_parse_from(["bench", "--rounds", "0"]).is_err());
    }
}

//! Whether the output of a tool is complete: one that does not do the work would be the fastest.

use crate::tool::Tool;

/// Which command of kubectl-op is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OpCommand {
    /// What the other tools do too, and what the targets are about.
    #[default]
    Tree,
    /// The user's own arguments; measured, without targets.
    Other,
}

/// What the output has to contain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    pub(crate) op_command: OpCommand,
    /// Objects that the root owns.
    pub(crate) owned: usize,
    /// Objects in the namespace.
    pub(crate) objects: usize,
}

impl Expected {
    /// What is wrong with the output; nothing when it is complete.
    pub(crate) fn problem(self, tool: Tool, answer: &[u8]) -> Option<String> {
        let found = lines(answer);
        let (right, wanted) = match (tool, self.op_command) {
            // Equal children may be folded into one line that counts them.
            (Tool::Op, OpCommand::Tree) => (found > self.owned || counts(answer, self.owned), self.owned + 1),
            (Tool::Lineage, _) => (found > self.owned, self.owned + 1),
            (Tool::Get, _) => (found >= self.objects, self.objects),
            (Tool::Op, OpCommand::Other) | (Tool::Bare, _) => (true, 0),
        };
        (!right).then(|| format!("its answer has {found} lines for {wanted} objects"))
    }
}

/// Lines that are not empty.
pub(crate) fn lines(answer: &[u8]) -> usize {
    answer.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
}

/// Whether a number stands in the text, as a word.
fn counts(answer: &[u8], number: usize) -> bool {
    let number = number.to_string();
    answer.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| word == number.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPECTED: Expected = Expected { op_command: OpCommand::Tree, owned: 3, objects: 5 };

    #[test]
    fn a_tree_has_every_child_in_a_line_or_in_a_count() {
        let problem = |answer: &str| EXPECTED.problem(Tool::Op, answer.as_bytes());
        assert_eq!(problem("root\n|-a\n|-b\n`-c\n"), None);
        assert_eq!(problem("root\n`-3 ConfigMaps\n"), None);
        assert_eq!(problem("root\nv1.36.13\n"), Some("its answer has 2 lines for 4 objects".to_owned()));
        let other = Expected { op_command: OpCommand::Other, ..EXPECTED };
        assert_eq!(other.problem(Tool::Op, b"v1.36.13\n"), None);
    }

    #[test]
    fn other_tools_print_lines() {
        assert!(EXPECTED.problem(Tool::Lineage, b"a\n3 things\n").is_some());
        assert_eq!(EXPECTED.problem(Tool::Get, b"a\nb\n\nc\nd\ne\n"), None);
        assert!(EXPECTED.problem(Tool::Get, b"a\nb\n\nc\nd\n").is_some());
        assert_eq!(EXPECTED.problem(Tool::Bare, b""), None);
    }
}

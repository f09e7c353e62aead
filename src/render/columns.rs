//! `-o custom-columns`: a table of the requested columns, with kubectl's error messages.
//!
//! A path selects a field of a node in `-o json` (`.own.verdict`), or of the metadata of the object (`.metadata.name`).

use serde_json::{Value, json};

use super::table::{Cell, layout};
use crate::inspect::evaluation::Node;
use crate::jsonpath::{self, Problem, Template, go_text};
use crate::ui::Styles;

/// The value of a path that matches nothing.
const NONE: &str = "<none>";

/// The requested columns, at least one.
#[derive(Clone, Debug)]
pub struct Columns(Vec<Column>);

#[derive(Clone, Debug)]
struct Column {
    header: String,
    path: Template,
}

impl Columns {
    /// Parses `NAME:.name,VERDICT:.own.verdict`.
    pub fn of_spec(spec: &str) -> Result<Self, String> {
        if spec.is_empty() {
            return Err("custom-columns format specified but no custom columns given".to_owned());
        }
        let column = |part: &str| match part.split_once(':') {
            Some((header, path)) => column(header, path),
            None => {
                Err(format!("unexpected custom-columns spec: {part}, expected <header>:<json-path-expr>"))
            }
        };
        spec.split(',').map(column).collect::<Result<_, _>>().map(Self)
    }

    /// Parses the two lines of a file: headers, then paths.
    pub fn of_template(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "Expected format is one line of space separated headers, one line of space separated column specs.";
        let mut lines = text.lines();
        let headers = lines.next().ok_or(format!("invalid template, missing header line. {EXPECTED}"))?;
        let paths = lines.next().ok_or(format!("invalid template, missing spec line. {EXPECTED}"))?;
        let headers: Vec<&str> = headers.split_whitespace().collect();
        let paths: Vec<&str> = paths.split_whitespace().collect();
        match (headers.len(), paths.len()) {
            // kubectl prints empty lines for this.
            (0, 0) => Err(format!("invalid template, missing header line. {EXPECTED}")),
            (headers, paths) if headers != paths => {
                Err(format!("number of headers ({headers}) and field specifications ({paths}) don't match"))
            }
            _ => headers
                .into_iter()
                .zip(paths)
                .map(|(header, path)| column(header, path))
                .collect::<Result<_, _>>()
                .map(Self),
        }
    }

    /// Writes one row per node. Rows never wrap, because this is for scripts.
    pub fn write<'a>(
        &self,
        nodes: impl IntoIterator<Item = &'a Node>,
        styles: &Styles,
    ) -> Result<String, Problem> {
        let header = self.0.iter().map(|column| styles.plain(&column.header)).collect();
        let rows: Result<Vec<_>, Problem> = nodes.into_iter().map(|node| self.row(node)).collect();
        Ok(layout(header, rows?, styles, None))
    }

    fn row(&self, node: &Node) -> Result<Vec<Cell>, Problem> {
        let value = described(node);
        let cell = |column: &Column| {
            let found = column.path.find(&value)?;
            // null means absent in our reports; kubectl writes <nil> for it.
            let found: Vec<String> =
                found.into_iter().filter(|found| !found.is_null()).map(go_text).collect();
            Ok(Cell::from(if found.is_empty() { NONE.to_owned() } else { found.join(",") }))
        };
        self.0.iter().map(cell).collect()
    }
}

fn column(header: &str, path: &str) -> Result<Column, String> {
    let path = jsonpath::parse_relaxed(path).map_err(|problem| problem.to_string())?;
    Ok(Column { header: header.to_owned(), path })
}

/// The node as in `-o json`, with its metadata where Kubernetes objects have it.
fn described(node: &Node) -> Value {
    // This cannot fail: all keys are strings.
    let mut value = serde_json::to_value(node).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        let finalizers = Some(&node.finalizers).filter(|finalizers| !finalizers.is_empty());
        let mut metadata = json!({
            "name": node.name.name,
            "namespace": node.name.namespace,
            "uid": node.uid,
            "creationTimestamp": node.created,
            "deletionTimestamp": node.deleting,
            "finalizers": finalizers,
        });
        // Absent fields have no key in Kubernetes objects.
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.retain(|_, value| !value.is_null());
        }
        fields.insert("metadata".to_owned(), metadata);
    }
    value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::sample;

    fn table(spec: &str, names: &[&str]) -> String {
        let columns = Columns::of_spec(spec).unwrap();
        columns.write(&sample::nodes(names), &Styles::default()).unwrap()
    }

    #[test]
    fn a_row_per_node_by_either_kind_of_path() {
        let spec =
            "NAME:.name,SAME:metadata.name,NS:{.metadata.namespace},VERDICT:{own.verdict},GONE:.deleting";
        insta::assert_snapshot!(table(spec, &["shop", "a-long-name"]), @"
        NAME         SAME         NS       VERDICT  GONE
        shop         shop         default  Failed   <none>
        a-long-name  a-long-name  default  Failed   <none>
        ");
    }

    #[test]
    fn values_are_written_as_kubectl_does() {
        for (path, text) in [
            (".metadata.finalizers", "[example.com/a example.com/b]"),
            (".metadata.finalizers[*]", "example.com/a,example.com/b"),
            (".metadata.creationTimestamp", "1970-01-01T00:00:00Z"),
            (".metadata.deletionTimestamp", "<none>"),
            (".metadata.labels.app", "<none>"),
            (".own.reason", "<none>"),
            ("", "<none>"),
            (".kind", "Thing"),
            (".apiVersion", "example.com/v1"),
        ] {
            assert_eq!(table(&format!("X:{path}"), &["shop"]), format!("X\n{text}\n"), "{path}");
        }
        let metadata = table("X:.metadata", &["shop"]);
        assert!(
            metadata.contains("map[creationTimestamp:1970-01-01T00:00:00Z finalizers:[example.com/a example.com/b] name:shop "),
            "{metadata}"
        );
    }

    #[test]
    fn no_finalizers_are_none() {
        let mut nodes = sample::nodes(&["shop"]);
        nodes[0].finalizers.clear();
        let columns = Columns::of_spec("A:.metadata.finalizers,B:.finalizers").unwrap();
        assert_eq!(columns.write(&nodes, &Styles::default()).unwrap(), "A       B\n<none>  []\n");
    }

    #[test]
    fn a_header_may_be_empty_and_a_path_may_hold_colons() {
        assert_eq!(table(":.name", &["shop"]), "\nshop\n");
        assert_eq!(table("A:.finalizers[0:1]", &["shop"]), "A\nexample.com/a\n");
    }

    #[test]
    fn specs_that_make_no_sense() {
        for (spec, error) in [
            ("", "custom-columns format specified but no custom columns given"),
            ("NAME", "unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>"),
            ("NAME:.name,", "unexpected custom-columns spec: , expected <header>:<json-path-expr>"),
            ("A:{.a}{.b}", "unexpected path string, expected a 'name1.name2' or '.name1.name2' or"),
            ("A:.a[", "unterminated array"),
        ] {
            let told = Columns::of_spec(spec).unwrap_err();
            assert!(told.starts_with(error), "{spec}: {told}");
        }
    }

    #[test]
    fn a_path_that_does_not_fit_is_a_problem() {
        let columns = Columns::of_spec("F:.finalizers[7]").unwrap();
        let problem = columns.write(&sample::nodes(&["shop"]), &Styles::default()).unwrap_err();
        assert!(problem.to_string().starts_with("array index out of bounds: index 7, length 2"), "{problem}");
    }

    #[test]
    fn a_file_has_headers_over_paths() {
        let nodes = sample::nodes(&["shop"]);
        let columns = Columns::of_template("NAME   STATE\n.name  {.own.verdict}\nmore\n").unwrap();
        assert_eq!(columns.write(&nodes, &Styles::default()).unwrap(), "NAME  STATE\nshop  Failed\n");
        for (text, error) in [
            ("", "invalid template, missing header line. Expected format is one line"),
            ("\n\n", "invalid template, missing header line. Expected format is one line"),
            ("NAME\n", "invalid template, missing spec line. Expected format is one line"),
            ("A B\n.a\n", "number of headers (2) and field specifications (1) don't match"),
            ("A\n{.a}{.b}\n", "unexpected path string"),
        ] {
            let told = Columns::of_template(text).unwrap_err();
            assert!(told.starts_with(error), "{text:?}: {told}");
        }
    }

    #[test]
    fn the_longest_message_of_a_condition_fits_twice() {
        let long = "x".repeat(32_768);
        let text = table("A:.name,B:.name,C:.kind", &[&long]);
        assert!(text.contains(&format!("{long}  {long}  Thing")), "{}", text.len());
    }

    proptest! {
        #[test]
        fn any_name_is_one_harmless_line(names in prop::collection::vec(sample::hostile(), 1..6)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = table("NAME:.name,VERDICT:.own.verdict", &names);
            prop_assert_eq!(text.lines().count(), names.len() + 1);
            prop_assert!(text.lines().skip(1).all(|line| line.ends_with("  Failed")), "{}", text);
            prop_assert!(!text.contains(|c: char| c != '\n' && c.is_control()));
        }

        #[test]
        fn any_spec_is_columns_or_an_error(spec in "[A-Z:,.a-z\\[\\]{}*?@ ()0-9\"']{0,20}") {
            if let Ok(columns) = Columns::of_spec(&spec) {
                let _ = columns.write(&sample::nodes(&["shop"]), &Styles::default());
            }
            let _ = Columns::of_template(&spec.replace(',', "\n"));
        }
    }
}

//! kubectl's `JSONPath` templates, as in `-o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}'`; written
//! here because no crate implements kubectl's dialect, which differs from RFC 9535.
//!
//! The dialect is that of k8s.io/client-go/util/jsonpath v0.36 with `AllowMissingKeys`; the tables in the tests
//! below contain what kubectl printed. The names of nodes and parse functions are those of the Go package. Where
//! kubectl loses data, crashes or depends on chance, this differs on purpose:
//! - `[*]` over an empty list continues with the next list; kubectl drops all that follow.
//! - `[?(@.ports[1])]` is false when there is no such port; kubectl takes the error for a match.
//! - integers and floats compare with each other; kubectl refuses.
//! - `{"\\"}` is a backslash; kubectl misses the closing quote.
//! - `.*` finds nothing in a string; kubectl finds the numbers of its bytes.
//! - `.*` and `..` follow the order of the document; kubectl's order changes from run to run.
//! - an unknown identifier or operator, or `{end}` without a range, is an error of [`parse()`]; kubectl reports
//!   it only when the template reaches it.
//!
//! The result is raw text: the caller must sanitize it for a terminal.
//!
//! | to find                                        | look in    |
//! |------------------------------------------------|------------|
//! | from the text of a template to instructions    | `parse.rs` |
//! | from a value and a path to the values it finds | `eval.rs`  |
//! | how values are printed                         | `print.rs` |

mod eval;
mod parse;
mod print;

use std::fmt;

pub use print::go_text;
use serde_json::Value;

/// A parsed template.
#[derive(Clone, Debug)]
pub struct Template {
    instructions: Vec<Instruction>,
}

/// Parses `template` as `-o jsonpath=` does: text outside of braces is printed as it is.
pub fn parse(template: &str) -> Result<Template, Problem> {
    parse::parse_template(template)
}

/// Parses one path as `--sort-by` and custom columns do: braces and the leading dot may be left out.
///
/// Not part of [`parse()`], because `-o jsonpath=.kind` prints `.kind` in kubectl. Go's name for it is
/// `RelaxedJSONPathExpression`.
pub fn parse_relaxed(path: &str) -> Result<Template, Problem> {
    if path.is_empty() {
        return parse("");
    }
    let bare = path.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(path);
    if bare.is_empty() || bare.contains(['{', '}']) {
        let message = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' \
                       or '{.name1.name2}'";
        return Err(Problem { message: message.to_owned(), at: 1 });
    }
    let omitted = usize::from(bare.len() == path.len()) + usize::from(!bare.starts_with('.'));
    let whole = format!("{{.{}}}", bare.strip_prefix('.').unwrap_or(bare));
    parse(&whole).map_err(|problem| Problem { at: problem.at.saturating_sub(omitted).max(1), ..problem })
}

impl Template {
    /// Executes the template with `value`. A missing key prints nothing; after an error there is no text at all.
    pub fn write(&self, value: &Value) -> Result<String, Problem> {
        self.write_escaped(value, &|text, out| out.push_str(text))
    }

    /// [`Self::write`], with the results appended by `escape`, but not the text of the template itself.
    pub fn write_escaped(
        &self,
        value: &Value,
        escape: &dyn Fn(&str, &mut String),
    ) -> Result<String, Problem> {
        let mut out = TemplateOutput { text: String::new(), escape };
        self.execute(0, self.instructions.len(), value, &mut out)?;
        Ok(out.text)
    }

    /// The values that the template finds, as for a cell of a custom column. Text and ranges find nothing.
    pub fn find<'a>(&'a self, value: &'a Value) -> Result<Vec<&'a Value>, Problem> {
        let mut found = Vec::new();
        for instruction in &self.instructions {
            if let Instruction::Print(action) = instruction {
                found.extend(action.find(value)?);
            }
        }
        Ok(found)
    }

    fn execute(
        &self,
        from: usize,
        to: usize,
        value: &Value,
        out: &mut TemplateOutput<'_>,
    ) -> Result<(), Problem> {
        let mut next = from;
        while let Some(instruction) = self.instructions.get(next).filter(|_| next < to) {
            next += 1;
            match instruction {
                Instruction::Text(text) => out.text.push_str(text),
                Instruction::Print(action) => {
                    let mut results = String::new();
                    print::print_results(&action.find(value)?, &mut results);
                    // A literal is text of the template.
                    if action.is_literal() {
                        out.text.push_str(&results);
                    } else {
                        (out.escape)(&results, &mut out.text);
                    }
                }
                Instruction::Range { over, end, resume } => {
                    for item in over.find(value)? {
                        self.execute(next, *end, item, out)?;
                    }
                    next = *resume;
                }
                Instruction::End => {}
            }
        }
        Ok(())
    }
}

/// One piece of a template. A range refers to later instructions by index: without `{end}` it overlaps with
/// what follows it, so ranges do not form a tree.
#[derive(Clone, Debug)]
enum Instruction {
    Text(String),
    Print(Action),
    /// Executes the instructions up to `end` for each result, then continues at `resume`.
    Range {
        over: Action,
        end: usize,
        resume: usize,
    },
    End,
}

/// The text that a template has written, and how results are appended to it.
struct TemplateOutput<'a> {
    text: String,
    escape: &'a dyn Fn(&str, &mut String),
}

/// What is between braces.
#[derive(Clone, Debug)]
struct Action {
    /// The position of its first character, for errors that depend on the object.
    at: usize,
    path: Path,
}

impl Action {
    /// Whether it is text in quotes, such as `{"\n"}`.
    fn is_literal(&self) -> bool {
        matches!(self.path.as_slice(), [Node::Text(_)])
    }

    fn find<'a>(&'a self, value: &'a Value) -> Result<Vec<&'a Value>, Problem> {
        eval::eval_path(&self.path, vec![value]).map_err(|message| Problem { message, at: self.at })
    }
}

type Path = Vec<Node>;

/// One element of a path: takes a list of values and results in another.
#[derive(Clone, Debug)]
enum Node {
    Field(String),
    Wildcard,
    Recursive,
    Index(i64),
    Slice {
        start: Option<i64>,
        end: Option<i64>,
        step: Option<i64>,
    },
    Union(Vec<Path>),
    Filter(Path, Predicate),
    /// Quoted text: one result, whatever the input.
    Text(Value),
    /// An integer, float or boolean: one result per input value.
    Literal(Value),
}

/// What a filter demands of each item.
#[derive(Clone, Debug)]
enum Predicate {
    Exists,
    Compare(Operator, Path),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Why a template cannot be parsed or executed, in kubectl's words, and where in the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    message: String,
    /// In characters, counted from one.
    at: usize,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, at character {}", self.message, self.at)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The document that kubectl v1.36.3 was given, with `kubectl label --local -f`.
    fn sample() -> Value {
        json!({
            "kind": "Sample",
            "metadata": {
                "name": "demo",
                "labels": { "z": "1", "app.kubernetes.io/name": "web", "a": "2" },
                "annotations": { "html": "<a>&\"x\"" }
            },
            "spec": {
                "replicas": 3, "big": 1_000_000, "huge": 123_456_789_012_i64, "ratio": 0.5,
                "floats": [1e6, 1e21, 123_456_789.5, 0.00001, 100_000.0, 2.0],
                "paused": false, "on": true, "nothing": null, "empty": {}, "none": [], "text": "",
                "tags": ["a", "b", "c", "d"], "mixed": [1, 2.5, "x", true, null, { "k": 1 }]
            },
            "list": [
                { "kind": "Pod", "name": "p1", "n": 1, "ready": true, "ports": [80, 443] },
                { "kind": "Service", "name": "s1", "n": 2, "ready": false, "ports": [] },
                { "kind": "Pod", "name": "p2", "n": 3, "extra": { "deep": "x" }, "ports": [8080] }
            ]
        })
    }

    /// The text, or the error as it is printed.
    fn answer(template: &str) -> String {
        match parse(template).and_then(|template| template.write(&sample())) {
            Ok(text) => text,
            Err(problem) => format!("error: {problem}"),
        }
    }

    fn check(table: &[(&str, &str)]) {
        for (template, expected) in table {
            assert_eq!(answer(template), *expected, "{template}");
        }
    }

    #[test]
    fn keys() {
        check(&[
            ("{.metadata.name}", "demo"),
            ("{$.metadata.name}", "demo"),
            ("{@.metadata.name}", "demo"),
            ("{.metadata .name}", "demo"),
            ("{['metadata']['name']}", "demo"),
            ("{['metadata.name']}", "demo"),
            ("{.metadata['name']}", "demo"),
            (r"{.metadata.labels.app\.kubernetes\.io/name}", "web"),
            (r"{.metadata.labels['app\.kubernetes\.io/name']}", "web"),
            ("{.metadata.labels['app.kubernetes.io/name']}", ""),
            ("{['kind}x']}", "Sample"),
            ("{.kind!}", ""),
            ("{.}", ""),
            ("{.['kind']}", ""),
        ]);
    }

    #[test]
    fn missing_keys_leave_nothing() {
        check(&[
            ("[{.spec.missing}][{.spec.missing.deeper}][{.spec.missing[0]}]", "[][][]"),
            ("[{.spec.nothing.x}][{.spec.replicas.x}][{.spec.nothing[0]}]", "[][][]"),
            ("{.list[*].missing}|", "|"),
            ("{.spec.missing[?(@.x)]}", ""),
        ]);
    }

    #[test]
    fn values() {
        check(&[
            ("{.spec.replicas} {.spec.big} {.spec.huge} {.spec.ratio}", "3 1000000 123456789012 0.5"),
            ("{.spec.floats[*]}", "1e+06 1e+21 1.234567895e+08 1e-05 100000 2"),
            ("{.spec.floats}", "[1000000,1e+21,123456789.5,0.00001,100000,2]"),
            ("{.spec.paused}{.spec.on}", "falsetrue"),
            ("[{.spec.nothing}]", "[null]"),
            ("[{.spec.text}][{.spec.empty}][{.spec.none}]", "[][{}][[]]"),
            ("{.spec.mixed[*]}", r#"1 2.5 x true null {"k":1}"#),
            ("{.spec.mixed}", r#"[1,2.5,"x",true,null,{"k":1}]"#),
            ("{.metadata.labels}", r#"{"a":"2","app.kubernetes.io/name":"web","z":"1"}"#),
            ("{.metadata.annotations}", r#"{"html":"\u003ca\u003e\u0026\"x\""}"#),
            ("{.metadata.annotations.html}", r#"<a>&"x""#),
            ("{1} {1.5} {-3} {true}", "1 1.5 -3 true"),
            ("{99999999999999999999} {1000000.5} {0.00001}", "1e+20 1.0000005e+06 1e-05"),
        ]);
        assert_eq!(answer("{}"), answer("{@}"));
        assert_eq!(serde_json::from_str::<Value>(&answer("{@}")).unwrap()["metadata"], sample()["metadata"]);
    }

    #[test]
    fn lists() {
        check(&[
            ("{.list[0].name}", "p1"),
            ("{.list[-1].name}", "p2"),
            ("{.list[*].name}", "p1 s1 p2"),
            ("{.list.*.name}", "p1 s1 p2"),
            ("{.spec.tags[1:3]}", "b c"),
            ("{.spec.tags[1:3:2]}", "b"),
            ("{.spec.tags[::2]}", "a c"),
            ("{.spec.tags[-2:]}", "c d"),
            ("{.spec.tags[:2]}", "a b"),
            ("{.spec.tags[]}", "a"),
            ("{.spec.tags[0:0]}", ""),
            ("{.spec.none[*]}", ""),
            ("{.spec.tags[0,2]}", "a c"),
            ("{.spec.tags[0, 2]}", "a c"),
            ("{.list[0]['kind','name']}", "Pod p1"),
            ("{.list[*]['kind','name']}", "Pod Service Pod p1 s1 p2"),
            ("{.list[*]['n','extra.deep']}", "1 2 3 x"),
        ]);
    }

    #[test]
    fn recursive_descent() {
        check(&[
            ("{..name}", "p1 s1 p2 demo"),
            ("{..deep}", "x"),
            ("{.list..ports[0:0]}", ""),
            (
                "{.list[0]..}",
                r#"{"kind":"Pod","n":1,"name":"p1","ports":[80,443],"ready":true} Pod p1 [80,443]"#,
            ),
            ("{..['deep']}", "x"),
            ("{.metadata..html}", r#"<a>&"x""#),
        ]);
    }

    #[test]
    fn filters() {
        check(&[
            (r#"{.list[?(@.kind=="Pod")].name}"#, "p1 p2"),
            ("{.list[?(@.kind == 'Pod')].name}", "p1 p2"),
            (r#"{.list[?(@.kind!="Pod")].name}"#, "s1"),
            ("{.list[?(@.n>1)].name}", "s1 p2"),
            ("{.list[?(@.n>=2)].name}", "s1 p2"),
            ("{.list[?(@.n<2)].name}", "p1"),
            ("{.list[?(@.n<=2)].name}", "p1 s1"),
            ("{.list[?(@.ready==true)].name}", "p1"),
            ("{.list[?(@.extra)].name}", "p2"),
            (r#"{.list[?(@.extra.deep=="x")].name}"#, "p2"),
            (r#"{.list[?(@.name=="p)1")].name}"#, ""),
            (r#"{.spec.tags[?(@=="b")]}"#, "b"),
            (r#"{.spec.tags[?(@>"b")]}"#, "c d"),
            ("{.list[?(@.n==$.n)].name}", "p1 s1 p2"),
        ]);
    }

    #[test]
    fn ranges() {
        check(&[
            (r#"{range .list[*]}{.name}={.kind}{"\n"}{end}"#, "p1=Pod\ns1=Service\np2=Pod\n"),
            (
                r#"{range .list[*]}{.name}{"\t"}{range .ports[*]}<{@}>{end}{'\n'}{end}tail {.kind}"#,
                "p1\t<80><443>\ns1\t\np2\t<8080>\ntail Sample",
            ),
            (r#"{range .list[?(@.kind=="Pod")]}{.name} {end}"#, "p1 p2 "),
            ("{range .spec.none[*]}x{end}y", "y"),
            ("{range .spec.missing}x{end}y", "y"),
            ("{range .spec.nothing}x{end}y", "xy"),
            ("{range}{.kind}{end}", "Sample"),
        ]);
    }

    #[test]
    fn a_range_without_end_continues_with_the_outer_object() {
        check(&[
            ("{range .list[*]}{.name};", "p1;s1;p2;;"),
            ("{range .list[*]}{range .ports[*]}{@},{end}{.name};", "80,443,p1;s1;8080,p2;;"),
        ]);
    }

    #[test]
    fn text() {
        check(&[
            ("", ""),
            ("plain text", "plain text"),
            (".metadata.name", ".metadata.name"),
            ("{.metadata.name} {.kind}", "demo Sample"),
            ("{.missing}}", "}"),
            (r#"{"quoted {brace}"}"#, "quoted {brace}"),
            (r"{'it\'s'}", "it's"),
            (r#"{"say \"hi\""}"#, r#"say "hi""#),
            (r#"{"\x41\u00e9\101\U0001F600"}"#, "Aé\u{41}\u{1F600}"),
            (r#"{"\xc3\xa9"}"#, "é"),
        ]);
    }

    #[test]
    fn expressions_of_one_action_are_a_chain() {
        check(&[("{.metadata.name .kind}", ""), (r#"{.metadata.name "x"}"#, "x"), (r#"{"a" "b"}"#, "b")]);
    }

    #[test]
    fn invalid_templates() {
        check(&[
            ("{.a", "error: unclosed action, at character 1"),
            ("é{.kind}{.list[0]", "error: unclosed action, at character 9"),
            ("{.a\n}", "error: unclosed action, at character 1"),
            (r"{.a\}", "error: unclosed action, at character 1"),
            ("{.list[0}", "error: unterminated array, at character 7"),
            (r#"{.list[?(@.kind=="Pod"}"#, "error: unterminated filter, at character 7"),
            (r#"{.list[?(@.kind=="Pod")}"#, "error: unclosed array expect ], at character 7"),
            (r#"é {"abc}"#, "error: unterminated quoted string, at character 4"),
            ("{!}", "error: unrecognized character in action: U+0021 '!', at character 2"),
            ("{\t.a}", "error: unrecognized character in action: U+0009, at character 2"),
            ("{{.a}}", "error: unrecognized character in action: U+007B '{', at character 2"),
            ("{..*}", "error: unrecognized character in action: U+002A '*', at character 4"),
            ("{.a, .b}", "error: unrecognized character in action: U+002C ',', at character 4"),
            ("{.a[?(@.n=~1)]}", "error: unrecognized character in action: U+007E '~', at character 11"),
            ("{.a[?(@.n===1)]}", "error: unrecognized filter operator ===, at character 10"),
            ("{....}", "error: invalid multiple recursive descent, at character 4"),
            ("{.a[x]}", "error: invalid array index x, at character 5"),
            ("{.a[0, x]}", "error: invalid array index x, at character 8"),
            (r#"{.a["a"]}"#, r#"error: invalid array index "a", at character 5"#),
            ("{.a[-]}", "error: array index - is not a number, at character 5"),
            (r#"{"\q"}"#, r#"error: unquote string "\q" error invalid syntax, at character 2"#),
            (r#"{"\'"}"#, r#"error: unquote string "\'" error invalid syntax, at character 2"#),
            ("{1.2.3}", "error: cannot parse number 1.2.3, at character 2"),
            ("{bogus}", "error: unrecognized identifier bogus, at character 2"),
            ("{['a b']}", "error: unrecognized identifier b, at character 6"),
            ("{end}", "error: not in range, nothing to end, at character 1"),
            ("{range .list[*]}x{end}{end}", "error: not in range, nothing to end, at character 23"),
            ("{range range .list}", "error: an action can begin or end only one range, at character 8"),
        ]);
        let deep = "{range @}".repeat(65);
        assert_eq!(answer(&deep), "error: ranges are nested too deep, at character 577");
    }

    #[test]
    fn objects_that_do_not_fit_the_template() {
        check(&[
            ("{.spec.tags[9]}", "error: array index out of bounds: index 9, length 4, at character 1"),
            ("{.spec.tags[-9]}", "error: array index out of bounds: index -5, length 4, at character 1"),
            ("{.spec.tags[0:9]}", "error: array index out of bounds: index 8, length 4, at character 1"),
            ("x {.spec.none[0]}", "error: array index out of bounds: index 0, length 0, at character 3"),
            ("{.spec.tags[3:1]}", "error: starting index 3 is greater than ending index 1, at character 1"),
            ("{.spec.tags[0:2:0]}", "error: step must be > 0, at character 1"),
            ("{.spec.replicas[0]}", "error: int64 is not array or slice, at character 1"),
            ("{.spec[0]}", "error: map[string]interface {} is not array or slice, at character 1"),
            ("{.kind[*]}", "error: string is not array or slice, at character 1"),
            (
                "{.spec.nothing[?(@.x)]}",
                "error: <nil> is not array or slice and cannot be filtered, at character 1",
            ),
            (r#"{.list[?(@.n=="1")]}"#, "error: incompatible types for comparison, at character 1"),
            ("{.spec.mixed[?(@==1)]}", "error: incompatible types for comparison, at character 1"),
            ("{.list[?(@.ready<true)]}", "error: invalid type for comparison, at character 1"),
            (r#"{.list[?(@.extra=="x")]}"#, "error: invalid type for comparison, at character 1"),
            ("{.list[?(@.*==1)]}", "error: can only compare one element at a time, at character 1"),
        ]);
    }

    #[test]
    fn kubectl_is_not_followed_where_it_loses_data_or_crashes() {
        check(&[
            ("{.list[*].ports[*]}", "80 443 8080"),
            ("{.list[?(@.ports[1])].name}", "p1"),
            ("{.list[?(@.n>1.5)].name}", "s1 p2"),
            ("{.kind.*}", ""),
            ("{range .spec.none[*]}{[0]}x{end}y", "y"),
            (r#"{"\\"}"#, r"\"),
        ]);
    }

    #[test]
    fn a_relaxed_path_needs_neither_braces_nor_dot() {
        for path in ["metadata.name", ".metadata.name", "{metadata.name}", "{.metadata.name}"] {
            assert_eq!(parse_relaxed(path).unwrap().write(&sample()).unwrap(), "demo", "{path}");
        }
        assert_eq!(parse_relaxed("").unwrap().write(&sample()).unwrap(), "");
        for (path, at) in [("a[x]", 3), (".a[x]", 4), ("{a[x]}", 4), ("{.a[x]}", 5)] {
            let problem = parse_relaxed(path).unwrap_err();
            assert_eq!(problem.to_string(), format!("invalid array index x, at character {at}"), "{path}");
        }
        for path in ["{}", "{.a}{.b}", "{.a", ".a}"] {
            assert!(
                parse_relaxed(path).unwrap_err().to_string().starts_with("unexpected path string"),
                "{path}"
            );
        }
    }

    /// Text made of tokens, so that the parser gets past the first character.
    fn template() -> impl Strategy<Value = String> {
        let pieces = "{|}|{|}|.|..|*|[|]|[*]|[?(|)]|@|$|==|<|!|'|\"|\\|,|:|-|0|1|9223372036854775807|\
                      -9223372036854775808|a|b|é| |\n|true|{range @}|{range .a[*]}|{end}|{.a}|{..b}|{[0]}|['a']";
        let pieces: Vec<&str> = pieces.split('|').collect();
        prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|pieces| pieces.concat())
    }

    fn document() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            // Quarters: others may differ in the last digit after serde_json has read them back.
            any::<i32>().prop_map(|number| Value::from(f64::from(number) / 4.0)),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let key = prop_oneof![Just("a".to_owned()), Just("b".to_owned()), any::<String>()];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_text_is_a_template_or_an_error_with_a_position_in_it(text in prop_oneof![any::<String>(), template()]) {
            for parsed in [parse(&text), parse_relaxed(&text)] {
                if let Err(problem) = parsed {
                    prop_assert!((1..=text.chars().count()).contains(&problem.at), "{problem}");
                }
            }
        }

        #[test]
        fn any_template_executes_with_any_document(text in template(), value in document()) {
            if let Ok(template) = parse(&text) {
                let _ = template.write(&value);
            }
        }

        #[test]
        fn any_document_is_printed_whole(value in document()) {
            let text = parse("{@}").unwrap().write(&json!([value])).unwrap();
            let back: Value = serde_json::from_str(&text).unwrap();
            // Go writes 2.0 as 2, so a float can come back as an integer.
            prop_assert_eq!(parse("{@}").unwrap().write(&back).unwrap(), text);
        }
    }
}

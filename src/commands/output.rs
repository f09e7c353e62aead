//! `-o` of commands that show objects.

use std::fs::File;
use std::io::Read as _;

use crate::jsonpath::{self, Template};
use crate::render::Machine;
use crate::render::columns::Columns;

/// No list of columns is longer; a device that never ends is.
const LONGEST: u64 = 64 * 1024;

/// What `-o` asks for.
#[derive(Clone, Debug)]
pub enum Output {
    Wide,
    Name,
    Machine(Machine),
    JsonPath(Template),
    Columns(Columns),
    /// A drawing in Graphviz's language.
    Dot,
    /// A drawing in Mermaid's language.
    Mermaid,
}

/// What `-o` asks for where a report is a list of things that are no objects.
#[derive(Clone, Debug)]
pub enum Report {
    Wide,
    Machine(Machine),
    JsonPath(Template),
}

/// As the message about a wrong word lists them.
const FORMATS: &str = "custom-columns,custom-columns-file,dot,json,jsonpath,mermaid,name,wide,yaml";

/// Reads the word after `-o`, with kubectl's words for one that is not known.
pub fn output(word: &str) -> Result<Output, String> {
    match word.split_once('=') {
        None if word == "wide" => Ok(Output::Wide),
        None if word == "name" => Ok(Output::Name),
        None if word == "json" => Ok(Output::Machine(Machine::Json)),
        None if word == "yaml" => Ok(Output::Machine(Machine::Yaml)),
        None if word == "dot" => Ok(Output::Dot),
        None if word == "mermaid" => Ok(Output::Mermaid),
        None if matches!(word, "custom-columns" | "custom-columns-file") => columns(""),
        Some(("custom-columns", spec)) => columns(spec),
        Some(("custom-columns-file", path)) => columns_file(path),
        Some(("jsonpath", template)) => path(template).map(Output::JsonPath),
        None if word == "jsonpath" => {
            Err("template format specified but no template given: jsonpath={.nodes[*].name}".to_owned())
        }
        _ => Err(unknown(word, FORMATS)),
    }
}

/// Reads the word after `-o` of a command whose report has fewer formats.
pub fn report(word: &str) -> Result<Report, String> {
    match word.split_once('=') {
        None if word == "wide" => Ok(Report::Wide),
        None if word == "json" => Ok(Report::Machine(Machine::Json)),
        None if word == "yaml" => Ok(Report::Machine(Machine::Yaml)),
        Some(("jsonpath", template)) => path(template).map(Report::JsonPath),
        None if word == "jsonpath" => {
            Err("template format specified but no template given: jsonpath={.events[*].reason}".to_owned())
        }
        _ => Err(unknown(word, "json,jsonpath,wide,yaml")),
    }
}

fn path(template: &str) -> Result<Template, String> {
    jsonpath::parse(template).map_err(|problem| format!("error parsing jsonpath {template}, {problem}"))
}

fn unknown(word: &str, formats: &str) -> String {
    if word.starts_with("go-template") {
        return "templates of Go are not spoken here; jsonpath= is".to_owned();
    }
    format!(
        "unable to match a printer suitable for the output format \"{word}\", allowed formats are: {formats}"
    )
}

fn columns(spec: &str) -> Result<Output, String> {
    Columns::of_spec(spec).map(Output::Columns)
}

fn columns_file(path: &str) -> Result<Output, String> {
    if path.is_empty() {
        return columns("");
    }
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map_err(|error| format!("error fetch_plan template {path}, {error}"))?;
    Columns::of_template(&text).map(Output::Columns)
}

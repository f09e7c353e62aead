//! `-o` of commands that show objects.

use std::fs::File;
use std::io::Read as _;

use crate::model::jsonpath::{self, Template};
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
        Some(("jsonpath", template)) => jsonpath::parse(template)
            .map(Output::JsonPath)
            .map_err(|problem| format!("error parsing jsonpath {template}, {problem}")),
        None if word == "jsonpath" => {
            Err("template format specified but no template given: jsonpath={.nodes[*].name}".to_owned())
        }
        _ if word.starts_with("go-template") => {
            Err("templates of Go are not spoken here; jsonpath= is".to_owned())
        }
        _ => Err(format!(
            "unable to match a printer suitable for the output format \"{word}\", allowed formats are: {FORMATS}"
        )),
    }
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
    read.map_err(|error| format!("error reading template {path}, {error}"))?;
    Columns::of_template(&text).map(Output::Columns)
}

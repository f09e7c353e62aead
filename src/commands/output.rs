//! `-o` of commands that show objects.

use crate::render::Machine;
use crate::render::jsonpath::{self, Template};

/// What `-o` asks for.
#[derive(Clone, Debug)]
pub enum Output {
    Wide,
    Name,
    Machine(Machine),
    JsonPath(Template),
}

/// Reads the word after `-o`, with kubectl's words for one that is not known.
pub fn output(word: &str) -> Result<Output, String> {
    match word.split_once('=') {
        None if word == "wide" => Ok(Output::Wide),
        None if word == "name" => Ok(Output::Name),
        None if word == "json" => Ok(Output::Machine(Machine::Json)),
        None if word == "yaml" => Ok(Output::Machine(Machine::Yaml)),
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
            "unable to match a printer suitable for the output format \"{word}\", allowed formats are: json,jsonpath,name,wide,yaml"
        )),
    }
}

//! `-o`: what it may say, and how any report is written as data.

use std::fs::File;
use std::io::Read as _;

use serde::Serialize;

use crate::error::{Failure, Kind};
use crate::jsonpath::{self, Template};
use crate::render::Machine;
use crate::render::columns::Columns;
use crate::render::machine;
use crate::ui::Styles;

/// No list of columns is longer; a device that never ends is.
const LONGEST: u64 = 64 * 1024;

/// What `-o` asks for.
#[derive(Clone, Debug)]
pub enum Output {
    Wide,
    Name,
    Data(DataFormat),
    Columns(Columns),
    /// A drawing in Graphviz's language.
    Dot,
    /// A drawing in Mermaid's language.
    Mermaid,
}

impl Output {
    /// The word after `-o`, without what follows an equals sign.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Name => "name",
            Self::Data(DataFormat::Machine(Machine::Json)) => "json",
            Self::Data(DataFormat::Machine(Machine::Yaml)) => "yaml",
            Self::Data(DataFormat::JsonPath(_)) => "jsonpath",
            Self::Columns(_) => "custom-columns",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
        }
    }

    /// The format of a document, if it is one.
    pub fn machine(&self) -> Option<Machine> {
        match self {
            Self::Data(DataFormat::Machine(format)) => Some(*format),
            _ => None,
        }
    }
}

/// A format that any report can be written in, by its JSON alone.
#[derive(Clone, Debug)]
pub enum DataFormat {
    Machine(Machine),
    JsonPath(Template),
}

impl DataFormat {
    /// Writes a report.
    pub fn write(&self, report: &impl Serialize, styles: &Styles) -> anyhow::Result<String> {
        match self {
            Self::Machine(format) => Ok(machine::write(report, *format)?),
            Self::JsonPath(template) => {
                let filled = template.write(&serde_json::to_value(report)?);
                let filled = filled.map_err(|problem| Failure::new(Kind::Usage, problem.to_string()))?;
                Ok(styles.block(&filled))
            }
        }
    }
}

/// The formats of one command, sorted, and a template to show as an example.
struct Formats {
    words: &'static [&'static str],
    example: &'static str,
}

const TREE: Formats = Formats {
    words: &[
        "custom-columns",
        "custom-columns-file",
        "dot",
        "json",
        "jsonpath",
        "mermaid",
        "name",
        "wide",
        "yaml",
    ],
    example: "{.nodes[*].name}",
};
const STATUS: Formats =
    Formats { words: &["json", "jsonpath", "name", "wide", "yaml"], example: "{.resources[*].verdict}" };
const EVENTS: Formats =
    Formats { words: &["json", "jsonpath", "wide", "yaml"], example: "{.events[*].reason}" };

/// Reads `-o` of `tree`.
pub fn tree(word: &str) -> Result<Output, String> {
    parse(word, &TREE)
}

/// Reads `-o` of `status`.
pub fn status(word: &str) -> Result<Output, String> {
    parse(word, &STATUS)
}

/// Reads `-o` of `events`.
pub fn events(word: &str) -> Result<Output, String> {
    parse(word, &EVENTS)
}

/// Reads the word after `-o`, with kubectl's words for one that is not known.
fn parse(word: &str, formats: &Formats) -> Result<Output, String> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    if !formats.words.contains(&name) {
        return Err(unknown(word, formats));
    }
    match (name, value) {
        ("wide", None) => Ok(Output::Wide),
        ("name", None) => Ok(Output::Name),
        ("json", None) => Ok(Output::Data(DataFormat::Machine(Machine::Json))),
        ("yaml", None) => Ok(Output::Data(DataFormat::Machine(Machine::Yaml))),
        ("dot", None) => Ok(Output::Dot),
        ("mermaid", None) => Ok(Output::Mermaid),
        ("custom-columns", spec) => columns(spec.unwrap_or_default()),
        ("custom-columns-file", path) => columns_file(path.unwrap_or_default()),
        ("jsonpath", Some(template)) => {
            path(template).map(|template| Output::Data(DataFormat::JsonPath(template)))
        }
        ("jsonpath", None) => {
            Err(format!("template format specified but no template given: jsonpath={}", formats.example))
        }
        _ => Err(unknown(word, formats)),
    }
}

fn path(template: &str) -> Result<Template, String> {
    jsonpath::parse(template).map_err(|problem| format!("error parsing jsonpath {template}, {problem}"))
}

fn unknown(word: &str, formats: &Formats) -> String {
    let allowed = formats.words.join(",");
    if word.starts_with("go-template") {
        return "Go templates are not supported; use jsonpath=TEMPLATE".to_owned();
    }
    format!(
        "unable to match a printer suitable for the output format \"{word}\", allowed formats are: {allowed}"
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
    read.map_err(|error| format!("error reading template {path}, {error}"))?;
    Columns::of_template(&text).map(Output::Columns)
}

//! `-o`: the output formats, and how a report is written as data.

use std::path::Path;

use clap::builder::TypedValueParser;
use serde::Serialize;

use super::suggest::suggesting;
use crate::error::{Failure, FailureKind};
use crate::jsonpath::{self, Template};
use crate::model::now::Times;
use crate::render::JsonOrYaml;
use crate::render::columns::Columns;
use crate::render::json_yaml;
use crate::source::text_file;
use crate::ui::Styles;

/// The maximum size of a custom-columns file.
const MAX_COLUMNS_FILE: u64 = 64 * 1024;

/// An output format.
#[derive(Clone, Debug)]
pub enum Output {
    Wide,
    Name,
    Data(DataFormat),
    Columns(Columns),
    /// A Graphviz drawing.
    Dot,
    /// A Mermaid drawing.
    Mermaid,
}

impl Output {
    /// The name of the format, without the value after `=`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Name => "name",
            Self::Data(DataFormat::Machine(JsonOrYaml::Json)) => "json",
            Self::Data(DataFormat::Machine(JsonOrYaml::Yaml)) => "yaml",
            Self::Data(DataFormat::JsonPath(_)) => "jsonpath",
            Self::Columns(_) => "custom-columns",
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
        }
    }

    /// JSON or YAML, if it is one of them.
    pub fn json_or_yaml(&self) -> Option<JsonOrYaml> {
        match self {
            Self::Data(DataFormat::Machine(format)) => Some(*format),
            _ => None,
        }
    }
}

/// How times are shown, by `--absolute-time`.
pub(super) const fn times(absolute: bool) -> Times {
    if absolute { Times::Absolute } else { Times::Ages }
}

/// A format that any report can be written in.
#[derive(Clone, Debug)]
pub enum DataFormat {
    Machine(JsonOrYaml),
    JsonPath(Template),
}

impl DataFormat {
    /// Writes a report.
    pub fn write(&self, report: &impl Serialize, styles: &Styles) -> anyhow::Result<String> {
        match self {
            Self::Machine(format) => Ok(json_yaml::write(report, *format, styles)?),
            Self::JsonPath(template) => {
                let escape = |text: &str, out: &mut String| out.push_str(&styles.value(text));
                let filled = template.write_escaped(&serde_json::to_value(report)?, &escape);
                let filled =
                    filled.map_err(|problem| Failure::new(FailureKind::Usage, problem.to_string()))?;
                Ok(styles.block(&filled))
            }
        }
    }
}

/// The formats of one command, sorted, and an example of a template.
struct Formats {
    names: &'static [&'static str],
    example: &'static str,
}

const TREE: Formats = Formats {
    names: &[
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
    Formats { names: &["json", "jsonpath", "name", "wide", "yaml"], example: "{.resources[*].verdict}" };
const EVENTS: Formats =
    Formats { names: &["json", "jsonpath", "wide", "yaml"], example: "{.events[*].reason}" };

/// Parses `-o` of `tree`.
pub(super) fn tree() -> impl TypedValueParser<Value = Output> {
    parser(&TREE)
}

/// Parses `-o` of `status`.
pub(super) fn status() -> impl TypedValueParser<Value = Output> {
    parser(&STATUS)
}

/// Parses `-o` of `events`.
pub(super) fn events() -> impl TypedValueParser<Value = Output> {
    parser(&EVENTS)
}

fn parser(formats: &'static Formats) -> impl TypedValueParser<Value = Output> {
    suggesting(move |format: &str| parse(format, formats), formats.names.iter().copied())
}

/// Parses the value of `-o`, with kubectl's error messages.
fn parse(format: &str, formats: &Formats) -> Result<Output, String> {
    let (name, value) = format.split_once('=').map_or((format, None), |(name, value)| (name, Some(value)));
    if !formats.names.contains(&name) {
        return Err(unknown_format(format, formats));
    }
    match (name, value) {
        ("wide", None) => Ok(Output::Wide),
        ("name", None) => Ok(Output::Name),
        ("json", None) => Ok(Output::Data(DataFormat::Machine(JsonOrYaml::Json))),
        ("yaml", None) => Ok(Output::Data(DataFormat::Machine(JsonOrYaml::Yaml))),
        ("dot", None) => Ok(Output::Dot),
        ("mermaid", None) => Ok(Output::Mermaid),
        ("custom-columns", spec) => columns(spec.unwrap_or_default()),
        ("custom-columns-file", path) => columns_file(path.unwrap_or_default()),
        ("jsonpath", Some(template)) => {
            parse_jsonpath(template).map(|template| Output::Data(DataFormat::JsonPath(template)))
        }
        ("jsonpath", None) => {
            Err(format!("template format specified but no template given: jsonpath={}", formats.example))
        }
        _ => Err(unknown_format(format, formats)),
    }
}

fn parse_jsonpath(template: &str) -> Result<Template, String> {
    jsonpath::parse(template).map_err(|problem| format!("error parsing jsonpath {template}, {problem}"))
}

fn unknown_format(format: &str, formats: &Formats) -> String {
    let allowed = formats.names.join(",");
    if format.starts_with("go-template") {
        return "Go templates are not supported; use jsonpath=TEMPLATE".to_owned();
    }
    format!(
        "unable to match a printer suitable for the output format \"{format}\", allowed formats are: {allowed}"
    )
}

fn columns(spec: &str) -> Result<Output, String> {
    Columns::of_spec(spec).map(Output::Columns)
}

fn columns_file(path: &str) -> Result<Output, String> {
    if path.is_empty() {
        return columns("");
    }
    let text = text_file::read(Path::new(path), MAX_COLUMNS_FILE)
        .map_err(|problem| format!("error reading template {path}, it {problem}"))?;
    Columns::of_template(&text).map(Output::Columns)
}

//! Any report as JSON or YAML: the same value that is printed as text, escaped by the rules of the format.

use serde::Serialize;

use super::JsonOrYaml;

/// Writes `report` as one document that ends in a line feed.
pub fn write<T: Serialize>(report: &T, format: JsonOrYaml) -> Result<String, WriteError> {
    match format {
        JsonOrYaml::Json => {
            let mut text = serde_json::to_string_pretty(report).map_err(|_| WriteError)?;
            text.push('\n');
            Ok(text)
        }
        JsonOrYaml::Yaml => {
            // kubectl's parser rejects block scalars that start with a tab; quoted strings always work.
            let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
            serde_saphyr::to_string_with_options(report, options).map_err(|_| WriteError)
        }
    }
}

/// Writes `report` as one line of JSON, for streams of them.
pub fn line<T: Serialize>(report: &T) -> Result<String, WriteError> {
    serde_json::to_string(report).map(|text| text + "\n").map_err(|_| WriteError)
}

/// The report has a value that the format cannot represent, such as a map whose keys are not strings.
#[derive(Debug)]
pub struct WriteError;

impl std::fmt::Display for WriteError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("the report cannot be written in this format")
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn yaml_quotes_what_another_reader_would_take_for_something_else() {
        let odd = ["yes", "on", "012", "1e3", "null", "~", "\tx\n", "a\x1b[31m"];
        let text = write(&odd, JsonOrYaml::Yaml).unwrap();
        assert!(!text.contains('\x1b'), "{text}");
        assert_eq!(serde_saphyr::from_str::<Vec<String>>(&text).unwrap(), odd);
        assert!(!text.contains(['|', '>']), "{text}");
    }

    proptest! {
        #[test]
        fn both_formats_keep_every_text(value in any::<BTreeMap<String, String>>()) {
            let json = write(&value, JsonOrYaml::Json).unwrap();
            prop_assert_eq!(&serde_json::from_str::<BTreeMap<String, String>>(&json).unwrap(), &value);
            let yaml = write(&value, JsonOrYaml::Yaml).unwrap();
            prop_assert_eq!(&serde_saphyr::from_str::<BTreeMap<String, String>>(&yaml).unwrap(), &value);
        }
    }
}

//! The file: a `List` as kubectl writes it, but with one object per line, so that two files can be compared by
//! lines; gzipped without a time, so that the same objects give the same bytes.

use std::io::{Read as _, Write as _};

use anyhow::{Context as _, Result};
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use serde_json::Value;

/// The `List` of these objects.
pub(super) fn text(items: &[Value]) -> Result<String> {
    let lines: Vec<String> = items.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let head = r#"{"apiVersion":"v1","kind":"List","metadata":{"resourceVersion":""},"items":["#;
    Ok(format!("{head}\n{}\n]}}\n", lines.join(",\n")))
}

/// As small as gzip makes it.
pub(super) fn gzip(text: &str) -> Result<Vec<u8>> {
    let mut writer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    writer.write_all(text.as_bytes())?;
    writer.finish().context("failed to compress the demo cluster")
}

/// The `List` in such a file.
pub fn unpack(file: &[u8]) -> Result<Value> {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).context("the demo cluster is not a gzip file")?;
    serde_json::from_str(&text).context("the demo cluster is not JSON")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_packed_comes_out_again_and_is_the_same_each_time() {
        let items = [json!({"kind": "A"}), json!({"kind": "B"})];
        let file = gzip(&text(&items).unwrap()).unwrap();
        assert_eq!(file, gzip(&text(&items).unwrap()).unwrap());
        let list = unpack(&file).unwrap();
        assert_eq!(list["kind"], "List");
        assert_eq!(list["items"], json!(items));
    }
}

//! Lists of metadata in protobuf, read as a stream: only one object is in memory at a time.
//!
//! The response starts with `k8s\0`, followed by an envelope (`runtime.Unknown`: type 1, raw 2). Raw contains a
//! `PartialObjectMetadataList` (metadata 1, items 2), and an item an `ObjectMeta` (1).

use jiff::Timestamp;

use super::wire_format::{Malformed, WireFields, WireValue, take_varint};

/// The first bytes of every protobuf response of an API server.
pub(super) const MAGIC: &[u8] = b"k8s\0";
/// No object is larger: etcd rejects requests over 1.5 MB.
const MAX_OBJECT_LEN: u64 = 16 << 20;

/// Reads a list from chunks of bytes.
#[derive(Default)]
pub(super) struct ListReader {
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that were read.
    done: usize,
    state: ReaderState,
    end: ListEnd,
}

/// The metadata of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListEnd {
    /// The continue token; empty on the last page.
    pub(super) next: String,
    /// The resource version of the list, from which a watch can start.
    pub(super) version: String,
}

/// The part of the response that comes next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ReaderState {
    #[default]
    Start,
    /// The envelope before the list.
    Before,
    /// The list, with the number of its remaining bytes.
    List(u64),
    /// The envelope after the list.
    After,
}

impl ListReader {
    /// Adds bytes and calls `on_object` for every object that is now complete.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        mut on_object: impl FnMut(MetaBytes<'_>),
    ) -> Result<(), Malformed> {
        self.buffer.drain(..self.done);
        self.done = 0;
        self.buffer.extend_from_slice(bytes);
        while let Some(taken) = self.step(&mut on_object)? {
            self.done += taken;
        }
        Ok(())
    }

    /// The number of bytes that are buffered.
    pub(super) fn buffered(&self) -> usize {
        self.buffer.len()
    }

    /// Ends the stream. An incomplete response is malformed.
    pub(super) fn finish(self) -> Result<ListEnd, Malformed> {
        let whole = self.done == self.buffer.len() && self.state == ReaderState::After;
        whole.then_some(self.end).ok_or(Malformed)
    }

    /// Reads one field from the buffer and returns its length; `None` if it is incomplete.
    fn step(&mut self, on_object: &mut impl FnMut(MetaBytes<'_>)) -> Result<Option<usize>, Malformed> {
        let rest = &self.buffer[self.done..];
        match self.state {
            ReaderState::Start if rest.len() < MAGIC.len() => Ok(None),
            ReaderState::Start if rest.starts_with(MAGIC) => {
                self.state = ReaderState::Before;
                Ok(Some(MAGIC.len()))
            }
            ReaderState::Start => Err(Malformed),
            ReaderState::Before | ReaderState::After => {
                let Some(header) = FieldHeader::take(rest)? else { return Ok(None) };
                if header.field == RAW {
                    self.state = if header.body_len == 0 {
                        ReaderState::After
                    } else {
                        ReaderState::List(header.body_len)
                    };
                    return Ok(Some(header.header_len));
                }
                Ok(header.body(rest)?.map(|body| header.header_len + body.len()))
            }
            ReaderState::List(left) => {
                let Some(header) = FieldHeader::take(rest)? else { return Ok(None) };
                let Some(body) = header.body(rest)? else { return Ok(None) };
                let taken = header.header_len + body.len();
                let left = left.checked_sub(taken as u64).ok_or(Malformed)?;
                match header.field {
                    LIST_META => self.end = list_end(body)?,
                    ITEM => on_object(MetaBytes(object_meta(body)?)),
                    _ => {}
                }
                self.state = if left == 0 { ReaderState::After } else { ReaderState::List(left) };
                Ok(Some(taken))
            }
        }
    }
}

const RAW: u32 = 2;
const LIST_META: u32 = 1;
const ITEM: u32 = 2;

/// The header of a length-delimited field; the envelope and the list have no others.
struct FieldHeader {
    field: u32,
    /// The length of tag and length.
    header_len: usize,
    body_len: u64,
}

impl FieldHeader {
    fn take(bytes: &[u8]) -> Result<Option<Self>, Malformed> {
        let Some((tag, after)) = take_varint(bytes)? else { return Ok(None) };
        if tag & 7 != 2 {
            return Err(Malformed);
        }
        let Some((length, body)) = take_varint(after)? else { return Ok(None) };
        let field = u32::try_from(tag >> 3).map_err(|_| Malformed)?;
        Ok(Some(Self { field, header_len: bytes.len() - body.len(), body_len: length }))
    }

    fn body<'a>(&self, bytes: &'a [u8]) -> Result<Option<&'a [u8]>, Malformed> {
        if self.body_len > MAX_OBJECT_LEN {
            return Err(Malformed);
        }
        let length = usize::try_from(self.body_len).map_err(|_| Malformed)?;
        Ok(bytes.get(self.header_len..self.header_len + length))
    }
}

fn list_end(list_meta: &[u8]) -> Result<ListEnd, Malformed> {
    let mut end = ListEnd::default();
    for field in WireFields(list_meta) {
        match field? {
            (2, value) => value.text().clone_into(&mut end.version),
            (3, value) => value.text().clone_into(&mut end.next),
            _ => {}
        }
    }
    Ok(end)
}

fn object_meta(item: &[u8]) -> Result<&[u8], Malformed> {
    for field in WireFields(item) {
        if let (1, WireValue::Bytes(meta)) = field? {
            return Ok(meta);
        }
    }
    Err(Malformed)
}

/// The bytes of an `ObjectMeta`.
#[derive(Clone, Copy)]
pub(super) struct MetaBytes<'a>(&'a [u8]);

/// The scalar fields of an `ObjectMeta`. `managedFields`, most of the bytes, are skipped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scalars<'a> {
    pub(super) name: &'a str,
    pub(super) namespace: &'a str,
    pub(super) uid: &'a str,
    pub(super) version: &'a str,
    pub(super) created: Option<Timestamp>,
    pub(super) deleted: Option<Timestamp>,
    pub(super) owners: usize,
}

/// One owner reference.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OwnerBytes<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) name: &'a str,
    pub(super) uid: &'a str,
    pub(super) controller: bool,
}

impl<'a> MetaBytes<'a> {
    /// Reads the scalar fields, without allocation.
    pub(super) fn scalars(self) -> Result<Scalars<'a>, Malformed> {
        let mut meta = Scalars::default();
        for field in WireFields(self.0) {
            match field? {
                (1, value) => meta.name = value.text(),
                (3, value) => meta.namespace = value.text(),
                (5, value) => meta.uid = value.text(),
                (6, value) => meta.version = value.text(),
                (8, value) => meta.created = time(value.bytes())?,
                (9, value) => meta.deleted = time(value.bytes())?,
                (13, _) => meta.owners += 1,
                _ => {}
            }
        }
        Ok(meta)
    }

    /// The owner references.
    pub(super) fn owners(self) -> impl Iterator<Item = OwnerBytes<'a>> {
        WireFields(self.0).flatten().filter(|(field, _)| *field == 13).map(|(_, value)| {
            let mut owner = OwnerBytes::default();
            for (field, value) in WireFields(value.bytes()).flatten() {
                match field {
                    1 => owner.kind = value.text(),
                    3 => owner.name = value.text(),
                    4 => owner.uid = value.text(),
                    5 => owner.api_version = value.text(),
                    6 => owner.controller = value.number() != 0,
                    _ => {}
                }
            }
            owner
        })
    }

    /// The labels, by key.
    pub(super) fn labels(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.map(11)
    }

    /// The annotations, by key.
    pub(super) fn annotations(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.map(12)
    }

    /// A map field, which is a list of messages (key 1, value 2).
    fn map(self, number: u32) -> impl Iterator<Item = (&'a str, &'a str)> {
        WireFields(self.0).flatten().filter(move |(field, _)| *field == number).map(|(_, entry)| {
            let (mut key, mut value) = ("", "");
            for (field, text) in WireFields(entry.bytes()).flatten() {
                match field {
                    1 => key = text.text(),
                    2 => value = text.text(),
                    _ => {}
                }
            }
            (key, value)
        })
    }

    /// The finalizers.
    pub(super) fn finalizers(self) -> impl Iterator<Item = &'a str> {
        WireFields(self.0).flatten().filter(|(field, _)| *field == 14).map(|(_, value)| value.text())
    }
}

/// A `metav1.Time` (seconds 1); `None` without seconds.
fn time(bytes: &[u8]) -> Result<Option<Timestamp>, Malformed> {
    for field in WireFields(bytes) {
        if let (1, WireValue::Number(seconds)) = field? {
            // A signed number is encoded as its two's complement.
            return Ok(Timestamp::from_second(seconds.cast_signed()).ok());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint(mut value: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while value >= 0x80 {
            out.push(u8::try_from(value & 0x7f).unwrap() | 0x80);
            value >>= 7;
        }
        out.push(u8::try_from(value).unwrap());
        out
    }

    fn bytes_field(number: usize, body: &[u8]) -> Vec<u8> {
        [varint(number << 3 | 2), varint(body.len()), body.to_vec()].concat()
    }

    fn item(name: &str, owner_uid: Option<&str>) -> Vec<u8> {
        let mut meta = bytes_field(1, name.as_bytes());
        meta.extend(bytes_field(3, b"shop"));
        meta.extend(bytes_field(5, format!("uid-{name}").as_bytes()));
        meta.extend(bytes_field(8, &[0x08, 0x80, 0xa3, 0x05]));
        if let Some(uid) = owner_uid {
            let mut owner = bytes_field(1, b"Website");
            owner.extend(bytes_field(3, b"shop"));
            owner.extend(bytes_field(4, uid.as_bytes()));
            owner.extend(bytes_field(5, b"webapp.example.com/v1"));
            owner.extend([6 << 3, 1]);
            meta.extend(bytes_field(13, &owner));
        }
        meta.extend(bytes_field(11, &[bytes_field(1, b"app"), bytes_field(2, b"web")].concat()));
        meta.extend(bytes_field(14, b"example.com/hold"));
        meta.extend(bytes_field(17, &[0; 300]));
        bytes_field(2, &bytes_field(1, &meta))
    }

    fn response() -> Vec<u8> {
        let mut list = bytes_field(1, &[bytes_field(2, b"7"), bytes_field(3, b"token")].concat());
        list.extend(item("a", None));
        list.extend(item("b", Some("root")));
        let mut envelope = bytes_field(1, b"ignored");
        envelope.extend(bytes_field(2, &list));
        envelope.extend(bytes_field(4, b""));
        [MAGIC, &envelope].concat()
    }

    fn read(chunks: &[&[u8]]) -> Result<(Vec<String>, ListEnd), Malformed> {
        let (mut reader, mut names) = (ListReader::default(), Vec::new());
        for chunk in chunks {
            reader.feed(chunk, |meta| {
                let scalars = meta.scalars().unwrap();
                let owners: Vec<_> = meta.owners().map(|owner| owner.uid.to_owned()).collect();
                let finalizers: Vec<_> = meta.finalizers().collect();
                let labels: Vec<_> = meta.labels().collect();
                names.push(format!("{} {} {owners:?} {finalizers:?} {labels:?}", scalars.name, scalars.uid));
            })?;
        }
        reader.finish().map(|end| (names, end))
    }

    #[test]
    fn a_list_is_read_the_same_at_once_and_byte_by_byte() {
        let response = response();
        let whole = read(&[&response]).unwrap();
        assert_eq!(
            whole.0,
            [
                r#"a uid-a [] ["example.com/hold"] [("app", "web")]"#,
                r#"b uid-b ["root"] ["example.com/hold"] [("app", "web")]"#
            ]
        );
        assert_eq!((whole.1.next.as_str(), whole.1.version.as_str()), ("token", "7"));
        let bytes: Vec<&[u8]> = response.chunks(1).collect();
        assert_eq!(read(&bytes).unwrap(), whole);
    }

    #[test]
    fn an_incomplete_response_is_malformed_wherever_it_ends() {
        let response = response();
        // The last field of the envelope is empty and may be missing.
        for cut in 0..response.len() - 2 {
            assert_eq!(read(&[&response[..cut]]), Err(Malformed), "{cut} of {} bytes", response.len());
        }
    }

    #[test]
    fn invalid_bytes_and_too_large_lengths_are_malformed() {
        assert_eq!(read(&[b"<html>"]), Err(Malformed));
        let endless = [MAGIC, &[0x12, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x12, 0xff, 0xff, 0xff, 0x7f]].concat();
        assert_eq!(read(&[&endless]), Err(Malformed));
    }
}

//! Archives, including malicious ones.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use super::{broken, config_map, names, open, stream};
use crate::model::gap::Reason;
use crate::model::ident::ObjectName;
use crate::model::log::{ContainerRun, CrashedContainer, LogRequest};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Adds an entry with exactly this name; the library would refuse some.
fn add(archive: &mut Builder<Vec<u8>>, kind: EntryType, name: &str, text: &str) {
    let mut header = Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(text.len() as u64);
    header.set_cksum();
    archive.append(&header, text.as_bytes()).unwrap();
}

fn archive() -> Builder<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    let long = format!("dump/{}/b.yaml", "long/".repeat(60));
    add(&mut archive, EntryType::Directory, "dump/", "");
    add(&mut archive, EntryType::Regular, "dump/a.json", &config_map("a").to_string());
    add(&mut archive, EntryType::Regular, "dump/x.log", "{");
    let text = serde_saphyr::to_string(&config_map("b")).unwrap();
    let mut header = Header::new_gnu();
    header.set_size(text.len() as u64);
    archive.append_data(&mut header, long, text.as_bytes()).unwrap();
    archive
}

#[test]
fn an_archive_is_read_compressed_or_not_from_a_file_or_a_pipe() {
    let plain = archive().into_inner().unwrap();
    for bytes in [plain.clone(), gzip(&plain)] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &bytes).unwrap();
        for dump in [stream(&bytes).unwrap(), open(file.path()).unwrap()] {
            assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
            assert_eq!(broken(&dump), Vec::<String>::new());
            assert_eq!(dump.body(&dump.entries()[1]).unwrap(), config_map("b"));
        }
    }
}

#[test]
fn entries_that_lead_out_are_reported_and_left_alone() {
    let mut archive = archive();
    let text = config_map("evil").to_string();
    for name in ["../up.json", "a/../../up.json", "/etc/root.json", "c:\\win.json", "a\\..\\win.json"] {
        add(&mut archive, EntryType::Regular, name, &text);
    }
    add(&mut archive, EntryType::Symlink, "link.json", "");
    add(&mut archive, EntryType::Link, "hard.json", "");
    add(&mut archive, EntryType::Fifo, "pipe", "");
    add(&mut archive, EntryType::Char, "device", "");
    let dump = stream(&gzip(&archive.into_inner().unwrap())).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
    let gaps = broken(&dump);
    assert_eq!(gaps.len(), 9);
    assert!(gaps.contains(&"../up.json: its path points outside the archive, so it was skipped".to_owned()));
    assert!(gaps.contains(&"link.json: links and special files are not read".to_owned()));
}

#[test]
fn a_long_name_that_leads_out_does_not_either() {
    let mut archive = archive();
    let name = format!("{}../../evil.json", "x/".repeat(100));
    add(&mut archive, EntryType::GNULongName, "././@LongLink", &name);
    add(&mut archive, EntryType::Regular, "fine.json", &config_map("evil").to_string());
    let record = |length: usize| format!("{length} path=/evil.json\n");
    let record = record(record(20).len());
    add(&mut archive, EntryType::XHeader, "pax", &record);
    add(&mut archive, EntryType::Regular, "fine.json", &config_map("evil").to_string());
    let dump = stream(&archive.into_inner().unwrap()).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a", "configmaps/shop/b"]);
    assert_eq!(broken(&dump).len(), 2);
}

#[test]
fn an_archive_that_was_cut_keeps_what_came_before() {
    let whole = gzip(&archive().into_inner().unwrap());
    for length in [whole.len() / 2, whole.len() - 10] {
        match stream(&whole[..length]) {
            Ok(dump) => assert!(!broken(&dump).is_empty(), "{length}"),
            Err(failure) => assert!(failure.to_string().contains("standard input"), "{length}"),
        }
    }
    let whole = archive().into_inner().unwrap();
    let dump = stream(&whole[..1_024 + 512 + 700]).unwrap();
    assert_eq!(names(&dump), ["configmaps/shop/a"]);
    assert!(!broken(&dump).is_empty());
}

#[test]
fn an_archive_in_an_archive_is_not_opened() {
    let mut outer = archive();
    let inner = archive().into_inner().unwrap();
    let mut header = Header::new_gnu();
    header.set_size(inner.len() as u64);
    outer.append_data(&mut header, "inner.json", inner.as_slice()).unwrap();
    let dump = stream(&outer.into_inner().unwrap()).unwrap();
    assert_eq!(
        broken(&dump),
        ["inner.json: expected JSON or YAML, but it is an archive inside a directory or another archive"]
    );
}

#[test]
fn the_end_of_a_log_in_an_archive_is_kept() {
    let folder = "namespaces/shop/pods/web-0/app/app/logs";
    let mut archive = archive();
    add(&mut archive, EntryType::Regular, &format!("{folder}/current.log"), "starting\n");
    let long = format!("{}panic\n", "line\n".repeat(20_000));
    add(&mut archive, EntryType::Regular, &format!("{folder}/previous.log"), &long);
    let dump = stream(&gzip(&archive.into_inner().unwrap())).unwrap();
    assert_eq!(broken(&dump), Vec::<String>::new());
    let pod = |name: &str| ObjectName {
        api_version: "v1".into(),
        kind: "Pod".into(),
        namespace: Some("shop".into()),
        name: name.into(),
    };
    let read = |name: &str, run, lines| {
        let container = CrashedContainer { name: "app".into(), run, restarts: 1 };
        dump.log(&LogRequest { pod: pod(name), container, lines })
    };
    let tail = read("web-0", ContainerRun::Previous, 5).unwrap();
    assert!(tail.bytes.ends_with(b"line\npanic\n") && tail.bytes.len() < 40_000 && !tail.is_cut);
    assert!(read("web-0", ContainerRun::Previous, 1000).is_ok_and(|tail| !tail.is_cut));
    assert_eq!(read("web-0", ContainerRun::Current, 5).unwrap().bytes, b"starting\n");
    assert_eq!(read("web-1", ContainerRun::Current, 5).unwrap_err().reason, Reason::NotInDump);
}

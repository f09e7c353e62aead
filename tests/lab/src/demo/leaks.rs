//! The last check before the file is published: it may not name the machine, its folders, or the credentials of the
//! lab.

use anyhow::{Result, ensure};

use crate::lab::{Lab, User};

/// A shorter host name may be an ordinary word, and proves nothing.
const TELLING: usize = 8;

/// Fails when the text holds something that must not be published.
pub(super) fn check(lab: &Lab, text: &str) -> Result<()> {
    let mut secrets = vec![
        ("the lab's folder", lab.folder().display().to_string()),
        ("the lab's address", lab.server().trim_start_matches("https://").to_owned()),
        ("a private key", "PRIVATE KEY".to_owned()),
        ("the Secret of an operator", "not-a-secret".to_owned()),
    ];
    secrets
        .extend([User::Admin, User::Viewer, User::Narrow].map(|user| ("a token", user.token().to_owned())));
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    // The identity of a process outside a Pod: the name of the machine and a random suffix.
    secrets.push(("a process of this machine", format!("\"{host}_")));
    if host.len() >= TELLING && host != "localhost" {
        secrets.push(("the name of this machine", host));
    }
    without(text, &secrets)
}

fn without(text: &str, secrets: &[(&str, String)]) -> Result<()> {
    for (what, word) in secrets {
        ensure!(!text.contains(word), "the demo cluster would contain {what}: {}", around(text, word));
    }
    Ok(())
}

/// The beginning of the line that contains it, for the error message.
fn around<'a>(text: &'a str, word: &str) -> &'a str {
    let line = text.lines().find(|line| line.contains(word)).unwrap_or_default();
    line.char_indices().nth(200).map_or(line, |(end, _)| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_leak_is_reported_with_its_object() {
        let text = "{\"name\":\"a\"}\n{\"name\":\"b\",\"holder\":\"laptop_1\"}\n";
        let secret = |word: &str| [("a process of this machine", word.to_owned())];
        assert!(without(text, &secret("\"desktop_")).is_ok());
        let message = without(text, &secret("\"laptop_")).unwrap_err().to_string();
        assert!(
            message.contains("a process of this machine") && message.contains("\"name\":\"b\""),
            "{message}"
        );
    }
}

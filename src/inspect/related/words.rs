//! The words of a key such as `tlsSecretName`, `cluster-name` or `memcached_cr`.

/// The words of a key, in lower case.
pub(super) fn words(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    let mut letters = key.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            before = None;
            continue;
        }
        // `configMap` and `TLSSecret` have two words each.
        let ends_capitals = letter.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        let starts = match before {
            None => true,
            Some(before) => letter.is_uppercase() && (!before.is_uppercase() || ends_capitals),
        };
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_every_style_are_split_into_words() {
        for (key, expected) in [
            ("tlsSecretName", "tls secret name"),
            ("cluster-name", "cluster name"),
            ("memcached_cr", "memcached cr"),
            ("TLSSecretRef", "tls secret ref"),
            ("name", "name"),
            ("", ""),
            ("configMapName", "config map name"),
        ] {
            assert_eq!(words(key).join(" "), expected);
        }
    }
}

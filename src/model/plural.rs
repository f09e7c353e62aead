//! Counts with their nouns: `1 object`, `3 NetworkPolicies`.

/// A noun or a kind, in the plural unless the count is 1.
pub fn noun(count: usize, singular: &str) -> String {
    if count == 1 { singular.to_owned() } else { plural(singular) }
}

/// A count and its noun.
pub fn counted(count: usize, singular: &str) -> String {
    format!("{count} {}", noun(count, singular))
}

/// The plural of an English word. A word that ends in a consonant and `s`, such as `Endpoints`, is taken for a plural.
fn plural(word: &str) -> String {
    let is_vowel = |letter: char| matches!(letter.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u');
    let mut letters = word.chars().rev();
    let last = letters.next().map(|letter| letter.to_ascii_lowercase());
    let before = letters.next().map(|letter| letter.to_ascii_lowercase());
    match (last, before) {
        (None, _) => String::new(),
        (Some('y'), Some(before)) if !is_vowel(before) => format!("{}ies", &word[..word.len() - 1]),
        (Some('s'), Some(before)) if before != 's' && !is_vowel(before) => word.to_owned(),
        (Some('s' | 'x' | 'z'), _) | (Some('h'), Some('c' | 's')) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn kinds_have_their_plural() {
        for (one, many) in [
            ("Pod", "Pods"),
            ("NetworkPolicy", "NetworkPolicies"),
            ("Ingress", "Ingresses"),
            ("Gateway", "Gateways"),
            ("Prometheus", "Prometheuses"),
            ("Redis", "Redises"),
            ("Endpoints", "Endpoints"),
            ("IngressClass", "IngressClasses"),
            ("Patch", "Patches"),
            ("Proxy", "Proxies"),
            ("Mesh", "Meshes"),
            ("Box", "Boxes"),
            ("y", "ys"),
            ("", ""),
            ("日本", "日本s"),
        ] {
            assert_eq!((noun(1, one).as_str(), noun(0, one).as_str()), (one, many));
        }
        assert_eq!(counted(1, "object"), "1 object");
        assert_eq!(counted(2, "Ingress"), "2 Ingresses");
    }

    proptest! {
        #[test]
        fn never_panics(word in any::<String>()) {
            drop(noun(2, &word));
        }
    }
}

//! Which names a misspelt word may stand for. No suggestion is better than a far-fetched one.

/// The fewest letters of a word or a name for which a typing error is assumed: `cm` and `vm` are both fine words.
const MIN_MISSPELT: usize = 4;
/// The most letters that may differ, however long the word is.
const MAX_EDITS: usize = 3;
/// The fewest letters that count as the beginning of a name.
const MIN_PREFIX: usize = 2;

/// How far a word is from a name; `None` if it is unlikely that the name was meant.
pub fn distance(word: &str, name: &str) -> Option<usize> {
    let (word_len, name_len) = (word.chars().count(), name.chars().count());
    let shorter = word_len.min(name_len);
    // A third of the letters may differ.
    let bound = if shorter < MIN_MISSPELT { 0 } else { (shorter / 3).min(MAX_EDITS) };
    let edits = strsim::osa_distance(word, name);
    if edits <= bound {
        return Some(edits);
    }
    // The beginning of a name comes after every misspelling, and the less is missing the better.
    let is_beginning = word_len >= MIN_PREFIX && name.starts_with(word);
    is_beginning.then(|| MAX_EDITS + name_len.saturating_sub(word_len))
}

/// Up to three names that are similar to a word, the most similar first. Each has one or several spellings.
pub fn similar<'a, S>(word: &str, names: impl Iterator<Item = (String, S)>) -> Vec<String>
where
    S: IntoIterator<Item = &'a str>,
{
    let mut close: Vec<(usize, String)> = names
        .filter_map(|(name, spellings)| {
            let near = spellings.into_iter().filter_map(|spelling| distance(word, spelling)).min()?;
            Some((near, name))
        })
        .collect();
    close.sort();
    close.dedup();
    close.truncate(3);
    close.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_is_a_misspelling_or_the_rest_of_the_word() {
        for (word, name, expected) in [
            ("fihs", "fish", Some(1)),
            ("tokn", "token", Some(1)),
            ("verson", "version", Some(1)),
            ("votconfig", "voteconfig", Some(1)),
            ("deploymnts", "deployments", Some(1)),
            ("vm", "vmgroups", Some(9)),
            ("name", "namespace", Some(8)),
            ("shop", "shop-0", Some(5)),
            // Far-fetched: most of the letters differ, or nothing was typed yet.
            ("vm", "cm", None),
            ("vm", "pvc", None),
            ("version", "v", None),
            ("xml", "yaml", None),
            ("site", "websites", None),
            ("frobnicate", "fromdate", None),
            ("p", "pods", None),
            ("", "pods", None),
        ] {
            assert_eq!(distance(word, name), expected, "{word} {name}");
        }
    }

    #[test]
    fn the_most_similar_come_first() {
        let names = ["pods", "podtemplates", "podmonitors", "podgroups", "nodes"];
        let found = similar("podz", names.iter().map(|name| ((*name).to_owned(), [*name])));
        assert_eq!(found, ["pods"]);
        let found = similar("pod", names.iter().map(|name| ((*name).to_owned(), [*name])));
        assert_eq!(found, ["pods", "podgroups", "podmonitors"]);
    }
}

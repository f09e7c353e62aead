//! Changes, one line each: with a timestamp for a pipe, with an age for a terminal.

use jiff::Timestamp;

use crate::inspect::changes::{Change, ChangeAction, RecentChange};
use crate::ui::{Styles, Tone};

/// How many removed objects are named, the latest first.
const MAX_NAMED: usize = 5;

/// `2026-11-16T11:08:05Z  changed   Deployment/shop  2/2 Ready -> 1/2 Progressing`
pub fn line(change: &Change, now: Timestamp, styles: &Styles) -> String {
    entry(now, change.action, &change.object.to_string(), &change.description(), styles)
}

/// A line for something else than a change of state.
pub fn entry(now: Timestamp, action: ChangeAction, object: &str, what: &str, styles: &Styles) -> String {
    // To the second, as servers write times.
    let time = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let line = format!("{time}  {:<8}  {}  {}", action.as_str(), styles.plain(object), styles.plain(what));
    line.trim_end().to_owned() + "\n"
}

/// Objects that are no longer in the tree: `deleted: Pod/shop-x2x9q (1/1 Running, 5s ago)`.
pub fn removed(recent: &[&RecentChange], now: Timestamp, styles: &Styles) -> String {
    let gone = recent.iter().rev();
    let gone = gone.filter(|one| matches!(one.change.action, ChangeAction::Deleted | ChangeAction::Detached));
    let gone: Vec<&&RecentChange> = gone.collect();
    let line = |one: &&RecentChange| {
        let note = one.note(now);
        let note = note.trim_start_matches(", ");
        let text = format!("{}: {} ({note})", one.change.action.as_str(), one.change.object);
        styles.toned(Tone::Dim, &text) + "\n"
    };
    let mut lines: String = gone.iter().take(MAX_NAMED).map(|one| line(one)).collect();
    if let Some(more) = gone.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        lines += &(styles.toned(Tone::Dim, &format!("and {more} more")) + "\n");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ident::ObjectName;

    fn change(action: ChangeAction, from: Option<&str>, to: Option<&str>) -> Change {
        Change {
            id: "1".into(),
            object: ObjectName {
                api_version: "v1".into(),
                kind: "Pod".into(),
                namespace: None,
                name: "a\u{1b}".into(),
            },
            action,
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
        }
    }

    #[test]
    fn a_line_has_time_action_object_and_what_changed() {
        let now: Timestamp = "2026-11-16T11:08:05.123Z".parse().unwrap();
        let styles = Styles::default();
        let changed = change(ChangeAction::Changed, Some("2/2 Ready"), Some("1/2 Progressing"));
        assert_eq!(
            line(&changed, now, &styles),
            "2026-11-16T11:08:05Z  changed   Pod/a^[  2/2 Ready -> 1/2 Progressing\n"
        );
        let added = change(ChangeAction::Added, None, Some("-"));
        assert_eq!(line(&added, now, &styles), "2026-11-16T11:08:05Z  added     Pod/a^[\n");
    }

    #[test]
    fn only_what_went_is_listed_below_the_tree() {
        let at: Timestamp = "2026-11-16T11:08:05Z".parse().unwrap();
        let recent = [
            RecentChange { change: change(ChangeAction::Deleted, Some("1/1 Running"), None), at },
            RecentChange { change: change(ChangeAction::Deleted, Some("-"), None), at },
            RecentChange { change: change(ChangeAction::Added, None, Some("1/1 Running")), at },
        ];
        let now = "2026-11-16T11:08:10Z".parse().unwrap();
        assert_eq!(
            removed(&recent.iter().collect::<Vec<_>>(), now, &Styles::default()),
            "deleted: Pod/a^[ (5s ago)\ndeleted: Pod/a^[ (1/1 Running, 5s ago)\n"
        );
        let many: Vec<&RecentChange> = std::iter::repeat_n(&recent[0], 7).collect();
        let text = removed(&many, now, &Styles::default());
        assert!(text.lines().count() == 6 && text.ends_with("\nand 2 more\n"), "{text}");
    }
}

//! Suggests the name that was probably meant. This module works on strings only.

/// The candidate closest to `name`, if one is close: it is few edits apart (swapping two letters is
/// one edit), or has a long common start.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are compared by their start; the table of edits stays small.
    let typed: String = name.chars().take(64).collect::<String>().to_ascii_lowercase();
    let length = typed.chars().count();
    let scored = candidates.filter_map(|candidate| {
        let other = candidate.to_ascii_lowercase();
        let common = typed.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let edits = strsim::osa_distance(&typed, &other);
        let inside = length >= 4 && candidate.contains(name);
        let close = edits <= (length / 3).max(1) || (common >= 4 && 2 * common >= length) || inside;
        close.then_some((edits as i64 - 2 * common as i64, candidate))
    });
    scored.min().map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn a_slip_is_forgiven_and_a_stranger_is_not() {
        let names = || ["table", "slice", "composition"].into_iter();
        assert_eq!(closest("tabel", names()), Some("table"));
        assert_eq!(closest("SLICE", names()), Some("slice"));
        assert_eq!(closest("compose", names()), Some("composition"));
        assert_eq!(closest("divide", names()), None);
        assert_eq!(closest("", names()), None);
    }
}

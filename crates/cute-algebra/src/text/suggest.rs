//! Suggests the name that was probably meant. This module works on strings only.

use std::cmp::Reverse;

/// The candidate closest to `name`, if one is close: it is few edits apart (swapping two letters is
/// one edit), or has a long common start.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are compared by their start; the table of edits stays small.
    let typed: String = name.chars().take(64).collect::<String>().to_ascii_lowercase();
    let length = typed.chars().count();
    let compared = candidates.map(|candidate| {
        let other = candidate.to_ascii_lowercase();
        let start = typed.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a);
        let (common, bytes) = start.fold((0, 0), |(n, bytes), c| (n + 1, bytes + c.len_utf8()));
        (common, bytes, other, candidate)
    });
    let mut compared: Vec<_> = compared.collect();
    // There may be thousands of names. Those with a long common start come first: what can be no
    // better than the best so far needs no table of edits, and the others need a small one.
    compared.sort_by_key(|(common, ..)| Reverse(*common));
    let mut best: Option<(i64, &str)> = None;
    for (common, bytes, other, candidate) in compared {
        let score = |edits: usize| (edits as i64 - 2 * common, candidate);
        if best.is_some_and(|best| best <= score(length.abs_diff(other.chars().count()))) {
            continue;
        }
        let edits = strsim::osa_distance(&typed[bytes..], &other[bytes..]);
        let inside = length >= 4 && candidate.contains(name);
        if edits <= (length / 3).max(1) || (common >= 4 && 2 * common >= length as i64) || inside {
            best = Some(best.map_or(score(edits), |best| best.min(score(edits))));
        }
    }
    best.map(|(_, candidate)| candidate)
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
        assert_eq!(closest("tables", ["tableau", "table"].into_iter()), Some("table"));
        assert_eq!(closest("pe", ["ep", "per"].into_iter()), Some("per"));
    }
}

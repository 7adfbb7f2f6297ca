//! Which name was meant. Knows strings only.

/// The candidate closest to `name`, if one is close: few edits apart, or with a long common start.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are compared by their start; the table of edits stays small.
    let typed: Vec<char> = name.chars().take(64).collect();
    let scored = candidates.filter_map(|candidate| {
        let other: Vec<char> = candidate.chars().collect();
        let common = typed.iter().zip(&other).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        let edits = distance(&typed, &other);
        let inside = typed.len() >= 4 && candidate.contains(name);
        let close = edits <= (typed.len() / 3).max(1) || (common >= 4 && 2 * common >= typed.len()) || inside;
        close.then_some((edits as i64 - 2 * common as i64, candidate))
    });
    scored.min().map(|(_, candidate)| candidate)
}

/// Insertions, deletions and replacements from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(0);
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = above;
            let edits = replaced.min(above + 1).min(left + 1);
            if let Some(slot) = row.get_mut(j) {
                *slot = left;
            }
            left = edits;
        }
        if let Some(slot) = row.get_mut(b.len()) {
            *slot = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        let edits =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("slice", "slice"), 0);
    }
}

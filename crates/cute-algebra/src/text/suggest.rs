//! Suggests the name that was probably meant. This module works on strings only.

/// The candidate closest to `name`, if one is close: it is few edits apart (swapping two letters is
/// one edit), or has a long common start.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are compared by their start; the table of edits stays small.
    let typed: String = name.chars().take(64).collect::<String>().to_ascii_lowercase();
    let length = typed.chars().count();
    // Two words are at least as many edits apart as their lengths differ. In the order of this
    // bound few of the thousands of names of atoms need a table of edits.
    let mut bounded: Vec<(i64, usize, &str)> = candidates
        .map(|candidate| {
            let letters = candidate.chars().map(|c| c.to_ascii_lowercase());
            let common = typed.chars().zip(letters).take_while(|(a, b)| a == b).count();
            let least = length.abs_diff(candidate.chars().count()) as i64;
            (least - 2 * common as i64, common, candidate)
        })
        .collect();
    bounded.sort_unstable();
    let mut best: Option<(i64, &str)> = None;
    for (bound, common, candidate) in bounded {
        if best.is_some_and(|(score, _)| bound > score) {
            break;
        }
        let resembles = (common >= 4 && 2 * common >= length) || (length >= 4 && candidate.contains(name));
        let most = (length / 3).max(1);
        if !resembles && bound + 2 * common as i64 > most as i64 {
            continue;
        }
        let edits = strsim::osa_distance(&typed, &candidate.to_ascii_lowercase());
        let found = (edits as i64 - 2 * common as i64, candidate);
        if (resembles || edits <= most) && best.is_none_or(|best| found < best) {
            best = Some(found);
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidates closest to `name`, the closest first: at most three.
pub fn near<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (mut left, mut found): (Vec<&str>, _) = (candidates.collect(), Vec::new());
    while found.len() < 3
        && let Some(next) = closest(name, left.iter().copied())
    {
        left.retain(|other| *other != next);
        found.push(next);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{closest, near};

    #[test]
    fn the_closest_come_first() {
        let names = ["table", "stable", "tables", "slice", "tabled"];
        assert_eq!(near("table", names.into_iter()), ["table", "tabled", "tables"]);
        assert_eq!(near("divide", names.into_iter()), [""; 0]);
    }

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

    /// The order and the bound leave out no candidate: the best of all is found.
    #[test]
    fn the_closest_of_all_candidates_is_found() {
        let mut state = 7_u64;
        let mut random = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut found = 0;
        for _ in 0..2000 {
            let mut word = || -> String {
                let start = ["", "SM80_", "sm80_16"][random(3) as usize].to_string();
                (0..random(8)).fold(start, |word, _| word + ["a", "B", "b", "_"][random(4) as usize])
            };
            let (name, all) = (word(), [(); 6].map(|()| word()));
            let score = |candidate: &&str| {
                let [typed, other] = [name.as_str(), candidate].map(str::to_ascii_lowercase);
                let common = typed.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
                let (edits, length) = (strsim::osa_distance(&typed, &other), typed.len());
                let close = edits <= (length / 3).max(1)
                    || (common >= 4 && 2 * common >= length)
                    || (length >= 4 && candidate.contains(&name));
                close.then_some((edits as i64 - 2 * common as i64, candidate.to_string()))
            };
            let expected = all.iter().filter_map(|word| score(&word.as_str())).min().map(|(_, word)| word);
            let closest = closest(&name, all.iter().map(String::as_str)).map(str::to_string);
            assert_eq!(closest, expected, "{name} of {all:?}");
            found += usize::from(closest.is_some());
        }
        assert!(found > 500, "{found}");
    }
}

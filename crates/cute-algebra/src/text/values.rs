//! Texts in which a dynamic leaf is written with its run-time value: `(?8,4):(1,?8)`. Test vectors
//! and `cute-calc` use this notation.

use std::fmt::Display;

/// Returns the text with `?` for each `?8`, and the values; `None` if a `?` is not followed by a
/// 64-bit value.
///
/// ```
/// use cute_algebra::split_values;
/// assert_eq!(split_values("(?8,4):(1,?-8)"), Some(("(?,4):(1,?)".to_string(), vec![8, -8])));
/// assert_eq!(split_values("(?,4)"), None);
/// ```
pub fn split_values(text: &str) -> Option<(String, Vec<i64>)> {
    let (first, rest) = text.split_once('?').map_or((text, None), |(first, rest)| (first, Some(rest)));
    let (mut plain, mut values) = (first.to_string(), Vec::new());
    for piece in rest.into_iter().flat_map(|rest| rest.split('?')) {
        let end = piece.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(piece.len());
        values.push(piece[..end].parse().ok()?);
        plain += "?";
        plain += &piece[end..];
    }
    Some((plain, values))
}

/// Replaces each `?` in the text with its value.
///
/// ```
/// use cute_algebra::join_values;
/// assert_eq!(join_values("(?,4):(1,?)", ["?8", "n"]), "(?8,4):(1,n)");
/// ```
///
/// # Panics
/// Panics if there are fewer values than `?`.
pub fn join_values<T: Display>(plain: &str, values: impl IntoIterator<Item = T>) -> String {
    let mut values = values.into_iter();
    let mut next = || values.next().expect("there is a value for each `?`").to_string();
    plain.chars().map(|c| if c == '?' { next() } else { c.to_string() }).collect()
}

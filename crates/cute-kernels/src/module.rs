//! The text of a module.

use std::collections::HashMap;

use cute_ffi::ir;
use melior::ir::Module;

/// The module as text after a comment. Values have the names they were given, and types that occur
/// more than once become aliases.
pub fn text(module: &Module<'_>, comment: &str) -> String {
    let comment: Vec<_> = comment.lines().map(|l| format!("// {l}").trim_end().to_string()).collect();
    let text = aliased(&ir::named_text(module.as_operation()));
    format!("{}\n\n{}\n", comment.join("\n"), text.trim_end())
}

/// Shorter types are easier to read in place.
const SHORTEST_ALIAS: usize = 40;

/// Types of this dialect that occur several times, as aliases before the text.
fn aliased(text: &str) -> String {
    let mut count: HashMap<&str, usize> = HashMap::new();
    let mut order = Vec::new();
    for t in types(text) {
        let n = count.entry(t).or_insert(0);
        if *n == 0 {
            order.push(t);
        }
        *n += 1;
    }
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let (mut head, mut aliases) = (String::new(), Vec::new());
    for t in order.into_iter().filter(|t| t.len() >= SHORTEST_ALIAS && count[t] > 1) {
        let stem = stem(t);
        let number = numbers.entry(stem.clone()).or_insert(0);
        let alias = if *number == 0 { format!("!{stem}") } else { format!("!{stem}_{number}") };
        *number += 1;
        head += &format!("{alias} = {t}\n");
        aliases.push((t, alias));
    }
    // A type may be part of another, so the longest comes first.
    aliases.sort_by_key(|(t, _)| std::cmp::Reverse(t.len()));
    let body = aliases.iter().fold(text.to_string(), |body, (t, alias)| body.replace(t, alias));
    format!("{head}\n{body}")
}

/// The types `!cute..<..>` of a text, in order, without those nested in others.
fn types(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find("!cute")?;
        let from = rest.get(start..)?;
        let (mut depth, mut quoted) = (0, false);
        let end = from.char_indices().find_map(|(i, ch)| {
            match ch {
                '"' => quoted = !quoted,
                '<' if !quoted => depth += 1,
                '>' if !quoted && from.as_bytes().get(i.wrapping_sub(1)) != Some(&b'-') => depth -= 1,
                _ => {}
            }
            (ch == '>' && depth == 0 && !quoted).then_some(i + 1)
        })?;
        let (t, after) = from.split_at_checked(end)?;
        rest = after;
        Some(t)
    })
}

/// The name of a type's alias: `smem_f16`, `coord_tensor`.
fn stem(t: &str) -> String {
    let kind = t.trim_start_matches('!').split('<').next().unwrap_or(t);
    let kind = kind.rsplit('.').next().unwrap_or(kind);
    let inside = t.split_once('<').map_or("", |(_, inside)| inside);
    let words: Vec<_> = inside.split(',').map(str::trim).collect();
    match (kind, words.as_slice()) {
        ("memref", [elem, space, ..]) => format!("{space}_{elem}"),
        (kind, _) => kind.to_string(),
    }
}

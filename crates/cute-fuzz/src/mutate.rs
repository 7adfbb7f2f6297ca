//! Mutations of text, token by token. This module recognizes numbers and words, and is independent
//! of their meaning.

use crate::random::Random;

/// Numbers at the limits of integer types.
pub const NUMBERS: [&str; 26] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "16",
    "31",
    "32",
    "33",
    "64",
    "127",
    "128",
    "1024",
    "65536",
    "2147483647",
    "4294967296",
    "-2147483648",
    "1000000",
    "18014398509481984",
    "4611686018427387904",
    "9223372036854775807",
    "18446744073709551615",
];

/// Words that have a meaning in IR or in a layout.
const WORDS: [&str; 30] = [
    "i1",
    "i8",
    "i32",
    "i64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "tf32",
    "index",
    "gmem",
    "smem",
    "rmem",
    "tmem",
    "generic",
    "?",
    "_",
    "?{div=8}",
    "?{i64}",
    "?{i64 div=4}",
    "true",
    "false",
    "none",
    "unit",
    "()",
    "(1,(2,3))",
    "1@0",
    "1/2@1",
    "S<3,4,3>",
    "align<16>",
];

/// The tokens of a text: numbers, words, and single characters with the space after them.
pub fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        '0'..='9' => 1,
        'a'..='z' | 'A'..='Z' | '_' | '.' => 2,
        _ => 0,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = 0;
    for (at, c) in text.char_indices() {
        let now = if before == 2 && class(c) == 1 { 2 } else { class(c) };
        if at > start && (now != before || now == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = now;
    }
    tokens.push(&text[start..]);
    tokens
}

/// The text after one to three mutations, with pieces of `other` in it.
pub fn anything(text: &str, other: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    let foreign = self::tokens(other);
    for _ in 0..=random.below(3) {
        let at = random.below(tokens.len());
        let length = 1 + random.below(6);
        let end = (at + length).min(tokens.len());
        match random.below(9) {
            0 => drop(tokens.drain(at..end)),
            1 => {
                let copy: Vec<_> = tokens[at..end].to_vec();
                tokens.splice(at..at, copy);
            }
            2 => {
                let to = random.below(tokens.len());
                tokens.swap(at, to);
            }
            3 => {
                let from = random.below(foreign.len());
                let piece = foreign[from..(from + length).min(foreign.len())].iter().map(|s| s.to_string());
                tokens.splice(at..end, piece.collect::<Vec<_>>());
            }
            4 => tokens[at] = random.pick(&WORDS).map_or_else(String::new, |word| word.to_string()),
            _ => gentle(&mut tokens, random),
        }
        if tokens.is_empty() {
            tokens.push(String::new());
        }
    }
    tokens.concat()
}

/// The text after one or two numbers or types have changed, so that it is likely to parse.
pub fn gently(text: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    for _ in 0..=random.below(2) {
        gentle(&mut tokens, random);
    }
    tokens.concat()
}

/// The text with another number in each place of one number, so that what belongs together still
/// does.
pub fn throughout(text: &str, random: &mut Random) -> String {
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_string).collect();
    let before = tokens.clone();
    gentle(&mut tokens, random);
    let changed = before.iter().zip(&tokens).find(|(old, new)| old != new);
    let Some((old, new)) = changed else { return text.into() };
    before.iter().map(|token| if token == old { new.as_str() } else { token }).collect()
}

/// The text with a line that names nothing lost or twice, two lines exchanged, or one name in the
/// place of another.
pub fn line(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
    let nameless = |line: &String| !line.contains(" = ") && !line.trim_end().ends_with(['{', '}']);
    let all: Vec<_> = (0..lines.len().saturating_sub(1)).collect();
    let some: Vec<_> = all.iter().copied().filter(|at| nameless(&lines[*at])).collect();
    let kind = random.below(5);
    let Some(&at) = random.pick(if kind < 2 { &some } else { &all }) else { return text.into() };
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, at + 1),
        _ => {
            // Names that are near each other often have the same type.
            let near: Vec<_> = lines[at.saturating_sub(8)..at].iter().flat_map(|line| names(line)).collect();
            let (from, new) = (line_uses(&lines[at]), random.pick(&near).cloned());
            if let (Some(old), Some(new)) = (random.pick(&from), new) {
                let (head, tail) = lines[at].split_at(old.0);
                lines[at] = format!("{head}{new}{}", &tail[old.1..]);
            }
        }
    }
    lines.concat()
}

/// The names of values in a line.
fn names(line: &str) -> Vec<String> {
    places(line).into_iter().map(|(at, length)| line[at..at + length].to_string()).collect()
}

/// The places and lengths of names that a line uses.
fn line_uses(line: &str) -> Vec<(usize, usize)> {
    let from = line.find(" = ").unwrap_or(0);
    places(line).into_iter().filter(|(at, _)| *at >= from).collect()
}

fn places(line: &str) -> Vec<(usize, usize)> {
    let length =
        |rest: &str| 1 + rest[1..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    line.match_indices('%').map(|(at, _)| (at, length(&line[at..]))).collect()
}

/// The text with a piece of it many times in a row, as in a sum of many terms.
pub fn repeated(text: &str, random: &mut Random) -> String {
    let tokens = tokens(text);
    let from = random.below(tokens.len());
    let to = (from + 1 + random.below(8)).min(tokens.len());
    let piece = tokens[from..to].concat();
    let times =
        random.pick(&[8, 200, 5000, 60_000]).map_or(0, |times| *times.min(&(MOST / (piece.len() + 1))));
    [tokens[..to].concat(), piece.repeat(times), tokens[to..].concat()].concat()
}

/// The text with a bracket in itself many times, as in a list of lists.
pub fn nested(text: &str, random: &mut Random) -> String {
    let groups = groups(text);
    let inner = |(open, close): (usize, usize)| {
        groups.iter().copied().filter(move |(a, b)| open < *a && *b < close).collect::<Vec<_>>()
    };
    let pairs: Vec<_> =
        groups.iter().flat_map(|outer| inner(*outer).into_iter().map(|inner| (*outer, inner))).collect();
    let Some(((open, close), (a, b))) = random.pick(&pairs).copied() else { return text.into() };
    let around = a - open + close - b;
    let times = random.pick(&[1, 2, 20, 200, 5000]).map_or(0, |times| *times.min(&(MOST / around)));
    let (before, after) = (&text[open..a], &text[b..close]);
    [&text[..open], &before.repeat(1 + times), &text[a..b], &after.repeat(1 + times), &text[close..]].concat()
}

/// The largest number of bytes that a repetition adds.
const MOST: usize = 400_000;

/// Where brackets open, and behind where they close.
fn groups(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut groups) = (Vec::new(), Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => open.push((at, c)),
            ')' | ']' | '}' | '>' => {
                let own =
                    |other: char| matches!((other, c), ('(', ')') | ('[', ']') | ('{', '}') | ('<', '>'));
                if let Some((from, _)) = open.pop_if(|(_, other)| own(*other)) {
                    groups.push((from, at + 1));
                }
            }
            _ => {}
        }
    }
    groups
}

/// Changes bytes in one to three places; some of them then come from `other`.
pub fn bytes(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            3 if !other.is_empty() => {
                let from = random.below(other.len());
                let piece = &other[from..(from + 16).min(other.len())];
                bytes.splice(at..end, piece.iter().copied());
            }
            4 | 5 => {
                // A length, or another number.
                let number = random.bits() >> random.below(64);
                let to = (at + 8).min(bytes.len());
                bytes.splice(at..to, number.to_le_bytes());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
}

fn gentle(tokens: &mut [String], random: &mut Random) {
    let is_number = |token: &String| token.starts_with(|c: char| c.is_ascii_digit());
    let is_word = |token: &String| WORDS.contains(&token.as_str());
    let wanted: &dyn Fn(&String) -> bool = if random.below(4) == 0 { &is_word } else { &is_number };
    let places: Vec<_> = tokens.iter().enumerate().filter(|(_, t)| wanted(t)).map(|(at, _)| at).collect();
    let Some(&at) = random.pick(&places) else { return };
    let own = tokens.get(at).cloned().unwrap_or_default();
    let new = match own.parse::<i64>() {
        Ok(n) => match random.below(4) {
            0 => n.saturating_mul(2).to_string(),
            1 => (n / 2).to_string(),
            2 => n.saturating_add(1).to_string(),
            _ => random.pick(&NUMBERS).map_or(own, |number| number.to_string()),
        },
        Err(_) => random.pick(&WORDS[..15]).map_or(own, |word| word.to_string()),
    };
    if let Some(token) = tokens.get_mut(at) {
        *token = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "%x = cute.make(%y) : (!cute.layout<\"(4,8):(8,1)\">) -> f16 // é";
        assert_eq!(tokens(text).concat(), text);
        assert!(
            tokens(text).contains(&"cute.make")
                && tokens(text).contains(&"f16")
                && tokens(text).contains(&"8")
        );
    }

    #[test]
    fn pieces_are_repeated_and_nested() {
        let all = |mutate: fn(&str, &mut Random) -> String, text: &str| {
            (0..200).map(|i| mutate(text, &mut Random::of(1, i))).collect::<Vec<_>>()
        };
        assert!(all(nested, "[('a', ['b'])]").contains(&"[('a', [('a', ['b'])])]".to_string()));
        assert_eq!(all(nested, "(no) [group] in another"), vec!["(no) [group] in another"; 200]);
        let sums = all(repeated, "a+b");
        assert!(
            sums.iter().any(|sum| sum.starts_with("a+b+b+b"))
                || sums.iter().any(|sum| sum.starts_with("a+a+"))
        );
        assert!(sums.iter().any(|sum| sum.len() > 50_000) && sums.iter().all(|sum| sum.len() < MOST + 4));
    }

    #[test]
    fn what_belongs_together_changes_together() {
        let text = "%a = f(8, 4)\n  %b = g %a : 8\n  store %b, %a\n  store %a, %a\n}\n";
        let all = |mutate: fn(&str, &mut Random) -> String| {
            (0..300).map(|i| mutate(text, &mut Random::of(1, i))).collect::<Vec<_>>()
        };
        assert!(all(throughout).contains(&text.replace('8', "16")));
        let lines = all(line);
        let expected = [
            text.replace("  store %b, %a\n", ""),
            text.replace("  store %b, %a\n", "  store %b, %a\n  store %b, %a\n"),
            text.replace("store %a, %a", "store %b, %a"),
        ];
        assert!(expected.iter().all(|mutant| lines.contains(mutant)), "{lines:?}");
    }

    #[test]
    fn changed_bytes_repeat_and_are_others() {
        let changed = |i| {
            let mut own = vec![7; 100];
            bytes(&mut own, &[9; 20], &mut Random::of(1, i));
            own
        };
        assert!((0..100).all(|i| changed(i) == changed(i)));
        assert!((0..100).filter(|i| changed(*i) != vec![7; 100]).count() > 80);
    }

    #[test]
    fn mutations_repeat_and_change_something() {
        let text = "(4,8):(8,1) o f32";
        let all = |seed| {
            let one = |i| anything(text, "zipped_divide(16:1, 4)", &mut Random::of(seed, i));
            (0..100).map(one).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        assert!(all(1).iter().filter(|mutant| *mutant != text).count() > 80);
        assert!((0..20).all(|i| !gently(text, &mut Random::of(1, i)).is_empty()));
    }
}

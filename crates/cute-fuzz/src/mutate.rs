//! Mutations of text, token by token. This module recognizes numbers and words, and is independent
//! of their meaning.

use crate::random::Random;

/// Numbers at the limits of integer types.
const NUMBERS: [&str; 22] = [
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
    "9223372036854775807",
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

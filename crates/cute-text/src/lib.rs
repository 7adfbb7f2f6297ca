//! Text from outside, as it is shown to people: names of kernels and files, lines of a source, the
//! output of a kernel and of other programs. Characters that a terminal or a browser would obey
//! instead of showing are written as `[U+001B]`. It must not know where the text comes from.
//!
//! Text for programs, such as JSON, keeps its characters: its own syntax escapes them.

#![forbid(unsafe_code)]

use std::{borrow::Cow, fmt::Write};

/// Text of several lines: newlines and tabs stay.
///
/// ```
/// assert_eq!(cute_text::lines("a\tb\n\u{1b}[31mred"), "a\tb\n[U+001B][31mred");
/// assert_eq!(cute_text::lines("é: 日本"), "é: 日本");
/// ```
pub fn lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| c == '\n' || c == '\t')
}

/// Text within one line, such as a name: a newline is shown too, because it would forge a line.
///
/// ```
/// assert_eq!(cute_text::line("k\n0 findings\u{202e}"), "k[U+000A]0 findings[U+202E]");
/// ```
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// Text of several lines in HTML or XML, in elements and in attributes: it cannot be taken for
/// markup.
///
/// ```
/// assert_eq!(cute_text::markup("a<b> & \"c\"\u{1b}"), "a&lt;b&gt; &amp; &quot;c&quot;[U+001B]");
/// ```
pub fn markup(text: &str) -> String {
    let mut safe = String::new();
    for c in lines(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no way to write these two.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// The bytes that a character takes where it is shown.
///
/// ```
/// assert_eq!(['a', 'é', '\u{7}'].map(cute_text::width), [1, 2, 8]);
/// ```
pub fn width(c: char) -> usize {
    if is_obeyed(c) { lines(c.encode_utf8(&mut [0; 4])).len() } else { c.len_utf8() }
}

fn shown(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_hidden = |c: char| is_obeyed(c) && !stays(c);
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            write!(shown, "[U+{:04X}]", u32::from(c)).expect("a string grows");
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Control characters, line and paragraph separators, and characters that change the direction of
/// what follows (Unicode, "Bidirectional Algorithm": embeddings, overrides, isolates).
fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A message with the options that it names in the spelling of Python: `--m-tile 64` is
/// `m_tile=64` there. Only the words of this project's own messages are meant, not a source that
/// they quote.
///
/// ```
/// use cute_text::in_python;
/// assert_eq!(in_python("256 rows need a pair of blocks, --ctas 2"), "256 rows need a pair of blocks, ctas=2");
/// assert_eq!(in_python("--element TYPE is missing; leave out --aligned"), "element=TYPE is missing; leave out aligned");
/// assert_eq!(in_python("a value is required for '--m-tile <M_TILE>'"), "a value is required for 'm_tile'");
/// assert_eq!(in_python("a -- b, x--y and --"), "a -- b, x--y and --");
/// ```
pub fn in_python(text: &str) -> String {
    let (mut own, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("--") {
        let (before, found) = rest.split_at(at);
        own.push_str(before);
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name = &found[2..];
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let (name, behind) = name.split_at(end);
        let follows_a_word = own.ends_with(|c: char| c.is_alphanumeric() || c == '-');
        if follows_a_word || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            own.push_str("--");
            rest = &found[2..];
            continue;
        }
        let name_end = name.trim_end_matches('-');
        own.push_str(&name_end.replace('-', "_"));
        rest = &found[2 + name_end.len()..];
        if rest.len() != behind.len() {
            continue;
        }
        let Some(value) = behind.strip_prefix(' ') else { continue };
        let word: &str = value.split([' ', ',', ';', ':', '.', '\'', '`', '\n']).next().unwrap_or_default();
        let is_placeholder = |word: &str| {
            let mut letters = word.chars().filter(|c| c.is_alphabetic()).peekable();
            letters.peek().is_some() && letters.all(char::is_uppercase)
        };
        if let Some(clap) = value.strip_prefix('<').and_then(|value| value.split_once('>')) {
            rest = clap.1;
        } else if word.starts_with(|c: char| c.is_ascii_digit()) || is_placeholder(word) {
            own.push('=');
            rest = value;
        }
    }
    own + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let all: String = ('\0'..='\u{2fff}').collect();
        for (shown, kept) in [(line(&all), 0), (lines(&all), 2)] {
            assert_eq!(shown.chars().filter(|c| is_obeyed(*c)).count(), kept);
        }
        assert!(matches!(lines("a\n"), Cow::Borrowed(_)), "ordinary text is not copied");
    }
}

//! How deep a text nests. MLIR's parser calls itself for each level of brackets and for each
//! operator of an affine expression, and ends the process when the stack is full. It also ends the
//! process where it has no memory for as many results as the number of one says, as in `%0#7`.

/// The most levels of brackets that a text may have, and the most operators of an expression: far
/// more than any module has, and few enough for the stack of a thread.
pub(crate) const MOST: usize = 256;

/// The largest number of a result.
pub(crate) const MOST_RESULTS: usize = 1 << 16;

/// The part of a text that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Levels of brackets.
    Brackets,
    /// Operators of an affine expression, such as `d0 + d1 * 2`.
    Operators,
    /// The number of a result, such as `%0#7`.
    Result,
}

impl Excess {
    /// The limit, and what it counts.
    pub(crate) fn limit(self) -> (usize, &'static str) {
        match self {
            Self::Brackets => (MOST, "levels of brackets"),
            Self::Operators => (MOST, "operators in an affine expression"),
            Self::Result => (MOST_RESULTS, "results of an op"),
        }
    }
}

/// The first bracket that is nested too deep, the first operator that is one too many, or the first
/// number of a result that is too large, and its line, counted from 1. Strings, comments and names
/// do not count.
pub(crate) fn too_deep(text: &str) -> Option<(Excess, usize)> {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, line: 1 };
    // The operators since the last comma on each level.
    let mut levels = vec![0usize];
    let mut before = 0;
    while let Some(byte) = scan.next() {
        let mut operators = 0;
        match byte {
            b'"' => scan.string(),
            b'/' if before == b'/' => scan.skip(|byte| byte != b'\n'),
            b'(' | b'[' | b'{' | b'<' => {
                levels.push(0);
                if levels.len() > MOST + 1 {
                    return Some((Excess::Brackets, scan.line));
                }
            }
            // `->` and `>=` close nothing.
            b'>' if before == b'-' || scan.peek() == Some(b'=') => {}
            b')' | b']' | b'}' | b'>' if levels.len() > 1 => _ = levels.pop(),
            b'#' if scan.peek().is_some_and(|byte| byte.is_ascii_digit()) => {
                let number = scan.integer();
                if number.is_none_or(|number| number > MOST_RESULTS) {
                    return Some((Excess::Result, scan.line));
                }
            }
            b'%' | b'#' | b'@' | b'!' | b'^' => scan.name(),
            b'0'..=b'9' => scan.number(),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                operators = usize::from(["mod", "floordiv", "ceildiv"].contains(&scan.word()));
            }
            b'+' | b'*' => operators = 1,
            b'-' if scan.peek() != Some(b'>') => operators = 1,
            // No affine expression continues after these.
            b',' | b'=' | b':' => *levels.last_mut().expect("the outermost level stays") = 0,
            _ => {}
        }
        let level = levels.last_mut().expect("the outermost level stays");
        *level += operators;
        if *level > MOST {
            return Some((Excess::Operators, scan.line));
        }
        before = byte;
    }
    None
}

/// A position in a text, and its line.
struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    line: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }

    fn skip(&mut self, skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&skipped) {
            self.next();
        }
    }

    /// The rest of a string, after its first quote.
    fn string(&mut self) {
        while let Some(byte) = self.next().filter(|byte| *byte != b'"') {
            if byte == b'\\' {
                self.next();
            }
        }
    }

    /// The rest of a name, after its sigil: a number, or letters, digits and `$._-`.
    fn name(&mut self) {
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.skip(|byte| byte.is_ascii_digit());
        }
        self.skip(|byte| byte.is_ascii_alphanumeric() || b"$._-".contains(&byte));
    }

    /// An integer; `None` if it is larger than any number.
    fn integer(&mut self) -> Option<usize> {
        let start = self.at;
        self.skip(|byte| byte.is_ascii_digit());
        std::str::from_utf8(&self.bytes[start..self.at]).ok()?.parse().ok()
    }

    /// The rest of a number, whose exponent may have a sign.
    fn number(&mut self) {
        self.skip(|byte| byte.is_ascii_digit());
        if self.peek() == Some(b'.') {
            self.skip(|byte| byte == b'.' || byte.is_ascii_digit());
            if self.peek().is_some_and(|byte| byte == b'e' || byte == b'E') {
                self.next();
                self.skip(|byte| byte == b'+' || byte == b'-');
            }
        }
    }

    /// A word, of which the first letter was read.
    fn word(&mut self) -> &str {
        let start = self.at - 1;
        self.skip(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(&byte));
        std::str::from_utf8(&self.bytes[start..self.at]).expect("these bytes are ASCII")
    }
}

#[cfg(test)]
mod tests {
    use super::{Excess::*, *};

    #[test]
    fn brackets_nest_outside_of_strings_and_comments() {
        let open = "([{<".repeat(MOST / 4);
        assert_eq!(too_deep(&open), None);
        assert_eq!(too_deep(&format!("\n{open}\n(")), Some((Brackets, 3)));
        assert_eq!(too_deep(&format!("{open})(")), None);
        assert_eq!(too_deep(&format!("{open} \"((\\\"(\n\" // ((\n -> ) (")), None);
        assert_eq!(too_deep(&format!("{open} \"((\\\"(\n\" // ((\n -> (")), Some((Brackets, 3)));
        assert_eq!(too_deep("\"("), None);
    }

    #[test]
    fn operators_add_up_within_an_expression() {
        let map =
            |terms: &str, count: usize| format!("#map = affine_map<(d0)[s0] -> ({})>", terms.repeat(count));
        for term in ["d0 + ", "- ", "s0 floordiv\n", "(d0 + s0) * ", "(d0)-", "d0 mod 2 - d0 ceildiv "] {
            assert_eq!(too_deep(&map(term, MOST / 4)), None, "{term}");
            assert!(matches!(too_deep(&map(term, MOST + 1)), Some((Operators, _))), "{term}");
        }
        assert_eq!(
            too_deep(&format!("\n\n%0 = affine.load %a[%0{}]", "\n+%0".repeat(MOST + 1))),
            Some((Operators, 260))
        );
    }

    #[test]
    fn numbers_of_results_are_small() {
        for text in ["%0#65536", "%r #7 \"#99999999\" // #99999999", "#99a #map99999999"] {
            assert_eq!(too_deep(text), None, "{text}");
        }
        for text in ["\n%0#65537", "\n%r # 1 %r#2147483647", "\n%r #99999999999999999999999"] {
            assert_eq!(too_deep(text), Some((Result, 2)), "{text}");
        }
    }

    #[test]
    fn signs_elsewhere_are_no_operators() {
        for text in [
            "dense<[-1, -2]> ",
            "1.0e-5 -1.5E+3 ",
            "%a-b = llvm.add %a-b, %c-d : i32\n",
            "@f-g #x-y !t-u ^b-c ",
            "(i32) -> i32 ",
            "\"a+b-c\" // +++\n",
            "%0 = \"x\"() {a = -1 : i64, b = -2.0 : f32} : () -> i32\n",
            "memref<*xf32> : ",
        ] {
            // Negative numbers without anything between them are in no text that parses.
            let count = if text.starts_with("1.0e") { 200 } else { 10_000 };
            assert_eq!(too_deep(&text.repeat(count)), None, "{text}");
        }
    }
}

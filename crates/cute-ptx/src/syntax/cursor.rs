//! A position in a text, and the small parts of PTX: names, numbers, punctuation.

use super::SyntaxError;
use super::tree::Number;

/// Braces and parentheses inside one another, at most.
const DEPTH: u32 = 64;

/// A position in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    depth: u32,
    assembly: Assembly,
}

/// The inline assembly of a compiler's input, which LLVM marks by comments in its output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Assembly {
    /// How many have begun.
    begun: u32,
    /// Whether the last of them has ended.
    is_over: bool,
}

impl Assembly {
    /// The number of the one that is open.
    pub(super) fn open(self) -> Option<u32> {
        (self.begun > 0 && !self.is_over).then_some(self.begun)
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, line: u32) -> Self {
        Self { text, at: 0, line, depth: 0, assembly: Assembly::default() }
    }

    pub(super) fn line(&self) -> u32 {
        self.line
    }

    pub(super) fn assembly(&self) -> Assembly {
        self.assembly
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn since(&self, from: usize) -> &'a str {
        self.text[from..self.at].trim_end()
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Skips spaces and comments, and returns the next byte.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.byte()? {
            byte if byte > b' ' && byte != b'/' => Some(byte),
            _ => self.skip(),
        }
    }

    fn skip(&mut self) -> Option<u8> {
        let bytes = self.bytes();
        loop {
            match bytes.get(self.at)? {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if bytes.get(self.at + 1) == Some(&b'/') => {
                    let left = &self.text[self.at..];
                    let comment = left.split('\n').next().unwrap_or_default();
                    self.at += comment.len();
                    match comment.trim_start_matches('/').trim() {
                        "begin inline asm" => {
                            self.assembly = Assembly { begun: self.assembly.begun + 1, is_over: false };
                        }
                        "end inline asm" => self.assembly.is_over = true,
                        _ => {}
                    }
                }
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let left = &self.text[self.at + 2..];
                    let length = left.find("*/").map_or(left.len(), |n| n + 2);
                    self.line += left[..length].bytes().filter(|b| *b == b'\n').count() as u32;
                    self.at += 2 + length;
                }
                other => return Some(*other),
            }
        }
    }

    pub(super) fn is_done(&mut self) -> bool {
        self.peek().is_none()
    }

    /// An error here, with the text up to the end of the statement.
    pub(super) fn error(&self, what: impl Into<String>) -> SyntaxError {
        let left = self.text.get(self.at..).unwrap_or_default();
        let end = left.find(['\n', ';']).unwrap_or(left.len()).min(60);
        let end = (0..=end).rev().find(|end| left.is_char_boundary(*end)).unwrap_or(0);
        SyntaxError { line: self.line, what: what.into(), text: left[..end].trim_end().to_owned() }
    }

    /// Goes past a byte, if it is next.
    pub(super) fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), SyntaxError> {
        if self.takes(byte) {
            return Ok(());
        }
        Err(self.error(format!("`{}` is missing", byte as char)))
    }

    /// Goes past two bytes, if they are next and belong together.
    fn takes_both(&mut self, bytes: &[u8; 2]) -> bool {
        self.peek();
        let are_next = self.bytes()[self.at.min(self.text.len())..].starts_with(bytes);
        self.at += if are_next { 2 } else { 0 };
        are_next
    }

    /// A name: letters, digits, `_`, `$`, `%`.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        self.peek()?;
        let left = &self.bytes()[self.at..];
        if left[0].is_ascii_digit() {
            return None;
        }
        let length = left.iter().position(|b| !is_letter(*b)).unwrap_or(left.len());
        self.at += length;
        (length > 0).then(|| &self.text[self.at - length..self.at])
    }

    pub(super) fn expect_name(&mut self, what: &str) -> Result<&'a str, SyntaxError> {
        self.name().ok_or_else(|| self.error(format!("{what} is missing")))
    }

    /// Names with `.` and `::` between them: an opcode, or a special register.
    pub(super) fn dotted(&mut self) -> Option<&'a str> {
        let name = self.name()?;
        let from = self.at - name.len();
        let bytes = self.bytes();
        loop {
            let width = match bytes.get(self.at..) {
                Some([b'.', next, ..]) if is_letter(*next) => 1,
                Some([b':', b':', next, ..]) if is_letter(*next) => 2,
                _ => break,
            };
            let left = &bytes[self.at + width..];
            self.at += width + left.iter().position(|b| !is_letter(*b)).unwrap_or(left.len());
        }
        Some(&self.text[from..self.at])
    }

    /// `.word`, without the dot.
    pub(super) fn directive(&mut self) -> Option<&'a str> {
        let before = *self;
        if self.takes(b'.')
            && let Some(word) = self.dotted()
        {
            return Some(word);
        }
        *self = before;
        None
    }

    /// Goes past this directive, if it is next.
    pub(super) fn takes_directive(&mut self, word: &str) -> bool {
        let before = *self;
        let is_next = self.directive() == Some(word);
        if !is_next {
            *self = before;
        }
        is_next
    }

    /// The text between quotes.
    pub(super) fn string(&mut self) -> Result<&'a str, SyntaxError> {
        self.expect(b'"')?;
        let left = &self.text[self.at..];
        let mut escaped = false;
        let end = left.bytes().position(|b| {
            let ends = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            ends
        });
        let end = end.ok_or_else(|| self.error("the text in quotes has no end"))?;
        self.line += left[..end].bytes().filter(|b| *b == b'\n').count() as u32;
        self.at += end + 1;
        Ok(&left[..end])
    }

    /// A decimal number that is not negative.
    pub(super) fn count(&mut self, what: &str) -> Result<u64, SyntaxError> {
        let value = self.expression()?;
        u64::try_from(value).map_err(|_| self.error(format!("{what} is below 0")))
    }

    pub(super) fn small(&mut self, what: &str) -> Result<u32, SyntaxError> {
        let value = self.count(what)?;
        u32::try_from(value).map_err(|_| self.error(format!("{what} is above 2^32 - 1")))
    }

    /// A number, if one is next.
    pub(super) fn number(&mut self) -> Result<Option<Number>, SyntaxError> {
        let first = self.peek();
        if !matches!(first, Some(b'0'..=b'9' | b'-' | b'+' | b'~' | b'!' | b'(')) {
            return Ok(None);
        }
        let before = *self;
        let negative = self.takes(b'-');
        if let Some(float) = self.float()? {
            return Ok(Some(match float {
                Number::Double(bits) if negative => Number::Double(bits ^ 1 << 63),
                Number::Single(bits) if negative => Number::Single(bits ^ 1 << 31),
                other => other,
            }));
        }
        *self = before;
        self.expression().map(|value| Some(Number::Integer(value)))
    }

    /// `0f3F800000`, `0d3FF0000000000000`, `1.5e-3`, if one is next.
    fn float(&mut self) -> Result<Option<Number>, SyntaxError> {
        self.peek();
        let left = &self.text[self.at.min(self.text.len())..];
        let bits = |from: usize, digits: usize| {
            let text = left.get(from..from + digits)?;
            let ends = left.as_bytes().get(from + digits).is_none_or(|b| !is_letter(*b));
            ends.then(|| u64::from_str_radix(text, 16).ok()).flatten()
        };
        let hexadecimal = match left.as_bytes() {
            [b'0', b'f' | b'F', ..] => Some((10, bits(2, 8).map(|bits| Number::Single(bits as u32)))),
            [b'0', b'd' | b'D', ..] => Some((18, bits(2, 16).map(Number::Double))),
            _ => None,
        };
        if let Some((length, number)) = hexadecimal {
            let number = number.ok_or_else(|| self.error("the digits of a float are missing"))?;
            self.at += length;
            return Ok(Some(number));
        }
        let digits = left.bytes().take_while(u8::is_ascii_digit).count();
        let after = left.as_bytes().get(digits).copied();
        if digits == 0 || !matches!(after, Some(b'.' | b'e' | b'E')) {
            return Ok(None);
        }
        let mut exponent = false;
        let length = left
            .bytes()
            .position(|b| {
                let sign = exponent && matches!(b, b'-' | b'+');
                exponent = matches!(b, b'e' | b'E');
                !(b.is_ascii_digit() || b == b'.' || exponent || sign)
            })
            .unwrap_or(left.len());
        let value: f64 = left[..length].parse().map_err(|_| self.error("this is not a number"))?;
        self.at += length;
        Ok(Some(Number::Double(value.to_bits())))
    }

    /// A constant expression of integers.
    pub(super) fn expression(&mut self) -> Result<i64, SyntaxError> {
        self.binary(0)
    }

    /// Operators by their precedence, as in C.
    fn binary(&mut self, least: u32) -> Result<i64, SyntaxError> {
        const TWO: [(&[u8; 2], u32); 8] =
            [(b"||", 1), (b"&&", 2), (b"==", 6), (b"!=", 6), (b"<=", 7), (b">=", 7), (b"<<", 8), (b">>", 8)];
        const ONE: [(u8, u32); 10] = [
            (b'|', 3),
            (b'^', 4),
            (b'&', 5),
            (b'<', 7),
            (b'>', 7),
            (b'+', 9),
            (b'-', 9),
            (b'*', 10),
            (b'/', 10),
            (b'%', 10),
        ];
        let mut a = self.unary()?;
        loop {
            if !self.peek().is_some_and(|byte| b"|&=!<>^+-*/%".contains(&byte)) {
                return Ok(a);
            }
            let before = *self;
            let two = TWO.iter().find(|(bytes, _)| self.takes_both(bytes));
            let (bytes, precedence): (&[u8], u32) = match two {
                Some((bytes, precedence)) => (&bytes[..], *precedence),
                None => match ONE.iter().find(|(byte, _)| self.takes(*byte)) {
                    Some((byte, precedence)) => (std::slice::from_ref(byte), *precedence),
                    None => return Ok(a),
                },
            };
            if precedence <= least {
                *self = before;
                return Ok(a);
            }
            let b = self.binary(precedence)?;
            a = match bytes {
                b"||" => i64::from(a != 0 || b != 0),
                b"&&" => i64::from(a != 0 && b != 0),
                b"==" => i64::from(a == b),
                b"!=" => i64::from(a != b),
                b"<=" => i64::from(a <= b),
                b">=" => i64::from(a >= b),
                b"<" => i64::from(a < b),
                b">" => i64::from(a > b),
                b"<<" => a.checked_shl(b as u32).unwrap_or(0),
                b">>" => a.checked_shr(b as u32).unwrap_or(0),
                b"|" => a | b,
                b"^" => a ^ b,
                b"&" => a & b,
                b"+" => a.wrapping_add(b),
                b"-" => a.wrapping_sub(b),
                b"*" => a.wrapping_mul(b),
                _ if b == 0 => return Err(self.error("a constant is divided by 0")),
                b"/" => a.wrapping_div(b),
                _ => a.wrapping_rem(b),
            };
        }
    }

    fn unary(&mut self) -> Result<i64, SyntaxError> {
        self.enter()?;
        let value = match self.peek() {
            Some(b'-') => {
                self.at += 1;
                self.unary()?.wrapping_neg()
            }
            Some(b'+') => {
                self.at += 1;
                self.unary()?
            }
            Some(b'~') => {
                self.at += 1;
                !self.unary()?
            }
            Some(b'!') => {
                self.at += 1;
                i64::from(self.unary()? == 0)
            }
            Some(b'(') => {
                self.at += 1;
                // `(.s64) 5` and `(.u64) 5` change nothing of a constant of 64 bits.
                if self.directive().is_some() {
                    self.expect(b')')?;
                    self.unary()?
                } else {
                    let value = self.binary(0)?;
                    self.expect(b')')?;
                    value
                }
            }
            Some(b'0'..=b'9') => self.integer()?,
            _ if self.takes_word("WARP_SZ") => 32,
            _ => return Err(self.error("a number is missing")),
        };
        self.leave();
        Ok(value)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let before = *self;
        let is_next = self.name() == Some(word);
        if !is_next {
            *self = before;
        }
        is_next
    }

    /// `12`, `0x1F`, `017`, `0b101`, each perhaps with `U`.
    fn integer(&mut self) -> Result<i64, SyntaxError> {
        let left = &self.text[self.at..];
        let length = left.bytes().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(left.len());
        let digits = left[..length].trim_end_matches(['U', 'u']);
        let value = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => u64::from_str_radix(&digits[2..], 16),
            [b'0', b'b' | b'B', ..] => u64::from_str_radix(&digits[2..], 2),
            [b'0', _, ..] => u64::from_str_radix(&digits[1..], 8),
            _ => digits.parse(),
        };
        let value = value.map_err(|_| self.error("this is not an integer of 64 bits"))?;
        self.at += length;
        Ok(value as i64)
    }

    /// The number between `<` and `>`, which are brackets there.
    pub(super) fn number_of_registers(&mut self) -> Option<u64> {
        self.peek();
        let left = &self.bytes()[self.at.min(self.text.len())..];
        let length = left.iter().position(|b| !b.is_ascii_digit()).unwrap_or(left.len());
        let count = self.text[self.at..self.at + length].parse().ok()?;
        self.at += length;
        Some(count)
    }

    /// `$0` or `${0}`: an operand of inline assembly.
    pub(super) fn given(&mut self) -> Option<usize> {
        self.peek();
        let left = self.text[self.at..].strip_prefix('$')?;
        let (braced, digits) = left.strip_prefix('{').map_or((0, left), |left| (2, left));
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let index = digits[..length].parse().ok()?;
        let after = digits.as_bytes().get(length);
        if if braced > 0 { after != Some(&b'}') } else { after.is_some_and(|b| is_letter(*b)) } {
            return None;
        }
        self.at += 1 + braced + length;
        Some(index)
    }

    /// One level deeper inside brackets or operators.
    pub(super) fn enter(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error(format!("more than {DEPTH} levels of brackets or operators")));
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The text up to the brace that closes one before here, and past that brace.
    pub(super) fn braced(&mut self) -> Result<&'a str, SyntaxError> {
        let opened = *self;
        let from = self.at;
        let mut depth = 1u64;
        loop {
            match self.peek() {
                None => return Err(opened.error("the brace `{` is not closed")),
                Some(b'"') => drop(self.string()?),
                Some(b'{') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}') => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return Ok(&self.text[from..self.at - 1]);
                    }
                }
                Some(_) => {
                    let left = &self.bytes()[self.at..];
                    let ends = |b: &u8| matches!(b, b'"' | b'{' | b'}' | b'/' | b'\n');
                    self.at += left.iter().position(ends).unwrap_or(left.len()).max(1);
                }
            }
        }
    }

    /// A number as it is written, without its sign.
    pub(super) fn digits(&mut self) -> &'a str {
        let from = self.at;
        let left = &self.bytes()[from..];
        let belongs = |b: &u8| is_letter(*b) || *b == b'.';
        self.at += left.iter().position(|b| !belongs(b)).unwrap_or(left.len());
        &self.text[from..self.at]
    }

    /// Goes past a character.
    pub(super) fn step(&mut self) {
        self.at += self.character();
    }

    /// Goes past the rest of a statement.
    pub(super) fn skip_statement(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'"' {
                if self.string().is_err() {
                    self.at = self.text.len();
                }
                continue;
            }
            self.step();
            if byte == b';' {
                return;
            }
        }
    }

    fn character(&self) -> usize {
        self.text[self.at..].chars().next().map_or(1, char::len_utf8)
    }
}

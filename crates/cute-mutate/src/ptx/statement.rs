//! An instruction where it stands in the text, and the same instruction with another part.

use cute_ptx::syntax;
use std::ops::Range;

/// An instruction, whose parts are texts.
pub(super) struct Instruction<'a> {
    /// Its bytes in the file, from the guard to the semicolon.
    pub(super) range: Range<usize>,
    /// `@%p1`, if it has a guard.
    pub(super) guard: Option<&'a str>,
    /// With all modifiers.
    pub(super) opcode: &'a str,
    /// The opcode, part by part.
    pub(super) words: Vec<&'a str>,
    pub(super) operands: Vec<&'a str>,
}

/// How a value is changed.
#[derive(Clone, Copy)]
pub(super) enum By {
    Add(i64),
    Xor(i64),
}

impl<'a> Instruction<'a> {
    /// An instruction of this text.
    pub(super) fn of(text: &'a str, read: &syntax::Instruction<'a>) -> Option<Self> {
        let start = (read.text.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let mut range = start..start + read.text.len();
        let mut guard = None;
        if read.guard.is_some() {
            let at = text[..start].rfind('@')?;
            guard = Some(text[at..start].trim_end());
            range.start = at;
        }
        let rest = &text[range.end..];
        let gap = rest.len() - rest.trim_start().len();
        if rest[gap..].starts_with(';') {
            range.end += gap + 1;
        }
        let operands = operands(read.text.strip_prefix(read.opcode)?);
        // A comment within an instruction is not worth a reader of its own.
        let is_plain = !text[range.clone()].contains("/*") && !text[range.clone()].contains("//");
        let words = read.opcode.split('.').collect();
        is_plain.then_some(Self { range, guard, opcode: read.opcode, words, operands })
    }

    /// Whether a modifier is one of these.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    /// The last operand.
    pub(super) fn last(&self) -> usize {
        self.operands.len().saturating_sub(1)
    }

    fn written(&self, guard: Option<&str>, opcode: &str, operands: &[&str]) -> String {
        let guard = guard.map(|guard| format!("{guard} ")).unwrap_or_default();
        let space = if operands.is_empty() { "" } else { " " };
        format!("{guard}{opcode}{space}{};", operands.join(", "))
    }

    /// As it is.
    pub(super) fn text(&self) -> String {
        self.written(self.guard, self.opcode, &self.operands)
    }

    /// A trap in its place, with its guard.
    pub(super) fn trap(&self) -> String {
        format!("{} {}", self.instead("trap", &[]), self.text())
    }

    /// Without a guard, or with another one.
    pub(super) fn guarded(&self, guard: Option<&str>) -> String {
        self.written(guard, self.opcode, &self.operands)
    }

    /// With another opcode and other operands.
    pub(super) fn instead(&self, opcode: &str, operands: &[&str]) -> String {
        self.written(self.guard, opcode, operands)
    }

    /// With another modifier in the place of one.
    pub(super) fn with_word(&self, at: usize, word: &str) -> String {
        let mut words = self.words.clone();
        words[at] = word;
        self.instead(&words.join("."), &self.operands)
    }

    /// Without a modifier.
    pub(super) fn without_word(&self, at: usize) -> String {
        let mut words = self.words.clone();
        words.remove(at);
        self.instead(&words.join("."), &self.operands)
    }

    /// With another operand.
    pub(super) fn with_operand(&self, at: usize, operand: &str) -> String {
        let mut operands = self.operands.clone();
        operands[at] = operand;
        self.instead(self.opcode, &operands)
    }

    /// With a part of an operand changed: a number as a number, and a register of this type by an
    /// instruction in front, in braces, whose register ends with them. `None` for anything else.
    pub(super) fn shifted(&self, at: usize, part: &str, by: By, ty: &str) -> Option<String> {
        let operand = self.operands.get(at)?;
        let place = place_of(operand, part)?;
        let replaced = |new: &str| {
            let operand = [&operand[..place.start], new, &operand[place.end..]].concat();
            self.with_operand(at, &operand)
        };
        if let Some(number) = integer(part) {
            let number = match by {
                By::Add(step) => number.checked_add(step)?,
                By::Xor(bits) => number ^ bits,
            };
            return (number >= 0).then(|| replaced(&number.to_string()));
        }
        if !part.starts_with('%') || part.contains('.') {
            return None;
        }
        let digits = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let computed = match by {
            By::Add(step) => format!("add.s{digits} %mutant, {part}, {step};"),
            By::Xor(bits) => format!("xor.b{digits} %mutant, {part}, {bits};"),
        };
        Some(format!("{{ .reg .{ty} %mutant; {computed} {} }}", replaced("%mutant")))
    }
}

/// Where a name or a number stands in an operand, as a word of its own.
fn place_of(operand: &str, part: &str) -> Option<Range<usize>> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "_$%".contains(c);
    operand.match_indices(part).map(|(at, part)| at..at + part.len()).find(|place| {
        !operand[..place.start].ends_with(is_letter) && !operand[place.end..].starts_with(is_letter)
    })
}

/// The value of a literal.
pub(super) fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let digits = digits.trim_end_matches('U');
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => digits.parse::<u64>().ok()? as i64,
    };
    value.checked_mul(sign)
}

/// The parts between commas that are in no brackets.
pub(super) fn operands(text: &str) -> Vec<&str> {
    let (mut all, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[from..].trim());
    all.retain(|operand| !operand.is_empty());
    all
}

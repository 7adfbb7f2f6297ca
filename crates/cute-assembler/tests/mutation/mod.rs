//! Bodies of functions in PTX, and instructions of them in which one token is another one.

use fastrand::Rng;
use std::collections::BTreeSet;

/// The token that is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    DeclaredType,
    OtherRegister,
    Dropped,
    Doubled,
    Swapped,
    TypeSuffix,
    Immediate,
    SpecialRegister,
    Guard,
}

impl Token {
    pub const ALL: [Self; 9] = [
        Self::DeclaredType,
        Self::OtherRegister,
        Self::Dropped,
        Self::Doubled,
        Self::Swapped,
        Self::TypeSuffix,
        Self::Immediate,
        Self::SpecialRegister,
        Self::Guard,
    ];
}

/// An instruction in which one token is another one.
pub struct Mutant {
    /// The statement of the body in whose place it stands.
    pub at: usize,
    pub token: Token,
    pub original: String,
    pub text: String,
}

/// The body of a function.
pub struct Body {
    /// The module's text up to the function, and the function's up to its brace.
    head: String,
    target: String,
    /// All statements in their order, with `{`, `}` and labels as statements of their own.
    statements: Vec<String>,
    /// Registers: how the names begin, and the type.
    registers: Vec<(String, Option<usize>, String)>,
    /// The places of the instructions.
    instructions: Vec<usize>,
}

const REGISTERS: &[&str] =
    &["pred", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f16", "f32", "f64", "b128"];

const SUFFIXES: &[&str] = &[
    "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16",
    "bf16", "f16x2", "bf16x2", "f32", "f64", "tf32", "e4m3x2",
];

const SPECIAL: &[&str] = &[
    "%tid.x",
    "%ntid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%laneid",
    "%warpid",
    "%clock",
    "%clock64",
    "%globaltimer",
    "%smid",
    "%lanemask_lt",
    "%tid",
    "%tid.q",
    "%tid_x",
    "%laneidx",
    "%warpsize",
    "%lanemask.lt",
    "%cluster_ctaid.x",
    "%is_explicit_cluster",
    "%gridid",
    "%cluster_ctarank",
];

const IMMEDIATES: &[&str] = &["0", "7", "-1", "0x10000", "1.5", "0f3F800000", "0d3FF0000000000000"];

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%')
}

/// The text without comments.
fn bare(text: &str) -> String {
    let mut all = String::new();
    let mut left = text;
    while let Some(at) = left.find('/') {
        all += &left[..at];
        let rest = &left[at..];
        if rest.starts_with("//") {
            left = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            left = &rest[rest.find("*/").map_or(rest.len(), |end| end + 2)..];
        } else {
            all.push('/');
            left = &rest[1..];
        }
    }
    all + left
}

/// The place of the brace that closes one that was opened before `from`.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text[from..].char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return Some(from + at);
        }
    }
    None
}

/// The statements of a body.
fn statements(body: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut left = body.trim_start();
    while let Some(first) = left.chars().next() {
        let end = if first == '{' || first == '}' {
            1
        } else if left.starts_with(".loc") {
            left.find('\n').unwrap_or(left.len())
        } else {
            let name = left.find(|c| !is_letter(c)).unwrap_or(left.len());
            let after = left[name..].trim_start();
            if name > 0 && after.starts_with(':') && !after[1..].trim_start().starts_with('.') {
                left.len() - after.len() + 1
            } else {
                left.find(';').map_or(left.len(), |at| at + 1)
            }
        };
        let statement = left[..end].trim();
        if !statement.starts_with(".loc") {
            all.push(statement.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        left = left[end..].trim_start();
    }
    all
}

impl Body {
    /// The body of one of a file's functions.
    pub fn choose(text: &str, random: &mut Rng) -> Option<Self> {
        let text = bare(text);
        let mut bodies = Vec::new();
        let (mut from, mut first) = (0, None);
        while let Some(at) = text[from..].find(".entry") {
            let start = from + at;
            let open = start + text[start..].find('{')?;
            let close = closing(&text, open + 1)?;
            first.get_or_insert(text[..start].rfind([';', '}', '\n']).map_or(0, |at| at + 1));
            bodies.push((start, open, close));
            from = close;
        }
        let (start, open, close) = *bodies.get(random.usize(..bodies.len().max(1)))?;
        let before = text[..first?].to_owned();
        let target = before.split(".target").nth(1)?.split([',', '\n', '.']).next()?.trim().to_owned();
        let statements = statements(&text[open + 1..close]);
        let mut registers = Vec::new();
        let mut instructions = Vec::new();
        for (at, statement) in statements.iter().enumerate() {
            if let Some(declared) = statement.strip_prefix(".reg ") {
                let (ty, names) = declared.trim_end_matches(';').split_once(' ')?;
                for name in names.split(',') {
                    let (stem, count) = match name.trim().split_once('<') {
                        Some((stem, count)) => (stem, count.trim_end_matches('>').parse().ok()),
                        None => (name.trim(), None),
                    };
                    registers.push((stem.trim().to_owned(), count, ty.trim_start_matches('.').to_owned()));
                }
            } else if statement.ends_with(';') && !statement.starts_with('.') && !statement.contains(": .") {
                let opcode = statement.trim_start_matches(['@', '!']);
                if !["call", "ret", "brx", "exit", "trap"].iter().any(|word| opcode.contains(word)) {
                    instructions.push(at);
                }
            }
        }
        let head = format!("{before}\n.visible {}{{", text[start..open].replace('\n', " "));
        (!instructions.is_empty()).then_some(Body { head, target, statements, registers, instructions })
    }

    pub fn target(&self) -> &str {
        &self.target
    }

    /// The function with these instructions in place of its own, each on a line of its own between
    /// braces, and the numbers of those lines.
    pub fn with(&self, chosen: &[&(usize, String)], last: &str) -> (String, Vec<usize>) {
        let mut text = self.head.clone() + "\n";
        let mut lines = vec![0; chosen.len()];
        let mut line = text.lines().count() + 1;
        for (at, statement) in self.statements.iter().enumerate() {
            if self.instructions.binary_search(&at).is_err() {
                if statement.ends_with(';') && !statement.starts_with('.') && !statement.contains(": .") {
                    continue;
                }
                text += statement;
                text += "\n";
                line += 1;
                continue;
            }
            for (i, (_, own)) in chosen.iter().enumerate().filter(|(_, (place, _))| *place == at) {
                text += &format!("{{ {own} }}\n");
                lines[i] = line;
                line += 1;
            }
        }
        (text + last + "\n}\n", lines)
    }

    /// The type of a register.
    fn type_of(&self, name: &str) -> Option<&str> {
        let is = |(stem, count, _): &&(String, Option<usize>, String)| match count {
            None => stem == name,
            Some(count) => name
                .strip_prefix(stem.as_str())
                .and_then(|n| n.parse().ok())
                .is_some_and(|n: usize| n < *count),
        };
        self.registers.iter().rev().find(is).map(|(_, _, ty)| ty.as_str())
    }

    /// A mutant of one of its instructions.
    pub fn mutant(&self, random: &mut Rng) -> Option<Mutant> {
        // An opcode first, so that those that are rare are tried as often as others.
        let opcode = |at: &usize| {
            let statement = self.statements[*at].as_str();
            let rest = if statement.starts_with('@') {
                statement.split_once(' ').map_or("", |(_, rest)| rest)
            } else {
                statement
            };
            rest.split([' ', ';']).next().unwrap_or_default()
        };
        let opcodes: BTreeSet<&str> = self.instructions.iter().map(opcode).collect();
        let chosen = *opcodes.iter().nth(random.usize(..opcodes.len()))?;
        let all: Vec<usize> = self.instructions.iter().copied().filter(|at| opcode(at) == chosen).collect();
        let at = all[random.usize(..all.len())];
        let original = self.statements[at].clone();
        let token = Token::ALL[random.usize(..Token::ALL.len())];
        let text = self.changed(&original, token, random)?;
        (text != original).then_some(Mutant { at, token, original, text })
    }

    fn changed(&self, original: &str, token: Token, random: &mut Rng) -> Option<String> {
        let (guard, rest) = match original.strip_prefix('@') {
            Some(_) => original.split_once(' ').map(|(guard, rest)| (format!("{guard} "), rest))?,
            None => (String::new(), original),
        };
        let end = rest.find([' ', ';']).unwrap_or(rest.len());
        let (opcode, operands) = rest.split_at(end);
        let words: Vec<&str> = opcode.split('.').collect();
        let written = |words: &[&str]| format!("{guard}{}{operands}", words.join("."));
        // The registers among the operands: where they are.
        let mut registers = Vec::new();
        let mut from = 0;
        while let Some(at) = operands[from..].find('%') {
            let start = from + at;
            let length =
                operands[start..].find(|c| !is_letter(c) && c != '.').unwrap_or(operands.len() - start);
            registers.push(start..start + length);
            from = start + length;
        }
        let pick = |random: &mut Rng| registers.get(random.usize(..registers.len().max(1))).cloned();
        let replaced = |range: std::ops::Range<usize>, by: &str| {
            format!("{guard}{opcode}{}{by}{}", &operands[..range.start], &operands[range.end..])
        };
        let any = |all: &[&'static str], random: &mut Rng| all[random.usize(..all.len())];
        match token {
            Token::DeclaredType => {
                let name = &operands[pick(random)?];
                let (own, ty) = (self.type_of(name)?, any(REGISTERS, random));
                (own != ty).then(|| format!(".reg .{ty} {name}; {original}"))
            }
            Token::OtherRegister => {
                let range = pick(random)?;
                let own = self.type_of(&operands[range.clone()])?;
                let others: Vec<_> = self.registers.iter().filter(|(_, _, ty)| ty != own).collect();
                let (stem, count, _) = others.get(random.usize(..others.len().max(1)))?;
                let name = if count.is_some() { format!("{stem}0") } else { stem.clone() };
                Some(replaced(range, &name))
            }
            Token::Dropped | Token::Doubled if words.len() < 2 => None,
            Token::Dropped => {
                let mut words = words.clone();
                words.remove(1 + random.usize(..words.len() - 1));
                Some(written(&words))
            }
            Token::Doubled => {
                let mut words = words.clone();
                let at = 1 + random.usize(..words.len() - 1);
                words.insert(at, words[at]);
                Some(written(&words))
            }
            Token::Swapped => {
                let mut words = words.clone();
                let at = 1 + random.usize(..words.len().checked_sub(2).filter(|n| *n > 0)?);
                words.swap(at, at + 1);
                Some(written(&words))
            }
            Token::TypeSuffix => {
                let mut words = words.clone();
                let types: Vec<usize> = (1..words.len()).filter(|i| SUFFIXES.contains(&words[*i])).collect();
                words[*types.get(random.usize(..types.len().max(1)))?] = any(SUFFIXES, random);
                Some(written(&words))
            }
            Token::Immediate => Some(replaced(pick(random)?, any(IMMEDIATES, random))),
            Token::SpecialRegister => Some(replaced(pick(random)?, any(SPECIAL, random))),
            Token::Guard => {
                let others: Vec<_> = self.registers.iter().filter(|(_, _, ty)| ty != "pred").collect();
                let (stem, count, _) = others.get(random.usize(..others.len().max(1)))?;
                let name = if count.is_some() { format!("{stem}0") } else { stem.clone() };
                Some(format!("@{name} {opcode}{operands}"))
            }
        }
    }
}

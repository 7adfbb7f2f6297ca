//! PTX text to statements.

/// An operand as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// `$0`: operand of the assembly.
    Given(usize),
    /// A register, a label or a special register.
    Name(String),
    Number(i64),
    /// `[a + 8]`.
    Memory(Box<Operand>, i64),
    /// `[a, {x, y}]`: a tensor map and coordinates.
    Box(Box<Operand>, Vec<Operand>),
    /// `{a, b}`.
    List(Vec<Operand>),
    /// `_`.
    Sink,
    /// `a|p`.
    Pair(Box<Operand>, Box<Operand>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    Label(String),
    /// `.reg .pred P;`: the type, and the names of the registers.
    Registers {
        ty: String,
        names: Vec<String>,
    },
    Instruction(Instruction),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instruction {
    /// `@p`, and `@!p` where the flag is false.
    pub(super) guard: Option<(Operand, bool)>,
    /// `mbarrier.try_wait.parity.shared::cta.b64`.
    pub(super) opcode: String,
    pub(super) operands: Vec<Operand>,
}

impl Statement {
    /// The number of times it reads or writes an operand.
    pub(super) fn mentions(&self, wanted: &Operand) -> usize {
        let Statement::Instruction(Instruction { guard, operands, .. }) = self else { return 0 };
        let all = guard.iter().map(|(guard, _)| guard).chain(operands);
        all.map(|operand| operand.mentions(wanted)).sum()
    }
}

impl Operand {
    fn mentions(&self, wanted: &Operand) -> usize {
        match self {
            one if one == wanted => 1,
            Operand::Memory(base, _) => base.mentions(wanted),
            Operand::List(list) => list.iter().map(|one| one.mentions(wanted)).sum(),
            Operand::Pair(a, b) => a.mentions(wanted) + b.mentions(wanted),
            _ => 0,
        }
    }
}

/// The statements of a text, or what in it cannot be read.
pub(super) fn parse(text: &str) -> Result<Vec<Statement>, String> {
    let text = without_comments(text);
    let mut statements = Vec::new();
    for part in parts(&text) {
        let mut rest = part.trim();
        while let Some((label, after)) = label(rest) {
            statements.push(Statement::Label(label.to_owned()));
            rest = after.trim_start();
        }
        if !rest.is_empty() {
            statements.push(statement(rest).ok_or_else(|| format!("the assembly `{rest}`"))?);
        }
    }
    Ok(statements)
}

/// The text between semicolons and the braces of blocks. Braces inside a statement belong to an
/// operand.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        let before = text[from..at].trim_end();
        match c {
            '{' if !before.trim().is_empty() && !before.ends_with(':') => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '{' | '}' | ';' => {
                parts.push(&text[from..at]);
                (from, depth) = (at + 1, 0);
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The operands, between commas that are in no brackets.
fn list(text: &str) -> Option<Vec<Operand>> {
    let mut depth = 0;
    let commas = |c: char| {
        depth += i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'));
        c == ',' && depth == 0
    };
    text.split(commas).map(operand).collect()
}

fn without_comments(text: &str) -> String {
    let mut left = text.to_owned();
    while let Some(from) = left.find("/*") {
        let to = left[from..].find("*/").map_or(left.len(), |i| from + i + 2);
        left.replace_range(from..to, " ");
    }
    let lines = left.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
        && text.chars().all(letter)
}

/// `LABEL:` at the start, which is not the `::` of a state space.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let name = name.trim_end();
    (is_name(name) && !rest.starts_with(':')).then_some((name, rest))
}

fn statement(text: &str) -> Option<Statement> {
    if let Some(declaration) = text.strip_prefix(".reg") {
        let declaration = declaration.trim_start();
        let (ty, names) = declaration.split_once(char::is_whitespace)?;
        let mut all = Vec::new();
        for name in names.split(',').map(str::trim) {
            match name.strip_suffix('>').and_then(|name| name.split_once('<')) {
                Some((stem, count)) => {
                    let count = count.trim().parse::<u32>().ok().filter(|n| *n <= 1024)?;
                    all.extend((0..count).map(|i| format!("{stem}{i}")));
                }
                None => all.push(is_name(name).then(|| name.to_owned())?),
            }
        }
        return Some(Statement::Registers { ty: ty.trim_start_matches('.').to_owned(), names: all });
    }
    let mut rest = text;
    let mut guard = None;
    if let Some(predicated) = text.strip_prefix('@') {
        let (predicate, after) = predicated.split_once(char::is_whitespace)?;
        let bare = predicate.strip_prefix('!');
        guard = Some((operand(bare.unwrap_or(predicate))?, bare.is_none()));
        rest = after.trim_start();
    }
    let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let operands = operands.trim();
    let operands = if operands.is_empty() { Vec::new() } else { list(operands)? };
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
    let is_opcode = opcode.starts_with(|c: char| c.is_ascii_lowercase()) && opcode.chars().all(letter);
    is_opcode.then(|| Statement::Instruction(Instruction { guard, opcode: opcode.to_owned(), operands }))
}

fn operand(text: &str) -> Option<Operand> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        if let Some((map, coordinates)) = inside.split_once(',') {
            let coordinates = coordinates.trim().strip_prefix('{')?.strip_suffix('}')?;
            return Some(Operand::Box(Box::new(operand(map)?), list(coordinates)?));
        }
        let (base, offset) = match inside.split_once('+') {
            Some((base, offset)) => (base, number(offset.trim())?),
            None => (inside, 0),
        };
        return Some(Operand::Memory(Box::new(operand(base)?), offset));
    }
    if let Some(inside) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return list(inside).map(Operand::List);
    }
    if let Some((one, other)) = text.split_once('|') {
        return Some(Operand::Pair(Box::new(operand(one)?), Box::new(operand(other)?)));
    }
    if text == "_" {
        return Some(Operand::Sink);
    }
    let given = text.strip_prefix("${").and_then(|text| text.strip_suffix('}')).or(text.strip_prefix('$'));
    if let Some(index) = given.and_then(|digits| digits.parse().ok()) {
        return Some(Operand::Given(index));
    }
    number(text).map(Operand::Number).or_else(|| is_name(text).then(|| Operand::Name(text.to_owned())))
}

/// `12`, `-1`, `0x400`, and the bits of a float, `0f3F800000` or `0d3FF0000000000000`.
fn number(text: &str) -> Option<i64> {
    let float = text.get(..2).filter(|start| matches!(*start, "0f" | "0F" | "0d" | "0D"));
    if let Some(start) = float {
        let (digits, count) = (&text[2..], if start.ends_with(['f', 'F']) { 8 } else { 16 });
        return (digits.len() == count)
            .then(|| u64::from_str_radix(digits, 16).ok())
            .flatten()
            .map(|n| n as i64);
    }
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let magnitude = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    Some((magnitude as i64).wrapping_mul(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_read() {
        let text = "{ .reg .pred P1, Q<2>; // two of them\n LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [$0+8], $1;\n
                    @!P1 bra LAB_WAIT; /* on */ DONE: }";
        let name = |n: &str| Operand::Name(n.to_owned());
        let statements = parse(text).unwrap();
        let instruction = |guard, opcode: &str, operands| {
            Statement::Instruction(Instruction { guard, opcode: opcode.to_owned(), operands })
        };
        let names = ["P1", "Q0", "Q1"].map(str::to_owned).to_vec();
        let address = Operand::Memory(Box::new(Operand::Given(0)), 8);
        assert_eq!(
            statements,
            [
                Statement::Registers { ty: "pred".to_owned(), names },
                Statement::Label("LAB_WAIT".to_owned()),
                instruction(
                    None,
                    "mbarrier.try_wait.parity.shared::cta.b64",
                    vec![name("P1"), address, Operand::Given(1)]
                ),
                instruction(Some((name("P1"), false)), "bra", vec![name("LAB_WAIT")]),
                Statement::Label("DONE".to_owned()),
            ]
        );
    }

    #[test]
    fn operands_are_told_apart() {
        let read = |text: &str| operand(text).unwrap();
        assert_eq!(read(" 0x10 "), Operand::Number(16));
        assert_eq!(read("-3"), Operand::Number(-3));
        assert_eq!(read("${12}"), Operand::Given(12));
        assert_eq!(read("%tid.x"), Operand::Name("%tid.x".to_owned()));
        assert_eq!(read("_|p"), Operand::Pair(Operand::Sink.into(), Operand::Name("p".to_owned()).into()));
        assert_eq!(read("{a, _}"), Operand::List(vec![Operand::Name("a".to_owned()), Operand::Sink]));
        assert_eq!(operand("a b"), None);
        assert!(parse("mov.b32 a, b c;").unwrap_err().contains("`mov.b32 a, b c`"));
    }
}

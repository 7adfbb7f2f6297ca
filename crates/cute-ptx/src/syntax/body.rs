//! The statements of a function's body, and of inline assembly.

use super::SyntaxError;
use super::cursor::Cursor;
use super::module::{list_of_variables, variable};
use super::tree::{Instruction, Linkage, Location, Number, Operand, Registers, Statement};

/// Braces of scopes inside one another, at most.
const SCOPES: u64 = 256;

/// The text of a body, which is read statement by statement.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    /// The text between its braces.
    pub text: &'a str,
    /// The line that the text begins on.
    pub line: u32,
}

impl<'a> Body<'a> {
    /// The statements with their lines. The first error is the last item.
    pub fn statements(&self) -> Statements<'a> {
        let cursor = Cursor::new(self.text, self.line);
        Statements { cursor, label: None, placed: None, depth: 0, is_over: false }
    }
}

/// An iterator over the statements of a body.
pub struct Statements<'a> {
    cursor: Cursor<'a>,
    /// A label in front of the next statement.
    label: Option<&'a str>,
    /// The last inline assembly with a `.loc`.
    placed: Option<u32>,
    depth: u64,
    is_over: bool,
}

impl<'a> Iterator for Statements<'a> {
    type Item = Result<(u32, Statement<'a>), SyntaxError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.statement().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

impl<'a> Statements<'a> {
    fn statement(&mut self) -> Result<Option<(u32, Statement<'a>)>, SyntaxError> {
        loop {
            let Some(byte) = self.cursor.peek() else {
                if self.depth > 0 {
                    return Err(self.cursor.error("the brace `{` is not closed"));
                }
                return Ok(None);
            };
            let line = self.cursor.line();
            let statement = match byte {
                b';' => {
                    self.cursor.takes(b';');
                    continue;
                }
                b'{' => {
                    self.cursor.takes(b'{');
                    self.depth += 1;
                    if self.depth > SCOPES {
                        return Err(self.cursor.error(format!("more than {SCOPES} braces in one another")));
                    }
                    Statement::Open
                }
                b'}' => {
                    self.depth =
                        self.depth.checked_sub(1).ok_or_else(|| self.cursor.error("`}` closes no brace"))?;
                    self.cursor.takes(b'}');
                    Statement::Close
                }
                b'.' => match self.directive(line)? {
                    Some(statement) => statement,
                    None => continue,
                },
                _ => match self.label() {
                    Some(label) => {
                        self.label = Some(label);
                        Statement::Label(label)
                    }
                    None => Statement::Instruction(self.instruction()?),
                },
            };
            return Ok(Some((line, statement)));
        }
    }

    /// `LABEL:`, which is not the `::` of a state space.
    fn label(&mut self) -> Option<&'a str> {
        let before = self.cursor;
        if let Some(name) = self.cursor.name()
            && self.cursor.takes(b':')
            && self.cursor.byte() != Some(b':')
        {
            return Some(name);
        }
        self.cursor = before;
        None
    }

    fn directive(&mut self, line: u32) -> Result<Option<Statement<'a>>, SyntaxError> {
        let cursor = &mut self.cursor;
        let before = *cursor;
        let word = cursor.directive().ok_or_else(|| before.error("a directive is missing"))?;
        let label = || self.label.ok_or_else(|| before.error("a label is missing before it"));
        Ok(Some(match word {
            "reg" => {
                let mut vector = 1;
                let mut ty = cursor.directive().ok_or_else(|| before.error("a type is missing"))?;
                if let Some(count) = ty.strip_prefix('v').and_then(|digits| digits.parse().ok()) {
                    vector = count;
                    ty = cursor.directive().ok_or_else(|| before.error("a type is missing"))?;
                }
                let names = registers(cursor)?;
                end(cursor)?;
                Statement::Registers { ty, vector, names }
            }
            "loc" => {
                // LLVM counts the lines of inline assembly on from the line of its statement, so
                // that only the first of them is right.
                let open = cursor.assembly().open();
                let location = location(cursor)?;
                if open.is_some() && open == self.placed {
                    return Ok(None);
                }
                self.placed = open;
                Statement::Location(location)
            }
            "branchtargets" | "calltargets" => {
                let label = label()?;
                let mut targets = vec![cursor.expect_name("a label")?];
                while cursor.takes(b',') {
                    targets.push(cursor.expect_name("a label")?);
                }
                end(cursor)?;
                Statement::Targets { label, targets }
            }
            "callprototype" => {
                let label = label()?;
                let results = match cursor.peek() {
                    Some(b'(') => list_of_variables(cursor)?,
                    _ => Vec::new(),
                };
                cursor.expect_name("`_`")?;
                let params = list_of_variables(cursor)?;
                cursor.skip_statement();
                Statement::Prototype { label, results, params }
            }
            "pragma" | "file" | "attribute" => {
                cursor.skip_statement();
                return Ok(None);
            }
            "section" => {
                cursor.directive();
                cursor.expect(b'{')?;
                cursor.braced()?;
                return Ok(None);
            }
            _ => {
                let mut linkage = Linkage::Internal;
                let mut space = word;
                if word == "extern" {
                    linkage = Linkage::Extern;
                    space = cursor.directive().ok_or_else(|| before.error("a state space is missing"))?;
                }
                if !matches!(space, "shared" | "local" | "param" | "global" | "const") {
                    return Err(before.error(format!("`.{word}` is not a directive of a body")));
                }
                let declared = variable(cursor, line, linkage, space)?;
                end(cursor)?;
                Statement::Variable(declared)
            }
        }))
    }

    fn instruction(&mut self) -> Result<Instruction<'a>, SyntaxError> {
        let cursor = &mut self.cursor;
        self.label = None;
        let mut guard = None;
        if cursor.takes(b'@') {
            let wanted = !cursor.takes(b'!');
            guard = Some((operand(cursor)?, wanted));
        }
        cursor.peek();
        let from = cursor.at();
        let is_opcode = cursor.byte().is_some_and(|b| b.is_ascii_lowercase());
        let opcode = if is_opcode { cursor.dotted() } else { None };
        let opcode = opcode.ok_or_else(|| cursor.error("an instruction is missing"))?;
        let mut operands = Vec::new();
        if !matches!(cursor.peek(), Some(b';') | None) && !ends(cursor) {
            operands.push(operand(cursor)?);
            while cursor.takes(b',') {
                operands.push(operand(cursor)?);
            }
        }
        let text = cursor.since(from);
        end(cursor)?;
        Ok(Instruction { guard, opcode, operands, text })
    }
}

/// Whether a statement may end here without a semicolon: inline assembly leaves out the last one.
fn ends(cursor: &mut Cursor<'_>) -> bool {
    matches!(cursor.peek(), None | Some(b'}'))
}

fn end(cursor: &mut Cursor<'_>) -> Result<(), SyntaxError> {
    if cursor.takes(b';') || ends(cursor) { Ok(()) } else { Err(cursor.error("`;` is missing")) }
}

fn registers<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Registers<'a>>, SyntaxError> {
    let mut names = Vec::new();
    loop {
        let stem = cursor.expect_name("the name of a register")?;
        let mut count = None;
        if cursor.takes(b'<') {
            // `<` and `>` are brackets here.
            count = Some(match cursor.number_of_registers() {
                Some(count) => count,
                None => return Err(cursor.error("a number of registers is missing")),
            });
            cursor.expect(b'>')?;
        }
        names.push(Registers { stem, count });
        if !cursor.takes(b',') {
            return Ok(names);
        }
    }
}

fn location<'a>(cursor: &mut Cursor<'a>) -> Result<Location<'a>, SyntaxError> {
    let place = |cursor: &mut Cursor<'_>| {
        Ok((cursor.small("a file")?, cursor.small("a line")?, cursor.small("a column")?))
    };
    let (file, line, column) = place(cursor)?;
    let (mut function, mut inlined_at) = (None, None);
    while cursor.takes(b',') {
        match cursor.name() {
            Some("function_name") => {
                let label = cursor.expect_name("a label")?;
                let offset = if cursor.takes(b'+') { cursor.count("an offset")? } else { 0 };
                function = Some((label, offset));
            }
            Some("inlined_at") => inlined_at = Some(place(cursor)?),
            _ => return Err(cursor.error("`function_name` or `inlined_at` is missing")),
        }
    }
    cursor.takes(b';');
    Ok(Location { file, line, column, function, inlined_at })
}

fn list<'a>(cursor: &mut Cursor<'a>, close: u8) -> Result<Vec<Operand<'a>>, SyntaxError> {
    let mut all = Vec::new();
    cursor.enter()?;
    if !cursor.takes(close) {
        all.push(operand(cursor)?);
        while cursor.takes(b',') {
            all.push(operand(cursor)?);
        }
        cursor.expect(close)?;
    }
    cursor.leave();
    Ok(all)
}

pub(super) fn operand<'a>(cursor: &mut Cursor<'a>) -> Result<Operand<'a>, SyntaxError> {
    match cursor.peek() {
        Some(b'[') => {
            cursor.takes(b'[');
            let base = simple(cursor)?;
            if cursor.takes(b',') {
                cursor.expect(b'{')?;
                let coordinates = list(cursor, b'}')?;
                cursor.expect(b']')?;
                return Ok(Operand::Box(Box::new(base), coordinates));
            }
            let offset = offset(cursor)?;
            cursor.expect(b']')?;
            // The address of memory that the host has, too: any other address here.
            cursor.takes_directive("unified");
            let (base, offset) = match base {
                Operand::Sum(name, more) => (Operand::Name(name), more.wrapping_add(offset)),
                other => (other, offset),
            };
            Ok(Operand::Memory(Box::new(base), offset))
        }
        Some(b'{') => {
            cursor.takes(b'{');
            list(cursor, b'}').map(Operand::List)
        }
        Some(b'(') => {
            let before = *cursor;
            cursor.takes(b'(');
            match list(cursor, b')') {
                // `(1 << 4)` is a number.
                Ok(all) if !matches!(all[..], [Operand::Number(_)]) => Ok(Operand::Group(all)),
                _ => {
                    *cursor = before;
                    simple(cursor)
                }
            }
        }
        Some(b'!') => {
            let before = *cursor;
            cursor.takes(b'!');
            match cursor.dotted() {
                Some(name) => Ok(Operand::Not(name)),
                None => {
                    *cursor = before;
                    simple(cursor)
                }
            }
        }
        _ => {
            let one = simple(cursor)?;
            if cursor.takes(b'|') {
                let other = simple(cursor)?;
                return Ok(Operand::Pair(Box::new(one), Box::new(other)));
            }
            Ok(one)
        }
    }
}

/// `+8`, `+-8`, `-8`, or nothing.
fn offset(cursor: &mut Cursor<'_>) -> Result<i64, SyntaxError> {
    match cursor.peek() {
        Some(b'+') => {
            cursor.takes(b'+');
            cursor.expression()
        }
        Some(b'-') => cursor.expression(),
        _ => Ok(0),
    }
}

/// A number, a name, or a name and an offset.
fn simple<'a>(cursor: &mut Cursor<'a>) -> Result<Operand<'a>, SyntaxError> {
    if let Some(number) = cursor.number()? {
        return Ok(Operand::Number(number));
    }
    if let Some(index) = cursor.given() {
        return Ok(Operand::Given(index));
    }
    match cursor.dotted() {
        Some("_") => Ok(Operand::Sink),
        Some("WARP_SZ") => Ok(Operand::Number(Number::Integer(32))),
        Some(name) => match cursor.peek() {
            Some(b'+' | b'-') => Ok(Operand::Sum(name, offset(cursor)?)),
            _ => Ok(Operand::Name(name)),
        },
        None => Err(cursor.error("an operand is missing")),
    }
}

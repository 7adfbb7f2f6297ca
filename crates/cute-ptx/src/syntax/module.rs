//! The outside of functions: directives, variables, and the heads of functions.

use super::SyntaxError;
use super::body::Body;
use super::cursor::Cursor;
use super::strings::DebugStrings;
use super::tree::{Function, Initial, Item, ItemKind, Linkage, Module, Number, Variable};
use std::sync::Arc;

/// Reads a file of PTX. The bodies of functions are read later, statement by statement.
///
/// # Errors
///
/// Returns the first place where the text is not PTX.
pub fn parse(text: &str) -> Result<Module<'_>, SyntaxError> {
    let mut cursor = Cursor::new(text, 1);
    let mut module = Module { address_size: 32, ..Module::default() };
    while !cursor.is_done() {
        if !cursor.takes(b';') {
            let from = cursor.at();
            let kind = item(&mut cursor, &mut module)?;
            module.items.push(Item { kind, text: cursor.since(from) });
        }
    }
    Ok(module)
}

fn item<'a>(cursor: &mut Cursor<'a>, module: &mut Module<'a>) -> Result<ItemKind<'a>, SyntaxError> {
    let (before, line) = (*cursor, cursor.line());
    let word = cursor.directive().ok_or_else(|| before.error("a directive is missing"))?;
    match word {
        "version" => {
            let number = cursor.number()?;
            let Some(Number::Double(bits)) = number else {
                return Err(before.error("`.version` has no number such as 8.7"));
            };
            let tenths = (f64::from_bits(bits) * 10.0).round();
            module.version = ((tenths / 10.0) as u32, (tenths % 10.0) as u32);
        }
        "target" => {
            module.target.push(cursor.expect_name("an architecture")?);
            while cursor.takes(b',') {
                module.target.push(cursor.expect_name("an option")?);
            }
        }
        "address_size" => module.address_size = cursor.small("the size of addresses")?,
        "file" => {
            let number = cursor.small("the number of a file")?;
            module.files.push((number, cursor.string()?));
            while cursor.takes(b',') {
                cursor.expression()?;
            }
        }
        "section" => {
            let name = cursor.directive();
            cursor.expect(b'{')?;
            let text = cursor.braced()?;
            if name == Some("debug_str") {
                module.strings = Arc::new(DebugStrings::new(text));
            }
            return Ok(ItemKind::Section(name.unwrap_or_default()));
        }
        "pragma" => {
            cursor.skip_statement();
            return Ok(ItemKind::Other);
        }
        "alias" => {
            let alias = cursor.expect_name("a name")?;
            cursor.expect(b',')?;
            module.aliases.push((alias, cursor.expect_name("a function")?));
            return Ok(ItemKind::Alias(module.aliases.len() - 1));
        }
        "loc" => {
            for _ in 0..3 {
                cursor.expression()?;
            }
            return Ok(ItemKind::Other);
        }
        _ => return declaration(cursor, module, before, word, line),
    }
    Ok(ItemKind::Header)
}

fn declaration<'a>(
    cursor: &mut Cursor<'a>,
    module: &mut Module<'a>,
    before: Cursor<'a>,
    word: &'a str,
    line: u32,
) -> Result<ItemKind<'a>, SyntaxError> {
    let linkage = match word {
        "extern" => Linkage::Extern,
        "visible" => Linkage::Visible,
        "weak" => Linkage::Weak,
        "common" => Linkage::Common,
        _ => Linkage::Internal,
    };
    let missing = || before.error("a declaration is missing");
    let word = if linkage == Linkage::Internal { word } else { cursor.directive().ok_or_else(missing)? };
    match word {
        "entry" | "func" => {
            let declared = function(cursor, word == "entry", linkage, line)?;
            module.functions.push(declared);
            Ok(ItemKind::Function(module.functions.len() - 1))
        }
        "global" | "const" | "shared" | "local" | "tex" => {
            let first_of_item = module.variables.len();
            module.variables.push(variable(cursor, line, linkage, word)?);
            while cursor.takes(b',') {
                let first = module.variables.last().cloned();
                if let Some(first) = first {
                    let mut next = Variable { line: cursor.line(), values: Vec::new(), ..first };
                    next.extents.clear();
                    named(cursor, &mut next)?;
                    module.variables.push(next);
                }
            }
            cursor.expect(b';')?;
            Ok(ItemKind::Variables(first_of_item..module.variables.len()))
        }
        _ => Err(before.error(format!("`.{word}` is not a directive of PTX"))),
    }
}

fn function<'a>(
    cursor: &mut Cursor<'a>,
    is_entry: bool,
    linkage: Linkage,
    line: u32,
) -> Result<Function<'a>, SyntaxError> {
    if cursor.takes_directive("attribute") {
        cursor.expect(b'(')?;
        while !cursor.takes(b')') {
            if cursor.directive().is_none() && !cursor.takes(b',') {
                return Err(cursor.error("`)` is missing"));
            }
        }
    }
    let results = match cursor.peek() {
        Some(b'(') => list_of_variables(cursor)?,
        _ => Vec::new(),
    };
    let name = cursor.expect_name("the name of a function")?;
    let params = match cursor.peek() {
        Some(b'(') => list_of_variables(cursor)?,
        _ => Vec::new(),
    };
    let mut directives = Vec::new();
    let body = loop {
        match cursor.peek() {
            Some(b'{') => {
                cursor.takes(b'{');
                let line = cursor.line();
                break Some(Body { text: cursor.braced()?, line });
            }
            Some(b';') => {
                cursor.takes(b';');
                break None;
            }
            _ => {
                let word = cursor.directive().ok_or_else(|| cursor.error("`{` or `;` is missing"))?;
                if word == "pragma" {
                    cursor.skip_statement();
                    continue;
                }
                let mut numbers = Vec::new();
                if word == "abi_preserve" || matches!(cursor.peek(), Some(b'0'..=b'9')) {
                    numbers.push(cursor.small("the number of a directive")?);
                    while cursor.takes(b',') {
                        numbers.push(cursor.small("the number of a directive")?);
                    }
                }
                directives.push((word, numbers));
            }
        }
    };
    Ok(Function { line, is_entry, linkage, name, results, params, directives, body })
}

/// `(.param .u64 a, .param .b32 b)`.
pub(super) fn list_of_variables<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Variable<'a>>, SyntaxError> {
    let mut all = Vec::new();
    cursor.expect(b'(')?;
    if cursor.takes(b')') {
        return Ok(all);
    }
    loop {
        let line = cursor.line();
        let space = cursor.directive().ok_or_else(|| cursor.error("`.param` or `.reg` is missing"))?;
        all.push(variable(cursor, line, Linkage::Internal, space)?);
        if !cursor.takes(b',') {
            cursor.expect(b')')?;
            return Ok(all);
        }
    }
}

/// A variable from behind its state space on.
pub(super) fn variable<'a>(
    cursor: &mut Cursor<'a>,
    line: u32,
    linkage: Linkage,
    space: &'a str,
) -> Result<Variable<'a>, SyntaxError> {
    let mut declared = Variable {
        line,
        linkage,
        space,
        align: None,
        pointer: None,
        ty: "",
        vector: 1,
        name: "",
        extents: Vec::new(),
        values: Vec::new(),
    };
    while let Some(word) = cursor.directive() {
        match word {
            "align" => declared.align = Some(cursor.count("an alignment")?),
            "ptr" => declared.pointer = Some(None),
            "attribute" => {
                cursor.expect(b'(')?;
                while !cursor.takes(b')') {
                    let known = cursor.directive().is_some()
                        || cursor.takes(b',')
                        || matches!(cursor.number(), Ok(Some(_)))
                        || cursor.takes(b'(')
                        || cursor.name().is_some();
                    if !known {
                        return Err(cursor.error("`)` is missing"));
                    }
                }
            }
            "v2" => declared.vector = 2,
            "v4" => declared.vector = 4,
            "v8" => declared.vector = 8,
            space if declared.pointer.is_some() => declared.pointer = Some(Some(space)),
            ty => declared.ty = ty,
        }
    }
    if declared.ty.is_empty() {
        return Err(cursor.error("a type is missing"));
    }
    named(cursor, &mut declared)?;
    Ok(declared)
}

/// The name of a variable, its extents and its initial values.
fn named<'a>(cursor: &mut Cursor<'a>, declared: &mut Variable<'a>) -> Result<(), SyntaxError> {
    declared.name = match cursor.name() {
        Some(name) => name,
        None => return Err(cursor.error("the name of a variable is missing")),
    };
    while cursor.takes(b'[') {
        if cursor.takes(b']') {
            declared.extents.push(None);
            continue;
        }
        declared.extents.push(Some(cursor.count("an extent")?));
        cursor.expect(b']')?;
    }
    if cursor.takes(b'=') {
        values(cursor, &mut declared.values)?;
    }
    Ok(())
}

fn values<'a>(cursor: &mut Cursor<'a>, into: &mut Vec<Initial<'a>>) -> Result<(), SyntaxError> {
    if cursor.takes(b'{') {
        cursor.enter()?;
        while !cursor.takes(b'}') {
            values(cursor, into)?;
            if !cursor.takes(b',') {
                cursor.expect(b'}')?;
                break;
            }
        }
        cursor.leave();
        return Ok(());
    }
    into.push(initial(cursor)?);
    Ok(())
}

/// A number, `symbol+8`, `generic(symbol)`, or `0xFF(symbol)`.
fn initial<'a>(cursor: &mut Cursor<'a>) -> Result<Initial<'a>, SyntaxError> {
    if let Some(number) = cursor.number()? {
        let Number::Integer(mask) = number else { return Ok(Initial::Number(number)) };
        if !cursor.takes(b'(') {
            return Ok(Initial::Number(number));
        }
        let address = initial(cursor)?;
        cursor.expect(b')')?;
        return match address {
            Initial::Address { symbol, offset, generic, .. } => {
                Ok(Initial::Address { symbol, offset, generic, mask: Some(mask as u64) })
            }
            Initial::Number(_) => Err(cursor.error("a symbol is missing")),
        };
    }
    let name = cursor.expect_name("an initial value")?;
    let mut generic = false;
    let mut symbol = name;
    if name == "generic" && cursor.takes(b'(') {
        generic = true;
        symbol = cursor.expect_name("a symbol")?;
        cursor.expect(b')')?;
    }
    let offset = match cursor.peek() {
        Some(b'+') => {
            cursor.takes(b'+');
            cursor.expression()?
        }
        Some(b'-') => cursor.expression()?,
        _ => 0,
    };
    Ok(Initial::Address { symbol, offset, generic, mask: None })
}

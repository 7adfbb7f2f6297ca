//! Turns TableGen's assembly formats into lines of syntax for the manual: `%name` is an operand,
//! `T` the type of an operand, `R` the type of a result, and `(..)?` may be left out.

use serde_json::Value;

use crate::arguments::{arguments, dag};
use crate::records::{def, is_a, text};

/// The directives of `dialect/Spellings.h` and its siblings; `#` stands for the first argument.
const DIRECTIVES: &[(&str, &str)] = &[
    ("CoordString", "\"#\""),
    ("DeclaredType", "-> R"),
    ("Diced", "T (, T)?"),
    ("LayoutOfView", "R"),
    ("ListedTypes", "(T, ..)"),
    ("MadeComposed", "(T, T, T) (-> R)?"),
    ("MadeLayout", "(T, ..) (-> R)?"),
    ("MadeOfShape", "T (-> R)?"),
    ("Mapping", "T (-> R)?"),
    ("MatrixName", "A|B|C|SFA|SFB"),
    ("ModeOf", "(<[mode, ..]>)? (%input)"),
    ("OfComposed", "T (-> R)?"),
    ("OfLayout", "T (-> R)?"),
    ("OperandTypes", "(T, ..)"),
    ("OuterOfComposed", "T (-> R)?"),
    ("PartsOfView", "R"),
    ("RangeOf", "<begin, end> (%input)"),
    ("Rank", "#"),
    ("ResultTypes", "(-> R)?"),
    ("SameType", "T"),
    ("Segments", ""),
    ("TmaFormats", "(<{(internal_type = ..)? (tma_format = ..)?}>)?"),
    ("TypedI32", "#"),
    ("TypesOf", "T, .."),
];

/// The text form of an op; empty if C++ reads it in a form of its own.
pub fn syntax(records: &Value, name: &str, op: &Value) -> String {
    let format = match op["assemblyFormat"].as_str() {
        Some(format) => format.to_string(),
        None if op["hasCustomAssemblyFormat"] == 1 && is_a(op, "CuteOpBase") => functional(records, op),
        None => return String::new(),
    };
    let results: Vec<_> = dag(&op["results"]).map(|(_, name)| name).collect();
    let pieces = pieces(&format, &results);
    let argument = |name: &str| arguments(op).find(|(_, n)| *n == name).map(|(c, _)| def(records, c));
    let mut out = vec![name.to_string()];
    for piece in &pieces {
        out.push(match piece {
            Piece::Literal(word) | Piece::Types(word) => word.clone(),
            Piece::Variable(n) => match argument(n) {
                Some(c) if is_a(c, "Variadic") => format!("%{n}.."),
                Some(c) if is_a(c, "TypeConstraint") => format!("%{n}"),
                Some(c) if text(&c["!name"]) == "UnitAttr" => String::new(),
                _ => n.clone(),
            },
            Piece::Operands => operands(records, op),
            Piece::Attributes => unwritten(records, op, &pieces),
            Piece::Directive(directive, argument) => {
                let found = DIRECTIVES.iter().find(|(name, _)| name == directive);
                let (_, shown) =
                    found.unwrap_or_else(|| panic!("{name}: build/syntax.rs knows no {directive}"));
                shown.replace('#', argument.trim_matches(['$', ')']))
            }
        });
    }
    spaced(&out)
}

/// The dictionary with the attributes that the format does not name.
fn unwritten(records: &Value, op: &Value, pieces: &[Piece]) -> String {
    let is_named = |name: &str| {
        pieces.iter().any(|piece| match piece {
            Piece::Variable(n) => n == name,
            Piece::Directive(_, arguments) => arguments.contains(&format!("${name}")),
            _ => false,
        })
    };
    let attributes = arguments(op).map(|(c, n)| (def(records, c), n));
    let left: Vec<_> = attributes.filter(|(c, n)| !is_a(c, "TypeConstraint") && !is_named(n)).collect();
    let optional = left.iter().all(|(c, _)| c["isOptional"] == 1);
    let left: Vec<_> = left.iter().map(|(_, n)| format!("{n} = ..")).collect();
    match (left.join(", "), optional) {
        (left, _) if left.is_empty() => left,
        (left, true) => format!("({{{left}}})?"),
        (left, false) => format!("{{{left}}}"),
    }
}

/// The format of an op whose text is a list of operands and a function type.
fn functional(records: &Value, op: &Value) -> String {
    let results =
        if dag(&op["results"]).next().is_some() { "custom<ResultTypes>($r)" } else { "(`->` `()`)?" };
    let types = if operands(records, op).is_empty() { "`()`" } else { "custom<OperandTypes>($o)" };
    format!("`(` operands `)` attr-dict `:` {types} {results}")
}

fn operands(records: &Value, op: &Value) -> String {
    let mut out = String::new();
    for (constraint, name) in arguments(op).map(|(c, n)| (def(records, c), n)) {
        let comma = if out.is_empty() { "" } else { ", " };
        match () {
            () if !is_a(constraint, "TypeConstraint") => {}
            () if is_a(constraint, "Optional") => out += &format!(" ({comma}%{name})?"),
            () if is_a(constraint, "Variadic") => out += &format!("{comma}%{name}.."),
            () => out += &format!("{comma}%{name}"),
        }
    }
    out
}

/// A part of a format.
enum Piece {
    Literal(String),
    Variable(String),
    Operands,
    /// The attributes that are written nowhere else.
    Attributes,
    /// The types of operands or results.
    Types(String),
    /// A directive of C++, and its arguments.
    Directive(String, String),
}

fn pieces(format: &str, results: &[&str]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = format.trim_start();
    while let Some(first) = rest.chars().next() {
        let end;
        match first {
            '`' => {
                end = rest[1..].find('`').expect("a literal ends") + 2;
                let word = rest[1..end - 1].trim();
                out.extend((!word.is_empty()).then(|| Piece::Literal(word.into())));
            }
            '$' => {
                end = 1 + word(&rest[1..]);
                out.push(Piece::Variable(rest[1..end].into()));
            }
            '^' => end = 1,
            '(' | ')' | '?' | ':' => {
                end = 1;
                // `(a):(b)?` is one of the two.
                out.push(Piece::Literal(if first == ':' { "|".into() } else { first.to_string() }));
            }
            _ => {
                let name = word(rest);
                end = match &rest[..name] {
                    "custom" => {
                        let close = name + rest[name..].find('>').expect("custom<..>");
                        let end = close + 1 + parenthesis(&rest[close + 1..]);
                        let (directive, arguments) = (&rest[name + 1..close], &rest[close + 2..end - 1]);
                        out.push(Piece::Directive(directive.into(), arguments.into()));
                        end
                    }
                    "type" | "qualified" | "functional-type" => {
                        let end = name + parenthesis(&rest[name..]);
                        let of = &rest[name..end];
                        let result = results.iter().any(|r| of.contains(&format!("${r})")));
                        out.push(Piece::Types(match (&rest[..name], result) {
                            ("functional-type", _) => "(T, ..) -> R".into(),
                            (_, false) if of.contains("operands") => "T, ..".into(),
                            (_, true) => "R".into(),
                            (_, false) => "T".into(),
                        }));
                        end
                    }
                    "operands" => {
                        out.push(Piece::Operands);
                        name
                    }
                    "attr-dict" => {
                        out.push(Piece::Attributes);
                        name
                    }
                    other => panic!("build/syntax.rs knows no {other:?} in {format}"),
                };
            }
        }
        rest = rest[end..].trim_start();
    }
    out
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len())
}

/// The length of a text in parentheses.
fn parenthesis(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return i + 1;
        }
    }
    panic!("unbalanced: {text}")
}

/// The words with spaces where text has them.
fn spaced(words: &[String]) -> String {
    let mut out = String::new();
    for word in words.iter().map(String::as_str).map(str::trim).filter(|word| !word.is_empty()) {
        let opens = out.ends_with(['(', '[', '<', '{']);
        let closes = word.starts_with([',', ')', ']', '>', '}', '?']);
        let calls = (word == "(" || word == "<" || word == "[") && !out.contains('(') && !out.contains(' ');
        if !out.is_empty() && !opens && !closes && !calls {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

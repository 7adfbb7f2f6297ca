//! Predicates, and arithmetic of floats.

use super::{
    Change,
    statement::{By, Instruction, integer},
    waiting::shift,
};
use crate::Kind::{Arithmetic, Predicate};

/// A comparison, and the one that differs where both sides are equal, or the opposite.
const COMPARISONS: [(&str, &str); 10] = [
    ("lt", "le"),
    ("le", "lt"),
    ("gt", "ge"),
    ("ge", "gt"),
    ("lo", "ls"),
    ("ls", "lo"),
    ("hi", "hs"),
    ("hs", "hi"),
    ("eq", "ne"),
    ("ne", "eq"),
];

/// An operation on floats, and another one with the same operands.
const OPERATIONS: [(&str, &str); 4] = [("add", "sub"), ("sub", "add"), ("max", "min"), ("min", "max")];

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    guards(own, all);
    let first = own.words[0];
    if first == "setp" {
        let compared = own.words.get(1).and_then(|word| COMPARISONS.iter().find(|(from, _)| from == word));
        if let Some((from, to)) = compared {
            all.push(Change::new(Predicate, format!("{from} becomes {to}"), own.with_word(1, to)));
        }
        if let Some((at, word)) =
            own.words.iter().enumerate().find(|(_, word)| matches!(**word, "s32" | "s64"))
        {
            let instead = own.with_word(at, &word.replacen('s', "u", 1));
            all.push(Change::new(Predicate, "without signs", instead));
        }
        if own.operands.get(2).is_some_and(|bound| integer(bound).is_some()) {
            shift(own, all, (Predicate, "bound + 1"), 2, By::Add(1), "b32");
        }
        return;
    }
    if let ("selp", [to, yes, no, predicate]) = (first, &own.operands[..]) {
        let instead = own.instead(own.opcode, &[to, no, yes, predicate]);
        all.push(Change::new(Predicate, "choices exchanged", instead));
        return;
    }
    if matches!(first, "min" | "max") && !own.words.last().is_some_and(|ty| is_float(ty)) {
        let to = if first == "min" { "max" } else { "min" };
        all.push(Change::new(Predicate, format!("{first} becomes {to}"), own.with_word(0, to)));
        return;
    }
    floats(own, all);
}

/// A guard that is missing, or the other way round.
fn guards(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let Some(guard) = own.guard else { return };
    let is_branch = matches!(own.words[0], "bra" | "ret" | "exit" | "call" | "brx" | "trap");
    if own.words[0] == "bra" {
        all.push(Change::new(Predicate, "never taken", ""));
    }
    if !is_branch {
        all.push(Change::new(Predicate, "without its predicate", own.guarded(None)));
    }
    let predicate = guard.trim_start_matches('@').trim();
    let other = match predicate.strip_prefix('!') {
        Some(predicate) => format!("@{predicate}"),
        None => format!("@!{predicate}"),
    };
    all.push(Change::new(Predicate, "predicate negated", own.guarded(Some(&other))));
}

fn is_float(ty: &str) -> bool {
    matches!(ty, "f16" | "f32" | "f64" | "f16x2" | "bf16" | "bf16x2" | "f32x2")
}

fn floats(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let (first, ty) = (own.words[0], own.words.last().copied().unwrap_or_default());
    if !is_float(ty) && first != "cvt" {
        return;
    }
    let operands = &own.operands[..];
    if let Some((_, to)) = OPERATIONS.iter().find(|(from, _)| *from == first) {
        all.push(Change::new(Arithmetic, format!("{first} becomes {to}"), own.with_word(0, to)));
    }
    match (first, operands) {
        ("fma", [to, a, b, _]) => {
            let words = [&["mul"], &own.words[1..]].concat().join(".");
            all.push(Change::new(Arithmetic, "without its addend", own.instead(&words, &[to, a, b])));
        }
        ("mul", [to, a, _]) => {
            let bits = match ty {
                "f16" | "bf16" => "b16",
                "f64" | "f32x2" => "b64",
                _ => "b32",
            };
            let instead = own.instead(&format!("mov.{bits}"), &[to, a]);
            all.push(Change::new(Arithmetic, "without its factor", instead));
        }
        ("cvt", _) => {
            if let Some(at) = own.words.iter().position(|word| *word == "rn") {
                all.push(Change::new(Arithmetic, "rounded toward zero", own.with_word(at, "rz")));
            }
        }
        _ => {}
    }
}

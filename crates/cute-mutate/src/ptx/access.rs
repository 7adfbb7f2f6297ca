//! Loads, stores, atomic accesses and copies that are missing.

use super::{Change, statement::Instruction};
use crate::Kind::Access;

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    match &own.words[..] {
        ["red", ..] => {
            dropped(all);
            twice(own, all);
        }
        ["st" | "stmatrix", ..] => dropped(all),
        ["cp", "async", "ca" | "cg", ..] => dropped(all),
        ["cp", "async", "bulk", ..] if !own.has(&["commit_group", "wait_group", "prefetch"]) => dropped(all),
        ["wgmma", "mma_async", ..] | ["tcgen05", "mma" | "st" | "cp", ..] => dropped(all),
        ["atom", ..] => {
            zero(own, all);
            twice(own, all);
        }
        ["ld", ..] if !own.has(&["param"]) => zero(own, all),
        _ => {}
    }
}

fn dropped(all: &mut Vec<Change>) {
    all.push(Change::new(Access, "dropped", ""));
}

/// An atomic access that is executed once more.
fn twice(own: &Instruction<'_>, all: &mut Vec<Change>) {
    all.push(Change::new(Access, "twice", [own.text(), own.text()].join(" ")));
}

/// Zero in the place of a result.
fn zero(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let Some(to) = own.operands.first().filter(|to| to.starts_with('%')) else { return };
    let bits =
        own.words.last().and_then(|ty| ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok());
    let ty = match bits {
        Some(8u32 | 16) => "b16",
        Some(32) => "b32",
        Some(64) => "b64",
        _ => return,
    };
    all.push(Change::new(Access, "0 in its place", own.instead(&format!("mov.{ty}"), &[to, "0"])));
}

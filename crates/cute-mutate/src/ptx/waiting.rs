//! Fences, waits, barriers, arrivals, and what they count.

use super::{
    Change,
    statement::{By, Instruction, integer},
};
use crate::Kind::{self, Arrival, Barrier, Bytes, Count, Fence, Parity, Resource, Wait};

/// Bytes that are expected too much or too little.
const BYTES: i64 = 16;
/// Threads of a warp, by which named barriers count.
const WARP: i64 = 32;
/// The step of `setmaxnreg`.
const REGISTERS: i64 = 8;

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let Some(kind) = kind(&own.words) else { return };
    let name = own.opcode;
    let waits_for_phase = own.words[0] == "mbarrier" && own.has(&["try_wait", "test_wait"]);
    if waits_for_phase {
        if let Some(predicate) = own.operands.first().filter(|predicate| predicate.starts_with('%')) {
            all.push(Change::new(Wait, "dropped", own.instead("setp.eq.u32", &[predicate, "0", "0"])));
        }
        if own.has(&["parity"]) {
            shift(own, all, (Parity, "parity"), 2, By::Xor(1), "b32");
        }
        return;
    }
    // Where something may use the token of an arrival, it cannot be left out.
    let has_token = own.words[0] == "mbarrier" && own.operands.first().is_some_and(|o| o.starts_with('%'));
    if !has_token {
        all.push(Change::new(kind, "dropped", ""));
    }
    match &own.words[..] {
        ["mbarrier", "init", ..] => steps(own, all, (Count, "count"), 1, 1),
        ["mbarrier", ..] if own.has(&["expect_tx"]) => {
            steps(own, all, (Bytes, "bytes"), own.last(), BYTES);
        }
        ["mbarrier", "arrive", ..] | ["tcgen05", "commit", ..] | ["barrier", "cluster", "arrive", ..] => {
            all.push(Change::new(kind, "twice", [own.text(), own.text()].join(" ")));
        }
        ["bar" | "barrier", "warp" | "cluster", ..] => {}
        ["bar" | "barrier", ..] if matches!(own.operands.len(), 1 | 2) => {
            shift(own, all, (Barrier, "number + 1"), 0, By::Add(1), "b32");
            if own.operands.len() == 2 {
                steps(own, all, (Count, "threads"), 1, WARP);
            }
        }
        ["setmaxnreg", ..] => numbers(own, all, Resource, REGISTERS),
        _ if name.contains("wait_group") => numbers(own, all, Wait, 1),
        _ => {}
    }
    if let Some(at) = own.words.iter().position(|word| *word == "noinc") {
        all.push(Change::new(Count, "with an arrival more", own.without_word(at)));
    }
}

/// A barrier that counts fewer arrivals.
pub(super) fn fewer(own: &Instruction<'_>, by: i64) -> Option<Change> {
    let is_init = matches!(own.words[..], ["mbarrier", "init", ..]);
    let count = integer(own.operands.get(1).filter(|_| is_init)?)?;
    let left = count.checked_sub(by).filter(|left| *left > 0)?;
    let instead = own.with_operand(1, &left.to_string());
    Some(Change::new(Count, format!("{count} becomes {left}"), instead))
}

/// The kind of a mutant without the instruction, if that is about the order of others.
fn kind(words: &[&str]) -> Option<Kind> {
    let second = words.get(1).copied().unwrap_or_default();
    let is = |part: &str| words.iter().any(|word| word.starts_with(part));
    Some(match words[0] {
        "fence" | "membar" => Fence,
        "wgmma" | "tcgen05" if second.starts_with("fence") => Fence,
        "wgmma" | "tcgen05" | "cp" if is("wait") => Wait,
        "wgmma" | "tcgen05" | "cp" if is("commit") => Arrival,
        "cp" if is("mbarrier") && is("arrive") && second == "async" && words[2] == "mbarrier" => Arrival,
        "mbarrier" if matches!(second, "try_wait" | "test_wait") => Wait,
        "mbarrier" if matches!(second, "arrive" | "arrive_drop" | "expect_tx" | "complete_tx") => Arrival,
        "mbarrier" if second == "init" => Count,
        "mbarrier" if second == "inval" => Resource,
        "bar" | "barrier" if second == "cluster" && is("wait") => Wait,
        "bar" | "barrier" if second == "cluster" => Arrival,
        "bar" | "barrier" if !is("red") => Barrier,
        "griddepcontrol" if second == "wait" => Wait,
        "griddepcontrol" => Arrival,
        "setmaxnreg" => Resource,
        "tcgen05" if matches!(second, "dealloc" | "relinquish_alloc_permit") => Resource,
        _ => return None,
    })
}

/// An operand that is a number or a register, changed.
pub(super) fn shift(
    own: &Instruction<'_>,
    all: &mut Vec<Change>,
    (kind, name): (Kind, &str),
    at: usize,
    by: By,
    ty: &str,
) {
    let Some(part) = own.operands.get(at) else { return };
    all.extend(own.shifted(at, part, by, ty).map(|instead| Change::new(kind, name, instead)));
}

/// An operand a step higher, and a step lower.
fn steps(own: &Instruction<'_>, all: &mut Vec<Change>, (kind, name): (Kind, &str), at: usize, step: i64) {
    shift(own, all, (kind, &format!("{name} + {step}")), at, By::Add(step), "b32");
    shift(own, all, (kind, &format!("{name} - {step}")), at, By::Add(-step), "b32");
}

/// The only operand, a number, a step higher, and a step lower.
fn numbers(own: &Instruction<'_>, all: &mut Vec<Change>, kind: Kind, step: i64) {
    let Some(number) = own.operands.first().and_then(|operand| integer(operand)) else { return };
    for changed in [number + step, number - step].into_iter().filter(|changed| *changed >= 0) {
        let instead = own.with_operand(0, &changed.to_string());
        all.push(Change::new(kind, format!("{number} becomes {changed}"), instead));
    }
}

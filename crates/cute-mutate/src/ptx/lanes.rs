//! Lanes that take part: one is left out, or all instead of one; and masks of lanes and of blocks.

use super::{
    Change,
    statement::{By, Instruction, integer},
    waiting::shift,
};
use crate::Kind::{Lane, Mask};

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    match &own.words[..] {
        ["elect", "sync"] => elected_by_all(own, all),
        ["shfl", "sync", mode, ..] => {
            let by = if *mode == "bfly" || *mode == "idx" { By::Xor(1) } else { By::Add(1) };
            let name = if matches!(by, By::Add(_)) { "distance + 1" } else { "lane ^ 1" };
            shift(own, all, (Lane, name), 2, by, "b32");
            without_last(own, all, own.last());
        }
        ["vote" | "redux" | "match", ..] => without_last(own, all, own.last()),
        ["bar", "warp", "sync"] => without_last(own, all, 0),
        ["st" | "red", ..] => not_by_last(own, all),
        ["cp", "async", "ca" | "cg", ..] => not_by_last(own, all),
        _ => {}
    }
    // Blocks that receive a multicast, or the arrival of a commit.
    if own.has(&["multicast::cluster"]) {
        let at = match own.words[0] {
            "tcgen05" => own.last(),
            // The cache hint follows the mask.
            _ => own.last() - usize::from(own.has(&["L2::cache_hint"])),
        };
        for bit in [1, 2] {
            shift(own, all, (Mask, &format!("mask ^ {bit}")), at, By::Xor(bit), "b16");
        }
    }
}

/// All lanes instead of one.
fn elected_by_all(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let Some((lane, predicate)) = own.operands.first().and_then(|both| both.split_once('|')) else { return };
    let (lane, predicate) = (lane.trim(), predicate.trim());
    let true_for_all = own.instead("setp.eq.u32", &[predicate, "0", "0"]);
    let instead = match lane {
        "_" => true_for_all,
        lane => [true_for_all, own.instead("mov.u32", &[lane, "%laneid"])].join(" "),
    };
    all.push(Change::new(Lane, "all lanes", instead));
}

/// A mask of all lanes, without the last one.
fn without_last(own: &Instruction<'_>, all: &mut Vec<Change>, at: usize) {
    let mask = own.operands.get(at).and_then(|operand| integer(operand));
    if mask.is_some_and(|mask| mask as u32 == u32::MAX) {
        all.push(Change::new(Lane, "mask without lane 31", own.with_operand(at, "0x7fffffff")));
    }
}

/// Executed by all lanes but the last one.
fn not_by_last(own: &Instruction<'_>, all: &mut Vec<Change>) {
    if own.operands.is_empty() {
        return;
    }
    let own_guard = match own.guard.map(|guard| guard.trim_start_matches('@').trim()) {
        None => String::new(),
        Some(guard) => match guard.strip_prefix('!') {
            Some(predicate) => {
                format!("not.pred %mutant_guard, {predicate}; and.pred %mutant, %mutant, %mutant_guard; ")
            }
            None => format!("and.pred %mutant, %mutant, {guard}; "),
        },
    };
    let registers = ".reg .pred %mutant; .reg .pred %mutant_guard; .reg .b32 %mutant_lane;";
    let lane = "mov.u32 %mutant_lane, %laneid; setp.ne.u32 %mutant, %mutant_lane, 31;";
    let instead = own.guarded(Some("@%mutant"));
    all.push(Change::new(Lane, "not by lane 31", format!("{{ {registers} {lane} {own_guard}{instead} }}")));
}

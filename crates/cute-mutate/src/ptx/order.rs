//! The memory model: accesses and fences with less order than they had.

use super::{Change, statement::Instruction};
use crate::Kind::Order;

/// Scopes that are wider than a block.
const SCOPES: &[&str] = &["sys", "gpu", "cluster"];

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let is_access = matches!(own.words[0], "ld" | "st" | "atom" | "red" | "mbarrier" | "multimem");
    let is_cluster_barrier = own.opcode.starts_with("barrier.cluster.arrive");
    if !is_access && !is_cluster_barrier && own.words[0] != "fence" {
        return;
    }
    for (at, word) in own.words.iter().enumerate() {
        match *word {
            "acquire" | "release" | "acq_rel" if is_access => {
                all.push(Change::new(Order, format!("{word} becomes relaxed"), own.with_word(at, "relaxed")));
            }
            // The fence of initialised barriers has the scope of the cluster alone.
            scope if SCOPES.contains(&scope) && !is_cluster_barrier && !own.has(&["mbarrier_init"]) => {
                all.push(Change::new(Order, format!("scope {scope} becomes cta"), own.with_word(at, "cta")));
            }
            _ => {}
        }
    }
    if is_cluster_barrier && !own.has(&["relaxed", "release"]) {
        let opcode = own.opcode.replacen("arrive", "arrive.relaxed", 1);
        all.push(Change::new(Order, "relaxed", own.instead(&opcode, &own.operands)));
    }
}

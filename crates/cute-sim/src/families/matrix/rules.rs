//! Selectors of the scale factors of an `mma.sync`.

use serde::Serialize;

/// The name of the matrix: A or B.
const MATRICES: [&str; 2] = ["A", "B"];
/// The names of the selectors.
const SELECTORS: [&str; 2] = ["byte", "thread"];

/// A rule about the selectors of scale factors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum ScaleRule {
    /// A selector that the instruction does not have.
    #[error(
        "the {} selector of the scale factors of {} is {given}, but it may only be {}",
        SELECTORS[*selector],
        MATRICES[*matrix],
        either(legal)
    )]
    Selector {
        /// 0 for A, 1 for B.
        matrix: usize,
        /// 0 for the byte, 1 for the thread.
        selector: usize,
        given: u64,
        legal: Vec<u32>,
    },
    /// Lanes that execute the instruction together have different selectors.
    #[error(
        "the {} selector of the scale factors of {} is {given} in lane {lane}, but {other} in lane {other_lane}: it must \
         be the same in all lanes of the warp",
        SELECTORS[*selector],
        MATRICES[*matrix]
    )]
    Apart {
        /// 0 for A, 1 for B.
        matrix: usize,
        /// 0 for the byte, 1 for the thread.
        selector: usize,
        given: u64,
        lane: u32,
        other: u64,
        other_lane: u32,
    },
}

/// `0, 1 or 2`.
fn either(legal: &[u32]) -> String {
    let words: Vec<String> = legal.iter().map(u32::to_string).collect();
    match &words[..] {
        [first @ .., second, last] => [first, &[format!("{second} or {last}")]].concat().join(", "),
        one => one.concat(),
    }
}

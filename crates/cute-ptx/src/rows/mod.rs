//! The instructions, a file for each kind.

mod arithmetic;
mod asynchronous;
mod barrier;
mod bulk;
mod collective;
mod control;
mod fence;
mod matrix;
mod mbarrier;
mod memory;

use crate::operation::Operation;
use crate::row::{NONE, Row};

/// The rows of all kinds.
pub(crate) const ALL: &[&[Row]] = &[
    arithmetic::ROWS,
    asynchronous::ROWS,
    barrier::ROWS,
    bulk::ROWS,
    collective::ROWS,
    control::ROWS,
    fence::ROWS,
    matrix::ROWS,
    mbarrier::ROWS,
    memory::ROWS,
];

/// An instruction that has only its PTX.
const fn ptx(operation: Operation, ptx: &'static [&'static str]) -> Row {
    Row { operation, ptx, nvvm: NONE, intrinsic: NONE }
}

//! The instructions, a file for each kind.

mod asynchronous;
mod barrier;
mod bulk;
mod collective;
mod compare;
mod control;
mod convert;
mod fence;
mod float;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod tensor;

use crate::operation::Operation;
use crate::row::{NONE, Row};

/// The rows of all kinds.
pub(crate) const ALL: &[&[Row]] = &[
    asynchronous::ROWS,
    barrier::ROWS,
    bulk::ROWS,
    collective::ROWS,
    compare::ROWS,
    control::ROWS,
    convert::ROWS,
    fence::ROWS,
    float::ROWS,
    integer::ROWS,
    matrix::ROWS,
    mbarrier::ROWS,
    memory::ROWS,
    tensor::ROWS,
];

/// An instruction that has only its PTX.
const fn ptx(operation: Operation, ptx: &'static [&'static str]) -> Row {
    Row { operation, ptx, nvvm: NONE, intrinsic: NONE }
}

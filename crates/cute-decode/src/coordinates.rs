//! Marks of addresses that are made of coordinates, which the passes leave for the simulator.

use crate::{Decoder, ir, malformed, site};
use cute_ffi::lowered::COORDINATES_ATTRIBUTE;
use cute_machine::types::Scalar;
use cute_sim::program::{CoordinateOf, Coordinates, ScalarOp, Site, Slot};
use cute_sim::{Error, Malformed};
use melior::ir::operation::{OperationLike, OperationRef};
use std::collections::HashSet;
use std::sync::Arc;

/// Arithmetic, and reads of registers that do not change.
const PURE: [&str; 4] = ["arith.", "llvm.intr.s", "llvm.intr.u", "nvvm.read.ptx.sreg."];
const PURE_OF_LLVM: [&str; 20] = [
    "add",
    "and",
    "ashr",
    "extractvalue",
    "getelementptr",
    "icmp",
    "lshr",
    "mlir.constant",
    "mul",
    "or",
    "ptrtoint",
    "sdiv",
    "select",
    "sext",
    "shl",
    "srem",
    "sub",
    "trunc",
    "xor",
    "zext",
];

fn is_pure(name: &str) -> bool {
    PURE.iter().any(|pure| name.starts_with(pure))
        || name.strip_prefix("llvm.").is_some_and(|name| PURE_OF_LLVM.contains(&name))
}

/// The values that a kernel uses otherwise than for its marks; `None` without marks.
pub(crate) fn used<'c: 'a, 'a>(ops: impl Iterator<Item = OperationRef<'c, 'a>>) -> Option<HashSet<usize>> {
    let ops: Vec<_> = ops.collect();
    if !ops.iter().any(|op| op.has_attribute(COORDINATES_ATTRIBUTE)) {
        return None;
    }
    let mut used = HashSet::new();
    loop {
        let before = used.len();
        // Most uses follow what they use.
        for op in ops.iter().rev() {
            let operands = match op.has_attribute(COORDINATES_ATTRIBUTE) {
                true => 1,
                false if is_used(*op, &used) => op.operand_count(),
                false => 0,
            };
            used.extend((0..operands).filter_map(|i| op.operand(i).ok()).map(ir::value_key));
        }
        if used.len() == before {
            return Some(used);
        }
    }
}

/// Whether the kernel has an op without its marks, if it uses these values.
pub(crate) fn is_used(op: OperationRef<'_, '_>, used: &HashSet<usize>) -> bool {
    !op.has_attribute(COORDINATES_ATTRIBUTE)
        && (!is_pure(&ir::name(op))
            || op.results().any(|result| used.contains(&ir::value_key(result.into()))))
}

impl Decoder<'_> {
    /// A mark with this text: the name of the op that made the address, then the path of the mode
    /// of each coordinate.
    pub(crate) fn coordinates(&mut self, op: OperationRef<'_, '_>, text: &str) -> Result<(), Error> {
        let count = || malformed(op, Malformed::OperandCount, "a mark without pairs of operands");
        let mut words = text.split(';');
        let name: Arc<str> = words.next().unwrap_or_default().into();
        let modes: Vec<&str> = words.collect();
        if op.operand_count() != 1 + 2 * modes.len() {
            return Err(count());
        }
        let (src, _) = self.scalar_operand(op, 0)?;
        let mut indices = Vec::new();
        for (mode, at) in modes.into_iter().zip((1..).step_by(2)) {
            let (index, extent) = (self.integer(op, at)?, self.integer(op, at + 1)?);
            indices.push(CoordinateOf {
                index: index.0,
                extent: extent.0,
                width: index.1,
                mode: mode.into(),
            });
        }
        let dst = self.result(op)?.slot;
        let site = Site { op: name, ..site(op) };
        let of = Coordinates { dst, src, indices: indices.into() };
        self.assembler.push(site, ScalarOp::Coordinates(Box::new(of)));
        Ok(())
    }

    /// An operand that is an integer, and its number of bits.
    fn integer(&self, op: OperationRef<'_, '_>, index: usize) -> Result<(Slot, u32), Error> {
        match self.scalar_operand(op, index)? {
            (slot, Scalar::Int(width)) => Ok((slot, width)),
            _ => Err(malformed(op, Malformed::OperandType, format!("operand {index} is not an integer"))),
        }
    }
}

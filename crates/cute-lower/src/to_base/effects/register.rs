//! Special registers, and registers that a warp agrees on.

use cute_ffi::ir;
use melior::ir::{Type, r#type::IntegerType};

use super::{Lowered, Site};
use crate::Builder;

/// `arch.get_dyn_smem_size`: `%dynamic_smem_size`.
pub fn dynamic_shared_memory<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Builder::before(at.op);
    let i32_type: Type = IntegerType::new(b.context(), 32).into();
    let size = b.intrinsic("llvm.nvvm.read.ptx.sreg.dynamic_smem_size", &[], i32_type, &[])?;
    at.made([size])
}

/// `arch.make_warp_uniform`: every lane reads the register of lane 0.
pub fn of_first_lane<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Builder::before(at.op);
    let value = at.operand(0);
    let kind = b.attribute("#nvvm<shfl_kind idx>")?;
    let operands = [b.i32(-1)?, value, b.i32(0)?, b.i32(31)?];
    let read = b.typed("nvvm.shfl.sync", &operands, ir::type_of(value), &[("kind", kind)])?;
    at.made([read])
}

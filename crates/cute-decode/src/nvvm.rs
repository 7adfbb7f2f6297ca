//! Operations of the NVVM dialect: special registers, barriers, asynchronous copies.

use super::{Decoder, malformed, site};
use crate::ir;
use cute_assembler::special::special;
use cute_machine::types::Scalar;
use cute_sim::address::{GLOBAL, SHARED};
use cute_sim::program::{ControlOp, Op, ScalarOp, SystemOp};
use cute_sim::{Error, Malformed};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn nvvm(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        if let Some(special) = name.strip_prefix("nvvm.read.ptx.sreg.").and_then(special) {
            let dst = self.result(op)?.slot;
            self.emit(op, ScalarOp::Special { dst, special });
            return Ok(true);
        }
        if let Some(call) = self.nvvm_call(op, name)? {
            self.perform(&call)?;
            return Ok(true);
        }
        if let Some(name) = name.strip_prefix("nvvm.tcgen05.") {
            return self.nvvm_tcgen05(op, name);
        }
        match name {
            "gpu.barrier" => self.block_barrier(&site(op)),
            "llvm.intr.trap" | "llvm.intr.debugtrap" | "llvm.intr.ubsantrap" => {
                self.emit(op, ControlOp::Trap { message: None });
            }
            "llvm.call" => return self.device_call(op),
            "llvm.fence" => self.llvm_fence(op)?,
            "nvvm.cp.async.shared.global" => self.async_copy(op)?,
            "nvvm.wgmma.mma_async" => self.nvvm_product(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Calls of functions that the device provides, and of the module's own.
    fn device_call(&mut self, op: Ir<'_, '_>) -> Result<bool, Error> {
        match ir::symbol_attr(op, "callee").as_deref() {
            Some("vprintf") => {
                let ((format, _), (arguments, _)) =
                    (self.scalar_operand(op, 0)?, self.scalar_operand(op, 1)?);
                let dst = self.result(op)?.slot;
                self.emit(op, SystemOp::Print { dst, format, arguments });
            }
            Some("malloc") => {
                let (bytes, _) = self.scalar_operand(op, 0)?;
                let dst = self.result(op)?.slot;
                self.emit(op, SystemOp::Allocate { dst, bytes });
            }
            Some("free") => {
                let (address, _) = self.scalar_operand(op, 0)?;
                self.emit(op, SystemOp::Release { address });
            }
            Some("__assertfail") => {
                let (message, _) = self.scalar_operand(op, 0)?;
                self.emit(op, ControlOp::Trap { message: Some(message) });
            }
            _ => return self.call(op),
        }
        Ok(true)
    }

    fn async_copy(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (dst, dst_type) = self.scalar_operand(op, 0)?;
        let (src, src_type) = self.scalar_operand(op, 1)?;
        if (dst_type, src_type) != (Scalar::Ptr(SHARED), Scalar::Ptr(GLOBAL)) {
            return Err(malformed(
                op,
                Malformed::Modifier,
                "a copy that is not from global to shared memory",
            ));
        }
        let read =
            (op.operand_count() > 2).then(|| self.scalar_operand(op, 2)).transpose()?.map(|(slot, _)| slot);
        let size = ir::int_attr(op, "size")
            .ok_or_else(|| malformed(op, Malformed::Modifier, "a copy without a size"))?;
        self.assembler.async_copy(&site(op), [dst, src], size, read)
    }
}

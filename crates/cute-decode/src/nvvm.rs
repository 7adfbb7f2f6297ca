//! Operations of the NVVM dialect that are not rows of the table, and calls.

use super::{Decoder, site};
use crate::ir;
use cute_assembler::special::special;
use cute_machine::int::{IntOp, NoWrap, mask};
use cute_machine::types::{Scalar, Type};
use cute_sim::Error;
use cute_sim::program::{Binary, ControlOp, ScalarOp, Slot, SystemOp};
use melior::ir::operation::OperationRef;

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
        if let Some(what) = name.strip_prefix("nvvm.wmma.") {
            return self.nvvm_wmma(op, what);
        }
        match name {
            "gpu.barrier" => self.block_barrier(&site(op)),
            "llvm.intr.trap" | "llvm.intr.debugtrap" | "llvm.intr.ubsantrap" => {
                self.emit(op, ControlOp::Trap { message: None });
            }
            "llvm.call" => return self.device_call(op),
            "llvm.fence" => self.llvm_fence(op)?,
            "nvvm.wgmma.mma_async" => self.nvvm_product(op)?,
            "nvvm.tcgen05.mma_smem_desc" => self.descriptor(op)?,
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

    /// `tcgen05.mma_smem_desc`: the fields of a descriptor, and its constant bits.
    fn descriptor(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        const CONSTANT: u64 = 1 << 46;
        const FIELDS: [(u32, u64); 6] = [(14, 0), (14, 16), (14, 32), (3, 49), (1, 52), (3, 61)];
        let mut made = self.constant(op, vec![CONSTANT])?;
        for (index, (bits, at)) in FIELDS.into_iter().enumerate() {
            let (field, _) = self.scalar_operand(op, index)?;
            let (mask, at) = (self.constant(op, vec![mask(bits)])?, self.constant(op, vec![at])?);
            let field = self.word(op, IntOp::And, [field, mask])?;
            let field = self.word(op, IntOp::Shl, [field, at])?;
            made = self.word(op, IntOp::Or, [made, field])?;
        }
        self.alias(op, made)
    }

    /// An operation on words of 64 bits.
    fn word(&mut self, at: Ir<'_, '_>, op: IntOp, [a, b]: [Slot; 2]) -> Result<Slot, Error> {
        let dst = self.allocate(at, &Type::Scalar(Scalar::Int(64)))?;
        let registers = Binary { dst, a, b, lanes: 1 };
        self.emit(at, ScalarOp::Int { op, width: 64, no_wrap: NoWrap::default(), at: registers });
        Ok(dst)
    }
}

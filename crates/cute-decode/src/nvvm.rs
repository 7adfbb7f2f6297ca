//! Operations of the NVVM dialect: special registers, barriers, asynchronous copies.

use super::{Decoder, malformed};
use crate::ir;
use cute_arch::Target;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::address::{GLOBAL, SHARED};
use cute_sim::program::{GroupOp, LaneMask, Op, Special};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

pub(super) fn special(register: &str) -> Option<Special> {
    let axis = |axis: &str| ["x", "y", "z"].iter().position(|a| *a == axis);
    Some(match register.split_once('.') {
        Some(("tid", a)) => Special::Thread(axis(a)?),
        Some(("ntid", a)) => Special::BlockSize(axis(a)?),
        Some(("ctaid", a)) => Special::Block(axis(a)?),
        Some(("nctaid", a)) => Special::GridSize(axis(a)?),
        Some(("lanemask", "lt")) => Special::LaneMask(LaneMask::Lt),
        Some(("lanemask", "le")) => Special::LaneMask(LaneMask::Le),
        Some(("lanemask", "eq")) => Special::LaneMask(LaneMask::Eq),
        Some(("lanemask", "ge")) => Special::LaneMask(LaneMask::Ge),
        Some(("lanemask", "gt")) => Special::LaneMask(LaneMask::Gt),
        Some(("dynamic", "smem.size")) => Special::DynamicShared,
        Some(("cluster", "ctarank")) => Special::ClusterRank,
        Some(("cluster", "nctarank")) => Special::ClusterBlocks,
        Some(("cluster", rest)) => match rest.split_once('.')? {
            ("ctaid", a) => Special::ClusterBlock(axis(a)?),
            ("nctaid", a) => Special::ClusterSize(axis(a)?),
            _ => return None,
        },
        Some(("clusterid", a)) => Special::Cluster(axis(a)?),
        Some(("nclusterid", a)) => Special::Clusters(axis(a)?),
        None if register == "laneid" => Special::Lane,
        None if register == "warpid" => Special::Warp,
        None if register == "warpsize" => Special::WarpSize,
        None if matches!(register, "clock" | "clock64" | "globaltimer") => Special::Clock,
        _ => return None,
    })
}

impl Decoder<'_> {
    pub(super) fn nvvm(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        if let Some(special) = name.strip_prefix("nvvm.read.ptx.sreg.").and_then(special) {
            let dst = self.result(op)?.slot;
            self.emit(op, Op::Special { dst, special });
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
            "gpu.barrier" => self.emit(op, Op::Barrier { id: None, threads: None, aligned: true }),
            "llvm.intr.trap" | "llvm.intr.debugtrap" | "llvm.intr.ubsantrap" => {
                self.emit(op, Op::Trap { message: None });
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
                self.emit(op, Op::Print { dst, format, arguments });
            }
            Some("__assertfail") => {
                let (message, _) = self.scalar_operand(op, 0)?;
                self.emit(op, Op::Trap { message: Some(message) });
            }
            _ => return self.call(op),
        }
        Ok(true)
    }

    /// `setmaxnreg`, to this many registers a thread.
    pub(super) fn registers_of_group(
        &mut self,
        op: Ir<'_, '_>,
        count: i64,
        increase: bool,
    ) -> Result<(), Error> {
        let range = Target::MOVABLE_REGISTERS;
        let valid = u32::try_from(count).ok().filter(|n| range.contains(n) && n.is_multiple_of(8));
        let Some(count) = valid else {
            let (least, most) = (range.start(), range.end());
            return Err(malformed(
                op,
                format!("{count} registers: a multiple of 8 from {least} to {most} is needed"),
            ));
        };
        self.group(op, GroupOp::Registers { count, increase });
        Ok(())
    }

    pub(super) fn group(&mut self, op: Ir<'_, '_>, what: GroupOp) {
        self.has_groups = true;
        self.emit(op, Op::Group(what));
    }

    fn async_copy(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let size = ir::int_attr(op, "size").and_then(|n| u32::try_from(n).ok());
        let size = size
            .filter(|n| [4, 8, 16].contains(n))
            .ok_or_else(|| malformed(op, "a size that is not 4, 8 or 16"))?;
        let (dst, dst_type) = self.scalar_operand(op, 0)?;
        let (src, src_type) = self.scalar_operand(op, 1)?;
        if (dst_type, src_type) != (Scalar::Ptr(SHARED), Scalar::Ptr(GLOBAL)) {
            return Err(malformed(op, "a copy that is not from global to shared memory"));
        }
        let read =
            (op.operand_count() > 2).then(|| self.scalar_operand(op, 2)).transpose()?.map(|(slot, _)| slot);
        self.emit(op, Op::AsyncCopy { dst, src, size, read });
        Ok(())
    }
}

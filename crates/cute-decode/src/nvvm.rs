//! Operations of the NVVM dialect: special registers, barriers, asynchronous copies.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
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
        if let Some(name) = name.strip_prefix("nvvm.mbarrier.") {
            return self.nvvm_mbarrier(op, name);
        }
        if let Some(name) = name.strip_prefix("nvvm.clusterlaunchcontrol.") {
            return self.nvvm_control(op, name);
        }
        if let Some(name) = name.strip_prefix("nvvm.cp.async.bulk.") {
            return self.nvvm_bulk(op, name);
        }
        if let Some(name) = name.strip_prefix("nvvm.wgmma.") {
            return self.nvvm_wgmma(op, name);
        }
        if let Some(name) = name.strip_prefix("nvvm.tcgen05.") {
            return self.nvvm_tcgen05(op, name);
        }
        match name {
            "nvvm.cp.async.mbarrier.arrive" => {
                self.follow(op, ir::int_attr(op, "noinc") != Some(1))?;
            }
            "nvvm.barrier0" | "gpu.barrier" => {
                self.emit(op, Op::Barrier { id: None, threads: None, aligned: true });
            }
            "nvvm.barrier" => self.barrier(op)?,
            "nvvm.barrier.arrive" => {
                let last = op.operand_count().checked_sub(1).ok_or_else(|| malformed(op, "no operands"))?;
                let (threads, _) = self.scalar_operand(op, last)?;
                let id = (last > 0).then(|| self.scalar_operand(op, 0)).transpose()?.map(|(slot, _)| slot);
                self.emit(op, Op::Arrive { id, threads, aligned: true });
            }
            "llvm.intr.trap" | "llvm.intr.debugtrap" | "llvm.intr.ubsantrap" | "nvvm.breakpoint" => {
                self.emit(op, Op::Trap { message: None });
            }
            "nvvm.exit" => self.emit(op, Op::Return),
            "nvvm.griddepcontrol" => {
                let kind = ir::keyword_attr(op, "kind").ok_or_else(|| malformed(op, "no kind"))?;
                self.emit(op, Op::GridDependency { waits: kind == "wait" });
            }
            "nvvm.nanosleep" | "nvvm.prefetch" => self.emit(op, Op::Nothing),
            "llvm.call" => return self.device_call(op),
            "nvvm.rcp.approx.ftz.f" => return self.named_arithmetic(op, &["rcp", "approx", "ftz", "f"]),
            "nvvm.bar.warp.sync" => {
                let (mask, _) = self.scalar_operand(op, 0)?;
                self.emit(op, Op::WarpBarrier { mask });
            }
            "nvvm.cluster.arrive" | "nvvm.cluster.arrive.relaxed" => {
                let (relaxed, aligned) = (name.ends_with("relaxed"), op.has_attribute("aligned"));
                self.emit(op, Op::ClusterArrive { relaxed, aligned });
            }
            "nvvm.cluster.wait" => self.emit(op, Op::ClusterWait { aligned: op.has_attribute("aligned") }),
            "nvvm.mapa" => self.map_address(op)?,
            "nvvm.setmaxregister" => {
                let count = ir::int_attr(op, "regCount").ok_or_else(|| malformed(op, "no regCount"))?;
                let action = ir::keyword_attr(op, "action").ok_or_else(|| malformed(op, "no action"))?;
                self.registers_of_group(op, count, action == "increase")?;
            }
            "nvvm.cp.async.shared.global" => self.async_copy(op)?,
            "nvvm.cp.async.commit.group" => self.emit(op, Op::AsyncCommit),
            "nvvm.cp.async.wait.group" => {
                let n = ir::int_attr(op, "n").and_then(|n| u32::try_from(n).ok());
                let pending = n.ok_or_else(|| malformed(op, "no n"))?;
                self.emit(op, Op::AsyncWait { pending });
            }
            _ => return self.nvvm_fence(op, name),
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

    /// `mapa`: an address and a rank.
    pub(super) fn map_address(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let [address, rank] = self.words(op)?;
        let dst = self.result(op)?.slot;
        self.emit(op, Op::MapAddress { dst, address, rank });
        Ok(())
    }

    /// `setmaxnreg`, to this many registers a thread.
    pub(super) fn registers_of_group(
        &mut self,
        op: Ir<'_, '_>,
        count: i64,
        increase: bool,
    ) -> Result<(), Error> {
        let valid = u32::try_from(count).ok().filter(|n| (24..=256).contains(n) && n.is_multiple_of(8));
        let Some(count) = valid else {
            return Err(malformed(
                op,
                format!("{count} registers: a multiple of 8 from 24 to 256 is needed"),
            ));
        };
        self.group(op, GroupOp::Registers { count, increase });
        Ok(())
    }

    pub(super) fn group(&mut self, op: Ir<'_, '_>, what: GroupOp) {
        self.has_groups = true;
        self.emit(op, Op::Group(what));
    }

    fn barrier(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let segments = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let [has_id, has_threads, reduces] = segments[..] else {
            return Err(malformed(op, "no operandSegmentSizes"));
        };
        if reduces != 0 || op.result_count() != 0 {
            return Err(unmodelled(op, "a reduction"));
        }
        let slot = |index| self.scalar_operand(op, index).map(|(slot, _)| slot);
        let id = (has_id != 0).then(|| slot(0)).transpose()?;
        let threads = (has_threads != 0).then(|| slot(usize::from(has_id != 0))).transpose()?;
        self.emit(op, Op::Barrier { id, threads, aligned: true });
        Ok(())
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

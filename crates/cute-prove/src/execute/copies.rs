//! Copies and products that are under way by themselves: bulk copies and `tcgen05`.

use crate::{
    registers::lanes_of,
    trace::What,
    value::Val,
    walk::{Stop, Walk},
};
use cute_arch::space::{CLUSTER, CONSTANT};
use cute_arch::tensor_map::TensorMap;
use cute_sim::address::{self, in_block, parts};
use cute_sim::program::{Bulk, BulkFar, BulkMove, Op, Slot, Tcgen05Op, TensorOperand};

impl Walk<'_> {
    pub(super) fn bulk(&mut self, pc: u32, bulk: &Bulk, active: u32) -> Result<(), Stop> {
        for lane in lanes_of(active) {
            let one = 1 << lane;
            let shared = self.barrier(pc, self.get(bulk.shared).at(lane), bulk.space).map_err(|_| {
                Stop::Undecided {
                    pc,
                    why: "the place of a copy in shared memory is not known, or grows with the size".into(),
                }
            })?;
            let mut all = vec![i128::from(shared)];
            let bytes = match &bulk.far {
                BulkFar::Global { size, .. } => {
                    self.number(pc, *size, lane, "the number of bytes of the copy")? as u32 as u64
                }
                BulkFar::Shared { size, address } => {
                    all.push(self.number(pc, *address, lane, "the place of the copy")?.into());
                    self.number(pc, *size, lane, "the number of bytes of the copy")? as u32 as u64
                }
                BulkFar::Box { map, space, .. } => {
                    let Val::Known(at) = self.get(*map).at(lane) else {
                        return self.undecided(pc, "the tensor map of the copy is not known");
                    };
                    let of = parts(at, *space).ok().filter(|of| of.space == CONSTANT);
                    let Some(of) = of else {
                        return self.undecided(pc, "the tensor map of the copy is in memory that may change");
                    };
                    let maps = self
                        .world
                        .words(of.allocation, of.byte)
                        .map(|words| TensorMap::from_words(&words).ok());
                    let bytes: Option<Vec<u64>> =
                        maps.map(|map| map.map(|map| map.counted_bytes())).collect();
                    match bytes.as_deref() {
                        Some([first, rest @ ..]) if rest.iter().all(|other| other == first) => *first,
                        _ => return self.undecided(pc, "the box of the tensor map depends on the size"),
                    }
                }
            };
            match bulk.moves {
                BulkMove::Load { barrier, mask, pair, .. } => {
                    let at = self.barrier(pc, self.get(barrier).at(lane), CLUSTER)?;
                    let mask =
                        mask.map(|slot| self.number(pc, slot, lane, "the mask of blocks")).transpose()?;
                    let rank_of = |at: u64| (at >> address::RANK_SHIFT) as u32;
                    let of_rank = |rank: u32| in_block(at, rank.into());
                    let barriers: Vec<u64> = match mask {
                        Some(mask) => lanes_of(mask as u32 & 0xffff)
                            .map(|rank| of_rank(if pair { rank & !1 | rank_of(at) & 1 } else { rank }))
                            .collect(),
                        None => vec![at],
                    };
                    all.extend(barriers.iter().map(|at| i128::from(*at)));
                    self.emit(pc, one, What::Touch(all));
                    for barrier in barriers {
                        self.emit(pc, one, What::Copy { barrier, bytes: bytes as i64 });
                    }
                    match mask {
                        Some(mask) => lanes_of(mask as u32 & 0xffff).for_each(|rank| {
                            self.overwrites(in_block(shared, rank.into()), bytes);
                        }),
                        None => self.overwrites(shared, bytes),
                    }
                    if let BulkFar::Shared { address, .. } = &bulk.far {
                        let far = self.number(pc, *address, lane, "the place of the copy")?;
                        self.overwrites(far, bytes);
                    }
                }
                BulkMove::Store { .. } => self.emit(pc, one, What::Touch(all)),
            }
        }
        Ok(())
    }

    pub(super) fn tensor(&mut self, pc: u32, op: &Op, of: &Tcgen05Op, active: u32) -> Result<(), Stop> {
        let meets = self.meeting(pc, op, active)?.is_some();
        if meets {
            self.emit(pc, active, What::Meet);
        }
        match of {
            Tcgen05Op::Alloc { to, columns, space, .. } => {
                if self.period.is_some() {
                    return self.undecided(pc, "tensor memory is allocated in a loop");
                }
                self.access(pc, *to, *space, active)?;
                self.allocation(pc, *to, *space, active);
                self.touch(pc, &[*columns], active)?;
            }
            Tcgen05Op::Dealloc { columns, .. } => {
                if self.period.is_some() {
                    return self.undecided(pc, "tensor memory is freed in a loop");
                }
                self.touch(pc, &[*columns], active)?;
            }
            Tcgen05Op::Relinquish | Tcgen05Op::Wait { .. } | Tcgen05Op::Fence { .. } => {
                self.touch(pc, &[], active)?
            }
            Tcgen05Op::Load { address, .. } => {
                self.touch(pc, &[*address], active)?;
                self.forget(op, active);
            }
            Tcgen05Op::Store { address, .. } => self.touch(pc, &[*address], active)?,
            Tcgen05Op::Copy { address, source, .. } => self.touch(pc, &[*address, *source], active)?,
            Tcgen05Op::Multiply(mma) => {
                let (TensorOperand::Shared(a) | TensorOperand::Tensor(a)) = mma.a;
                let scales = mma.scales.iter().flat_map(|scales| scales.addresses);
                let all: Vec<Slot> = [mma.d, a, mma.b, mma.instruction].into_iter().chain(scales).collect();
                self.touch(pc, &all, active)?;
            }
            Tcgen05Op::Commit { barrier, space, mask } => {
                for lane in lanes_of(active) {
                    let at = self.barrier(pc, self.get(*barrier).at(lane), *space)?;
                    let mask =
                        mask.map(|slot| self.number(pc, slot, lane, "the mask of blocks")).transpose()?;
                    let barriers: Vec<u64> = match mask {
                        Some(mask) => {
                            lanes_of(mask as u32 & 0xffff).map(|rank| in_block(at, rank.into())).collect()
                        }
                        None => vec![at],
                    };
                    for barrier in barriers {
                        self.emit(pc, 1 << lane, What::Follow { barrier, count: 1 });
                    }
                }
            }
        }
        Ok(())
    }
}

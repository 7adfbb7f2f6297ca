//! The effect of each instruction on a warp.

use super::alu::{self, LaneFinding, Lanes, lanes_of, try_map};
use super::collective;
use super::flight::Flight;
use super::scalar::{cast, regroup};
use super::unknown::{Origin, Unknown};
use crate::finding::FindingKind;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Wait, Warp, first_lane, mask_of};
use crate::memory::address::{CLUSTER, SHARED_BASE};
use crate::program::{Binary, Cast, Edge, LaneMask, MapOp, Move, Op, Piece, Slot, Special, Ternary, Unary};
use crate::tensor::sums;
use cute_arch::space::GENERIC;
use cute_machine::convert::{Conversion, packed_bits};
use cute_machine::int::{IntOp, NoWrap, dot, mask, permute, signed, ternary};

/// A register for a block's argument, its undefined bits in each lane, and its mark if it is in
/// flight.
type Carried = (Lanes, Vec<(u32, Option<Unknown>)>, Option<Flight>);

impl Warp {
    pub(crate) fn step(
        &mut self,
        op: &Op,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            Op::Int { op, width, at, .. } if op.divides() => return self.divide(op, width, at, active),
            Op::Int { op, width, no_wrap, at } => {
                let no_wrap = if cluster.machine.launch.check_overflow { no_wrap } else { NoWrap::default() };
                use IntOp as I;
                let undefined = match op {
                    I::And
                    | I::Or
                    | I::Xor
                    | I::Shl
                    | I::ShrU
                    | I::ShlClamped
                    | I::ShrClampedU
                    | I::ShrClampedS => self.undefined_operands([at.a, at.b], at.lanes, active),
                    _ => Vec::new(),
                };
                self.binary(at, active, |defined, a, b, out| {
                    alu::int_binary(op, width, no_wrap, defined, a, b, out)
                })?;
                self.refine(op, width, at.dst, &undefined);
            }
            Op::Overflowing { op, width, signed, at } => {
                self.binary(at, active, |defined, a, b, out| {
                    alu::int_binary(op, width, NoWrap::default(), defined, a, b, out)
                })?;
                let flags = Binary { dst: at.dst + at.lanes, ..at };
                return self.total(flags, active, |a, b, out| alu::wraps(op, width, signed, a, b, out));
            }
            Op::IntCompare { predicate, width, at } => {
                return self.total(at, active, |a, b, out| alu::int_compare(predicate, width, a, b, out));
            }
            Op::Float { op, ty, at } => {
                return self.total(at, active, |a, b, out| alu::float_binary(op, ty, a, b, out));
            }
            Op::FloatCompare { predicate, ty, at } => {
                return self.total(at, active, |a, b, out| alu::float_compare(predicate, ty, a, b, out));
            }
            Op::IntUnary { op, width, at } => {
                return self.unary(at, active, |_, a| Ok(alu::int_unary(op, width, a)));
            }
            Op::FloatUnary { op, ty, at } => {
                return self.unary(at, active, |_, a| Ok(alu::float_unary(op, ty, active, a)));
            }
            Op::Cast { cast: kind, at } => return self.cast(kind, at, active),
            Op::Fma { ty, at: Ternary { dst, a, b, c, lanes } } => {
                for i in 0..lanes {
                    let [a, b, c] = [a + i, b + i, c + i];
                    let fused = alu::fma(ty, active, self.get(a), self.get(b), self.get(c));
                    self.set_from(dst + i, active, &fused, &[a, b, c]);
                }
            }
            Op::Rounded { instruction, at: Ternary { dst, a, b, c, lanes } } => {
                for i in 0..lanes {
                    let operands = [a + i, b + i, c + i];
                    let value = try_map(active, |lane| {
                        Ok(instruction.apply(operands.map(|slot| self.get(slot)[lane])))
                    })?;
                    self.set_from(dst + i, active, &value, &operands);
                }
            }
            Op::Dot { dst, ref a, ref b, c, width, skip, signed: (sa, sb) } => {
                let slots: Vec<Slot> = a.iter().chain(b.iter()).map(|p| p.slot).chain([c]).collect();
                let sum = try_map(active, |lane| {
                    let read =
                        |bits, width, is_signed| if is_signed { signed(bits, width) } else { bits as i64 };
                    let a = self.fields(a, width, lane).map(|bits| read(bits, width, sa));
                    let b = self.fields(b, 8, lane).skip(skip as usize).map(|bits| read(bits, 8, sb));
                    Ok(dot(a, b, self.get(c)[lane]))
                })?;
                self.set_from(dst, active, &sum, &slots);
            }
            Op::IntTernary { op, width, at: Ternary { dst, a, b, c, .. } } => {
                let at = |slot: Slot, lane: usize| self.get(slot)[lane];
                let value =
                    try_map(active, |lane| Ok(ternary(op, width, at(a, lane), at(b, lane), at(c, lane))))?;
                let undefined = self.undefined_lanes([a, b, c], active);
                self.set_from(dst, active, &value, &[a, b, c]);
                self.refine_ternary(op, width, dst, &undefined);
            }
            Op::Permute { at: Ternary { dst, a, b, c, .. } } => {
                let at = |slot: Slot, lane: usize| self.get(slot)[lane];
                let picked = try_map(active, |lane| Ok(permute(at(a, lane), at(b, lane), at(c, lane))))?;
                let undefined = self.undefined_lanes([a, b, c], active);
                self.set_from(dst, active, &picked, &[a, b, c]);
                self.refine_permuted(dst, &undefined);
            }
            Op::Convert { conversion, count, random, ref src, ref dst } => {
                self.convert((conversion, random), count, src, dst, active);
            }
            Op::Select { at: Ternary { dst, a, b, c, lanes }, per_lane } => {
                for i in 0..lanes {
                    let [a, b, c] = [if per_lane { a + i } else { a }, b + i, c + i];
                    self.use_followed(a, active);
                    let value = alu::select(self.get(a), self.get(b), self.get(c));
                    let then = mask_of(self.get(a));
                    let picked = [then & self.undefined_in(b), !then & self.undefined_in(c)];
                    let undefined = self.undefined_in(a) | picked[0] | picked[1];
                    self.set(dst + i, active, &value, undefined);
                    if undefined & active != 0 {
                        self.inherit_copy(dst + i, picked[0] & active, b);
                        self.inherit_copy(dst + i, picked[1] & active, c);
                        self.inherit(dst + i, self.undefined_in(a) & active, u32::MAX, &[a]);
                    }
                }
            }
            Op::Regroup { dst, src, from, to, lanes } => self.regroup(dst, src, from, to, lanes, active),
            Op::Copy(m) => self.copy(&m, active),
            Op::Freeze(m) => {
                self.copy(&m, active);
                (m.dst..m.dst + m.len).for_each(|slot| self.undefined[slot as usize] &= !active);
            }
            Op::Coordinates(ref of) => self.coordinates(of, active),
            Op::Extract { dst, src, index, lanes } => {
                self.defined(kernel, index, active, "index")?;
                for lane in lanes_of(active) {
                    let element = self.element(index, lanes, lane)?;
                    self.move_lane(dst, src + element, lane);
                }
            }
            Op::Insert { dst, value, index, lanes } => {
                self.defined(kernel, index, active, "index")?;
                for lane in lanes_of(active) {
                    let element = self.element(index, lanes, lane)?;
                    self.move_lane(dst + element, value, lane);
                }
            }
            Op::Gather { dst, ref from } => {
                for (to, from) in (dst..).zip(from.iter()) {
                    self.copy(&Move { dst: to, src: *from, len: 1 }, active);
                }
            }
            Op::Address { dst, base, offset, ref terms } => {
                let mut sum = *self.get(base);
                let mut undefined = self.undefined_in(base);
                sum.iter_mut().for_each(|s| *s = s.wrapping_add_signed(offset));
                for t in terms {
                    alu::add_scaled(&mut sum, self.get(t.slot), t.width, t.scale);
                    undefined |= self.undefined_in(t.slot);
                }
                let before = self.undefined_in(dst);
                self.set(dst, active, &sum, undefined);
                if undefined & active != 0 {
                    let slots: Vec<Slot> = terms.iter().map(|t| t.slot).chain([base]).collect();
                    self.inherit(dst, undefined & active, before, &slots);
                }
            }
            Op::IsInSpace { dst, address, space } => {
                let addresses = *self.get(address);
                let inside = alu::map(&addresses, |address| cluster.is_in_space(address, space).into());
                self.set_from(dst, active, &inside, &[address]);
            }
            Op::Load { dst, address, access } => {
                self.load(cluster, &kernel.accesses[access as usize], dst, address, active)?;
            }
            Op::Store { src, address, access } => {
                self.store(cluster, &kernel.accesses[access as usize], src, address, active)?;
            }
            Op::Atomic { .. } => self.atomic(cluster, op, active)?,
            Op::Alloca { dst, count, size, generic } => {
                self.alloca(cluster, dst, count, size, generic, active)?
            }
            Op::StackSave { dst } => self.save_stack(dst, active),
            Op::StackRestore { src } => self.restore_stack(cluster, src, active)?,
            Op::Special { dst, special } => {
                let value =
                    std::array::from_fn(|lane| self.special(special, lane as u32, active, cluster).into());
                self.set(dst, active, &value, 0);
            }
            Op::AsyncCopy { dst, src, size, read } => self.issue(cluster, dst, src, size, read, active)?,
            Op::Bulk(ref bulk) => self.bulk(cluster, bulk, active)?,
            Op::BulkCommit => {
                self.tells_order(cluster, active);
                self.commit_bulk(cluster, active);
            }
            Op::BulkWait { pending, read } => self.wait_bulk(cluster, pending, read, active),
            Op::WgmmaCommit => {
                return self.together(cluster, None, active, |warp, cluster, lanes| {
                    warp.tells_order(cluster, lanes);
                    warp.commit_products(cluster);
                    Ok(())
                });
            }
            Op::WgmmaWait { pending } => {
                return self.together(cluster, None, active, |warp, cluster, _| {
                    warp.wait_for_products(cluster, pending)
                });
            }
            Op::AsyncCommit => {
                self.tells_order(cluster, active);
                self.queue_mut(cluster).commit(active);
            }
            Op::AsyncWait { pending } => self.wait_copies(cluster, pending, active),
            Op::Mbarrier { op, address, space } => return self.mbarrier(cluster, op, address, space, active),
            Op::FenceBarriers => {
                self.tells_order(cluster, active);
                self.publish_barriers(cluster, active);
            }
            Op::FenceProxy { shared, global } => {
                self.tells_order(cluster, active);
                self.fence_proxy(cluster, (shared, global), active);
            }
            Op::Map(MapOp::Copy { to, from, scope }) => {
                return self.together(cluster, None, active, |warp, cluster, lanes| {
                    warp.copy_map(cluster, (to, from), scope, lanes)
                });
            }
            Op::Remote(ref remote) => self.send_values(cluster, remote, active)?,
            Op::Launch(op) => self.launch_control(cluster, op, active)?,
            Op::Tensor(ref op) => return self.tensor_operation(cluster, op, active),
            Op::Map(op) => self.map_operation(cluster, op, active)?,
            Op::Print { dst, format, arguments } => self.print(cluster, dst, format, arguments, active)?,
            Op::Allocate { dst, bytes } => self.heap_allocate(cluster, dst, bytes, active)?,
            Op::Release { address } => self.heap_release(cluster, address, active)?,
            Op::Fence { scope, order } => {
                self.tells_order(cluster, active);
                self.fence(cluster, scope, order, active);
            }
            Op::Nothing => {}
            Op::GridDependency { waits } => self.depend_on_grids(cluster, waits, active),
            Op::Jump { edge } => return Ok(self.take(&kernel.edges[edge as usize], active)),
            Op::Branch { condition, then, otherwise } => {
                self.defined(kernel, condition, active, "condition of the branch")?;
                let taken = mask_of(self.get(condition)) & active;
                return Ok(self.fork(&[
                    (taken, &kernel.edges[then as usize]),
                    (active & !taken, &kernel.edges[otherwise as usize]),
                ]));
            }
            Op::Switch { flag, ref cases, default } => {
                self.defined(kernel, flag, active, "flag of the switch")?;
                let flags = *self.get(flag);
                let mut left = active;
                let mut ways = Vec::new();
                for (value, edge) in cases.iter() {
                    let taken = lanes_of(left).filter(|lane| flags[*lane as usize] == *value);
                    let taken = taken.fold(0, |m, lane| m | 1 << lane);
                    left &= !taken;
                    ways.push((taken, &kernel.edges[*edge as usize]));
                }
                ways.push((left, &kernel.edges[default as usize]));
                return Ok(self.fork(&ways));
            }
            Op::Return => {
                self.leave(cluster, active);
                return Ok(Flow::Apart);
            }
            Op::Call { function, ref arguments, dst } => {
                return self.call(&kernel.functions, function, arguments, dst, active);
            }
            Op::Back { src, len } => return Ok(self.back(&kernel.functions, src, len, active)),
            Op::Unreachable => return Err(first_lane(active, FindingKind::Unreachable)),
            Op::Agree { value } => {
                self.defined(kernel, value, active, "condition")?;
                let values = self.get(value);
                let first = values[active.trailing_zeros() as usize];
                let lanes = lanes_of(active).filter(|lane| values[*lane as usize] == first);
                let lanes = lanes.fold(0, |mask, lane| mask | 1 << lane);
                if lanes != active {
                    return Err(first_lane(active, FindingKind::Apart { lanes, others: active & !lanes }));
                }
            }
            Op::Nowhere { ref what } => {
                return Err(first_lane(active, FindingKind::InvalidTarget { what: what.to_string() }));
            }
            Op::Refused { ref what, .. } => {
                return Err(first_lane(active, FindingKind::Unmodelled { what: what.to_string() }));
            }
            Op::Trap { message } => return Err(self.trap(cluster, message, active)),
            Op::Barrier { id, threads, reduction, .. } => {
                if let Some(reduction) = reduction {
                    self.defined(kernel, reduction.predicate, active, "predicate")?;
                }
                self.tells_order(cluster, active);
                self.enter_barrier(cluster, id, threads, active)?;
                return Ok(Flow::Apart);
            }
            Op::ClusterArrive { relaxed, aligned } => {
                if self.may_run(aligned, active) {
                    self.arrive_at_cluster(cluster, relaxed, active)?;
                } else {
                    return self.together_but(self.done, cluster, None, active, |warp, cluster, lanes| {
                        warp.arrive_at_cluster(cluster, relaxed, lanes)
                    });
                }
            }
            Op::ClusterWait { aligned } => {
                if self.may_run(aligned, active) {
                    self.wait_at_cluster(cluster, active)?;
                } else {
                    for lanes in self.gather(cluster, None, active, self.done)? {
                        self.wait_at_cluster(cluster, lanes)?;
                    }
                }
                return Ok(Flow::Apart);
            }
            Op::BlockRank { dst, address, generic } => {
                let addresses = *self.get(address);
                let space = if generic { GENERIC } else { CLUSTER };
                let ranks = try_map(active, |lane| {
                    let rank = cluster.rank_of(addresses[lane], space)?;
                    Ok(rank.into())
                })?;
                self.set_from(dst, active, &ranks, &[address]);
            }
            Op::MapAddress { dst, address, rank } => self.map_address(cluster, dst, address, rank, active)?,
            Op::Group(_) => {
                self.tells_order(cluster, active);
                self.wait(active, |_| Wait::Group);
                return Ok(Flow::Apart);
            }
            Op::Arrive { id, threads, aligned } => {
                if self.may_run(aligned, active) {
                    self.arrive(cluster, id, threads, active)?;
                } else {
                    return self.together_but(self.done, cluster, None, active, |warp, cluster, lanes| {
                        warp.arrive(cluster, id, threads, lanes)
                    });
                }
            }
            Op::WarpBarrier { mask } => {
                self.defined(kernel, mask, active, "lane mask")?;
                self.enter_warp_barrier(cluster, mask, active)?;
                return Ok(Flow::Apart);
            }
            Op::Collective { mask, op } => {
                let excused = if op.excuses_returned() { self.done } else { 0 };
                return self.together_but(excused, cluster, mask, active, |warp, cluster, lanes| {
                    collective::run(warp, op, lanes, cluster.machine.launch.election());
                    Ok(())
                });
            }
            Op::Mma { model, rounding, ref a, ref b, ref c, ref d, ref scales } => {
                return self.together(cluster, None, active, |warp, cluster, lanes| {
                    let scales = scales.as_deref();
                    let selectors =
                        scales.map(|s| warp.scale_selectors(kernel, model, s, lanes)).transpose()?;
                    let rules = cluster.machine.launch.sums;
                    sums::note(&mut cluster.counters.sums, rules, &model.query());
                    warp.mma((model, rounding, rules), [a, b, c, d], scales.zip(selectors));
                    Ok(())
                });
            }
            Op::LoadMatrix { model, address, ref registers } => {
                return self.together(cluster, None, active, |warp, cluster, _| {
                    warp.load_matrix(cluster, model, address, registers)
                });
            }
            Op::StoreMatrix { model, address, ref registers } => {
                return self.together(cluster, None, active, |warp, cluster, _| {
                    warp.store_matrix(cluster, model, address, registers)
                });
            }
        }
        Ok(Flow::Next)
    }

    /// Whether these lanes may execute a barrier's instruction without the other lanes of the warp.
    fn may_run(&self, aligned: bool, active: u32) -> bool {
        !aligned || active | self.done == self.exists
    }

    /// Runs a collective in each group of lanes that is complete; the others wait.
    pub(super) fn together(
        &mut self,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        run: impl FnMut(&mut Warp, &mut Cluster<'_>, u32) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        self.together_but(0, cluster, mask, active, run)
    }

    /// Like [`together`](Self::together), for groups that are complete without the excused lanes.
    fn together_but(
        &mut self,
        excused: u32,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        mut run: impl FnMut(&mut Warp, &mut Cluster<'_>, u32) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        let groups = self.gather(cluster, mask, active, excused)?;
        let mut ran = 0;
        for lanes in groups {
            if self.has_learned {
                self.meet_lanes(cluster, lanes);
            }
            run(self, cluster, lanes)?;
            ran |= lanes;
        }
        if ran == active {
            return Ok(Flow::Next);
        }
        self.park(active & ran, self.at + 1);
        self.resume(ran & !active);
        Ok(Flow::Apart)
    }

    #[inline(always)]
    fn binary(
        &mut self,
        at: Binary,
        active: u32,
        f: impl Fn(u32, &Lanes, &Lanes, &mut Lanes) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        for i in 0..at.lanes {
            let (a, b) = (at.a + i, at.b + i);
            let undefined = self.undefined_in(a) | self.undefined_in(b);
            let mut value = [0; 32];
            f(active & !undefined, self.get(a), self.get(b), &mut value)?;
            self.set_from(at.dst + i, active, &value, &[a, b]);
        }
        Ok(Flow::Next)
    }

    /// A division. A quotient by zero is undefined, which is harmless if it is not used: code
    /// computes with extents before it checks that there are any.
    #[cold]
    fn divide(&mut self, op: IntOp, width: u32, at: Binary, active: u32) -> Result<Flow, LaneFinding> {
        for i in 0..at.lanes {
            let (dst, a, b) = (at.dst + i, at.a + i, at.b + i);
            let known = active & !(self.undefined_in(a) | self.undefined_in(b));
            let by_zero = lanes_of(known).filter(|lane| self.get(b)[*lane as usize] == 0);
            let by_zero = by_zero.fold(0, |lanes, lane| lanes | 1 << lane);
            let mut value = [0; 32];
            let no_wrap = NoWrap::default();
            alu::int_binary(op, width, no_wrap, known & !by_zero, self.get(a), self.get(b), &mut value)?;
            self.set_from(dst, active, &value, &[a, b]);
            let unknown = Unknown { origin: Origin::Quotient { at: self.at }, bits: u64::MAX };
            lanes_of(by_zero).for_each(|lane| self.set_unknown(dst, lane, Some(unknown)));
        }
        Ok(Flow::Next)
    }

    /// Like `binary`, for operations that cannot fail.
    #[inline(always)]
    fn total(
        &mut self,
        at: Binary,
        active: u32,
        f: impl Fn(&Lanes, &Lanes, &mut Lanes),
    ) -> Result<Flow, LaneFinding> {
        self.binary(at, active, |_, a, b, out| {
            f(a, b, out);
            Ok(())
        })
    }

    fn unary(
        &mut self,
        at: Unary,
        active: u32,
        f: impl Fn(u32, &Lanes) -> Result<Lanes, LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        for i in 0..at.lanes {
            let undefined = self.undefined_in(at.a + i);
            let value = f(active & !undefined, self.get(at.a + i))?;
            self.set_from(at.dst + i, active, &value, &[at.a + i]);
        }
        Ok(Flow::Next)
    }

    fn cast(&mut self, kind: Cast, at: Unary, active: u32) -> Result<Flow, LaneFinding> {
        let undefined = match kind {
            Cast::Truncate { .. } | Cast::SignExtend { .. } => {
                self.undefined_operands([at.a], at.lanes, active)
            }
            _ => Vec::new(),
        };
        let flow = self.unary(at, active, |defined, a| match kind {
            Cast::Truncate { width } => Ok(alu::map(a, |x| x & mask(width))),
            Cast::SignExtend { from, to } => Ok(alu::map(a, |x| signed(x, from) as u64 & mask(to))),
            _ => try_map(defined, |lane| cast(kind, a[lane])),
        })?;
        match kind {
            Cast::Truncate { width } => self.refine_cast(at.dst, &undefined, |bits| bits & mask(width)),
            Cast::SignExtend { from, to } => {
                self.refine_cast(at.dst, &undefined, |bits| signed(bits, from) as u64 & mask(to));
            }
            _ => {}
        }
        Ok(flow)
    }

    /// Converts the lowest numbers of the source's registers to the same number of the target's;
    /// the rest becomes zero.
    fn convert(
        &mut self,
        (conversion, random): (Conversion, Option<Slot>),
        count: u32,
        src: &[Piece],
        dst: &[Piece],
        active: u32,
    ) {
        let (from, to) = (packed_bits(conversion.from), packed_bits(conversion.to));
        let sources: Vec<Slot> = src.iter().map(|piece| piece.slot).chain(random).collect();
        let undefined = sources.iter().fold(0, |lanes, slot| lanes | self.undefined_in(*slot)) & active;
        let unknown: Vec<(u32, Unknown)> = lanes_of(undefined)
            .filter_map(|lane| Some((lane, self.unknown_conversion((from, to), count, src, random, lane)?)))
            .collect();
        let mut packed = [0u64; 32];
        for lane in lanes_of(active) {
            let word = random.map(|slot| self.get(slot)[lane as usize] as u32);
            let codes = (0..count).zip(self.fields(src, from, lane as usize));
            packed[lane as usize] = codes.fold(0, |bits, (i, code)| {
                let conversion = word.map_or(conversion, |word| conversion.randomly(word, i));
                bits | conversion.apply(code) << (i * to)
            });
        }
        let mut bit = 0;
        for piece in dst {
            let value = alu::map(&packed, |bits| bits >> bit & mask(piece.bits));
            self.set_from(piece.slot, active, &value, &sources);
            for (lane, Unknown { origin, bits }) in &unknown {
                let bits = bits >> bit & mask(piece.bits);
                self.set_unknown(piece.slot, *lane, Some(Unknown { origin: *origin, bits }));
            }
            bit += piece.bits;
        }
    }

    /// The undefined part of a lane's packed numbers, of which one is undefined if a bit of the
    /// number that it is converted from is, or of the random bits.
    #[cold]
    fn unknown_conversion(
        &self,
        (from, to): (u32, u32),
        count: u32,
        src: &[Piece],
        random: Option<Slot>,
        lane: u32,
    ) -> Option<Unknown> {
        let unknown = |slot: Slot| self.unknown(slot, lane);
        let sources = src.iter().map(|piece| piece.slot);
        let origin = self.origin_of(sources.chain(random).filter_map(unknown).map(|u| u.origin))?;
        let undefined = |slot: Slot| unknown(slot).map_or(0, |unknown| unknown.bits);
        let is_random = random.is_some_and(|slot| undefined(slot) != 0);
        let of_each = fields_of(src, from, undefined);
        let is_undefined = |bits: u64| is_random || bits != 0;
        let bits = (0..count).zip(of_each).filter(|(_, bits)| is_undefined(*bits));
        Some(Unknown { origin, bits: bits.fold(0, |all, (i, _)| all | mask(to) << (i * to)) })
    }

    /// Fields of `width` bits of a lane's registers, lowest first.
    fn fields(&self, pieces: &[Piece], width: u32, lane: usize) -> impl Iterator<Item = u64> {
        fields_of(pieces, width, move |slot| self.get(slot)[lane])
    }

    fn regroup(&mut self, dst: Slot, src: Slot, from: u32, to: u32, lanes: u32, active: u32) {
        let parts = |i: u32| {
            if to < from {
                i / (from / to)..i / (from / to) + 1
            } else {
                i * (to / from)..(i + 1) * (to / from)
            }
        };
        // The source may be the target's neighbour, never the target.
        for i in 0..lanes {
            let sources = parts(i);
            let value = std::array::from_fn(|lane| {
                regroup(|s| self.registers[(src + s) as usize][lane], from, to, i)
            });
            let undefined = sources.clone().fold(0, |u, s| u | self.undefined_in(src + s));
            self.set(dst + i, active, &value, undefined);
            let shift = if to < from { i % (from / to) * to } else { 0 };
            if undefined & active != 0 && self.regroup_flight(dst + i, src + sources.start, shift, to, active)
            {
                continue;
            }
            // Bits go with their values.
            for lane in lanes_of(undefined & active) {
                let unknown = |s: u32| self.unknown(src + s, lane);
                let origins = sources.clone().filter_map(unknown).map(|u| u.origin);
                let Some(origin) = self.origin_of(origins) else { continue };
                let bits = regroup(|s| unknown(s).map_or(0, |u| u.bits & mask(from)), from, to, i);
                self.set_unknown(dst + i, lane, Some(Unknown { origin, bits }));
            }
        }
    }

    fn element(&self, index: Slot, lanes: u32, lane: u32) -> Result<u32, LaneFinding> {
        let index = self.get(index)[lane as usize];
        let element = u32::try_from(index).ok().filter(|i| *i < lanes);
        element.ok_or(LaneFinding { lane, kind: FindingKind::Lane { index, lanes } })
    }

    /// Passes the arguments to the target block and continues there.
    fn take(&mut self, edge: &Edge, active: u32) -> Flow {
        if edge.overlap {
            let slots = |start: Slot, len: u32| start..start + len;
            let unknown = |s: Slot| -> Vec<(u32, Option<Unknown>)> {
                let lanes = if self.flight(s).is_some() { 0 } else { self.undefined_in(s) & active };
                lanes_of(lanes).map(|lane| (lane, self.unknown(s, lane))).collect()
            };
            let values: Vec<Carried> = edge
                .moves
                .iter()
                .flat_map(|m| slots(m.src, m.len))
                .map(|s| (self.registers[s as usize], unknown(s), self.flight(s)))
                .collect();
            let targets = edge.moves.iter().flat_map(|m| slots(m.dst, m.len));
            for (slot, (value, unknown, flight)) in targets.zip(&values) {
                if let Some(flight) = flight {
                    self.depart(slot, active, *flight);
                    continue;
                }
                self.set(slot, active, value, 0);
                unknown.iter().for_each(|(lane, unknown)| self.set_unknown(slot, *lane, *unknown));
            }
        } else {
            edge.moves.iter().for_each(|m| self.copy(m, active));
        }
        Flow::To(edge.target)
    }

    /// Sends lanes along several edges.
    fn fork(&mut self, ways: &[(u32, &Edge)]) -> Flow {
        let mut taken = ways.iter().filter(|(lanes, _)| *lanes != 0);
        if let (Some((lanes, edge)), None) = (taken.next(), taken.next()) {
            return self.take(edge, *lanes);
        }
        for (lanes, edge) in ways.iter().filter(|(lanes, _)| *lanes != 0) {
            self.take(edge, *lanes);
            self.park(*lanes, edge.target);
        }
        Flow::Apart
    }

    fn special(&self, special: Special, lane: u32, active: u32, cluster: &Cluster<'_>) -> u32 {
        let machine = cluster.machine;
        let launch = machine.launch;
        let before = (1u32 << lane) - 1;
        match special {
            Special::Thread(axis) => cluster.thread(self.thread(lane))[axis],
            Special::BlockSize(axis) => launch.block[axis],
            Special::Block(axis) => self.block.position[axis],
            Special::GridSize(axis) => launch.grid[axis],
            Special::Lane => lane,
            Special::Warp => self.number,
            Special::WarpSize => WARP,
            Special::LaneMask(LaneMask::Lt) => before,
            Special::LaneMask(LaneMask::Le) => before | 1 << lane,
            Special::LaneMask(LaneMask::Eq) => 1 << lane,
            Special::LaneMask(LaneMask::Ge) => !before,
            Special::LaneMask(LaneMask::Gt) => !(before | 1 << lane),
            Special::ActiveMask => active,
            Special::DynamicShared => launch.dynamic_shared,
            Special::ClusterSize(axis) => machine.cluster[axis],
            Special::ClusterBlocks => machine.cluster_blocks(),
            Special::ClusterBlock(axis) => machine.position_in_cluster(self.block.rank)[axis],
            Special::ClusterRank => self.block.rank,
            Special::Cluster(axis) => self.block.position[axis] / machine.cluster[axis],
            Special::Clusters(axis) => machine.clusters()[axis],
            Special::Clock => self.executed as u32,
            Special::Warps => launch.block.iter().product::<u32>().div_ceil(WARP),
            Special::Multiprocessor => {
                let ([x, y, z], [width, height, _]) = (self.block.position, launch.grid);
                x + width * (y + height * z)
            }
            Special::Multiprocessors => launch.grid.iter().product(),
            Special::SharedBytes { reserved } => {
                machine.shared_bytes() as u32 + if reserved { SHARED_BASE as u32 } else { 0 }
            }
            Special::HasCluster => launch.cluster.is_some().into(),
            Special::Number(number) => number,
            Special::GridWorkspace { high: true } => (machine.workspace >> 32) as u32,
            Special::GridWorkspace { high: false } => machine.workspace as u32,
        }
    }
}

/// Fields of `width` bits of registers, lowest first.
fn fields_of(pieces: &[Piece], width: u32, at: impl Fn(Slot) -> u64) -> impl Iterator<Item = u64> {
    pieces.iter().flat_map(move |piece| {
        let register = at(piece.slot);
        (0..piece.bits / width).map(move |i| register >> (i * width) & mask(width))
    })
}

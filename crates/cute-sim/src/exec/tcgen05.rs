//! Operations that a thread issues to the tensor cores, and the checks that are possible at that
//! time.

use super::alu::{LaneFinding, lanes_of};
use super::tmem::{broken, lane_and_column, moved};
use crate::engine::tensor::{Accumulated, Asked, Multiply, TensorMatrix, TensorWork};
use crate::engine::tiles::Described;
use crate::engine::wgmma::Tile;
use crate::events::{Subject, Task, Work};
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::checks::Crowd;
use crate::finding::{AccessKind, FindingKind, MbarrierMisuse, TensorRule};
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{CLUSTER, SHARED, in_block, parts};
use crate::memory::tensor::word;
use crate::program::{RowCopy, Slot, TensorMma, TensorOperand};
use crate::race::{Acting, Needs, Reach, View};
use crate::schedule::Schedule;
use crate::tensor::Tcgen05Mma;
use crate::tensor::tmem::{Rect, TENSOR_LANES, rects};
use cute_arch::atoms::{Broadcast, InstructionDescriptor, Major, Tcgen05Group, zero_columns};
use cute_arch::smem::{DescriptorOf, SmemDescriptor};
use std::rc::Rc;

/// The addresses of scale factors, as findings name them.
const ADDRESSES: [&str; 2] = ["address of the scale factors of A", "address of the scale factors of B"];

impl Warp {
    pub(super) fn commit_tensor(
        &mut self,
        cluster: &mut Cluster<'_>,
        (barrier, space): (Slot, u32),
        mask: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, barrier, active, "address of the mbarrier")?;
        if let Some(mask) = mask {
            self.registers.defined(kernel, mask, active, "multicast mask")?;
        }
        for lane in lanes_of(active) {
            let address = self.registers.get(barrier)[lane as usize];
            let crowd = self.arrivals_with(barrier, None, active, lane);
            let mask = mask.map(|mask| self.registers.get(mask)[lane as usize] as u32 & 0xffff);
            self.commit_one(cluster, (address, space), mask, crowd, lane)
                .map_err(|kind| LaneFinding { lane, kind })?;
            self.ask(cluster, lane)?;
        }
        Ok(())
    }

    fn commit_one(
        &mut self,
        cluster: &mut Cluster<'_>,
        (address, space): (u64, u32),
        mask: Option<u32>,
        crowd: Crowd,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let blocks = cluster.machine.cluster_blocks();
        if let Some(rank) = mask.and_then(|mask| lanes_of(mask).find(|rank| *rank >= blocks)) {
            return Err(FindingKind::ClusterRank { rank: rank.into(), blocks });
        }
        let is_offset = space == 0 && parts(address, 0).is_err() && parts(address, SHARED).is_ok();
        if is_offset {
            let rule = TensorRule::OffsetAsGeneric { address };
            cluster.journal.remark(self.at, self.thread(lane), broken(rule));
        }
        let space = if is_offset { SHARED } else { space };
        let targets: Vec<(u64, u32)> = match mask {
            Some(mask) => lanes_of(mask).map(|rank| (in_block(address, rank.into()), CLUSTER)).collect(),
            None => vec![(address, space)],
        };
        let mut barriers = Vec::new();
        for (address, space) in targets {
            let span = cluster.span(&[], address, space, BYTES as u64, BYTES as u64)?;
            if span.space != SHARED {
                return Err(FindingKind::WrongSpace { address, expected: SHARED });
            }
            self.watch_barrier(cluster, lane, span, AccessKind::Atomic);
            if !cluster.engine.barriers.are_at(span.start) {
                return Err(cluster.misused(span.start, MbarrierMisuse::Uninitialised));
            }
            cluster.fits_a_phase(span.start, crowd)?;
            barriers.push(span.start);
        }
        let thread = self.thread(lane);
        let issued = self.issued(cluster, lane);
        let queue = cluster.tensor_queue(thread);
        // A thread that knows of the commit knows of all operations before it.
        queue.multiplier.1 = issued.time;
        let (agent, copier) = (queue.multiplier.0, queue.copier);
        let followed: Vec<(u32, u32)> = queue.followed.iter().map(|(agent, time)| (*agent, *time)).collect();
        let mut known = cluster.clocks.release(None, &[thread]);
        for (agent, time) in [(agent, issued.time), copier].into_iter().chain(followed) {
            known = cluster.clocks.with_agent(Some(&known), agent, time);
        }
        let known = cluster.engine.tensor_order.commit(&cluster.clocks, thread, known);
        for at in &barriers {
            cluster.engine.barriers.note_agent(*at, (agent, issued.time), (thread, self.at));
        }
        for at in &barriers {
            let rank = cluster.shared.rank_of(*at);
            if rank != self.block.rank {
                cluster.engine.reached.insert((rank, agent), (issued, Some(*at)));
            }
        }
        let past = cluster.past_of(thread);
        let work = TensorWork::Commit { barriers, known, when: self.executed, past };
        cluster.tensor_queue(thread).pending.push_back(Asked { issued, work, after: Vec::new() });
        Ok(())
    }

    /// With the eager schedule, executes the operations that the lane has issued.
    fn ask(&self, cluster: &mut Cluster<'_>, lane: u32) -> Result<(), LaneFinding> {
        cluster.engine.may_multiply |= matches!(cluster.engine.schedule, Schedule::Random(_));
        if cluster.engine.schedule == Schedule::Eager {
            let done = cluster.use_tensor_core(self.thread(lane), true);
            done.map_err(|(_, _, kind)| LaneFinding { lane, kind })?;
        }
        Ok(())
    }

    pub(super) fn multiply_tensor(
        &mut self,
        cluster: &mut Cluster<'_>,
        mma: &TensorMma,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        let TensorMma { d, a, b, instruction, adds, scale, scales, zero_columns, disabled, .. } = mma;
        let (TensorOperand::Shared(a) | TensorOperand::Tensor(a)) = a;
        let operands = [
            (*d, "address of D"),
            (*a, "A"),
            (*b, "descriptor of B"),
            (*instruction, "instruction descriptor"),
            (*adds, "predicate that adds D"),
        ];
        let others = scale.iter().map(|slot| (*slot, "scale of D"));
        let others = others.chain(zero_columns.iter().map(|slot| (*slot, "zero-column mask")));
        let others = others.chain(disabled.iter().map(|slot| (*slot, "mask of lanes")));
        let factors = scales.iter().flat_map(|scales| scales.addresses).zip(ADDRESSES);
        let others = others.chain(factors);
        for (slot, operand) in operands.into_iter().chain(others) {
            self.registers.defined(kernel, slot, active, operand)?;
            self.use_address(cluster, slot, active);
        }
        for lane in lanes_of(active) {
            self.multiply_one(cluster, mma, lane).map_err(|kind| LaneFinding { lane, kind })?;
            self.ask(cluster, lane)?;
        }
        Ok(())
    }

    /// The blocks that take part.
    fn members(&self, cluster: &Cluster<'_>, group: Tcgen05Group) -> Result<Vec<u32>, FindingKind> {
        let rank = self.block.rank;
        if group != Tcgen05Group::Pair {
            return Ok(vec![rank]);
        }
        let peer = self.peer(cluster)?;
        if !rank.is_multiple_of(2) {
            return Err(broken(TensorRule::OddBlock { rank }));
        }
        Ok(vec![rank, peer])
    }

    fn model(
        cluster: &mut Cluster<'_>,
        mma: &TensorMma,
        instruction: u32,
    ) -> Result<Rc<Tcgen05Mma>, FindingKind> {
        let TensorMma { kind, group, .. } = *mma;
        let count = mma.scales.map(|scales| scales.count);
        let models = &mut cluster.engine.tensor_models;
        let model = models.entry((instruction, kind, group, count)).or_insert_with(|| {
            let descriptor = InstructionDescriptor::read_scaled(instruction, kind, group, count)?;
            let model = Tcgen05Mma::new(descriptor, kind, group);
            Ok(Rc::new(model.expect("matrices of a valid descriptor have their places")))
        });
        let model = model.clone().map_err(|field| {
            let broken = field.to_string();
            self::broken(TensorRule::Instruction { word: instruction, broken })
        })?;
        match model.unknown_factors() {
            None => Ok(model),
            Some(what) => Err(self::broken(TensorRule::NotModelled { what })),
        }
    }

    /// The places of the scale factors of A and of B in tensor memory.
    fn scales_at(
        model: &Tcgen05Mma,
        addresses: [u64; 2],
        d: (u32, u32),
    ) -> Result<[(u32, u32); 2], FindingKind> {
        let Some(factors) = model.scales() else { return Ok([(0, 0); 2]) };
        let mut places = [(0, 0); 2];
        for (matrix, address) in addresses.into_iter().enumerate() {
            let name = ["A", "B"][matrix];
            // The upper two bits are the byte within a column, as CuTe's pointers have it.
            let (byte, lane) = (address as u32 >> 30, address as u32 >> 16 & 0x3fff);
            if lane != 0 {
                return Err(broken(TensorRule::ScaleLane { matrix: name.to_owned(), lane }));
            }
            let first = factors.first_byte(matrix);
            if byte != 0 && byte != first {
                return Err(broken(TensorRule::ScaleByte { matrix: name.to_owned(), byte, first }));
            }
            let at = (0, address as u32 & 0xffff);
            let meets = |rect: Rect| model.d_rects().iter().any(|own| rect.meets(moved(*own, d)));
            if let Some(rect) = factors.rects(matrix).map(|rect| moved(rect, at)).find(|rect| meets(*rect)) {
                let (column, columns) = (rect.column, rect.columns);
                return Err(broken(TensorRule::ScalesOverlap { matrix: name.to_owned(), column, columns }));
            }
            places[matrix] = at;
        }
        Ok(places)
    }

    fn multiply_one(
        &mut self,
        cluster: &mut Cluster<'_>,
        mma: &TensorMma,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let value = |slot: Slot| self.registers.get(slot)[lane as usize];
        let members = self.members(cluster, mma.group)?;
        let model = Self::model(cluster, mma, value(mma.instruction) as u32)?;
        let zeros = mma.zero_columns.map(|slot| zeros_of(value(slot), &model)).transpose()?;
        let d = lane_and_column(value(mma.d));
        let addresses = mma.scales.map_or([0; 2], |scales| scales.addresses.map(value));
        let factors = Self::scales_at(&model, addresses, d)?;
        let thread = self.thread(lane);
        let issued = self.issued(cluster, lane);
        let queue = cluster.tensor_queue(thread);
        queue.multiplier.1 = issued.time;
        let (agent, copier) = (queue.multiplier.0, queue.copier.0);
        let view = self.view(cluster, lane);
        let accumulated = Accumulated { site: self.at, time: issued.time, at: d, model: model.clone() };
        // Earlier operations are executed before: MMAs on this accumulator, and copies.
        let (copied, pipelined) = cluster.pipelined(thread, &accumulated, &view);
        self.accumulate(cluster, thread, accumulated, &view, agent)?;
        let pipelined = pipelined.knowing(&[agent, copier]);
        let copied = copied.knowing(&[copier]);
        let acting = |kind, view, needs| {
            let who = self.who(cluster, SHARED, self.at, kind, Reach::default());
            Acting { who, lane, agent, time: issued.time, view, needs }
        };
        let reads = acting(AccessKind::AsyncRead, &view, Needs::Fence { global: false });
        let loads = acting(AccessKind::TensorRead, &copied, Needs::Order);
        let accumulators = acting(AccessKind::TensorWrite, &pipelined, Needs::Order);
        let mut blocks = Vec::new();
        for rank in members {
            if rank != self.block.rank {
                if cluster.exited >> rank & 1 != 0 {
                    return Err(FindingKind::Exited { place: cluster.scene().window_of(rank), commit: None });
                }
                cluster.engine.reached.insert((rank, agent), (issued, None));
            }
            let extents = model.parts().map(|extent| [extent, model.descriptor().shape[2]]);
            let tile = |cluster: &mut Cluster<'_>, matrix: usize, word: u64| {
                let major = model.descriptor().majors[matrix];
                let described = Described {
                    of: DescriptorOf::Tcgen05,
                    word,
                    major,
                    extents: extents[matrix],
                    bits: model.bits(),
                };
                self.tensor_tile(cluster, described, ["A", "B"][matrix], rank, &reads, thread)
            };
            let a = match mma.a {
                TensorOperand::Shared(slot) => TensorMatrix::Shared(tile(cluster, 0, value(slot))?),
                TensorOperand::Tensor(slot) => {
                    let at = lane_and_column(value(slot));
                    if model.a_rects().is_empty() {
                        let what = format!("{} in tensor memory", model.descriptor().a);
                        return Err(broken(TensorRule::NotModelled { what }));
                    }
                    let rects = || model.a_rects().iter().map(|rect| moved(*rect, at));
                    self.reach_tensor(cluster, rank, rects())?;
                    self.watch_tensor(cluster, rank, rects(), &loads);
                    TensorMatrix::Tensor(word(at.0, at.1))
                }
            };
            let b = tile(cluster, 1, value(mma.b))?;
            for (matrix, at) in factors.into_iter().enumerate() {
                let of_matrix = model.scales().map(|scales| scales.rects(matrix));
                let rects = || of_matrix.iter().flat_map(Clone::clone).map(|rect| moved(rect, at));
                self.reach_tensor(cluster, rank, rects())?;
                self.watch_tensor(cluster, rank, rects(), &loads);
            }
            let rects = || model.d_rects().iter().map(|rect| moved(*rect, d));
            self.reach_tensor(cluster, rank, rects())?;
            self.watch_tensor(cluster, rank, rects(), &accumulators);
            blocks.push((rank, a, b));
        }
        let scale = mma.scale.map_or(0, |slot| value(slot) as u32);
        let scales = mma.scales.map(|_| factors.map(|(lane, column)| word(lane, column)));
        let multiply = Multiply {
            model,
            blocks,
            d: word(d.0, d.1),
            fresh: value(mma.adds) & 1 == 0,
            scale,
            scales,
            zeros: zeros.unwrap_or_default(),
            disabled: mma.disabled.iter().map(|slot| value(*slot) as u32).collect(),
        };
        let task = Task::Tensor(issued.time);
        cluster.journal.about(|scene| {
            let own = multiply.blocks.iter().find(|(rank, ..)| *rank == self.block.rank);
            let tiles = own.into_iter().flat_map(|(_, a, b)| match a {
                TensorMatrix::Shared(a) => vec![a, b],
                TensorMatrix::Tensor(_) => vec![b],
            });
            let shared = tiles.filter_map(|tile| scene.part_of(tile)).collect();
            Subject { shape: Some(multiply.model.descriptor().shape), shared, ..Subject::default() }
        });
        cluster.journal.tell_issue((thread, issued.site), task, Work::Multiply, 0, None);
        let work = TensorWork::Multiply(Box::new(multiply));
        let after = cluster.issued_before(thread, &view);
        cluster.tensor_queue(thread).pending.push_back(Asked { issued, work, after });
        cluster.journal.changes(1);
        Ok(())
    }

    pub(super) fn copy_rows(
        &mut self,
        cluster: &mut Cluster<'_>,
        (address, source): (Slot, Slot),
        rows: RowCopy,
        pair: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, address, active, "address")?;
        self.registers.defined(kernel, source, active, "descriptor of the source")?;
        self.use_address(cluster, source, active);
        for lane in lanes_of(active) {
            let at = |slot: Slot| self.registers.get(slot)[lane as usize];
            self.copy_one(cluster, (at(address), at(source)), rows, pair, lane)
                .map_err(|kind| LaneFinding { lane, kind })?;
            self.ask(cluster, lane)?;
        }
        Ok(())
    }

    fn copy_one(
        &mut self,
        cluster: &mut Cluster<'_>,
        (address, source): (u64, u64),
        shape: RowCopy,
        pair: bool,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let group = if pair { Tcgen05Group::Pair } else { Tcgen05Group::One };
        let members = self.members(cluster, group)?;
        let at = lane_and_column(address);
        let RowCopy { rows, bits, step, broadcast } = shape;
        // The lanes of each row.
        let lanes = |row: u32| -> Vec<u32> {
            let copies = match broadcast {
                Broadcast::Nothing => vec![row * step],
                Broadcast::Lw0213 => vec![row, row + 64],
                Broadcast::Lw0123 => [0, 32].map(|copy| row % 32 + row / 32 * 64 + copy).to_vec(),
                Broadcast::X4 => [0, 32, 64, 96].map(|copy| row + copy).to_vec(),
            };
            copies.into_iter().map(|lane| lane + at.0).collect()
        };
        let columns = bits / 32;
        let touched = rects((0..rows).flat_map(lanes).map(|lane| (lane, at.1)));
        let touched: Vec<Rect> = touched.into_iter().map(|rect| Rect { columns, ..rect }).collect();
        if at.0 + 128 > TENSOR_LANES {
            let (lanes, column) = (TENSOR_LANES, at.1);
            return Err(broken(TensorRule::Outside { lane: at.0, lanes, column, columns }));
        }
        let thread = self.thread(lane);
        let issued = self.issued(cluster, lane);
        let queue = cluster.tensor_queue(thread);
        queue.copier.1 = issued.time;
        let (agent, multiplier) = (queue.copier.0, queue.multiplier.0);
        let view = self.view(cluster, lane);
        // Kernels rely on the order of issue for MMAs to have read what a copy overwrites.
        let pipelined = view.knowing(&[agent, multiplier]);
        let acting = |kind, view, needs| {
            let who = self.who(cluster, SHARED, self.at, kind, Reach::default());
            Acting { who, lane, agent, time: issued.time, view, needs }
        };
        let reads = acting(AccessKind::AsyncRead, &view, Needs::Fence { global: false });
        let writes = acting(AccessKind::TensorWrite, &pipelined, Needs::Order);
        let mut blocks = Vec::new();
        for rank in members {
            if rank != self.block.rank {
                if cluster.exited >> rank & 1 != 0 {
                    return Err(FindingKind::Exited { place: cluster.scene().window_of(rank), commit: None });
                }
                cluster.engine.reached.insert((rank, agent), (issued, None));
            }
            let described = Described {
                of: DescriptorOf::Tcgen05,
                word: source,
                major: Major::K,
                extents: [rows, bits / 8],
                bits: 8,
            };
            let tile = self.tensor_tile(cluster, described, "the source", rank, &reads, thread)?;
            self.reach_tensor(cluster, rank, touched.iter().copied())?;
            self.watch_tensor(cluster, rank, touched.iter().copied(), &writes);
            blocks.push((rank, tile));
        }
        let words = (0..rows).map(|row| lanes(row).into_iter().map(|lane| word(lane, at.1)).collect());
        let (task, bytes) = (Task::Tensor(issued.time), u64::from(rows * bits / 8));
        cluster.journal.tell_issue((thread, issued.site), task, Work::ToTensor, bytes, None);
        let work = TensorWork::Copy { blocks, words: words.collect() };
        let after = cluster.issued_before(thread, &view);
        cluster.tensor_queue(thread).pending.push_back(Asked { issued, work, after });
        cluster.journal.changes(1);
        Ok(())
    }

    /// An MMA on an accumulator: others that overlap it must be over, unless they are alike.
    fn accumulate(
        &self,
        cluster: &mut Cluster<'_>,
        thread: u32,
        own: Accumulated,
        view: &View,
        agent: u32,
    ) -> Result<(), FindingKind> {
        let queue = cluster.tensor_queue(thread);
        queue.accumulators.retain(|before| !view.knows(agent, before.time));
        if let Some(before) = queue.accumulators.iter().find(|before| before.clashes(&own)) {
            let site = before.site;
            let (op, location) = cluster.scene().site(site);
            return Err(broken(TensorRule::Accumulator { op, location }));
        }
        let same = |before: &Accumulated| {
            before.at == own.at && before.model.descriptor().shape == own.model.descriptor().shape
        };
        match queue.accumulators.iter_mut().find(|before| same(before)) {
            Some(before) => *before = own,
            None => queue.accumulators.push(own),
        }
        Ok(())
    }

    /// A tile that a descriptor of `tcgen05` points at.
    pub(super) fn tensor_tile(
        &self,
        cluster: &mut Cluster<'_>,
        described: Described,
        matrix: &str,
        rank: u32,
        acting: &Acting<'_>,
        thread: u32,
    ) -> Result<Tile, FindingKind> {
        let word = described.word;
        let invalid = |why: String| broken(TensorRule::Descriptor { matrix: matrix.to_owned(), word, why });
        let of_k = i64::from(described.extents[1] * described.bits / 8);
        SmemDescriptor::check(described.of, word, described.major, of_k).map_err(invalid)?;
        let tile = cluster.lend_tile(described, rank, acting, thread);
        tile.unwrap_or_else(|| Err(invalid("it describes no tile of this shape".to_owned())))
    }
}

/// The columns of B that count as zero.
fn zeros_of(word: u64, model: &Tcgen05Mma) -> Result<Vec<bool>, FindingKind> {
    let [m, n, _] = model.descriptor().shape;
    let columns = zero_columns(word, [m, n]);
    let (first, zeros) =
        columns.map_err(|field| broken(TensorRule::ColumnMask { word, broken: field.to_string() }))?;
    if first > 0 {
        let what = format!("a zero-column mask that shifts B by {first} columns");
        return Err(broken(TensorRule::NotModelled { what }));
    }
    Ok(zeros)
}

//! Operations that a thread issues to the tensor cores, and the checks that are possible at that
//! time.

use super::access::{peer_of, reach_tensor, watch_tensor};
use super::complete::{issued_before, pipelined, tensor_queue, use_tensor_core};
use super::model::Tcgen05Mma;
use super::op::{TensorMma, TensorOperand};
use super::queue::{Accumulated, Asked, Multiply, TensorMatrix, TensorWork};
use super::words::{broken, lane_and_column, moved};
use crate::events::{Subject, Task, Work};
use crate::finding::{AccessKind, FindingKind, LaneFinding, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::TensorParts;
use crate::memory::address::SHARED;
use crate::memory::tensor::word;
use crate::program::Slot;
use crate::race::{Acting, Needs, Reach, View};
use crate::schedule::Schedule;
use crate::tensor::tiles::{Described, Tile};
use crate::tensor::tmem::Rect;
use cute_arch::atoms::{InstructionDescriptor, Tcgen05Group, zero_columns};
use cute_arch::smem::{DescriptorOf, SmemDescriptor};
use std::rc::Rc;

/// The addresses of scale factors, as findings name them.
const ADDRESSES: [&str; 2] = ["address of the scale factors of A", "address of the scale factors of B"];

/// With the eager schedule, executes the operations that the lane has issued.
pub(super) fn ask(lent: &mut TensorParts<'_, '_>, issuer: &Issuer, lane: u32) -> Result<(), LaneFinding> {
    lent.parts.engine.multiplies();
    if lent.parts.engine.schedule == Schedule::Eager {
        let done = use_tensor_core(lent, issuer.thread(lane), true);
        done.map_err(|(_, _, kind)| LaneFinding { lane, kind })?;
    }
    Ok(())
}

pub(super) fn multiply_tensor(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    mma: &TensorMma,
) -> Result<(), LaneFinding> {
    let (kernel, active) = (lent.parts.machine().kernel, own.issuer.lanes);
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
        own.registers.defined(kernel, slot, active, operand)?;
        lent.parts.journal.use_address(own.registers, &own.issuer, slot);
    }
    for lane in lanes_of(active) {
        multiply_one(lent, own, mma, lane).map_err(|kind| LaneFinding { lane, kind })?;
        ask(lent, &own.issuer, lane)?;
    }
    Ok(())
}

/// The blocks that take part.
pub(super) fn members_of(
    lent: &TensorParts<'_, '_>,
    issuer: &Issuer,
    group: Tcgen05Group,
) -> Result<Vec<u32>, FindingKind> {
    let rank = issuer.block.rank;
    if group != Tcgen05Group::Pair {
        return Ok(vec![rank]);
    }
    let peer = peer_of(lent, issuer)?;
    if !rank.is_multiple_of(2) {
        return Err(broken(TensorRule::OddBlock { rank }));
    }
    Ok(vec![rank, peer])
}

fn model_of(
    lent: &mut TensorParts<'_, '_>,
    mma: &TensorMma,
    instruction: u32,
) -> Result<Rc<Tcgen05Mma>, FindingKind> {
    let TensorMma { kind, group, .. } = *mma;
    let count = mma.scales.map(|scales| scales.count);
    let models = &mut lent.parts.engine.cores.models;
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
fn scales_at(model: &Tcgen05Mma, addresses: [u64; 2], d: (u32, u32)) -> Result<[(u32, u32); 2], FindingKind> {
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
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    mma: &TensorMma,
    lane: u32,
) -> Result<(), FindingKind> {
    let value = |slot: Slot| own.registers.get(slot)[lane as usize];
    let issuer = &own.issuer;
    let members = members_of(lent, issuer, mma.group)?;
    let model = model_of(lent, mma, value(mma.instruction) as u32)?;
    let zeros = mma.zero_columns.map(|slot| zeros_of(value(slot), &model)).transpose()?;
    let d = lane_and_column(value(mma.d));
    let addresses = mma.scales.map_or([0; 2], |scales| scales.addresses.map(value));
    let factors = scales_at(&model, addresses, d)?;
    let thread = own.issuer.thread(lane);
    let issued = own.issuer.issued(lent.parts.clocks, lane);
    let queue = tensor_queue(lent, thread);
    queue.multiplier.1 = issued.time;
    let (agent, copier) = (queue.multiplier.0, queue.copier.0);
    let view = lent.parts.view(own.issuer.thread(lane));
    let accumulated = Accumulated { site: own.issuer.site, time: issued.time, at: d, model: model.clone() };
    // Earlier operations are executed before: MMAs on this accumulator, and copies.
    let (copied, pipelined) = pipelined(lent, thread, &accumulated, &view);
    accumulate(lent, thread, accumulated, &view, agent)?;
    let pipelined = pipelined.knowing(&[agent, copier]);
    let copied = copied.knowing(&[copier]);
    let acting = |kind, view, needs| {
        let who = own.issuer.who(lent.parts.scene(), SHARED, kind, Reach::default());
        Acting { who, lane, agent, time: issued.time, view, needs }
    };
    let reads = acting(AccessKind::AsyncRead, &view, Needs::Fence { global: false });
    let loads = acting(AccessKind::TensorRead, &copied, Needs::Order);
    let accumulators = acting(AccessKind::TensorWrite, &pipelined, Needs::Order);
    let mut blocks = Vec::new();
    for rank in members {
        if rank != own.issuer.block.rank {
            if lent.parts.shared.has_ended(rank) {
                return Err(FindingKind::Exited { place: lent.parts.scene().window_of(rank), commit: None });
            }
            lent.parts.engine.cores.reached.insert((rank, agent), (issued, None));
        }
        let extents = model.parts().map(|extent| [extent, model.descriptor().shape[2]]);
        let tile = |lent: &mut TensorParts<'_, '_>, matrix: usize, word: u64| {
            let major = model.descriptor().majors[matrix];
            let described = Described {
                of: DescriptorOf::Tcgen05,
                word,
                major,
                extents: extents[matrix],
                bits: model.bits(),
            };
            tensor_tile(lent, described, ["A", "B"][matrix], rank, &reads, thread)
        };
        let a = match mma.a {
            TensorOperand::Shared(slot) => TensorMatrix::Shared(tile(lent, 0, value(slot))?),
            TensorOperand::Tensor(slot) => {
                let at = lane_and_column(value(slot));
                if model.a_rects().is_empty() {
                    let what = format!("{} in tensor memory", model.descriptor().a);
                    return Err(broken(TensorRule::NotModelled { what }));
                }
                let rects = || model.a_rects().iter().map(|rect| moved(*rect, at));
                reach_tensor(lent, &own.issuer, rank, rects())?;
                watch_tensor(lent, &own.issuer, rank, rects(), &loads);
                TensorMatrix::Tensor(word(at.0, at.1))
            }
        };
        let b = tile(lent, 1, value(mma.b))?;
        for (matrix, at) in factors.into_iter().enumerate() {
            let of_matrix = model.scales().map(|scales| scales.rects(matrix));
            let rects = || of_matrix.iter().flat_map(Clone::clone).map(|rect| moved(rect, at));
            reach_tensor(lent, &own.issuer, rank, rects())?;
            watch_tensor(lent, &own.issuer, rank, rects(), &loads);
        }
        let rects = || model.d_rects().iter().map(|rect| moved(*rect, d));
        reach_tensor(lent, &own.issuer, rank, rects())?;
        watch_tensor(lent, &own.issuer, rank, rects(), &accumulators);
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
    lent.parts.journal.about(|scene| {
        let own = multiply.blocks.iter().find(|(rank, ..)| *rank == own.issuer.block.rank);
        let tiles = own.into_iter().flat_map(|(_, a, b)| match a {
            TensorMatrix::Shared(a) => vec![a, b],
            TensorMatrix::Tensor(_) => vec![b],
        });
        let shared = tiles.filter_map(|tile| scene.part_of(tile)).collect();
        Subject { shape: Some(multiply.model.descriptor().shape), shared, ..Subject::default() }
    });
    lent.parts.journal.tell_issue((thread, issued.site), task, Work::Multiply, 0, None);
    let work = TensorWork::Multiply(Box::new(multiply));
    let after = issued_before(lent, thread, &view);
    tensor_queue(lent, thread).pending.push_back(Asked { issued, work, after });
    lent.parts.journal.changes(1);
    Ok(())
}

/// An MMA on an accumulator: others that overlap it must be over, unless they are alike.
fn accumulate(
    lent: &mut TensorParts<'_, '_>,
    thread: u32,
    own: Accumulated,
    view: &View,
    agent: u32,
) -> Result<(), FindingKind> {
    let queue = tensor_queue(lent, thread);
    queue.accumulators.retain(|before| !view.knows(agent, before.time));
    if let Some(before) = queue.accumulators.iter().find(|before| before.clashes(&own)) {
        let site = before.site;
        let (op, location) = lent.parts.scene().site(site);
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
    lent: &mut TensorParts<'_, '_>,
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
    let tile = lent.parts.lend_tile(described, rank, acting, thread);
    tile.unwrap_or_else(|| Err(invalid("it describes no tile of this shape".to_owned())))
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

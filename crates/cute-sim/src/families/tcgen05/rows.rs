//! The issue of a copy of rows from shared memory to tensor memory.

use super::access::{reach_tensor, watch_tensor};
use super::complete::{issued_before, tensor_queue};
use super::issue::{ask, members_of, tensor_tile};
use super::op::RowCopy;
use super::queue::{Asked, TensorWork};
use super::words::{broken, lane_and_column};
use crate::events::{Task, Work};
use crate::finding::{AccessKind, FindingKind, LaneFinding, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::TensorParts;
use crate::memory::address::SHARED;
use crate::memory::tensor::word;
use crate::program::Slot;
use crate::race::{Acting, Needs, Reach};
use crate::tensor::tiles::Described;
use crate::tensor::tmem::{Rect, TENSOR_LANES, rects};
use cute_arch::atoms::{Broadcast, Major, Tcgen05Group};
use cute_arch::smem::DescriptorOf;

pub(super) fn copy_rows(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    (address, source): (Slot, Slot),
    rows: RowCopy,
    pair: bool,
) -> Result<(), LaneFinding> {
    let (kernel, active) = (lent.parts.machine().kernel, own.issuer.lanes);
    own.registers.defined(kernel, address, active, "address")?;
    own.registers.defined(kernel, source, active, "descriptor of the source")?;
    lent.parts.journal.use_address(own.registers, &own.issuer, source);
    for lane in lanes_of(active) {
        let at = |slot: Slot| own.registers.get(slot)[lane as usize];
        copy_one(lent, &own.issuer, (at(address), at(source)), rows, pair, lane)
            .map_err(|kind| LaneFinding { lane, kind })?;
        ask(lent, &own.issuer, lane)?;
    }
    Ok(())
}

fn copy_one(
    lent: &mut TensorParts<'_, '_>,
    issuer: &Issuer,
    (address, source): (u64, u64),
    shape: RowCopy,
    pair: bool,
    lane: u32,
) -> Result<(), FindingKind> {
    let group = if pair { Tcgen05Group::Pair } else { Tcgen05Group::One };
    let members = members_of(lent, issuer, group)?;
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
    let thread = issuer.thread(lane);
    let issued = issuer.issued(lent.parts.clocks, lane);
    let queue = tensor_queue(lent, thread);
    queue.copier.1 = issued.time;
    let (agent, multiplier) = (queue.copier.0, queue.multiplier.0);
    let view = lent.parts.view(issuer.thread(lane));
    // Kernels rely on the order of issue for MMAs to have read what a copy overwrites.
    let pipelined = view.knowing(&[agent, multiplier]);
    let acting = |kind, view, needs| {
        let who = issuer.who(lent.parts.scene(), SHARED, kind, Reach::default());
        Acting { who, lane, agent, time: issued.time, view, needs }
    };
    let reads = acting(AccessKind::AsyncRead, &view, Needs::Fence { global: false });
    let writes = acting(AccessKind::TensorWrite, &pipelined, Needs::Order);
    let mut blocks = Vec::new();
    for rank in members {
        if rank != issuer.block.rank {
            if lent.parts.shared.has_ended(rank) {
                return Err(FindingKind::Exited { place: lent.parts.scene().window_of(rank), commit: None });
            }
            lent.parts.engine.cores.reached.insert((rank, agent), (issued, None));
        }
        let described = Described {
            of: DescriptorOf::Tcgen05,
            word: source,
            major: Major::K,
            extents: [rows, bits / 8],
            bits: 8,
        };
        let tile = tensor_tile(lent, described, "the source", rank, &reads, thread)?;
        reach_tensor(lent, issuer, rank, touched.iter().copied())?;
        watch_tensor(lent, issuer, rank, touched.iter().copied(), &writes);
        blocks.push((rank, tile));
    }
    let words = (0..rows).map(|row| lanes(row).into_iter().map(|lane| word(lane, at.1)).collect());
    let (task, bytes) = (Task::Tensor(issued.time), u64::from(rows * bits / 8));
    lent.parts.journal.tell_issue((thread, issued.site), task, Work::ToTensor, bytes, None);
    let work = TensorWork::Copy { blocks, words: words.collect() };
    let after = issued_before(lent, thread, &view);
    tensor_queue(lent, thread).pending.push_back(Asked { issued, work, after });
    lent.parts.journal.changes(1);
    Ok(())
}

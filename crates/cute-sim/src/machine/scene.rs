//! The scene of a cluster: which launch, which cluster and which block run, and so the names of
//! instructions, threads and memory in findings and events. It is a copy of what does not change
//! during an instruction, so that whoever names something needs no other part of the cluster.

use super::WARP;
use super::device::Machine;
use crate::block::BlockId;
use crate::events::{Act, Actor};
use crate::families::mbarrier::barrier::BYTES as BARRIER_BYTES;
use crate::finding::{AccessKind, FindingKind, Party, Place};
use crate::memory::address::{
    CLUSTER, CONSTANT, GLOBAL, LOCAL, Parts, RANK_SHIFT, SHARED, SHARED_BASE, parts,
};
use crate::memory::span::Span;
use crate::names::readable;
use crate::race::Who;
use crate::registers::unknown::{Local, local_place};
use crate::shared::Windows;
use crate::tensor::tiles::Tile;
use cute_arch::space::PARAMETER;
use cute_machine::place::SourcePlace;

#[derive(Clone, Copy)]
pub(crate) struct Scene<'m> {
    machine: &'m Machine<'m>,
    /// The number of the cluster in the grid.
    number: u32,
    /// The block whose warp runs.
    block: BlockId,
    blocks: u32,
    windows: Windows,
}

impl<'m> Scene<'m> {
    /// That of a cluster whose first block runs.
    pub(super) fn new(machine: &'m Machine<'m>, number: u32) -> Self {
        Scene {
            machine,
            number,
            block: machine.block_id(number, 0),
            blocks: machine.cluster_blocks(),
            windows: Windows::new(machine.shared_stride()),
        }
    }

    pub(crate) fn machine(&self) -> &'m Machine<'m> {
        self.machine
    }
}

impl Scene<'_> {
    /// A warp of this block runs.
    pub(super) fn run(&mut self, block: BlockId) {
        self.block = block;
    }

    /// The block whose warp runs.
    #[inline]
    pub(crate) fn block(&self) -> BlockId {
        self.block
    }

    /// The number of the cluster in the grid.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Whether no other block accesses the shared memory.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.blocks == 1
    }

    /// The places of the blocks' windows in the shared memory of the cluster.
    #[inline]
    pub(crate) fn windows(&self) -> Windows {
        self.windows
    }

    /// The block of a thread of the cluster.
    pub(crate) fn block_of(&self, thread: u32) -> BlockId {
        let rank = thread / (self.machine.warps() * WARP);
        self.machine.block_id(self.number, rank)
    }

    /// A thread's position in its block.
    pub(crate) fn thread(&self, number: u32) -> [u32; 3] {
        let [bx, by, _] = self.machine.launch.block;
        let number = number % (self.machine.warps() * WARP);
        [number % bx, number / bx % by, number / bx / by]
    }

    /// The number in the cluster of the thread that accesses memory in a lane.
    pub(crate) fn thread_of(&self, who: &Who, lane: u32) -> u32 {
        (who.rank * self.machine.warps() + who.warp) * WARP + lane
    }

    /// Name and place of an instruction.
    pub(crate) fn site(&self, pc: u32) -> (String, SourcePlace) {
        match self.machine.kernel.sites.get(pc as usize) {
            Some(site) => (site.op.to_string(), site.location.clone()),
            None => (self.machine.kernel.name.clone(), SourcePlace::default()),
        }
    }

    /// A thread and its instruction as the other side of a finding, which accesses memory so.
    pub(crate) fn party(&self, (thread, site): (u32, u32), access: AccessKind) -> Party {
        let (op, location) = self.site(site);
        let (block, thread) = (self.block_of(thread).position, self.thread(thread));
        Party { access, op, location, block, thread, completion: None }
    }

    /// An instruction of a thread of the cluster, as events name it.
    pub(crate) fn act_of(&self, thread: u32, site: u32) -> Act {
        let warp = thread / WARP;
        let by = Actor { rank: warp / self.machine.warps(), warp: warp % self.machine.warps() };
        Act { by, lanes: 1 << (thread % WARP), site }
    }
}

/// The places of memory.
impl Scene<'_> {
    /// The rank of the block and the address in its window for an address of shared memory. For
    /// other addresses, the byte.
    pub(crate) fn block_and_byte(&self, parts: &Parts) -> (u32, i64) {
        if parts.space == SHARED && !self.is_alone() {
            let rank = parts.byte >> RANK_SHIFT;
            if (0..i64::from(self.blocks)).contains(&rank) {
                return (rank as u32, parts.byte & ((1 << RANK_SHIFT) - 1));
            }
        }
        (self.block.rank, parts.byte)
    }

    /// Whether a generic address is of this space: of shared memory, that of the own block. The
    /// parameters of a kernel, which are constants here, are in global memory for PTX.
    pub(crate) fn is_in_space(&self, address: u64, space: u32) -> bool {
        let Ok(parts) = parts(address, 0) else { return false };
        let constant = || self.machine.constants.get(parts.allocation as usize);
        let is_parameter = parts.space == CONSTANT
            && constant().is_some_and(|constant| matches!(constant.place, Place::Parameter(_)));
        match space {
            PARAMETER => is_parameter,
            GLOBAL | CONSTANT if is_parameter => space == GLOBAL,
            CLUSTER => parts.space == SHARED,
            SHARED => parts.space == SHARED && self.block_and_byte(&parts).0 == self.block.rank,
            _ => parts.space == space,
        }
    }

    /// The rank of the block that an address of shared memory belongs to.
    pub(crate) fn rank_of(&self, address: u64, space: u32) -> Result<u32, FindingKind> {
        match parts(address, space)? {
            parts if parts.space == SHARED => Ok(self.block_and_byte(&parts).0),
            _ => Err(FindingKind::WrongSpace { address, expected: CLUSTER }),
        }
    }

    /// Number, address and size of a shared object: the one that the pointer names or, for a bare
    /// address (0), the one at that address, or else the whole window.
    pub(crate) fn shared_object(&self, number: u32, address: i64, bytes: u64) -> Option<(u32, u64, u64)> {
        let dynamic = u64::from(self.machine.launch.dynamic_shared);
        let object = |n: u32| {
            let object = self.machine.kernel.shared.get(n.checked_sub(1)? as usize)?;
            Some((n, object.address, object.size.unwrap_or(dynamic)))
        };
        if number > 0 {
            return object(number);
        }
        let holds = |(_, start, size): &(u32, u64, u64)| {
            u64::try_from(address).is_ok_and(|a| *start <= a && a.saturating_add(bytes) <= start + size)
        };
        let objects = 1..=self.machine.kernel.shared.len() as u32;
        let found = objects.filter_map(object).find(holds);
        Some(found.unwrap_or_else(|| (0, SHARED_BASE, self.machine.shared_bytes())))
    }

    /// The allocation of a span; one of local memory is among `locals`.
    pub(crate) fn place(&self, locals: &[Local], span: Span) -> Place {
        let Span { space, allocation, start, .. } = span;
        let place = self.own_place(locals, space, allocation);
        match self.windows.rank_of(start) {
            rank if space == SHARED && !self.is_alone() && rank != self.block.rank => {
                Place::OfBlock { rank, place: Box::new(place) }
            }
            _ => place,
        }
    }

    pub(crate) fn global_place(&self, buffer: u32) -> Place {
        self.own_place(&[], GLOBAL, buffer)
    }

    fn own_place(&self, locals: &[Local], space: u32, allocation: u32) -> Place {
        let (kernel, index) = (self.machine.kernel, allocation as usize);
        match space {
            GLOBAL => {
                let name = self.machine.names.get(&allocation).cloned();
                Place::Buffer { number: allocation, name }
            }
            CONSTANT => {
                let constant = self.machine.constants.get(index);
                constant.map_or_else(|| Place::Constant(String::new()), |c| c.place.clone())
            }
            LOCAL => local_place(kernel, locals.get(index).map_or(u32::MAX, |l| l.made)),
            _ => match index.checked_sub(1).and_then(|i| kernel.shared.get(i)) {
                Some(object) => {
                    Place::Shared { name: object.name.clone(), location: object.location.clone() }
                }
                None => Place::SharedWindow,
            },
        }
    }

    /// The allocation of a barrier in the cluster's shared memory, and its offset there.
    pub(crate) fn barrier_place(&self, at: usize) -> (Place, i64) {
        let (allocation, start, size) = self.object_at(at, BARRIER_BYTES as u64);
        let offset = (self.windows.address_of(at) - start) as i64;
        (self.place(&[], Span { space: SHARED, allocation, offset, start: at, size }), offset)
    }

    /// The place of an `mbarrier` in its block, as text.
    pub(crate) fn barrier_name(&self, at: usize) -> String {
        let (place, offset) = self.barrier_place(at);
        let place = match place {
            Place::OfBlock { place, .. } => *place,
            place => place,
        };
        match place {
            Place::Shared { name, .. } => format!("mbarrier at byte {offset} of {}", readable(&name)),
            _ => format!("mbarrier at byte {offset} of shared memory"),
        }
    }

    /// The place in its block of a byte of the cluster's shared memory.
    pub(crate) fn window_place(&self, at: usize) -> Place {
        self.own_place(&[], SHARED, self.object_at(at, 1).0)
    }

    /// All shared memory of a block.
    pub(crate) fn window_of(&self, rank: u32) -> Place {
        Place::OfBlock { rank, place: Box::new(Place::SharedWindow) }
    }

    /// Bytes of the cluster's shared memory as a part of a block's.
    pub(crate) fn in_window(&self, start: usize, bytes: usize) -> (u64, u64) {
        let start = (start % self.windows.stride()) as u64;
        (start, start + bytes as u64)
    }

    /// A tile as a part of its block's shared memory.
    pub(crate) fn part_of(&self, tile: &Tile) -> Option<(u64, u64)> {
        let (runs, origin) = (tile.tile.runs(), tile.origin);
        let ((first, _), (last, bytes)) = (*runs.first()?, *runs.last()?);
        Some(self.in_window(origin + first as usize, (last + bytes - first) as usize))
    }

    /// Number, address and size of the shared object at some bytes of the cluster's shared memory.
    fn object_at(&self, at: usize, bytes: u64) -> (u32, u64, u64) {
        let address = self.windows.address_of(at);
        self.shared_object(0, address as i64, bytes).unwrap_or((0, SHARED_BASE, 0))
    }
}

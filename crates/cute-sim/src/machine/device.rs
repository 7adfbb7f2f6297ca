//! The state that all clusters of a launch share.

use super::counters::Counters;
use super::launch::Given;
use super::starts::{Start, Starts};
use super::{Launch, WARP};
use crate::heap::Heap;
use crate::lanes::Lanes;
use crate::memory::Memory;
use crate::memory::address::SHARED_BASE;
use crate::memory::room::Room;
use crate::memory::tensor::TensorMemory;
use crate::memory::words::Words;
use crate::program::{Constant, Kernel, Op};
use crate::race::{Beside, Cell, FenceSpaces, GlobalShadow, SyncTable};
use crate::report::Sample;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Instructions that a cluster takes from the budget at once.
const ALLOWANCE: u64 = 1 << 16;

/// Bytes that the resident clusters may take, and the number of clusters that may always be
/// resident.
const RESIDENT_BYTES: u64 = 2 << 30;
const AT_LEAST_RESIDENT: u64 = 64;

/// The waits in vain of a launch for stores of other host threads.
const PATIENCE: u32 = 16;

pub(crate) struct Machine<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) launch: &'a Launch,
    /// Blocks of a cluster in x, y, z.
    pub(crate) cluster: [u32; 3],
    pub(crate) buffers: &'a [Words],
    room: &'a Room,
    /// The address of the memory in which the blocks of a cooperative launch meet, or 0.
    pub(crate) workspace: u64,
    /// The heap of the device, if a kernel has used it.
    pub(crate) heap: Option<Arc<Heap>>,
    /// The kernel's constants, with the parameters of this launch.
    pub(crate) constants: Vec<Constant>,
    /// Names of buffers.
    pub(crate) names: &'a BTreeMap<u32, String>,
    /// The number of the launch among those of its memory, from 1 on.
    pub(crate) number: u32,
    /// Earlier launches that this one may begin beside.
    pub(crate) beside: Option<Beside>,
    pub(crate) shadow: GlobalShadow,
    /// The knowledge that atomic and volatile accesses of global memory publish.
    pub(crate) sync: Mutex<SyncTable>,
    pub(crate) fences: FenceSpaces,
    /// Whether there are relaxed operations that fences may order.
    pub(crate) relaxes: bool,
    /// Whether atomic or volatile accesses may order others, and whether they do so in scopes that
    /// are narrower than the device.
    pub(crate) orders: bool,
    pub(crate) has_narrow_scopes: bool,
    /// Whether there is some at mbarriers.
    pub(crate) relaxes_mbarriers: bool,
    /// Whether each instruction is a wait for a phase that lasts; empty if none is.
    lasting: Vec<bool>,
    /// Registers that a warp begins with.
    pub(crate) registers: Vec<Lanes>,
    /// For each register, the lanes in which it is initially undefined.
    pub(crate) undefined: Vec<u32>,
    /// The numbers of the clusters that run, in order, if not all of them do.
    only: Option<Vec<u32>>,
    /// Clusters that have not begun.
    waiting: Mutex<Starts>,
    budget: AtomicU64,
    /// Bytes of output that clusters keep.
    pub(crate) printed: AtomicUsize,
    /// How often threads may still wait in vain for stores of other host threads.
    patience: AtomicU32,
    /// Place of the first cluster that could not continue; later clusters need not run.
    stopped: AtomicU64,
}

impl<'a> Machine<'a> {
    /// Whether the values of a load are followed.
    #[inline]
    pub(crate) fn follows(&self, site: u32) -> bool {
        !self.launch.followed_loads.is_empty() && self.followed_number(site).is_some()
    }

    /// The place of a load among those that are followed.
    pub(crate) fn followed_number(&self, site: u32) -> Option<usize> {
        self.launch.followed_loads.binary_search(&site).ok()
    }

    pub(crate) fn new(
        kernel: &'a Kernel,
        launch: &'a Launch,
        given: Given,
        memory: &'a Memory,
        (workspace, beside): (u64, Option<Beside>),
    ) -> Self {
        let Given { registers, constants } = given;
        let mut undefined = vec![0; registers.len()];
        for slot in kernel.undefined.iter().flat_map(|(slots, _)| slots.clone()) {
            undefined[slot as usize] = u32::MAX;
        }
        let cluster = launch.cluster(kernel);
        let clusters: [u32; 3] = std::array::from_fn(|axis| launch.grid[axis] / cluster[axis]);
        let only = launch.only_blocks.as_ref().map(|blocks| {
            let at = |block: &[u32; 3], axis: usize| block[axis] / cluster[axis];
            let number = |b: &[u32; 3]| at(b, 0) + clusters[0] * (at(b, 1) + clusters[1] * at(b, 2));
            let numbers: BTreeSet<u32> = blocks.iter().map(number).collect();
            numbers.into_iter().collect::<Vec<_>>()
        });
        let count = only.as_ref().map_or(clusters.iter().product(), |only| only.len() as u32);
        let Memory { buffers, room, names, heap, .. } = memory;
        let lengths = buffers.iter().map(|b| if launch.check_races { b.len() } else { 0 });
        let mut machine = Machine {
            kernel,
            launch,
            cluster,
            buffers,
            room,
            workspace,
            heap: heap.clone(),
            constants,
            names,
            shadow: GlobalShadow::new(lengths, beside.clone(), heap.clone()),
            sync: Mutex::new(beside.as_ref().map_or_else(SyncTable::default, Beside::sync)),
            number: memory.launches.count(),
            beside,
            fences: kernel.fences(),
            relaxes: kernel.code.iter().any(Op::is_relaxed) || kernel.strong_accesses().next().is_some(),
            orders: launch.check_races && kernel.atomics_order(),
            has_narrow_scopes: kernel.has_narrow_scopes(),
            relaxes_mbarriers: kernel.code.iter().any(|op| matches!(op, Op::Mbarrier(_)) && op.is_relaxed()),
            lasting: kernel.lasting_waits(),
            registers: registers.iter().map(|bits| [*bits; WARP as usize]).collect(),
            undefined,
            only,
            waiting: Mutex::new(Starts::new(launch.schedule, 0, 1)),
            budget: AtomicU64::new(launch.budget),
            printed: AtomicUsize::new(0),
            patience: AtomicU32::new(if launch.host_threads.is_some_and(|n| n.get() == 1) {
                0
            } else {
                PATIENCE
            }),
            stopped: AtomicU64::new(u64::MAX),
        };
        let starts = Starts::new(launch.schedule, count, machine.most_resident());
        machine.waiting = Mutex::new(starts);
        machine
    }

    /// Waits for a store of another host thread, unless that was in vain too often: then the values
    /// of races differ, and waiting takes time only. Returns what the wait returns.
    pub(crate) fn waits_for_stores(&self, wait: impl FnOnce() -> bool) -> bool {
        let left = self.patience.load(Relaxed);
        if left == 0 || wait() {
            return left > 0;
        }
        self.patience.store(left - 1, Relaxed);
        false
    }

    /// Whether there are waits for phases that last, and whether this instruction is one.
    pub(crate) fn has_lasting_waits(&self) -> bool {
        !self.lasting.is_empty()
    }

    pub(crate) fn lasts(&self, pc: u32) -> bool {
        self.lasting.get(pc as usize).is_some_and(|lasts| *lasts)
    }

    /// Clusters that are resident together, if there are enough of them: all of a cooperative
    /// launch, which a device refuses otherwise.
    pub(crate) fn most_resident(&self) -> u32 {
        if self.launch.cooperative {
            return u32::MAX;
        }
        let most = (RESIDENT_BYTES / self.cluster_bytes().max(1)).max(AT_LEAST_RESIDENT);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// Bytes of a block's shared memory.
    pub(crate) fn shared_bytes(&self) -> u64 {
        self.kernel.shared_end(self.launch.dynamic_shared) - SHARED_BASE
    }

    /// Bytes between adjacent blocks' windows in the shared memory of a cluster. Windows begin at
    /// rows of banks.
    pub(crate) fn shared_stride(&self) -> usize {
        let bytes = self.shared_bytes() as usize;
        if self.cluster_blocks() == 1 { bytes } else { bytes.next_multiple_of(128) }
    }

    /// Counters of a cluster.
    pub(crate) fn counters(&self) -> Counters {
        let counters = Counters::new(self.kernel.code.len());
        match self.launch.count_banks {
            true => counters.with_banks(self.kernel, self.launch.dynamic_shared, self.shared_stride()),
            false => counters,
        }
    }

    /// Blocks of a cluster.
    pub(crate) fn cluster_blocks(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Clusters of the grid in x, y, z.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        std::array::from_fn(|axis| self.launch.grid[axis] / self.cluster[axis])
    }

    /// Threads of a block, and its warps.
    pub(crate) fn threads(&self) -> u32 {
        self.launch.block.iter().product()
    }

    pub(crate) fn warps(&self) -> u32 {
        self.threads().div_ceil(WARP)
    }

    /// The approximate memory of a cluster on the host: registers, counters, shared and tensor
    /// memory and their shadows.
    pub(crate) fn cluster_bytes(&self) -> u64 {
        let blocks = u64::from(self.cluster_blocks());
        let warps = blocks * u64::from(self.warps());
        let cell = size_of::<Cell>() as u64;
        // A warp may have a second state to compare with.
        let registers = 2 * warps * self.registers.len() as u64 * size_of::<Lanes>() as u64;
        let has_tensor_memory = self.kernel.code.iter().any(|op| matches!(op, Op::Tcgen05(_)));
        let tensor = if has_tensor_memory { blocks * TensorMemory::bytes() } else { 0 };
        registers
            + self.kernel.code.len() as u64 * 96
            + blocks * self.shared_bytes() * (2 + cell / 4)
            + tensor
    }

    fn waiting(&self) -> MutexGuard<'_, Starts> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are clusters that have yet to begin.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.is_stopped() && self.waiting().len() > 0
    }

    /// The next cluster begins, unless an earlier one could not continue: a cluster begins after
    /// all that have earlier places.
    pub(crate) fn begin(&self) -> Option<Start> {
        if self.is_stopped() { None } else { self.waiting().next().map(|start| self.numbered(start)) }
    }

    /// With the number of the cluster in the grid.
    fn numbered(&self, start: Start) -> Start {
        let number = self.only.as_ref().map_or(start.number, |only| only[start.number as usize]);
        Start { number, ..start }
    }

    /// The number of clusters that run.
    pub(crate) fn running(&self) -> u32 {
        self.only.as_ref().map_or_else(|| self.clusters().iter().product(), |only| only.len() as u32)
    }

    /// The part of the grid that runs, if not all of it does.
    pub(crate) fn sample(&self) -> Option<Sample> {
        let clusters = self.only.as_ref()?.len() as u64;
        let blocks = clusters * u64::from(self.cluster_blocks());
        Some(Sample { blocks, of: self.launch.grid.iter().map(|n| u64::from(*n)).product() })
    }

    /// Clusters that never began, because an earlier one could not continue.
    pub(crate) fn left(&self) -> u32 {
        if self.is_stopped() { self.waiting().len() as u32 } else { 0 }
    }

    /// Cancels a cluster that has not begun: the position of its first block. `when` distinguishes
    /// requests.
    pub(crate) fn cancel(&self, when: u64) -> Option<[u32; 3]> {
        if self.launch.schedule.refuses(when) {
            return None;
        }
        let canceled = self.waiting().next();
        canceled.map(|start| self.position(self.numbered(start).number * self.cluster_blocks()))
    }

    /// Some instructions of the budget; `None` if it is used up.
    pub(crate) fn allowance(&self) -> u64 {
        if self.launch.stop.is_requested() || self.room.is_full() {
            return 0;
        }
        let take = |left: u64| Some(left - left.min(ALLOWANCE));
        let before = self.budget.fetch_update(Relaxed, Relaxed, take).unwrap_or(0);
        before.min(ALLOWANCE)
    }

    /// Instructions that were not needed.
    pub(crate) fn give_back(&self, instructions: u64) {
        self.budget.fetch_add(instructions, Relaxed);
    }

    /// The cluster at this place cannot continue.
    pub(crate) fn stop_at(&self, place: u32) {
        self.stopped.fetch_min(place.into(), Relaxed);
    }

    /// Whether any cluster has a finding after which it could not continue.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) != u64::MAX
    }

    /// Whether a cluster at an earlier place has one.
    pub(crate) fn is_stopped_before(&self, place: u32) -> bool {
        self.stopped.load(Relaxed) < place.into()
    }
}

impl Machine<'_> {
    /// Registers per thread when the kernel begins: all that are available, but not more than the
    /// kernel ever requests.
    pub(crate) fn registers_at_launch(&self) -> u32 {
        if let Some(bounded) = self.kernel.bounded_registers() {
            return bounded;
        }
        let blocks = self.kernel.min_blocks.unwrap_or(1).max(1);
        let threads = self.warps().saturating_mul(blocks).saturating_mul(WARP);
        // Registers are allocated by eights.
        let all = self.launch.target.registers_per_thread_of_block(threads).next_multiple_of(8);
        self.kernel.asked_registers().max().map_or(all, |most| most.min(all))
    }
}

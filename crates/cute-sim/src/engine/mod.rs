//! Asynchronous operations, which execute independently of the threads that issue them.
//!
//! A thread issues a *request*. The request is executed at some time between its issue and the
//! point where something waits for it; the schedule of the launch chooses when. Only a *completion
//! object* shows that it is complete:
//!
//! | object | the request is | who may wait |
//! |---|---|---|
//! | group of a thread ([`cp_async`](crate::families::cp_async)) | issued, and committed to the group | the same thread, for all but the youngest groups |
//! | group of a warp ([`wgmma`](crate::families::wgmma)) | an MMA of its warpgroup, and committed | the same warp, for all but the youngest groups |
//! | `tcgen05.wait` of a warp ([`tcgen05`](crate::families::tcgen05)) | a load or store of tensor memory, issued | the same warp |
//! | `mbarrier` ([`mbarrier`](crate::families::mbarrier)) | counted in a phase: as an arrival, by its bytes, or by a later `tcgen05.commit` | any thread of the block, for the phase |
//!
//! Happens-before comes only from barriers, groups, mbarriers, commits and fences. Until some
//! thread has waited for a request, its accesses belong to an *agent* of the completion object,
//! which has its own component in the clocks ([`race`](crate::race)): a barrier of the issuing
//! thread does not order them.
//!
//! Memory has two observers: the generic proxy (loads, stores, `cp.async`, everything that a thread
//! does itself) and the async proxy (the accesses of TMA, `wgmma` and `tcgen05`). A generic write
//! is ordered with an access of the async proxy only if a `fence.proxy.async` lies on the path
//! between them. The clocks track that in addition to happens-before: see `Clocks::fence_proxy`.

pub(crate) mod landing;
pub(crate) mod swizzles;

use crate::course::{Course, Past};
use crate::families::bulk::outbox::Outboxes;
use crate::families::cp_async::queue::Copies;
use crate::families::mbarrier::barrier::Mbarriers;
use crate::families::tcgen05::queue::TensorCores;
use crate::families::tensor_map::fences::MapFences;
use crate::families::wgmma::queue::Warpgroups;
use crate::race::Relaxed;
use crate::race::TensorOrder;
use crate::schedule::Schedule;
use crate::tensor::tiles::Tiles;
use landing::Landings;
use std::rc::Rc;
use swizzles::BoxSwizzles;

/// The asynchronous operations of a cluster.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) schedule: Schedule,
    /// Copies of threads, by `cp.async`.
    pub(crate) copies: Copies,
    /// Operations whose bytes barriers count.
    pub(crate) landings: Landings,
    /// Bulk copies from shared memory.
    pub(crate) outboxes: Outboxes,
    /// MMAs of the warpgroups.
    pub(crate) warpgroups: Warpgroups,
    pub(crate) tiles: Tiles,
    /// The swizzles with which copies of boxes fill shared memory.
    pub(crate) box_swizzles: BoxSwizzles,
    /// Operations of the tensor cores.
    pub(crate) cores: TensorCores,
    /// The order of accesses to tensor memory that fences make.
    pub(crate) tensor_order: TensorOrder,
    /// Whether there may be MMAs that the schedule is free to execute.
    may_multiply: bool,
    pub(crate) barriers: Mbarriers,
    pub(crate) maps: MapFences,
    pub(crate) relaxed: Relaxed,
    /// The order of execution, in a kernel with waits for phases that last.
    pub(crate) course: Option<Box<Course>>,
}

impl Engine {
    /// An engine for this number of warps.
    pub(crate) fn new(schedule: Schedule, warps: u32) -> Self {
        Engine {
            schedule,
            copies: Copies::new(warps),
            landings: Landings::default(),
            outboxes: Outboxes::default(),
            warpgroups: Warpgroups::default(),
            tiles: Tiles::new(),
            box_swizzles: BoxSwizzles::default(),
            cores: TensorCores::default(),
            tensor_order: TensorOrder::default(),
            may_multiply: false,
            barriers: Mbarriers::default(),
            maps: MapFences::default(),
            relaxed: Relaxed::default(),
            course: None,
        }
    }

    /// Whether there may be work that no thread waits for.
    pub(crate) fn has_news(&self) -> bool {
        self.may_multiply
            || self.cores.has_freed()
            || self.copies.following() > 0
            || self.landings.pending() > 0
            || self.barriers.have_news()
    }

    /// An operation of tensor cores is issued, which the schedule may be free to execute.
    pub(crate) fn multiplies(&mut self) {
        self.may_multiply |= matches!(self.schedule, Schedule::Random(_));
    }

    /// Some operations of tensor cores have been executed.
    pub(crate) fn has_multiplied(&mut self) {
        self.may_multiply = self.warpgroups.any_pending() || self.cores.any_pending();
    }

    /// The past of a thread's next act, if anything depends on it.
    pub(crate) fn past_of(&self, thread: u32) -> Option<Rc<Past>> {
        self.course.as_ref().map(|course| course.of(thread))
    }
}

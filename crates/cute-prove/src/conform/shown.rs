//! The events of a walk that the simulator tells, by the instruction.

use crate::trace::{Event, What};
use cute_sim::program::{Kernel, Op};

/// The event that the simulator tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Init,
    Expect,
    Arrive,
    /// A wait, or a test of a phase.
    Wait,
    /// A copy whose bytes a barrier counts.
    Load,
    /// A copy from shared memory, `cp.async`, or an operation of the tensor core.
    Issue,
    BlockArrive,
    ClusterArrive,
    /// A fence, a commit, or a barrier at which lanes meet.
    Order,
    /// A wait for groups of the lane's own operations.
    Complete,
}

/// The simulator's event for a lane's part in an event of a walk; `None` if it tells nothing.
pub fn shown(kernel: &Kernel, event: &Event, lane: u32) -> Option<Shown> {
    let op = kernel.code.get(event.pc as usize)?;
    Some(match &event.what {
        // Lanes that begin one barrier do it once.
        What::Init { .. } => (lane == event.lanes.trailing_zeros()).then_some(Shown::Init)?,
        What::Expect { .. } => Shown::Expect,
        What::Arrive { .. } => Shown::Arrive,
        What::Wait { .. } | What::Peek { .. } => Shown::Wait,
        What::Copy { .. } => Shown::Load,
        What::Block { waits: false, .. } => Shown::BlockArrive,
        What::Block { .. } | What::Group | What::ClusterWait => Shown::Order,
        What::ClusterArrive { .. } => Shown::ClusterArrive,
        What::Touch(_) => of_data(op)?,
        What::Meet | What::Together | What::Invalidate { .. } | What::Follow { .. } => return None,
        What::Write(_) | What::Read { .. } => return None,
    })
}

fn of_data(op: &Op) -> Option<Shown> {
    Some(match op {
        Op::Mbarrier(of) if of.is_fence() => Shown::Order,
        Op::Bulk(of) if of.commits() => Shown::Order,
        Op::Bulk(of) if of.waits() => Shown::Complete,
        Op::Bulk(of) if of.stores() => Shown::Issue,
        Op::CpAsync(of) if of.copies() => Shown::Issue,
        Op::CpAsync(of) if of.commits() => Shown::Order,
        Op::CpAsync(_) => Shown::Complete,
        Op::Wgmma(of) if of.orders() => Shown::Order,
        Op::Wgmma(of) if of.waits() => Shown::Complete,
        Op::Fence(_) => Shown::Order,
        Op::Tcgen05(of) if of.is_fence() => Shown::Order,
        Op::Tcgen05(of) if of.waits() => Shown::Complete,
        Op::Tcgen05(of) if of.issues() => Shown::Issue,
        _ => return None,
    })
}

/// Whether an instruction is one that a conforming run reaches, or that is listed: a wait, an
/// arrival, a fence or a copy.
pub fn is_compared(op: &Op) -> bool {
    match op {
        Op::Mbarrier { .. } | Op::Bulk(_) => true,
        Op::Barrier(of) => of.is_of_block(),
        Op::Cluster(of) => of.is_of_barrier(),
        Op::Tcgen05(of) => of.commits() || of_data(op).is_some(),
        op => of_data(op).is_some(),
    }
}

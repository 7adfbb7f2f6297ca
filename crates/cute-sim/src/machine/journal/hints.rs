//! Hints about races: which half of a pattern that orders two accesses is there, and which is
//! missing. They are worked out when a race has been found.

use super::orders::Orders;
use crate::finding::AccessKind;
use crate::machine::WARP;
use crate::machine::device::Machine;
use crate::program::{Kernel, Op, Slot};
use crate::race::{Order, Race, Record, Who};
use cute_arch::space::SHARED;
use std::collections::HashSet;

/// Instructions behind a load, at most, among which its value is followed.
const BEHIND: usize = 4096;

const TOGETHER: &str = "the lanes of that warp used the value in one instruction of the whole warp before another lane arrived: on a device \
                        the instruction waits for all of their loads, but PTX gives it no order of memory; what is missing is `bar.warp.sync` \
                        (`__syncwarp()`) before the arrival";

const UNACQUIRED: &str = "the release is there: behind a fence, the other thread wrote a value that a thread of this block has read; what is \
                          missing is the acquire: a fence (`fence.acq_rel.gpu`, `__threadfence()`) after that read, before this access";

const UNRELEASED: &str = "the acquire is there: a fence stands between this access and an atomic operation before it; what is missing is the \
                          release: a fence (`fence.acq_rel.gpu`, `__threadfence()`) after the write, before the atomic operation of that thread";

const INITIALISED: &str = "both threads initialise the mbarrier: let one thread of the block do it, one whose index is 0 in all dimensions, and \
                           let the others meet it at a barrier before they use it";

/// The advice about a race of two threads that initialise one mbarrier.
#[cold]
pub(super) fn both_initialise(kernel: &Kernel, who: &Who, race: &Race) -> Option<&'static str> {
    let initialises = |site: u32| {
        let op = kernel.code.get(site as usize);
        matches!(op, Some(Op::Mbarrier(op)) if op.initialises())
    };
    let both = !race.record.is_former() && initialises(who.site) && initialises(race.record.site);
    both.then_some(INITIALISED)
}

/// The half that is missing, if the other one is there. `thread` is that of the later access,
/// by its number in the cluster.
#[cold]
pub(super) fn missing_half(
    machine: &Machine<'_>,
    Orders { clocks, engine }: Orders<'_>,
    who: &Who,
    thread: u32,
    race: &Race,
) -> Option<&'static str> {
    let kernel = machine.kernel;
    let Race { record, thread: other, gap } = race;
    if gap.is_some() || record.is_former() || record.agent().is_some() {
        return None;
    }
    let lanes = clocks.first_of(record.made_by()).map(|first| {
        let warp = first + other - other % WARP;
        warp..warp + WARP
    });
    let another_is_ordered = lanes.is_some_and(|mut lanes| {
        lanes.any(|lane| lane != thread && clocks.knows(thread, lane, record.time()))
    });
    if record.kind.is_read() && another_is_ordered && is_used_together(kernel, record.site) {
        return Some(TOGETHER);
    }
    let block = who.rank * machine.warps() * WARP;
    let mut threads = block..block + machine.warps() * WARP;
    let released = threads.any(|own| engine.relaxed.has_heard(own, record, *other, clocks));
    if released {
        return Some(UNACQUIRED);
    }
    let is_elsewhere = record.made_by() != who.block && !record.kind.is_read();
    let is_half =
        is_elsewhere && is_published_unfenced(kernel, record.site) && is_behind_fence(kernel, who.site);
    is_half.then_some(UNRELEASED)
}

/// The order of an instruction that may synchronise: of a fence, or of an atomic access.
fn order_of(kernel: &Kernel, op: &Op) -> Option<(Order, bool)> {
    let access = match op {
        Op::Fence(op) => return op.order().map(|(_, order)| (order, true)),
        op => op.memory()?.access()?,
    };
    let access = &kernel.accesses[access as usize];
    (access.strong && access.space != SHARED).then_some((access.order, false))
}

/// Whether the next atomic operation behind a write has no release in front of it.
fn is_published_unfenced(kernel: &Kernel, site: u32) -> bool {
    let behind = kernel.code.iter().skip(site as usize + 1).take(BEHIND);
    let next = behind.filter_map(|op| order_of(kernel, op)).next();
    next.is_some_and(|(order, is_fence)| !is_fence && !order.release)
}

/// Whether an access has a fence in front of it that acquires, and that an atomic operation in
/// front of it.
fn is_behind_fence(kernel: &Kernel, site: u32) -> bool {
    let before = kernel.code[..site as usize].iter().rev().take(BEHIND);
    let mut orders = before.filter_map(|op| order_of(kernel, op));
    orders.next().is_some_and(|(order, is_fence)| is_fence && order.acquire)
        && orders.next().is_some_and(|(_, is_fence)| !is_fence)
}

/// Whether an instruction of the whole warp uses the value of this load, before a thread
/// arrives at a barrier.
fn is_used_together(kernel: &Kernel, site: u32) -> bool {
    let Some(load) = kernel.load(site) else { return false };
    let mut values: HashSet<Slot> = load.registers(&kernel.accesses).collect();
    for op in kernel.code.iter().skip(site as usize + 1).take(BEHIND) {
        match op {
            Op::Matrix(op) if op.factors().any(|slot| values.contains(&slot)) => return true,
            Op::Collective(op) if op.shuffled().is_some_and(|own| values.contains(&own.value)) => {
                return true;
            }
            Op::Mbarrier(op) if op.arrives_itself() => return false,
            op => follow(&mut values, kernel, op),
        }
    }
    false
}

/// Whether one side of a race is a load whose value an `atom.cas` of the same bytes expects,
/// and the other side an atomic operation: the load of a loop that updates a number. The atomic
/// operation compares again, so that it does not matter when the load was.
#[cold]
pub(super) fn is_compared(kernel: &Kernel, who: &Who, record: &Record) -> bool {
    let (load, other) = match (who.kind, record.kind) {
        (AccessKind::Read, AccessKind::Atomic) => (who.site, record.site),
        (AccessKind::Atomic, AccessKind::Read) => (record.site, who.site),
        _ => return false,
    };
    if record.is_former() || record.agent().is_some() {
        return false;
    }
    let Some(first) = kernel.load(load) else { return false };
    let bytes = |access: u32| kernel.accesses[access as usize].bytes;
    let mut values: HashSet<Slot> = first.registers(&kernel.accesses).collect();
    for (pc, op) in (load + 1..).zip(kernel.code.iter().skip(load as usize + 1)).take(BEHIND) {
        if let Some(exchange) = op.memory().and_then(|op| op.exchange())
            && values.contains(&exchange.expected)
        {
            // A loop behind it, which another thread is in, has the same address.
            let of_other = kernel.code.get(other as usize).and_then(Op::memory);
            let is_of_other = of_other.and_then(|op| op.updates()) == Some(exchange.address);
            let is_there = exchange.address == first.address || pc == other || is_of_other;
            return is_there && bytes(exchange.access) == bytes(first.access);
        }
        match op.memory().and_then(|op| op.store()) {
            Some(store) if store.registers(&kernel.accesses).any(|slot| values.contains(&slot)) => {
                return false;
            }
            _ => follow(&mut values, kernel, op),
        }
    }
    false
}

/// Adds the registers to which an instruction copies one of these values.
fn follow(values: &mut HashSet<Slot>, kernel: &Kernel, op: &Op) {
    match op {
        Op::Scalar(op) => {
            let copied = op.copies(|slot| values.contains(&slot));
            values.extend(copied);
        }
        Op::Control(op) => {
            let edge = op.jump().map(|edge| &kernel.edges[edge as usize]);
            for moved in edge.iter().flat_map(|edge| &edge.moves) {
                let copied = moved.copies(|slot| values.contains(&slot));
                values.extend(copied);
            }
        }
        _ => {}
    }
}

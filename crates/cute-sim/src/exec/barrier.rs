//! Barriers: who waits for whom, and what to say when nobody comes.

use super::thread::{Status, Thread};
use super::{WARP, World};
use crate::error::{Divergence, Error};
use crate::program::Kernel;

/// Lets go every thread whose barrier is complete. False if there is none.
pub(super) fn release(kernel: &Kernel, world: &mut World<'_>, threads: &mut [Thread]) -> Result<bool, Error> {
    let mut released = false;
    for warp in threads.chunks_mut(WARP as usize) {
        released |= release_warp(warp);
    }
    let mut ids: Vec<u32> = threads.iter().filter_map(|t| block_barrier(t).map(|(id, _)| id)).collect();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        let at = |t: &Thread| block_barrier(t).filter(|(other, _)| *other == id);
        let waiting = threads.iter().filter(|t| at(t).is_some()).count() as u32;
        let expected = threads.iter().find_map(at).map_or(0, |(_, threads)| threads);
        if waiting < expected {
            continue;
        }
        aligned(kernel, world, threads, id)?;
        world.stats.barriers += 1;
        released = true;
        // If more wait than it needs, the others are early for its next round.
        threads.iter_mut().filter(|t| at(t).is_some()).take(expected as usize).for_each(Thread::resume);
    }
    Ok(released)
}

/// The barrier that a thread waits at, and how many threads that needs.
fn block_barrier(thread: &Thread) -> Option<(u32, u32)> {
    match thread.status {
        Status::Barrier { id, threads } => Some((id, threads)),
        _ => None,
    }
}

/// All lanes of a warp go through a block barrier at the same instruction (PTX `barrier.aligned`).
fn aligned(kernel: &Kernel, world: &World<'_>, threads: &[Thread], id: u32) -> Result<(), Error> {
    for warp in threads.chunks(WARP as usize) {
        let mut waiting = warp.iter().filter(|t| block_barrier(t).is_some_and(|(other, _)| other == id));
        let Some(first) = waiting.next() else { continue };
        if let Some(other) = warp.iter().find(|t| (t.status, t.pc) != (first.status, first.pc)) {
            let together = warp.iter().filter(|t| (t.status, t.pc) == (first.status, first.pc)).count();
            return Err(divergence(kernel, world, first, together as u32, warp.len() as u32, other));
        }
    }
    Ok(())
}

/// A warp barrier completes when all lanes of its mask wait with that mask.
fn release_warp(warp: &mut [Thread]) -> bool {
    let mut released = false;
    for lane in 0..warp.len() {
        let Status::WarpBarrier { mask } = warp[lane].status else { continue };
        let member = |i: usize| mask >> i & 1 != 0;
        if !member(lane) {
            continue;
        }
        if (0..warp.len()).filter(|i| member(*i)).all(|i| warp[i].status == Status::WarpBarrier { mask }) {
            (0..warp.len()).filter(|i| member(*i)).for_each(|i| warp[i].resume());
            released = true;
        }
    }
    released
}

/// Nobody can go on: names the first thread that waits and the first that it waits for.
pub(super) fn stuck(kernel: &Kernel, world: &World<'_>, threads: &[Thread]) -> Error {
    let waits = |t: &&Thread| !matches!(t.status, Status::Done | Status::Ready);
    let Some(first) = threads.iter().find(waits) else {
        return Error::Launch { kernel: kernel.name.clone(), what: "no thread can go on".into() };
    };
    let with_first = |t: &&Thread| t.status == first.status;
    let (scope, expected) = match first.status {
        Status::Barrier { threads: expected, .. } => (threads, expected),
        Status::WarpBarrier { mask } => {
            let start = (first.number / WARP * WARP) as usize;
            (&threads[start..threads.len().min(start + WARP as usize)], mask.count_ones())
        }
        _ => (threads, 0),
    };
    let waiting = scope.iter().filter(with_first).count() as u32;
    let other = scope.iter().find(|t| !with_first(t)).unwrap_or(first);
    divergence(kernel, world, first, waiting, expected, other)
}

fn divergence(
    kernel: &Kernel,
    world: &World<'_>,
    at: &Thread,
    waiting: u32,
    expected: u32,
    other: &Thread,
) -> Error {
    let site = |t: &Thread| kernel.sites.get(t.pc as usize).map(|s| (s.op.clone(), s.location.clone()));
    let (op, location) = site(at).unwrap_or_default();
    let (other_op, other_location) = site(other).unwrap_or_default();
    let instead = match other.status {
        Status::Done => "has returned".to_owned(),
        _ => format!("is at `{other_op}` ({other_location})"),
    };
    let (block, thread) = (world.block, other.position);
    Error::Divergence(Box::new(Divergence { op, location, block, waiting, expected, thread, instead }))
}

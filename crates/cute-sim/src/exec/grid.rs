//! Which block runs when. Blocks of a launch are resident together, as many as fit into memory, and take turns: a block
//! that waits for another one lets it run. So what a kernel does about its grid does not depend on the cores of the host.
//!
//! A block keeps its host thread until it ends, repeats itself, or has used up a time slice and works on memory that
//! others may change. A new block goes before one that was interrupted, and one that repeats itself runs again only when
//! some other block has changed something. When all of them repeat themselves, and none has changed anything since, the
//! kernel hangs.

use super::Total;
use super::block::{Resident, Slice};
use super::machine::Machine;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that the resident blocks may take, and how many of them there are whatever they take.
const MEMORY: u64 = 2 << 30;
const AT_LEAST: u64 = 64;

/// What the host threads share.
struct State {
    /// The first block that has not begun.
    fresh: u32,
    /// Blocks that have begun and not ended.
    resident: u32,
    /// Counts slices in which a block changed something, or ended.
    epoch: u64,
    /// Resident blocks that repeat themselves, and nothing has changed since they began to.
    stuck: u32,
    /// All are stuck; is it the kernel's fault?
    hangs: Option<bool>,
}

struct Grid<'m> {
    machine: &'m Machine<'m>,
    blocks: u32,
    most_resident: u32,
    state: Mutex<State>,
    changed: Condvar,
}

/// A resident block, and if it repeats itself, since when.
struct Held<'m> {
    block: Resident<'m>,
    stuck: Option<u64>,
}

/// Runs all blocks.
pub(super) fn run(machine: &Machine<'_>, blocks: u32, finished: &(impl Fn(u32) + Sync)) -> Total {
    let most = (MEMORY / machine.block_bytes().max(1)).max(AT_LEAST);
    let state = State { fresh: 0, resident: 0, epoch: 0, stuck: 0, hangs: None };
    let most_resident = u32::try_from(most).unwrap_or(u32::MAX).min(blocks);
    let grid = Grid { machine, blocks, most_resident, state: Mutex::new(state), changed: Condvar::new() };
    let totals = Mutex::new(Vec::new());
    let workers = rayon::current_num_threads().clamp(1, blocks as usize);
    rayon::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|_| {
                let total = grid.work(finished);
                totals.lock().unwrap_or_else(PoisonError::into_inner).push(total);
            });
        }
    });
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    totals.into_iter().fold(Total::new(machine.kernel), Total::join)
}

impl<'m> Grid<'m> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs blocks until there is none left for this host thread.
    fn work(&self, finished: &impl Fn(u32)) -> Total {
        let mut total = Total::new(self.machine.kernel);
        let mut held = VecDeque::new();
        while let Some((mut one, epoch)) = self.next(&mut held) {
            let before = one.block.changes();
            let slice = one.block.run();
            let mut state = self.lock();
            if one.block.changes() != before || slice == Slice::Done {
                state.epoch += 1;
                state.stuck = 0;
            }
            one.stuck = (slice == Slice::Repeats).then_some(epoch);
            state.stuck += u32::from(one.stuck == Some(state.epoch));
            if slice == Slice::Done {
                state.resident -= 1;
                drop(state);
                let number = one.block.number();
                total.add(one.block.finish());
                finished(number);
            } else {
                drop(state);
                held.push_back(one);
            }
            self.changed.notify_all();
        }
        // Left are those that hang.
        let hangs = self.lock().hangs == Some(true);
        for Held { mut block, .. } in held {
            if hangs {
                block.hangs((self.most_resident < self.blocks).then_some((self.most_resident, self.blocks)));
            }
            let number = block.number();
            total.add(block.finish());
            finished(number);
        }
        total
    }

    /// The block to run next, and the epoch.
    fn next(&self, held: &mut VecDeque<Held<'m>>) -> Option<(Held<'m>, u64)> {
        let mut state = self.lock();
        loop {
            if state.hangs.is_some() {
                return None;
            }
            let epoch = state.epoch;
            let is_fresh = state.fresh < self.blocks;
            if is_fresh && state.resident < self.most_resident {
                let number = state.fresh;
                state.fresh += 1;
                state.resident += 1;
                drop(state);
                return Some((Held { block: Resident::new(self.machine, number), stuck: None }, epoch));
            }
            if let Some(i) = held.iter().position(|h| h.stuck.is_none_or(|since| since < epoch)) {
                return held.remove(i).map(|one| (one, epoch));
            }
            if held.is_empty() && !is_fresh {
                return None;
            }
            if state.stuck == state.resident {
                // Those that wait for a block that was stopped are not to blame.
                state.hangs = Some(!self.machine.is_stopped());
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

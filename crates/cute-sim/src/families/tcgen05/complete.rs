//! The operations of the tensor cores are executed, in the order that their threads have issued
//! them in.

use super::queue::{Accumulated, Asked, TensorQueue, TensorWork};
use super::tasks::copy_rows;
use crate::engine::Engine;
use crate::events::{Event, Task, Work};
use crate::families::mbarrier::checks::note_commit;
use crate::families::mbarrier::complete::{Arrivals, arrive};
use crate::finding::FindingKind;
use crate::machine::cluster::Stop;
use crate::machine::parts::{Parts, TensorParts};
use crate::race::{Clocks, Known, View};
use crate::schedule::{Schedule, Turns};
use crate::task::Issued;
use crate::tensor::sums;
use std::collections::{HashMap, VecDeque};

/// The queue of operations that a thread has issued to the tensor cores.
pub(super) fn tensor_queue<'l>(lent: &'l mut TensorParts<'_, '_>, thread: u32) -> &'l mut TensorQueue {
    let clocks = &mut *lent.parts.clocks;
    let Engine { cores, tensor_order, .. } = &mut *lent.parts.engine;
    cores.queues.entry(thread).or_insert_with(|| {
        let issuer = tensor_order.issuer(clocks, thread);
        TensorQueue {
            multiplier: (issuer.multiplier, 0),
            copier: (issuer.copier, 0),
            pending: VecDeque::new(),
            followed: HashMap::new(),
            accumulators: Vec::new(),
        }
    })
}

/// The operations of other threads, not executed yet, that are known to have been issued.
pub(super) fn issued_before(lent: &TensorParts<'_, '_>, thread: u32, view: &View) -> Vec<(u32, u32)> {
    let others = lent.parts.engine.tensor_order.others(thread);
    let others = others.map(|issuer| (issuer.thread, view.issued(issuer)));
    others
        .filter(|(thread, time)| {
            lent.parts.engine.cores.queues.get(thread).is_some_and(|queue| queue.executes(*time).is_some())
        })
        .collect()
}

/// The views of a thread that issues an MMA to this accumulator, for its operands in tensor
/// memory and for the accumulator. Copies of other threads are executed before, as soon as
/// they are known to have been issued, and so are MMAs on the same accumulator.
pub(super) fn pipelined(
    lent: &mut TensorParts<'_, '_>,
    thread: u32,
    own: &Accumulated,
    view: &View,
) -> (View, View) {
    let (mut operands, mut accumulators) = (view.clone(), view.clone());
    let mut followed = Vec::new();
    let Engine { cores, tensor_order, .. } = &mut *lent.parts.engine;
    for issuer in tensor_order.others(thread) {
        let Some(queue) = cores.queues.get(&issuer.thread) else { continue };
        let issued = view.issued(issuer);
        operands.follow(issuer, issuer.copier);
        accumulators.follow(issuer, issuer.copier);
        followed.push((issuer.copier, issued.min(queue.copier.1)));
        let is_open = |before: &&Accumulated| !view.orders(issuer.multiplier, before.time);
        if queue.accumulators.iter().filter(is_open).any(|before| before.clashes(own)) {
            continue;
        }
        accumulators.follow(issuer, issuer.multiplier);
        let last = queue.accumulators.iter().filter(|before| before.time <= issued && before.is_like(own));
        followed.extend(last.map(|before| (issuer.multiplier, before.time)));
    }
    if let Some(queue) = cores.queues.get_mut(&thread) {
        for (agent, time) in followed {
            let known = queue.followed.entry(agent).or_default();
            *known = time.max(*known);
        }
    }
    (operands, accumulators)
}

/// Executes a thread's queue: all of it, or up to and including the first commit. Returns
/// whether there was a commit.
pub(super) fn use_tensor_core(
    lent: &mut TensorParts<'_, '_>,
    thread: u32,
    whole: bool,
) -> Result<bool, Stop> {
    let mut committed = false;
    while let Some(next) = tensor_queue(lent, thread).pending.pop_front() {
        committed |= execute(lent, next)?;
        if committed && !whole {
            break;
        }
    }
    Ok(committed)
}

/// Executes an operation, and first those of other threads that precede it. Returns whether it
/// is a commit.
fn execute(lent: &mut TensorParts<'_, '_>, next: Asked) -> Result<bool, Stop> {
    for (thread, time) in next.after {
        let count = tensor_queue(lent, thread).executes(time).unwrap_or(0);
        let before: Vec<Asked> = tensor_queue(lent, thread).pending.drain(..count).collect();
        for asked in before {
            execute(lent, asked)?;
        }
    }
    let Issued { site, thread, block, .. } = next.issued;
    lent.parts.run(block);
    lent.parts.journal.acts();
    if !matches!(next.work, TensorWork::Commit { .. }) {
        lent.parts.journal.tell(|_| Event::Done { task: Task::Tensor(next.issued.time) });
    }
    match next.work {
        TensorWork::Multiply(multiply) => {
            lent.parts.journal.changes(1);
            let rules = lent.parts.machine().launch.sums;
            sums::note(lent.parts.journal.sums(), rules, &multiply.model.query());
            multiply.multiply(lent.parts.shared, lent.tensor, rules);
        }
        TensorWork::Copy { blocks, words } => {
            lent.parts.journal.changes(1);
            copy_rows(blocks, &words, lent.parts.shared, lent.tensor);
        }
        TensorWork::Commit { barriers, known, when, past } => {
            for at in barriers {
                lent.parts.engine.barriers.follow(at, past.as_ref());
                arrive_committed(lent, at, &next.issued, &known, when)
                    .map_err(|kind| (site, thread, kind))?;
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// Executes some of the operations of the tensor cores: with `all`, up to the first commit of a
/// queue that has one. Returns whether there was one.
pub(crate) fn use_tensor_cores(
    lent: &mut TensorParts<'_, '_>,
    turns: &mut Turns,
    all: bool,
) -> Result<bool, Stop> {
    let commits = |queue: &TensorQueue| {
        queue.pending.iter().any(|asked| matches!(asked.work, TensorWork::Commit { .. }))
    };
    let queues = lent.parts.engine.cores.queues.iter().filter(|(_, queue)| commits(queue));
    let mut threads: Vec<u32> = queues.map(|(thread, _)| *thread).collect();
    if lent.parts.engine.schedule == Schedule::Reverse {
        threads.reverse();
    }
    if all {
        return threads.first().map_or(Ok(false), |thread| use_tensor_core(lent, *thread, false));
    }
    let mut happened = false;
    for thread in threads {
        if turns.below(4) == 0 {
            happened |= use_tensor_core(lent, thread, false)?;
        }
    }
    Ok(happened)
}

/// A commit arrives at a barrier.
fn arrive_committed(
    lent: &mut TensorParts<'_, '_>,
    at: usize,
    issued: &Issued,
    known: &Known,
    when: u64,
) -> Result<(), FindingKind> {
    let rank = lent.parts.shared.rank_of(at);
    // A block may return without having waited for its own commits.
    match (lent.parts.shared.has_ended(rank), rank == issued.block.rank) {
        (true, true) => return Ok(()),
        (true, false) => {
            let (place, offset) = lent.parts.scene().barrier_place(at);
            return Err(FindingKind::Exited { place, commit: Some(offset) });
        }
        _ => {}
    }
    let before = lent.parts.engine.barriers.passed(at).cloned();
    let passed = if rank == issued.block.rank {
        let agent = tensor_queue(lent, issued.thread).multiplier.0;
        let Parts { engine, journal, .. } = &mut lent.parts;
        let who = (issued.thread, issued.site);
        note_commit(&mut engine.barriers, journal.scene(), at, (agent, issued.time), who, known)?;
        Clocks::both(before.as_ref(), known)
    } else {
        lent.parts.engine.barriers.leave_open(at);
        let Parts { clocks, engine, .. } = &mut lent.parts;
        clocks.hand_over(before.as_ref(), known, |agent| engine.barriers.hands_over(agent))
    };
    lent.parts.journal.tell(|c| Event::Arrives {
        act: c.act_of(issued.thread, issued.site),
        barrier: at,
        after: Some(Work::Multiply),
    });
    let Parts { engine, journal, .. } = &mut lent.parts;
    let arrivals = Arrivals { count: 1, drop: false, passed, who: (issued.thread, issued.site), when };
    arrive(&mut engine.barriers, journal, at, arrivals)
}

//! The operations of the tensor cores are executed, in the order that their threads have issued
//! them in.

use super::queue::{Accumulated, Asked, TensorQueue, TensorWork};
use super::tasks::{copy_rows, memory_of};
use crate::engine::Engine;
use crate::events::{Event, Task, Work};
use crate::families::mbarrier::checks::note_commit;
use crate::families::mbarrier::complete::{Arrivals, arrive};
use crate::finding::FindingKind;
use crate::machine::cluster::{Cluster, Stop};
use crate::memory::tensor::TensorMemory;
use crate::race::{Clocks, Known, View};
use crate::schedule::{Schedule, Turns};
use crate::task::Issued;
use crate::tensor::sums;
use std::collections::{HashMap, VecDeque};

impl Cluster<'_> {
    /// The tensor memory of the block with this rank.
    pub(crate) fn tensor_memory(&mut self, rank: u32) -> &mut TensorMemory {
        memory_of(&mut self.tensor, rank)
    }

    /// The queue of operations that a thread has issued to the tensor cores.
    pub(super) fn tensor_queue(&mut self, thread: u32) -> &mut TensorQueue {
        let clocks = &mut self.clocks;
        let Engine { cores, tensor_order, .. } = &mut self.engine;
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
    pub(super) fn issued_before(&self, thread: u32, view: &View) -> Vec<(u32, u32)> {
        let others = self.engine.tensor_order.others(thread);
        let others = others.map(|issuer| (issuer.thread, view.issued(issuer)));
        others
            .filter(|(thread, time)| {
                self.engine.cores.queues.get(thread).is_some_and(|queue| queue.executes(*time).is_some())
            })
            .collect()
    }

    /// The views of a thread that issues an MMA to this accumulator, for its operands in tensor
    /// memory and for the accumulator. Copies of other threads are executed before, as soon as
    /// they are known to have been issued, and so are MMAs on the same accumulator.
    pub(super) fn pipelined(&mut self, thread: u32, own: &Accumulated, view: &View) -> (View, View) {
        let (mut operands, mut accumulators) = (view.clone(), view.clone());
        let mut followed = Vec::new();
        let Engine { cores, tensor_order, .. } = &mut self.engine;
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
            let last =
                queue.accumulators.iter().filter(|before| before.time <= issued && before.is_like(own));
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
    pub(super) fn use_tensor_core(&mut self, thread: u32, all: bool) -> Result<bool, Stop> {
        let mut committed = false;
        while let Some(next) = self.tensor_queue(thread).pending.pop_front() {
            committed |= self.execute(next)?;
            if committed && !all {
                break;
            }
        }
        Ok(committed)
    }

    /// Executes an operation, and first those of other threads that precede it. Returns whether it
    /// is a commit.
    fn execute(&mut self, next: Asked) -> Result<bool, Stop> {
        for (thread, time) in next.after {
            let count = self.tensor_queue(thread).executes(time).unwrap_or(0);
            let before: Vec<Asked> = self.tensor_queue(thread).pending.drain(..count).collect();
            for asked in before {
                self.execute(asked)?;
            }
        }
        let Issued { site, thread, block, .. } = next.issued;
        self.run(block);
        self.journal.acts();
        if !matches!(next.work, TensorWork::Commit { .. }) {
            self.journal.tell(|_| Event::Done { task: Task::Tensor(next.issued.time) });
        }
        match next.work {
            TensorWork::Multiply(multiply) => {
                self.journal.changes(1);
                let rules = self.machine.launch.sums;
                sums::note(self.journal.sums(), rules, &multiply.model.query());
                multiply.multiply(&self.shared, &mut self.tensor, rules);
            }
            TensorWork::Copy { blocks, words } => {
                self.journal.changes(1);
                copy_rows(blocks, &words, &self.shared, &mut self.tensor);
            }
            TensorWork::Commit { barriers, known, when, past } => {
                for at in barriers {
                    self.engine.barriers.follow(at, past.as_ref());
                    self.arrive_committed(at, &next.issued, &known, when)
                        .map_err(|kind| (site, thread, kind))?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Executes some of the operations of the tensor cores: with `all`, up to the first commit of a
    /// queue that has one. Returns whether there was one.
    pub(crate) fn use_tensor_cores(&mut self, turns: &mut Turns, all: bool) -> Result<bool, Stop> {
        let commits = |queue: &TensorQueue| {
            queue.pending.iter().any(|asked| matches!(asked.work, TensorWork::Commit { .. }))
        };
        let queues = self.engine.cores.queues.iter().filter(|(_, queue)| commits(queue));
        let mut threads: Vec<u32> = queues.map(|(thread, _)| *thread).collect();
        if self.engine.schedule == Schedule::Reverse {
            threads.reverse();
        }
        if all {
            return threads.first().map_or(Ok(false), |thread| self.use_tensor_core(*thread, false));
        }
        let mut happened = false;
        for thread in threads {
            if turns.below(4) == 0 {
                happened |= self.use_tensor_core(thread, false)?;
            }
        }
        Ok(happened)
    }

    /// A commit arrives at a barrier.
    fn arrive_committed(
        &mut self,
        at: usize,
        issued: &Issued,
        known: &Known,
        when: u64,
    ) -> Result<(), FindingKind> {
        let rank = self.shared.rank_of(at);
        // A block may return without having waited for its own commits.
        match (self.shared.has_ended(rank), rank == issued.block.rank) {
            (true, true) => return Ok(()),
            (true, false) => {
                let (place, offset) = self.scene().barrier_place(at);
                return Err(FindingKind::Exited { place, commit: Some(offset) });
            }
            _ => {}
        }
        let before = self.engine.barriers.passed(at).cloned();
        let passed = if rank == issued.block.rank {
            let agent = self.tensor_queue(issued.thread).multiplier.0;
            let Cluster { engine, journal, .. } = &mut *self;
            let who = (issued.thread, issued.site);
            note_commit(&mut engine.barriers, journal.scene(), at, (agent, issued.time), who, known)?;
            Clocks::both(before.as_ref(), known)
        } else {
            self.engine.barriers.leave_open(at);
            let agents = &self.engine.agents;
            let hands_over = |agent: u32| agents.values().all(|copies| *copies != agent);
            self.clocks.hand_over(before.as_ref(), known, hands_over)
        };
        self.journal.tell(|c| Event::Arrives {
            act: c.act_of(issued.thread, issued.site),
            barrier: at,
            after: Some(Work::Multiply),
        });
        let Cluster { engine, journal, .. } = self;
        let arrivals = Arrivals { count: 1, drop: false, passed, who: (issued.thread, issued.site), when };
        arrive(&mut engine.barriers, journal, at, arrivals)
    }
}

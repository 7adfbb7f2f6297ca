//! Executes the operations of the tensor cores on tensor memory.

use crate::engine::Engine;
use crate::events::{Event, Task, Work};
use crate::finding::{AccessKind, FindingKind};
use crate::machine::cluster::{Cluster, Stop};
use crate::memory::tensor::{TensorMemory, cells, word};
use crate::race::{Clocks, Known, Reach, View, Who};
use crate::schedule::{Schedule, Turns};
use crate::task::Issued;
use crate::tensor::accumulators::Accumulators;
use crate::tensor::sums;
use crate::tensor::tmem::{Rect, TENSOR_LANES};
use cute_arch::Element;
use std::collections::{HashMap, VecDeque};

use crate::engine::tensor::*;
use crate::engine::wgmma::Tile;

impl Cluster<'_> {
    /// The tensor memory of the block with this rank.
    pub(crate) fn tensor_memory(&mut self, rank: u32) -> &mut TensorMemory {
        self.tensor[rank as usize].get_or_insert_with(|| Box::new(TensorMemory::new()))
    }

    /// Allocates the columns that a warp waits for, once enough are free and, for a pair, the peer
    /// waits for them too. Returns the first column, and the agent and the time of the allocation.
    pub(crate) fn allocate(&mut self, peer: Option<u32>, offer: Offer) -> Option<(u32, u32, u32)> {
        let own = self.engine.offers.iter().position(|known| known.thread == offer.thread);
        let own = own.unwrap_or_else(|| {
            self.journal.changes(1);
            self.engine.offers.push(offer);
            self.engine.offers.len() - 1
        });
        if let Some(granted) = self.engine.offers[own].granted {
            self.engine.offers.remove(own);
            return Some(granted);
        }
        let other = match peer {
            Some(peer) => Some(self.offer_of(peer, |other| other.count == offer.count)?),
            None => None,
        };
        let both: Vec<usize> = [Some(own), other].into_iter().flatten().collect();
        let has_room = |i: &usize| {
            let Offer { rank, count, .. } = self.engine.offers[*i];
            self.tensor[rank as usize].as_ref().is_none_or(|memory| memory.room(count).is_some())
        };
        if !both.iter().all(has_room) {
            return None;
        }
        let (agent, time) = (self.clocks.agent(), self.clocks.act());
        for i in both {
            let Offer { rank, count, site, thread, warp, .. } = self.engine.offers[i];
            let first = self.tensor_memory(rank).allocate(count, site, thread, peer.is_some())?;
            let block = self.machine.block_id(self.scene().number(), rank).number;
            let (kind, reach) = (AccessKind::Write, Reach::default());
            let who = Who { block, rank, warp, site, kind, alone: false, reach, updates: false };
            let all = Rect { lane: 0, lanes: TENSOR_LANES, column: first, columns: count };
            let memory = self.tensor_memory(rank);
            for (cell, bytes) in cells(all) {
                memory.cells[cell].note_agent(&who, 1, bytes, (agent, time));
            }
            self.engine.offers[i].granted = Some((first, agent, time));
            self.tell_columns(rank);
        }
        self.journal.changes(1);
        // The peer continues.
        self.engine.columns_freed |= peer.is_some();
        self.engine.offers.remove(own).granted
    }

    /// A warp of a block that waits for columns together with a warp of its peer.
    pub(crate) fn offer_of(&self, rank: u32, is_it: impl Fn(&Offer) -> bool) -> Option<usize> {
        let waits = |offer: &Offer| offer.rank == rank && offer.pair && offer.granted.is_none();
        self.engine.offers.iter().position(|offer| waits(offer) && is_it(offer))
    }

    /// The queue of operations that a thread has issued to the tensor cores.
    pub(crate) fn tensor_queue(&mut self, thread: u32) -> &mut TensorQueue {
        let clocks = &mut self.clocks;
        let Engine { tensor, tensor_order, .. } = &mut self.engine;
        tensor.entry(thread).or_insert_with(|| {
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
    pub(crate) fn issued_before(&self, thread: u32, view: &View) -> Vec<(u32, u32)> {
        let others = self.engine.tensor_order.others(thread);
        let others = others.map(|issuer| (issuer.thread, view.issued(issuer)));
        others
            .filter(|(thread, time)| {
                self.engine.tensor.get(thread).is_some_and(|queue| queue.executes(*time).is_some())
            })
            .collect()
    }

    /// The views of a thread that issues an MMA to this accumulator, for its operands in tensor
    /// memory and for the accumulator. Copies of other threads are executed before, as soon as
    /// they are known to have been issued, and so are MMAs on the same accumulator.
    pub(crate) fn pipelined(&mut self, thread: u32, own: &Accumulated, view: &View) -> (View, View) {
        let (mut operands, mut accumulators) = (view.clone(), view.clone());
        let mut followed = Vec::new();
        let Engine { tensor, tensor_order, .. } = &mut self.engine;
        for issuer in tensor_order.others(thread) {
            let Some(queue) = tensor.get(&issuer.thread) else { continue };
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
        if let Some(queue) = tensor.get_mut(&thread) {
            for (agent, time) in followed {
                let known = queue.followed.entry(agent).or_default();
                *known = time.max(*known);
            }
        }
        (operands, accumulators)
    }

    /// Executes a thread's queue: all of it, or up to and including the first commit. Returns
    /// whether there was a commit.
    pub(crate) fn use_tensor_core(&mut self, thread: u32, all: bool) -> Result<bool, Stop> {
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
            TensorWork::Multiply(multiply) => self.multiply_tensor(*multiply),
            TensorWork::Copy { blocks, words } => self.copy_rows(blocks, &words),
            TensorWork::Commit { barriers, known, when, past } => {
                for at in barriers {
                    self.follow(at, past.as_ref());
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
        let queues = self.engine.tensor.iter().filter(|(_, queue)| commits(queue));
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
        match (self.exited >> rank & 1 != 0, rank == issued.block.rank) {
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
            self.note_commit(at, (agent, issued.time), (issued.thread, issued.site), known)?;
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
        self.arrive(at, 1, false, passed, (issued.thread, issued.site), when)
    }

    fn copy_rows(&mut self, blocks: Vec<(u32, Tile)>, words: &[Vec<usize>]) {
        self.journal.changes(1);
        for (rank, tile) in blocks {
            let bytes = tile.tile.bytes(self.shared.bytes_from(tile.origin));
            let row = bytes.len() / words.len().max(1);
            for (bytes, words) in bytes.chunks_exact(row.max(1)).zip(words) {
                let memory = self.tensor_memory(rank);
                for first in words {
                    for (at, word) in (*first..).zip(bytes.chunks_exact(4)) {
                        let value = word.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                        memory.write(at, value, true);
                    }
                }
            }
        }
    }

    fn multiply_tensor(&mut self, multiply: Multiply) {
        let Multiply { model, blocks, d, fresh, scale, scales, zeros, disabled } = multiply;
        self.journal.changes(1);
        let rules = self.machine.launch.sums;
        sums::note(self.journal.sums(), rules, &model.query());
        let [_, n, k] = model.descriptor().shape.map(|extent| extent as usize);
        let mut b = vec![0.0; n * k];
        for (i, (_, _, tile)) in blocks.iter().enumerate() {
            let memory = self.shared.bytes_from(tile.origin);
            model.b_of_tile(&tile.tile, memory, i, &mut b);
        }
        for (column, _) in zeros.iter().enumerate().filter(|(_, is_zero)| **is_zero) {
            b.iter_mut().skip(column).step_by(n).for_each(|element| *element = 0.0);
        }
        for (i, (rank, matrix, _)) in blocks.into_iter().enumerate() {
            let tensor = self.tensor[rank as usize].get_or_insert_with(|| Box::new(TensorMemory::new()));
            // Rows of A, or of its copies, that have an undefined element.
            let mut spoilt = Vec::new();
            let a = match matrix {
                TensorMatrix::Shared(tile) => {
                    let memory = self.shared.bytes_from(tile.origin);
                    model.a_of_tile(&tile.tile, memory)
                }
                TensorMatrix::Tensor(at) => {
                    let words = || model.a().iter().map(|(word, _)| at + *word as usize);
                    spoilt.extend(
                        (0..)
                            .zip(words())
                            .filter(|(_, at)| !tensor.is_written(*at))
                            .map(|(i, _): (usize, _)| i / k),
                    );
                    spoilt.dedup();
                    model.a_of_words(words().map(|at| tensor.read(at)))
                }
            };
            let words = || model.d().iter().map(|word| d + *word as usize);
            let mut accumulators = if fresh {
                Accumulators::zero(model.descriptor().d, model.d().len())
            } else {
                model.accumulators(words().map(|at| tensor.read(at)))
            };
            if scale != 0 && !fresh {
                accumulators.scale_down(model.descriptor().d == Element::F16, scale);
            }
            let rows = model.parts()[0] as usize;
            let factors = model.scales().zip(scales).map(|(factors, at)| {
                [0, 1].map(|matrix| {
                    let word =
                        |from: usize| (tensor.read(at[matrix] + from), tensor.defined(at[matrix] + from));
                    factors.read(matrix, word)
                })
            });
            let copies = a.chunks_exact(rows * k).map(|a| {
                let mut accumulators = accumulators.clone();
                model.multiply([a, &b], factors.as_ref(), (fresh, rules), &mut accumulators);
                accumulators
            });
            let accumulators: Vec<Accumulators> = copies.collect();
            // The copy of A that a sum is made of.
            let copy = |place: usize| place % n * accumulators.len() / n;
            let disabled = &disabled[(4 * i).min(disabled.len())..];
            let is_disabled = |at: usize| {
                let lane = at / word(1, 0);
                disabled.get(lane / 32).is_some_and(|lanes| lanes >> (lane % 32) & 1 != 0)
            };
            for (place, at) in words().enumerate().filter(|(_, at)| !is_disabled(*at)) {
                let copy = copy(place);
                let row = copy * rows + place / n;
                let is_scaled = || factors.as_ref().is_none_or(|factors| model.is_scaled_by(factors, place));
                let is_known = (fresh || tensor.is_written(at)) && !spoilt.contains(&row) && is_scaled();
                tensor.write(at, model.word(&accumulators[copy], place), is_known);
            }
        }
    }

    /// Whether lanes and columns lie within tensor memory.
    pub(crate) fn is_tensor(rect: Rect) -> bool {
        let Rect { lane, lanes, column, columns } = rect;
        lane + lanes <= TENSOR_LANES && column + columns <= crate::tensor::tmem::TENSOR_COLUMNS
    }
}

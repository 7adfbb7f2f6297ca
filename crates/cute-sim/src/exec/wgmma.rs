//! MMAs of warpgroups: all four warps issue an MMA together; each commits, waits, and
//! receives its part.

use super::alu::{LaneFinding, Lanes, lanes_of};
use crate::engine::tiles::Described;
use crate::engine::wgmma::{Accumulator, Lent, Matrix, Pending, Tile, WgmmaQueue};
use crate::events::{Event, Subject, Task, Work};
use crate::finding::{AccessKind, FindingKind, WgmmaRule};
use crate::machine::WARP;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use crate::memory::address::SHARED;
use crate::program::{GroupMma, Piece, Slot, WgmmaOperand};
use crate::race::{Acting, Needs, Reach, View, Who};
use crate::registers::flight::Flight;
use crate::registers::unknown::{Origin, Unknown};
use crate::schedule::Schedule;
use crate::tensor::Wgmma;
use crate::tensor::accumulators::Accumulators;
use cute_arch::smem::DescriptorOf;
use cute_machine::int::mask;
use std::collections::HashMap;

/// The finding of a thread of the warpgroup, with its number in the group.
type Wrong = (usize, FindingKind);

impl Cluster<'_> {
    /// The four warps issue an MMA.
    pub(crate) fn issue_wgmma(&mut self, group: &mut [Warp], number: u32) -> Result<(), Stop> {
        let (rank, warpgroup) = (group[0].block.rank, group[0].warpgroup() as u32);
        let site = group[0].pcs[0];
        let mut queue = std::mem::take(self.wgmma_queue(rank, warpgroup));
        let thread = group[0].thread(0);
        let issued = Issue { cluster: self, group, number, site }.issue(&mut queue);
        if issued.is_ok() {
            let task = Task::Wgmma(rank, warpgroup, queue.issued);
            self.journal.about(|scene| {
                let mma = &scene.machine().kernel.group_mmas[number as usize];
                let last = queue.pending.back();
                let a = last.and_then(|own| match &own.a {
                    Matrix::Tile(tile) => Some(tile),
                    Matrix::Numbers(_) => None,
                });
                let tiles = a.into_iter().chain(last.map(|own| &own.b));
                let shared = tiles.filter_map(|tile| scene.part_of(tile));
                Subject {
                    shape: Some(mma.model.atom().shape),
                    shared: shared.collect(),
                    ..Subject::default()
                }
            });
            self.journal.tell_issue((thread, site), task, Work::Multiply, 0, None);
        }
        if issued.is_ok() && self.engine.schedule == Schedule::Eager {
            let all = queue.issued;
            self.multiply(&mut queue, (rank, warpgroup), all);
        }
        self.engine.may_multiply |= matches!(self.engine.schedule, Schedule::Random(_));
        *self.wgmma_queue(rank, warpgroup) = queue;
        self.follow_products(group);
        issued.map_err(|(thread, kind)| {
            let warp = &group[thread / WARP as usize];
            (site, warp.thread(thread as u32 % WARP), kind)
        })
    }
}

/// An MMA on its way to the queue.
struct Issue<'i, 'm> {
    cluster: &'i mut Cluster<'m>,
    group: &'i mut [Warp],
    /// The MMA, and the instruction.
    number: u32,
    site: u32,
}

impl Issue<'_, '_> {
    fn issue(&mut self, queue: &mut WgmmaQueue) -> Result<(), Wrong> {
        let kernel = self.cluster.machine.kernel;
        let mma = &kernel.group_mmas[self.number as usize];
        let adds = self.same(mma.adds, "scale of D")? & 1 != 0;
        let b = self.same(mma.b, "descriptor of B")?;
        let ticket = queue.issued + 1;
        let accumulator = self.accumulate(queue, mma, adds, ticket)?;
        if !queue.is_fenced {
            return Err((0, FindingKind::Wgmma { rule: WgmmaRule::NoFence }));
        }
        let time = self.cluster.clocks.act();
        let agent = *queue.agent.get_or_insert_with(|| self.cluster.clocks.agent());
        let warps = self.group.iter().map(|warp| warp.thread(0)..warp.thread(0) + WARP);
        // Nothing but the search for races asks it.
        let view = match self.cluster.machine.launch.check_races {
            true => self.cluster.clocks.view_of_warps(warps, self.cluster.machine.threads()),
            false => View::default(),
        };
        let a = match &mma.a {
            WgmmaOperand::Shared(slot) => {
                let word = self.same(*slot, "descriptor of A")?;
                Matrix::Tile(self.tile(mma, (false, word), (agent, time), &view)?)
            }
            WgmmaOperand::Registers(pieces) => self.fragment(queue, mma, pieces, accumulator),
        };
        let b = self.tile(mma, (true, b), (agent, time), &view)?;
        (queue.issued, queue.time) = (ticket, time);
        queue.pending.push_back(Pending { ticket, accumulator, mma: self.number, a, b, fresh: !adds });
        for warp in self.group.iter_mut() {
            let mut bit = 0;
            for Piece { slot, bits } in &mma.d {
                warp.registers.depart(*slot, u32::MAX, Flight { ticket, site: self.site, bit, bits: *bits });
                bit += bits;
            }
        }
        self.cluster.journal.changes(1);
        Ok(())
    }

    /// The value of a register that is the same in all threads.
    fn same(&mut self, slot: Slot, operand: &'static str) -> Result<u64, Wrong> {
        let kernel = self.cluster.machine.kernel;
        let one = self.group[0].registers.get(slot)[0];
        for (w, warp) in self.group.iter().enumerate() {
            let first = w * WARP as usize;
            warp.use_address(self.cluster, slot, u32::MAX);
            warp.registers
                .defined(kernel, slot, u32::MAX, operand)
                .map_err(|undefined| (first + undefined.lane as usize, undefined.kind))?;
            if let Some(lane) = warp.registers.get(slot).iter().position(|value| *value != one) {
                let (operand, other) = (operand.to_owned(), warp.registers.get(slot)[lane]);
                return Err((
                    first + lane,
                    FindingKind::Wgmma { rule: WgmmaRule::Differs { operand, one, other } },
                ));
            }
        }
        Ok(one)
    }

    /// The accumulators that the MMA adds to: those of the MMA before, or new ones.
    fn accumulate(
        &mut self,
        queue: &mut WgmmaQueue,
        mma: &GroupMma,
        adds: bool,
        ticket: u32,
    ) -> Result<u32, Wrong> {
        let first = mma.c.first().and_then(|piece| self.group[0].registers.flight(piece.slot));
        let follows = first.map(|flight| flight.ticket).filter(|last| {
            let own = queue.accumulator(*last);
            own.is_some_and(|own| {
                let before = &self.cluster.machine.kernel.group_mmas[own.mma as usize].model;
                let (before, now) = (before.atom(), mma.model.atom());
                (before.shape[1], before.d) == (now.shape[1], now.d)
            })
        });
        for (w, warp) in self.group.iter().enumerate() {
            let mut bit = 0;
            for (register, Piece { slot, bits }) in mma.c.iter().enumerate() {
                let flight = warp.registers.flight(*slot);
                let expected = follows.map(|ticket| (ticket, bit, *bits));
                if flight.map(|flight| (flight.ticket, flight.bit, flight.bits)) != expected {
                    let flight = flight.or(first).unwrap_or_default();
                    let site = &self.cluster.machine.kernel.sites[flight.site as usize];
                    let (op, location) = (site.op.to_string(), site.location.clone());
                    let rule = WgmmaRule::Accumulator { register, op, location };
                    return Err((w * WARP as usize, FindingKind::Wgmma { rule }));
                }
                bit += bits;
            }
        }
        if let Some(own) = follows.and_then(|last| queue.accumulator(last)) {
            own.last = ticket;
            if !adds {
                own.undefined.clear();
            }
            return Ok(own.first);
        }
        let (mut accumulators, mut undefined) = (mma.model.zero(), HashMap::new());
        if adds {
            self.group
                .iter_mut()
                .for_each(|warp| warp.gather_accumulators(mma, &mut accumulators, &mut undefined));
        }
        if adds
            && !queue.is_fenced_since_wait
            && queue.is_fenced
            && !self.is_left_alone(queue, mma, &accumulators)
        {
            return Err((0, FindingKind::Wgmma { rule: WgmmaRule::NoFenceBehind }));
        }
        let mma = self.number;
        queue.begin(Accumulator { first: ticket, last: ticket, mma, accumulators, undefined, settled: 0 });
        Ok(ticket)
    }

    /// Whether the registers of C hold the accumulators of the previous MMA, unchanged since.
    fn is_left_alone(&self, queue: &WgmmaQueue, mma: &GroupMma, accumulators: &Accumulators) -> bool {
        let mmas = &self.cluster.machine.kernel.group_mmas;
        queue.accumulators.iter().any(|before| {
            let model = mmas[before.mma as usize].model.atom();
            let now = mma.model.atom();
            (model.shape[1], model.d) == (now.shape[1], now.d) && before.accumulators.is_same(accumulators)
        })
    }

    /// The numbers of A in registers. Rows with an undefined element are undefined in the
    /// accumulators.
    fn fragment(
        &mut self,
        queue: &mut WgmmaQueue,
        mma: &GroupMma,
        pieces: &[Piece],
        accumulator: u32,
    ) -> Matrix {
        let model = mma.model;
        let parts = std::array::from_fn(|w| self.group[w].registers.pack(pieces));
        let words = parts.concat();
        queue.lent.push(Lent {
            ticket: queue.issued + 1,
            site: self.site,
            mma: self.number,
            words: parts.map(Some),
        });
        let bits = model.atom().a.element.bits();
        let mut rows: Vec<(usize, Origin)> = Vec::new();
        for (w, warp) in self.group.iter_mut().enumerate() {
            for (slot, first, count) in GroupMma::elements(pieces, bits) {
                warp.registers.note_read(slot, u32::MAX);
                warp.registers.use_followed(slot, u32::MAX);
                for lane in lanes_of(warp.registers.undefined_in(slot)) {
                    let Some(Unknown { origin, .. }) = warp.registers.unknown(slot, lane) else { continue };
                    let thread = w * WARP as usize + lane as usize;
                    let row = |value: u32| (model.row_of_a(value as usize, thread), origin);
                    rows.extend((first..first + count).map(row));
                }
            }
        }
        let n = model.atom().shape[1];
        if let Some(own) = queue.accumulators.iter_mut().find(|own| own.first == accumulator) {
            for (row, origin) in rows {
                let elements = row as u32 * n..(row as u32 + 1) * n;
                own.undefined.extend(elements.map(|element| (element, origin)));
            }
        }
        Matrix::Numbers(model.a_of_registers(&words, mma.negate[0]))
    }

    /// A tile in shared memory, which the queue's agent reads from now on.
    fn tile(
        &mut self,
        mma: &GroupMma,
        (is_b, word): (bool, u64),
        agent: (u32, u32),
        view: &View,
    ) -> Result<Tile, Wrong> {
        let cluster = &mut *self.cluster;
        let warp = &self.group[0];
        let who = Who {
            site: self.site,
            ..warp.who(cluster, SHARED, self.site, AccessKind::AsyncRead, Reach::default())
        };
        let acting = Acting {
            who,
            lane: 0,
            agent: agent.0,
            time: agent.1,
            view,
            needs: Needs::Fence { global: false },
        };
        let atom = mma.model.atom();
        let [m, n, k] = atom.shape;
        let (mn, element) = if is_b { (n, atom.b.element) } else { (m, atom.a.element) };
        let described = Described {
            of: DescriptorOf::Wgmma,
            word,
            major: mma.majors[usize::from(is_b)],
            extents: [mn, k],
            bits: element.bits(),
        };
        let rank = cluster.scene().block().rank;
        let tile = cluster.lend_tile(described, rank, &acting, warp.thread(0));
        let matrix = if is_b { "B" } else { "A" };
        let invalid = FindingKind::Wgmma { rule: WgmmaRule::Descriptor { matrix, word } };
        tile.unwrap_or(Err(invalid)).map_err(|kind| (0, kind))
    }
}

impl Warp {
    /// Sets the accumulators from the warp's registers of C.
    fn gather_accumulators(
        &mut self,
        mma: &GroupMma,
        accumulators: &mut Accumulators,
        undefined: &mut HashMap<u32, Origin>,
    ) {
        let model = mma.model;
        let width = model.sum_bits();
        let first = self.number as usize % GROUP * WARP as usize;
        for (slot, value, count) in GroupMma::elements(&mma.c, width) {
            let register = self.registers.get(slot);
            for j in 0..count {
                for (lane, code) in register.iter().enumerate() {
                    let place = model.place((value + j) as usize, first + lane);
                    model.set_code(accumulators, place, (code >> (j * width) & mask(width)) as u32);
                }
            }
            self.registers.use_followed(slot, u32::MAX);
            for lane in lanes_of(self.registers.undefined_in(slot)) {
                let Some(Unknown { origin, .. }) = self.registers.unknown(slot, lane) else { continue };
                let place = |j| model.place((value + j) as usize, first + lane as usize) as u32;
                undefined.extend((0..count).map(|j| (place(j), origin)));
            }
        }
    }

    /// The MMAs that the warpgroup has issued and the warp has not committed become a group of
    /// the warp.
    pub(super) fn commit_products(&self, cluster: &mut Cluster<'_>) {
        let queue = cluster.wgmma_queue(self.block.rank, self.warpgroup() as u32);
        let last = (queue.issued, queue.time);
        queue.warps[self.number as usize % GROUP].groups.push_back(last);
    }

    /// Completes all groups of the warp except the `pending` youngest.
    pub(super) fn wait_for_products(
        &mut self,
        cluster: &mut Cluster<'_>,
        pending: u32,
    ) -> Result<(), LaneFinding> {
        cluster.journal.tell(|_| Event::Completes { act: self.act(self.exists) });
        let (rank, warpgroup) = (self.block.rank, self.warpgroup() as u32);
        let mut queue = std::mem::take(cluster.wgmma_queue(rank, warpgroup));
        let own = &mut queue.warps[self.number as usize % GROUP];
        let count = own.groups.len().saturating_sub(pending as usize);
        let last = own.groups.drain(..count).next_back();
        if let Some((ticket, time)) = last {
            // Groups without MMAs of their own wait for nothing new.
            queue.is_fenced_since_wait &= ticket == own.waited;
            own.waited = ticket;
            cluster.multiply(&mut queue, (rank, warpgroup), ticket);
            if let Some(agent) = queue.agent {
                cluster.clocks.learn_all(lanes_of(self.exists).map(|lane| self.thread(lane)), agent, time);
            }
            self.land_sums(cluster, &mut queue, ticket);
        }
        let changed = last.and_then(|(ticket, _)| self.changed_fragment(cluster, &mut queue, ticket));
        *cluster.wgmma_queue(rank, warpgroup) = queue;
        if let Some((ticket, _)) = last {
            cluster.follows_products(self, ticket);
        }
        if let Some(LaneFinding { lane, kind }) = changed {
            let thread = self.thread(lane);
            cluster.journal.remark(self.at, thread, kind);
        }
        Ok(())
    }

    /// Fragments of A may be changed again. Reports one that has changed before.
    fn changed_fragment(
        &self,
        cluster: &Cluster<'_>,
        queue: &mut WgmmaQueue,
        waited: u32,
    ) -> Option<LaneFinding> {
        let kernel = cluster.machine.kernel;
        let mut changed = None;
        for lent in queue.lent.iter_mut().filter(|lent| lent.ticket <= waited) {
            let mma = &kernel.group_mmas[lent.mma as usize];
            let WgmmaOperand::Registers(pieces) = &mma.a else { continue };
            let Some(before) = lent.words[self.number as usize % GROUP].take() else { continue };
            let now = self.registers.pack(pieces);
            if let Some(word) = before.iter().zip(&now).position(|(before, now)| before != now) {
                let ((op, location), is_ptx) = (cluster.scene().site(lent.site), kernel.is_ptx);
                let lane = (word / (now.len() / WARP as usize)) as u32;
                changed = Some(LaneFinding {
                    lane,
                    kind: FindingKind::Wgmma { rule: WgmmaRule::Fragment { op, location, is_ptx } },
                });
            }
        }
        queue.lent.retain(|lent| lent.words.iter().any(Option::is_some));
        changed
    }

    /// The value, and its undefined part, of a register in flight that a lane loads from local
    /// memory, where it was stored before its MMA was complete: if the MMA is complete for this
    /// warp now.
    pub(crate) fn arrived_late(
        &self,
        cluster: &Cluster<'_>,
        unknown: Unknown,
        lane: u32,
    ) -> Option<(u64, Option<Unknown>)> {
        let Origin::Flight(flight) = unknown.origin else { return None };
        let queue = cluster.engine.wgmma_queues.get(&(self.block.rank, self.warpgroup() as u32))?;
        let waited = queue.warps[self.number as usize % GROUP].waited;
        let own = queue.accumulators.iter().find(|own| own.last == flight.ticket && own.last <= waited)?;
        let model = cluster.machine.kernel.group_mmas[own.mma as usize].model;
        let unknown =
            if own.undefined.is_empty() { None } else { self.unknown_part(lane, flight, own, model) };
        Some((self.part_of(lane, flight, own, model), unknown))
    }

    /// Fills the registers in flight with their part of the accumulators that are complete for the
    /// warp.
    fn land_sums(&mut self, cluster: &Cluster<'_>, queue: &mut WgmmaQueue, waited: u32) {
        let own = 1 << (self.number as usize % GROUP);
        let lands = |of: &&mut Accumulator| of.last <= waited && of.settled & own == 0;
        for accumulator in queue.accumulators.iter_mut().filter(lands) {
            accumulator.settled |= own;
            let model = cluster.machine.kernel.group_mmas[accumulator.mma as usize].model;
            for slot in self.registers.flights() {
                let flight = self.registers.flight(slot).filter(|flight| flight.ticket == accumulator.last);
                if let Some(flight) = flight {
                    self.land(slot, flight, accumulator, model);
                }
            }
        }
    }

    /// Fills a register in flight with its value.
    fn land(&mut self, slot: Slot, flight: Flight, accumulator: &Accumulator, model: &Wgmma) {
        let active = self.registers.undefined_in(slot);
        let value: Lanes = std::array::from_fn(|lane| self.part_of(lane as u32, flight, accumulator, model));
        self.registers.set(slot, active, &value, 0);
        if accumulator.undefined.is_empty() {
            return;
        }
        for lane in lanes_of(active) {
            let unknown = self.unknown_part(lane, flight, accumulator, model);
            self.registers.set_unknown(slot, lane, unknown);
        }
    }

    fn places<'m>(
        &self,
        lane: u32,
        flight: Flight,
        model: &'m Wgmma,
    ) -> impl Iterator<Item = usize> + use<'m> {
        let width = model.sum_bits();
        let thread = (self.number as usize % GROUP) * WARP as usize + lane as usize;
        (0..flight.bits / width).map(move |j| model.place((flight.bit / width + j) as usize, thread))
    }

    fn part_of(&self, lane: u32, flight: Flight, accumulator: &Accumulator, model: &Wgmma) -> u64 {
        let codes =
            self.places(lane, flight, model).map(|place| model.code(&accumulator.accumulators, place));
        codes.zip(0..).fold(0, |bits, (code, j)| bits | u64::from(code) << (j * model.sum_bits()))
    }

    fn unknown_part(
        &self,
        lane: u32,
        flight: Flight,
        accumulator: &Accumulator,
        model: &Wgmma,
    ) -> Option<Unknown> {
        let origins =
            self.places(lane, flight, model).map(|place| accumulator.undefined.get(&(place as u32)));
        let mut unknown: Option<Unknown> = None;
        for (origin, j) in origins.zip(0..) {
            if let Some(origin) = origin {
                let unknown = unknown.get_or_insert(Unknown { origin: *origin, bits: 0 });
                unknown.bits |= mask(model.sum_bits()) << (j * model.sum_bits());
            }
        }
        unknown
    }
}

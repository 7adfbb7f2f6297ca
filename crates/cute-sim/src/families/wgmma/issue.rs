//! The issue of an MMA, by all four warps of a warpgroup together, and the checks that are possible
//! at that time.

use super::complete::multiply;
use super::course::follow_products;
use super::member::{group_of, member_of};
use super::model::{Columns, Matrix, Operands};
use super::op::{GroupMma, WgmmaOp, WgmmaOperand};
use super::queue::{Accumulator, Lent, Pending, WgmmaQueue};
use super::tasks::Multiply;
use crate::events::{Subject, Task, Work};
use crate::finding::{AccessKind, FindingKind, WgmmaRule};
use crate::lanes::{GROUP, lanes_of};
use crate::machine::WARP;
use crate::machine::cluster::Stop;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::program::{Piece, Slot};
use crate::race::View;
use crate::registers::Registers;
use crate::registers::flight::Flight;
use crate::registers::unknown::{Origin, Unknown};
use crate::schedule::Schedule;
use crate::tensor::accumulators::Accumulators;
use crate::tensor::tiles::{Described, Tile};
use cute_arch::smem::DescriptorOf;
use cute_machine::int::mask;
use std::collections::HashMap;

/// The finding of a thread of the warpgroup, with its number in the group.
type Wrong = (usize, FindingKind);

/// The four warps of a warpgroup execute an instruction together.
pub(crate) fn issue(parts: &mut Parts<'_, '_>, op: &WgmmaOp, group: &mut [Issuing<'_>]) -> Result<(), Stop> {
    match op {
        // Orders accesses of registers, which here happen in order.
        WgmmaOp::Fence => {
            let queue = parts.engine.warpgroups.of(group_of(&group[0].issuer));
            (queue.is_fenced, queue.is_fenced_since_wait) = (true, true);
            Ok(())
        }
        WgmmaOp::Multiply(mma) => issue_wgmma(parts, group, mma),
        WgmmaOp::Commit | WgmmaOp::Wait { .. } => unreachable!("each warp executes it alone"),
    }
}

/// The four warps issue an MMA.
fn issue_wgmma(parts: &mut Parts<'_, '_>, group: &mut [Issuing<'_>], mma: &GroupMma) -> Result<(), Stop> {
    let first = group[0].issuer;
    let (of, site, thread) = (group_of(&first), first.site, first.first);
    let mut queue = parts.engine.warpgroups.take(of);
    let issued = Issue { parts, group, mma, site }.issue(&mut queue);
    if issued.is_ok() {
        let task = Task::Wgmma(of.0, of.1, queue.issued);
        parts.journal.about(|scene| {
            let tiles = queue.pending.back().into_iter().flat_map(|last| last.multiply.operands.tiles());
            let shared = tiles.filter_map(|tile| scene.part_of(tile));
            Subject { shape: Some(mma.model.atom().shape), shared: shared.collect(), ..Subject::default() }
        });
        parts.journal.tell_issue((thread, site), task, Work::Multiply, 0, None);
    }
    if issued.is_ok() && parts.engine.schedule == Schedule::Eager {
        let all = queue.issued;
        multiply(parts, &mut queue, of, all);
    }
    parts.engine.multiplies();
    parts.engine.warpgroups.put(of, queue);
    follow_products(parts.engine, group);
    issued.map_err(|(thread, kind)| {
        let warp = &group[thread / WARP as usize].issuer;
        (site, warp.thread(thread as u32 % WARP), kind)
    })
}

/// An MMA on its way to the queue.
struct Issue<'i, 'c, 'm, 'w> {
    parts: &'i mut Parts<'c, 'm>,
    group: &'i mut [Issuing<'w>],
    /// The MMA, and the instruction.
    mma: &'i GroupMma,
    site: u32,
}

impl Issue<'_, '_, '_, '_> {
    fn issue(&mut self, queue: &mut WgmmaQueue) -> Result<(), Wrong> {
        let mma = self.mma;
        let adds = self.same(mma.adds, "scale of D")? & 1 != 0;
        let b = self.same(mma.b, "descriptor of B")?;
        let ticket = queue.issued + 1;
        let accumulator = self.accumulate(queue, mma, adds, ticket)?;
        if !queue.is_fenced {
            return Err((0, FindingKind::Wgmma { rule: WgmmaRule::NoFence }));
        }
        let time = self.parts.clocks.act();
        let agent = *queue.agent.get_or_insert_with(|| self.parts.clocks.agent());
        let warps = self.group.iter().map(|warp| warp.issuer.first..warp.issuer.first + WARP);
        // Nothing but the search for races asks it.
        let machine = self.parts.machine();
        let view = match machine.launch.check_races {
            true => self.parts.clocks.view_of_warps(warps, machine.threads()),
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
        let columns = self.columns(mma)?;
        (queue.issued, queue.time) = (ticket, time);
        let operands = Operands { a, columns, b, negate: mma.negate, majors: mma.majors };
        let multiply = Multiply { model: mma.model, operands, fresh: !adds };
        queue.pending.push_back(Pending { ticket, accumulator, multiply });
        for warp in self.group.iter_mut() {
            let mut bit = 0;
            for Piece { slot, bits } in &mma.d {
                warp.registers.depart(*slot, u32::MAX, Flight { ticket, site: self.site, bit, bits: *bits });
                bit += bits;
            }
        }
        self.parts.journal.changes(1);
        Ok(())
    }

    /// The value of a register that is the same in all threads.
    fn same(&mut self, slot: Slot, operand: &'static str) -> Result<u64, Wrong> {
        let kernel = self.parts.machine().kernel;
        let one = self.group[0].registers.get(slot)[0];
        for (w, warp) in self.group.iter().enumerate() {
            let first = w * WARP as usize;
            self.parts.journal.use_address(warp.registers, &warp.issuer.only(u32::MAX), slot);
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
                let (before, now) = (own.model.atom(), mma.model.atom());
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
                    let site = &self.parts.machine().kernel.sites[flight.site as usize];
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
            for warp in self.group.iter_mut() {
                let into = (&mut accumulators, &mut undefined);
                gather(warp.registers, member_of(&warp.issuer), mma, into);
            }
        }
        if adds
            && !queue.is_fenced_since_wait
            && queue.is_fenced
            && !self.is_left_alone(queue, mma, &accumulators)
        {
            return Err((0, FindingKind::Wgmma { rule: WgmmaRule::NoFenceBehind }));
        }
        let (site, model) = (self.site, mma.model);
        let (first, last) = (ticket, ticket);
        queue.begin(Accumulator { first, last, site, model, accumulators, undefined, settled: 0 });
        Ok(ticket)
    }

    /// Whether the registers of C hold the accumulators of the previous MMA, unchanged since.
    fn is_left_alone(&self, queue: &WgmmaQueue, mma: &GroupMma, accumulators: &Accumulators) -> bool {
        queue.accumulators.iter().any(|before| {
            let model = before.model.atom();
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
        queue.lent.push(Lent { ticket: queue.issued + 1, site: self.site, words: parts.map(Some) });
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

    /// The columns of the elements of A that are stored, if it is sparse, by the metadata of the
    /// threads that are selected.
    fn columns(&mut self, mma: &GroupMma) -> Result<Option<Columns>, Wrong> {
        let (Some(sparsity), Some((slot, selector))) = (mma.model.sparsity(), mma.metadata) else {
            return Ok(None);
        };
        let kernel = self.parts.machine().kernel;
        let mut words = [0; GROUP * WARP as usize];
        for (w, (warp, words)) in self.group.iter_mut().zip(words.chunks_exact_mut(WARP as usize)).enumerate()
        {
            let first = w * WARP as usize;
            let is_read = |lane: &u32| sparsity.chooses(selector, first + *lane as usize);
            let lanes = (0..WARP).filter(is_read).fold(0, |lanes, lane| lanes | 1 << lane);
            warp.registers.note_read(slot, lanes);
            warp.registers.use_followed(slot, lanes);
            warp.registers
                .defined(kernel, slot, lanes, "metadata of A")
                .map_err(|undefined| (first + undefined.lane as usize, undefined.kind))?;
            words.iter_mut().zip(warp.registers.get(slot)).for_each(|(to, word)| *to = *word as u32);
        }
        let extents = [mma.model.atom().shape[0] as usize, mma.model.stored()];
        let columns = sparsity.columns(&words, selector, extents);
        columns.map(Some).map_err(|(thread, rule)| (thread, FindingKind::Wgmma { rule }))
    }

    /// A tile in shared memory, which the queue's agent reads from now on.
    fn tile(
        &mut self,
        mma: &GroupMma,
        (is_b, word): (bool, u64),
        agent: (u32, u32),
        view: &View,
    ) -> Result<Tile, Wrong> {
        let issuer = Issuer { site: self.site, ..self.group[0].issuer };
        let acting = issuer.acting(self.parts.scene(), AccessKind::AsyncRead, 0, agent, view);
        let atom = mma.model.atom();
        let [m, n, k] = atom.shape;
        let (mn, k, element) =
            if is_b { (n, k, atom.b.element) } else { (m, mma.model.stored() as u32, atom.a.element) };
        let described = Described {
            of: DescriptorOf::Wgmma,
            word,
            major: mma.majors[usize::from(is_b)],
            extents: [mn, k],
            bits: element.bits(),
        };
        let rank = self.parts.scene().block().rank;
        let tile = self.parts.lend_tile(described, rank, &acting, issuer.first);
        let matrix = if is_b { "B" } else { "A" };
        let invalid = FindingKind::Wgmma { rule: WgmmaRule::Descriptor { matrix, word } };
        tile.unwrap_or(Err(invalid)).map_err(|kind| (0, kind))
    }
}

/// Sets the accumulators, and their undefined elements, from the registers of C of a warp of the
/// group.
fn gather(
    registers: &mut Registers,
    warp: usize,
    mma: &GroupMma,
    (accumulators, undefined): (&mut Accumulators, &mut HashMap<u32, Origin>),
) {
    let model = mma.model;
    let width = model.sum_bits();
    let first = warp * WARP as usize;
    for (slot, value, count) in GroupMma::elements(&mma.c, width) {
        let register = registers.get(slot);
        for j in 0..count {
            for (lane, code) in register.iter().enumerate() {
                let place = model.place((value + j) as usize, first + lane);
                model.set_code(accumulators, place, (code >> (j * width) & mask(width)) as u32);
            }
        }
        registers.use_followed(slot, u32::MAX);
        for lane in lanes_of(registers.undefined_in(slot)) {
            let Some(Unknown { origin, .. }) = registers.unknown(slot, lane) else { continue };
            let place = |j| model.place((value + j) as usize, first + lane as usize) as u32;
            undefined.extend((0..count).map(|j| (place(j), origin)));
        }
    }
}

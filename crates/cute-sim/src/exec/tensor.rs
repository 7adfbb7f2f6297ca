//! Matrix instructions of a warp: packs registers into 32-bit words for `tensor`, and unpacks the
//! results.

use super::alu::{LaneFinding, Lanes, lanes_of};
use super::span::Span;
use crate::finding::{AccessKind, FindingKind, ScaleRule};
use crate::machine::cluster::Cluster;
use crate::machine::rounding::{Replaced, is_near_row};
use crate::machine::warp::{Flow, Warp};
use crate::memory::address::SHARED;
use crate::program::{Access, Kernel, MmaScales, Op, Piece, Slot};
use crate::race::{Order, Reach, Scope};
use crate::registers::unknown::Unknown;
use crate::report::Traffic;
use crate::tensor::{LANES, Matrices, Mma, Scaled, Sums};
use crate::tensor::{matrix::ROW, sums};
use cute_machine::format::Rounding;
use cute_machine::types::Leaf;

/// A row as an access.
fn row_access(model: &Matrices) -> Access {
    let bytes = model.row_bytes() as u64;
    let leaf = Leaf { slot: 0, offset: 0, bytes: bytes as u32, bits: 0 };
    Access {
        space: SHARED,
        bytes,
        align: ROW as u64,
        leaves: [leaf].into(),
        strong: false,
        order: Order::default(),
        scope: Scope::Warp,
    }
}

/// The bits of a selector, which is an unsigned number of 16 bits.
const SELECTOR_MASK: u64 = 0xffff;

impl Warp {
    /// Executes `mma.sync`, `ldmatrix` or `stmatrix`.
    pub(super) fn matrices(
        &mut self,
        op: &Op,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            Op::Mma { model, rounding, ref a, ref b, ref c, ref d, ref scales } => {
                self.together(cluster, None, active, |warp, cluster, lanes| {
                    let scales = scales.as_deref();
                    let selectors =
                        scales.map(|s| warp.scale_selectors(kernel, model, s, lanes)).transpose()?;
                    let rules = cluster.machine.launch.sums;
                    sums::note(cluster.journal.sums(), rules, &model.query());
                    warp.mma((model, rounding, rules), [a, b, c, d], scales.zip(selectors));
                    Ok(())
                })
            }
            Op::LoadMatrix { model, address, ref registers } => {
                self.together(cluster, None, active, |warp, cluster, _| {
                    warp.load_matrix(cluster, model, address, registers)
                })
            }
            Op::StoreMatrix { model, address, ref registers } => {
                self.together(cluster, None, active, |warp, cluster, _| {
                    warp.store_matrix(cluster, model, address, registers)
                })
            }
            _ => unreachable!("`step` has an arm of its own for each other instruction"),
        }
    }

    /// The selectors of scale factors, which are the same in all lanes and in range.
    pub(crate) fn scale_selectors(
        &self,
        kernel: &Kernel,
        model: &Mma,
        scales: &MmaScales,
        lanes: u32,
    ) -> Result<[[u32; 2]; 2], LaneFinding> {
        let mut selectors = [[0; 2]; 2];
        for (matrix, slots) in scales.selectors.into_iter().enumerate() {
            for (selector, slot) in slots.into_iter().enumerate() {
                self.registers.defined(kernel, slot, lanes, "selector")?;
                let (values, first) =
                    (self.registers.get(slot).map(|value| value & SELECTOR_MASK), lanes.trailing_zeros());
                let given = values[first as usize];
                let broken = |lane, rule| LaneFinding { lane, kind: FindingKind::Scales { rule } };
                if let Some(lane) = lanes_of(lanes).find(|lane| values[*lane as usize] != given) {
                    let (other, other_lane, given, lane) = (given, first, values[lane as usize], lane);
                    let rule = ScaleRule::Apart { matrix, selector, given, lane, other, other_lane };
                    return Err(broken(lane, rule));
                }
                let legal = model.scales().map_or(Ok(()), |scales| scales.check(matrix, selector, given));
                legal.map_err(|rule| broken(first, rule))?;
                selectors[matrix][selector] = given as u32;
            }
        }
        Ok(selectors)
    }

    /// Multiplies matrices. `scales` come with the values of their selectors.
    pub(crate) fn mma(
        &mut self,
        (model, rounding, sums): (&Mma, Rounding, Sums),
        [a, b, c, d]: [&[Piece]; 4],
        scales: Option<(&MmaScales, [[u32; 2]; 2])>,
    ) {
        let words = [self.pack(a), self.pack(b), self.pack(c)];
        let result = match scales {
            None => model.execute_rounded(&words[0], &words[1], &words[2], (sums, rounding)),
            Some((MmaScales { words: factors, .. }, selectors)) => {
                let factors = factors.map(|piece| self.pack(&[piece]));
                let scaled = Scaled { words: [&factors[0], &factors[1]], selectors };
                model.execute_scaled(&words[0], &words[1], &words[2], (&scaled, sums))
            }
        };
        let factors: &[Piece] = scales.as_ref().map_or(&[], |(scales, _)| &scales.words);
        let read = || [a, b, c, factors].into_iter().flatten();
        let undefined = read().any(|p| self.registers.undefined_in(p.slot) & self.exists != 0);
        if undefined {
            read().for_each(|p| {
                self.registers.note_read(p.slot, self.exists);
                self.registers.use_followed(p.slot, self.exists);
            });
        }
        let unknown = undefined.then(|| self.unknown_mma(model, [a, b, c, d], scales));
        self.unpack(d, &result, 0);
        for (slot, lane, unknown) in unknown.into_iter().flatten() {
            self.registers.set_unknown(slot, lane, Some(unknown));
        }
    }

    /// The undefined elements of D: those that an undefined element of A, B or C, or an undefined
    /// scale factor, contributes to. The origin is that of C's register at the same place if that
    /// is undefined, otherwise that of the first undefined one.
    #[cold]
    fn unknown_mma(
        &self,
        model: &Mma,
        [a, b, c, d]: [&[Piece]; 4],
        scales: Option<(&MmaScales, [[u32; 2]; 2])>,
    ) -> Vec<(Slot, u32, Unknown)> {
        let bits = |pieces: &[Piece]| {
            self.pack_from(pieces, |slot| {
                std::array::from_fn(|lane| self.registers.unknown(slot, lane as u32).map_or(0, |u| u.bits))
            })
        };
        let factors: &[Piece] = scales.as_ref().map_or(&[], |(scales, _)| &scales.words);
        let of_factors: Vec<Vec<u32>> = factors.iter().map(|piece| bits(&[*piece])).collect();
        let scaled =
            scales.map(|(_, selectors)| Scaled { words: [&of_factors[0], &of_factors[1]], selectors });
        let spoilt = model.spoilt(&bits(a), &bits(b), &bits(c), scaled.as_ref());
        let of =
            |pieces: &[Piece], lane: u32| pieces.iter().find_map(|p| self.registers.unknown(p.slot, lane));
        let any = |pieces: &[Piece]| lanes_of(self.exists).find_map(|lane| of(pieces, lane));
        let other = any(a).or_else(|| any(b)).or_else(|| any(c)).or_else(|| any(factors));
        let mut found = Vec::new();
        unpacked(d, &spoilt, |slot, bits| {
            for lane in lanes_of(self.exists).filter(|l| bits[*l as usize] != 0) {
                let same = d.iter().position(|p| p.slot == slot).and_then(|i| c.get(i));
                let own = same.and_then(|p| self.registers.unknown(p.slot, lane));
                if let Some(Unknown { origin, .. }) = own.or(other) {
                    found.push((slot, lane, Unknown { origin, bits: bits[lane as usize] }));
                }
            }
        });
        found
    }

    /// Loads rows of shared memory to registers. The rows of 8 lanes are loaded at once, like an
    /// access of 16 bytes per lane.
    pub(crate) fn load_matrix(
        &mut self,
        cluster: &mut Cluster<'_>,
        model: &Matrices,
        address: Slot,
        registers: &[Piece],
    ) -> Result<(), LaneFinding> {
        let spans = self.rows(cluster, model, address)?;
        let (access, bytes) = (row_access(model), model.row_bytes());
        for lane in lanes_of(self.watch_rows_read(cluster, &access, &spans, bytes)) {
            self.can_read(cluster, &access, lane, spans[lane as usize], bytes, AccessKind::Read)?;
        }
        let mut rows = vec![[0; ROW]; model.rows()];
        for (span, row) in spans.iter().zip(&mut rows) {
            row[..bytes].copy_from_slice(cluster.shared.bytes().slice(span.start, bytes));
        }
        self.unpack(registers, &model.load(&rows), 0);
        Ok(())
    }

    /// Records the reads of rows, up to the first with a possible finding. Returns the lanes whose
    /// rows are left.
    fn watch_rows_read(
        &self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        spans: &[Span],
        bytes: usize,
    ) -> u32 {
        let lanes = u32::MAX >> (LANES - spans.len());
        if !spans.iter().all(|span| cluster.shared.bytes().is_written(span.start, bytes)) {
            return lanes;
        }
        if !cluster.machine.launch.check_races {
            return 0;
        }
        let mut starts = [0; 32];
        starts.iter_mut().zip(spans).for_each(|(start, span)| *start = span.start as u64);
        let kind = AccessKind::Read;
        let who = self.who(cluster, SHARED, self.at, kind, access.reach(kind));
        let mut window = cluster.shared.shadow();
        window.quiet(&starts, bytes, &who, lanes, &cluster.clocks)
    }

    /// Registers to rows of shared memory.
    pub(crate) fn store_matrix(
        &mut self,
        cluster: &mut Cluster<'_>,
        model: &Matrices,
        address: Slot,
        registers: &[Piece],
    ) -> Result<(), LaneFinding> {
        for piece in registers {
            self.registers.defined(cluster.machine.kernel, piece.slot, self.exists, "stored value")?;
        }
        let spans = self.rows(cluster, model, address)?;
        let rows = model.store(&self.pack(registers));
        for (lane, (span, row)) in (0..).zip(spans.iter().zip(&rows)) {
            let row = &row[..model.row_bytes()];
            self.can_write(cluster, lane, *span, row.len())?;
            let same = |cluster: &Cluster<'_>| {
                row.iter().enumerate().all(|(at, byte)| cluster.read(&[], *span, at, 1) == u64::from(*byte))
            };
            if cluster.machine.launch.check_races && !same(cluster) {
                let (by, register) = model.source(lane as usize);
                let old = cluster.shared.bytes().slice(span.start, row.len());
                let rivals = (0..)
                    .zip(spans.iter().zip(&rows))
                    .filter(|(_, (at, own))| at.start == span.start && own.starts_with(old));
                let rivals = rivals.map(|(row, _)| model.source(row)).filter(|(_, own)| *own == register);
                let rivals = rivals.fold(0, |lanes, (lane, _)| lanes | 1 << lane);
                cluster.journal.replaces(Replaced { is_near: is_near_row(old, row), by, rivals });
            }
            let write = (AccessKind::Write, Reach::default());
            self.watch(cluster, lane, *span, row.len(), write, self.at, Some(&same));
            cluster.journal.changes(1);
            cluster.shared.bytes_mut().write_slice(span.start, row);
        }
        Ok(())
    }

    /// The places of the rows, whose addresses the first lanes provide.
    fn rows(
        &self,
        cluster: &mut Cluster<'_>,
        model: &Matrices,
        address: Slot,
    ) -> Result<Vec<Span>, LaneFinding> {
        let rows = model.rows() as u32;
        let lanes = if rows >= 32 { u32::MAX } else { (1 << rows) - 1 };
        self.registers.defined(cluster.machine.kernel, address, lanes, "address")?;
        self.use_address(cluster, address, lanes);
        let mut at = [0; 32];
        let span = |lane: u32| {
            let address = self.registers.get(address)[lane as usize];
            let span = cluster.span(&[], address, SHARED, model.row_bytes() as u64, ROW as u64);
            span.map_err(|kind| LaneFinding { lane, kind })
        };
        let spans = (0..rows).map(span).collect::<Result<Vec<_>, _>>()?;
        at.iter_mut().zip(&spans).for_each(|(at, span)| *at = span.address());
        cluster.journal.counters_mut().access(self.at, Traffic::Shared, &at, lanes, ROW as u64);
        Ok(spans)
    }

    /// The words of registers, lane by lane, lowest bits first.
    pub(super) fn pack(&self, pieces: &[Piece]) -> Vec<u32> {
        self.pack_from(pieces, |slot| *self.registers.get(slot))
    }

    fn pack_from(&self, pieces: &[Piece], register: impl Fn(Slot) -> Lanes) -> Vec<u32> {
        let words = pieces.iter().map(|p| p.bits).sum::<u32>().div_ceil(32) as usize;
        let mut packed = vec![0; words * LANES];
        let mut bit = 0;
        for piece in pieces {
            for (lane, value) in register(piece.slot).iter().enumerate() {
                let word = lane * words + bit / 32;
                let low = if piece.bits < 32 { *value & ((1 << piece.bits) - 1) } else { *value };
                packed[word] |= (low as u32) << (bit % 32);
                if piece.bits == 64 {
                    packed[word + 1] = (value >> 32) as u32;
                }
            }
            bit += piece.bits as usize;
        }
        packed
    }

    fn unpack(&mut self, pieces: &[Piece], packed: &[u32], undefined: u32) {
        unpacked(pieces, packed, |slot, value| self.registers.set(slot, u32::MAX, value, undefined));
    }
}

/// Gives each register its part of the words of all lanes.
fn unpacked(pieces: &[Piece], packed: &[u32], mut give: impl FnMut(Slot, &Lanes)) {
    let words = packed.len() / LANES;
    let mut bit = 0;
    for piece in pieces {
        let value = std::array::from_fn(|lane| {
            let word = lane * words + bit / 32;
            let low = u64::from(packed[word]) >> (bit % 32);
            match piece.bits {
                64 => low | u64::from(packed[word + 1]) << 32,
                bits => low & ((1 << bits) - 1),
            }
        });
        give(piece.slot, &value);
        bit += piece.bits as usize;
    }
}

//! `ldmatrix` and `stmatrix`: rows of shared memory to registers, and back.

use super::rows::{Matrices, ROW};
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::{Parts, value_at};
use crate::machine::rounding::{Replaced, is_near_row};
use crate::memory::address::SHARED;
use crate::memory::span::Span;
use crate::operand::{Piece, Slot};
use crate::program::Access;
use crate::race::{Order, Reach, Scope};
use crate::report::Traffic;
use crate::shared::SharedMemory;
use crate::tensor::LANES;
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

/// Loads rows of shared memory to registers. The rows of 8 lanes are loaded at once, like an
/// access of 16 bytes per lane.
pub(super) fn load_matrix(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    model: &Matrices,
    address: Slot,
    registers: &[Piece],
) -> Result<(), LaneFinding> {
    let spans = places(parts, own, model, address)?;
    let (access, bytes) = (row_access(model), model.row_bytes());
    for lane in lanes_of(watch_rows_read(parts, own, &access, &spans, bytes)) {
        let (issuer, at) = ((&own.issuer, lane), (spans[lane as usize], bytes));
        parts.can_read((own.registers, own.stack), issuer, &access, at, AccessKind::Read)?;
    }
    let mut rows = vec![[0; ROW]; model.rows()];
    for (span, row) in spans.iter().zip(&mut rows) {
        row[..bytes].copy_from_slice(parts.shared.bytes().slice(span.start, bytes));
    }
    own.registers.unpack(registers, &model.load(&rows));
    Ok(())
}

/// Records the reads of rows, up to the first with a possible finding. Returns the lanes whose
/// rows are left.
fn watch_rows_read(
    parts: &mut Parts<'_, '_>,
    own: &Issuing<'_>,
    access: &Access,
    spans: &[Span],
    bytes: usize,
) -> u32 {
    let lanes = u32::MAX >> (LANES - spans.len());
    if !spans.iter().all(|span| parts.shared.bytes().is_written(span.start, bytes)) {
        return lanes;
    }
    if !parts.machine().launch.check_races {
        return 0;
    }
    let mut starts = [0; 32];
    starts.iter_mut().zip(spans).for_each(|(start, span)| *start = span.start as u64);
    let kind = AccessKind::Read;
    let who = own.issuer.who(parts.scene(), SHARED, kind, access.reach(kind));
    let mut window = parts.shared.shadow();
    window.quiet(&starts, bytes, &who, lanes, parts.clocks)
}

/// Registers to rows of shared memory.
pub(super) fn store_matrix(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    model: &Matrices,
    address: Slot,
    registers: &[Piece],
) -> Result<(), LaneFinding> {
    for piece in registers {
        own.registers.defined(parts.machine().kernel, piece.slot, own.issuer.exists, "stored value")?;
    }
    let spans = places(parts, own, model, address)?;
    let rows = model.store(&own.registers.pack(registers));
    for (lane, (span, row)) in (0..).zip(spans.iter().zip(&rows)) {
        let row = &row[..model.row_bytes()];
        parts.can_write((&own.issuer, lane), *span, row.len())?;
        let machine = parts.machine();
        let same = |shared: &SharedMemory| {
            let mut bytes = row.iter().enumerate();
            bytes.all(|(at, byte)| value_at(machine, shared, &[], *span, at, 1) == u64::from(*byte))
        };
        if parts.machine().launch.check_races && !same(parts.shared) {
            let (by, register) = model.source(lane as usize);
            let old = parts.shared.bytes().slice(span.start, row.len());
            let rivals = (0..)
                .zip(spans.iter().zip(&rows))
                .filter(|(_, (at, own))| at.start == span.start && own.starts_with(old));
            let rivals = rivals.map(|(row, _)| model.source(row)).filter(|(_, own)| *own == register);
            let rivals = rivals.fold(0, |lanes, (lane, _)| lanes | 1 << lane);
            parts.journal.replaces(Replaced { is_near: is_near_row(old, row), by, rivals });
        }
        let write = (AccessKind::Write, Reach::default());
        parts.watch(own.registers, (&own.issuer, lane), (*span, row.len()), write, Some(&same));
        parts.journal.changes(1);
        parts.shared.bytes_mut().write_slice(span.start, row);
    }
    Ok(())
}

/// The places of the rows, whose addresses the first lanes provide.
fn places(
    parts: &mut Parts<'_, '_>,
    own: &Issuing<'_>,
    model: &Matrices,
    address: Slot,
) -> Result<Vec<Span>, LaneFinding> {
    let rows = model.rows() as u32;
    let lanes = if rows >= 32 { u32::MAX } else { (1 << rows) - 1 };
    own.registers.defined(parts.machine().kernel, address, lanes, "address")?;
    parts.journal.use_address(own.registers, &own.issuer.only(lanes), address);
    let mut at = [0; 32];
    let span = |lane: u32| {
        let address = own.registers.get(address)[lane as usize];
        let span = parts.span(&[], address, SHARED, model.row_bytes() as u64, ROW as u64);
        span.map_err(|kind| LaneFinding { lane, kind })
    };
    let spans = (0..rows).map(span).collect::<Result<Vec<_>, _>>()?;
    at.iter_mut().zip(&spans).for_each(|(at, span)| *at = span.address());
    parts.journal.counters_mut().access(own.issuer.site, Traffic::Shared, &at, lanes, ROW as u64);
    Ok(spans)
}

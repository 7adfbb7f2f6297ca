//! `ldmatrix` and `stmatrix`: rows of shared memory to registers, and back.

use super::rows::{Matrices, ROW};
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::parts::value_at;
use crate::machine::rounding::{Replaced, is_near_row};
use crate::machine::warp::Warp;
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

impl Warp {
    /// Loads rows of shared memory to registers. The rows of 8 lanes are loaded at once, like an
    /// access of 16 bytes per lane.
    pub(super) fn load_matrix(
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
        self.registers.unpack(registers, &model.load(&rows));
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
        let who = self.who(cluster, SHARED, self.lanes.at(), kind, access.reach(kind));
        let mut window = cluster.shared.shadow();
        window.quiet(&starts, bytes, &who, lanes, &cluster.clocks)
    }

    /// Registers to rows of shared memory.
    pub(super) fn store_matrix(
        &mut self,
        cluster: &mut Cluster<'_>,
        model: &Matrices,
        address: Slot,
        registers: &[Piece],
    ) -> Result<(), LaneFinding> {
        for piece in registers {
            self.registers.defined(
                cluster.machine.kernel,
                piece.slot,
                self.lanes.exists(),
                "stored value",
            )?;
        }
        let spans = self.rows(cluster, model, address)?;
        let rows = model.store(&self.registers.pack(registers));
        for (lane, (span, row)) in (0..).zip(spans.iter().zip(&rows)) {
            let row = &row[..model.row_bytes()];
            self.can_write(cluster, lane, *span, row.len())?;
            let machine = cluster.machine;
            let same = |shared: &SharedMemory| {
                let mut bytes = row.iter().enumerate();
                bytes.all(|(at, byte)| value_at(machine, shared, &[], *span, at, 1) == u64::from(*byte))
            };
            if cluster.machine.launch.check_races && !same(&cluster.shared) {
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
            self.watch(cluster, lane, *span, row.len(), write, self.lanes.at(), Some(&same));
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
        cluster.journal.counters_mut().access(self.lanes.at(), Traffic::Shared, &at, lanes, ROW as u64);
        Ok(spans)
    }
}

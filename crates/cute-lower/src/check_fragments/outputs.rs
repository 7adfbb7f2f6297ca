//! The tiles of A and B have the rows and the columns of the tile of D that the kernel stores: A is
//! loaded at the coordinate of D's rows, and B at that of its columns, whatever tilers cut them.

use std::collections::BTreeSet;

use cute_algebra::MmaOperand;
use cute_dialect::{ops::OpKind, partition::GemmOperand};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{Value, operation::OperationRef};

use super::{
    Filled,
    loads::Loads,
    numbers::Number,
    operands,
    places::{Place, Start, chain, is_view},
    scales::named,
    views::operand,
};
use crate::incoming::Incoming;

/// A tile of global memory that a kernel stores, and the numbers behind the coordinates of its rows
/// alone, and of its columns alone.
struct Output<'c> {
    tile: OperationRef<'c, 'c>,
    alone: [BTreeSet<Number>; 2],
    /// All numbers behind its coordinate.
    all: BTreeSet<Number>,
    /// Whether its rows are known to be those of the accumulators.
    is_upright: bool,
}

/// The outputs of a function whose gemms all add to the same accumulators.
pub(super) struct Outputs<'c>(Vec<Output<'c>>);

impl<'c> Outputs<'c> {
    /// The tiles that copies store, and the copies of fragments of C among them that are known to
    /// keep the order of rows and columns.
    pub(super) fn of<'a>(
        gemms: &[OperationRef<'c, 'c>],
        loads: &Loads<'c>,
        upright: impl Iterator<Item = &'a Filled<'c>>,
    ) -> Self
    where
        'c: 'a,
    {
        let accumulators =
            gemms.iter().map(|gemm| operand(*gemm, 1).and_then(Start::of).map(|start| start.base));
        let accumulators: BTreeSet<_> = accumulators.collect();
        if accumulators.len() != 1 || accumulators.contains(&None) {
            return Self(Vec::new());
        }
        let upright: Vec<_> =
            upright.filter_map(|copy| operand(copy.op, 2)).map(|dst| (dst, chain(dst))).collect();
        let output = |(src, dst): &(Value<'c, 'c>, Value<'c, 'c>)| {
            let views = chain(*dst);
            let (tile, [rows, columns]) = views.iter().find_map(|view| loads.tile(*view))?;
            let from = chain(*src);
            let is_upright = named(&views, GemmOperand::C).is_some()
                || upright.iter().any(|(stored, of_stored)| {
                    ir::identity(*stored) == ir::identity(*dst)
                        || of_stored.iter().any(|view| {
                            is_view(*view) && from.iter().any(|own| ir::identity(*own) == ir::identity(*view))
                        })
                });
            let (alone, all) = ([&rows - &columns, &columns - &rows], &rows | &columns);
            alone.iter().all(|alone| !alone.is_empty()).then_some(Output { tile, alone, all, is_upright })
        };
        Self(loads.stores().iter().filter_map(output).collect())
    }

    /// Reports a tile of A or of B of a gemm that is loaded at the other coordinate of D; returns
    /// whether there is none.
    pub(super) fn are_those_of(
        &self,
        gemm: OperationRef<'c, 'c>,
        loads: &Loads<'c>,
        incoming: &Incoming<'c>,
        told: &mut Vec<usize>,
    ) -> bool {
        let [_, _, a, b, _] = ir::operands(gemm)[..] else { return true };
        let rows = [a, b].map(|matrix| {
            let place = operands::described(matrix, incoming).and_then(Place::of)?;
            let views = loads.origin(place).views;
            let mut tiles = views.iter().filter_map(|view| loads.tile(*view));
            let first = tiles.next()?;
            tiles.all(|(_, [rows, _])| rows == first.1[0]).then_some((first.0, first.1[0].clone()))
        });
        let [Some(a), Some(b)] = rows else { return true };
        let mut wrong = None;
        for output in &self.0 {
            // Roles that each compute their coordinates have some that D's does not show.
            if ![&a, &b].into_iter().all(|(_, rows)| loads.come_from(rows, &output.all)) {
                return true;
            }
            let is_at = |(_, rows): &(OperationRef<'c, 'c>, BTreeSet<Number>), mode: usize| {
                !rows.is_disjoint(&output.alone[mode]) && rows.is_disjoint(&output.alone[1 - mode])
            };
            let found = match (is_at(&a, 1), is_at(&b, 0)) {
                // The transposed product, which is stored upright.
                (true, true) if output.is_upright => Some((MmaOperand::A, &a)),
                (true, false) if is_at(&b, 1) => Some((MmaOperand::A, &a)),
                (false, true) if is_at(&a, 0) => Some((MmaOperand::B, &b)),
                _ => None,
            };
            // Outputs that disagree decide nothing.
            let Some((which, (tile, _))) = found else { return true };
            wrong = Some((which, *tile, output.tile));
        }
        let Some((which, tile, output)) = wrong else { return true };
        if !told.contains(&ir::op_identity(tile)) {
            told.push(ir::op_identity(tile));
            report(which, tile, output);
        }
        false
    }
}

fn report(which: MmaOperand, tile: OperationRef<'_, '_>, output: OperationRef<'_, '_>) {
    let (own, of_other, mode) = match which {
        MmaOperand::A => ("rows", "columns", "M"),
        _ => ("columns", "rows", "N"),
    };
    let text = format!(
        "'{}' op cuts the tile of {which} at the coordinate of D's {of_other}: mode {mode} of {which} is that of D's {own}, so cut it at the \
         coordinate of those",
        op_name(tile)
    );
    let note = (ir::location(output), "the tile of D is cut here".to_string());
    cute_ffi::emit(ir::location(tile), Severity::Error, &text, &[note]);
}

/// Whether an op is a gemm.
pub(super) fn is_gemm(op: OperationRef<'_, '_>) -> bool {
    matches!(OpKind::from_name(op_name(op)), Some(OpKind::Gemm | OpKind::MmaAtomCall))
}

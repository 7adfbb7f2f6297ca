//! `cute-check-fragments`: checks that a gemm multiplies what was loaded for it. Types agree as
//! soon as sizes do, so exchanged operands, or a copy with another thread-value layout, would
//! multiply wrong elements without an error. This pass follows the operands of each gemm back to
//! the ops that made and filled them. It rejects what is provably wrong, and accepts what it cannot
//! decide.
//!
//! * [`Fill`]: the coordinates of the tile that a copy provides, and those that the MMA takes. An
//!   MMA may have M, N or K in another order if all of its operands share it; so if a copy permutes
//!   a mode, each `cute.gemm` that uses it is checked.
//! * [`operands`]: A and B are made for their side of the MMA, from elements that the atom
//!   multiplies.
//! * [`tiles`]: A and B of one `cute.gemm` are tiles of different modes of an (M,N,K) tiler.
//! * [`outputs`]: they are cut at the coordinates at which D is stored.
//! * [`scales`]: SFA and SFB are the scale factors of A and of B.
//! * [`views`], [`places`] and [`loads`]: the origin of views, and of what memory holds.

mod loads;
mod numbers;
mod operands;
mod outputs;
mod places;
mod scales;
mod tiles;
pub(crate) mod views;

use cute_algebra::{
    CopySide, MmaOperand,
    tiled::{Difference, Fill},
};
use cute_dialect::ops::OpKind;
use cute_ffi::{
    self, Severity,
    ir::{self, op_name, walk},
};
use melior::ir::{Value, operation::OperationRef};
use rustc_hash::FxHashMap;

use self::{
    loads::Loads,
    outputs::Outputs,
    tiles::{Sources, same_rows},
    views::{Tile, made_by, maker, matrix, whole},
};
use cute_build::Error;

use crate::{Built, incoming::Incoming};

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    // Each function reports its own errors.
    let wrong = ir::functions(root).into_iter().filter(|f| !function(*f)).count();
    if wrong == 0 { Ok(()) } else { Err(Error::Reported) }
}

/// Returns whether nothing in a function is provably wrong.
fn function<'c>(function: OperationRef<'c, 'c>) -> bool {
    let ops = walk(function);
    let of_kind = |kind: OpKind| ops.iter().copied().filter(move |op| op_name(*op) == kind.name());
    let mut filled: FxHashMap<usize, Filled<'c>> = FxHashMap::default();
    let mut right = true;
    for op in of_kind(OpKind::Copy) {
        let Some(one) = Filled::by(op) else { continue };
        if one.fill.modes.is_none() {
            one.report(match one.seen {
                true => "the copy takes another view of the memory than the fragment was made of",
                false => "the thread-value layout of the copy is not the MMA's",
            });
            right = false;
        } else {
            filled.entry(one.fragment).or_insert(one);
        }
    }
    let tiles: Vec<_> = of_kind(OpKind::LocalTile).filter_map(Tile::of).collect();
    let (sources, incoming) = (Sources::of(&ops), Incoming::in_function(&ops));
    let loads = Loads::of(&ops);
    let gemms: Vec<_> = ops.iter().copied().filter(|op| outputs::is_gemm(*op)).collect();
    let outputs = Outputs::of(&gemms, &loads, filled.values().filter(|copy| copy.is_stored_upright()));
    let mut told = Vec::new();
    for op in of_kind(OpKind::MmaMakeFragment) {
        right &= operands::is_own_partition(op);
    }
    for op in of_kind(OpKind::MmaAtomCall) {
        right &= operands::are_right(op, &incoming) && scales::are_right(op, &loads, &incoming);
    }
    for op in of_kind(OpKind::Gemm) {
        if !operands::are_right(op, &incoming) || !scales::are_right(op, &loads, &incoming) {
            right = false;
            continue;
        }
        right &= same_order(op, &filled);
        if let Some(wrong) = same_rows(op, &sources, &tiles, &incoming)
            && !told.contains(&ir::op_identity(wrong.op))
        {
            told.push(ir::op_identity(wrong.op));
            right = false;
            wrong.report();
        } else {
            right &= outputs.are_those_of(op, &loads, &incoming, &mut told);
        }
    }
    right
}

/// A copy between a tile and a fragment of an MMA.
struct Filled<'c> {
    op: OperationRef<'c, 'c>,
    side: CopySide,
    which: MmaOperand,
    /// The fragment, by the value that was made.
    fragment: usize,
    fill: Fill,
    /// Whether the fragment was made from another view of the tile's memory.
    seen: bool,
}

impl<'c> Filled<'c> {
    /// The elements that a `cute.copy` fills or stores, if both sides are known.
    fn by(op: OperationRef<'c, 'c>) -> Option<Self> {
        let [atom, src, dst, ..] = ir::operands(op)[..] else { return None };
        let fills = Self::between(op, atom, (CopySide::Dst, src, dst));
        fills.or_else(|| Self::between(op, atom, (CopySide::Src, dst, src)))
    }

    /// The same for a fragment on one side, and the part of a tile on the other.
    fn between(
        op: OperationRef<'c, 'c>,
        atom: Value<'c, 'c>,
        (side, part, fragment): (CopySide, Value<'c, 'c>, Value<'c, 'c>),
    ) -> Option<Self> {
        let retiled = made_by(fragment, OpKind::TiledCopyRetile);
        let made = whole(retiled.map_or(fragment, |[_, fragment]| fragment));
        let maker = maker(made, OpKind::MmaMakeFragment)?;
        let [mma, like] = ir::operands(maker).first_chunk().copied()?;
        let which = matrix(maker)?;
        let of = |fill, seen| Self { op, side, which, fragment: ir::identity(made), fill, seen };
        let Some([retile, fragment]) = retiled else {
            // Element by element, in the order of the MMA itself.
            let [by, tile] = made_by(part, OpKind::TiledMmaPartition)?;
            let right = matrix(ir::definer(whole(part))?)? == which && ir::type_of(by) == ir::type_of(mma);
            return Some(of(Fill::right(views::extents(tile).filter(|_| right)?), false));
        };
        let own =
            if side == CopySide::Dst { OpKind::TiledCopyPartitionS } else { OpKind::TiledCopyPartitionD };
        let [copy, tile] = made_by(part, own)?;
        let (copy, retile, mma) =
            (views::tiled_copy(copy)?, views::tiled_copy(retile)?, views::tiled_mma(mma)?);
        // Another atom than the partition's moves values to other threads.
        if views::copy_layouts(atom)? != *copy.atom() {
            return None;
        }
        let seen = made_by(like, OpKind::TiledMmaPartition).and_then(|[_, view]| views::seen_in(tile, view));
        let (extents, shape) = (views::extents(tile)?, views::shape(fragment)?);
        let fill = Fill::new((&copy, side), &retile, (&mma, which), extents, &shape, seen.as_deref());
        Some(of(
            fill.ok()??,
            seen.is_some_and(|seen| seen.iter().zip(0..).any(|(there, here)| *there != here)),
        ))
    }

    /// Whether it stores C with its rows and columns in order.
    fn is_stored_upright(&self) -> bool {
        let ordered = |mode: &Vec<i64>| mode.iter().zip(0..).all(|(position, n)| *position == n);
        let modes = self.fill.modes.as_ref();
        self.which == MmaOperand::C
            && self.side == CopySide::Src
            && modes.is_some_and(|modes| modes.iter().all(ordered))
    }

    fn report(&self, why: &str) {
        let Some(Difference { thread, value, taken: [ti, tj], brought: [bi, bj] }) = self.fill.first else {
            return;
        };
        let (which, modes) = (self.which, self.which.of(["M", "N", "K"]).join(","));
        let value = format!("value {value} of thread {thread}");
        let does = match self.side {
            CopySide::Dst => format!(
                "loads element ({bi},{bj}) of the tile ({modes}) as {value}, where the MMA takes ({ti},{tj})"
            ),
            CopySide::Src => format!(
                "stores {value} as element ({bi},{bj}) of the tile ({modes}), where the MMA has ({ti},{tj})"
            ),
        };
        let text = format!(
            "'{}' op {does}: {why}; make the tiled copy by cute.make_tiled_copy_{which}(atom, tiled_mma), and give both the same view",
            op_name(self.op)
        );
        cute_ffi::emit(ir::location(self.op), Severity::Error, &text, &[]);
    }
}

/// Whether the operands of a gemm have M, N and K in the same order, as far as that is known.
fn same_order<'c>(op: OperationRef<'c, 'c>, filled: &FxHashMap<usize, Filled<'c>>) -> bool {
    let [_, d, a, b, _] = ir::operands(op)[..] else { return true };
    let [a, b, c] = [a, b, d].map(|fragment| filled.get(&ir::identity(whole(fragment))));
    for (name, x, i, y, j) in [("K", a, 1, b, 1), ("M", a, 0, c, 0), ("N", b, 0, c, 1)] {
        let (Some(x), Some(y)) = (x, y) else { continue };
        let order = |of: &Filled<'c>, i: usize| of.fill.modes.as_ref().map(|modes| modes[i].clone());
        let (Some(of_x), Some(of_y)) = (order(x, i), order(y, j)) else { continue };
        if of_x.iter().zip(&of_y).any(|(x, y)| x != y) {
            let in_order = of_x.iter().zip(0..).all(|(position, n)| *position == n);
            let (wrong, other) = if in_order { (y, x) } else { (x, y) };
            wrong.report(&format!("{name} is in another order than in {}", other.which));
            return false;
        }
    }
    true
}

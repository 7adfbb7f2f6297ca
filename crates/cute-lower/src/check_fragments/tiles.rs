//! The tiles of global memory that A and B of a gemm are loaded from, which must be tiles of
//! different modes of an (M,N,K) tiler.

use cute_algebra::MmaOperand;
use cute_dialect::ops::OpKind;
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{Value, operation::OperationRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    operands,
    views::{self, Tile, operand},
};
use crate::incoming::Incoming;

/// The contents of each memory, as far as copies load them: shared memory, registers or tensor
/// memory, named by the value that its address comes from.
#[derive(Default)]
pub(super) struct Sources<'c> {
    /// The copies, with the memory or tile that they read, by the memory that they write.
    copied: FxHashMap<usize, Vec<(OperationRef<'c, 'c>, Value<'c, 'c>)>>,
    /// Memory that holds computed values.
    computed: FxHashSet<usize>,
}

impl<'c> Sources<'c> {
    /// The memory that the ops of a function write.
    pub(super) fn of(ops: &[OperationRef<'c, 'c>]) -> Self {
        let mut sources = Self::default();
        for op in ops {
            match OpKind::from_name(op_name(*op)) {
                Some(OpKind::Copy | OpKind::CopyAtomCall) => {
                    let (Some(src), Some(dst)) = (operand(*op, 1), operand(*op, 2)) else { continue };
                    let copied = sources.copied.entry(ir::identity(origin(dst))).or_default();
                    copied.push((*op, origin(src)));
                }
                Some(OpKind::Gemm | OpKind::MmaAtomCall) => sources.computes(operand(*op, 1)),
                Some(OpKind::MemRefStore | OpKind::MemRefStoreVec) => {
                    ir::operands(*op).into_iter().for_each(|view| sources.computes(Some(view)));
                }
                _ => {}
            }
        }
        sources
    }

    fn computes(&mut self, view: Option<Value<'c, 'c>>) {
        self.computed.extend(view.map(|view| ir::identity(origin(view))));
    }

    /// The tile of global memory that a view holds, or is itself; `None` if it holds several, or
    /// anything else.
    fn tile(&self, view: Value<'c, 'c>) -> Option<Tile<'c>> {
        let (mut open, mut seen) = (vec![origin(view)], FxHashSet::default());
        let mut found: Option<Value<'c, 'c>> = None;
        while let Some(memory) = open.pop() {
            let id = ir::identity(memory);
            if !seen.insert(id) {
                continue;
            }
            if ir::definer(memory).and_then(Tile::of).is_some() {
                if found.is_some_and(|tile| !views::same(tile, memory)) {
                    return None;
                }
                found.get_or_insert(memory);
            } else if self.computed.contains(&id) {
                return None;
            } else {
                open.extend(self.copied.get(&id)?.iter().map(|(_, from)| *from));
            }
        }
        Tile::of(ir::definer(found?)?)
    }

    /// All memory and tiles that a view is filled from, itself included.
    fn behind(&self, view: Value<'c, 'c>) -> FxHashSet<usize> {
        let (mut open, mut seen) = (vec![ir::identity(origin(view))], FxHashSet::default());
        while let Some(memory) = open.pop() {
            if seen.insert(memory) {
                let copied = self.copied.get(&memory).into_iter().flatten();
                open.extend(copied.map(|(_, from)| ir::identity(*from)));
            }
        }
        seen
    }

    /// The op by which what another operand is filled from comes into a view: the copy that reads
    /// it, or the one that makes the view.
    fn entry(&self, view: Value<'c, 'c>, of_other: &FxHashSet<usize>) -> Option<OperationRef<'c, 'c>> {
        let first = ir::identity(origin(view));
        if of_other.contains(&first) {
            return ir::definer(views::whole(view));
        }
        let (mut open, mut seen) = (vec![first], FxHashSet::default());
        while let Some(memory) = open.pop() {
            if !seen.insert(memory) {
                continue;
            }
            for (copy, from) in self.copied.get(&memory).into_iter().flatten() {
                if of_other.contains(&ir::identity(*from)) {
                    return Some(*copy);
                }
                open.push(ir::identity(*from));
            }
        }
        None
    }
}

/// The tile or the memory that a view is a part of, through partitions among threads and boxes.
fn origin<'c>(mut view: Value<'c, 'c>) -> Value<'c, 'c> {
    use OpKind as K;
    while let Some(op) = ir::definer(view)
        && let Some(kind) = OpKind::from_name(op_name(op))
    {
        let from = match kind {
            K::Slice | K::GroupModes | K::MakeView | K::GetIter | K::RecastIter | K::Derefine => 0,
            K::TiledCopyPartitionS | K::TiledCopyPartitionD | K::TiledCopyRetile | K::TiledMmaPartition => 1,
            // The part of the memory, then that of the coordinates.
            K::TmaPartition => {
                let first = ir::result(op, 0).map(ir::identity);
                if first == Some(ir::identity(view)) { 3 } else { 4 }
            }
            _ => break,
        };
        let Some(next) = operand(op, from) else { break };
        view = next;
    }
    view
}

/// A `local_tile` whose projection is another operand's.
pub(super) struct WrongTile<'c> {
    pub(super) op: OperationRef<'c, 'c>,
    which: MmaOperand,
    /// Whether the other operand is the same tile.
    shared: bool,
    /// The modes of the tiler that it keeps, and those that it should.
    kept: [usize; 2],
    wanted: [usize; 2],
    /// The tile that has the mode that both A and B lack.
    beside: OperationRef<'c, 'c>,
    /// The op that takes the tile for the other operand, and the tile that it should take, if the
    /// kernel has it.
    taken: Option<(OperationRef<'c, 'c>, OperationRef<'c, 'c>)>,
}

impl WrongTile<'_> {
    pub(super) fn report(&self) {
        let Self { op, which, kept: [i, k], wanted: [j, _], .. } = self;
        if let Some((by, right)) = self.taken {
            return self.report_taken(by, right);
        }
        let modes = which.of(["M", "N", "K"]).join(",");
        let projection = [0, 1, 2].map(|m| if self.wanted.contains(&m) { "1" } else { "_" }).join(",");
        let name = op_name(*op);
        let text = if self.shared {
            format!(
                "'{name}' op cuts a tile by modes {i} and {k} of the tiler, and the gemm takes it as both A and B; the tile ({modes}) of \
                 {which} has modes {j} and {k}: give {which} a tile with the projection \"({projection})\""
            )
        } else {
            format!(
                "'{name}' op cuts the tile of {which} by modes {i} and {k} of the tiler, which A and B then both have; the tile ({modes}) has \
                 modes {j} and {k}: use the projection \"({projection})\""
            )
        };
        let note = format!("mode {j} of the tiler is in this tile, at the same coordinate");
        cute_ffi::emit(ir::location(*op), Severity::Error, &text, &[(ir::location(self.beside), note)]);
    }

    /// The kernel cuts the right tile too, but an op reads the other one.
    fn report_taken(&self, by: OperationRef<'_, '_>, right: OperationRef<'_, '_>) {
        let (which, [i, k], [j, l]) = (self.which, self.kept, self.wanted);
        let other = if which == MmaOperand::A { MmaOperand::B } else { MmaOperand::A };
        let does = match OpKind::from_name(op_name(by)) {
            Some(OpKind::Copy | OpKind::CopyAtomCall) => "fills",
            _ => "takes",
        };
        let text = format!(
            "'{}' op {does} {which} from the tile of {other}, so that the gemm multiplies {other} by itself: read the memory of the tile of \
             {which}, which has modes {j} and {l} of the tiler",
            op_name(by)
        );
        let notes = [
            (ir::location(right), format!("this is the tile of {which}")),
            (ir::location(self.op), format!("this tile, by modes {i} and {k}, is that of {other}")),
        ];
        cute_ffi::emit(ir::location(by), Severity::Error, &text, &notes);
    }
}

/// The mistake in a gemm whose A and B are tiles of the same modes of one (M,N,K) tiler, at the
/// same coordinate, while a third tile, that of C, has the mode that neither has.
pub(super) fn same_rows<'c>(
    op: OperationRef<'c, 'c>,
    sources: &Sources<'c>,
    tiles: &[Tile<'c>],
    incoming: &Incoming<'c>,
) -> Option<WrongTile<'c>> {
    let [_, _, a, b, _] = ir::operands(op)[..] else { return None };
    let [in_a, in_b] = [a, b].map(|factor| operands::described(factor, incoming));
    let (in_a, in_b) = (in_a?, in_b?);
    let (a, b) = (sources.tile(in_a)?, sources.tile(in_b)?);
    if a.kept != b.kept || !a.is_beside(&b) {
        return None;
    }
    let [row, k] = a.kept;
    let c = tiles.iter().find(|c| c.is_beside(&a) && !c.kept.contains(&k))?;
    let (tile, which, wanted) = match c.kept {
        [m, n] if m == row => (&b, MmaOperand::B, [n, k]),
        [m, _] => (&a, MmaOperand::A, [m, k]),
    };
    let shared = ir::op_identity(a.op) == ir::op_identity(b.op);
    let [mut own, mut other] = [in_a, in_b];
    if which == MmaOperand::B {
        (own, other) = (other, own);
    }
    let right =
        tiles.iter().find(|tile| tile.is_beside(&a) && modes_are(tile.kept, wanted)).filter(|_| shared);
    let taken = right.and_then(|right| Some((sources.entry(own, &sources.behind(other))?, right.op)));
    Some(WrongTile { op: tile.op, which, shared, kept: tile.kept, wanted, beside: c.op, taken })
}

/// Whether a tile keeps these modes, in any order.
fn modes_are(kept: [usize; 2], wanted: [usize; 2]) -> bool {
    kept.iter().all(|mode| wanted.contains(mode))
}

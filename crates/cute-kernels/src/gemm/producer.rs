//! The warp that loads tiles of A and B, as far ahead as there are stages.

use cute_algebra::MmaOperand;

use super::{
    cluster::Cluster,
    pipeline::operand_projection,
    problem::{Arguments, Problem},
    raster::Place,
};
use crate::{
    At, Builder, Built, Value,
    barriers::{self, PipelineState, Ring},
    tma::TileBoxes,
};

/// The values that the loads use.
pub(super) struct Producer<'a, 'c> {
    pub arguments: &'a Arguments<'c>,
    pub cluster: Cluster<'c>,
    /// The blocks that receive this block's parts of A and of B.
    pub masks: [Option<Value<'c>>; 2],
    pub ring: &'a Ring<'c>,
    /// Rows of A and of B that a block loads, and K.
    pub tile: [i64; 3],
    /// A and B in shared memory, `(rows,k,stages)`.
    pub memory: [Value<'c>; 2],
    pub k_tiles: Value<'c>,
}

impl<'c> Producer<'_, 'c> {
    /// Loads all K tiles of a tile of D, and boxes that belong to them, from a state of the ring
    /// on. `expect` announces the bytes of a stage to its barrier.
    pub fn load(
        &self,
        code: &Builder<'c>,
        (own, more): (Place<'c>, &[TileBoxes<'c>]),
        state: &[Value<'c>],
        expect: impl Fn(&Builder<'c>, Value<'c>) -> Built<()>,
    ) -> Built<Vec<Value<'c>>> {
        let [a, b] = [MmaOperand::A, MmaOperand::B].map(|which| {
            let x = which as usize;
            let [atom, coords] = self.arguments.descriptors[x];
            let coords = own.matrix(code, coords)?;
            let at = [At::Value(own.m), At::Value(own.n), At::All];
            let projection = Some(operand_projection(which));
            let tiles = code.named("tiles").local_tile(coords, self.tile, &at, projection)?;
            let shares = self.cluster.shares(code, x)?;
            TileBoxes::shared(code, "boxes", (atom, shares), self.memory[x], tiles)
        });
        let operands = [(a?, self.masks[0]), (b?, self.masks[1])];
        let range = [code.i32(0)?, self.k_tiles, code.i32(1)?];
        code.named("k").for_range(range, state, |code, k, state| {
            let state = PipelineState::of(state);
            barriers::wait(code, self.ring.empty(code, state)?, state.phase)?;
            let full = self.ring.full(code, state)?;
            expect(code, full)?;
            for (boxes, mask) in operands {
                boxes.load(code, Some([k, state.stage]), full, mask)?;
            }
            for boxes in more {
                boxes.load(code, Some([k, state.stage]), full, None)?;
            }
            Ok(self.ring.next(code, state)?.carried().to_vec())
        })
    }
}

impl Problem {
    /// A matrix in shared memory, `(rows,k,stages)`; the stages of B follow those of A.
    pub fn staged<'c>(
        &self,
        code: &Builder<'c>,
        memory: Value<'c>,
        which: MmaOperand,
        stages: i64,
    ) -> Built<Value<'c>> {
        let byte = if which == MmaOperand::A { 0 } else { self.shared[0].bytes() * stages };
        let t = self.shared[which as usize].view(code.context(), Some(stages))?;
        code.named(&format!("s{which}")).view(memory, byte, t)
    }

    /// The number of K tiles.
    pub fn k_tiles<'c>(
        &self,
        code: &Builder<'c>,
        arguments: &Arguments<'c>,
        tile: [i64; 3],
    ) -> Built<Value<'c>> {
        let a = arguments.descriptors[0][1];
        let a = if self.batch { code.named("first").slice(a, &[At::All, At::All, At::Int(0)])? } else { a };
        let at = [At::Int(0), At::Int(0), At::All];
        let a = code.named("kA").local_tile(a, tile, &at, Some(operand_projection(MmaOperand::A)))?;
        code.named("k_tiles").size(a, &[2])
    }
}

//! Scale factors in tensor memory: copied there for each K tile, and read by its MMAs. One thread
//! issues copies and MMAs, which execute in that order; so one place for them is enough.

use cute_algebra::{Layout, Stride};
use cute_arch::{
    atoms::{Instruction, MmaAtom},
    block_scaled::{make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa, make_tmem_layout_sfb},
};
use cute_build::{
    atoms,
    types::{self, Space},
};

use super::plan::Plan;
use crate::{
    At, Builder, Built, Value,
    barriers::PipelineState,
    gemm::scales::{BLOCK, Scales},
    tiling::strided,
};

/// Distances between lanes, and between copies for groups of 32 lanes, in factors.
const LANE: i64 = 4 << 16;
const GROUP: i64 = 32 * LANE;
/// Columns of tensor memory that half of a block takes.
const HALF: i64 = 2;

/// The factors of A and of B, of a K tile.
#[derive(Clone, Copy)]
pub(super) struct Factors<'c> {
    copy: Value<'c>,
    /// Descriptors of blocks in shared memory, `(block,blocks,stages)`, and their places in tensor
    /// memory, `(block,blocks)`.
    from: [Value<'c>; 2],
    to: [Value<'c>; 2],
    /// The same places as MMAs read them, `(factors,1,k)`.
    read: [Value<'c>; 2],
    /// Where they begin, and the layouts of `read`.
    pub pointers: [Value<'c>; 2],
    layouts: [Value<'c>; 2],
}

impl<'c> Factors<'c> {
    /// The factors behind the accumulators of a plan.
    pub fn new(
        code: &Builder<'c>,
        plan: &Plan,
        scales: &Scales,
        (memory, accumulators): (Value<'c>, Value<'c>),
    ) -> Built<Self> {
        let element = types::element(code.context(), scales.scale.element)?;
        let copy = code.named("copy").atom(atoms::scale_copy(element, plan.ctas)?)?;
        let first = [At::All, At::All, At::All, At::Int(0)];
        let first = code.named("first").slice(accumulators, &first)?;
        let first = code.named("first").inferred("cute.get_iter", &[first], &[])?;
        let columns = plan.scale_columns();
        let of = |which: usize| -> Built<[Value<'c>; 5]> {
            let name = ["SFA", "SFB"][which];
            let blocks = scales.bytes(which) / BLOCK;
            let block = Layout::from_modes([strided([32, 16, 4], [16, 1, 0])?]);
            let [more, stages] = [(blocks, BLOCK), (plan.stages, blocks * BLOCK)]
                .map(|(extent, stride)| Layout::scalar(extent, Stride::int(stride)));
            let shared = Layout::from_modes([block.mode(0)?.to_owned(), more?, stages?]);
            let shared = types::pointer(element, Space::Smem).align(128).memref(shared)?;
            let shared = code.named(name).view(memory, plan.problem.factors(which, plan.stages), shared)?;
            let from = code.named(name).copy_descriptors(copy, shared)?;

            let pointer = code.named("at").add_offset(first, columns[which])?;
            let t = types::pointer(element, Space::Tmem).align(16).ptr()?;
            let pointer = code.named("factors").typed("cute.recast_iter", &[pointer], t, &[])?;
            let block = Layout::from_modes([strided([32, 16, 4], [LANE, 1, GROUP])?]);
            let to =
                Layout::from_modes([block.mode(0)?.to_owned(), Layout::scalar(blocks, Stride::int(16))?]);
            let to = code.named("layout").layout(to)?;
            let to = code.named("to").view_of(pointer, to)?;
            let layout = code.named("layout").layout(read_by(plan, scales, which)?)?;
            let read = code.named(name).view_of(pointer, layout)?;
            Ok([from, to, read, pointer, layout])
        };
        let [a, b] = [of(0)?, of(1)?];
        let [from, to, read, pointers, layouts] = [0, 1, 2, 3, 4].map(|i| [a[i], b[i]]);
        Ok(Self { copy, from, to, read, pointers, layouts })
    }

    /// Those of a tile of columns, where every second tile begins in the middle of a block: its
    /// MMAs do not read the first 64 rows, which are two columns of tensor memory.
    pub fn of_tile(self, code: &Builder<'c>, scales: &Scales, tile: Value<'c>) -> Built<Self> {
        let odd = code.named("odd").and(tile, code.i32(1)?)?;
        let rows = code.named("rows").mul(odd, code.i32(HALF)?)?;
        let element = types::element(code.context(), scales.scale.element)?;
        let words = types::pointer(code.i32_type(), Space::Tmem).align(4).ptr()?;
        let pointer = code.named("words").typed("cute.recast_iter", &[self.pointers[1]], words, &[])?;
        let pointer = code.named("words").add_offset(pointer, rows)?;
        let bytes = types::pointer(element, Space::Tmem).align(4).ptr()?;
        let pointer = code.named("factors").typed("cute.recast_iter", &[pointer], bytes, &[])?;
        let own = code.named("SFB").view_of(pointer, self.layouts[1])?;
        Ok(Self { read: [self.read[0], own], ..self })
    }

    /// Copies those of the stage to tensor memory.
    pub fn copy(&self, code: &Builder<'c>, at: PipelineState<'c>) -> Built<()> {
        for (from, to) in self.from.into_iter().zip(self.to) {
            let from = code.named("from").slice(from, &[At::All, At::All, At::Value(at.stage)])?;
            code.copy(self.copy, from, to)?;
        }
        Ok(())
    }

    /// Those of one MMA along K.
    pub fn of_block(&self, code: &Builder<'c>, block: i64) -> Built<[Value<'c>; 2]> {
        let own = |of| code.named("own").slice(of, &[At::All, At::All, At::Int(block)]);
        Ok([own(self.read[0])?, own(self.read[1])?])
    }
}

/// The layout in which MMAs read the factors of A or of B.
fn read_by(plan: &Plan, scales: &Scales, which: usize) -> Built<Layout<i64>> {
    let [m, n, k] = plan.mma();
    let tile = [m, n, plan.k];
    let instruction = if plan.ctas == 2 { Instruction::TCGEN05.pair() } else { Instruction::TCGEN05 };
    let operands = [0, 1].map(|which| plan.problem.numbers.elements(which)[1]);
    let is_it = |atom: &&MmaAtom| {
        let own = atom.scale.as_ref().map(|scale| (scale.element, i64::from(scale.vector)));
        atom.shape.map(i64::from) == [m, n, k]
            && [atom.a.element, atom.b.element] == operands
            && own == Some((scales.scale.element, scales.scale.vector))
    };
    let atom = instruction.scaled().atoms().find(is_it);
    let atom = atom.expect("the plan is for an MMA that exists");
    let layout = match which {
        0 => make_smem_layout_sfa(atom, tile).and_then(|shared| make_tmem_layout_sfa(&shared)),
        _ => make_smem_layout_sfb(atom, tile).and_then(|shared| make_tmem_layout_sfb(atom, &shared)),
    };
    Ok(layout.map_err(cute_algebra::Error::from)?)
}

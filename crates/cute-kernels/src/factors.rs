//! Scale factors of `tcgen05.mma`: copied from shared to tensor memory for each K tile, and read by
//! its MMAs. One thread issues copies and MMAs, which execute in that order; so one place for them
//! is enough.

use cute_algebra::{self as algebra, Layout, MmaOperand, Stride};
use cute_arch::{
    Element,
    atoms::MmaAtom,
    block_scaled::{
        SF_BLOCK, make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa, make_tmem_layout_sfb,
    },
};
use cute_build::{
    atoms,
    types::{self, Space},
};
use melior::ir::Type;

use crate::{At, Builder, Built, Value, tiling::strided};

/// Bytes of a block of factors.
const BLOCK: i64 = SF_BLOCK[0] * SF_BLOCK[1];
/// Distances between lanes, and between copies for groups of 32 lanes, in factors.
const LANE: i64 = 4 << 16;
const GROUP: i64 = 32 * LANE;

/// The layouts of the factors of A or of B, for a K tile that one MMA covers along M and N.
pub struct FactorLayouts {
    element: Element,
    ctas: i64,
    /// Blocks of a stage.
    blocks: i64,
    /// As MMAs read them in tensor memory.
    read: Layout<i64>,
}

impl FactorLayouts {
    /// Those for an MMA with scale factors, and this many elements of K per stage.
    ///
    /// # Errors
    /// Returns an error for an MMA without factors in tensor memory, and for a K tile that has no
    /// whole blocks of them.
    pub fn new(atom: &MmaAtom, which: MmaOperand, k: i64) -> Built<Self> {
        let [m, n, _] = atom.shape.map(i64::from);
        let shared = match which {
            MmaOperand::A => make_smem_layout_sfa(atom, [m, n, k]),
            _ => make_smem_layout_sfb(atom, [m, n, k]),
        };
        let shared = shared.map_err(algebra::Error::from)?;
        let read = match which {
            MmaOperand::A => make_tmem_layout_sfa(&shared),
            _ => make_tmem_layout_sfb(atom, &shared),
        };
        let blocks = algebra::size(&algebra::filter_zeros(&shared)?)? / BLOCK;
        let element = atom.scale.as_ref().expect("its factors have a layout").element;
        let read = read.map_err(algebra::Error::from)?;
        Ok(Self { element, ctas: atom.instruction.ctas.into(), blocks, read })
    }

    /// Elements of the factors.
    pub fn element<'c>(&self, code: &Builder<'c>) -> Built<Type<'c>> {
        types::element(code.context(), self.element)
    }

    /// The copy of a block to tensor memory.
    pub fn copy<'c>(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        code.named("copy").atom(atoms::scale_copy(self.element(code)?, self.ctas)?)
    }

    /// The view of the blocks of all stages in shared memory, `(block,blocks,stages)`.
    pub fn shared<'c>(&self, code: &Builder<'c>, stages: i64) -> Built<Type<'c>> {
        let block = Layout::from_modes([strided([32, 16, 4], [16, 1, 0])?]);
        let [more, stages] = [(self.blocks, BLOCK), (stages, self.blocks * BLOCK)]
            .map(|(extent, stride)| Layout::scalar(extent, Stride::int(stride)));
        let layout = Layout::from_modes([block.mode(0)?.to_owned(), more?, stages?]);
        types::pointer(self.element(code)?, Space::Smem).align(128).memref(layout)
    }
}

/// The factors of A or of B of a K tile.
#[derive(Clone, Copy)]
pub struct Factors<'c> {
    /// Copies a block.
    copy: Value<'c>,
    /// Descriptors of blocks in shared memory, `(block,blocks,stages)`, and their place in tensor
    /// memory, `(block,blocks)`.
    from: Value<'c>,
    to: Value<'c>,
    /// The same place as MMAs read it, `(factors,1,k)`.
    read: Value<'c>,
    /// Where it begins.
    pub pointer: Value<'c>,
    /// The layout in which MMAs read it.
    pub layout: Value<'c>,
}

impl<'c> Factors<'c> {
    /// The factors that are copied from blocks in shared memory to a column of tensor memory,
    /// whose first word is given.
    pub fn new(
        code: &Builder<'c>,
        (name, layouts): (&str, &FactorLayouts),
        (copy, shared): (Value<'c>, Value<'c>),
        (first, column): (Value<'c>, i64),
    ) -> Built<Self> {
        let from = code.named(name).copy_descriptors(copy, shared)?;
        let t = types::pointer(layouts.element(code)?, Space::Tmem).align(16).ptr()?;
        let pointer = code.named("at").add_offset(first, column)?;
        let pointer = code.named("factors").typed("cute.recast_iter", &[pointer], t, &[])?;
        let block = Layout::from_modes([strided([32, 16, 4], [LANE, 1, GROUP])?]);
        let blocks = Layout::scalar(layouts.blocks, Stride::int(16))?;
        let to = code.named("layout").layout(Layout::from_modes([block.mode(0)?.to_owned(), blocks]))?;
        let to = code.named("to").view_of(pointer, to)?;
        let layout = code.named("layout").layout(layouts.read.clone())?;
        let read = code.named(name).view_of(pointer, layout)?;
        Ok(Self { copy, from, to, read, pointer, layout })
    }

    /// The same factors, which MMAs read by another view of tensor memory.
    pub fn read_by(self, read: Value<'c>) -> Self {
        Self { read, ..self }
    }

    /// Copies those of a stage to tensor memory.
    pub fn copy(&self, code: &Builder<'c>, stage: Value<'c>) -> Built<()> {
        let from = code.named("from").slice(self.from, &[At::All, At::All, At::Value(stage)])?;
        code.copy(self.copy, from, self.to)
    }

    /// Those of one MMA along K.
    pub fn of_block(&self, code: &Builder<'c>, block: i64) -> Built<Value<'c>> {
        code.named("own").slice(self.read, &[At::All, At::All, At::Int(block)])
    }

    /// The values that make it up.
    pub fn values(&self) -> [Value<'c>; 6] {
        [self.copy, self.from, self.to, self.read, self.pointer, self.layout]
    }

    /// The factors that consist of these values.
    pub fn of([copy, from, to, read, pointer, layout]: [Value<'c>; 6]) -> Self {
        Self { copy, from, to, read, pointer, layout }
    }
}

//! The scale factors of a warp, on their way from shared memory to its MMAs.
//!
//! A word of shared memory has four factors of a row, for one, two or four k-blocks. A thread loads
//! the words of its rows, as many at once as are adjacent, and MMAs take factors from them. The
//! first words of the next stage are loaded before the last k-block of this one is multiplied, to
//! registers of other words.

use cute_algebra::{self as algebra, Layout, MmaOperand, Stride, TiledMma, Tiler, Tuple};
use cute_arch::{
    atoms::MmaAtom,
    block_scaled::{SF_BLOCK, sf_of_thread, sm120_make_smem_layout_sfa, sm120_make_smem_layout_sfb},
};
use cute_build::{
    GemmOperand, atoms,
    types::{self, Space},
};

use super::plan::Plan;
use crate::{At, Builder, Built, Value, gemm::scales::Scales};

/// Factors of a row in a word.
const WORD: i64 = SF_BLOCK[1];

/// The factors of A and of B of a thread.
pub(super) struct Factors<'c> {
    both: [Words<'c>; 2],
}

impl<'c> Factors<'c> {
    /// The thread's part of the factors in shared memory.
    pub fn new(
        code: &Builder<'c>,
        plan: &Plan,
        (scales, tiled): (&Scales, &atoms::TiledMma<'c>),
        memory: Value<'c>,
        (mma, thread): (Value<'c>, Value<'c>),
    ) -> Built<Self> {
        let own = |which| {
            let place = Place::new(plan, tiled, which)?;
            Words::new(code, (plan, scales, which), &place, (memory, mma, thread))
        };
        Ok(Self { both: [own(MmaOperand::A)?, own(MmaOperand::B)?] })
    }

    /// Loads the words of a stage that begin with this k-block.
    pub fn load(&self, code: &Builder<'c>, block: i64, stage: Value<'c>) -> Built<()> {
        self.both.iter().try_for_each(|words| words.load(code, block, stage))
    }

    /// The factors of a k-block, `((elements,factors),rows)`. Those of the first one are asked for
    /// before those of others.
    pub fn block(&self, code: &Builder<'c>, block: i64) -> Built<[Value<'c>; 2]> {
        let [a, b] = &self.both;
        Ok([a.block(code, block)?, b.block(code, block)?])
    }
}

/// Where a thread finds the words of its rows.
struct Place {
    atom: &'static MmaAtom,
    /// The factors of a stage, over the coordinates of the elements.
    shared: Layout<i64>,
    /// A thread's words of a stage: `(4,rows)`, and those along K.
    words: Layout<i64>,
    along_k: Layout<i64>,
    /// Bytes of a stage.
    stage: i64,
}

impl Place {
    /// The factors of A or of B in shared memory, as `partition` of a tiled MMA shares them out.
    fn new(plan: &Plan, tiled: &atoms::TiledMma<'_>, which: MmaOperand) -> Built<Self> {
        let atom = tiled.atom.entry.expect("an MMA of a warp has a row");
        let shared = match which {
            MmaOperand::A => sm120_make_smem_layout_sfa(atom, plan.tile()),
            _ => sm120_make_smem_layout_sfb(atom, plan.tile()),
        };
        let shared = shared.map_err(algebra::Error::from)?;
        let layouts = atom.scale_layouts().expect("the atom has scale factors");
        let tiling = tiled.tiling()?;
        let of_scales = TiledMma::new(layouts, tiling.atom_layout(), tiling.permutation())?;
        // ((lanes,(warps,1)),(values,(rows,k)))
        let parts = of_scales.thrfrg(which, &shared)?;
        let part = |path: &[usize]| path.iter().try_fold(parts.clone(), |layout, mode| layout.mode(*mode));
        let bytes = algebra::filter(&Layout::from_modes([part(&[1, 0])?, part(&[1, 1, 1])?]))?;
        let bytes = algebra::zipped_divide(&bytes, &Tiler::Shape(Tuple::leaf(WORD)))?;
        let rows = algebra::coalesce(&part(&[1, 1, 0])?)?;
        Ok(Self {
            atom,
            words: Layout::from_modes([bytes.mode(0)?, rows]),
            along_k: bytes.mode(1)?,
            stage: algebra::size(&algebra::filter_zeros(&shared)?)?,
            shared,
        })
    }
}

/// The words of A or of B of a thread.
struct Words<'c> {
    /// Copies adjacent words.
    copy: Value<'c>,
    /// The words in shared memory, `(adjacent,rest,k,stages)`, and in registers.
    shared: Value<'c>,
    loaded: Value<'c>,
    /// Registers that keep a stage's only word of each row while those of the next are loaded.
    kept: Option<Value<'c>>,
    /// The registers that are multiplied, as MMAs take them: `((elements,factors),rows,blocks)`.
    taken: Value<'c>,
    /// K-blocks whose factors a word has.
    blocks: i64,
}

impl<'c> Words<'c> {
    fn new(
        code: &Builder<'c>,
        (plan, scales, which): (&Plan, &Scales, MmaOperand),
        place: &Place,
        (memory, mma, thread): (Value<'c>, Value<'c>, Value<'c>),
    ) -> Built<Self> {
        let element = types::element(code.context(), scales.scale.element)?;
        let name = |name: &str| format!("{name}SF{which}");
        // Registers keep the order in which rows are adjacent in shared memory.
        let registers = algebra::make_layout_like(&place.words)?;
        let adjacent = algebra::max_common_layout(&place.words, &registers)?;
        let bytes = algebra::size(&adjacent)?;
        let divided = |words: &Layout<i64>| algebra::zipped_divide(words, &Tiler::Layout(adjacent.clone()));
        let (from, to) = (divided(&place.words)?, divided(&registers)?);
        let stages = Layout::scalar(plan.stages, Stride::int(place.stage))?;
        let all = Layout::from_modes([place.shared.mode(0)?, place.shared.mode(1)?, stages.clone()]);
        let all = types::pointer(element, Space::Smem).align(128).memref(all)?;
        let byte = plan.problem.factors(which as usize, plan.stages);
        let all = code.named(&name("s")).view(memory, byte, all)?;
        let factor = if which == MmaOperand::A { GemmOperand::Sfa } else { GemmOperand::Sfb };
        let part = code.named(&name("part")).mma_partition(mma, factor, all, thread)?;
        // The same bytes by words.
        let words = Layout::from_modes([from.mode(0)?, from.mode(1)?, place.along_k.clone(), stages]);
        let pointer = code.named("at").inferred("cute.get_iter", &[part], &[])?;
        let words = code.named("layout").layout(words)?;
        let shared = code.named(&name("from")).view_of(pointer, words)?;

        let count = plan.problem.numbers.k / scales.scale.vector;
        let blocks = WORD / count;
        let along_k = algebra::size(&place.along_k)?;
        let rows = algebra::size(&registers)?;
        let strides = [(blocks, count), (along_k, rows)];
        let [of_word, words] = strides.map(|(extent, stride)| Layout::scalar(extent, Stride::int(stride)));
        let (of_word, words) = (of_word?, words?);
        let held = Layout::from_modes([to.mode(0)?, to.mode(1)?, words.clone()]);
        let held = types::pointer(element, Space::Rmem).align(16).memref(held)?;
        let loaded = code.named(&name("words")).alloca(held)?;
        let kept = (along_k == 1).then(|| code.named(&name("kept")).alloca(held)).transpose()?;
        let of_mma = sf_of_thread(place.atom).expect("the atom has scale factors");
        let of_mma = [of_mma, registers.mode(1)?, Layout::from_modes([of_word, words])];
        let of_mma = code.named("layout").layout(Layout::from_modes(of_mma))?;
        let pointer = code.named("at").inferred("cute.get_iter", &[kept.unwrap_or(loaded)], &[])?;
        let taken = code.named(&name("r")).view_of(pointer, of_mma)?;
        let copy = code.named("copy").atom(atoms::universal_copy(element, 8 * bytes)?)?;
        Ok(Self { copy, shared, loaded, kept, taken, blocks })
    }

    /// Loads the words of a stage whose first k-block this is, if it is the first of some.
    fn load(&self, code: &Builder<'c>, block: i64, stage: Value<'c>) -> Built<()> {
        if block % self.blocks != 0 {
            return Ok(());
        }
        let word = At::Int(block / self.blocks);
        let from = code.named("from").slice(self.shared, &[At::All, At::All, word, At::Value(stage)])?;
        code.copy(self.copy, from, code.named("to").slice(self.loaded, &[At::All, At::All, word])?)
    }

    /// The factors of a k-block.
    fn block(&self, code: &Builder<'c>, block: i64) -> Built<Value<'c>> {
        if let Some(kept) = self.kept.filter(|_| block == 0) {
            code.copy(self.copy, self.loaded, kept)?;
        }
        code.named("factors").slice(self.taken, &[At::All, At::All, At::Int(block)])
    }
}

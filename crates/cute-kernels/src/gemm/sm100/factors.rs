//! The scale factors of A and of B in tensor memory, behind the accumulators.

use cute_algebra::MmaOperand;
use cute_arch::atoms::{Instruction, MmaAtom};
use cute_build::types::{self, Space};

use super::plan::Plan;
use crate::{
    At, Builder, Built, Value,
    barriers::PipelineState,
    factors::{FactorLayouts, Factors as OfMatrix},
    gemm::scales::Scales,
};

/// Columns of tensor memory that half of a block takes.
const HALF: i64 = 2;

/// The factors of A and of B, of a K tile.
#[derive(Clone, Copy)]
pub(super) struct Factors<'c>([OfMatrix<'c>; 2]);

impl<'c> Factors<'c> {
    /// The factors behind the accumulators of a plan.
    pub fn new(
        code: &Builder<'c>,
        plan: &Plan,
        (memory, accumulators): (Value<'c>, Value<'c>),
    ) -> Built<Self> {
        let atom = scaled_atom(plan);
        let layouts = [MmaOperand::A, MmaOperand::B].map(|which| FactorLayouts::new(atom, which, plan.k));
        let [a, b] = layouts;
        let layouts = [a?, b?];
        let copy = layouts[0].copy(code)?;
        let first = [At::All, At::All, At::All, At::Int(0)];
        let first = code.named("first").slice(accumulators, &first)?;
        let first = code.named("first").inferred("cute.get_iter", &[first], &[])?;
        let columns = plan.scale_columns();
        let of = |which: usize| {
            let (name, layouts) = (["SFA", "SFB"][which], &layouts[which]);
            let shared = layouts.shared(code, plan.stages)?;
            let shared = code.named(name).view(memory, plan.problem.factors(which, plan.stages), shared)?;
            OfMatrix::new(code, (name, layouts), (copy, shared), (first, columns[which]))
        };
        Ok(Self([of(0)?, of(1)?]))
    }

    /// Where the factors of A and of B begin.
    pub fn pointers(&self) -> [Value<'c>; 2] {
        self.0.map(|own| own.pointer)
    }

    /// Those of a tile of columns, where every second tile begins in the middle of a block: its
    /// MMAs do not read the first 64 rows, which are two columns of tensor memory.
    pub fn of_tile(self, code: &Builder<'c>, scales: &Scales, tile: Value<'c>) -> Built<Self> {
        let [a, b] = self.0;
        let odd = code.named("odd").and(tile, code.i32(1)?)?;
        let rows = code.named("rows").mul(odd, code.i32(HALF)?)?;
        let element = types::element(code.context(), scales.scale.element)?;
        let words = types::pointer(code.i32_type(), Space::Tmem).align(4).ptr()?;
        let pointer = code.named("words").typed("cute.recast_iter", &[b.pointer], words, &[])?;
        let pointer = code.named("words").add_offset(pointer, rows)?;
        let bytes = types::pointer(element, Space::Tmem).align(4).ptr()?;
        let pointer = code.named("factors").typed("cute.recast_iter", &[pointer], bytes, &[])?;
        let read = code.named("SFB").view_of(pointer, b.layout)?;
        Ok(Self([a, b.read_by(read)]))
    }

    /// Copies those of the stage to tensor memory.
    pub fn copy(&self, code: &Builder<'c>, at: PipelineState<'c>) -> Built<()> {
        self.0.iter().try_for_each(|own| own.copy(code, at.stage))
    }

    /// Those of one MMA along K.
    pub fn of_block(&self, code: &Builder<'c>, block: i64) -> Built<[Value<'c>; 2]> {
        let [a, b] = &self.0;
        Ok([a.of_block(code, block)?, b.of_block(code, block)?])
    }
}

/// The MMA of a plan, which has scale factors.
fn scaled_atom(plan: &Plan) -> &'static MmaAtom {
    let (shape, numbers) = (plan.mma(), &plan.problem.numbers);
    let scale = numbers.scale.map(|scale| (scale.element, scale.vector));
    let instruction = if plan.ctas == 2 { Instruction::TCGEN05.pair() } else { Instruction::TCGEN05 };
    let operands = [0, 1].map(|which| numbers.elements(which)[1]);
    let is_it = |atom: &&MmaAtom| {
        let own = atom.scale.as_ref().map(|scale| (scale.element, i64::from(scale.vector)));
        atom.shape.map(i64::from) == shape && [atom.a.element, atom.b.element] == operands && own == scale
    };
    instruction.scaled().atoms().find(is_it).expect("the plan is for an MMA that exists")
}

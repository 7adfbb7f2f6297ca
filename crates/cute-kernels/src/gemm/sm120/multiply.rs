//! The operands of a warp, and the multiplication of a K tile.
//!
//! A k-block, with its scale factors if there are some, is loaded to registers while the one before
//! is multiplied, also where the next one is in another stage.

use cute_algebra::MmaOperand;
use cute_arch::{Element, atoms::Major};
use cute_build::{
    IntPredicate,
    atoms::{self, MmaAtom, MmaKind, MmaOptions, TiledMma},
    types,
};
use melior::Context;

use super::{GROUP_M, factors::Factors, plan::Plan};
use crate::{
    Builder, Built, Value,
    barriers::{self, PipelineState, Ring},
    gemm::{accumulators, fragments::Fragment, store::part_of},
    tiling::strided,
};

/// Rows and columns of an MMA.
const ATOM: [i64; 2] = [16, 8];

impl Plan {
    fn atom<'c>(&self, context: &'c Context) -> Built<MmaAtom<'c>> {
        let n = &self.problem.numbers;
        let (operand, accumulator) =
            (types::element(context, n.operand)?, types::element(context, n.accumulator)?);
        // Floats of at most 8 bits have an instruction of the family.
        let kind = match n.operand {
            _ if n.scale.is_some() => MmaKind::Sm120Scaled,
            Element::E4m3 | Element::E5m2 => MmaKind::Sm120,
            _ => MmaKind::Sm80,
        };
        let scale = n.scale.map(|scale| (scale.element, scale.vector));
        let options = MmaOptions { scale, ..MmaOptions::default() };
        let [m, columns] = ATOM;
        atoms::mma(kind, [m, columns, n.k], [operand, operand, accumulator], options)
    }

    /// The MMA of all warps. Warp `w` has 16 rows from `16 (w % 4)` on of each 64, as the store of
    /// D takes them. The permutation gives the warpgroups that are neighbours along N adjacent
    /// parts of the columns, instead of every other MMA.
    pub fn mma<'c>(&self, context: &'c Context) -> Built<TiledMma<'c>> {
        let ([m_groups, n_groups], [_, n, _]) = (self.groups, self.tile());
        let warps = strided([4 * m_groups, n_groups, 1], [1, 4 * m_groups, 0])?;
        let (columns, part) = (ATOM[1], n / n_groups);
        let order = strided([columns, n_groups, part / columns], [1, part, columns])?;
        let permutation = format!("[{}:1;{order};{}:1]", GROUP_M * m_groups, self.problem.numbers.k);
        atoms::tiled_mma(self.atom(context)?, warps, &permutation)
    }
}

/// A and B of a thread, with their scale factors, its MMA, and its accumulators.
pub(super) struct Operands<'a, 'c> {
    plan: &'a Plan,
    ring: &'a Ring<'c>,
    mma: Value<'c>,
    fragments: [Fragment<'c>; 2],
    factors: Option<Factors<'c>>,
    accumulators: Value<'c>,
}

impl<'a, 'c> Operands<'a, 'c> {
    /// The parts of a thread of A and B in shared memory, `(rows,k,stages)`, and of the factors
    /// there.
    pub fn new(
        code: &Builder<'c>,
        plan: &'a Plan,
        ring: &'a Ring<'c>,
        (memory, stages): (Value<'c>, [Value<'c>; 2]),
        thread: Value<'c>,
    ) -> Built<Self> {
        let tiled = plan.mma(code.context())?;
        // Each gemm names its factors, so the state of the atom does not.
        let mma = code.named("mma").tiled_mma(&tiled, &[])?;
        let thread = code.index(thread)?;
        let scales = plan.problem.scales.as_ref();
        let factors = scales.map(|scales| Factors::new(code, plan, (scales, &tiled), memory, (mma, thread)));
        let factors = factors.transpose()?;
        let operand = types::element(code.context(), plan.problem.numbers.operand)?;
        let [a, b] = [MmaOperand::A, MmaOperand::B].map(|which| {
            let x = which as usize;
            let atom = atoms::ldmatrix(operand, 4, plan.problem.majors[x] == Major::Mn)?;
            Fragment::new(code, (mma, which), &atom, stages[x], thread)
        });
        let accumulators = accumulators::of_tile(code, mma, plan.problem.tile)?;
        Ok(Self { plan, ring, mma, fragments: [a?, b?], factors, accumulators })
    }

    /// Loads a k-block of a stage to registers.
    fn load(&self, code: &Builder<'c>, block: i64, stage: Value<'c>) -> Built<()> {
        self.fragments.iter().try_for_each(|fragment| fragment.load(code, block, stage))?;
        self.factors.iter().try_for_each(|factors| factors.load(code, block, stage))
    }

    /// Multiplies a k-block that is in registers.
    fn multiply(&self, code: &Builder<'c>, block: i64) -> Built<()> {
        let [a, b] = &self.fragments;
        let (a, b, c) = (a.block(code, block)?, b.block(code, block)?, self.accumulators);
        match &self.factors {
            Some(factors) => {
                let [sfa, sfb] = factors.block(code, block)?;
                code.gemm_scaled(self.mma, [c, a, sfa, b, sfb, c])
            }
            None => code.gemm(self.mma, [c, a, b, c]),
        }
    }

    /// Waits for a stage, and loads its first k-block.
    fn begin(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<()> {
        barriers::wait(code, self.ring.full(code, state)?, state.phase)?;
        self.load(code, 0, state.stage)
    }

    /// Accumulates all K tiles, from a state of the ring on; returns the state after them.
    pub fn multiply_all(
        &self,
        code: &Builder<'c>,
        k_tiles: Value<'c>,
        state: &[Value<'c>],
    ) -> Built<Vec<Value<'c>>> {
        code.fill(self.accumulators, 0)?;
        let (zero, one) = (code.i32(0)?, code.i32(1)?);
        let some = code.named("some").compare(IntPredicate::Slt, zero, k_tiles)?;
        code.if_then(some, |code| self.begin(code, PipelineState::of(state)))?;
        code.named("k").for_range([zero, k_tiles, one], state, |code, k, state| {
            let state = PipelineState::of(state);
            let blocks = self.plan.k / self.plan.problem.numbers.k;
            for block in 0..blocks - 1 {
                self.load(code, block + 1, state.stage)?;
                self.multiply(code, block)?;
            }
            // All of the stage is in registers. Each lane orders its reads before the next load.
            barriers::fence_for_tma(code)?;
            barriers::warp_barrier(code)?;
            barriers::elected(code, |code| barriers::arrive(code, self.ring.empty(code, state)?))?;
            let next = self.ring.next(code, state)?;
            let following = code.named("following").add(k, one)?;
            let more = code.named("more").compare(IntPredicate::Slt, following, k_tiles)?;
            let begin = || code.if_then(more, |code| self.begin(code, next));
            if blocks == 1 {
                // The next k-block takes the registers of this one.
                self.multiply(code, 0)?;
                begin()?;
            } else {
                begin()?;
                self.multiply(code, blocks - 1)?;
            }
            Ok(next.carried().to_vec())
        })
    }

    /// The accumulators of part `part` of a group's share of a tile: 64 rows, and the columns that
    /// are stored at once.
    pub fn part(&self, code: &Builder<'c>, part: i64) -> Built<Value<'c>> {
        let (plan, columns) = (self.plan, self.plan.problem.numbers.columns());
        let [m, n, _] = plan.tile();
        let [m_groups, n_groups] = plan.groups;
        // Accumulators are (4,M,N): two pairs of neighbours of each MMA, MMAs of rows first.
        let (rows, steps) = (m / (GROUP_M * m_groups), n / n_groups / columns);
        let mmas = columns / ATOM[1];
        let first = 4 * (part / steps + part % steps * mmas * rows);
        let pointer = code.named("first").inferred("cute.get_iter", &[self.accumulators], &[])?;
        let pointer = if first == 0 { pointer } else { code.named("first").add_offset(pointer, first)? };
        let values = strided([2, 2, mmas], [1, 2, 4 * rows])?;
        let layout = code.named("layout").layout(part_of(values))?;
        let part = code.named("part").view_of(pointer, layout)?;
        code.named("values").load_vec(part)
    }
}

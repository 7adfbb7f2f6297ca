//! From accumulators to D: scale them, add C, store the result.

use cute_algebra::{Crd, Dim, MmaOperand, Tuple};
use cute_build::{
    atoms::{self, CopyAtom, TiledCopy},
    types,
};
use melior::ir::Type;

use super::{
    accumulators,
    pipeline::Pipeline,
    plan::{ACCUMULATOR, STORE},
};
use crate::{At, Builder, Built, Value};

/// Whether the coordinate at a place of a coordinate tensor is below the extents.
fn inside_at<'c>(
    code: &Builder<'c>,
    at: Value<'c>,
    modes: &[At<'c>],
    extents: Value<'c>,
) -> Built<Value<'c>> {
    let first = code.named("first").slice(at, modes)?;
    let iter = code.named("iter").inferred("cute.get_iter", &[first], &[])?;
    let coord = code.named("coord").inferred("cute.deref_arith_tuple_iter", &[iter], &[])?;
    code.named("inside").inferred("cute.elem_less", &[coord, extents], &[])
}

/// The values that every store to D uses.
struct Output<'c> {
    extents: Value<'c>,
    coords: Value<'c>,
    tiler: Value<'c>,
}

impl<'c> Pipeline<'_, 'c> {
    /// D's extents and coordinates, and the tiler with this number of columns of a block's rows.
    fn output(&self, d: Value<'c>, columns: i64) -> Built<Output<'c>> {
        let (code, rows) = (&self.code, self.plan.tile[0]);
        let layout = code.named("layoutD").inferred("cute.get_layout", &[d], &[])?;
        let extents = code.named("shapeD").inferred("cute.get_shape", &[layout], &[])?;
        let coords = code.named("coordsD").inferred("cute.make_identity_tensor", &[extents], &[])?;
        let tiler = code.named("tiler").tile([rows, columns])?;
        Ok(Output { extents, coords, tiler })
    }

    /// Stores `columns` columns at a time through shared memory: the MMA gives each thread two
    /// adjacent elements, and stores to global memory need 16 bytes.
    pub fn store_through_shared(
        &self,
        mma: Value<'c>,
        accumulators: Value<'c>,
        tile: Type<'c>,
        columns: i64,
        store: &TiledCopy<'c>,
    ) -> Built<()> {
        let (code, [m, n, _]) = (&self.code, self.plan.tile);
        let [.., c, d, alpha, beta] = self.arguments;
        let shared = code.named("sD").view(self.memory, 0, tile)?;
        let put = code.named("put").mma_partition(mma, MmaOperand::C, shared, self.thread)?;
        let store = code.named("store").tiled_copy(store)?;
        let get = code.named("get").partition_s(store, shared, self.thread)?;
        let accumulator = types::element(code.context(), self.plan.accumulator)?;
        let pair = code.named("pair").atom(atoms::universal_copy(accumulator, 64)?)?;

        let Output { extents, coords, tiler } = self.output(d, columns)?;
        let steps = n / columns;
        let first = code.named("first").mul(self.block[1], code.i32(steps)?)?;
        // In each step, a thread stores two columns of MMAs.
        let halves = code.named("halves").tile("[_;_;2:1]")?;
        let accumulators =
            code.named("accumulators").inferred("cute.logical_divide", &[accumulators, halves], &[])?;
        let wants_c = accumulators::nonzero(code, beta)?;
        for step in 0..steps {
            code.effect("nvvm.barrier0", &[], &[])?;
            let own = self.step_of(accumulators, step)?;
            code.copy(pair, own, put)?;
            code.effect("nvvm.barrier0", &[], &[])?;

            let column = code.named("column").add(first, code.i32(step)?)?;
            let at = code.coord(&[At::Value(self.block[0]), At::Value(column)])?;
            let tile = |name: &str, of| code.named(name).inferred("cute.local_tile", &[of, tiler, at], &[]);
            let to = code.named("to").partition_d(store, tile("gD", d)?, self.thread)?;
            let old = code.named("old").partition_s(store, tile("gC", c)?, self.thread)?;
            let at = code.named("at").partition_d(store, tile("cD", coords)?, self.thread)?;
            let rows = m * columns * ACCUMULATOR / STORE / i64::from(self.plan.threads);
            let inside = if self.plan.aligned {
                None
            } else {
                Some(self.predicate(code, [rows, 1], [rows, 1], |code, i, j| {
                    inside_at(code, at, &[At::Int(0), At::Int(i), At::Int(j)], extents)
                })?)
            };
            let made = code.named("made").fragment_like(to)?;
            code.copy(store, get, made)?;
            self.combine(made, [alpha, beta], wants_c, (store, old, inside))?;
            code.copy_if(inside, store, made, to)?;
        }
        Ok(())
    }

    /// Each thread stores its own accumulators.
    pub fn store_directly(&self, mma: Value<'c>, accumulators: Value<'c>, atom: &CopyAtom<'c>) -> Built<()> {
        let code = &self.code;
        let [.., c, d, alpha, beta] = self.arguments;
        let store = code.named("store").atom(atom)?;
        let Output { extents, coords, tiler } = self.output(d, self.plan.tile[1])?;
        let at = code.coord(&self.block.map(At::Value))?;
        let part = |name: &str, of| {
            let tile = code.named("tile").inferred("cute.local_tile", &[of, tiler, at], &[])?;
            code.named(name).mma_partition(mma, MmaOperand::C, tile, self.thread)
        };
        let (to, old, at) = (part("to", d)?, part("old", c)?, part("at", coords)?);
        let inside = if self.plan.aligned {
            None
        } else {
            let accumulators = [code.extent(accumulators, 1)?, code.extent(accumulators, 2)?];
            Some(self.predicate(code, accumulators, accumulators, |code, i, j| {
                inside_at(code, at, &[At::Int(0), At::Int(i), At::Int(j)], extents)
            })?)
        };
        let wants_c = accumulators::nonzero(code, beta)?;
        self.combine(accumulators, [alpha, beta], wants_c, (store, old, inside))?;
        code.copy_if(inside, store, accumulators, to)
    }

    /// `made = alpha * made + beta * C`; C is not read where beta is zero.
    fn combine(
        &self,
        made: Value<'c>,
        [alpha, beta]: [Value<'c>; 2],
        wants_c: Value<'c>,
        (copy, old, inside): (Value<'c>, Value<'c>, Option<Value<'c>>),
    ) -> Built<()> {
        let code = &self.code;
        accumulators::scale(code, made, alpha)?;
        code.if_then(wants_c, |code| {
            accumulators::add(code, made, beta, |code, added| code.copy_if(inside, copy, old, added))
        })
    }

    /// The accumulators of a step: (V, M, 2).
    fn step_of(&self, accumulators: Value<'c>, step: i64) -> Built<Value<'c>> {
        let [all, step] = [Crd::Underscore, Crd::Int(Dim::fixed(step))].map(Tuple::leaf);
        let at = Tuple::from_modes([all.clone(), all.clone(), Tuple::from_modes([all, step])]);
        let at = self.code.named("at").make_coord(at, &[])?;
        self.code.named("own").inferred("cute.slice", &[accumulators, at], &[])
    }
}

//! From sums to D: scale them, add C, store the result.

use cute_algebra::MmaOperand;
use melior::ir::Type;

use super::{
    pipeline::Pipeline,
    plan::{STORE, SUM},
};
use crate::code::{At, Code, Ssa, Written};

/// Whether the coordinate at a place of a coordinate tensor is below the extents.
fn inside_at<'c>(code: &Code<'c>, at: Ssa<'c>, modes: &[At<'c>], extents: Ssa<'c>) -> Written<Ssa<'c>> {
    let first = code.slice("first", at, modes)?;
    let iter = code.op(("iter", "cute.get_iter"), &[first], &[])?;
    let coord = code.op(("coord", "cute.deref_arith_tuple_iter"), &[iter], &[])?;
    code.op(("inside", "cute.elem_less"), &[coord, extents], &[])
}

/// The values that every store to D uses.
struct Output<'c> {
    extents: Ssa<'c>,
    coords: Ssa<'c>,
    tiler: Ssa<'c>,
}

impl<'c> Pipeline<'_, 'c> {
    /// D's extents and coordinates, and the tiler with this number of columns of a block's rows.
    fn output(&self, d: Ssa<'c>, columns: i64) -> Written<Output<'c>> {
        let (code, rows) = (&self.code, self.plan.tile[0]);
        let layout = code.op(("layoutD", "cute.get_layout"), &[d], &[])?;
        let extents = code.op(("shapeD", "cute.get_shape"), &[layout], &[])?;
        let coords = code.op(("coordsD", "cute.make_identity_tensor"), &[extents], &[])?;
        let tiler = code.fixed("tiler", &format!("!cute.tile<\"[{rows}:1;{columns}:1]\">"))?;
        Ok(Output { extents, coords, tiler })
    }

    /// Stores `columns` columns at a time through shared memory: the MMA gives each thread two
    /// adjacent elements, and stores to global memory need 16 bytes.
    pub fn store_through_shared(
        &self,
        mma: Ssa<'c>,
        sums: Ssa<'c>,
        tile: &str,
        columns: i64,
        [store, atom]: [Type<'c>; 2],
    ) -> Written<()> {
        let (code, [m, n, _]) = (&self.code, self.plan.tile);
        let [.., c, d, alpha, beta] = self.arguments;
        let shared = code.view("sD", self.memory, 0, code.parse_type(tile)?)?;
        let put = code.mma_partition("put", mma, MmaOperand::C, shared, self.thread)?;
        let store = code.tiled("store", "cute.make_tiled_copy", store, atom)?;
        let get = code.source("get", store, shared, self.thread)?;
        let pair = code.parse_type(&format!("!cute_nvgpu.atom.universal_copy<{}, 64 b>", self.plan.sum))?;
        let pair = code.typed(("pair", "cute.make_atom"), &[], pair, &[])?;

        let Output { extents, coords, tiler } = self.output(d, columns)?;
        let steps = n / columns;
        let first = code.binary(("first", "arith.muli"), self.block[1], code.i32(steps)?)?;
        // In each step, a thread stores two columns of MMAs.
        let halves = code.fixed("halves", "!cute.tile<\"[_;_;2:1]\">")?;
        let sums = code.op(("sums", "cute.logical_divide"), &[sums, halves], &[])?;
        let wants_c = self.plan.arithmetic().nonzero(code, beta)?;
        for step in 0..steps {
            code.effect("nvvm.barrier0", &[], &[])?;
            let own = self.step_of(sums, step)?;
            code.copy(pair, own, put, None)?;
            code.effect("nvvm.barrier0", &[], &[])?;

            let column = code.binary(("column", "arith.addi"), first, code.i32(step)?)?;
            let at = code.coord(&[At::Value(self.block[0]), At::Value(column)])?;
            let tile = |name: &str, of| code.op((name, "cute.local_tile"), &[of, tiler, at], &[]);
            let to = code.destination("to", store, tile("gD", d)?, self.thread)?;
            let old = code.source("old", store, tile("gC", c)?, self.thread)?;
            let at = code.destination("at", store, tile("cD", coords)?, self.thread)?;
            let rows = m * columns * SUM / STORE / self.plan.threads;
            let inside = if self.plan.aligned {
                None
            } else {
                Some(self.predicate(code, [rows, 1], [rows, 1], |code, i, j| {
                    inside_at(code, at, &[At::Int(0), At::Int(i), At::Int(j)], extents)
                })?)
            };
            let made = code.fragment_like("made", to)?;
            code.copy(store, get, made, None)?;
            self.combine(made, [alpha, beta], wants_c, (store, old, inside))?;
            code.copy(store, made, to, inside)?;
        }
        Ok(())
    }

    /// Each thread stores its own sums.
    pub fn store_directly(&self, mma: Ssa<'c>, sums: Ssa<'c>, atom: Type<'c>) -> Written<()> {
        let code = &self.code;
        let [.., c, d, alpha, beta] = self.arguments;
        let store = code.typed(("store", "cute.make_atom"), &[], atom, &[])?;
        let Output { extents, coords, tiler } = self.output(d, self.plan.tile[1])?;
        let at = code.coord(&self.block.map(At::Value))?;
        let part = |name: &str, of| {
            let tile = code.op(("tile", "cute.local_tile"), &[of, tiler, at], &[])?;
            code.mma_partition(name, mma, MmaOperand::C, tile, self.thread)
        };
        let (to, old, at) = (part("to", d)?, part("old", c)?, part("at", coords)?);
        let inside = if self.plan.aligned {
            None
        } else {
            let sums = [code.extent(sums, 1)?, code.extent(sums, 2)?];
            Some(self.predicate(code, sums, sums, |code, i, j| {
                inside_at(code, at, &[At::Int(0), At::Int(i), At::Int(j)], extents)
            })?)
        };
        let wants_c = self.plan.arithmetic().nonzero(code, beta)?;
        self.combine(sums, [alpha, beta], wants_c, (store, old, inside))?;
        code.copy(store, sums, to, inside)
    }

    /// `made = alpha * made + beta * C`; C is not read where beta is zero.
    fn combine(
        &self,
        made: Ssa<'c>,
        [alpha, beta]: [Ssa<'c>; 2],
        wants_c: Ssa<'c>,
        (copy, old, inside): (Ssa<'c>, Ssa<'c>, Option<Ssa<'c>>),
    ) -> Written<()> {
        let (code, arithmetic) = (&self.code, self.plan.arithmetic());
        arithmetic.scale(code, made, alpha)?;
        code.when(wants_c, |code| {
            arithmetic.add(code, made, beta, |code, added| code.copy(copy, old, added, inside))
        })
    }

    /// The sums of a step: (V, M, 2).
    fn step_of(&self, sums: Ssa<'c>, step: i64) -> Written<Ssa<'c>> {
        let t = self.code.parse_type(&format!("!cute.coord<\"(_,_,(_,{step}))\">"))?;
        let at = self.code.typed(("at", "cute.make_coord"), &[], t, &[])?;
        self.code.op(("own", "cute.slice"), &[sums, at], &[])
    }
}

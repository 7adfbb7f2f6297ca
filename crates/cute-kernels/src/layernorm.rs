//! `Y = (X - mean) / sqrt(variance + eps) * gamma + beta`, row by row: a warp holds a row in its
//! registers and reads it once.
//!
//! A lane holds 4 adjacent elements of every 128 columns. The sum over a row is a sum over each
//! lane's elements, followed by five shuffles over the lanes: `x += x of lane ^ 16, 8, 4, 2, 1`.

use clap::Args;
use cute_dialect::{
    atom::{CopyAtom, UniversalCopy},
    types::type_of,
    value::Value as Cute,
};
use cute_ffi::{ir, predicate::IntPredicate};
use melior::{
    Context,
    ir::{Module, Type},
};

use crate::{
    Error,
    code::{At, Code, Refused, Ssa, Written},
    module::{Signature, module},
    tiling,
};

/// The options of the kernel.
#[derive(Debug, Clone, Args)]
pub struct Layernorm {
    /// Columns: a multiple of 128, at most 8192
    #[arg(long, default_value_t = 1024)]
    pub columns: i64,
    /// Warps per block, with one row each
    #[arg(long, default_value_t = 4)]
    pub warps: i64,
}

impl Default for Layernorm {
    fn default() -> Self {
        Self { columns: 1024, warps: 4 }
    }
}

const LANES: i64 = 32;
/// Adjacent elements per lane: 128 bits.
const VECTOR: i64 = 4;
/// The largest number of elements per lane that fits into registers.
const MOST: i64 = 256;

impl Layernorm {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
Y = (X - mean) / sqrt(variance + eps) * gamma + beta, each row of X (rows, columns) by a warp.\n\
\n\
  grid  ceil(rows / warps), block 32 x warps\n\
\n\
Written by `cutec build layernorm --emit cute`; `cutec build layernorm --help` lists what can be chosen.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "layernorm";

    /// Threads per block; the grid has rows / warps blocks.
    pub fn threads(&self) -> i64 {
        LANES * self.warps
    }

    /// The kernel as cute IR.
    ///
    /// # Errors
    /// Returns an error if the parameters do not fit together.
    pub fn build<'c>(&self, c: &'c Context) -> Result<Module<'c>, Error> {
        let Self { columns, warps } = self;
        let piece = LANES * VECTOR;
        if *columns < piece || columns % piece != 0 || *columns > MOST * LANES {
            let most = MOST * LANES;
            return Err(Error::Parameters(format!(
                "{columns} columns: a multiple of {piece} up to {most} is possible"
            )));
        }
        if !(1..=32).contains(warps) {
            return Err(Error::Parameters(format!("{warps} warps: 1 to 32 are possible")));
        }
        let elem = Type::parse(c, "f32").ok_or(Refused::Ir)?;
        let atom = CopyAtom::Universal(UniversalCopy { elem, bits: 128, access: Default::default() });
        let copy = tiling::row_copy(c, atom.clone(), self.threads(), piece, VECTOR)?;
        let atom = type_of(c, &Cute::CopyAtom(atom));
        let matrix = format!("!cute.memref<f32, gmem, align<16>, \"(?,{columns}):(?{{i64 div=4}},1)\">");
        let vector = format!("!cute.memref<f32, gmem, align<16>, \"({columns}):(1)\">");
        let parameters = [
            ("X", matrix.clone()),
            ("gamma", vector.clone()),
            ("beta", vector),
            ("Y", matrix),
            ("eps", "f32".to_string()),
        ];
        let signature =
            Signature { name: Self::NAME, parameters: &parameters, threads: self.threads(), shared: 0 };
        Ok(module(c, &signature, |code, arguments| self.write(code, arguments, [copy, atom]))?)
    }

    fn write<'c>(&self, code: &Code<'c>, arguments: &[Ssa<'c>], [copy, atom]: [Type<'c>; 2]) -> Written<()> {
        let [x, gamma, beta, y, eps] = <[Ssa<'c>; 5]>::try_from(arguments).map_err(|_| Refused::Ir)?;
        let tid = code.register("tid", "tid.x")?;
        let block = code.register("block", "ctaid.x")?;
        let copy = code.tiled("copy", "cute.make_tiled_copy", copy, atom)?;
        let thread = code.index(tid)?;

        // The rows of the block. Gamma and beta have no rows, and are read the same way.
        let tiler = code.fixed("tiler", &format!("!cute.tile<\"[{}:1;{}:1]\">", self.warps, self.columns))?;
        let at = code.coord(&[At::Value(block), At::Int(0)])?;
        let rows = |name: &str, of| code.op((name, "cute.local_tile"), &[of, tiler, at], &[]);
        let every =
            format!("!cute.memref<f32, gmem, align<16>, \"({},{}):(0,1)\">", self.warps, self.columns);
        let every = code.parse_type(&every)?;
        let repeated = |name: &str, of| {
            let iter = code.op(("iter", "cute.get_iter"), &[of], &[])?;
            code.typed((name, "cute.make_view"), &[iter], every, &[])
        };
        let from = code.source("from", copy, rows("gX", x)?, thread)?;
        let into = code.destination("into", copy, rows("gY", y)?, thread)?;
        let gamma = code.source("scale", copy, repeated("gGamma", gamma)?, thread)?;
        let beta = code.source("shift", copy, repeated("gBeta", beta)?, thread)?;

        let warp = code.binary(("warp", "arith.divsi"), tid, code.i32(LANES)?)?;
        let first = code.binary(("first", "arith.muli"), block, code.i32(self.warps)?)?;
        let row = code.binary(("row", "arith.addi"), first, warp)?;
        let inside = code.compare("inside", IntPredicate::Slt, row, code.size("rows", x, 0)?)?;
        code.when(inside, |code| {
            let row = code.fragment_like("row", from)?;
            code.copy(copy, from, row, None)?;
            let count = code.number("count", code.parse_type("f32")?, self.columns)?;
            let total = self.total(code, row, |_, x| Ok(x))?;
            let mean = code.binary(("mean", "arith.divf"), total, count)?;
            let total = self.total(code, row, |code, x| {
                let d = code.binary(("d", "arith.subf"), x, mean)?;
                code.binary(("square", "arith.mulf"), d, d)
            })?;
            let variance = code.binary(("variance", "arith.divf"), total, count)?;
            let variance = code.binary(("variance", "arith.addf"), variance, eps)?;
            let deviation =
                code.intrinsic("deviation", "llvm.nvvm.sqrt.rn.f", &[variance], ir::type_of(eps))?;
            let one = code.number("one", code.parse_type("f32")?, 1)?;
            let scale = code.binary(("scale", "arith.divf"), one, deviation)?;

            let read = |name: &str, of| {
                let fragment = code.fragment_like(name, of)?;
                code.copy(copy, of, fragment, None)?;
                code.op((name, "cute.memref.load_vec"), &[fragment], &[])
            };
            let (gamma, beta) = (read("gamma", gamma)?, read("beta", beta)?);
            let x = code.op(("x", "cute.memref.load_vec"), &[row], &[])?;
            let all =
                |name: &str, number| code.typed((name, "vector.broadcast"), &[number], ir::type_of(x), &[]);
            let centred = code.binary(("centred", "arith.subf"), x, all("means", mean)?)?;
            let normal = code.binary(("normal", "arith.mulf"), centred, all("scales", scale)?)?;
            let scaled = code.binary(("scaled", "arith.mulf"), normal, gamma)?;
            let made = code.binary(("made", "arith.addf"), scaled, beta)?;
            code.effect("cute.memref.store_vec", &[made, row], &[])?;
            code.copy(copy, row, into, None)
        })
    }

    /// The sum over the row of `f` of each element.
    fn total<'c>(
        &self,
        code: &Code<'c>,
        row: Ssa<'c>,
        f: impl Fn(&Code<'c>, Ssa<'c>) -> Written<Ssa<'c>>,
    ) -> Written<Ssa<'c>> {
        let mut sum = None;
        for piece in 0..self.columns / (LANES * VECTOR) {
            for i in 0..VECTOR {
                let t = code.parse_type(&format!("!cute.coord<\"(({i},0),0,{piece})\">"))?;
                let at = code.typed(("at", "cute.make_coord"), &[], t, &[])?;
                let x = f(code, code.op(("x", "cute.memref.load"), &[row, at], &[])?)?;
                sum = Some(match sum {
                    None => x,
                    Some(sum) => code.binary(("sum", "arith.addf"), sum, x)?,
                });
            }
        }
        let mut sum = sum.ok_or(Refused::Ir)?;
        let (everyone, last) = (code.i32(-1)?, code.i32(LANES - 1)?);
        for distance in [16, 8, 4, 2, 1] {
            let kind = [("kind", code.attribute("#nvvm<shfl_kind bfly>")?)];
            let operands = [everyone, sum, code.i32(distance)?, last];
            let other = code.typed(("other", "nvvm.shfl.sync"), &operands, ir::type_of(sum), &kind)?;
            sum = code.binary(("sum", "arith.addf"), sum, other)?;
        }
        Ok(sum)
    }
}

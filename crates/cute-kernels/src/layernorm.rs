//! `Y = (X - mean) / sqrt(variance + eps) * gamma + beta`, row by row: a warp holds a row in its
//! registers and reads it once.
//!
//! A lane holds 4 adjacent elements of every 128 columns. The sum over a row is a sum over each
//! lane's elements, followed by five shuffles over the lanes: `x += x of lane ^ 16, 8, 4, 2, 1`.

use cute_algebra::{Crd, Dim, Layout, Stride, Tuple, Width};
use cute_arch::Target;
use cute_build::{
    IntPredicate, Kernel, Kernels,
    atoms::{self, TiledCopy},
    types::{self, Space},
};
use cute_ffi::ir;
use melior::{
    Context,
    ir::{Location, Module, Type},
};

use crate::{
    At, Builder, Built, Error, Value,
    launch::argument_extent,
    options::{KernelBuilder, Number, Range, check_ranges, kernel_options},
    tiling,
};

kernel_options! {
    Layernorm {
        number columns = 1024 in Range::multiples(LANES * VECTOR, LANES * VECTOR, 8192), "Columns";
        number warps = 4 in Range::between(1, 32), "Warps per block, with one row each";
    }
}

const LANES: i64 = cute_arch::WARP as i64;
/// Adjacent elements per lane: 128 bits.
const VECTOR: i64 = 4;
/// Elements that a lane may have beyond its registers. These are spilled, and the few values beside
/// the row with them.
const SPILLED: i64 = 8;

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

    fn write<'c>(
        &self,
        code: &Builder<'c>,
        [x, gamma, beta, y, eps]: [Value<'c>; 5],
        copy: &TiledCopy<'c>,
    ) -> Built<()> {
        let tid = code.named("tid").register("tid.x")?;
        let block = code.named("block").register("ctaid.x")?;
        let copy = code.named("copy").tiled_copy(copy)?;
        let thread = code.index(tid)?;

        // The rows of the block. Gamma and beta have no rows, and are read the same way.
        let tiler = code.named("tiler").tile([self.warps, self.columns])?;
        let at = code.coord(&[At::Value(block), At::Int(0)])?;
        let rows = |name: &str, of| code.named(name).inferred("cute.local_tile", &[of, tiler, at], &[]);
        let every = tiling::strided([self.warps, self.columns], [0, 1])?;
        let every = types::pointer(ir::type_of(eps), Space::Gmem).align(16).memref(every)?;
        let repeated = |name: &str, of| {
            let iter = code.named("iter").inferred("cute.get_iter", &[of], &[])?;
            code.named(name).typed("cute.make_view", &[iter], every, &[])
        };
        let from = code.named("from").partition_s(copy, rows("gX", x)?, thread)?;
        let into = code.named("into").partition_d(copy, rows("gY", y)?, thread)?;
        let gamma = code.named("scale").partition_s(copy, repeated("gGamma", gamma)?, thread)?;
        let beta = code.named("shift").partition_s(copy, repeated("gBeta", beta)?, thread)?;

        let warp = code.named("warp").div(tid, code.i32(LANES)?)?;
        let first = code.named("first").mul(block, code.i32(self.warps)?)?;
        let row = code.named("row").add(first, warp)?;
        let inside =
            code.named("inside").compare(IntPredicate::Slt, row, code.named("rows").size(x, &[0])?)?;
        code.if_then(inside, |code| {
            let row = code.named("row").fragment_like(from)?;
            code.copy(copy, from, row)?;
            let count = code.named("count").number(Type::float32(code.context()), self.columns)?;
            let total = self.total(code, row, |_, x| Ok(x))?;
            let mean = code.named("mean").div(total, count)?;
            let total = self.total(code, row, |code, x| {
                let d = code.named("d").sub(x, mean)?;
                code.named("square").mul(d, d)
            })?;
            let variance = code.named("variance").div(total, count)?;
            let variance = code.named("variance").add(variance, eps)?;
            let deviation = code.named("deviation").intrinsic(
                "llvm.nvvm.sqrt.rn.f",
                &[variance],
                ir::type_of(eps),
                &[],
            )?;
            let one = code.named("one").number(Type::float32(code.context()), 1)?;
            let scale = code.named("scale").div(one, deviation)?;

            let read = |name: &str, of| {
                let fragment = code.named(name).fragment_like(of)?;
                code.copy(copy, of, fragment)?;
                code.named(name).load_vec(fragment)
            };
            let (gamma, beta) = (read("gamma", gamma)?, read("beta", beta)?);
            let x = code.named("x").load_vec(row)?;
            let all = |name: &str, number| code.named(name).broadcast(number, x);
            let centred = code.named("centred").sub(x, all("means", mean)?)?;
            let normal = code.named("normal").mul(centred, all("scales", scale)?)?;
            let scaled = code.named("scaled").mul(normal, gamma)?;
            let made = code.named("made").add(scaled, beta)?;
            code.store_vec(made, row)?;
            code.copy(copy, row, into)
        })
    }

    /// The sum over the row of `f` of each element.
    fn total<'c>(
        &self,
        code: &Builder<'c>,
        row: Value<'c>,
        f: impl Fn(&Builder<'c>, Value<'c>) -> Built<Value<'c>>,
    ) -> Built<Value<'c>> {
        let mut sum = None;
        for piece in 0..self.columns / (LANES * VECTOR) {
            for i in 0..VECTOR {
                let leaf = |n| Tuple::leaf(Crd::Int(Dim::fixed(n)));
                let value = Tuple::from_modes([leaf(i), leaf(0)]);
                let at = Tuple::from_modes([value, leaf(0), leaf(piece)]);
                let at = code.named("at").make_coord(at, &[])?;
                let x = f(code, code.named("x").inferred("cute.memref.load", &[row, at], &[])?)?;
                sum = Some(match sum {
                    None => x,
                    Some(sum) => code.named("sum").add(sum, x)?,
                });
            }
        }
        let Some(mut sum) = sum else { return code.fail("a row has columns") };
        let (everyone, last) = (code.i32(-1)?, code.i32(LANES - 1)?);
        for distance in [16, 8, 4, 2, 1] {
            let kind = [("kind", code.attribute("#nvvm<shfl_kind bfly>")?)];
            let operands = [everyone, sum, code.i32(distance)?, last];
            let other = code.named("other").typed("nvvm.shfl.sync", &operands, ir::type_of(sum), &kind)?;
            sum = code.named("sum").add(sum, other)?;
        }
        Ok(sum)
    }
}

impl KernelBuilder for Layernorm {
    const NAME: &'static str = Self::NAME;
    /// ptxas keeps some rows of more than 7680 columns in local memory as a whole, and moves each
    /// element several times.
    const SPILLS: u32 = 6144;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        check_ranges(&self.numbers())?;
        let registers = |warps: i64| {
            let threads = (LANES * warps) as u32;
            i64::from(target.unwrap_or(Target::Sm80).registers_per_thread_of_block(threads))
        };
        let elements = self.columns / LANES;
        let fits = |warps: &i64| elements <= registers(*warps) + SPILLED;
        if fits(&self.warps) {
            return Ok(());
        }
        let most = (1..self.warps).rev().find(fits).unwrap_or(1);
        Err(Error::Parameters(format!(
            "a row of {} columns has {elements} elements for each lane, but the threads of {} warps have {} registers each: take at most {most} warps",
            self.columns,
            self.warps,
            registers(self.warps),
        )))
    }

    fn build_for<'c>(&self, c: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.check(target)?;
        let piece = LANES * VECTOR;
        let f32 = Type::float32(c);
        let copy = tiling::row_copy(atoms::universal_copy(f32, 128)?, self.threads(), piece, VECTOR)?;
        let pointer = types::pointer(f32, Space::Gmem).align(16);
        let [rows, pitch] = [Dim::dynamic(Width::I32, 1), Dim::dynamic(Width::I64, VECTOR)];
        let [one, columns] = [1, self.columns].map(Dim::fixed);
        let strides = [pitch, one].map(Stride::int);
        let matrix = Layout::new(Tuple::from_leaves([rows, columns]), Tuple::from_leaves(strides))?;
        let (matrix, vector) =
            (pointer.memref(matrix)?, pointer.memref(tiling::strided([self.columns], [1])?)?);
        let parameters = [("X", matrix), ("gamma", vector), ("beta", vector), ("Y", matrix), ("eps", f32)];
        let kernel = Kernel::new(c, Self::NAME, parameters).block(self.threads() as i32);
        let [x, y] = ["X", "Y"]
            .map(|name| argument_extent(&parameters.map(|(name, _)| name), name, 0).unwrap_or_default());
        let grid = [format!("ceil({x} / {})", self.warps)];
        let kernel = kernel.expects(&[format!("{x} = {y}")], &grid);
        let kernels = Kernels::at(Location::unknown(c))?;
        kernels.kernel(&kernel, |code, arguments| self.write(code, arguments, &copy))?;
        Ok(kernels.finish()?)
    }
}

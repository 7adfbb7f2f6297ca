//! Matrices as small floats with a scale factor for every 16 or 32 elements of a row, in the layout
//! that block-scaled MMAs of Blackwell take: [`Quantize`], and [`Dequantize`], its inverse.
//!
//! | file | subject |
//! |---|---|
//! | `format` | the formats, and their targets |
//! | `units` | the 16 elements of a thread, and their places in memory |
//! | `pack` | small floats as words of 32 bits |
//! | `factor` | scale factors as numbers |

mod dequantize;
pub(crate) mod factor;
mod format;
mod pack;
mod units;

pub use dequantize::Dequantize;
pub use format::{QuantizedFormat, Wide};

use cute_arch::Target;
use cute_build::{Kernel, Kernels};
use melior::{
    Context,
    ir::{Location, Module, Type},
};

use crate::{
    Builder, Built, Error, Value,
    launch::argument_extent,
    options::{KernelBuilder, Number, Range, check_ranges, kernel_options},
};

use self::{
    factor::Rule,
    units::{Parameters, Units},
};

kernel_options! {
    Quantize {
        choice format: QuantizedFormat = QuantizedFormat::Mxf8E4m3, "Elements and scale factors";
        choice from: Wide = Wide::F32, "Type of X";
        number rows = 32 in Range::powers(8, 128), "Rows per block";
    }
}

impl Quantize {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
Q S = X: X (rows,K) as small floats Q, with a scale factor S for every 32 elements of a row, or for every 16 (nvf4).\n\
\n\
S consists of blocks of 512 bytes: the factors of 128 rows, four of each row, as tcgen05.mma takes them. There are ceil(rows / 128) x\n\
ceil(K / 4 factors) blocks, those along K first. Factors of elements outside X are 0. K and the pitches of X and Q are multiples of 16.\n\
With nvf4, factors and elements are those of `scale` X, a positive number.\n\
\n\
  grid  ceil(rows / 128) x 128 / rows per block, ceil(K / 4 factors)\n\
\n\
Written by `cutec build quantize --emit cute`; `cutec build quantize --help` lists what can be chosen.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "quantize";

    /// Threads per block.
    pub fn threads(&self) -> i64 {
        self.units().threads()
    }

    fn units(&self) -> Units {
        Units { format: self.format, wide: self.from, rows: self.rows }
    }

    fn write<'c>(&self, code: &Builder<'c>, parameters: Parameters<'c>) -> Built<()> {
        let (units, format) = (self.units(), self.format);
        let unit = units.of_thread(code, &parameters)?;
        let row_of_floats = units::row(Type::float32(code.context()));
        let zeros = code.named("zeros").number(row_of_floats, 0)?;
        let x = code.named("x").either(
            unit.inside,
            &[row_of_floats],
            |code| Ok(vec![unit.load_wide(code, parameters.wide)?]),
            |_| Ok(vec![zeros]),
        )?[0];

        let mut most = factor::magnitude(code, x)?;
        if format.units() == 2 {
            let kind = [("kind", code.attribute("#nvvm<shfl_kind bfly>")?)];
            let operands = [code.i32(-1)?, most, code.i32(1)?, code.i32(31)?];
            let other = code.named("other").typed("nvvm.shfl.sync", &operands, code.i32_type(), &kind)?;
            most = code.named("most").inferred("arith.maxui", &[most, other], &[])?;
        }

        let factor = factor::of_magnitude(code, (format, Rule::Ocp), most, parameters.scale)?;
        let all = code.named("multipliers").broadcast(factor.multiplier, x)?;
        let scaled = code.named("scaled").mul(x, all)?;
        let words = pack::narrowed(code, format.element(), scaled)?;
        code.if_then(unit.inside, |code| unit.store_words(code, parameters.narrow, words))?;
        code.if_then(unit.first, |code| unit.store_factor(code, parameters.factors, factor.code))
    }
}

impl KernelBuilder for Quantize {
    const NAME: &'static str = Self::NAME;
    const SPILLS: u32 = 0;

    fn numbers(&self) -> Vec<Number> {
        self.numbers()
    }

    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    fn check(&self, target: Option<Target>) -> Result<(), Error> {
        check_ranges(&self.numbers())?;
        self.format.check(target)
    }

    fn build_for<'c>(&self, c: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error> {
        self.check(target)?;
        let units = self.units();
        let [wide, narrow, factors] = units.types(c)?;
        let parameters = [("X", wide), ("Q", narrow), ("S", factors)];
        kernel_of(c, Self::NAME, units, parameters, |code, [wide, narrow, factors], scale| {
            self.write(code, Parameters { wide, narrow, factors, scale })
        })
    }
}

/// A module of one kernel, which has a last parameter `scale` if the format takes one.
fn kernel_of<'c>(
    c: &'c Context,
    name: &str,
    units: Units,
    parameters: [(&str, Type<'c>); 3],
    write: impl for<'m> Fn(&Builder<'m>, [Value<'m>; 3], Option<Value<'m>>) -> Built<()>,
) -> Result<Module<'c>, Error> {
    let kernels = Kernels::at(Location::unknown(c))?;
    let threads = units.threads() as i32;
    let [x, q, s] = parameters;
    let names = parameters.map(|(name, _)| name);
    let extent = |name: &str, mode| argument_extent(&names, name, mode);
    let of_q = [0, 1].map(|mode| extent("Q", mode).unwrap_or_default());
    // X of one kernel, and Y of the other.
    let of_wide = |mode| extent("X", mode).or_else(|| extent("Y", mode)).unwrap_or_default();
    let equal = [0, 1].map(|mode| format!("{} = {}", of_wide(mode), of_q[mode]));
    let grid = units.grid(&of_q);
    if units.format.is_scaled_twice() {
        let scale = ("scale", Type::float32(c));
        let kernel = Kernel::new(c, name, [x, q, s, scale]).block(threads).expects(&equal, &grid);
        kernels.kernel(&kernel, |code, [x, q, s, scale]| write(code, [x, q, s], Some(scale)))?;
    } else {
        let kernel = Kernel::new(c, name, [x, q, s]).block(threads).expects(&equal, &grid);
        kernels.kernel(&kernel, |code, [x, q, s]| write(code, [x, q, s], None))?;
    }
    Ok(kernels.finish()?)
}

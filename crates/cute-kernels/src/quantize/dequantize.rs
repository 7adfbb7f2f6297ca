//! [`Dequantize`]: the numbers that small floats and their scale factors stand for.

use cute_arch::Target;
use melior::{Context, ir::Module};

use crate::{
    Builder, Built, Error,
    options::{KernelBuilder, Number, Range, check_ranges, kernel_options},
};

use super::{
    QuantizedFormat, Wide, factor, kernel_of, pack,
    units::{Parameters, Units},
};

kernel_options! {
    Dequantize {
        choice format: QuantizedFormat = QuantizedFormat::Mxf8E4m3, "Elements and scale factors";
        choice to: Wide = Wide::F32, "Type of Y";
        number rows = 32 in Range::powers(8, 128), "Rows per block";
    }
}

impl Dequantize {
    /// A description of the kernel and its launch, as a comment before its IR.
    pub const ABOUT: &'static str = "\
Y = Q S: the numbers (rows,K) that small floats Q and their scale factors S stand for, as `cutec build quantize` makes them. With nvf4\n\
they are divided by `scale`. K and the pitches of Q and Y are multiples of 16.\n\
\n\
  grid  ceil(rows / 128) x 128 / rows per block, ceil(K / 4 factors)\n\
\n\
Written by `cutec build dequantize --emit cute`; `cutec build dequantize --help` lists what can be chosen.";
    /// The kernel's symbol.
    pub const NAME: &'static str = "dequantize";

    /// Threads per block.
    pub fn threads(&self) -> i64 {
        self.units().threads()
    }

    fn units(&self) -> Units {
        Units { format: self.format, wide: self.to, rows: self.rows }
    }

    fn write<'c>(&self, code: &Builder<'c>, parameters: Parameters<'c>) -> Built<()> {
        let unit = self.units().of_thread(code, &parameters)?;
        code.if_then(unit.inside, |code| {
            let words = unit.load_words(code, parameters.narrow)?;
            let byte = unit.load_factor(code, parameters.factors)?;
            let factor = factor::as_number(code, self.format, byte, parameters.scale)?;
            let q = pack::widened(code, self.format.element(), words)?;
            let x = code.named("scaled").mul(q, code.named("factors").broadcast(factor, q)?)?;
            unit.store_wide(code, parameters.wide, x)
        })
    }
}

impl KernelBuilder for Dequantize {
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
        let parameters = [("Q", narrow), ("S", factors), ("Y", wide)];
        kernel_of(c, Self::NAME, units, parameters, |code, [narrow, factors, wide], scale| {
            self.write(code, Parameters { wide, narrow, factors, scale })
        })
    }
}

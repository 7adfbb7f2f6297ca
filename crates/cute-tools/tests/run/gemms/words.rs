//! The arguments of a GEMM's launch whose extents may be multiples of `n`, for `cutec prove`.

use std::fmt;

use super::{
    super::builders::quantize::name,
    elements::factors90,
    scaled::{BLOCK, BOX, Scaled},
    tensor::Tensor,
};

/// An extent: a number, or a multiple of `n`.
#[derive(Clone, Copy)]
pub(in super::super) struct Extent {
    pub each: usize,
    pub grows: bool,
}

impl Extent {
    pub fn fixed(each: i64) -> Self {
        Extent { each: each as usize, grows: false }
    }

    pub fn growing(each: i64) -> Self {
        Extent { each: each as usize, grows: true }
    }

    /// The number of parts of this size, the last of which may be smaller.
    fn in_parts(self, size: usize) -> Self {
        assert!(
            !self.grows || self.each.is_multiple_of(size),
            "{self} is not a multiple of {size} for all n"
        );
        Extent { each: self.each.div_ceil(size), ..self }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grows {
            true => write!(f, "{{{}*n}}", self.each),
            false => write!(f, "{}", self.each),
        }
    }
}

impl Tensor {
    /// The arguments of the host function for matrices of these extents, of zeros. With a batch,
    /// there are two of each. `blocks` is the argument of the static scheduler.
    pub fn words(&self, [m, n, k]: [Extent; 3], blocks: Option<i64>) -> String {
        let by = if self.batch { "x2" } else { "" };
        let matrix = |name: &str, element: &str, rows: Extent, columns: Extent| {
            format!("--arg {name}:{element}[{rows}x{columns}{by}] ")
        };
        let factors = |name: &str, element: &str, vector: usize, rows: Extent, columns: Extent| {
            let (rows, groups) = (rows.in_parts(BLOCK[0]), columns.in_parts(BLOCK[1] * vector));
            format!("--arg {name}:{element}[{}x{}x{rows}x{groups}{by}] ", BOX[0], BOX[1])
        };
        let wanted = |wanted: bool, text: String| if wanted { text } else { String::new() };
        let (a, b) = (factors90(self.types).0, factors90(self.b_types.unwrap_or(self.types)).0);
        let (d, _) = self.made();
        let mut all = matrix("A", a, m, k) + &matrix("B", b, n, k);
        if let Some(Scaled { element, vector, .. }) = Scaled::of(self.types) {
            all += &(factors("SFA", element, vector, m, k) + &factors("SFB", element, vector, n, k));
        }
        all += &wanted(self.beta, matrix("C", d, m, n));
        all += &matrix("D", d, m, n);
        let quantized = self.out.and_then(|out| out.quantized());
        if let Some(format) = quantized {
            let vector = format.vector().elements() as usize;
            all += &factors("SFD", name(format.factor()), vector, m, n);
        }
        all += &wanted(self.bias, format!("--arg bias:f32[{n}{by}] "));
        all += &self.scalars();
        all += &wanted(
            quantized.is_some_and(|own| own.is_scaled_twice()),
            "--arg norm_constant:f32=3 ".to_owned(),
        );
        all + &blocks.map_or_else(String::new, |blocks| format!("--arg blocks:i32={blocks}"))
    }
}

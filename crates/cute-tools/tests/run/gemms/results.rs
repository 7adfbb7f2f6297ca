//! Results that a GEMM quantizes: elements, and a factor for each vector of them along N, chosen as
//! CUTLASS's epilogues do.

use cute_arch::Element;
use cute_kernels::quantize::QuantizedFormat;
use tempfile::TempDir;

use super::{
    super::builders::quantize::{Shape, code, float, name, read},
    scaled::{BOX, place},
};

/// The factor of all elements of D, where it has one.
const NORM: f32 = 3.25;

/// D of some rows and columns, in a batch.
pub(super) struct Results {
    pub format: QuantizedFormat,
    pub shape: [usize; 2],
    pub batch: Option<usize>,
}

impl Results {
    /// The arguments that stand directly behind D, and those that stand last.
    pub fn arguments(&self) -> [String; 2] {
        let [of_rows, of_columns] = self.blocks();
        let by = self.batch.map_or_else(String::new, |l| format!("x{l}"));
        let element = name(self.format.factor());
        let factors = format!(
            "--arg SFD:{element}[{}x{}x{of_rows}x{of_columns}{by}] --out SFD=sfd.npy ",
            BOX[0], BOX[1]
        );
        let norm = if self.format.is_scaled_twice() {
            format!("--arg norm_constant:f32={NORM} ")
        } else {
            String::new()
        };
        [factors, norm]
    }

    fn blocks(&self) -> [usize; 2] {
        Shape::of(self.format, self.shape).blocks
    }

    fn norm(&self) -> f32 {
        if self.format.is_scaled_twice() { NORM } else { 1.0 }
    }

    /// The factor of some numbers, and what they are multiplied by.
    fn factor(&self, numbers: &[f32]) -> (u8, f32) {
        let most = numbers.iter().fold(0f32, |most, x| most.max(x.abs()));
        if self.format.is_scaled_twice() {
            let code = code(Element::E4m3, most * (NORM / 6.0));
            let factor = float(Element::E4m3, code);
            return (code, if factor == 0.0 { 0.0 } else { NORM * (1.0 / factor) });
        }
        let largest = if self.format == QuantizedFormat::Mxf4 { 6.0 } else { 448.0 };
        let power = (-127..127).find(|power| f64::from(most) <= largest * 2f64.powi(*power)).unwrap();
        ((power + 127) as u8, 2f64.powi(-power) as f32)
    }

    /// Compares elements of D with numbers that are known exactly, or nearly.
    pub fn check(&self, folder: &TempDir, d: &[u8], number: impl Fn([usize; 3]) -> f64, exact: bool) {
        let ([rows, columns], batch) = (self.shape, self.batch.unwrap_or(1));
        let factors = read(folder, "sfd.npy");
        let [of_rows, of_columns] = self.blocks();
        let vector = self.format.vector().elements() as usize;
        let element = self.format.element();
        for at in 0..rows * of_columns * 4 * batch {
            let (i, group, l) = (at / (of_columns * 4 * batch), at / batch % (of_columns * 4), at % batch);
            let columns_of = group * vector..columns.min((group + 1) * vector);
            let numbers: Vec<_> = columns_of.clone().map(|j| number([i, j, l]) as f32).collect();
            let found = factors[place([of_rows, of_columns, batch], [i, group, l])];
            let (expected, multiplier) = self.factor(&numbers);
            if exact {
                assert_eq!(found, expected, "factor {group} of row {i}, matrix {l}: {numbers:?}");
            }
            for (j, x) in columns_of.zip(numbers) {
                let d = d[(i * columns + j) * batch + l];
                if exact {
                    assert_eq!(d, code(element, x * multiplier), "row {i}, column {j}, matrix {l}: {x}");
                    continue;
                }
                let factor = float(self.format.factor(), found) / self.norm();
                // An e4m3 has a largest factor; larger numbers become the largest one.
                let most = if self.format.is_scaled_twice() { 448.0 * 6.0 / NORM } else { f32::MAX };
                let (d, x) = (float(element, d) * factor, x.clamp(-most, most));
                // Half of the distance to the next e2m1.
                assert!((d - x).abs() <= x.abs() / 4.0 + factor / 2.0 + 2e-3, "{d}, not {x}");
            }
        }
    }
}

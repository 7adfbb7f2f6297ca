//! Small floats with scale factors, compared with plain loops.

use std::fs;

use cute_algebra::{Crd, Tuple, crd2idx};
use cute_arch::{
    Element,
    block_scaled::{SF_BLOCK, SfBlock, tile_atom_to_shape_sf},
};
use cute_kernels::quantize::{Dequantize, Quantize, QuantizedFormat, Wide};
use cute_mlir::Target;
use cute_sim::format::{Overflow, Rounding, decode, encode};
use half::{bf16, f16};
use tempfile::TempDir;

use super::{
    super::{
        coverage::writes_each_once,
        gemms::{SCHEDULES, elements::write},
        run_in,
    },
    cases::Simulated,
};

/// The factor of a whole matrix.
const SCALE: f32 = 3.25;

/// The rows and columns of a matrix, and the blocks of factors.
pub(in super::super) struct Shape {
    rows: usize,
    columns: usize,
    pub blocks: [usize; 2],
    format: QuantizedFormat,
}

impl Shape {
    /// The one of a case: less than a block, several blocks, or parts of groups.
    fn new(format: QuantizedFormat, case: usize) -> Self {
        Self::of(format, [[128, 1, 130, 77, 200][case % 5], [128, 16, 272, 48][case % 4]])
    }

    pub fn of(format: QuantizedFormat, [rows, columns]: [usize; 2]) -> Self {
        let vector = format.vector().elements() as usize;
        let [of_rows, of_factors] = SF_BLOCK.map(|n| n as usize);
        let blocks = [rows.div_ceil(of_rows), columns.div_ceil(of_factors * vector)];
        Self { rows, columns, blocks, format }
    }

    pub fn factors(&self) -> usize {
        self.blocks[0] * self.blocks[1] * (SF_BLOCK[0] * SF_BLOCK[1]) as usize
    }

    /// The place of the factor of each group of elements, with its row and first column; also of
    /// those outside.
    fn places(&self) -> Vec<(usize, usize, usize)> {
        let vector = self.format.vector();
        let [rows, groups] = [0, 1].map(|i| self.blocks[i] * SF_BLOCK[i] as usize);
        let columns = groups * vector.elements() as usize;
        let shape = Tuple::from_leaves([rows, columns].map(|n| n as i64));
        let layout = tile_atom_to_shape_sf(SfBlock::Sm1xx, &shape, vector).unwrap();
        let at = |row: usize, column: usize| {
            let coord = Tuple::from_leaves([row, column].map(|c| Crd::Int(c as i64)));
            *crd2idx(&coord, &layout).unwrap().as_leaf().unwrap() as usize
        };
        let of_row = |row| (0..columns).step_by(vector.elements() as usize).map(move |column| (row, column));
        (0..rows).flat_map(of_row).map(|(row, column)| (row, column, at(row, column))).collect()
    }

    /// The grid of blocks that have some rows each.
    pub fn grid(&self, rows_per_block: i64) -> String {
        let along_rows = self.blocks[0] * SF_BLOCK[0] as usize / rows_per_block as usize;
        format!("{along_rows},{}", self.blocks[1])
    }

    fn launch(&self, rows_per_block: i64, target: Target, case: usize) -> String {
        let schedule = SCHEDULES[case % SCHEDULES.len()];
        format!("--grid {} --target {target} --schedule {schedule}", self.grid(rows_per_block))
    }

    fn scale(&self) -> String {
        if self.format.is_scaled_twice() { format!(" --arg scale:f32={SCALE}") } else { String::new() }
    }
}

/// MLIR's name.
pub(in super::super) fn name(element: Element) -> &'static str {
    match element {
        Element::E4m3 | Element::Ue4m3 => "f8E4M3FN",
        Element::E5m2 => "f8E5M2",
        Element::E2m3 => "f6E2M3FN",
        Element::E3m2 => "f6E3M2FN",
        Element::E2m1 => "f4E2M1FN",
        Element::Ue8m0 => "f8E8M0FNU",
        other => other.name(),
    }
}

/// The bytes of a wide float, and the number that they are.
fn wide(t: Wide, x: f32) -> (Vec<u8>, f32) {
    match t {
        Wide::F32 => (x.to_le_bytes().into(), x),
        Wide::F16 => (f16::from_f32(x).to_le_bytes().into(), f16::from_f32(x).to_f32()),
        Wide::Bf16 => (bf16::from_f32(x).to_le_bytes().into(), bf16::from_f32(x).to_f32()),
    }
}

fn numpy(t: Wide) -> &'static str {
    match t {
        Wide::F32 => "<f4",
        Wide::F16 => "<f2",
        Wide::Bf16 => "<V2",
    }
}

/// A number of any size: zeros, subnormal ones, and in a few places infinities and NaN.
fn number(i: usize) -> f32 {
    let sign = if i.is_multiple_of(3) { -1.0 } else { 1.0 };
    let fraction = 1.0 + (i * 7919 % 1021) as f32 / 1021.0;
    let power = (i / 48 * 31 % 61) as i32 - 30 - (i * 13 % 9) as i32;
    match (i / 32) % 37 {
        5 => 0.0,
        11 => f32::from_bits((i as u32 % 7) << 3),
        17 if i % 32 == 3 => f32::INFINITY,
        23 if i % 32 == 30 => f32::NAN,
        29 => sign * fraction * 3e38 / 2.0,
        _ => sign * fraction * 2f32.powi(power),
    }
}

pub(in super::super) fn code(element: Element, x: f32) -> u8 {
    encode(element, x.into(), Rounding::NearestEven, Overflow::Saturate).unwrap() as u8
}

pub(in super::super) fn float(element: Element, code: u8) -> f32 {
    decode(element, code.into()).unwrap() as f32
}

/// The factor of some elements of a matrix that has the factor `scale`, and the number that they
/// are multiplied by; `None` where one of them is not finite.
pub(in super::super) fn factor(format: QuantizedFormat, elements: &[f32], scale: f32) -> (u8, Option<f32>) {
    let is_nvf4 = format == QuantizedFormat::Nvf4;
    if elements.iter().any(|x| !x.is_finite()) {
        return (if is_nvf4 { 0x7f } else { 0xff }, None);
    }
    let most = elements.iter().fold(0f32, |most, x| most.max(x.abs()));
    if is_nvf4 {
        let code = code(Element::E4m3, most * (scale / 6.0));
        let factor = float(Element::E4m3, code);
        return (code, Some(if factor == 0.0 { 0.0 } else { scale / factor }));
    }
    let largest = match format.element() {
        Element::E4m3 => 448f64,
        Element::E5m2 => 57344.0,
        Element::E2m3 => 7.5,
        Element::E3m2 => 28.0,
        _ => 6.0,
    };
    let power = if most == 0.0 { -127.0 } else { f64::from(most).log2().floor() - largest.log2().floor() };
    let power = power.max(-127.0) as i32;
    ((power + 127) as u8, Some(2f64.powi(-power) as f32))
}

/// The bytes of an array, after its header.
pub(in super::super) fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    let file = fs::read(folder.path().join(name)).unwrap();
    file[10 + usize::from(u16::from_le_bytes([file[8], file[9]]))..].to_vec()
}

impl Simulated for Quantize {
    // Its instructions convert no small floats.
    const ELSEWHERE: &[&str] = &["--target sm_80"];

    const KNOWN: &[&str] = &["--format nvf4 --from bf16", "--format mxf6-e3m2 --from f16"];

    fn simulate(&self, text: &str, target: Target, case: usize) {
        let shape = Shape::new(self.format, case);
        let Shape { rows, columns, .. } = shape;
        let (bytes, x): (Vec<_>, Vec<_>) = (0..rows * columns).map(|i| wide(self.from, number(i))).unzip();
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "x.npy", numpy(self.from), &[rows, columns], bytes.into_iter().flatten());
        let arguments = format!(
            "{} --arg X:{}[{rows}x{columns}]=x.npy --arg Q:{}[{rows}x{columns}] --arg S:{}[{}]=1{} --out Q=q.npy --out S=s.npy",
            shape.launch(self.rows, target, case),
            name(self.from.element()),
            name(self.format.element()),
            name(self.format.factor()),
            shape.factors(),
            shape.scale()
        );
        let (status, out, err) = run_in(&folder, text, &format!("{arguments} --pedantic"));
        assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
        writes_each_once(&out);
        let (q, s) = (read(&folder, "q.npy"), read(&folder, "s.npy"));
        let vector = self.format.vector().elements() as usize;
        for (row, column, at) in shape.places() {
            let is_inside = row < rows && column < columns;
            let begin = row * columns + column;
            let group = if is_inside { begin..begin + vector.min(columns - column) } else { 0..0 };
            let (expected, multiplier) = factor(self.format, &x[group.clone()], SCALE);
            assert_eq!(s[at], expected, "factor of ({row},{column}): {:?}", &x[group]);
            let Some(multiplier) = multiplier else { continue };
            for i in group {
                let expected = code(self.format.element(), x[i] * multiplier);
                assert_eq!(q[i], expected, "element {i}, {} times {multiplier}", x[i]);
            }
        }
    }
}

impl Simulated for Dequantize {
    // Its instructions convert no small floats.
    const ELSEWHERE: &[&str] = &["--target sm_80"];

    const KNOWN: &[&str] = &["--format nvf4 --to bf16", "--format mxf6-e3m2 --to f16"];

    fn simulate(&self, text: &str, target: Target, case: usize) {
        let shape = Shape::new(self.format, case);
        let Shape { rows, columns, .. } = shape;
        let element = self.format.element();
        let is_nvf4 = self.format == QuantizedFormat::Nvf4;
        let q: Vec<_> =
            (0..rows * columns).map(|i| ((i * 7919 + i / 11) % (1 << element.bits())) as u8).collect();
        let s: Vec<_> = (0..shape.factors())
            .map(|i| if is_nvf4 { (i * 31 % 128) as u8 } else { (i * 37 % 256) as u8 })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "q.npy", "|u1", &[rows, columns], q.iter().copied());
        write(folder.path(), "s.npy", "|u1", &[s.len()], s.iter().copied());
        let arguments = format!(
            "{} --arg Q:{}[{rows}x{columns}]=q.npy --arg S:{}[{}]=s.npy --arg Y:{}[{rows}x{columns}]{} --out Y=y.npy",
            shape.launch(self.rows, target, case),
            name(element),
            name(self.format.factor()),
            s.len(),
            name(self.to.element()),
            shape.scale()
        );
        let (status, out, err) = run_in(&folder, text, &format!("{arguments} --pedantic"));
        assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
        writes_each_once(&out);
        let y = read(&folder, "y.npy");
        let size = self.to.element().bits() as usize / 8;
        let vector = self.format.vector().elements() as usize;
        for (row, column, at) in shape.places().into_iter().filter(|at| at.0 < rows && at.1 < columns) {
            let factor =
                if is_nvf4 { float(Element::E4m3, s[at]) / SCALE } else { float(Element::Ue8m0, s[at]) };
            for c in column..columns.min(column + vector) {
                let i = row * columns + c;
                let (expected, number) = wide(self.to, float(element, q[i]) * factor);
                let found = &y[i * size..][..size];
                let is_nan = match self.to {
                    Wide::F32 => f32::from_le_bytes(found.try_into().unwrap()).is_nan(),
                    Wide::F16 => f16::from_le_bytes(found.try_into().unwrap()).is_nan(),
                    Wide::Bf16 => bf16::from_le_bytes(found.try_into().unwrap()).is_nan(),
                };
                assert!(
                    found == expected || is_nan && number.is_nan(),
                    "({row},{c}): {found:?}, not {number}, of {} times {factor}",
                    float(element, q[i])
                );
            }
        }
    }
}

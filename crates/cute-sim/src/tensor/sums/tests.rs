//! The rules against words of devices and of public models, and rows of sums against single ones.

use super::columns::Columns;
use super::number::{exponent, least};
use super::window::{self, Encoded};
use super::*;
use crate::families::{matrix, tcgen05, wgmma};
use crate::tensor::scales::Factor;
use cute_arch::Element;
use cute_machine::format::decode;
use fastrand::Rng;
use serde::Deserialize;

const MMA: &Unit = &matrix::sums::UNIT;
const WGMMA: &Unit = &wgmma::model::DENSE;
const TCGEN05: &Unit = &tcgen05::model::UNIT;

#[derive(Deserialize)]
struct Vectors {
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    arch: String,
    instruction: String,
    shape: String,
    kind: Option<String>,
    a: String,
    b: String,
    d: String,
    scale: Option<String>,
    scale_vec: Option<usize>,
    /// Class, A, B, C, D, and the factors of A and of B.
    vectors: Vec<Vec<String>>,
}

/// The same factors for all rows and columns.
struct Same([Vec<Factor>; 2]);

impl Factored for Same {
    fn count(&self) -> usize {
        self.0[0].len()
    }

    fn of(&self, _: usize, _: usize, block: usize) -> [Factor; 2] {
        [self.0[0][block], self.0[1][block]]
    }
}

fn codes(text: &str, element: Element) -> Vec<u64> {
    let digits = if element == Element::Tf32 { 8 } else { (element.bits().div_ceil(4)) as usize };
    let digits = if element.bits() == 6 { 2 } else { digits };
    let code = |digits: &[u8]| u64::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
    text.as_bytes().chunks(digits).map(code).collect()
}

fn numbers(text: &str, element: Element) -> Vec<f32> {
    let number = |code: u64| match element {
        Element::F32 => f32::from_bits(code as u32),
        Element::Tf32 => f32::from_bits(code as u32 & !0x1fff),
        _ => decode(element, code).unwrap() as f32,
    };
    codes(text, element).into_iter().map(number).collect()
}

fn word(sum: f32, d: Element) -> u64 {
    match d {
        Element::F16 if sum.is_nan() => 0x7fff,
        Element::F16 => half::f16::from_f32(sum).to_bits().into(),
        _ if sum.is_nan() => 0x7fff_ffff,
        _ => sum.to_bits().into(),
    }
}

fn element(name: &str) -> Element {
    name.parse().unwrap()
}

#[test]
fn sums_are_the_words_of_devices_and_of_public_models() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/tensor_cores.json");
    let text = std::fs::read_to_string(path).unwrap();
    let Vectors { groups } = serde_json::from_str(&text).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for group in &groups {
        let [a, b, d] = [&group.a, &group.b, &group.d].map(|name| element(name));
        let extents: Vec<usize> =
            group.shape.split(['m', 'n', 'k']).skip(1).map(|extent| extent.parse().unwrap()).collect();
        let shape = [extents[0], extents[1], extents[2]];
        let unit = match group.instruction.as_str() {
            "mma" => MMA,
            "wgmma" => WGMMA,
            _ => TCGEN05,
        };
        let packed = group.kind.as_deref().is_some_and(|kind| kind.starts_with("mxf4"));
        let scaled = group.scale.is_some();
        let query = Query { unit, a, b, d, shape, scaled, packed };
        if !query.adds_floats() {
            continue;
        }
        let capability: u32 = group.arch["sm_".len()..].parse().unwrap();
        let rule = Sums::Device(capability / 10, capability % 10).row(&query).rule;
        for vector in &group.vectors {
            let [of_a, of_b, of_c, of_d] = std::array::from_fn(|i| vector[i + 1].as_str());
            let (of_a, of_b) = (numbers(of_a, a), numbers(of_b, b));
            let b_rows: Vec<f32> = of_b.iter().flat_map(|number| [*number; 4]).collect();
            let factors = group.scale.as_ref().map(|scale| {
                Same([5, 6].map(|i| {
                    let factors = codes(&vector[i], element(scale));
                    assert_eq!(Some(factors.len()), group.scale_vec);
                    factors.into_iter().map(|code| Factor::of(element(scale), code as u8)).collect()
                }))
            });
            let factors = factors.as_ref().map(|factors| -> &dyn Factored { factors });
            let mut sums = [numbers(of_c, d)[0]; 4];
            let product = Product { rule, types: [a, b, d], n: 4, k: shape[2] };
            product.add([&of_a, &b_rows], factors, false, &mut sums);
            let expected = u64::from_str_radix(of_d, 16).unwrap();
            count += 1;
            if sums.iter().any(|sum| word(*sum, d) != expected) {
                let Group { arch, instruction, shape, kind, .. } = group;
                let found = word(sums[0], d);
                wrong.push(format!(
                    "{arch} {instruction} {shape} {kind:?} {a} {b} {d}: {vector:?}: {found:x}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 3400, "{count}");
}

/// A unit, a shape, the types of the elements and of the result, and the device.
type Case = (&'static Unit, [usize; 3], Element, Element, (u32, u32));

/// The instructions of each row of the table.
const ROWS: &[Case] = {
    use Element::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32, Tf32};
    &[
        (MMA, [8, 8, 4], F16, F32, (7, 0)),
        (MMA, [8, 8, 4], F16, F16, (7, 0)),
        (MMA, [16, 8, 8], F16, F32, (7, 5)),
        (MMA, [16, 8, 8], F16, F16, (7, 5)),
        (MMA, [16, 8, 16], F16, F32, (8, 0)),
        (MMA, [16, 8, 16], F16, F16, (8, 6)),
        (MMA, [16, 8, 16], Bf16, F32, (8, 0)),
        (MMA, [16, 8, 8], Tf32, F32, (8, 9)),
        (MMA, [16, 8, 32], E4m3, F32, (8, 9)),
        (MMA, [16, 8, 32], E5m2, F16, (8, 9)),
        (MMA, [16, 8, 16], F16, F32, (9, 0)),
        (MMA, [16, 8, 16], F16, F16, (9, 0)),
        (MMA, [16, 8, 16], Bf16, F32, (10, 0)),
        (MMA, [16, 8, 8], Tf32, F32, (10, 0)),
        (MMA, [16, 8, 32], E4m3, F32, (12, 0)),
        (MMA, [16, 8, 32], E3m2, F16, (12, 0)),
        (WGMMA, [64, 8, 16], F16, F32, (9, 0)),
        (WGMMA, [64, 8, 16], Bf16, F32, (9, 0)),
        (WGMMA, [64, 8, 8], Tf32, F32, (9, 0)),
        (WGMMA, [64, 8, 32], E4m3, F32, (9, 0)),
        (WGMMA, [64, 8, 32], E5m2, F16, (9, 0)),
        (TCGEN05, [128, 8, 16], F16, F32, (10, 0)),
        (TCGEN05, [128, 8, 16], F16, F16, (10, 0)),
        (TCGEN05, [128, 8, 8], Tf32, F32, (10, 0)),
        (TCGEN05, [128, 8, 32], E2m3, F32, (10, 0)),
        (TCGEN05, [128, 8, 32], E2m1, F32, (10, 3)),
    ]
};

/// A number of a type: often of any bits, else one near 1, or a special one.
fn drawn(random: &mut Rng, of: Element, mood: u32) -> f32 {
    let code = match (mood, of) {
        (0, Element::F32) => random.u32(..).into(),
        (0, _) => random.u64(..) & (u64::MAX >> (64 - of.bits())),
        (1, _) if random.u32(..8) == 0 => 0,
        (1 | 2, _) => {
            let number = (random.f32() - 0.5) * [1.0, 64.0, 3e-3][random.usize(..3)];
            let format = of.float().unwrap();
            let overflow = cute_machine::format::Overflow::Saturate;
            let rounding = cute_machine::format::Rounding::NearestEven;
            assert!(format.fraction <= 23);
            cute_machine::format::encode(of, number.into(), rounding, overflow).unwrap()
        }
        _ => random.choice([0, 1, 1 << (of.bits() - 1)]).unwrap(),
    };
    match of {
        Element::F32 => f32::from_bits(code as u32),
        Element::Tf32 => f32::from_bits(code as u32 & !0x1fff),
        _ => decode(of, code).unwrap() as f32,
    }
}

/// Both ways agree on numbers of any bits, on usual ones, and where exponents are far apart.
#[test]
fn rows_of_sums_are_those_of_single_windows() {
    let count = if std::env::var("CUTE_FULL").is_ok_and(|full| full == "1") { 1_000_000 } else { 20_000 };
    const N: usize = 8;
    for (unit, shape, of, d, (major, minor)) in ROWS {
        let query = Query { unit, a: *of, b: *of, d: *d, shape: *shape, scaled: false, packed: false };
        let Rule::Windows(window) = Sums::Device(*major, *minor).row(&query).rule else {
            panic!("{query:?} has windows")
        };
        let (mut random, mut columns, mut fast) = (Rng::with_seed(7), Columns::default(), 0);
        let k = window.products;
        for case in 0..count / N {
            let moods = [case as u32 % 4, case as u32 / 4 % 3, case as u32 / 12 % 3];
            let mut draw = |count: usize, of, mood| -> Vec<f32> {
                (0..count).map(|_| drawn(&mut random, of, mood)).collect()
            };
            let (a, b, c) = (draw(k, *of, moods[0]), draw(k * N, *of, moods[1]), draw(N, *d, moods[2]));
            let encode = |numbers: &[f32]| -> Vec<i16> {
                numbers.iter().map(|number| exponent(*number, least(*of))).collect()
            };
            let (of_a, of_b) = (encode(&a), encode(&b));
            let mut sums = c.clone();
            let row = super::columns::Row { a: &a, of_a: &of_a, b: &b, of_b: &of_b };
            let left = columns.add(&window, row, |_| 0, &mut sums, *d).to_vec();
            fast += N - left.len();
            for j in (0..N).filter(|j| !left.contains(j)) {
                let pair =
                    |k: usize| -> (Encoded, Encoded) { ((a[k], of_a[k]), (b[k * N + j], of_b[k * N + j])) };
                let one = window::sum(&window, (0..k).map(pair), 0, c[j], *d);
                let shown = || (0..k).map(|k| (a[k], b[k * N + j])).collect::<Vec<_>>();
                assert_eq!(sums[j].to_bits(), one.to_bits(), "{query:?} {:?} + {}", shown(), c[j]);
            }
        }
        assert!(fast > count / 4, "{query:?}: {fast} of {count}");
    }
}

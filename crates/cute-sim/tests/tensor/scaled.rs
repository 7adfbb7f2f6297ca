//! `mma.sync` with scale factors: operands and factors are where CuTe's layouts say, and sums are
//! those of blocks.

use super::{one, one_hot, put, take, zeros};
use cute_algebra::{Tuple, crd2idx, parse_layout};
use cute_arch::{
    Element,
    atoms::{Instruction, MmaAtom},
};
use cute_sim::{
    format::{Overflow, Rounding, decode, encode},
    matrix::{Mma, Scaled},
    tensor::Sums,
};
use fastrand::Rng;
use serde_json::{Value, json};

/// Every block-scaled `mma.sync`.
fn models() -> impl Iterator<Item = &'static Mma> {
    Instruction::MMA_SYNC.scaled().atoms().filter_map(Mma::of)
}

/// A word of each lane in which all factors are 1.
pub fn ones(mma: &Mma) -> Vec<u32> {
    let scale = mma.atom().block_scale().unwrap();
    vec![one(scale.element) as u32 * 0x0101_0101; 32]
}

/// The selectors that an instruction may have, of A (0) or B (1).
fn selectors(mma: &Mma, matrix: usize) -> Vec<[u32; 2]> {
    let scales = mma.scales().unwrap();
    let legal =
        |selector| (0..6).filter(move |given| scales.check(matrix, selector, u64::from(*given)).is_ok());
    legal(0).flat_map(|byte| legal(1).map(move |thread| [byte, thread])).collect()
}

/// CUTLASS's output for the atoms, with the names of `atoms.json`.
fn vectors() -> Vec<(&'static Mma, Value)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/block_scaled.json");
    let vectors: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let of = |entry: &Value| {
        let inputs = &entry["inputs"];
        let text = |key: &str| inputs[key].as_str().unwrap();
        if entry["op"] != "mma_traits_sm120"
            || !text("op").ends_with("_TN_VS")
            || text("op").contains("SPARSE")
        {
            return None;
        }
        let [op, a, b, sf] = ["op", "a", "b", "sf"].map(text);
        let name = format!("{op}<{a},{b},float,{sf},{}>", inputs["sf_vec"]);
        let mma =
            MmaAtom::by_name(&name).and_then(Mma::of).unwrap_or_else(|| panic!("{name} is not modelled"));
        let mut renamed = json!({"threads": 32});
        for (own, key) in [
            ("thr_id", "thr_id"),
            ("ALayout", "a_layout_tv"),
            ("BLayout", "b_layout_tv"),
            ("CLayout", "c_layout_tv"),
            ("SFALayout", "sfa_layout_tv"),
            ("SFBLayout", "sfb_layout_tv"),
        ] {
            renamed[own] = entry["result"][key].clone();
        }
        Some((mma, renamed))
    };
    vectors.iter().filter_map(of).collect()
}

/// Every instruction with CUTLASS's output for it, or for other types of the same shape.
fn checked() -> Vec<(&'static Mma, Value)> {
    let vectors = vectors();
    assert_eq!(vectors.len(), 15 + 3);
    let find = |mma: &'static Mma| {
        let exact = vectors.iter().find(|(other, _)| other.atom().name == mma.atom().name);
        let other = || vectors.iter().find(|(other, _)| other.atom().shape == mma.atom().shape);
        let (_, entry) = exact.or_else(other).unwrap_or_else(|| panic!("{}", mma.atom().name));
        (mma, entry.clone())
    };
    models().map(find).collect()
}

#[test]
fn every_element_is_where_cutlass_says() {
    checked().iter().for_each(|(mma, entry)| one_hot::check(mma, entry));
}

/// 1 in the columns of A of one block, and 1 in all of B.
fn one_block(mma: &Mma, block: usize) -> [Vec<u32>; 2] {
    let atom = mma.atom();
    let vector = atom.scale.as_ref().unwrap().vector as usize;
    let [ra, rb, ..] = mma.registers();
    let (mut a, mut b) = (zeros(ra), zeros(rb));
    for (words, operand, rows, chosen) in [(&mut a, &atom.a, 16, Some(block)), (&mut b, &atom.b, 8, None)] {
        for lane in 0..32 {
            for value in 0..operand.values() {
                let coord = Tuple::from_leaves([lane as i64, value as i64]).to_coord();
                let k = *crd2idx(&coord, &operand.layout).unwrap().as_leaf().unwrap() as usize / rows;
                if chosen.is_none_or(|block| k / vector == block) {
                    let bit = value * operand.bits as usize + super::padding(operand);
                    put(words, lane, bit, one(operand.element));
                }
            }
        }
    }
    [a, b]
}

/// The numbers of D, by rows.
fn numbers(mma: &Mma, d: &[u32]) -> [[f32; 8]; 16] {
    let mut numbers = [[0.0; 8]; 16];
    for lane in 0..32 {
        for value in 0..4 {
            let coord = Tuple::from_leaves([lane as i64, value as i64]).to_coord();
            let at = *crd2idx(&coord, &mma.atom().c.layout).unwrap().as_leaf().unwrap() as usize;
            numbers[at % 16][at / 16] = f32::from_bits(take(d, lane, value * 32, 32) as u32);
        }
    }
    numbers
}

/// Each lane has another factor in the byte of one block, and all lanes the same in the others: D
/// tells from which lane and byte it comes. Rows are those of CuTe's layout, whose mode of stride 0
/// is the thread selector.
#[test]
fn every_factor_is_where_cutlass_and_the_selectors_say() {
    let mut seen = 0;
    for (mma, entry) in checked() {
        let scale = mma.atom().block_scale().unwrap();
        let vector = mma.atom().scale.as_ref().unwrap().vector as f32;
        let number = |code: u32| decode(scale.element, code.into()).unwrap() as f32;
        for (matrix, (key, rows)) in [("SFALayout", 16), ("SFBLayout", 8)].into_iter().enumerate() {
            let layout = parse_layout(entry[key].as_str().unwrap()).unwrap().to_const().unwrap();
            let row = |lane: usize, k: usize| {
                let coord = Tuple::from_leaves([lane as i64, k as i64]).to_coord();
                *crd2idx(&coord, &layout).unwrap().as_leaf().unwrap() as usize
            };
            let chosen = |lane: usize| if matrix == 0 { lane / 2 % 2 } else { lane % 4 };
            for [byte, thread] in selectors(mma, matrix) {
                for block in 0..scale.count {
                    let [a, b] = one_block(mma, block as usize);
                    let shift = 8 * (byte + block);
                    let others = 0x5050_5050 & !(0xff << shift);
                    let words: Vec<u32> = (0..32).map(|lane| others | (0x20 + lane) << shift).collect();
                    let ones = ones(mma);
                    let mut scaled = Scaled { words: [&ones, &ones], selectors: [[0; 2]; 2] };
                    (scaled.words[matrix], scaled.selectors[matrix]) = (&words, [byte, thread]);
                    let d =
                        numbers(mma, &mma.execute_scaled(&a, &b, &zeros(4), (&scaled, Sums::Device(12, 0))));
                    for lane in (0..32).filter(|lane| chosen(*lane) == thread as usize) {
                        let k = block as usize * vector as usize;
                        assert_eq!(row(lane, k) / rows, k, "a factor stands at its elements");
                        let expected = vector * number(0x20 + lane as u32);
                        let i = row(lane, k) % rows;
                        let found: Vec<f32> =
                            if matrix == 0 { d[i].into() } else { d.map(|row| row[i]).into() };
                        let all = found.iter().all(|found| *found == expected);
                        let name = &mma.atom().name;
                        assert!(all, "{name}: {key}, byte {byte}, thread {thread}, lane {lane}: {found:?}");
                        seen += 1;
                    }
                }
            }
        }
    }
    // A thread selector chooses 16 lanes of A or 8 of B, and there are 2 or 4 of them.
    let factors = |bytes, count| bytes * count * (2 * 16 + 4 * 8);
    assert_eq!(seen, 25 * factors(4, 1) + factors(2, 2) + 2 * factors(1, 4));
}

/// With g = lane / 4: row g of A is scaled by lane 4 g + 2 t, row g + 8 by the lane after it, and
/// column g of B by lane 4 g + t, for the thread selector t.
fn factor_lane(matrix: usize, row: usize, thread: u32) -> usize {
    if matrix == 0 { row % 8 * 4 + 2 * thread as usize + row / 8 } else { row * 4 + thread as usize }
}

#[test]
fn random_products_are_sums_of_scaled_blocks() {
    let mut random = Rng::with_seed(11);
    for mma in models() {
        let (atom, scale) = (mma.atom(), mma.atom().block_scale().unwrap());
        let whole = |random: &mut Rng, element: Element| {
            let number = f64::from(random.u32(..9)) - 4.0;
            encode(element, number, Rounding::NearestEven, Overflow::Ieee).unwrap()
        };
        let k = atom.shape[2] as usize;
        let mut numbers_of = |operand: &cute_arch::atoms::Operand, registers, rows: usize| {
            let (mut words, mut numbers) = (zeros(registers), vec![0.0; 32 * operand.values()]);
            for lane in 0..32 {
                for value in 0..operand.values() {
                    let code = whole(&mut random, operand.element);
                    put(&mut words, lane, value * operand.bits as usize + super::padding(operand), code);
                    let coord = Tuple::from_leaves([lane as i64, value as i64]).to_coord();
                    let at = *crd2idx(&coord, &operand.layout).unwrap().as_leaf().unwrap() as usize;
                    numbers[at % rows * k + at / rows] = decode(operand.element, code).unwrap();
                }
            }
            (words, numbers)
        };
        let [ra, rb, ..] = mma.registers();
        let ((a, of_a), (b, of_b)) = (numbers_of(&atom.a, ra, 16), numbers_of(&atom.b, rb, 8));
        let c: Vec<u32> = (0..128).map(|_| (random.u32(..64) as f32 - 32.0).to_bits()).collect();
        let mut words = [vec![0u32; 32], vec![0u32; 32]];
        // Factors of about 1, so that the sums are exact.
        let near = one(scale.element) as u32;
        words.iter_mut().flatten().for_each(|word| {
            *word = (0..4).fold(0, |word, byte| word | (near - 1 + random.u32(..3)) << (8 * byte));
        });
        let mut choose = |matrix| *random.choice(&selectors(mma, matrix)).unwrap();
        let chosen = [choose(0), choose(1)];
        let scaled = Scaled { words: [&words[0], &words[1]], selectors: chosen };
        let all = [Sums::Device(12, 0), Sums::Plain];
        let results = all.map(|sums| numbers(mma, &mma.execute_scaled(&a, &b, &c, (&scaled, sums))));
        let of_c = numbers(mma, &c);
        let factor = |matrix: usize, row, block: usize| {
            let [byte, thread] = chosen[matrix];
            let word = words[matrix][factor_lane(matrix, row, thread)];
            decode(scale.element, (word >> (8 * (byte as usize + block)) & 0xff).into()).unwrap()
        };
        let per = k / scale.count as usize;
        for (i, j) in (0..16).flat_map(|i| (0..8).map(move |j| (i, j))) {
            let mut sum = f64::from(of_c[i][j]);
            for block in 0..scale.count as usize {
                let products = (block * per..(block + 1) * per).map(|at| of_a[i * k + at] * of_b[j * k + at]);
                sum += products.fold(0.0, |sum, product| sum + product)
                    * factor(0, i, block)
                    * factor(1, j, block);
            }
            for d in &results {
                assert_eq!(d[i][j].to_bits(), (sum as f32).to_bits(), "{}: ({i},{j})", atom.name);
            }
        }
    }
}

#[test]
fn all_of_them_are_modelled() {
    assert_eq!(models().count(), Instruction::MMA_SYNC.scaled().atoms().count());
    assert_eq!(models().count(), 25 + 3);
}

#[test]
fn the_last_power_of_two_is_nan() {
    let mma = MmaAtom::by_name("SM120_16x8x32_TN_VS<e4m3,e4m3,float,ue8m0,32>").and_then(Mma::of).unwrap();
    let ones = ones(mma);
    let mut words = ones.clone();
    words[factor_lane(0, 9, 0)] = 0x7f7f_7fff;
    let scaled = Scaled { words: [&words, &ones], selectors: [[0; 2]; 2] };
    // Even if all elements are zero.
    let d =
        numbers(mma, &mma.execute_scaled(&zeros(4), &zeros(2), &zeros(4), (&scaled, Sums::Device(12, 0))));
    for (i, row) in d.iter().enumerate() {
        assert!(row.iter().all(|found| found.to_bits() == if i == 9 { 0x7fff_ffff } else { 0 }), "row {i}");
    }
}

#[test]
fn an_undefined_factor_spoils_its_row_and_its_column_alone() {
    let mma = MmaAtom::by_name("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>").and_then(Mma::of).unwrap();
    let spoilt = |matrix: usize, lane: usize, bits: u32, selectors: [[u32; 2]; 2]| {
        let mut words = [vec![0; 32], vec![0; 32]];
        words[matrix][lane] = bits;
        let scaled = Scaled { words: [&words[0], &words[1]], selectors };
        let bits = mma.spoilt(&zeros(4), &zeros(2), &zeros(4), Some(&scaled));
        numbers(mma, &bits).map(|row| row.map(|bits| bits.to_bits() == u32::MAX))
    };
    let row = |row: usize| std::array::from_fn(|i| [i == row; 8]);
    let second = [[2, 1], [2, 3]];
    assert_eq!(spoilt(0, factor_lane(0, 12, 1), 1 << 24, second), row(12));
    assert_eq!(spoilt(1, factor_lane(1, 5, 3), 1 << 16, second), [std::array::from_fn(|j| j == 5); 16]);
    // Bytes and lanes that are not chosen do not count.
    assert_eq!(spoilt(0, factor_lane(0, 12, 1), 0xffff, second), row(99));
    assert_eq!(spoilt(0, factor_lane(0, 12, 0), u32::MAX, second), row(99));
}

#[test]
fn selectors_have_a_range() {
    let of = |name: &str| MmaAtom::by_name(name).and_then(Mma::of).unwrap().scales().unwrap();
    let error =
        |name, matrix, selector, given| of(name).check(matrix, selector, given).unwrap_err().to_string();
    let (one, two, four) = (
        "SM120_16x8x32_TN_VS<e2m1,e5m2,float,ue8m0,32>",
        "SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>",
        "SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>",
    );
    let byte = "the byte selector of the scale factors of";
    assert_eq!(error(one, 0, 0, 4), format!("{byte} A is 4, but it may only be 0, 1, 2 or 3"));
    assert_eq!(error(two, 1, 0, 1), format!("{byte} B is 1, but it may only be 0 or 2"));
    assert_eq!(error(four, 0, 0, 2), format!("{byte} A is 2, but it may only be 0"));
    let thread = "the thread selector of the scale factors of";
    assert_eq!(error(one, 0, 1, 2), format!("{thread} A is 2, but it may only be 0 or 1"));
    assert_eq!(error(four, 1, 1, 65535), format!("{thread} B is 65535, but it may only be 0, 1, 2 or 3"));
    let models: Vec<_> =
        [one, two, four].map(|name| MmaAtom::by_name(name).and_then(Mma::of).unwrap()).into();
    let counts: Vec<_> = models.iter().map(|mma| [0, 1].map(|matrix| selectors(mma, matrix).len())).collect();
    assert_eq!(counts, [[8, 16], [4, 8], [2, 4]]);
}

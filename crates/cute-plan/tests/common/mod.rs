//! Random tiles, and accesses to them.

#![allow(dead_code, reason = "each test uses a part")]

use cute_algebra::{AnyLayout, Layout, LayoutLike, Stride, Tuple, parse_layout, parse_shape};
use cute_arch::banks::Access;
use cute_plan::TileSpec;
use fastrand::Rng;

pub fn shape(text: &str) -> Tuple<i64> {
    parse_shape(text).expect("a shape").to_const().expect("a static shape")
}

pub fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).expect("a layout").to_const().expect("a static layout")
}

pub fn tile(text: &str, bits: i64, vector: i64) -> TileSpec {
    TileSpec { shape: shape(text), bits, most: None, vector }
}

fn mode(leaves: &[(i64, i64)]) -> Layout<i64> {
    match leaves {
        [] => Layout::unit(),
        leaves => Layout::new(
            Tuple::from_leaves(leaves.iter().map(|(extent, _)| *extent)),
            Tuple::from_leaves(leaves.iter().map(|(_, stride)| Stride::int(*stride))),
        )
        .expect("as many strides as extents"),
    }
}

/// Extents of up to `rows` by `columns`, mostly powers of two, and a vector along one of them.
pub struct Problem {
    pub tile: TileSpec,
    pub accesses: Vec<(Access, u64)>,
}

pub fn random(rng: &mut Rng, rows: i64, columns: i64, accesses: usize) -> Problem {
    let bits = [8, 16, 32, 64][rng.usize(..4)];
    let extent = |rng: &mut Rng, most: i64| match rng.u8(..4) {
        0 => rng.i64(1..=most),
        _ => 1 << rng.u32(..=most.ilog2()),
    };
    let extents = [extent(rng, rows), extent(rng, columns)];
    let along = rng.usize(..2);
    // The vectors of all accesses lie along one mode, and divide it.
    let widest = (0..).map(|n| 1 << n).take_while(|v| v * bits <= 128 && extents[along] % v == 0);
    let widest: Vec<i64> = widest.collect();
    let vector = widest[rng.usize(..widest.len())];
    let accesses: Vec<(Access, u64)> =
        (0..accesses).map(|n| (access(rng, n, extents, along, vector), rng.u64(1..4))).collect();
    let vector = accesses.iter().filter_map(|(access, _)| access.vector).max().unwrap_or(vector);
    let tile = TileSpec { shape: Tuple::from_leaves(extents), bits, most: None, vector };
    Problem { tile, accesses }
}

/// Threads and values over the prime factors of the extents, in any order, after a vector.
fn access(rng: &mut Rng, n: usize, extents: [i64; 2], along: usize, most: i64) -> Access {
    let vector = 1 << rng.u32(..=most.ilog2());
    let mut factors = Vec::new();
    let mut values =
        if vector == 1 { Vec::new() } else { vec![(vector, if along == 0 { 1 } else { extents[0] })] };
    for (mode, first) in [(0, 1), (1, extents[0])] {
        let (mut rest, mut stride) = (extents[mode], first);
        if mode == along {
            (rest, stride) = (rest / vector, stride * vector);
        }
        while rest > 1 {
            let prime = (2..=rest).find(|p| rest % p == 0).expect("a number divides itself");
            factors.push((prime, stride));
            (rest, stride) = (rest / prime, stride * prime);
        }
    }
    rng.shuffle(&mut factors);
    let (threads, most_values) = (1 << rng.u32(3..7), vector * rng.i64(1..=4));
    let mut of_threads = Vec::new();
    let mut size = 1;
    for (extent, stride) in factors {
        if size * extent <= threads {
            size *= extent;
            of_threads.push((extent, stride));
        } else if rng.bool()
            && values.iter().map(|(extent, _)| extent).product::<i64>() * extent <= most_values
        {
            values.push((extent, stride));
        }
    }
    let layout = Layout::from_modes([mode(&of_threads), mode(&values)]);
    Access { name: format!("access {n}"), layout, vector: Some(vector) }
}

/// The offset of each element, by its index: digits times strides, then bits by XOR.
pub fn offsets(layout: &AnyLayout<i64>) -> Vec<i64> {
    let leaves: Vec<(i64, i64)> = layout
        .outer()
        .flat()
        .map(|(extent, stride)| (*extent, stride.as_static().expect("a number")))
        .collect();
    let mut all = vec![0];
    for (extent, stride) in leaves {
        let steps = (0..extent).flat_map(|i| all.iter().map(move |offset| offset + i * stride));
        all = steps.collect();
    }
    if let Some(swizzle) = layout.as_composed().and_then(|composed| composed.swizzle()) {
        let (mask, shift) = (swizzle.source_mask(), swizzle.shift());
        let moved = |x: i64| if shift < 0 { (x & mask) << -shift } else { (x & mask) >> shift };
        all.iter_mut().for_each(|x| *x ^= moved(*x));
    }
    all
}

//! Benchmarks of the algebra. Composition is compared with a plain loop that does the same
//! multiplications and comparisons.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use cute_algebra::{
    Layout, Tiler, coalesce, complement, composition, crd2idx, logical_divide, parse_coord, parse_layout,
    parse_tiler, right_inverse, zipped_divide,
};

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).ok().and_then(|l| l.to_const()).expect("a static layout")
}

fn tiler(text: &str) -> Tiler<i64> {
    parse_tiler(text).ok().and_then(|t| t.to_const()).expect("a static tiler")
}

/// CuTe's composition of flat layouts of rank 3 on arrays: what remains when there are no trees and
/// no errors.
fn plain_loop(
    a_shape: &[i64; 3],
    a_stride: &[i64; 3],
    b_shape: &[i64; 3],
    b_stride: &[i64; 3],
) -> ([i64; 9], [i64; 9]) {
    let (mut shape, mut stride) = ([1; 9], [0; 9]);
    for j in 0..3 {
        let (mut rest_shape, mut rest_stride) = (b_shape[j], b_stride[j]);
        for i in 0..3 {
            if rest_stride % a_shape[i] != 0 && rest_stride > a_shape[i] {
                break;
            }
            let within = (a_shape[i] + rest_stride - 1) / rest_stride.max(1);
            let taken = if i == 2 { rest_shape } else { within.max(1).min(rest_shape) };
            shape[3 * j + i] = taken;
            stride[3 * j + i] = rest_stride * a_stride[i];
            rest_shape /= taken.max(1);
            rest_stride = (rest_stride + a_shape[i] - 1) / a_shape[i];
        }
    }
    (shape, stride)
}

fn algebra(c: &mut Criterion) {
    let a = layout("(16,8,4):(1,32,512)");
    let b = tiler("(4,8,4):(4,16,128)");
    let (sa, da, sb, db) = ([16, 8, 4], [1, 32, 512], [4, 8, 4], [4, 16, 128]);
    c.bench_function("composition, rank 3", |x| x.iter(|| composition(black_box(&a), black_box(&b))));
    c.bench_function("composition, plain loop", |x| {
        x.iter(|| plain_loop(black_box(&sa), black_box(&da), black_box(&sb), black_box(&db)))
    });
    let nested = layout("((4,8),(2,4)):((64,2),(256,16))");
    let tile = tiler("[8:1;4:1]");
    c.bench_function("coalesce", |x| x.iter(|| coalesce(black_box(&nested))));
    c.bench_function("logical_divide", |x| x.iter(|| logical_divide(black_box(&nested), black_box(&tile))));
    c.bench_function("zipped_divide", |x| x.iter(|| zipped_divide(black_box(&nested), black_box(&tile))));
    c.bench_function("right_inverse", |x| x.iter(|| right_inverse(black_box(&a))));
    let cotarget = cute_algebra::Tuple::leaf(4096i64);
    c.bench_function("complement", |x| x.iter(|| complement(black_box(&a), black_box(cotarget.view()))));
    let coord =
        parse_coord("((1,2),(1,3))").expect("a coordinate").map(|c| c.map(|d| d.as_static().unwrap_or(0)));
    c.bench_function("crd2idx", |x| x.iter(|| crd2idx(black_box(&coord), black_box(&nested))));
}

#[allow(missing_docs)]
mod group {
    use super::*;
    criterion_group!(benches, algebra);
}
use group::benches;
criterion_main!(benches);

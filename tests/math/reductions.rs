//! Reductions of vectors, planes and warps, slices and affine loops, compared with plain loops.

use super::{PLAIN, between, run};

/// The step of a reduction at each element.
type Step<T> = fn(T, T) -> T;

#[test]
fn reductions_of_vectors() {
    let kinds: [(&str, Step<f32>); 6] = [
        ("add", |a, b| a + b),
        ("mul", |a, b| a * b),
        ("maximumf", f32::max),
        ("minimumf", f32::min),
        ("maxnumf", f32::max),
        ("minnumf", f32::min),
    ];
    let input = between(-3.0, 5.0);
    for (kind, f) in kinds {
        let body = format!(
            "%x = llvm.load %in : !llvm.ptr<1> -> vector<8xf32>
             %s = vector.extract_strided_slice %x {{offsets = [1], sizes = [5], strides = [1]}}
               : vector<8xf32> to vector<5xf32>
             %y = vector.reduction <{kind}>, %s : vector<5xf32> into f32
             llvm.store %y, %out : f32, !llvm.ptr<1>"
        );
        let made: Vec<f32> = run(&PLAIN, &body, &input, (8, 1));
        let expected = input.chunks(8).map(|x| x[2..6].iter().fold(x[1], |a, b| f(a, *b)));
        assert_eq!(made, expected.collect::<Vec<_>>(), "{kind}");
    }
}

#[test]
fn reductions_of_integers() {
    let kinds: [(&str, Step<i32>); 7] = [
        ("add", i32::wrapping_add),
        ("mul", i32::wrapping_mul),
        ("and", |a, b| a & b),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
        ("minsi", i32::min),
        ("maxui", |a, b| (a as u32).max(b as u32) as i32),
    ];
    let input: Vec<i32> = (0..1024i32).map(|i| i.wrapping_mul(0x9e37_79b1u32 as i32)).collect();
    for (kind, f) in kinds {
        let body = format!(
            "%x = llvm.load %in : !llvm.ptr<1> -> vector<4xi32>
             %y = vector.reduction <{kind}>, %x : vector<4xi32> into i32
             llvm.store %y, %out : i32, !llvm.ptr<1>"
        );
        let made: Vec<i32> = run(&PLAIN, &body, &input, (4, 1));
        let expected = input.chunks(4).map(|x| x[1..].iter().fold(x[0], |a, b| f(a, *b)));
        assert_eq!(made, expected.collect::<Vec<_>>(), "{kind}");
    }
}

/// Rows and columns of a plane, and parts of it.
#[test]
fn planes_are_reduced_and_sliced() {
    let body = "%x = llvm.load %in : !llvm.ptr<1> -> vector<16xf32>
        %w = vector.shape_cast %x : vector<16xf32> to vector<4x4xf32>
        %zero = arith.constant dense<0.0> : vector<4xf32>
        %low = arith.constant dense<-100.0> : vector<4xf32>
        %rows = vector.multi_reduction <add>, %w, %zero [1] : vector<4x4xf32> to vector<4xf32>
        %columns = vector.multi_reduction <maximumf>, %w, %low [0] : vector<4x4xf32> to vector<4xf32>
        %part = vector.extract_strided_slice %w {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]}
          : vector<4x4xf32> to vector<2x2xf32>
        %inner = vector.shape_cast %part : vector<2x2xf32> to vector<4xf32>
        %corner = vector.extract %w[3, 3] : f32 from vector<4x4xf32>
        %all = vector.broadcast %corner : f32 to vector<4xf32>
        affine.for %i = 0 to 4 {
          %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
          %row = arith.index_cast %at : index to i64
          %p = llvm.getelementptr %out[%row] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
          %c1 = arith.constant 1 : index
          %c2 = arith.constant 2 : index
          %c0 = arith.constant 0 : index
          %is0 = arith.cmpi eq, %i, %c0 : index
          %is1 = arith.cmpi eq, %i, %c1 : index
          %is2 = arith.cmpi eq, %i, %c2 : index
          %a = arith.select %is2, %inner, %all : vector<4xf32>
          %b = arith.select %is1, %columns, %a : vector<4xf32>
          %c = arith.select %is0, %rows, %b : vector<4xf32>
          llvm.store %c, %p : vector<4xf32>, !llvm.ptr<1>
        }";
    let input: Vec<f32> = (0..2048).map(|i| ((i * 37) % 101) as f32).collect();
    let made: Vec<f32> = run(&PLAIN, body, &input, (16, 16));
    for (x, y) in input.chunks(16).zip(made.chunks(16)) {
        let at = |i: usize, j: usize| x[4 * i + j];
        for i in 0..4 {
            assert_eq!(y[i], (0..4).map(|j| at(i, j)).sum::<f32>());
            assert_eq!(y[4 + i], (0..4).map(|j| at(j, i)).fold(-100.0, f32::max));
            assert_eq!(y[8 + i], at(1 + i / 2, 1 + i % 2));
            assert_eq!(y[12 + i], at(3, 3));
        }
    }
}

/// A sum of all lanes, and maxima of clusters of eight.
#[test]
fn warps_are_reduced() {
    let body = "%x = llvm.load %in : !llvm.ptr<1> -> f32
        %sum = gpu.subgroup_reduce add %x : (f32) -> f32
        %most = gpu.subgroup_reduce maximumf %x cluster(size = 8) : (f32) -> f32
        %h = arith.truncf %x : f32 to f16
        %half = gpu.subgroup_reduce minimumf %h : (f16) -> f16
        %least = arith.extf %half : f16 to f32
        %i = arith.fptosi %x : f32 to i32
        %count = gpu.subgroup_reduce maxsi %i : (i32) -> i32
        %number = arith.sitofp %count : i32 to f32
        %v = vector.from_elements %sum, %most, %least, %number : vector<4xf32>
        llvm.store %v, %out : vector<4xf32>, !llvm.ptr<1>";
    let input: Vec<f32> = (0..256).map(|i| ((i * 37) % 101) as f32).collect();
    let made: Vec<f32> = run(&PLAIN, body, &input, (1, 4));
    for (lane, y) in made.chunks(4).enumerate() {
        let warp = &input[lane / 32 * 32..][..32];
        let cluster = &input[lane / 8 * 8..][..8];
        let most = |x: &[f32]| x.iter().copied().fold(0.0, f32::max);
        let least = warp.iter().copied().fold(f32::INFINITY, f32::min);
        assert_eq!(y, [warp.iter().sum(), most(cluster), least, most(warp)], "lane {lane}");
    }
}

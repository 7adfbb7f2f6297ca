//! Placements of constructors, where they are not what TIRx makes; what it makes is held in
//! cute-calc's tests.

use cute_algebra::{Crd, Layout, Tuple, crd2idx};
use cute_arch::{
    block_scaled::{SfBlock, SfVec, tile_atom_to_shape_sf},
    smem::SmemSwizzle,
};
use cute_placement::constructors::{
    ConstructorError, Datapath, Scales, mma_shared_layout, sf_smem_layout, sf_tmem_layout,
    tmem_datapath_layout, to_psum, trainium, wg_local_layout,
};

const SCALES: Scales = Scales { rows: 128, sf_k: 8, sf_per_mma: 4, sf_reuse: 1, pipe_depth: None };

#[test]
fn constructors_refuse_what_makes_no_sense() {
    let path = |cols| tmem_datapath_layout(Datapath::D, 128, cols, 0);
    assert!(path(1).is_ok() && path(0).is_err() && path(-4).is_err());
    let tile = |bits, shape: &[i64]| mma_shared_layout(bits, SmemSwizzle::B128, shape);
    assert!(tile(16, &[16, 64]).is_ok());
    for (bits, shape) in [(16, [12, 64]), (16, [16, 96]), (16, [16, 32]), (6, [16, 128]), (16, [16, 0])] {
        assert!(matches!(tile(bits, &shape), Err(ConstructorError::Broken { .. })), "{bits} {shape:?}");
    }
    // Without a swizzle there are no blocks of rows.
    let plain = mma_shared_layout(16, SmemSwizzle::Interleave, &[12, 32]).unwrap();
    assert_eq!(plain.to_string(), "S[(12, 4, 8) : (8@m, 96@m, 1@m)]");
    assert!(wg_local_layout(8, 129).is_err() && wg_local_layout(0, 128).is_err());
    // Numbers that do not fit 64 bits.
    let huge = i64::MAX / 8 * 8;
    assert!(tile(16, &[huge, 64]).is_err());
    assert!(tile(16, &[huge, huge, 64, 64]).is_err());
    assert!(sf_tmem_layout(Scales { rows: i64::MAX / 32 * 32, sf_k: 1 << 10, ..SCALES }).is_err());
    assert!(sf_smem_layout(Scales { rows: i64::MAX / 128 * 128, sf_k: 1 << 10, ..SCALES }).is_err());
    assert!(trainium("PFF", &[128, huge, huge]).is_err());
}

#[test]
fn stages_of_scale_factors_lie_apart() {
    let staged = |rows| {
        let scales = sf_tmem_layout(Scales { rows, pipe_depth: Some(2), ..SCALES }).unwrap();
        let shape = [2, rows, 8];
        let place = |stage, k| scales.base(&[stage, 0, k], &shape).unwrap().to_string();
        [place(0, 7), place(1, 0), place(1, 7)]
    };
    assert_eq!(staged(128), ["19@TCol + 0@TLane", "32@TCol + 0@TLane", "51@TCol + 0@TLane"]);
    assert_eq!(staged(32), ["7@TCol + 0@TLane", "8@TCol + 0@TLane", "15@TCol + 0@TLane"]);
    let shared = sf_smem_layout(Scales { pipe_depth: Some(2), ..SCALES }).unwrap();
    assert_eq!(shared.base(&[1, 0, 0], &[2, 128, 8]).unwrap().to_string(), "1024@m");
}

#[test]
fn psum_keeps_copies_and_offsets() {
    let moved = |text: &str| to_psum(&text.parse().unwrap()).map(|psum| psum.to_string());
    assert_eq!(
        moved("S[(128,4) : (1@P,1@F)] + R[2 : 512@F] + 1034@F").unwrap(),
        "S[(128, 4) : (1@P, 1@F)] + R[(2) : (1@Bank)] + 2@Bank + 10@F"
    );
    assert_eq!(moved("S[4 : 256@F]").unwrap(), "S[(2, 2) : (1@Bank, 256@F)]");
    for (text, why) in [
        ("S[(2,2) : (256@F,256@F)]", "reaches from 0 to 512"),
        ("S[8 : 1@F] + 510@F", "reaches from 510 to 517"),
        ("S[4 : 768@F]", "4:768@F crosses banks of 512 elements"),
        ("S[4 : -256@F]", "4:-256@F crosses banks"),
        ("S[3 : 256@F]", "3:256@F crosses banks"),
    ] {
        let error = moved(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// The placement that TIRx makes of the factors of 128 rows is the block that CuTe repeats.
#[test]
fn placements_in_shared_memory_are_the_blocks_of_cute() {
    let m = "m".parse().unwrap();
    for (rows, sf_k, sf_per_mma) in [(128, 4, 1), (128, 8, 2), (256, 8, 4), (384, 16, 4)] {
        let scales = Scales { rows, sf_k, sf_per_mma, sf_reuse: 16, pipe_depth: None };
        let placement = sf_smem_layout(scales).unwrap();
        let extents = Tuple::from_leaves([rows, 16 * sf_k]);
        let layout = tile_atom_to_shape_sf(SfBlock::Sm1xx, &extents, SfVec::V16).unwrap();
        for (row, k) in (0..rows).flat_map(|row| (0..16 * sf_k).step_by(15).map(move |k| (row, k))) {
            let places = placement.placements(&[row, k], &[rows, 16 * sf_k]).unwrap();
            let offsets: Vec<_> = places.iter().map(|place| place.get(m)).collect();
            assert_eq!(offsets, [at(&layout, [row, k])], "({row},{k}) of {placement}");
        }
    }
}

fn at(layout: &Layout<i64>, [row, k]: [i64; 2]) -> i64 {
    let coord = Tuple::from_leaves([row, k].map(Crd::Int));
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap()
}

//! Laws of the layouts of scale factors: their equations, that no two factors share a byte, and
//! that each memory has the factors that the next one needs.

use std::collections::BTreeSet;

use cute_algebra::{Crd, Layout, Tuple, cosize, crd2idx, filter_zeros, parse_shape, size};
use cute_arch::{
    atoms::{Instruction, Major, MmaAtom},
    block_scaled::{
        NoScales, SfBlock, SfVec, make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa,
        make_tmem_layout_sfb, sm120_make_smem_layout_sfa, sm120_make_smem_layout_sfb, tile_atom_to_shape_sf,
        tile_atom_to_shape_sfd,
    },
    tmem::{LANES, address, columns_of},
};

fn at(layout: &Layout<i64>, coord: &[i64]) -> i64 {
    let coord = match coord {
        [index] => Tuple::leaf(Crd::Int(*index)),
        all => Tuple::from_leaves(all.iter().map(|i| Crd::Int(*i))),
    };
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap()
}

fn shape(text: &str) -> Tuple<i64> {
    parse_shape(text).unwrap().to_const().unwrap()
}

#[test]
fn factors_in_global_memory_have_an_equation() {
    for (block, vec) in [SfBlock::Sm1xx, SfBlock::Sm103].into_iter().flat_map(|b| SfVec::ALL.map(|v| (b, v)))
    {
        let v = vec.elements();
        for (rows, blocks, batches) in [(128, 1, 1), (256, 3, 2), (384, 2, 3)] {
            let k = 4 * v * blocks;
            let layout = tile_atom_to_shape_sf(block, &Tuple::from_leaves([rows, k, batches]), vec).unwrap();
            let mut seen = BTreeSet::new();
            for (row, factor) in (0..rows).flat_map(|row| (0..k / v).map(move |factor| (row, factor))) {
                let of_row = match block {
                    SfBlock::Sm1xx => row % 32 * 16 + row / 32 % 4 * 4,
                    SfBlock::Sm103 => row % 8 * 16 + row / 8 % 4 * 128 + row / 32 % 4 * 4,
                };
                for batch in 0..batches {
                    let blocks_before = factor / 4 + blocks * (row / 128 + rows / 128 * batch);
                    let expected = of_row + factor % 4 + 512 * blocks_before;
                    for element in [0, v - 1] {
                        let found = at(&layout, &[row, factor * v + element, batch]);
                        assert_eq!(
                            found, expected,
                            "{block:?} {vec:?}: ({row},{factor},{batch}) of {layout}"
                        );
                    }
                    assert!(seen.insert(expected));
                }
            }
            assert_eq!(seen.len() as i64, cosize(&layout).unwrap(), "no byte of {layout} is unused");
        }
    }
}

#[test]
fn factors_of_d_along_m_are_those_along_n_transposed() {
    let along = |major, problem: &str| tile_atom_to_shape_sfd(major, &shape(problem), SfVec::V16).unwrap();
    let (n, m) = (along(Major::K, "(128,256,64,2)"), along(Major::Mn, "(256,128,64,2)"));
    for (i, j, l) in [(0, 0, 0), (127, 255, 1), (33, 100, 1), (64, 16, 0)] {
        assert_eq!(at(&n, &[i, j, l]), at(&m, &[j, i, l]));
    }
}

/// Each block-scaled `tcgen05.mma` of one CTA or a pair, with its tile of two K blocks.
fn tiles() -> impl Iterator<Item = (&'static MmaAtom, [i64; 3])> {
    let (one, pair) = (Instruction::TCGEN05.scaled(), Instruction::TCGEN05.pair().scaled());
    one.atoms().chain(pair.atoms()).filter_map(|atom| {
        let [m, n, k] = atom.shape.map(i64::from);
        let vector = i64::from(atom.scale.as_ref()?.vector);
        let has_rows = m / i64::from(atom.instruction.ctas) >= 128;
        // All pairs of types have the same factors.
        let first = atom.a.element == atom.b.element;
        (first && has_rows && k != 96).then_some((atom, [m, n, 8 * vector]))
    })
}

#[test]
fn factors_of_a_tile_are_those_of_the_matrix() {
    let mut seen = 0;
    for (atom, tile) in tiles() {
        let vec = SfVec::new(atom.scale.as_ref().unwrap().vector.into()).unwrap();
        let [m, n, k] = tile;
        let rows = [m / i64::from(atom.instruction.ctas), (n + 127) / 128 * 128];
        let memory = [make_smem_layout_sfa(atom, tile), make_smem_layout_sfb(atom, tile)].map(Result::unwrap);
        for (rows, smem) in rows.into_iter().zip(memory) {
            let global = tile_atom_to_shape_sf(SfBlock::Sm1xx, &Tuple::from_leaves([rows, k]), vec).unwrap();
            assert_eq!(cosize(&smem).unwrap(), cosize(&global).unwrap());
            // ((rows,(vec,factors)),1,K): an MMA takes the next elements of K. Blocks of K are
            // neighbours in global memory, and blocks of rows are in shared memory.
            let per_mma = i64::from(atom.shape[2]);
            for (row, element) in [(0, 0), (33, vec.elements()), (rows - 1, k - 1), (64, k / 2)] {
                let of_mma = smem.mode(0).unwrap();
                let inside = at(&of_mma, &[row, element % per_mma]);
                let found = inside + at(&smem.mode(2).unwrap(), &[element / per_mma]);
                let (blocks, factor) = (rows / 128, element / vec.elements());
                let transposed = |offset: i64| {
                    let (block, byte) = (offset / 512, offset % 512);
                    (block % 2 * blocks + block / 2) * 512 + byte
                };
                let expected = transposed(at(&global, &[row, element]));
                assert_eq!(found, expected, "{}: ({row},{factor}) of {smem}", atom.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn tensor_memory_is_full_of_factors() {
    for (atom, tile) in tiles().filter(|(atom, _)| atom.shape[1].is_multiple_of(64)) {
        let sfa = make_smem_layout_sfa(atom, tile).unwrap();
        let sfb = make_smem_layout_sfb(atom, tile).unwrap();
        for tmem in [make_tmem_layout_sfa(&sfa).unwrap(), make_tmem_layout_sfb(atom, &sfb).unwrap()] {
            let distinct = filter_zeros(&tmem).unwrap();
            let places: BTreeSet<_> =
                (0..size(&distinct).unwrap()).map(|i| address(8, at(&distinct, &[i]))).collect();
            let columns = columns_of(8, &tmem);
            assert_eq!(places.len() as i64, LANES * columns * 4, "{}: {tmem}", atom.name);
            assert!(places.iter().all(|place| i64::from(place & 0xffff) < columns));
        }
    }
}

#[test]
fn what_has_no_scale_factors_is_said() {
    let atom = |name| MmaAtom::by_name(name).unwrap();
    let pair = atom("SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue8m0,128,128,32>");
    let wide = atom("SM103_MXF4_ULTRA_SS_VS<e2m1,e2m1,float,ue4m3,128,128,16>");
    let sparse = atom("SM100_MMA_MXF8F6F4_SS_SPARSE<e4m3,e4m3,float,ue8m0,128,128>");
    let dense = atom("SM100_MMA_F16BF16_SS<half_t,float,128,128>");
    let warp = atom("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>");
    let rule = |result: Result<Layout<i64>, NoScales>| result.unwrap_err().rule_name();
    assert_eq!(rule(make_smem_layout_sfa(pair, [128, 128, 256])), "fewer_than_128_rows_per_cta");
    assert_eq!(rule(make_smem_layout_sfa(wide, [128, 128, 768])), "factors_of_mma");
    assert_eq!(rule(make_smem_layout_sfa(sparse, [128, 128, 256])), "sparse_not_supported");
    assert_eq!(rule(make_smem_layout_sfb(dense, [128, 128, 64])), "not_block_scaled");
    assert_eq!(rule(make_smem_layout_sfb(warp, [128, 128, 64])), "not_block_scaled");
    assert_eq!(rule(make_smem_layout_sfb(pair, [128, 128, 100])), "tile_k_not_multiple");
    assert_eq!(rule(make_smem_layout_sfb(pair, [128, 64, 256])), "tile_is_not_one_mma");
    assert_eq!(rule(sm120_make_smem_layout_sfa(warp, [64, 128, 64])), "fewer_than_128_rows_per_cta");
    assert_eq!(rule(sm120_make_smem_layout_sfa(warp, [i64::MAX & !127, 128, 64])), "algebra");
    assert_eq!(rule(sm120_make_smem_layout_sfb(warp, [128, 192, 64])), "tile_n_not_multiple");
    assert!(sm120_make_smem_layout_sfb(warp, [128, 24, 64]).is_ok());
    assert_eq!(rule(make_tmem_layout_sfa(&Layout::unit())), "scale_shape");
}

//! The theorems of docs/bridges.md: CuTe's layouts of registers, tensor memory and shared memory
//! are placements.

use std::collections::BTreeSet;

use cute_algebra::{
    AnyLayout, Axis, Coord, Layout, LayoutLike, Tuple, coalesce, crd2idx, parse_shape, tile_to_shape,
};
use cute_arch::{
    atoms::{Instruction, Major, MmaAtom, Space, copy_atoms, mma_atoms},
    smem::SmemSwizzle,
    tmem::{TmemAlloc, fragment, scale_fragment},
};
use cute_placement::Placement;
use cute_placement::{
    axes::CUDA,
    bridge::{
        Threads, from_shared_memory, from_tensor_memory, from_thread_value, from_triton_layout,
        to_shared_memory, to_tensor_memory, to_thread_value, triton_layout,
    },
    constructors::{
        AtomShape, Datapath, Scales, mma_shared_layout, sf_tmem_layout, tcgen05_atom_layout,
        tmem_datapath_layout,
    },
    convert::Owners,
};

fn axis(name: &str) -> Axis {
    name.parse().unwrap()
}

/// The offsets of all coordinates of a mode, first leaf fastest.
fn offsets(layout: &Layout<i64>) -> Vec<i64> {
    layout.flat().fold(vec![0], |all, (extent, stride)| {
        let stride = stride.as_static().unwrap();
        (0..*extent).flat_map(|i| all.iter().map(move |x| x + i * stride)).collect()
    })
}

/// An operand of an atom: its thread-value layout, its lanes and its shape.
fn operands(atom: &MmaAtom) -> Vec<(&Layout<i64>, [i64; 2])> {
    let [m, n, k] = atom.shape.map(i64::from);
    let all = [(&atom.a, [m, k]), (&atom.b, [n, k]), (&atom.c, [m, n])];
    all.into_iter().filter(|(o, _)| o.from == Space::Register).map(|(o, shape)| (&o.layout, shape)).collect()
}

/// Thread and value modes with neighbouring leaves joined: equal for equal functions that count
/// everything once.
fn plain(tv: &Layout<i64>) -> [String; 2] {
    [0, 1].map(|i| coalesce(&tv.mode(i).unwrap()).unwrap().to_string())
}

#[test]
fn thread_value_layouts_of_every_mma_are_placements() {
    let mut seen = BTreeSet::new();
    let mut count = 0;
    for atom in mma_atoms() {
        for (tv, shape) in operands(atom) {
            let what = format!("{}: {tv}", atom.name);
            count += 1;
            if !seen.insert((tv.to_string(), atom.thr_id.to_string(), shape)) {
                continue;
            }
            for threads in [Threads::LanesAndWarps, Threads::Block] {
                let p = from_thread_value(tv, &atom.thr_id, &shape, threads)
                    .unwrap_or_else(|e| panic!("{what}: {e}"));
                let back = to_thread_value(&p, &atom.thr_id, &shape).unwrap();
                assert_eq!(plain(&back), plain(tv), "{what}: {p}");
                if threads == Threads::Block {
                    continue;
                }
                // Register v of lane t has the element that the layout says, and nothing else has
                // one.
                let owners = Owners::of_placement(&p).unwrap();
                let (lanes, elements) = (offsets(&atom.thr_id), offsets(tv));
                let mut held = 0;
                for (i, element) in elements.iter().enumerate() {
                    let (row, column) = (element % shape[0], element / shape[0]);
                    let (lane, value) = (lanes[i % lanes.len()] as usize, i / lanes.len());
                    let index = (row * shape[1] + column) as usize;
                    assert_eq!(owners.element(lane, value), Some(index), "{what}: {p}");
                    held += 1;
                }
                let all = (0..owners.threads()).flat_map(|t| (0..owners.registers()).map(move |r| (t, r)));
                assert_eq!(all.filter(|(t, r)| owners.element(*t, *r).is_some()).count(), held, "{what}");
            }
            let [lanes, block] = [Threads::LanesAndWarps, Threads::Block]
                .map(|threads| from_thread_value(tv, &atom.thr_id, &shape, threads).unwrap());
            if block.axes().contains(&axis("tx")) && lanes.axes().contains(&axis("warpid")) {
                let fused = lanes.canonicalize(Some(&CUDA)).unwrap();
                assert_eq!(fused, block.canonicalize(None).unwrap(), "{what}");
            }
        }
    }
    assert!(count > 1100 && seen.len() > 60, "{count}, {}", seen.len());
}

#[test]
fn bits_of_every_copy_are_placements() {
    let (mut count, mut gaps) = (0, BTreeSet::new());
    for atom in copy_atoms() {
        for tv in [&atom.src, &atom.dst] {
            let bits = offsets(tv).into_iter().max().unwrap() + 1;
            let Ok(p) = from_thread_value(tv, &atom.thr_id, &[bits], Threads::LanesAndWarps) else {
                gaps.insert(atom.name.as_str());
                continue;
            };
            let back = to_thread_value(&p, &atom.thr_id, &[bits]).unwrap();
            assert_eq!(plain(&back), plain(tv), "{}: {tv} is {p}", atom.name);
            count += 1;
        }
    }
    // These have no threads to be placed on, and take one bit of 32.
    assert_eq!(gaps, BTreeSet::from(["SM100_UTCCP_4dp256bit_1cta", "SM100_UTCCP_4dp256bit_2cta"]));
    assert_eq!(count, 402);
}

#[test]
fn thread_value_layouts_are_linear_in_tritons_direction() {
    let (mut count, mut seen) = (0, BTreeSet::new());
    for atom in mma_atoms().filter(|atom| atom.thr_id.flat().len() == 1) {
        for (tv, shape) in operands(atom) {
            if !seen.insert((tv.to_string(), shape)) {
                continue;
            }
            let powers = shape.iter().all(|extent| extent.count_ones() == 1);
            let powers = powers && tv.flat().all(|(extent, _)| extent.count_ones() == 1);
            let linear = triton_layout(tv, &shape);
            assert_eq!(linear.is_ok(), powers, "{}: {tv} of {shape:?}", atom.name);
            let Ok(linear) = linear else { continue };
            assert_eq!(plain(&from_triton_layout(&linear).unwrap()), plain(tv), "{}", atom.name);
            // The placement's map of bits is its inverse: from elements to registers, lanes and
            // warps.
            let p = from_thread_value(tv, &atom.thr_id, &shape, Threads::LanesAndWarps).unwrap();
            let [register, lane, warp] = ["m", "laneid", "warpid"].map(axis);
            let inverse = linear.right_inverse().unwrap();
            assert_eq!(linear.is_injective(), p.replica().is_empty());
            for index in 0..shape[0] * shape[1] {
                let coord = [index / shape[1], index % shape[1]];
                let base = p.base(&coord, &shape).unwrap();
                let place = [register, lane, warp].map(|axis| base.get(axis));
                assert_eq!(linear.apply(&place).unwrap(), coord, "{}: {p}", atom.name);
                assert_eq!(inverse.apply(&coord).unwrap(), place, "{}: {p}", atom.name);
            }
            let bits = p.to_linear(&shape).unwrap();
            assert_eq!(
                Placement::from_linear(&bits).unwrap(),
                p.canonicalize(None).unwrap(),
                "{}",
                atom.name
            );
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn what_is_no_thread_value_layout_is_said() {
    let tv = |text: &str| cute_algebra::parse_layout(text).unwrap().to_const().unwrap();
    let warp = tv("32:1");
    let from = |text: &str, shape: &[i64]| {
        from_thread_value(&tv(text), &warp, shape, Threads::LanesAndWarps).unwrap_err().to_string()
    };
    assert!(from("(32,2):(1,64)", &[8, 8]).contains("stride 64 where the elements reached end at 32"));
    assert!(from("(32,2):(1,16)", &[8, 8]).contains("stride 16"));
    assert!(from("(32,2):(1,32)", &[8, 16]).contains("reaches 64 elements only of [8, 16]"));
    assert!(from("(32,4):(1,32)", &[8, 8]).contains("reaches past the 64 elements"));
    assert!(from("(32,2):(1,32)", &[24, 3]).contains("crosses the end of dimension 0"));
    let to = |text: &str, shape: &[i64]| {
        to_thread_value(&text.parse().unwrap(), &warp, shape).unwrap_err().to_string()
    };
    assert!(to("S[(8,8) : (1@TLane,1)]", &[8, 8]).contains("lies along TLane, not m or threads"));
    assert!(to("S[(8,8) : (1@laneid,1)] + 3@laneid", &[8, 8]).contains("an offset"));
    assert!(
        to("S[(8,8) : (4@laneid,1)]", &[8, 8]).contains("threads are counted in steps of 4 where 1 is next")
    );
    assert!(to("S[(32,8) : (1@laneid,2)]", &[32, 8]).contains("registers are counted in steps of 2"));
    assert!(to("S[(64,8) : (1@laneid,1)]", &[64, 8]).contains("are not threads of 32:1"));
}

/// The accumulator of `path` as CuTe has it, from the shape that its instruction has on a CTA.
#[test]
fn accumulators_in_tensor_memory_are_data_paths() {
    let mut count = 0;
    for atom in mma_atoms().filter(|atom| atom.c.from == Space::Tensor) {
        let pair = atom.instruction == Instruction::TCGEN05.pair() || atom.thr_id.to_string() == "2:1";
        let [m, n] = [atom.shape[0], atom.shape[1]].map(i64::from);
        let (rows, path) = match (pair, m) {
            (false, 128) => (128, Datapath::D),
            (false, 64) => (64, Datapath::F),
            (true, 256) => (128, Datapath::A),
            (true, 128) => (64, Datapath::B),
            other => panic!("{other:?}"),
        };
        let shape = parse_shape(&format!("(({rows},{n}))")).unwrap().to_const().unwrap();
        let c = fragment(&shape, 32, 32, TmemAlloc::Interleaved, pair).unwrap();
        let placed = from_tensor_memory(&c.mode(0).unwrap(), 32).unwrap();
        let of_path = tmem_datapath_layout(path, rows, n, 0).unwrap();
        assert_eq!(placed, of_path, "{}", atom.name);
        let (offset, back) = to_tensor_memory(&of_path, &[rows, n], 32).unwrap();
        assert_eq!((offset, back), (0, c.mode(0).unwrap()), "{}", atom.name);
        count += 1;
    }
    assert!(count > 200, "{count}");
}

#[test]
fn data_paths_are_what_their_equations_say() {
    let (lane, column) = (axis("TLane"), axis("TCol"));
    for path in Datapath::ALL {
        for cols in [4, 12, 64, 256] {
            for slab in if path.has_slabs() { 0..2 } else { 0..1 } {
                let p = tmem_datapath_layout(path, path.rows(), cols, slab).unwrap();
                for (r, c) in (0..path.rows()).flat_map(|r| (0..cols).map(move |c| (r, c))) {
                    let at = p.base(&[r, c], &[path.rows(), cols]).unwrap();
                    let expected = match path {
                        Datapath::A | Datapath::D => [r, c],
                        Datapath::B | Datapath::E => [r + 64 * (c / (cols / 2)), c % (cols / 2)],
                        Datapath::C | Datapath::F => [32 * (r / 16) + 16 * slab + r % 16, c],
                        Datapath::G => [r + 32 * (c / (cols / 4)), c % (cols / 4)],
                    };
                    assert_eq!([at.get(lane), at.get(column)], expected, "{path} at ({r}, {c})");
                }
            }
        }
    }
    // The slabs are two matrices of 64 rows that CuTe interleaves.
    let two = parse_shape("((64,32),2)").unwrap().to_const().unwrap();
    let two = fragment(&two, 32, 32, TmemAlloc::Interleaved, false).unwrap();
    let one = two.mode(0).unwrap();
    let modes = [two.mode(1).unwrap(), one.mode(0).unwrap(), one.mode(1).unwrap()];
    let two = from_tensor_memory(&Layout::from_modes(modes), 32).unwrap();
    for slab in 0..2 {
        let own = two.slice(&[2, 64, 32], &[(slab, slab + 1), (0, 64), (0, 32)], None).unwrap().unwrap();
        let f = tmem_datapath_layout(Datapath::F, 64, 32, slab).unwrap();
        assert_eq!(own.canonicalize(None).unwrap(), f.canonicalize(None).unwrap());
    }
}

#[test]
fn scale_factors_are_scale_fragments() {
    for (rows, k, vector) in
        [(128, 4, 16), (128, 4, 32), (128, 2, 32), (256, 4, 16), (32, 4, 16), (128, 1, 32)]
    {
        let scales = Scales { rows, sf_k: k, sf_per_mma: k, sf_reuse: vector, pipe_depth: None };
        let p = sf_tmem_layout(scales).unwrap();
        let shape = parse_shape(&format!("(({rows},({vector},{k})))")).unwrap().to_const().unwrap();
        let c = scale_fragment(&shape, false).unwrap();
        // CuTe counts the copies in the shape, and the vector of equal scales first.
        let all: BTreeSet<(i64, i64)> =
            offsets(&c).iter().map(|offset| (offset / (4 << 16), offset % (4 << 16))).collect();
        let (lane, column) = (axis("TLane"), axis("TCol"));
        let places = |index| p.placements_at(index).unwrap();
        let ours: BTreeSet<(i64, i64)> =
            (0..p.size().unwrap()).flat_map(places).map(|at| (at.get(lane), at.get(column))).collect();
        assert_eq!(ours, all, "{rows} x {k}: {c} and {p}");
        let own = c.mode(0).unwrap();
        let at = |row: i64, copy: i64, factor: i64| {
            let (rows_of, columns) = (own.mode(0).unwrap(), own.mode(1).unwrap());
            let rows_of = [rows_of.mode(0).unwrap(), rows_of.mode(1).unwrap()].map(|mode| offsets(&mode));
            rows_of[0][row as usize]
                + rows_of[1][copy as usize]
                + offsets(&columns)[(factor * vector) as usize]
        };
        for (row, factor) in (0..rows).flat_map(|row| (0..k).map(move |factor| (row, factor))) {
            let found = p.placements(&[row, factor * vector], &[rows, k * vector]).unwrap();
            for (copy, place) in found.iter().enumerate() {
                let offset = place.get(lane) * (4 << 16) + place.get(column);
                assert_eq!(
                    offset,
                    at(row, copy as i64, factor),
                    "{rows} x {k}: ({row}, {factor}), copy {copy}"
                );
            }
        }
    }
}

#[test]
fn register_images_are_tensor_memory_copies() {
    let [lane, warp, thread] = ["laneid", "wid_in_wg", "tid_in_wg"].map(axis);
    let shapes = [
        (AtomShape::X32b32, "32dp32b"),
        (AtomShape::X16b64, "16dp64b"),
        (AtomShape::X16b128, "16dp128b"),
        (AtomShape::X16b256, "16dp256b"),
    ];
    let mut count = 0;
    for (shape, name) in shapes {
        for n in shape.repetitions() {
            let name = format!("SM100_TMEM_LOAD_{name}{n}x");
            let atom = copy_atoms().iter().find(|atom| atom.name == name).unwrap_or_else(|| panic!("{name}"));
            let lanes: i64 = if shape == AtomShape::X32b32 { 32 } else { 16 };
            let image = [4 * lanes, n * shape.columns()];
            let p = tcgen05_atom_layout(shape, &image, 32).unwrap();
            // Two atoms one below the other, and two elements in a register.
            let below = tcgen05_atom_layout(shape, &[128, image[1]], 32).unwrap();
            let halves = tcgen05_atom_layout(shape, &[image[0], 2 * image[1]], 16).unwrap();
            // From a register's lowest bit to the bit of the copy, and on to lane and column of
            // tensor memory.
            let (bits, addresses) = (offsets(&atom.dst), offsets(atom.tensor_memory.as_ref().unwrap()));
            for (t, register) in (0..32).flat_map(|t| (0..bits.len() / 1024).map(move |r| (t, r))) {
                let address = addresses[bits[t + 1024 * register] as usize];
                let (row, column) = (address >> 21, (address & ((1 << 21) - 1)) / 32);
                // Each warp at its own lanes: the second as well as the fourth.
                for w in [1, 3] {
                    let place = p.base(&[lanes * w + row, column], &image).unwrap();
                    let register = register as i64;
                    assert_eq!(place.get(Axis::M), register, "{name}");
                    let half =
                        halves.base(&[lanes * w + row, 2 * column + 1], &[image[0], 2 * image[1]]).unwrap();
                    assert_eq!(half.get(Axis::M), 2 * register + 1, "{name}");
                    if lanes == 16 {
                        let second = below.base(&[32 * w + 16 + row, column], &[128, image[1]]).unwrap();
                        let own = (bits.len() / 1024) as i64;
                        assert_eq!(second.get(Axis::M), register + own, "{name}");
                        assert_eq!([second.get(warp), second.get(lane)], [w, t as i64], "{name}");
                    }
                    let found = if p.axes().contains(&thread) {
                        place.get(thread)
                    } else {
                        32 * place.get(warp) + place.get(lane)
                    };
                    assert_eq!(found, 32 * w + t as i64, "{name}");
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 64 * (255 + 255 + 254 + 252));
}

fn tile(
    swizzle: SmemSwizzle,
    major: Major,
    bits: i64,
    shape: [i64; 2],
    order: Option<&str>,
) -> AnyLayout<i64> {
    let block = swizzle.block(major, bits).unwrap().simplify();
    let target = Tuple::from_leaves(shape);
    let order = order.map(|order| parse_shape(order).unwrap().to_const().unwrap());
    tile_to_shape(&block, target.view(), order.as_ref()).unwrap()
}

fn at(layout: &AnyLayout<i64>, coord: [i64; 2]) -> i64 {
    let coord: Coord<i64> = Tuple::from_leaves(coord.map(cute_algebra::Crd::Int));
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap()
}

#[test]
fn tiles_in_shared_memory_are_what_descriptors_point_at() {
    for swizzle in SmemSwizzle::ALL.into_iter().filter(|s| *s != SmemSwizzle::B128By32) {
        for bits in [4, 8, 16, 32, 64] {
            let width = swizzle.row_bits() / bits;
            for (rows, columns) in [(8, width), (16, 2 * width), (64, 3 * width), (24, 4 * width)] {
                let shape = [rows, columns];
                let what = format!("{swizzle} of {bits} b, {shape:?}");
                let p = mma_shared_layout(bits, swizzle, &shape).unwrap();
                let k_major = tile(swizzle, Major::K, bits, shape, None);
                let placed = from_shared_memory(&k_major, bits).unwrap();
                assert_eq!(placed.canonicalize(None).unwrap(), p, "{what}");
                // Contiguous along M or N: the same, transposed, blocks of eight of K first.
                let mn_major = tile(swizzle, Major::Mn, bits, [columns, rows], Some("(2,1)"));
                let back = to_shared_memory(&p, &shape, bits).unwrap();
                for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                    let m = p.base(&[r, c], &shape).unwrap().get(Axis::M);
                    // CuTe's swizzle is that of the byte address.
                    let address = |layout: &AnyLayout<i64>, coord| {
                        let plain = at(&AnyLayout::Plain(layout.outer().clone()), coord) * bits;
                        swizzle.swizzle().apply(&(plain / 8)).unwrap() * 8 + plain % 8
                    };
                    assert_eq!(m * bits, address(&k_major, [r, c]), "{what} at ({r}, {c})");
                    assert_eq!(m * bits, address(&mn_major, [c, r]), "{what} at ({r}, {c}), transposed");
                    assert_eq!(m * bits, address(&back, [r, c]), "{what} at ({r}, {c}), and back");
                }
            }
        }
    }
}

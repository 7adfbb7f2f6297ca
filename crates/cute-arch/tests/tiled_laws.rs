//! Laws of tilings, over every atom: who owns what of a tensor, by enumeration.

use std::collections::BTreeMap;

use cute_algebra::{
    CopySide, Domain, Layout, MmaOperand, Stride, Tile, TiledCopy, TiledMma, Tuple, make_layout,
};
use cute_arch::atoms::{CopyAtom, Instruction, MmaAtom, copy_atoms, mma_atoms};
use fastrand::Rng;

/// A layout of these extents onto all positions, its modes in any order of stride.
fn compact(random: &mut Rng, extents: &[i64]) -> Layout<i64> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    random.shuffle(&mut order);
    let (mut strides, mut next) = (vec![0; extents.len()], 1);
    for mode in order {
        strides[mode] = next;
        next *= extents[mode];
    }
    let strides = strides.into_iter().map(Stride::int);
    Layout::new(Tuple::from_leaves(extents.iter().copied()), Tuple::from_leaves(strides)).unwrap()
}

/// The offsets of all coordinates, first mode fastest: the meaning of a layout, in a few lines.
fn offsets(layout: &Layout<i64>) -> Vec<i64> {
    let mut all = vec![0];
    for (extent, stride) in layout.flat() {
        let (stride, inner) = (stride.as_static().unwrap(), all.len());
        for i in 1..*extent {
            for j in 0..inner {
                all.push(all[j] + i * stride);
            }
        }
    }
    all
}

/// A tiling of the atom that strict takes, its threads and tile not too many.
fn tiling(atom: &MmaAtom, random: &mut Rng) -> TiledMma {
    // Elements of the largest matrix of the atom; a warp's has 256 or so.
    let [m, n, k] = atom.shape;
    let elements = (m * n).max(m * k).max(n * k);
    let choices = [(2, 2), (3, 1), (2, 1), (1, 2), (2, 1), (1, 3)];
    let (most, repeats) = if elements > 1 << 10 { (1, 1) } else { choices[random.i64(0..6) as usize] };
    loop {
        let along = [0; 3].map(|_| 1 + random.i64(0..most));
        let permutation = [0, 1, 2].map(|i| {
            let (own, threads, more) = (i64::from(atom.shape[i]), along[i], 1 + random.i64(0..repeats));
            match random.i64(0..3) {
                0 => Tile::Underscore,
                1 => Tile::Int(own * threads * more),
                _ => Tile::Layout(compact(random, &[own, threads, more])),
            }
        });
        let mma = TiledMma::new(atom.layouts(), &compact(random, &along), &permutation);
        let mma = mma.and_then(|mma| Domain::Strict.tiled_mma(&mma).map(|()| mma));
        // Three atoms do not fit between the lanes of a quad pair.
        match mma {
            Ok(mma) => return mma,
            Err(error) => assert!(along.contains(&3), "{error}"),
        }
    }
}

/// A compact tensor of some tiles.
fn tensor(tile: [i64; 2], random: &mut Rng) -> Layout<i64> {
    let most = if tile[0] * tile[1] <= 1 << 10 { 2 } else { 1 };
    let [m, n] = tile.map(|extent| extent * (1 + random.i64(0..most)));
    compact(random, &[m, n])
}

fn sizes(layout: &Layout<i64>, mode: usize) -> Vec<i64> {
    layout.mode(mode).unwrap().modes().map(|m| m.shape().leaves().iter().product()).collect()
}

/// Every element has as many owners as any other; a thread's partition is its row of thrfrg; and
/// the thread-value layout is the partition of a tile.
fn check_mma(mma: &TiledMma, which: MmaOperand, random: &mut Rng, what: &str) {
    let tensor = tensor(which.of(mma.tile_mnk()), random);
    let threads = mma.thrfrg(which, &tensor).unwrap();
    let all = offsets(&threads);
    let mut owners = vec![0; offsets(&tensor).len()];
    all.iter().for_each(|offset| owners[*offset as usize] += 1);
    assert!(owners.iter().all(|n| *n == owners[0] && *n > 0), "{which} of {what}: {threads}");

    let [thr_v, thr_mn] = sizes(&threads, 0)[..] else { panic!("{threads}") };
    let [along, _] =
        which.of(mma.thr_layout_vmnk().shape().modes().skip(1).collect::<Vec<_>>().try_into().unwrap());
    let along: i64 = along.leaves().iter().product();
    let tile = make_layout(&Tuple::from_leaves(which.of(mma.tile_mnk()))).unwrap();
    let tv = mma.layout_tv(which).unwrap();
    // Where the indices of the threads have gaps, it may end before the last of them.
    let (by_index, indices) = (offsets(&tv), sizes(&tv, 0).iter().product::<i64>());
    let [n_threads, k_threads] =
        [2, 3].map(|i| mma.thr_layout_vmnk().mode(i).unwrap().shape().leaves().iter().product::<i64>());
    let leaves_tile = which == MmaOperand::C && n_threads > 1 && k_threads > 1;
    let last = by_index.iter().max().unwrap();
    assert_eq!(*last >= offsets(&tile).len() as i64, leaves_tile, "{which} of {what}: {tv}");
    for thread in [0, mma.threads() - 1, random.i64(0..mma.threads())] {
        let (part, offset) = mma.partition(which, &tensor, &thread).unwrap();
        let begin = offset.as_leaf().unwrap();
        let [v, m, n, k] = mma.vmnk(&thread).unwrap();
        let [i, j] = which.of([m, n, k]);
        let row = (v + thr_v * (i + along * j)) as usize;
        let own: Vec<_> = all.iter().skip(row).step_by((thr_v * thr_mn) as usize).copied().collect();
        let found: Vec<_> = offsets(&part).iter().map(|o| o + begin).collect();
        assert_eq!(found, own, "{which} of thread {thread} of {what}");
        assert_eq!(*part.shape(), mma.partition_shape(which, tensor.shape()).unwrap());

        let (part, offset) = mma.partition(which, &tile, &thread).unwrap();
        let found: Vec<_> = offsets(&part).iter().map(|o| o + offset.as_leaf().unwrap()).collect();
        let own: Vec<_> = by_index.iter().skip(thread as usize).step_by(indices as usize).copied().collect();
        assert!(
            found == own || leaves_tile || thread >= indices,
            "{which} of thread {thread} of {what}: {tv}"
        );
    }
}

#[test]
fn partitions_share_a_tensor_evenly() {
    let mut random = Rng::with_seed(1);
    let mut seen = 0;
    for (n, atom) in mma_atoms().enumerate() {
        // Large atoms differ in N and types only: some of them are tried.
        if atom.shape[1] > 16 && n % 211 != 0 {
            continue;
        }
        let mma = tiling(atom, &mut random);
        let what = format!("{} over {}, {:?}", atom.name, mma.atom_layout(), mma.permutation());
        MmaOperand::ALL.into_iter().for_each(|which| check_mma(&mma, which, &mut random, &what));
        seen += 1;
    }
    assert!(seen > 250, "{seen} atoms");
}

/// Copies between the registers of an MMA's threads and memory, by every copy atom that fits: both
/// sides share the tensor evenly, and a fragment of the MMA retiled is the partition of the copy.
#[test]
fn retiled_fragments_are_partitions_of_the_copy() {
    let mut random = Rng::with_seed(2);
    let mut fit = BTreeMap::<&str, usize>::new();
    let warp = |atom: &&MmaAtom| atom.instruction == Instruction::MMA_SYNC && atom.threads() == 32;
    for atom in mma_atoms().filter(warp).step_by(5) {
        let mma = tiling(atom, &mut random);
        for which in MmaOperand::ALL {
            let operand = match which {
                MmaOperand::A => &atom.a,
                MmaOperand::B => &atom.b,
                MmaOperand::C => &atom.c,
            };
            for copy_atom in copy_atoms().iter().filter(|a| a.tensor_memory.is_none()) {
                if random.i64(0..3) == 0
                    && check_retile(&mma, which, copy_atom, operand.bits.into(), &mut random)
                {
                    *fit.entry(&copy_atom.name).or_default() += 1;
                }
            }
        }
    }
    assert!(fit.len() > 10, "{fit:?}");
    assert!(
        fit.keys().any(|name| name.contains("LDSM")) && fit.keys().any(|name| name.contains("STSM")),
        "{fit:?}"
    );
}

fn check_retile(mma: &TiledMma, which: MmaOperand, atom: &CopyAtom, bits: i64, random: &mut Rng) -> bool {
    let Ok(Ok(copy)) = atom.layouts(bits).map(|atom| TiledCopy::of_mma(atom, mma, which)) else {
        return false;
    };
    let tensor = tensor(which.of(mma.tile_mnk()), random);
    let what = format!("{which} by {} of {bits} b over {:?}", atom.name, mma);
    if Domain::Strict.tiled_copy(&copy).is_err() {
        return false;
    }
    for side in CopySide::ALL {
        let all = copy.tidfrg(side, &tensor).unwrap_or_else(|e| panic!("{what}: {e}"));
        let mut owners = vec![0; offsets(&tensor).len()];
        for offset in offsets(&all) {
            *owners
                .get_mut(offset as usize)
                .unwrap_or_else(|| panic!("{side}: {all} of {tensor}: {what}")) += 1;
        }
        assert!(owners.iter().all(|n| *n == owners[0] && *n > 0), "{side}: {all}: {what}");
    }
    let reference = if copy.atom().reference() == copy.atom().src() { CopySide::Src } else { CopySide::Dst };
    for thread in [0, copy.threads() - 1, random.i64(0..copy.threads())] {
        let (fragment, at) = mma.partition(which, &tensor, &thread).unwrap();
        let Ok(retiled) = copy.retile(&fragment) else { panic!("{what}: retile of {fragment}") };
        let (part, begin) = copy.partition(reference, &tensor, &thread).unwrap();
        assert_eq!(at, begin, "{what}");
        assert_eq!(offsets(&retiled), offsets(&part), "{what}: {fragment} retiled is {retiled}");
    }
    true
}

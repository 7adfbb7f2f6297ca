//! Loads of boxes and of rows, to one block and to several.

use super::*;
use cute_arch::tensor_map::{MapForm, MapMode, PixelBox};

#[test]
fn boxes_of_all_ranks_and_swizzles_arrive() {
    use MapElement as E;
    use MapSwizzle as S;
    let mut cases = 0;
    for (element, extents, boxes) in [
        (E::F16, &[100][..], &[64][..]),
        (E::F32, &[40, 19], &[8, 16]),
        (E::F16, &[72, 9], &[16, 24]),
        (E::U8, &[48, 5, 7], &[32, 4, 3]),
        (E::Bf16, &[24, 3, 5, 4], &[8, 2, 3, 2]),
        (E::S32, &[12, 3, 2, 3, 3], &[4, 2, 2, 2, 2]),
        (E::F64, &[10, 40], &[2, 32]),
    ] {
        for swizzle in [S::None, S::B32, S::B64, S::B128] {
            let inner = u64::from(boxes[0]) * u64::from(element.bits()) / 8;
            if swizzle.row().is_some_and(|row| inner > row) {
                continue;
            }
            let map = tensor(element, extents, boxes, swizzle);
            let tensor = bytes_of(&map);
            // Inside, beyond the end, and before the beginning.
            for at in [0, 1, -1] {
                let coordinates: Vec<i32> = match at {
                    0 => vec![0; extents.len()],
                    1 => extents.iter().zip(boxes).map(|(e, b)| *e as i32 - *b as i32 / 2).collect(),
                    _ => boxes.iter().map(|b| -(*b as i32) / 3).collect(),
                };
                let expected = loaded(&map, &tensor, &coordinates);
                let schedule = SCHEDULES[cases % SCHEDULES.len()];
                let found = load(&map, &tensor, &coordinates, schedule).unwrap_or_else(|e| panic!("{e}"));
                assert!(found == expected, "{element} {boxes:?} {swizzle:?} {coordinates:?}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 78);
}

/// Blocks of a cluster that load one box for all of them, each a part of it, as CuTe's multicast
/// does; `expect` and `mask` of each.
fn multicast(mask: &str, expect: u32, waits: &str) -> String {
    let body = format!(
        "%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
         {START}
         nvvm.cluster.arrive.relaxed {{aligned}}
         nvvm.cluster.wait {{aligned}}
         {}
         {waits}
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %c64 = llvm.mlir.constant(64 : i32) : i32
         %from = llvm.mul %b, %c64 : i32
         %out = llvm.getelementptr %all[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         {}
         nvvm.cluster.arrive {{aligned}}
         nvvm.cluster.wait {{aligned}}",
        first(
            "load",
            &format!(
                "%bytes = llvm.mlir.constant({expect} : i32) : i32
                 nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
                 %mask = llvm.mlir.constant({mask} : i16) : i16
                 %c32 = llvm.mlir.constant(32 : i32) : i32
                 %row = llvm.mul %rank, %one : i32
                 %at = llvm.mul %rank, %c32 : i32
                 %mine = llvm.getelementptr %there[%at] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
                 nvvm.cp.async.bulk.tensor.shared.cluster.global %mine, %map, %full, box[%zero, %row] multicast_mask = %mask
                   : !llvm.ptr<7>, !llvm.ptr"
            )
        ),
        copy_out(64)
    );
    GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %all: !llvm.ptr<1>"), &body)
}

fn run_multicast(source: &str, schedule: Schedule) -> Result<Vec<i32>, Error> {
    let map = tensor(MapElement::S32, &[32, 2], &[32, 1], MapSwizzle::None);
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(256);
    let input = memory.upload(&(0..64).collect::<Vec<i32>>());
    let map = TensorMap { address: memory.address(input).unwrap(), ..map };
    let launch =
        Launch { schedule, cluster: Some([2, 1, 1]), ..Launch::new("kernel", [4, 1, 1], [32, 1, 1]) };
    program(source).run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(out)])?;
    Ok(memory.download(out))
}

#[test]
fn a_multicast_load_reaches_each_block_of_its_mask() {
    let expected: Vec<i32> = (0..256).map(|i| i % 64).collect();
    for schedule in SCHEDULES {
        let found = run_multicast(&multicast("3", 256, WAIT), schedule);
        assert_eq!(found.unwrap_or_else(|e| panic!("{e}")), expected, "{schedule:?}");
        // Each block gets the bytes of both.
        let e = run_multicast(&multicast("3", 128, WAIT), schedule).unwrap_err().to_string();
        assert!(e.contains("nothing orders it with") || e.contains("bytes"), "{e}");
        let e = run_multicast(&multicast("1", 256, WAIT), schedule).unwrap_err().to_string();
        assert!(e.contains("no thread can go on"), "{e}");
        let e = run_multicast(&multicast("7", 256, WAIT), schedule).unwrap_err().to_string();
        assert!(e.contains("names block 2 of the cluster, but the cluster has 2 blocks"), "{e}");
        let e = run_multicast(&multicast("3", 256, ""), schedule).unwrap_err().to_string();
        assert!(e.contains("nothing orders it with the asynchronous write by thread (0, 0, 0)"), "{e}");
    }
}

/// A column of pixels, as an op of NVVM and as an intrinsic of LLVM.
#[test]
fn pixels_are_loaded_at_offsets() {
    let mut map = tensor(MapElement::F16, &[16, 5, 4, 2], &[8, 1, 1, 1], MapSwizzle::None);
    let bytes = bytes_of(&map);
    // From W 0 and H -1 on, offsets add 2 and 1: W is 2 to 3 and H is 0 to 2 in each image.
    let pixels = PixelBox { lower: vec![0, -1], upper: vec![-3, -2], count: 16 };
    map.form = MapForm::Im2col(pixels);
    let expected: Vec<u8> = (0..16)
        .flat_map(|pixel| {
            let (w, h, n) = (2 + pixel % 2, pixel / 2 % 3, pixel / 6);
            let from = ((n * 4 + h) * 5 + w) * 32 + 16;
            if n < 2 { bytes[from..from + 16].to_vec() } else { vec![0; 16] }
        })
        .collect();
    let define = "%o0 = llvm.mlir.constant(2 : i16) : i16
        %o1 = llvm.mlir.constant(1 : i16) : i16
        %none = llvm.mlir.constant(0 : i64) : i64
        %no = llvm.mlir.constant(false) : i1
        nvvm.mbarrier.arrive.expect_tx";
    let op = "nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%c0, %c1, %c2, %c3]";
    let source = load_kernel(64, 256, &[8, 0, -1, 0]).replace("nvvm.mbarrier.arrive.expect_tx", define);
    for load in [
        format!("{op} im2col[%o0, %o1] {{mode = #nvvm.tma_load_mode<im2col>}}"),
        "llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.tensor.g2s.im2col.4d\"(%there, %full, %map, %c0, %c1, %c2, %c3, %o0, %o1, %o0, \
         %none, %no, %no, %zero) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i32, i32, i32, i16, i16, i16, i64, i1, i1, i32) -> ()//"
            .to_owned(),
    ] {
        let source = source.replace(op, &load);
        for schedule in SCHEDULES {
            let mut memory = Memory::new();
            let out = memory.zeroed::<u32>(64);
            let buffer = memory.upload_bytes(&bytes);
            let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
            let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
            let args = [Arg::words(&map.simulated_words().unwrap()), Arg::Buffer(out)];
            program(&source).run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
            assert!(memory.download_bytes(out) == expected, "{load} {schedule:?}");
        }
    }
}

/// Four rows of a matrix by their numbers, one of them outside.
#[test]
fn rows_are_gathered_and_scattered() {
    let map = tensor(MapElement::S32, &[40, 19], &[32, 1], MapSwizzle::B128);
    let bytes = bytes_of(&map);
    let at = |row: i32| loaded(&map, &bytes, &[8, row]);
    let rows = [18, 3, -1, 7];
    let four: Vec<u8> = rows.iter().flat_map(|row| at(*row)).collect();
    let unit = |i: usize| (i / 16) ^ (i / 128 % 8);
    let expected: Vec<u8> = (0..512).map(|i| four[unit(i) * 16 + i % 16]).collect();
    let coordinates = [[8].as_slice(), &rows].concat();
    let source = load_kernel(128, 512, &coordinates).replace(
        ": !llvm.ptr<7>, !llvm.ptr\n",
        "{mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<7>, !llvm.ptr\n",
    );
    for schedule in SCHEDULES {
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&bytes);
        let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let args = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
        program(&source).run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
        assert!(memory.download_bytes(out) == expected, "{schedule:?}");
    }
    // Back to the same rows they leave the tensor as it is.
    let send = STORE.replace("box[LIST]", "box[LIST] {mode = #nvvm.tma_store_mode<tile_scatter4>}");
    let whole = TensorMap { modes: vec![map.modes[0], MapMode { boxed: 4, ..map.modes[1] }], ..map.clone() };
    let source = store_kernel(&whole, &coordinates, FENCE, &send, WAIT_READ);
    let zeros = vec![0; bytes.len()];
    let found = store(&source, &map, &zeros, &expected, Schedule::Lazy).unwrap_or_else(|e| panic!("{e}"));
    let inside = |i: usize| rows.contains(&((i / 160) as i32)) && i % 160 >= 32;
    assert!((0..bytes.len()).all(|i| found[i] == if inside(i) { bytes[i] } else { 0 }));
}

/// Both blocks of a pair load, and the barrier of the even one counts the bytes of both.
#[test]
fn a_pair_of_blocks_signals_one_barrier() {
    let kernel = |group: &str| {
        let load = format!(
            "%bytes = llvm.mlir.constant(256 : i32) : i32
             llvm.cond_br %leads, ^expect, ^go
           ^expect:
             nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
             llvm.br ^go
           ^go:
             %even = nvvm.mapa %full, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
             %bar = llvm.addrspacecast %even : !llvm.ptr<7> to !llvm.ptr<3>
             nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %bar, box[%zero, %rank] {group} : !llvm.ptr<7>, !llvm.ptr"
        );
        let body = format!(
            "%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
             {START}
             %leads = llvm.icmp \"eq\" %rank, %zero : i32
             nvvm.cluster.arrive.relaxed {{aligned}}
             nvvm.cluster.wait {{aligned}}
             {}
             llvm.cond_br %leads, ^wait, ^meet
           ^wait:
             {WAIT}
             llvm.br ^meet
           ^meet:
             nvvm.cluster.arrive {{aligned}}
             nvvm.cluster.wait {{aligned}}
             %b = nvvm.read.ptx.sreg.ctaid.x : i32
             %c64 = llvm.mlir.constant(64 : i32) : i32
             %from = llvm.mul %b, %c64 : i32
             %out = llvm.getelementptr %all[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             {}",
            first("load", &load),
            copy_out(32)
        );
        GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %all: !llvm.ptr<1>"), &body)
    };
    for schedule in SCHEDULES {
        let pair = kernel("{group = #nvvm.cta_group<cta_2>}");
        let found = run_multicast(&pair, schedule).unwrap_or_else(|e| panic!("{e}"));
        let expected = |i: i32| if i % 64 < 32 { i / 64 % 2 * 32 + i % 32 } else { 0 };
        assert_eq!(found, (0..256).map(expected).collect::<Vec<i32>>(), "{schedule:?}");
        let e = run_multicast(&kernel(""), schedule).unwrap_err().to_string();
        assert!(e.contains("goes to block 1 of the cluster, but its mbarrier is in block 0"), "{e}");
    }
}

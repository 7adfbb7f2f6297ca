//! What the TMA moves, byte by byte, beside a plain model of it.

use crate::{function, program};
use cute_arch::tensor_map::{Fill, Interleave, MapElement, MapMode, MapSwizzle, Promotion, TensorMap};
use cute_sim::{Arg, Error, Launch, Memory, Schedule};
use fastrand::Rng;

pub(crate) const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

/// A parameter that is a tensor map.
pub(crate) const MAP: &str =
    "!llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}";

pub(crate) const GLOBALS: &str = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : !llvm.array<4 x i64>
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i32>\n";

/// Thread 0 initialises a barrier for one arrival; all meet.
pub(crate) const START: &str = "%t = nvvm.read.ptx.sreg.tid.x : i32
     %zero = llvm.mlir.constant(0 : i32) : i32
     %one = llvm.mlir.constant(1 : i32) : i32
     %ticks = llvm.mlir.constant(10000 : i32) : i32
     %full = llvm.mlir.addressof @full : !llvm.ptr<3>
     %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
     %there = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
     %first = llvm.icmp \"eq\" %t, %zero : i32
     nvvm.mbarrier.init %full, %one, predicate = %first : !llvm.ptr<3>, i32, i1
     nvvm.fence.mbarrier.init
     nvvm.barrier0\n";

/// What thread 0 alone does.
pub(crate) fn first(label: &str, body: &str) -> String {
    format!(
        "llvm.cond_br %first, ^{label}, ^{label}_end\n^{label}:\n{body}\nllvm.br ^{label}_end\n^{label}_end:\n"
    )
}

pub(crate) const WAIT: &str = "nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32\n";

/// A tensor without gaps but those of strides that are rounded up, with boxes of it.
pub(crate) fn tensor(element: MapElement, extents: &[u64], boxes: &[u32], swizzle: MapSwizzle) -> TensorMap {
    let mut stride = u64::from(element.bits() / 8);
    let mut modes = Vec::new();
    for (i, (extent, boxed)) in extents.iter().zip(boxes).enumerate() {
        modes.push(MapMode { extent: *extent, stride, boxed: *boxed, step: 1 });
        stride = if i == 0 { (stride * extent).next_multiple_of(16) } else { stride * extent };
    }
    let (interleave, promotion, fill) = (Interleave::None, Promotion::B128, Fill::Zero);
    TensorMap { element, address: 0, modes, interleave, swizzle, promotion, fill }
}

/// Random bytes for the tensor.
pub(crate) fn bytes_of(map: &TensorMap) -> Vec<u8> {
    let mut rng = Rng::with_seed(map.span().unwrap());
    (0..map.span().unwrap()).map(|_| rng.u8(1..)).collect()
}

/// The places of the elements of a box: in the tensor, unless outside, and in shared memory that begins at a multiple of 1024.
fn elements(map: &TensorMap, coordinates: &[i32]) -> Vec<(Option<usize>, usize)> {
    let size = map.element.bits() as usize / 8;
    let count: u32 = map.modes.iter().map(|mode| mode.boxed).product();
    let element = |number: u32| {
        let (mut left, mut from, mut inside) = (number, 0, true);
        for (mode, coordinate) in map.modes.iter().zip(coordinates) {
            let c = i64::from(*coordinate) + i64::from(left % mode.boxed);
            left /= mode.boxed;
            inside &= (0..mode.extent as i64).contains(&c);
            from += c * mode.stride as i64;
        }
        let to = number as usize * size;
        let rows = match map.swizzle {
            MapSwizzle::B32 => 1,
            MapSwizzle::B64 => 3,
            MapSwizzle::B128 => 7,
            _ => 0,
        };
        (inside.then_some(from as usize), to ^ (to >> 7 & rows) << 4)
    };
    (0..count).map(element).collect()
}

/// What a box is in shared memory.
fn loaded(map: &TensorMap, tensor: &[u8], coordinates: &[i32]) -> Vec<u8> {
    let size = map.element.bits() as usize / 8;
    let mut tile = vec![0; map.box_bytes() as usize];
    for (from, to) in elements(map, coordinates) {
        if let Some(from) = from {
            tile[to..to + size].copy_from_slice(&tensor[from..from + size]);
        }
    }
    tile
}

/// The coordinates as constants, and their list.
fn constants(coordinates: &[i32]) -> (String, String) {
    let names: Vec<String> = (0..coordinates.len()).map(|i| format!("%c{i}")).collect();
    let define = |(name, c): (&String, &i32)| format!("{name} = llvm.mlir.constant({c} : i32) : i32\n");
    (names.iter().zip(coordinates).map(define).collect(), names.join(", "))
}

/// One thread loads a box, all wait and write the words of the tile out.
fn load_kernel(words: usize, bytes: u64, coordinates: &[i32]) -> String {
    let (define, list) = constants(coordinates);
    let load = format!(
        "%bytes = llvm.mlir.constant({bytes} : i32) : i32
         nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
         nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[{list}] : !llvm.ptr<7>, !llvm.ptr"
    );
    let body = format!("{START}{define}{}{WAIT}{}", first("load", &load), copy_out(words));
    GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
}

/// 32 threads write words of the tile to `%out`.
pub(crate) fn copy_out(words: usize) -> String {
    format!(
        "%words = llvm.mlir.constant({words} : i32) : i32
         %step = llvm.mlir.constant(32 : i32) : i32
         llvm.br ^out(%t : i32)
       ^out(%w: i32):
         %inside = llvm.icmp \"ult\" %w, %words : i32
         llvm.cond_br %inside, ^word, ^done
       ^word:
         %a = llvm.getelementptr %tile[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         %v = llvm.load %a : !llvm.ptr<3> -> i32
         %p = llvm.getelementptr %out[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %v, %p : i32, !llvm.ptr<1>
         %next = llvm.add %w, %step : i32
         llvm.br ^out(%next : i32)
       ^done:"
    )
}

fn load(map: &TensorMap, tensor: &[u8], coordinates: &[i32], schedule: Schedule) -> Result<Vec<u8>, Error> {
    let words = map.box_bytes() as usize / 4;
    let program = program(&load_kernel(words, map.box_bytes(), coordinates));
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(words);
    let buffer = memory.upload_bytes(tensor);
    let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
    program.run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(out)])?;
    Ok(memory.download_bytes(out))
}

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

/// 32 threads read words of the tile from `%out`, behind which comes `rest`.
fn copy_in(words: usize) -> String {
    copy_out(words).replace("%v = llvm.load %a : !llvm.ptr<3> -> i32", "").replace(
        "llvm.store %v, %p : i32, !llvm.ptr<1>",
        "%v = llvm.load %p : !llvm.ptr<1> -> i32\nllvm.store %v, %a : i32, !llvm.ptr<3>",
    )
}

const FENCE: &str =
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n";

/// All fill the tile with what `%out` has, fence and meet; one thread does `send`, commits and does `wait`.
fn store_kernel(map: &TensorMap, coordinates: &[i32], fence: &str, send: &str, wait: &str) -> String {
    let (define, list) = constants(coordinates);
    let fill = copy_in(map.box_bytes() as usize / 4);
    let send = format!("{}\nnvvm.cp.async.bulk.commit.group\n{wait}\n", send.replace("LIST", &list));
    let body = format!("{START}{define}{fill}{fence}nvvm.barrier0\n{}", first("send", &send));
    GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
}

const STORE: &str =
    "nvvm.cp.async.bulk.tensor.global.shared.cta %map, %tile, box[LIST] : !llvm.ptr, !llvm.ptr<3>";

fn reduce(kind: &str) -> String {
    format!(
        "nvvm.cp.async.bulk.tensor.reduce %map, %tile, box[LIST] {{redKind = #nvvm.tma_redux_kind<{kind}>}} : !llvm.ptr, !llvm.ptr<3>"
    )
}

/// The tensor after the kernel.
fn store(
    source: &str,
    map: &TensorMap,
    tensor: &[u8],
    tile: &[u8],
    schedule: Schedule,
) -> Result<Vec<u8>, Error> {
    let mut memory = Memory::new();
    let words: Vec<u32> = tile.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let input = memory.upload(&words);
    let buffer = memory.upload_bytes(tensor);
    let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
    program(source).run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(input)])?;
    Ok(memory.download_bytes(buffer))
}

const WAIT_READ: &str = "nvvm.cp.async.bulk.wait_group 0 {read}";

#[test]
fn boxes_of_all_ranks_are_stored() {
    use MapElement as E;
    use MapSwizzle as S;
    for (element, extents, boxes, swizzle) in [
        (E::F16, &[100][..], &[64][..], S::B128),
        (E::F32, &[40, 19], &[8, 16], S::B32),
        (E::U8, &[48, 5, 7], &[32, 4, 3], S::None),
        (E::Bf16, &[24, 3, 5, 4], &[8, 2, 3, 2], S::B64),
        (E::S32, &[12, 3, 2, 3, 3], &[4, 2, 2, 2, 2], S::B128),
    ] {
        let map = tensor(element, extents, boxes, swizzle);
        let before = bytes_of(&map);
        let tile: Vec<u8> = (0..map.box_bytes()).map(|i| (i * 7 % 251) as u8).collect();
        for (at, schedule) in [0, 1, -1, 2, 3].into_iter().zip(SCHEDULES) {
            let coordinates: Vec<i32> = boxes.iter().map(|b| at * *b as i32 / 2).collect();
            let mut expected = before.clone();
            let size = element.bits() as usize / 8;
            for (to, from) in elements(&map, &coordinates) {
                if let Some(to) = to {
                    expected[to..to + size].copy_from_slice(&tile[from..from + size]);
                }
            }
            for wait in [WAIT_READ, "nvvm.cp.async.bulk.wait_group 0"] {
                let source = store_kernel(&map, &coordinates, FENCE, STORE, wait);
                let found = store(&source, &map, &before, &tile, schedule).unwrap_or_else(|e| panic!("{e}"));
                assert!(found == expected, "{element} {boxes:?} {swizzle:?} {coordinates:?}");
            }
        }
    }
}

/// What each reduction makes of the elements that are there.
#[test]
fn elements_are_reduced() {
    use MapElement as E;
    let run = |element: E, kind: &str, old: &[u8], new: &[u8]| {
        let extent = u64::from(16 * 8 / element.bits());
        let map = tensor(element, &[extent], &[extent as u32], MapSwizzle::None);
        let found = SCHEDULES.map(|schedule| {
            let source = store_kernel(&map, &[0], FENCE, &reduce(kind), WAIT_READ);
            store(&source, &map, old, new, schedule)
        });
        let found = found.map(|f| f.map_err(|e| e.to_string()));
        assert!(found.iter().all(|f| *f == found[0]));
        found.into_iter().next().unwrap()
    };
    let words = |words: [i32; 4]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let (old, new) = (words([5, -7, 3, 12]), words([-6, 2, 3, 10]));
    for (element, kind, expected) in [
        (E::S32, "add", [-1, -5, 6, 22]),
        (E::S32, "min", [-6, -7, 3, 10]),
        (E::S32, "max", [5, 2, 3, 12]),
        (E::U32, "min", [5, 2, 3, 10]),
        (E::U32, "and", [5 & -6, -7 & 2, 3, 8]),
        (E::U32, "or", [5 | -6, -7 | 2, 3, 14]),
        (E::U32, "xor", [5 ^ -6, -7 ^ 2, 0, 6]),
        (E::U32, "inc", [6, 0, 0, 0]),
        (E::U32, "dec", [4, 2, 2, 10]),
    ] {
        assert_eq!(run(element, kind, &old, &new), Ok(words(expected)), "{element} {kind}");
    }
    let halves =
        |x: [f32; 8]| -> Vec<u8> { x.iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect() };
    let sum = run(E::F16, "add", &halves([1.5; 8]), &halves([0.25; 8]));
    assert_eq!(sum, Ok(halves([1.75; 8])));
    let refused = run(E::F16, "inc", &halves([1.5; 8]), &halves([0.25; 8])).unwrap_err();
    assert!(refused.ends_with("elements of f16 have no reduction `inc`"), "{refused}");
}

#[test]
fn a_warp_that_stores_a_box_stores_it_once() {
    let map = tensor(MapElement::S32, &[4], &[4], MapSwizzle::None);
    let (old, new, sum) = ([1i32; 4], [2i32; 4], [3i32; 4]);
    let bytes = |words: [i32; 4]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    // The condition holds for every lane, and each lane writes to the tile again when it has waited.
    let again = "%mine = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %t, %mine : i32, !llvm.ptr<3>";
    let source = store_kernel(&map, &[0], FENCE, &reduce("add"), &format!("{WAIT_READ}\n{again}"))
        .replace("llvm.cond_br %first, ^send", "llvm.cond_br %every, ^send")
        .replace("%first =", "%every = llvm.mlir.constant(true) : i1\n     %first =");
    for schedule in SCHEDULES {
        let found = store(&source, &map, &bytes(old), &bytes(new), schedule);
        assert_eq!(found.map_err(|e| e.to_string()), Ok(bytes(sum)));
    }
}

#[test]
fn what_is_not_waited_for_or_not_fenced_is_found() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let before = bytes_of(&map);
    let tile = vec![1; map.box_bytes() as usize];
    let bare = load_kernel(128, 512, &[0, 0]).replace(WAIT, "");
    for schedule in SCHEDULES {
        let found = |fence: &str, send: &str, wait: &str| {
            let source = store_kernel(&map, &[0, 0], fence, send, wait);
            store(&source, &map, &before, &tile, schedule).unwrap_err().to_string()
        };
        let e = found("", STORE, WAIT_READ);
        assert!(
            e.contains("has the async proxy read byte 0 of shared memory @tile (allocated at -:10:14), and may not see the write by"),
            "{e}"
        );
        let e = found(FENCE, STORE, "");
        assert!(e.contains("the block returns, and nothing in it knows that this copy has read"), "{e}");
        // The first store may come behind the second.
        let e = found(FENCE, &format!("{STORE}\n{STORE}"), WAIT_READ);
        assert!(
            e.contains("has the async proxy write byte 0 of buffer 1, and nothing orders it with the"),
            "{e}"
        );
        store(
            &store_kernel(&map, &[0, 0], FENCE, &format!("{0}\n{0}", reduce("add")), WAIT_READ),
            &map,
            &before,
            &tile,
            schedule,
        )
        .unwrap_or_else(|e| panic!("{e}"));
        let again = "%v0 = llvm.load %tile : !llvm.ptr<3> -> i32\nllvm.store %v0, %tile : i32, !llvm.ptr<3>";
        let e = found(FENCE, STORE, &format!("{again}\n{WAIT_READ}"));
        assert!(e.contains("nothing orders it with the asynchronous read by thread (0, 0, 0)"), "{e}");
        assert!(e.contains("over for that thread behind `cp.async.bulk.wait_group.read`"), "{e}");
        store(
            &store_kernel(&map, &[0, 0], FENCE, STORE, &format!("{WAIT_READ}\n{again}")),
            &map,
            &before,
            &tile,
            schedule,
        )
        .unwrap_or_else(|e| panic!("{e}"));

        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&before);
        let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let args = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
        let e = program(&bare).run(&launch, &mut memory, &args).unwrap_err().to_string();
        assert!(e.contains("nothing orders it with the asynchronous write by thread (0, 0, 0)"), "{e}");
        let phase =
            "which is over for whoever waits for phase 0 of the mbarrier at byte 0 of shared memory @full";
        assert!(e.contains(phase), "{e}");
    }
}

/// Blocks of a cluster that load one box for all of them, each a part of it, as CuTe's multicast does; `expect` and `mask` of each.
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
        assert!(e.contains("block 2 of the cluster, which has 2 blocks"), "{e}");
        let e = run_multicast(&multicast("3", 256, ""), schedule).unwrap_err().to_string();
        assert!(e.contains("nothing orders it with the asynchronous write by thread (0, 0, 0)"), "{e}");
    }
}

/// Bytes go from global to shared memory, to the next block of the cluster, and back to global memory.
#[test]
fn bytes_go_around() {
    let kernel = |expect: u32, remote: &str| {
        let body = format!(
            "%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
             {START}
             %second = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
             nvvm.mbarrier.init %second, %one, predicate = %first : !llvm.ptr<3>, i32, i1
             nvvm.fence.mbarrier.init
             nvvm.cluster.arrive.relaxed {{aligned}}
             nvvm.cluster.wait {{aligned}}
             %b = nvvm.read.ptx.sreg.ctaid.x : i32
             %c64 = llvm.mlir.constant(64 : i32) : i32
             %c256 = llvm.mlir.constant(256 : i32) : i32
             %at = llvm.mul %b, %c64 : i32
             %from = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %other = llvm.xor %rank, %one : i32
             %behind = llvm.getelementptr %tile[%c64] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %far = nvvm.mapa %behind, %other : !llvm.ptr<3> -> !llvm.ptr<7>
             %farbar = nvvm.mapa %second, %other : !llvm.ptr<3> -> !llvm.ptr<7>
             %bar = llvm.addrspacecast %farbar : !llvm.ptr<7> to !llvm.ptr<3>
             {}
             nvvm.cluster.arrive {{aligned}}
             nvvm.cluster.wait {{aligned}}",
            first(
                "go",
                &format!(
                    "nvvm.mbarrier.arrive.expect_tx %full, %c256 : !llvm.ptr<3>, i32
                     %bytes = llvm.mlir.constant({expect} : i32) : i32
                     nvvm.mbarrier.arrive.expect_tx %second, %bytes : !llvm.ptr<3>, i32
                     nvvm.cp.async.bulk.shared.cluster.global %there, %from, %full, %c256 : !llvm.ptr<7>, !llvm.ptr<1>
                     {WAIT}
                     nvvm.cp.async.bulk.shared.cluster.shared.cta %far, %tile, {remote}, %c256 : !llvm.ptr<7>, !llvm.ptr<3>
                     nvvm.mbarrier.try_wait.parity %second, %zero, %ticks : !llvm.ptr<3>, i32, i32
                     nvvm.cp.async.bulk.global.shared.cta %to, %behind, %c256 : !llvm.ptr<1>, !llvm.ptr<3>
                     nvvm.cp.async.bulk.commit.group
                     {WAIT_READ}"
                )
            )
        );
        GLOBALS.to_owned() + &function("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", &body)
    };
    let run = |source: &str, schedule| {
        let mut memory = Memory::new();
        let (input, out) = (memory.upload(&(0..256).collect::<Vec<i32>>()), memory.zeroed::<i32>(256));
        let launch =
            Launch { schedule, cluster: Some([2, 1, 1]), ..Launch::new("kernel", [4, 1, 1], [32, 1, 1]) };
        let report = program(source).run(&launch, &mut memory, &[Arg::Buffer(input), Arg::Buffer(out)]);
        report.map(|_| memory.download::<i32>(out)).map_err(|e| e.to_string())
    };
    let expected: Vec<i32> = (0..256).map(|i| i ^ 64).collect();
    for schedule in SCHEDULES {
        assert_eq!(run(&kernel(256, "%bar"), schedule), Ok(expected.clone()), "{schedule:?}");
        let e = run(&kernel(256, "%second"), schedule).unwrap_err();
        assert!(e.contains("of the cluster, and its mbarrier is in block"), "{e}");
    }
}

/// A ring of two stages: warp 0 loads 9 rows, and warp 1 writes twice each of them out. `free` is what a consumer does to hand a
/// stage back.
fn ring(free: &str, parity: &str) -> String {
    let body = format!(
        "{START}
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %c128 = llvm.mlir.constant(128 : i32) : i32
         %nine = llvm.mlir.constant(9 : i32) : i32
         %two = llvm.mlir.constant(2 : i32) : i32
         %full1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         %empty = llvm.getelementptr %full[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         %empty1 = llvm.getelementptr %full[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         nvvm.mbarrier.init %full1, %one, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.mbarrier.init %empty, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.mbarrier.init %empty1, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.barrier0
         %consumer = llvm.icmp \"uge\" %t, %c32 : i32
         %lane = llvm.urem %t, %c32 : i32
         llvm.cond_br %consumer, ^take(%zero : i32), ^produce
       ^produce:
         llvm.cond_br %first, ^give(%zero : i32), ^end
       ^give(%k: i32):
         %s = llvm.urem %k, %two : i32
         %n = llvm.udiv %k, %two : i32
         %p = llvm.and %n, %one : i32
         %q = llvm.xor %p, {parity} : i32
         %e = llvm.getelementptr %empty[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %f = llvm.getelementptr %full[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %o = llvm.mul %s, %c32 : i32
         %to = llvm.getelementptr %there[%o] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
         nvvm.mbarrier.try_wait.parity %e, %q, %ticks : !llvm.ptr<3>, i32, i32
         nvvm.mbarrier.arrive.expect_tx %f, %c128 : !llvm.ptr<3>, i32
         nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %f, box[%zero, %k] : !llvm.ptr<7>, !llvm.ptr
         %k1 = llvm.add %k, %one : i32
         %more = llvm.icmp \"ult\" %k1, %nine : i32
         llvm.cond_br %more, ^give(%k1 : i32), ^end
       ^take(%j: i32):
         %s2 = llvm.urem %j, %two : i32
         %n2 = llvm.udiv %j, %two : i32
         %p2 = llvm.and %n2, %one : i32
         %e2 = llvm.getelementptr %empty[%s2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %f2 = llvm.getelementptr %full[%s2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %o2 = llvm.mul %s2, %c32 : i32
         %i = llvm.add %o2, %lane : i32
         %a = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         nvvm.mbarrier.try_wait.parity %f2, %p2, %ticks : !llvm.ptr<3>, i32, i32
         {free}
         %w = llvm.shl %v, %one : i32
         %r = llvm.mul %j, %c32 : i32
         %x = llvm.add %r, %lane : i32
         %g = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %w, %g : i32, !llvm.ptr<1>
         %j1 = llvm.add %j, %one : i32
         %again = llvm.icmp \"ult\" %j1, %nine : i32
         llvm.cond_br %again, ^take(%j1 : i32), ^end
       ^end:"
    );
    GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
}

fn run_ring(source: &str, schedule: Schedule) -> Result<Vec<i32>, String> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(9 * 32);
    let input = memory.upload(&(0..9 * 32).collect::<Vec<i32>>());
    let map = tensor(MapElement::S32, &[32, 9], &[32, 1], MapSwizzle::B128);
    let map = TensorMap { address: memory.address(input).unwrap(), ..map };
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [64, 1, 1]) };
    let report =
        program(source).run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(out)]);
    report.map(|_| memory.download(out)).map_err(|e| e.to_string())
}

#[test]
fn a_ring_of_stages_goes_round() {
    let read = "%v = llvm.load %a : !llvm.ptr<3> -> i32";
    let back = "%token = nvvm.mbarrier.arrive %e2 : !llvm.ptr<3> -> i64";
    let right = format!("{read}\n{back}");
    // Rows 2, 3, 6 and 7 of the tile have other swizzles than these two, which are not the first in their block.
    let swizzled = |i: i32| i & !31 | (i & 31 ^ (i / 32 % 2) << 2);
    let expected: Vec<i32> = (0..9 * 32).map(|i| 2 * swizzled(i)).collect();
    for schedule in SCHEDULES {
        assert_eq!(run_ring(&ring(&right, "%one"), schedule), Ok(expected.clone()), "{schedule:?}");
        // Handed back before it was read.
        let e = run_ring(&ring(&format!("{back}\n{read}"), "%one"), schedule).unwrap_err();
        assert!(e.contains("nothing orders it with the"), "{schedule:?} {e}");
        // The producer waits for a phase that nobody completes.
        let e = run_ring(&ring(&right, "%zero"), schedule).unwrap_err();
        assert!(e.contains("no thread can go on"), "{e}");
        let e = run_ring(&ring(read, "%one"), schedule).unwrap_err();
        assert!(e.contains("no thread can go on"), "{e}");
    }
}

/// Operations of NVVM, LLVM's intrinsics and PTX are the same instructions.
#[test]
fn three_spellings_are_one_instruction() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let bytes = bytes_of(&map);
    let expected = loaded(&map, &bytes, &[4, 9]);
    let operation = "nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%c0, %c1] : !llvm.ptr<7>, !llvm.ptr";
    let source = load_kernel(128, 512, &[4, 9]);
    assert!(source.contains(operation));
    let flags = "%no16 = llvm.mlir.constant(0 : i16) : i16
         %no64 = llvm.mlir.constant(0 : i64) : i64
         %off = llvm.mlir.constant(false) : i1\n";
    let spellings = [
        "nvvm.cp.async.bulk.tensor.shared.cluster.global %tile, %map, %full, box[%c0, %c1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr".to_owned(),
        format!("{flags}llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d\"(%there, %full, %map, %c0, %c1, %no16, %no64, %off, %off, %zero)
           : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i32, i16, i64, i1, i1, i32) -> ()"),
        "%unused = llvm.inline_asm has_side_effects \"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5]; mov.u32 $0, 0;\",
           \"=r,r,l,r,r,r,~{memory}\" %tile, %map, %c0, %c1, %full : (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> i32"
            .to_owned(),
    ];
    for spelling in &spellings {
        let source = source.replace(operation, spelling);
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&bytes);
        let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
        let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
        let args = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
        program(&source).run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{spelling}: {e}"));
        assert!(memory.download_bytes(out) == expected, "{spelling}");
    }
    // And of stores, whose groups are waited for.
    let tile = vec![3; 512];
    let stored = |send: &str, commit: &str, wait: &str| {
        let source =
            store_kernel(&map, &[4, 9], FENCE, send, wait).replace("nvvm.cp.async.bulk.commit.group", commit);
        store(&source, &map, &bytes, &tile, Schedule::Lazy).map_err(|e| e.to_string())
    };
    let commit = "nvvm.cp.async.bulk.commit.group";
    let expected = stored(STORE, commit, WAIT_READ);
    assert!(expected.is_ok());
    let asm = |text: &str| format!("llvm.inline_asm has_side_effects \"{text}\", \"~{{memory}}\" : () -> ()");
    let ptx = "llvm.inline_asm has_side_effects \"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$0, {$1, $2}], [$3];\", \"l,r,r,r\"
        %map, %c0, %c1, %tile : (!llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()";
    assert_eq!(
        stored(ptx, &asm("cp.async.bulk.commit_group;"), &asm("cp.async.bulk.wait_group.read 0;")),
        expected
    );
    let intrinsic = format!(
        "{flags}llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d\"(%tile, %map, %c0, %c1, %no64, %off)
           : (!llvm.ptr<3>, !llvm.ptr, i32, i32, i64, i1) -> ()"
    );
    let wait = "llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.wait.group.read\"(%zero) : (i32) -> ()";
    let commit = "llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.commit.group\"() : () -> ()";
    assert_eq!(stored(&intrinsic, commit, wait), expected);
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

/// A matrix instruction is one of the whole warp: one lane may wait for it before, and hand the slot back behind it.
#[test]
fn one_lane_waits_and_arrives_for_a_matrix_instruction() {
    let kernel = |read: &str| {
        let body = format!(
            "{START}
             %empty = llvm.getelementptr %full[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
             nvvm.mbarrier.init %empty, %one, predicate = %first : !llvm.ptr<3>, i32, i1
             nvvm.barrier0
             %c4 = llvm.mlir.constant(4 : i32) : i32
             %c32 = llvm.mlir.constant(32 : i32) : i32
             %c128 = llvm.mlir.constant(128 : i32) : i32
             %lane = llvm.urem %t, %c32 : i32
             %leads = llvm.icmp \"eq\" %lane, %zero : i32
             %consumer = llvm.icmp \"uge\" %t, %c32 : i32
             %o = llvm.mul %lane, %c4 : i32
             %row = llvm.urem %o, %c32 : i32
             %a = llvm.getelementptr %tile[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.cond_br %consumer, ^consume, ^produce
           ^produce:
             llvm.cond_br %first, ^give, ^end
           ^give:
             nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
             nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%zero, %zero] : !llvm.ptr<7>, !llvm.ptr
             nvvm.mbarrier.try_wait.parity %empty, %zero, %ticks : !llvm.ptr<3>, i32, i32
             nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
             nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%zero, %one] : !llvm.ptr<7>, !llvm.ptr
             nvvm.mbarrier.try_wait.parity %full, %one, %ticks : !llvm.ptr<3>, i32, i32
             llvm.br ^end
           ^consume:
             llvm.cond_br %leads, ^wait, ^read
           ^wait:
             {WAIT}
             llvm.br ^read
           ^read:
             {read}
             %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %v, %p : i32, !llvm.ptr<1>
             llvm.cond_br %leads, ^back, ^end
           ^back:
             %token = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
             llvm.br ^end
           ^end:"
        );
        GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
    };
    let matrix = "%v = nvvm.ldmatrix %a {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>,
        eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32";
    for schedule in SCHEDULES {
        let found = run_ring(&kernel(matrix), schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        assert_eq!(found[..32], (0..32).collect::<Vec<i32>>()[..]);
        let plain = kernel("%v = llvm.load %a : !llvm.ptr<3> -> i32");
        let e = run_ring(&plain, schedule).unwrap_err();
        assert!(e.contains("nothing orders it with the"), "{e}");
    }
}

/// The words of a map whose tensor lies in a buffer, changed, and a kernel with it.
fn broken(change: impl Fn(&mut [u64; 16]), edit: impl Fn(String) -> String) -> String {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(128);
    let buffer = memory.upload_bytes(&bytes_of(&map));
    let mut words = TensorMap { address: memory.address(buffer).unwrap(), ..map }.words().unwrap();
    change(&mut words);
    let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
    let source = edit(load_kernel(128, 512, &[0, 0]));
    let report = program(&source).run(&launch, &mut memory, &[Arg::words(&words), Arg::Buffer(out)]);
    report.unwrap_err().to_string()
}

#[test]
fn maps_and_copies_that_break_a_rule_are_named() {
    let same = |source: String| source;
    let e = broken(|words| words[1] &= !2, same);
    assert!(
        e.contains("the tensor map at byte 0 of parameter 0 of the kernel is not valid: word 1 is"),
        "{e}"
    );
    let e = broken(|words| words[6] = words[6] & !(0xff << 56) | 2 << 56, same);
    assert!(e.contains("the box of mode 0 is 3 elements of f32: along mode 0"), "{e}");
    // A hundred rows more than the buffer has.
    let e = broken(
        |words| words[4] += 100 << 32,
        |source| source.replace("%c1 = llvm.mlir.constant(0", "%c1 = llvm.mlir.constant(18"),
    );
    assert!(e.contains("32 bytes at byte 3040 of buffer 1, which has 3040 bytes"), "{e}");
    let moved = "%aside = llvm.getelementptr %there[16] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8\n";
    let load = "nvvm.cp.async.bulk.tensor";
    let e = broken(
        |_| {},
        |source| source.replace(load, &format!("{moved}{load}")).replace("global %there", "global %aside"),
    );
    assert!(
        e.contains("byte 16 of shared memory @tile (allocated at -:10:14) is not aligned to 128 bytes"),
        "{e}"
    );
    let e = broken(|_| {}, |source| source.replace("box[%c0, %c1]", "box[%c0]"));
    assert!(e.contains("1 coordinates for a tensor map of rank 2"), "{e}");
    let e = broken(
        |_| {},
        |source| {
            source.replace("%map, %full, box", "%map, %other, box").replace(
                "%bytes =",
                "%other = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64\n%bytes =",
            )
        },
    );
    assert!(
        e.contains("the mbarrier at byte 8 of shared memory @full") && e.contains("is not initialised"),
        "{e}"
    );
}

/// A map in global memory, of which a thread has changed a word.
#[test]
fn a_map_that_the_device_changed_needs_a_fence() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let bytes = bytes_of(&map);
    let run = |prepare: &str, schedule: Schedule| {
        let load = "nvvm.mbarrier.arrive.expect_tx";
        let source = load_kernel(128, 512, &[0, 0])
            .replace(MAP, "!llvm.ptr")
            .replace(load, &format!("{prepare}\n{load}"));
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&bytes);
        let words = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() }.words().unwrap();
        let map = memory.upload(&words);
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(map), Arg::Buffer(out)]);
        report.map(|_| memory.download_bytes(out)).map_err(|e| e.to_string())
    };
    let change = "%word = llvm.load %map : !llvm.ptr -> i64\nllvm.store %word, %map : i64, !llvm.ptr";
    let fence = "nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
        %size = llvm.mlir.constant(128 : i32) : i32
        nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %map, %size";
    let expected = loaded(&map, &bytes, &[0, 0]);
    for schedule in SCHEDULES {
        assert!(run("", schedule) == Ok(expected.clone()));
        assert!(run(&format!("{change}\n{fence}"), schedule) == Ok(expected.clone()));
        let e = run(change, schedule).unwrap_err();
        assert!(
            e.contains("has the async proxy read byte 0 of buffer 2") && e.contains("`llvm.store`"),
            "{e}"
        );
    }
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
        assert!(e.contains("goes to block 1 of the cluster, and its mbarrier is in block 0"), "{e}");
    }
}

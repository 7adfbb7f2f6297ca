//! Compares the bytes that the TMA moves with a plain model. This file has the kernels and the
//! model; the tests are in the modules.

mod bulk;
mod loads;
mod maps;
mod narrow;
mod rings;
mod stores;
mod swizzles;

use crate::maps::tensor;
use crate::{function, program};
use cute_arch::tensor_map::{MapElement, MapSwizzle, TensorMap};
use cute_sim::{Arg, Error, Grade, Launch, Memory, Report, Schedule};
use fastrand::Rng;

pub(crate) const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

/// A parameter that is a tensor map.
const MAP: &str = "!llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}";

const GLOBALS: &str = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : !llvm.array<4 x i64>
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i32>\n";

/// Thread 0 initialises a barrier for one arrival; all meet.
const START: &str = "%t = nvvm.read.ptx.sreg.tid.x : i32
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

/// An operation of thread 0 only.
fn first(label: &str, body: &str) -> String {
    format!(
        "llvm.cond_br %first, ^{label}, ^{label}_end\n^{label}:\n{body}\nllvm.br ^{label}_end\n^{label}_end:\n"
    )
}

const WAIT: &str = "nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32\n";

/// Random bytes for the tensor.
fn bytes_of(map: &TensorMap) -> Vec<u8> {
    let mut rng = Rng::with_seed(map.span().unwrap());
    (0..map.span().unwrap()).map(|_| rng.u8(1..)).collect()
}

/// The places of the elements of a box: in the tensor, unless outside, and in shared memory that
/// begins at a multiple of 1024.
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

/// The contents of a box in shared memory.
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
fn copy_out(words: usize) -> String {
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
    let program = program(&load_kernel(words, map.counted_bytes(), coordinates));
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(words);
    let buffer = memory.upload_bytes(tensor);
    let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
    program.run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(out)])?;
    Ok(memory.download_bytes(out))
}

/// 32 threads read words of the tile from `%out`, after which comes `rest`.
fn copy_in(words: usize) -> String {
    copy_out(words).replace("%v = llvm.load %a : !llvm.ptr<3> -> i32", "").replace(
        "llvm.store %v, %p : i32, !llvm.ptr<1>",
        "%v = llvm.load %p : !llvm.ptr<1> -> i32\nllvm.store %v, %a : i32, !llvm.ptr<3>",
    )
}

const FENCE: &str =
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n";

/// All fill the tile with what `%out` has, fence and meet; one thread does `send`, commits and does
/// `wait`.
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

/// Like [`reduce`], as assembly, for a tensor with one mode.
fn reduce_in_text(kind: &str) -> String {
    format!(
        "%im = llvm.ptrtoint %map : !llvm.ptr to i64
         %it = llvm.ptrtoint %tile : !llvm.ptr<3> to i32
         llvm.inline_asm has_side_effects \"cp.reduce.async.bulk.tensor.1d.global.shared::cta.{kind}.tile.bulk_group [$0, {{$1}}], [$2];\", \"l,r,r,~{{memory}}\" %im, LIST, %it : (i64, i32, i32) -> ()"
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
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
    store_by(&launch, source, map, tensor, tile).map(|(bytes, _)| bytes)
}

/// As [`store`], with the report.
fn store_by(
    launch: &Launch,
    source: &str,
    map: &TensorMap,
    tensor: &[u8],
    tile: &[u8],
) -> Result<(Vec<u8>, Report), Error> {
    let mut memory = Memory::new();
    let words: Vec<u32> = tile.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    let input = memory.upload(&words);
    let buffer = memory.upload_bytes(tensor);
    let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
    let arguments = [Arg::words(&map.words().unwrap()), Arg::Buffer(input)];
    let report = program(source).run(launch, &mut memory, &arguments)?;
    Ok((memory.download_bytes(buffer), report))
}

const WAIT_READ: &str = "nvvm.cp.async.bulk.wait_group 0 {read}";

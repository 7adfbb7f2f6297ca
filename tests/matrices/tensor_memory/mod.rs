//! Tensor memory: each shape of `tcgen05.ld`, `tcgen05.st` and `tcgen05.cp`, tiled copies of
//! accumulators, and the addresses of fragments. Elements arrive at the lane and the column that
//! CuTe's layouts give.

mod copies;
mod fragments;
mod moves;
mod sums;

use cute_algebra::{Layout, Tuple, crd2idx};
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory};
use melior::Context;

use super::vectors::layout;

/// Threads of a CTA: one per lane of tensor memory.
const THREADS: usize = 128;
const WARP: usize = 32;
const COLUMNS: usize = 512;

/// The word of tensor memory before the instruction. The lower halves of all words differ.
fn word(lane: usize, column: usize) -> u32 {
    let number = (lane * COLUMNS + column) as u32;
    number | !number << 16
}

/// A kernel, for one CTA or a pair, in which each thread writes the columns of its lane, runs
/// `body`, and reads its columns.
///
/// `body` may use the fragment `%own` of `values` elements, the part `%part` of global memory that
/// the thread has for it, and `%first`, the address of the first column.
fn module(ctas: usize, elem: &str, values: i64, body: &str) -> String {
    let meet = if ctas == 2 { "nvvm.cluster.arrive\n nvvm.cluster.wait" } else { "nvvm.barrier0" };
    let lanes = ctas * THREADS;
    format!(
        "!own = !cute.memref<{elem}, rmem, align<16>, \"(({values},1)):((1,0))\">
         !part = !cute.memref<{elem}, gmem, \"(({values},1)):((1,0))\">
         !parts = !cute.memref<{elem}, gmem, \"(({values},1),{lanes}):((1,0),{values})\">
         !all = !cute.memref<i32, gmem, \"({COLUMNS},{lanes}):(1,{COLUMNS})\">
         !address = !cute.ptr<i32, smem, align<8>>
         gpu.module @m {{
           gpu.func @k(%registers: !parts, %all: !all) kernel attributes {{nvvm.reqntid = array<i32: {THREADS}, 1, 1>}} {{
             %c0 = arith.constant 0 : i32
             %c1 = arith.constant 1 : i32
             %c5 = arith.constant 5 : i32
             %c16 = arith.constant 16 : i32
             %c21 = arith.constant 21 : i32
             %ones = arith.constant -1 : i32
             %columns = arith.constant {COLUMNS} : i32
             %threads = arith.constant {THREADS} : i32
             %thread = nvvm.read.ptx.sreg.tid.x : i32
             %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
             %before = arith.muli %rank, %threads : i32
             %lane = arith.addi %before, %thread : i32
             %warp = arith.shrui %thread, %c5 : i32
             %is_first = arith.cmpi eq, %warp, %c0 : i32
             %room = cute.memref.alloc_smem() : !cute.memref<i32, smem, align<8>, \"1:0\">
             %where = cute.get_iter(%room) : !cute.memref<i32, smem, align<8>, \"1:0\">
             {meet}
             scf.if %is_first {{
               cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_{ctas}] : i32, !address
               cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_{ctas}]
             }}
             {meet}
             %first = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !address -> !cute.ptr<i32, tmem, align<16>>
             %base = cute.ptrtoint(%first) : !cute.ptr<i32, tmem, align<16>> to i32
             %lanes = arith.shli %warp, %c21 : i32
             %row = arith.addi %base, %lanes : i32
             %number = arith.muli %thread, %columns : i32
             scf.for %c = %c0 to %columns step %c1 : i32 {{
               %low = arith.addi %number, %c : i32
               %not = arith.xori %low, %ones : i32
               %high = arith.shli %not, %c16 : i32
               %both = arith.ori %low, %high : i32
               %place = arith.addi %row, %c : i32
               %to = llvm.inttoptr %place : i32 to !llvm.ptr<6>
               nvvm.tcgen05.st %to, %both {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : i32
             }}
             nvvm.tcgen05.wait <store>
             %mine = cute.make_coord(%lane) : (i32) -> !cute.coord<\"(_,?)\">
             %part = cute.slice(%registers, %mine) : !parts, !cute.coord<\"(_,?)\">
             %own = cute.memref.alloca() : !own
             %each = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<{elem}>
             {body}
             scf.for %c = %c0 to %columns step %c1 : i32 {{
               %place = arith.addi %row, %c : i32
               %from = llvm.inttoptr %place : i32 to !llvm.ptr<6>
               %found = nvvm.tcgen05.ld %from {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : i32
               %at = cute.make_coord(%c, %lane) : (i32, i32) -> !cute.coord<\"(?,?)\">
               cute.memref.store(%all, %at, %found) : (!all, !cute.coord<\"(?,?)\">, i32) -> ()
             }}
             nvvm.tcgen05.wait <load>
             {meet}
             scf.if %is_first {{
               cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_{ctas}] : !cute.ptr<i32, tmem, align<16>>, i32
             }}
             gpu.return
           }}
         }}"
    )
}

/// The contents of registers and of the tensor memory of each CTA at the end.
fn run(name: &str, ctas: usize, text: &str, registers: &[u8]) -> (Vec<u8>, Vec<u32>) {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm100a).unwrap_or_else(|e| panic!("{name}: {e}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut memory = Memory::new();
    let buffers = [memory.upload(registers), memory.upload(&vec![0u32; ctas * THREADS * COLUMNS])];
    let launch = Launch::new("k", [ctas as u32, 1, 1], [THREADS as u32, 1, 1]);
    let launch = Launch { cluster: Some([ctas as u32, 1, 1]), ..launch };
    let report = program.run(&launch, &mut memory, &buffers.map(Arg::Buffer));
    report.unwrap_or_else(|e| panic!("{name}: {e}"));
    (memory.download(buffers[0]), memory.download(buffers[1]))
}

/// An offset of a layout.
fn offset(layout: &Layout<i64>, coordinate: &Tuple<i64>) -> i64 {
    *crd2idx(&coordinate.to_coord(), layout).expect("a coordinate").as_leaf().expect("a number")
}

/// Asserts that tensor memory holds the expected words.
fn assert_words(name: &str, found: &[u32], expected: &[u32]) {
    let wrong = (0..expected.len()).find(|i| expected[*i] != found[*i]);
    let wrong = wrong.map(|i| (i / COLUMNS, i % COLUMNS, found[i], expected[i]));
    assert_eq!(wrong, None, "{name}: lane, column, found, expected");
}

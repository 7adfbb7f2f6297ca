//! Entries of `umma_partition.json`: an atom of `tcgen05.mma`, swizzles and addresses of A and B in
//! shared memory, the tile of a CTA or of a pair, and the CTA (`peer_cta`) that is asked.
//!
//! A module written from each entry goes through the whole pipeline.
//!
//! * Types of results in it are the entry's: the shapes of partitions (`shape_A`, `shape_B`,
//!   `shape_C`), the steps between descriptors (`frag_A`, `frag_B`) of the tiles in shared memory
//!   (`smem_A`, `smem_B`), parts of row-major matrices (`gmem_part_*`), and the accumulators
//!   (`tmem_C`). If the dialect infers another type, the module is refused.
//! * In the simulator, the kernel stores every descriptor (`desc_A`, `desc_B`), every element of
//!   the CTA's parts of matrices that hold their own index (`gmem_part_*`), and the address of
//!   every sum (`tmem_C`). The CTA and the addresses in shared memory are parameters of the kernel.
//! * In the lowered code, each `tcgen05.mma` takes the instruction descriptor (`instr_desc`), and
//!   there is one for each tile of (M,N,K) (`tile_mnk`).
//!
//! `thr_layout_vmnk` and `threads` do not reach lowered code; the tests of cute-calc compare them.

mod case;

use cute_algebra::{MmaOperand, parse_shape};
use cute_ffi::ir::{self, op_name};
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory, Program};
use melior::{
    Context,
    ir::{attribute::IntegerAttribute, operation::OperationLike},
};
use serde_json::Value as Json;

use crate::{
    full::takes,
    vectors::{self, number, offsets, text},
};
use case::Case;

const THREADS: u32 = 128;

/// Runs the kernel and compares what it stores with the entry.
fn check(case: &Case<'_>, program: &Program) {
    let name = text(case.entry, "/args/mma");
    let mut memory = Memory::new();
    let mut arguments = Vec::new();
    let mut parts = Vec::new();
    for which in MmaOperand::ALL {
        let [rows, columns] = which.of(case.tile);
        let (part, offset) = case.part(which);
        let expected: Vec<i64> = offsets(part).into_iter().map(|at| at + offset).collect();
        let indices: Vec<i32> = (0..(rows * columns) as i32).collect();
        let found = memory.zeroed::<i32>(expected.len());
        arguments.extend([memory.upload(&indices), found].map(Arg::Buffer));
        parts.push((format!("gmem_part_{which}"), found, expected));
    }
    let mut descriptors = Vec::new();
    for which in [MmaOperand::A, MmaOperand::B] {
        let path = format!("/result/desc_{which}");
        let words = case.entry.pointer(&path).and_then(Json::as_array).expect("descriptors");
        let words: Vec<u64> = words.iter().map(|word| hex(word.as_str().expect("a word"))).collect();
        let found = memory.zeroed::<u64>(words.len());
        arguments.push(Arg::Buffer(found));
        descriptors.push((path, found, words));
    }
    let expected = offsets(text(case.entry, "/result/tmem_C"));
    let found = memory.zeroed::<i32>(expected.len());
    arguments.push(Arg::Buffer(found));
    parts.push(("tmem_C".to_owned(), found, expected));
    for scalar in ["/args/smem_addr_A", "/args/smem_addr_B", "/args/peer_cta"] {
        arguments.push(Arg::I32(number(case.entry, scalar) as i32));
    }
    let launch = Launch::new("addresses", [1; 3], [THREADS, 1, 1]);
    program.run(&launch, &mut memory, &arguments).unwrap_or_else(|e| panic!("{name}: {e}"));
    for (what, found, expected) in parts {
        let found: Vec<i64> = memory.download::<i32>(found).into_iter().map(i64::from).collect();
        let wrong = (0..expected.len()).find(|i| found[*i] != expected[*i]);
        let wrong = wrong.map(|i| (i, found[i], expected[i]));
        assert_eq!(wrong, None, "{name}, {what}: element, found, expected");
    }
    for (what, found, expected) in descriptors {
        assert_eq!(memory.download::<u64>(found), expected, "{name}, {what}");
    }
}
fn hex(word: &str) -> u64 {
    u64::from_str_radix(word.trim_start_matches("0x"), 16).expect("a hexadecimal number")
}

fn partitions(entry: &Json) {
    let (name, case) = (text(entry, "/args/mma"), Case::new(entry));
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, &case.module()).unwrap_or_else(|e| panic!("{name}: {e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm100a).unwrap_or_else(|e| panic!("{name}: {e}"));

    let products =
        ir::walk(module.as_operation()).into_iter().filter(|op| op_name(*op) == "nvvm.tcgen05.mma");
    let words: Vec<i64> = products
        .map(|op| {
            let constant =
                ir::definer(op.operand(3).expect("the instruction descriptor")).expect("a constant");
            IntegerAttribute::try_from(constant.attribute("value").expect("a value"))
                .expect("a number")
                .value()
        })
        .collect();
    let per_product =
        parse_shape(text(entry, "/result/tile_mnk")).expect("a tile").to_const().expect("numbers");
    let count: i64 = case.tile.iter().zip(per_product.leaves()).map(|(all, one)| all / one).product();
    let word = hex(text(entry, "/result/instr_desc")) as i64;
    assert_eq!(words, vec![word; count as usize], "{name}: instruction descriptors");

    check(&case, &cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{name}: {e}")));
}

/// Every fourth entry; with `CUTE_FULL` set, all of them.
#[test]
fn tiles_are_partitioned_as_cutlass_partitions_them() {
    let entries = vectors::read("umma_partition");
    assert_eq!(entries.len(), 44);
    entries.iter().enumerate().filter(|(i, _)| takes(*i, 4)).for_each(|(_, entry)| partitions(entry));
}

//! `tcgen05.ld` and `tcgen05.st`, every shape: each element goes to the lane and the column that
//! CuTe's layouts of the atom give, or comes from there.

use cute_algebra::{CopySide, Layout, Tuple, size};
use cute_arch::atoms::{self, CopyAtom, CopyInstruction, TmemShape};
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory};
use melior::Context;

use super::{COLUMNS, THREADS, WARP, assert_words, module, offset, run, word};
use crate::full::all_of;

/// The distance of two lanes, as the layouts of atoms count it: in bits.
const LANE_BITS: i64 = 1 << 21;

/// Lane and column of value `i` of a lane, for the warp that has the first lanes.
fn place(atom: &CopyAtom, registers: &Layout<i64>, bits: i64, lane: usize, i: usize) -> (usize, usize) {
    let bit = offset(registers, &Tuple::from_leaves([lane as i64, i as i64 * bits]));
    let memory = atom.tensor_memory.as_ref().expect("the atom is of tensor memory");
    let at = offset(memory, &Tuple::leaf(bit));
    ((at / LANE_BITS) as usize, (at % LANE_BITS / 32) as usize)
}

fn load_or_store(atom: &CopyAtom, shape: TmemShape, store: bool) {
    let TmemShape { lanes, bits, repeats, halves } = shape;
    let (elem, width) = if halves { ("i16", 16) } else { ("i32", 32) };
    let (verb, with) = if store { ("store", ", expand16b") } else { ("load", ", pack16b") };
    let with = if halves { with } else { "" };
    let of_type = format!("!cute_nvgpu.atom.tmem_{verb}<{elem}, {lanes} DP, {bits} bit, x{repeats}{with}>");
    let (registers, side) = if store { (&atom.src, CopySide::Dst) } else { (&atom.dst, CopySide::Src) };
    let values = size(&registers.mode(1).expect("values")).expect("a size") / width;
    let lies = atom.in_tensor_memory(side, width).expect("a place");
    let tensor = format!("!cute.memref<{elem}, tmem, align<16>, \"({}):({})\">", lies.shape(), lies.stride());
    let moved = match store {
        true => format!(
            "cute.copy(%each, %part, %own) : (!cute_nvgpu.atom.universal_copy<{elem}>, !part, !own)
             cute.copy(%atom, %own, %tensor) : ({of_type}, !own, {tensor})
             nvvm.tcgen05.wait <store>"
        ),
        false => format!(
            "cute.copy(%atom, %tensor, %own) : ({of_type}, {tensor}, !own)
             cute.copy(%each, %own, %part) : (!cute_nvgpu.atom.universal_copy<{elem}>, !own, !part)"
        ),
    };
    let body = format!(
        "%atom = cute.make_atom() : () -> {of_type}
         %own_lanes = cute.inttoptr(%row) : i32 to !cute.ptr<{elem}, tmem, align<16>>
         %tensor = cute.make_view(%own_lanes) : {tensor}
         {moved}"
    );
    let values = values as usize;
    let bytes = width as usize / 8;
    // No word begins as the registers to store do.
    let given: Vec<u8> = (0..THREADS * values)
        .flat_map(|i| (0xabcd_0000 | i as u32).to_le_bytes()[..bytes].to_vec())
        .collect();
    let (found, memory) = run(&atom.name, 1, &module(1, elem, values as i64, &body), &given);
    let value = |of: &[u8], i: usize| {
        of[i * bytes..][..bytes].iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte))
    };
    let mask = if halves { 0xffff } else { u32::MAX };
    let mut expected: Vec<u32> = (0..THREADS * COLUMNS).map(|i| word(i / COLUMNS, i % COLUMNS)).collect();
    for thread in 0..THREADS {
        for i in 0..values {
            let (lane, column) = place(atom, registers, width, thread % WARP, i);
            let lane = thread / WARP * WARP + lane;
            let (register, at) = (thread * values + i, lane * COLUMNS + column);
            if store {
                // The instruction leaves the other half of the word alone.
                expected[at] = value(&given, register) | memory[at] & !mask;
            } else {
                let wanted = word(lane, column) & mask;
                assert_eq!(value(&found, register), wanted, "{}: thread {thread}, value {i}", atom.name);
            }
        }
    }
    assert_words(&atom.name, &memory, &expected);
}

/// Shapes without repetition; with `CUTE_FULL` set, all of them.
#[test]
fn every_element_goes_where_cute_says() {
    let (full, mut tried) = (all_of(0), 0);
    for atom in atoms::copy_atoms() {
        let (shape, store) = match atom.instruction {
            CopyInstruction::TmemLoad(shape) => (shape, false),
            CopyInstruction::TmemStore(shape) => (shape, true),
            _ => continue,
        };
        if full || shape.repeats == 1 {
            load_or_store(atom, shape, store);
            tried += 1;
        }
    }
    assert_eq!(tried, if full { 148 } else { 20 });
}

/// The example loads the tile that it stored, to fragments of another form.
#[test]
fn a_tile_goes_through_tensor_memory() {
    let text = include_str!("../../../examples/blackwell/load_store.mlir");
    let given: Vec<u32> = (0..THREADS as u32 * 64).collect();
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, text).expect("the example is read");
    cute_mlir::lower(&context, &mut module, Target::Sm100a).expect("the example is lowered");
    let program = cute_decode::decode(module.as_operation()).expect("the example is decoded");
    let mut memory = Memory::new();
    let buffers = [memory.upload(&given), memory.upload(&vec![0u32; given.len()])];
    let launch = Launch::new("load_store", [1, 1, 1], [THREADS as u32, 1, 1]);
    program.run(&launch, &mut memory, &buffers.map(Arg::Buffer)).expect("the example runs");
    assert_eq!(memory.download::<u32>(buffers[1]), given);
}

//! Blackwell: `tcgen05.ld` and `tcgen05.st`, between the registers of a warp and tensor memory.
//!
//! Each shape of CuTe's `{d}dp{b}b{x}x` has four atoms with the same layouts: a load and a store,
//! each for words or (`_16b`) for half-words, with one half-word per word of tensor memory.

use crate::{
    atoms::{
        family::{CopyFamily, Side, THREAD},
        model::{CopyAtom, CopyInstruction, Generation, TmemShape},
    },
    feature::Feature,
};

/// Repeats of a shape.
const X2_TO_X128: &[u32] = &[2, 4, 8, 16, 32, 64, 128];
const X1_TO_X128: &[u32] = &[1, 2, 4, 8, 16, 32, 64, 128];

/// A shape: repetitions, lanes and bits per lane, the layout of registers, the total bits, and the
/// map from bit to address in tensor memory, packed and unpacked.
struct Shape {
    x: &'static [u32],
    lanes: u32,
    row_bits: u32,
    registers: &'static str,
    bits: &'static str,
    words: &'static str,
    halves: &'static str,
}

/// 16 lanes of tensor memory, 1024 bits a repeat.
const LANES_16: Shape = Shape {
    x: X1_TO_X128,
    lanes: 16,
    row_bits: 32,
    registers: "((16,2),{x*32}):(({x*64},{x*32}),1)",
    bits: "(32,{x*1024}):(0,1)",
    words: "({x*64},16):(1,2097152)",
    halves: "((16,{x*4}),16):((1,32),2097152)",
};
const LANES_16_OF_128: Shape = Shape {
    x: &[1],
    lanes: 16,
    row_bits: 128,
    registers: "((4,8),(32,2)):((32,128),(1,1024))",
    bits: "(32,{x*2048}):(0,1)",
    words: "({x*128},16):(1,2097152)",
    halves: "((16,{x*8}),16):((1,32),2097152)",
};
const LANES_16_OF_256: Shape = Shape {
    x: &[1],
    lanes: 16,
    row_bits: 256,
    registers: "((4,8),(64,2)):((64,256),(1,2048))",
    bits: "(32,{x*4096}):(0,1)",
    words: "({x*256},16):(1,2097152)",
    halves: "((16,{x*16}),16):((1,32),2097152)",
};

const SHAPES: [Shape; 8] = [
    LANES_16,
    Shape { x: &[1], lanes: 16, row_bits: 64, registers: "((2,2,8),32):((512,32,64),1)", ..LANES_16 },
    Shape {
        x: X2_TO_X128,
        lanes: 16,
        row_bits: 64,
        registers: "((2,2,8),(32,{x})):(({x*512},32,{x*64}),(1,64))",
        ..LANES_16
    },
    LANES_16_OF_128,
    Shape {
        x: &[2, 4, 8, 16, 32, 64],
        registers: "((4,8),(32,2,{x})):((32,{x*128}),(1,{x*1024},128))",
        ..LANES_16_OF_128
    },
    LANES_16_OF_256,
    Shape {
        x: &[2, 4, 8, 16, 32],
        registers: "((4,8),(64,2,{x})):((64,{x*256}),(1,{x*2048},256))",
        ..LANES_16_OF_256
    },
    Shape {
        x: X1_TO_X128,
        lanes: 32,
        row_bits: 32,
        registers: "(32,{x*32}):({x*32},1)",
        bits: "(32,{x*1024}):(0,1)",
        words: "({x*32},32):(1,2097152)",
        halves: "((16,{x*2}),32):((1,32),2097152)",
    },
];

/// Four atoms of each repeat of each shape.
pub(crate) fn atoms(generation: Generation) -> impl Iterator<Item = CopyAtom> {
    let both = [false, true];
    let kinds = both.into_iter().flat_map(move |store| both.into_iter().map(move |halves| (store, halves)));
    SHAPES.iter().flat_map(move |shape| {
        kinds.clone().flat_map(move |(store, halves)| {
            shape.family(store, halves).atoms(generation).zip(shape.x).map(move |(atom, &repeats)| {
                let named = TmemShape { lanes: shape.lanes, bits: shape.row_bits, repeats, halves };
                let (verb, instruction) = if store {
                    ("STORE", CopyInstruction::TmemStore(named))
                } else {
                    ("LOAD", CopyInstruction::TmemLoad(named))
                };
                CopyAtom { name: format!("SM100_TMEM_{verb}_{named}"), instruction, ..atom }
            })
        })
    })
}

impl Shape {
    fn family(&self, store: bool, halves: bool) -> CopyFamily {
        let (src, dst, reference) = if store {
            (self.registers, self.bits, Side::Dst)
        } else {
            (self.bits, self.registers, Side::Src)
        };
        let memory = if halves { self.halves } else { self.words };
        let tensor_memory = Some(memory);
        let (x, on) = (self.x, Feature::Tcgen05.on());
        CopyFamily { x, thr_id: "32:1", on, src, dst, reference, tensor_memory, ..THREAD }
    }
}

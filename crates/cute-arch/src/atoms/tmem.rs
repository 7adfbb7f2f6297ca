//! Blackwell: `tcgen05.ld` and `tcgen05.st`, between the registers of a warp and tensor memory.
//!
//! Each shape of CuTe's `{d}dp{b}b{x}x` has four atoms of the same layouts: load and store, each of words or (`_16b`) of
//! halves, one in a word of tensor memory.

use super::copy::{CopyAtom, CopyFamily, Side, THREAD};
use crate::feature::Feature;

/// Repeats of a shape.
const X2_TO_X128: &[u32] = &[2, 4, 8, 16, 32, 64, 128];
const X1_TO_X128: &[u32] = &[1, 2, 4, 8, 16, 32, 64, 128];

/// A shape: repeats, its name, the layout of registers, all bits, and from bit to address in tensor memory, packed and not.
struct Shape {
    x: &'static [u32],
    name: &'static str,
    registers: &'static str,
    bits: &'static str,
    words: &'static str,
    halves: &'static str,
}

/// 16 lanes of tensor memory, 1024 bits a repeat.
const LANES_16: Shape = Shape {
    x: X1_TO_X128,
    name: "16dp32b{x}x",
    registers: "((16,2),{x*32}):(({x*64},{x*32}),1)",
    bits: "(32,{x*1024}):(0,1)",
    words: "({x*64},16):(1,2097152)",
    halves: "((16,{x*4}),16):((1,32),2097152)",
};
const LANES_16_OF_128: Shape = Shape {
    x: &[1],
    name: "16dp128b{x}x",
    registers: "((4,8),(32,2)):((32,128),(1,1024))",
    bits: "(32,{x*2048}):(0,1)",
    words: "({x*128},16):(1,2097152)",
    halves: "((16,{x*8}),16):((1,32),2097152)",
};
const LANES_16_OF_256: Shape = Shape {
    x: &[1],
    name: "16dp256b{x}x",
    registers: "((4,8),(64,2)):((64,256),(1,2048))",
    bits: "(32,{x*4096}):(0,1)",
    words: "({x*256},16):(1,2097152)",
    halves: "((16,{x*16}),16):((1,32),2097152)",
};

const SHAPES: [Shape; 8] = [
    LANES_16,
    Shape { x: &[1], name: "16dp64b{x}x", registers: "((2,2,8),32):((512,32,64),1)", ..LANES_16 },
    Shape {
        x: X2_TO_X128,
        name: "16dp64b{x}x",
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
        name: "32dp32b{x}x",
        registers: "(32,{x*32}):({x*32},1)",
        bits: "(32,{x*1024}):(0,1)",
        words: "({x*32},32):(1,2097152)",
        halves: "((16,{x*2}),32):((1,32),2097152)",
    },
];

pub(super) fn atoms() -> impl Iterator<Item = CopyAtom> {
    SHAPES.iter().flat_map(|shape| {
        let family =
            CopyFamily { name: shape.name, x: shape.x, thr_id: "32:1", on: Feature::Tcgen05.on(), ..THREAD };
        let load = CopyFamily { src: shape.bits, dst: shape.registers, reference: Side::Src, ..family };
        let store = CopyFamily { src: shape.registers, dst: shape.bits, reference: Side::Dst, ..family };
        [("LOAD", load), ("STORE", store)].into_iter().flat_map(move |(verb, family)| {
            [("", shape.words), ("_16b", shape.halves)].into_iter().flat_map(move |(suffix, memory)| {
                let atoms: Vec<_> = CopyFamily { tensor_memory: Some(memory), ..family }.atoms().collect();
                let named = move |atom: CopyAtom| CopyAtom {
                    name: format!("SM100_TMEM_{verb}_{}{suffix}", atom.name),
                    ..atom
                };
                atoms.into_iter().map(named)
            })
        })
    })
}

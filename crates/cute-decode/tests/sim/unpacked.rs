//! Floats of 4 and 6 bits on their way to an `mma.sync` with block scales: rows of 16 numbers and
//! padding, as the TMA writes them, are loaded by `ldmatrix`, and e2m1 is moved to the middle of
//! its byte. Packed e2m1 is loaded as it is.

use crate::{function, program};
use cute_arch::Element;
use cute_sim::format::decode;
use cute_sim::{Arg, Launch, Memory};
use fastrand::Rng;

/// A matrix in shared memory: the rows of a group of 8 after each other, each of 16 bytes, then the
/// next group along K.
fn rows(codes: &[u64], k: usize, bits: usize) -> Vec<u8> {
    let rows = codes.len() / k;
    // A row of 16 bytes has 16 numbers and padding, or 32 packed ones.
    let per_row = if k == 64 { 32 } else { 16 };
    let mut bytes = vec![0xa5; codes.len() / per_row * 16];
    for (i, code) in codes.iter().enumerate() {
        let (row, column) = (i / k, i % k);
        let first = (column / per_row * rows + row) * 128 + column % per_row * bits;
        for bit in 0..bits {
            let (byte, mask) = ((first + bit) / 8, 1 << ((first + bit) % 8));
            bytes[byte] = bytes[byte] & !mask | if code >> bit & 1 != 0 { mask } else { 0 };
        }
    }
    bytes
}

/// The modifiers of `ldmatrix` for a type.
fn load(element: Element, packed: bool) -> &'static str {
    match (element.bits(), packed) {
        (4, false) => "m8n16.x{}.shared.b8x16.b4x16_p64",
        (6, false) => "m8n16.x{}.shared.b8x16.b6x16_p32",
        _ => "m8n8.x{}.shared.b16",
    }
}

/// Multiplies 16 x K by K x 8 random numbers with factors of 2 for A and 1 for B. `shifts`: the
/// bits by which the registers of A and B are shifted left after they are loaded. Returns D and
/// what it should be.
fn multiply([a, b]: [Element; 2], packed: bool, shifts: [u32; 2]) -> (Vec<f32>, Vec<f32>) {
    let k = if packed { 64 } else { 32 };
    let mut random = Rng::with_seed(3);
    let mut codes = |element: Element, rows: usize| -> Vec<u64> {
        (0..rows * k).map(|_| random.u64(..1 << element.bits())).collect()
    };
    let (of_a, of_b) = (codes(a, 16), codes(b, 8));
    let number = |element, code: u64| decode(element, code).unwrap() as f32;
    let expected = (0..128)
        .map(|i| {
            let (row, column) = (i / 8, i % 8);
            let product = |at: usize| number(a, of_a[row * k + at]) * number(b, of_b[column * k + at]);
            2.0 * (0..k).map(product).sum::<f32>()
        })
        .collect();
    let name = if packed {
        format!("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.{a}.{b}.f32.ue8m0")
    } else {
        format!("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.{a}.{b}.f32.ue8m0")
    };
    let [load_a, load_b] = [(a, "4"), (b, "2")].map(|(e, count)| load(e, packed).replace("{}", count));
    let text = format!(
        "{{ .reg .b32 a<4>; .reg .b32 b<2>; .reg .f32 d<4>; .reg .b32 one; .reg .b32 two;
         ldmatrix.sync.aligned.{load_a} {{a0, a1, a2, a3}}, [$0];
         ldmatrix.sync.aligned.{load_b} {{b0, b1}}, [$1];
         shl.b32 a0, a0, {sa}; shl.b32 a1, a1, {sa}; shl.b32 a2, a2, {sa}; shl.b32 a3, a3, {sa};
         shl.b32 b0, b0, {sb}; shl.b32 b1, b1, {sb};
         mov.b32 one, 0x7f7f7f7f; mov.b32 two, 0x80808080;
         mov.f32 d0, 0f00000000; mov.f32 d1, 0f00000000; mov.f32 d2, 0f00000000; mov.f32 d3, 0f00000000;
         {name} {{d0, d1, d2, d3}}, {{a0, a1, a2, a3}}, {{b0, b1}}, {{d0, d1, d2, d3}}, two, {{0, 0}}, one, {{0, 0}};
         st.global.v2.f32 [$2], {{d0, d1}}; st.global.v2.f32 [$2+256], {{d2, d3}}; }}",
        sa = shifts[0],
        sb = shifts[1]
    )
    .replace('\n', " ");
    // Lane i has the address of row i of the matrices, and lanes 4 g and on have row g of D.
    let body = format!(
        "%t = nvvm.read.ptx.sreg.laneid : i32
         %c3 = llvm.mlir.constant(3 : i32) : i32
         %c4 = llvm.mlir.constant(4 : i32) : i32
         %c15 = llvm.mlir.constant(15 : i32) : i32
         %all = llvm.mlir.constant(-1 : i32) : i32
         %sa = llvm.mlir.addressof @a : !llvm.ptr<3>
         %sb = llvm.mlir.addressof @b : !llvm.ptr<3>
         %t16 = llvm.shl %t, %c4 : i32
         %u = llvm.and %t, %c15 : i32
         %u16 = llvm.shl %u, %c4 : i32
         %ga = llvm.getelementptr %a[%t16] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         %gb = llvm.getelementptr %b[%u16] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         %pa = llvm.getelementptr %sa[%t16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %pb = llvm.getelementptr %sb[%u16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %va = llvm.load %ga : !llvm.ptr<1> -> vector<4xi32>
         %vb = llvm.load %gb : !llvm.ptr<1> -> vector<4xi32>
         llvm.store %va, %pa : vector<4xi32>, !llvm.ptr<3>
         llvm.store %vb, %pb : vector<4xi32>, !llvm.ptr<3>
         nvvm.bar.warp.sync %all : i32
         %t8 = llvm.shl %t, %c3 : i32
         %o = llvm.getelementptr %out[%t8] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         llvm.inline_asm has_side_effects \"{text}\", \"r,r,l\" %pa, %pb, %o : (!llvm.ptr<3>, !llvm.ptr<3>, !llvm.ptr<1>) -> ()"
    );
    let globals = "llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
         llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i8>\n";
    let parameters = "%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>";
    let program = program(&format!("{globals}{}", function(parameters, &body)));
    let mut memory = Memory::new();
    let bytes = [rows(&of_a, k, a.bits() as usize), rows(&of_b, k, b.bits() as usize)];
    let buffers = [memory.upload(&bytes[0]), memory.upload(&bytes[1]), memory.zeroed::<f32>(128)];
    let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
    program.run(&launch, &mut memory, &buffers.map(Arg::Buffer)).unwrap_or_else(|e| panic!("{e}"));
    (memory.download::<f32>(buffers[2]), expected)
}

/// The bits by which e2m1 is shifted for the kinds whose numbers have bytes.
fn shift(element: Element) -> u32 {
    if element == Element::E2m1 { 2 } else { 0 }
}

#[test]
fn unpacked_e2m1_is_shifted_by_two_bits_and_e2m3_and_e3m2_are_not() {
    use Element::{E2m1, E2m3, E3m2};
    let small = [E2m1, E2m3, E3m2];
    for a in small {
        for b in small {
            let right = [shift(a), shift(b)];
            let (found, expected) = multiply([a, b], false, right);
            assert_eq!(found, expected, "{a} by {b}");
            // The same without the shift of one of them, or with one too many.
            for twin in [[2 - right[0], right[1]], [right[0], 2 - right[1]]] {
                let (found, expected) = multiply([a, b], false, twin);
                assert_ne!(found, expected, "{a} by {b}, shifted by {twin:?}");
            }
        }
    }
}

#[test]
fn packed_e2m1_is_not_shifted() {
    let (found, expected) = multiply([Element::E2m1; 2], true, [0; 2]);
    assert_eq!(found, expected);
    for twin in [[2, 0], [0, 2]] {
        let (found, expected) = multiply([Element::E2m1; 2], true, twin);
        assert_ne!(found, expected, "shifted by {twin:?}");
    }
}

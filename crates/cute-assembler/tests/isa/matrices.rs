//! Matrices of 8 x 8 between registers and shared memory, and turned in registers: numbers of
//! matrices, addresses of rows and types (PTX ISA: ldmatrix, stmatrix, movmatrix).

use super::{Grid, lanes};

/// Element `2 l + h` of matrix `r`, row after row: register r of lane l has two, as PTX draws.
const NUMBERED: &str = "shl.b32 %r10, %r1, 1; mad.lo.u32 %r10, %r10, 0x10001, 0x10000;
    add.u32 %r11, %r10, 0x400040; add.u32 %r12, %r10, 0x800080; add.u32 %r13, %r10, 0xc000c0;";

/// The address of row l of 16 bytes; from a number of lanes on it is not an address.
fn rows(count: u32) -> String {
    format!(
        "mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 16, %r4; setp.ge.u32 %p0, %r1, {count}; @%p0 mov.b32 %r4, 0xfffffff1;"
    )
}

/// Word l of a matrix, whose elements lie row after row, or turned.
fn word(matrix: u32, lane: u32, is_turned: bool) -> u32 {
    let element = |at: u32| 64 * matrix + if is_turned { at % 8 * 8 + at / 8 } else { at };
    element(2 * lane) | element(2 * lane + 1) << 16
}

const FORMS: [(u32, &str); 3] = [(1, "{%r10}"), (2, "{%r10, %r11}"), (4, "{%r10, %r11, %r12, %r13}")];

/// Rows are those of the first 8, 16 or 32 lanes, and other lanes need no address.
#[test]
fn matrices_are_stored() {
    for (count, registers) in FORMS {
        for matrix in 0..count {
            for (form, is_turned) in [("", false), (".trans", true)] {
                for space in [".shared", ".shared::cta"] {
                    let body = format!(
                        "{NUMBERED} {}
                         stmatrix.sync.aligned.m8n8.x{count}{form}{space}.b16 [%r4], {registers};
                         bar.warp.sync -1; mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; ld.shared.u32 %r2, [%r5+{}];",
                        rows(8 * count),
                        128 * matrix
                    );
                    let expected = lanes(|lane| word(matrix, lane, is_turned));
                    assert_eq!(Grid::WARP.run(&body, &[0; 32]), Ok(expected), "{body}");
                }
            }
        }
    }
    // A generic address without a space, and rows in the opposite order.
    let generic = format!(
        "{NUMBERED} mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; sub.u32 %r4, 7, %r1;
         mad.wide.s32 %rd3, %r4, 16, %rd3; stmatrix.sync.aligned.m8n8.x1.b16 [%rd3], {{%r10}};
         bar.warp.sync -1; mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; ld.shared.u32 %r2, [%r5];"
    );
    let expected = lanes(|lane| word(0, (7 - lane / 4) * 4 + lane % 4, false));
    assert_eq!(Grid::WARP.run(&generic, &[0; 32]), Ok(expected));
}

/// Lane l has rows l / 4 and 8 more of columns 2 (l % 4) and the next one of a matrix of 16 x 8
/// bytes. A row of 16 bytes in memory is a column.
#[test]
fn bytes_are_stored_turned() {
    for (count, registers) in FORMS {
        for matrix in 0..count {
            // Register r of lane l has the bytes 128 r + 4 l and so on, modulo 256.
            let body = format!(
                "mad.lo.u32 %r10, %r1, 0x04040404, 0x03020100; xor.b32 %r11, %r10, 0x80808080;
                 mov.b32 %r12, %r10; mov.b32 %r13, %r11; {}
                 stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8 [%r4], {registers};
                 bar.warp.sync -1; mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; ld.shared.u32 %r2, [%r5+{}];",
                rows(8 * count),
                128 * matrix
            );
            let byte = |column: u32, row: u32| {
                let (lane, part) = (4 * (row % 8) + column / 2, 2 * (row / 8) + column % 2);
                (128 * matrix + 4 * lane + part) as u8
            };
            let expected =
                lanes(|lane| u32::from_le_bytes([0, 1, 2, 3].map(|i| byte(lane / 4, lane % 4 * 4 + i))));
            assert_eq!(Grid::WARP.run(&body, &[0; 32]), Ok(expected), "{body}");
        }
    }
}

/// Words of 128 rows, numbered like the elements that `word` expects.
const FILLED: &str = "mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; st.shared.u32 [%r5], %r10;
    st.shared.u32 [%r5+128], %r11; st.shared.u32 [%r5+256], %r12; st.shared.u32 [%r5+384], %r13; bar.warp.sync -1;";

#[test]
fn matrices_are_loaded() {
    for (count, registers) in FORMS {
        for matrix in 0..count {
            for (form, is_turned) in [("", false), (".trans", true)] {
                let body = format!(
                    "{NUMBERED} {FILLED} {}
                     ldmatrix.sync.aligned.m8n8.x{count}{form}.shared.b16 {registers}, [%r4]; mov.b32 %r2, %r1{matrix};",
                    rows(8 * count)
                );
                let expected = lanes(|lane| word(matrix, lane, is_turned));
                assert_eq!(Grid::WARP.run(&body, &[0; 32]), Ok(expected), "{body}");
            }
        }
    }
    // A row that all lanes name, and rows at any multiple of 16 bytes.
    let body = format!(
        "{NUMBERED} {FILLED} mov.u32 %r4, tile; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r2}}, [%r4+16];"
    );
    assert_eq!(Grid::WARP.run(&body, &[0; 32]), Ok(lanes(|lane| word(0, 4 + lane % 4, false))));
    // Bytes of 16 x 16: lane l has rows 4 (l % 4) and the next three of columns l / 4 and 8 more.
    for half in 0..2 {
        let body = format!(
            "mad.lo.u32 %r10, %r1, 0x04040404, 0x03020100; xor.b32 %r11, %r10, 0x80808080;
             mov.b32 %r12, 0; mov.b32 %r13, 0; {FILLED} {}
             ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {{%r14, %r15}}, [%r4]; mov.b32 %r2, %r1{};",
            rows(16),
            4 + half
        );
        // Byte 16 i + j of the tile has this number.
        let expected = lanes(|lane| {
            u32::from_le_bytes([0, 1, 2, 3].map(|i| (16 * (lane % 4 * 4 + i) + lane / 4 + 8 * half) as u8))
        });
        assert_eq!(Grid::WARP.run(&body, &[0; 32]), Ok(expected), "{body}");
    }
}

#[test]
fn rows_of_matrices_are_checked() {
    for (body, message) in [
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile+8], {%r1};", "is not aligned to 16 bytes"),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile+8192], {%r1};", "16 bytes at byte 8192 of"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile+4];", "is not aligned to 16 bytes"),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile+8192];", "16 bytes at byte 8192 of"),
        // The tile has not been written.
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile];", "byte 0 of shared memory @tile"),
        ("movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r9;", "the stored value is undefined"),
        (
            "setp.eq.u32 %p0, %r1, 9; @%p0 exit; movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;",
            "thread (9, 0, 0) has returned",
        ),
        (
            "setp.eq.u32 %p0, %r1, 9; @%p0 exit; stmatrix.sync.aligned.m8n8.x1.shared.b16 [tile], {%r1};",
            "thread (9, 0, 0) has returned",
        ),
        (
            "setp.eq.u32 %p0, %r1, 9; @%p0 exit; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile];",
            "thread (9, 0, 0) has returned",
        ),
        ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [tile], {%r1};", "the instruction takes"),
        ("stmatrix.sync.aligned.m16n8.x1.shared.b8 [tile], {%r1};", "is not modelled"),
        ("ldmatrix.sync.aligned.m16n16.x4.trans.shared.b8 {%r1}, [tile];", "is not modelled"),
    ] {
        Grid::WARP.fails(body, message);
    }
}

/// Turned twice, a matrix is itself.
#[test]
fn matrices_are_turned_in_registers() {
    let once = format!("{NUMBERED} movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r10;");
    assert_eq!(Grid::WARP.run(&once, &[0; 32]), Ok(lanes(|lane| word(0, lane, true))));
    let twice = format!("{once} movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r2;");
    assert_eq!(Grid::WARP.run(&twice, &[0; 32]), Ok(lanes(|lane| word(0, lane, false))));
    // The identity of f16: element (i, i) is the one of number 9 i.
    let diagonal = lanes(|lane| {
        let one = |number: u32| if number.is_multiple_of(9) { 0x3c00 } else { 0 };
        one(2 * lane) | one(2 * lane + 1) << 16
    });
    let turned = "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r0;";
    assert_eq!(Grid::WARP.run(turned, &diagonal), Ok(diagonal.clone()));
    // Above the diagonal becomes below: the element of number 1 goes to number 8.
    let one = lanes(|lane| if lane == 0 { 0x3c00 << 16 } else { 0 });
    assert_eq!(Grid::WARP.run(turned, &one), Ok(lanes(|lane| if lane == 4 { 0x3c00 } else { 0 })));
}

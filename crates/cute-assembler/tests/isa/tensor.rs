//! Tensor memory: numbers of columns, lanes and columns of each shape, halves of words, waits,
//! groups that are committed, and products at the edges (PTX ISA: tcgen05).

use super::{Grid, f};

const GROUP: Grid<'static> = Grid { threads: 128, ..Grid::WARP };

/// Warp 0 allocates columns, all threads run a body, and warp 0 frees them. `%r10` is the address
/// of the columns, and `%r11` that of the warp's own lanes.
fn with_columns(columns: &str, body: &str) -> String {
    format!(
        "setp.ge.u32 %p0, %r1, 32; @%p0 bra allocated;
         tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], {columns};
         tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
         setp.eq.u32 %p7, %r1, 0; @%p7 mbarrier.init.shared.b64 [bar], 1;
         allocated: tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
         ld.shared.u32 %r10, [tile]; shr.u32 %r11, %r1, 5; shl.b32 %r11, %r11, 21; add.u32 %r11, %r11, %r10;
         {body}
         tcgen05.fence::before_thread_sync; bar.sync 0; @%p0 bra freed;
         tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, {columns};
         freed:"
    )
}

fn run(body: &str) -> Vec<u32> {
    GROUP.run(body, &[0; 128]).unwrap_or_else(|e| panic!("{body}: {e}"))
}

/// A power of 2 from 32 to 512, in a constant or a register.
#[test]
fn columns_are_allocated() {
    for columns in [32, 64, 128, 256, 512] {
        assert_eq!(run(&with_columns(&columns.to_string(), "mov.b32 %r2, %r10;")), [0; 128], "{columns}");
        let register = with_columns("%r12", "mov.b32 %r2, %r10;");
        assert_eq!(run(&format!("mov.b32 %r12, {columns}; {register}")), [0; 128], "{columns}");
    }
    for columns in ["0", "1", "16", "31", "33", "48", "96", "511", "513", "1024", "0x80000020"] {
        let body = with_columns(columns, "");
        GROUP.fails(&body, "tensor memory is allocated in powers of 2 from 32 to 512 columns");
    }
    let in_warp = |text: &str| {
        let alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32";
        let dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32";
        text.replace("ALLOC", alloc).replace("FREE", dealloc)
    };
    // Both halves, which are freed in the other order; a part that was freed is allocated again.
    let halves = in_warp(
        "ALLOC [tile], 256; ALLOC [tile+4], 256; ld.shared.v2.u32 {%r4, %r5}, [tile]; FREE %r4, 256;
         ALLOC [tile+8], 128; ld.shared.u32 %r6, [tile+8]; FREE %r5, 256; FREE %r6, 128;
         shl.b32 %r5, %r5, 8; or.b32 %r2, %r4, %r5; shl.b32 %r6, %r6, 24; or.b32 %r2, %r2, %r6;",
    );
    assert_eq!(Grid::WARP.run(&halves, &[0; 32]), Ok(vec![256 << 8; 32]));
    for (text, message) in [
        ("ALLOC [tile], 512; ALLOC [tile+4], 32;", "no thread can go on"),
        ("ALLOC [tile], 64;", "are still allocated when the block returns"),
        ("ALLOC [tile], 64; ld.shared.u32 %r4, [tile]; FREE %r4, 32;", "are freed"),
        ("ALLOC [tile], 64; ld.shared.u32 %r4, [tile]; FREE %r4, 64; FREE %r4, 64;", "are freed"),
        ("mov.b32 %r4, 0; FREE %r4, 32;", "are freed"),
        ("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; ALLOC [tile], 32;", "gave up the right"),
        ("ALLOC [tile+2], 32;", "is not aligned to 4 bytes"),
        ("ALLOC [tile+8192], 32;", "4 bytes at byte 8192 of"),
        ("setp.eq.u32 %p0, %r1, 9; @%p0 exit; ALLOC [tile], 32;", "thread (9, 0, 0) has returned"),
        ("add.u32 %r4, %r1, 32; ALLOC [tile], %r4;", "all threads of the warp must pass the same"),
    ] {
        Grid::WARP.fails(&in_warp(text), message);
    }
}

/// Column c of lane l is 1000 l + c, in the first eight columns.
const NUMBERED: &str =
    "mul.lo.u32 %r20, %r1, 1000; add.u32 %r21, %r20, 1; add.u32 %r22, %r20, 2; add.u32 %r23, %r20, 3;
    add.u32 %r24, %r20, 4; add.u32 %r25, %r20, 5; add.u32 %r26, %r20, 6; add.u32 %r27, %r20, 7;
    tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27};
    tcgen05.wait::st.sync.aligned;";

/// The lane and column of a register of a thread in a warp, as PTX draws them.
type Place = fn(u32, u32) -> (u32, u32);

const SHAPES: [(&str, u32, &str, Place); 5] = [
    ("32x32b.x8", 8, "", |t, r| (t, r)),
    ("16x64b.x4", 4, "", |t, r| (t / 4 + t % 2 * 8, 2 * r + t / 2 % 2)),
    ("16x128b.x2", 4, "", |t, r| (t / 4 + r % 2 * 8, r / 2 * 4 + t % 4)),
    ("16x256b.x1", 4, "", |t, r| (t / 4 + r / 2 % 2 * 8, t % 4 * 2 + r % 2)),
    ("16x32bx2.x4", 4, ", 4", |t, r| (t % 16, r + t / 16 * 4)),
];

fn list(first: u32, count: u32) -> String {
    let all: Vec<String> = (first..first + count).map(|i| format!("%r{i}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// Each register of each shape; of 16 lanes, the first and the last of a warp.
#[test]
fn shapes_are_loaded() {
    for (shape, count, offset, place) in SHAPES {
        for upper in [0, 16].into_iter().take(if count == 8 { 1 } else { 2 }) {
            for register in 0..count {
                let body = format!(
                    "{NUMBERED} add.u32 %r12, %r11, {}; tcgen05.ld.sync.aligned.{shape}.b32 {}, [%r12]{offset};
                     tcgen05.wait::ld.sync.aligned; mov.b32 %r2, %r{};",
                    upper << 16,
                    list(30, count),
                    30 + register
                );
                let expected = (0..128).map(|thread| {
                    let (lane, column) = place(thread % 32, register);
                    1000 * (thread / 32 * 32 + upper + lane) + column
                });
                assert_eq!(
                    run(&with_columns("32", &body)),
                    expected.collect::<Vec<u32>>(),
                    "{shape} {register}"
                );
            }
        }
    }
    // Two elements of 16 bits from two columns are one register; what is above them is cut.
    let packed = format!(
        "{NUMBERED} tcgen05.ld.sync.aligned.32x32b.x4.pack::16b.b32 {}, [%r11]; tcgen05.wait::ld.sync.aligned; mov.b32 %r2, %r33;",
        list(30, 4)
    );
    let halves = |thread: u32, column: u32| {
        let word = 1000 * thread + column;
        word & 0xffff | ((word + 1) & 0xffff) << 16
    };
    let expected: Vec<u32> = (0..128).map(|thread| halves(thread, 6)).collect();
    assert_eq!(run(&with_columns("32", &packed)), expected);
}

/// A store of a shape writes to the lanes and columns that PTX draws.
#[test]
fn shapes_are_stored() {
    for (shape, count, offset, place) in SHAPES {
        for upper in [0, 16].into_iter().take(if count == 8 { 1 } else { 2 }) {
            // Register r of thread t is 10000 + 16 t + r.
            let values: String =
                (0..count).map(|r| format!("mad.lo.u32 %r{}, %r1, 16, {};", 30 + r, 10000 + r)).collect();
            for column in 0..8 {
                let body = format!(
                    "{NUMBERED} {values} add.u32 %r12, %r11, {};
                     tcgen05.st.sync.aligned.{shape}.b32 [%r12]{offset}, {}; tcgen05.wait::st.sync.aligned;
                     tcgen05.ld.sync.aligned.32x32b.x8.b32 {}, [%r11]; tcgen05.wait::ld.sync.aligned;
                     mov.b32 %r2, %r{};",
                    upper << 16,
                    list(30, count),
                    list(40, 8),
                    40 + column
                );
                let mut expected: Vec<u32> = (0..128).map(|lane| 1000 * lane + column).collect();
                for (thread, register) in (0..128).flat_map(|t| (0..count).map(move |r| (t, r))) {
                    let (lane, at) = place(thread % 32, register);
                    if at == column {
                        expected[(thread / 32 * 32 + upper + lane) as usize] = 10000 + 16 * thread + register;
                    }
                }
                assert_eq!(run(&with_columns("32", &body)), expected, "{shape} {column}");
            }
        }
    }
    // One register is two columns of 16 bits.
    for (column, expected) in [(0, 0x5678), (1, 0x1234), (2, 0xffff), (3, 0)] {
        let body = format!(
            "mov.b32 %r30, 0x12345678; mov.b32 %r31, 0xffff;
             tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%r11], {{%r30, %r31}}; tcgen05.wait::st.sync.aligned;
             tcgen05.ld.sync.aligned.32x32b.x4.b32 {}, [%r11]; tcgen05.wait::ld.sync.aligned;
             and.b32 %r2, %r{}, 0xffff;",
            list(40, 4),
            40 + column
        );
        assert_eq!(run(&with_columns("32", &body)), [expected; 128], "{column}");
    }
}

/// Columns end with the allocation and lanes with the warp's own; each access is waited for.
#[test]
fn accesses_of_tensor_memory_are_checked() {
    let load = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r12]; tcgen05.wait::ld.sync.aligned;";
    let last = format!("{NUMBERED} add.u32 %r12, %r11, 7; {load}");
    assert_eq!(run(&with_columns("32", &last)), (0..128).map(|lane| 1000 * lane + 7).collect::<Vec<u32>>());
    // Devices take the warp's own lanes, whichever the address names.
    for lanes in ["0", "0x200000", "0x800000"] {
        let other = format!("{NUMBERED} add.u32 %r12, %r10, {lanes}; {load}");
        assert_eq!(run(&with_columns("32", &other)), (0..128).map(|lane| 1000 * lane).collect::<Vec<u32>>());
    }
    // 128 registers, in the last columns.
    let values: String = (0..128).map(|i| format!("mov.b32 s{i}, {i}; ")).collect();
    let registers: Vec<String> = (0..128).map(|i| format!("s{i}")).collect();
    let all = format!(
        "{{ .reg .b32 s<128>; {values} add.u32 %r12, %r11, 384;
         tcgen05.st.sync.aligned.32x32b.x128.b32 [%r12], {{{}}}; tcgen05.wait::st.sync.aligned; }}
         add.u32 %r12, %r11, 511; {load}",
        registers.join(", ")
    );
    assert_eq!(run(&with_columns("512", &all)), [127; 128]);
    for (body, message) in [
        (
            format!("{NUMBERED} add.u32 %r12, %r11, 32; {load}"),
            "columns 32 to 32 of tensor memory are not all allocated",
        ),
        (format!("{NUMBERED} add.u32 %r12, %r11, 511; {load}"), "are not all allocated"),
        (
            format!(
                "{NUMBERED} add.u32 %r12, %r11, 511; tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r2, %r4}}, [%r12];"
            ),
            "tensor memory has 128 lanes and 512 columns",
        ),
        (
            format!("{NUMBERED} add.u32 %r12, %r11, 0x10000; {load}"),
            "names lane 1, but this shape begins at a lane that is a multiple of 32",
        ),
        (
            format!(
                "{NUMBERED} add.u32 %r12, %r11, 0x80000; tcgen05.ld.sync.aligned.16x64b.x1.b32 {{%r2}}, [%r12];"
            ),
            "names lane 8, but this shape begins at a lane that is a multiple of 16",
        ),
        (format!("{NUMBERED} add.u32 %r12, %r11, %r1; {load}"), "all threads of the warp must pass the same"),
        (format!("{NUMBERED} add.u32 %r12, %r11, 9; {load}"), "the stored value is undefined"),
        (
            format!("{NUMBERED} tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r4}}, [%r11]; mov.b32 %r2, %r4;"),
            "tcgen05.wait::ld",
        ),
        (
            format!("{} mov.b32 %r12, %r11; {load}", NUMBERED.replace("tcgen05.wait::st.sync.aligned;", "")),
            "tcgen05.wait::st",
        ),
        (
            format!("{NUMBERED} setp.eq.u32 %p1, %r1, 70; @%p1 exit; mov.b32 %r12, %r11; {load}"),
            "thread (70, 0, 0) has returned",
        ),
    ] {
        GROUP.fails(&with_columns("32", &body), message);
    }
}

/// The least or the greatest of a thread's words, as signed, unsigned or real numbers.
#[test]
fn loads_are_reduced() {
    let words = "mov.b32 %r20, 5; mov.b32 %r21, 0xfffffffe; mov.b32 %r22, 0x80000000; mov.b32 %r23, 0x7fc00000;
        tcgen05.st.sync.aligned.32x32b.x4.b32 [%r11], {%r20, %r21, %r22, %r23}; tcgen05.wait::st.sync.aligned;";
    for (load, expected) in [
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.min.u32", 5),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.max.u32", 0xffff_fffe),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.min.s32", 0x8000_0000),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.max.s32", 0x7fc0_0000),
        // 5 is the least positive number but four, -0 is below it, and two words are NaN.
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.min.f32", 0x8000_0000),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.max.f32", 5),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.max.NaN.f32", 0x7fff_ffff),
        ("tcgen05.ld.red.sync.aligned.32x32b.x4.min.abs.f32", 0),
    ] {
        let body =
            format!("{words} {load} {{%r30, %r31, %r32, %r33}}, %r2, [%r11]; tcgen05.wait::ld.sync.aligned;");
        assert_eq!(run(&with_columns("32", &body)), [expected; 128], "{load}");
    }
    let two = format!(
        "{NUMBERED} tcgen05.ld.red.sync.aligned.16x32bx2.x4.max.u32 {{%r30, %r31, %r32, %r33}}, %r2, [%r11], 4;
         tcgen05.wait::ld.sync.aligned;"
    );
    let expected = (0..128).map(|t| 1000 * (t / 32 * 32 + t % 16) + 3 + t % 32 / 16 * 4);
    assert_eq!(run(&with_columns("32", &two)), expected.collect::<Vec<u32>>());
}

const WAIT: &str = "again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again; tcgen05.fence::after_thread_sync;";

/// All words of the tile become this one. `%rd3` describes rows from its beginning on, and `%rd4`
/// rows from byte 4096 on, with these bytes between two columns of 16 bytes.
fn filled(word: &str, [a, b]: [u64; 2]) -> String {
    let stores: String = (0..16).map(|i| format!("st.shared.u32 [%r4+{}], %r5; ", 512 * i)).collect();
    format!(
        "bar.sync 0; mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 4, %r4; mov.b32 %r5, {word}; {stores}
         fence.proxy.async; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
         mov.u32 %r4, tile; shr.u32 %r4, %r4, 4; cvt.u64.u32 %rd3, %r4; add.u64 %rd4, %rd3, {};
         or.b64 %rd3, %rd3, {}; or.b64 %rd4, %rd4, {}; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p3, 0, 0; ",
        4096 / 16,
        1 << 46 | (a / 16) << 16 | (128 / 16) << 32,
        1 << 46 | (b / 16) << 16 | (128 / 16) << 32,
    )
}

/// A commit signals the blocks of a mask, also if nothing has been issued.
#[test]
fn commits_signal_barriers() {
    let commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];";
    let several = "mov.b16 %h1, 1; @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [bar], %h1;";
    let first = "setp.eq.u32 %p1, %r1, 0;";
    for text in [format!("{first} @%p1 {commit}"), format!("{first} {several}")] {
        assert_eq!(run(&with_columns("32", &format!("{text} {WAIT} mov.b32 %r2, 1;"))), [1; 128]);
    }
    for (text, message) in [
        (format!("{first} {}", several.replace("%h1, 1;", "%h1, 2;")), "block 1 of the cluster"),
        (format!("{first} {}", several.replace("%h1, 1;", "%h1, 0;")), "no thread can go on"),
        (format!("{first} @%p1 {}", commit.replace("[bar]", "[tile+64]")), "is not initialised"),
        (format!("{first} @%p1 {}", commit.replace("[bar]", "[tile+68]")), "is not aligned to 8 bytes"),
    ] {
        GROUP.fails(&with_columns("32", &format!("{text} {WAIT}")), message);
    }
}

/// Lanes of each shape, of which several warps have the same rows. Word w of the tile is w.
#[test]
fn rows_are_copied_to_lanes() {
    let numbered: String =
        (0..16).map(|i| format!("st.shared.u32 [%r4+{}], %r6; add.u32 %r6, %r6, 128; ", 512 * i)).collect();
    let numbered = filled("%r1", [0, 0]).replace(
        &(0..16).map(|i| format!("st.shared.u32 [%r4+{}], %r5; ", 512 * i)).collect::<String>(),
        &format!("mov.b32 %r6, %r1; {numbered}"),
    );
    let nothing = "mov.b32 %r30, -1; tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {%r30, %r30, %r30, %r30, %r30, %r30, %r30, %r30};
        tcgen05.wait::st.sync.aligned;";
    // The row of a lane, if it has one. Rows of 16 bytes are in blocks of 8, which are 128 bytes.
    for (copy, rows, of_lane) in [
        ("tcgen05.cp.cta_group::1.128x128b", 128, (|lane| Some(lane)) as fn(u32) -> Option<u32>),
        ("tcgen05.cp.cta_group::1.128x256b", 128, |lane| Some(lane)),
        ("tcgen05.cp.cta_group::1.4x256b", 4, |lane| lane.is_multiple_of(32).then_some(lane / 32)),
        ("tcgen05.cp.cta_group::1.64x128b.warpx2::02_13", 64, |lane| Some(lane % 64)),
        ("tcgen05.cp.cta_group::1.64x128b.warpx2::01_23", 64, |lane| Some(lane / 64 * 32 + lane % 32)),
        ("tcgen05.cp.cta_group::1.32x128b.warpx4", 32, |lane| Some(lane % 32)),
    ] {
        let words = if copy.contains("256b") { 8 } else { 4 };
        // Behind the rows, or the eight that begin with four of them, is the second column.
        let leading = u64::from(16 * u32::max(rows, 8));
        for column in [0, 3, 4, 7] {
            let body = format!(
                "{nothing} {} or.b64 %rd3, %rd3, {}; @%p1 {copy} [%r10], %rd3;
                 @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar]; {WAIT}
                 tcgen05.ld.sync.aligned.32x32b.x8.b32 {}, [%r11]; tcgen05.wait::ld.sync.aligned;
                 mov.b32 %r2, %r{};",
                numbered,
                (leading / 16) << 16,
                list(40, 8),
                40 + column
            );
            let expected = (0..128).map(|lane| match of_lane(lane) {
                Some(row) if column < words => column / 4 * (leading as u32 / 4) + row * 4 + column % 4,
                _ => u32::MAX,
            });
            assert_eq!(run(&with_columns("32", &body)), expected.collect::<Vec<u32>>(), "{copy} {column}");
        }
    }
}

/// A product of 128 x 16 whose operands are one number everywhere, and whose accumulators begin
/// with a word: the word of lane 5.
fn product(descriptor: u32, word: &str, c: u64, issue: &str) -> Vec<u32> {
    let begin = format!(
        "mov.b32 %r20, {c}; tcgen05.st.sync.aligned.32x32b.x16.b32 [%r11], {{{}}}; tcgen05.wait::st.sync.aligned;",
        ["%r20"; 16].join(", ")
    );
    let body = format!(
        "{begin} {} mov.b32 %r6, {descriptor}; mov.b32 %r7, -1; mov.b32 %r8, 0; @!%p1 bra issued; {issue}
         tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar]; issued: {WAIT}
         tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r2}}, [%r11]; tcgen05.wait::ld.sync.aligned;",
        filled(word, [2048, 256])
    );
    run(&with_columns("64", &body))
}

/// 128 x 16 in an instruction descriptor.
const SHAPE: u32 = 2 << 17 | 8 << 24;
const F32: u32 = 1 << 4;
const NAN: u32 = 0x7fff_ffff;

#[test]
fn tiles_are_multiplied() {
    let bits = |value: f32| value.to_bits();
    let halves = "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, %p3;";
    let none = "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, !%p3;";
    for (issue, descriptor, word, c, d) in [
        (halves, F32, "0x3c003c00", f(1.), bits(17.)),
        (none, F32, "0x3c003c00", f(f32::NAN), bits(16.)),
        // The signs of A and of B.
        (halves, F32 | 1 << 13, "0x3c003c00", f(1.), bits(-15.)),
        (halves, F32 | 3 << 13, "0x3c003c00", f(1.), bits(17.)),
        (halves, F32, "0x78007800", 0, bits(2f32.powi(34))),
        (halves, F32, "0x00010001", 0, bits(2f32.powi(-44))),
        (halves, F32, "0x7c007c00", 0, bits(f32::INFINITY)),
        (halves, F32, "0x7c007c00", f(f32::NEG_INFINITY), NAN),
        (halves, F32, "0xfe00fe00", 0, NAN),
        // bf16: the largest number squared is infinite.
        (halves, F32 | 1 << 7 | 1 << 10, "0x7f7f7f7f", 0, bits(f32::INFINITY)),
        (halves, F32 | 1 << 7 | 1 << 10, "0x3f803f80", f(-16.), 0),
        // Two products in a row, and an accumulator that is divided by a power of 2 before.
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, !%p3; tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, %p3;",
            F32,
            "0x3c003c00",
            f(1.),
            bits(32.),
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, %p3, 0;",
            F32,
            "0x3c003c00",
            f(1.),
            bits(17.),
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, %p3, 1;",
            F32,
            "0x3c003c00",
            f(5.),
            bits(18.5),
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, %p3, 15;",
            F32,
            "0",
            f(1.),
            bits(2f32.powi(-15)),
        ),
        // Buffers of A that are filled, used and given up change no number.
        (
            "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r10], %rd3, %rd4, %r6, !%p3;
             tcgen05.mma.cta_group::1.kind::f16.collector::a::use [%r10], %rd3, %rd4, %r6, %p3;
             tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [%r10], %rd3, %rd4, %r6, %p3;
             tcgen05.mma.cta_group::1.kind::f16.collector::a::discard [%r10], %rd3, %rd4, %r6, %p3;",
            F32,
            "0x3c003c00",
            0,
            bits(64.),
        ),
        // tf32 does not read 13 bits; 8 numbers along K.
        (
            "tcgen05.mma.cta_group::1.kind::tf32 [%r10], %rd3, %rd4, %r6, %p3;",
            F32 | 2 << 7 | 2 << 10,
            "0x3f801fff",
            0,
            bits(8.),
        ),
        // e4m3 and e5m2.
        (
            "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r10], %rd3, %rd4, %r6, %p3;",
            F32,
            "0x7e7e7e7e",
            0,
            bits(32. * 448. * 448.),
        ),
        ("tcgen05.mma.cta_group::1.kind::f8f6f4 [%r10], %rd3, %rd4, %r6, %p3;", F32, "0x7f7f7f7f", 0, NAN),
        (
            "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r10], %rd3, %rd4, %r6, %p3;",
            F32 | 1 << 7 | 1 << 10,
            "0x7c7c7c7c",
            0,
            bits(f32::INFINITY),
        ),
        // Bytes with and without a sign; sums wrap, or stay at the limit (bit 3).
        ("tcgen05.mma.cta_group::1.kind::i8 [%r10], %rd3, %rd4, %r6, %p3;", 2 << 4, "-1", 0, 32 * 255 * 255),
        (
            "tcgen05.mma.cta_group::1.kind::i8 [%r10], %rd3, %rd4, %r6, %p3;",
            2 << 4 | 1 << 7 | 1 << 10,
            "-1",
            0,
            32,
        ),
        (
            "tcgen05.mma.cta_group::1.kind::i8 [%r10], %rd3, %rd4, %r6, %p3;",
            2 << 4 | 1 << 7 | 1 << 10,
            "0x80808080",
            0x7fff_ffff,
            0x7fff_ffff + 32 * 128 * 128,
        ),
        (
            "tcgen05.mma.cta_group::1.kind::i8 [%r10], %rd3, %rd4, %r6, %p3;",
            2 << 4 | 1 << 7 | 1 << 10 | 1 << 3,
            "0x80808080",
            0x7fff_ffff,
            0x7fff_ffff,
        ),
    ] {
        let found = product(SHAPE | descriptor, word, c, issue);
        assert_eq!(found, [d; 128], "{issue} {descriptor:#x} {word} {c:#x}");
    }
    // Lanes whose bits are set are not written: 0 to 31, and 64.
    let masked = "mov.b32 %r9, 1; tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, {%r7, %r8, %r9, %r8}, %p3;";
    let expected: Vec<u32> =
        (0..128).map(|lane| bits(if lane < 32 || lane == 64 { 1. } else { 17. })).collect();
    assert_eq!(product(SHAPE | F32, "0x3c003c00", f(1.), masked), expected);
}

/// 128 x 64 in an instruction descriptor.
const WIDE: u32 = 8 << 17 | 8 << 24;

/// A product of 128 x 64 like that of `product`, with a word of scale factors in each lane: the
/// last column of D.
fn wide(descriptor: u32, word: u32, factor: u32, issue: &str) -> Vec<u32> {
    let body = format!(
        "mov.b32 %r20, {factor}; add.u32 %r12, %r11, 64;
         tcgen05.st.sync.aligned.32x32b.x8.b32 [%r12], {{{}}}; tcgen05.wait::st.sync.aligned;
         {} mov.b32 %r6, {descriptor}; add.u32 %r12, %r10, 64; add.u32 %r13, %r10, 68; @!%p1 bra issued; {issue}
         tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar]; issued: {WAIT}
         add.u32 %r12, %r11, 63; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r2}}, [%r12]; tcgen05.wait::ld.sync.aligned;",
        ["%r20"; 8].join(", "),
        filled(&word.to_string(), [2048, 1024])
    );
    run(&with_columns("128", &body))
}

/// The buffers of B change no number.
#[test]
fn weights_are_multiplied() {
    let bits = |value: f32| value.to_bits();
    for (issue, descriptor, word, d) in [
        ("tcgen05.mma.ws.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, !%p3;", F32, 0x3c00_3c00, bits(16.)),
        (
            "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::fill [%r10], %rd3, %rd4, %r6, !%p3;
             tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::use [%r10], %rd3, %rd4, %r6, %p3;
             tcgen05.mma.ws.cta_group::1.kind::f16.collector::b0::lastuse [%r10], %rd3, %rd4, %r6, %p3;
             tcgen05.mma.ws.cta_group::1.kind::f16.collector::b3::discard [%r10], %rd3, %rd4, %r6, %p3;",
            F32,
            0x3c00_3c00,
            bits(64.),
        ),
        ("tcgen05.mma.ws.cta_group::1.kind::f16 [%r10], %rd3, %rd4, %r6, !%p3;", F32, 0xfe00_fe00, NAN),
        (
            "tcgen05.mma.ws.cta_group::1.kind::i8 [%r10], %rd3, %rd4, %r6, !%p3;",
            2 << 4 | 1 << 7 | 1 << 10,
            0x8080_8080,
            32 * 128 * 128,
        ),
        (
            "tcgen05.mma.ws.cta_group::1.kind::f8f6f4 [%r10], %rd3, %rd4, %r6, !%p3;",
            F32 | 1 << 7 | 1 << 10,
            0x7b7b_7b7b,
            bits(32. * 57344. * 57344.),
        ),
    ] {
        assert_eq!(wide(WIDE | descriptor, word, 0, issue), [d; 128], "{issue} {descriptor:#x} {word:#x}");
    }
}

/// Factors of ue8m0 are powers of 2 from 2^-127 to 2^127, and 255 is NaN; those of ue4m3 have no
/// sign.
#[test]
fn blocks_are_scaled() {
    let bits = |value: f32| value.to_bits();
    let f8 = "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%r10], %rd3, %rd4, %r6, [%r12], [%r13], !%p3;";
    let f4 = "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X [%r10], %rd3, %rd4, %r6, [%r12], [%r13], !%p3;";
    let nv = "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%r10], %rd3, %rd4, %r6, [%r12], [%r13], !%p3;";
    let (ue8m0, e2m1) = (1 << 23, 1 << 7 | 1 << 10);
    for (issue, descriptor, word, factor, d) in [
        (f8, ue8m0, 0x3838_3838, 0x7f7f_7f7f, bits(32.)),
        (f8, ue8m0, 0x3838_3838, 0x8080_8080, bits(128.)),
        (f8, ue8m0, 0x3838_3838, 0xfefe_fefe, bits(f32::INFINITY)),
        (f8, ue8m0, 0x3838_3838, 0x4040_4040, bits(2f32.powi(-121))),
        (f8, ue8m0, 0x3838_3838, 0, 0),
        (f8, ue8m0, 0, 0xffff_ffff, NAN),
        (f8, ue8m0, 0x7f7f_7f7f, 0x7f7f_7f7f, NAN),
        (f4, ue8m0 | e2m1, 0x7777_7777, 0x7f7f_7f7f, bits(64. * 36.)),
        (f4, ue8m0 | e2m1, 0x1111_1111, 0x7e7e_7e7e, bits(64. / 16.)),
        (nv, e2m1, 0x7777_7777, 0x7e7e_7e7e, bits(64. * 36. * 448. * 448.)),
        (nv, e2m1, 0x1111_1111, 0x0101_0101, bits(64. * 0.25 * 2f32.powi(-18))),
        (nv, e2m1, 0x2222_2222, 0x7f7f_7f7f, NAN),
        (nv, e2m1, 0x2222_2222, 0, 0),
    ] {
        let found = wide(WIDE | descriptor, word, factor, issue);
        assert_eq!(found, [d; 128], "{issue} {descriptor:#x} {word:#x} {factor:#x}");
    }
}

/// Threads that synchronise with relaxed operations need a fence before and one behind.
#[test]
fn fences_order_tensor_memory() {
    let exchange = |before: &str, after: &str| {
        let body = format!(
            "setp.eq.u32 %p5, %r1, 0; @%p5 mbarrier.init.shared.b64 [met], 128; {NUMBERED} {}
             tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r2}}, [%r11]; tcgen05.wait::ld.sync.aligned;
             {before} mbarrier.arrive.relaxed.cluster.shared::cta.b64 _, [met];
             met_yet: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 %p4, [met], 0; @!%p4 bra met_yet; {after}
             @%p1 tcgen05.cp.cta_group::1.128x128b [%r10], %rd3;
             @%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar]; {WAIT}",
            filled("0", [2048, 256])
        );
        Grid { globals: ".shared .align 8 .b64 met;", ..GROUP }.run(&with_columns("32", &body), &[0; 128])
    };
    let (before, after) = ("tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;");
    assert_eq!(exchange(before, after), Ok((0..128).map(|lane| 1000 * lane).collect()));
    for (given, message) in [
        (["", after], "must execute `tcgen05.fence::before_thread_sync`"),
        ([before, ""], "must execute `tcgen05.fence::after_thread_sync`"),
        (["", ""], "relaxed synchronisation orders tensor memory only together with fences"),
        // Each is for one direction.
        ([after, before], "relaxed synchronisation orders tensor memory only together with fences"),
    ] {
        let error = exchange(given[0], given[1]).unwrap_err();
        assert!(error.contains(message), "{given:?}: {error}");
    }
}

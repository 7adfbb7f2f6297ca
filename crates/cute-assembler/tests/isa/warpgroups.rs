//! Products of a warpgroup, and the fence and the groups around them: numbers of groups, registers
//! before their wait, and values at the edges (PTX ISA: wgmma.mma_async, wgmma.fence,
//! wgmma.commit_group, wgmma.wait_group).

use super::{Grid, f};

const GROUP: Grid<'static> = Grid { threads: 128, ..Grid::WARP };

/// All words of A, 64 rows of 32 bytes at the tile's beginning, and of B, 8 columns of 32 bytes
/// from byte 2048 on, are this one. `%rd3` and `%rd4` describe them, and `%p1` holds.
fn filled(word: u64) -> String {
    let stores: String = (0..5).map(|i| format!("st.shared.u32 [%r4+{}], %r5; ", 512 * i)).collect();
    format!(
        "mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 4, %r4; mov.b32 %r5, {word}; {stores}
         fence.proxy.async; bar.sync 0; setp.eq.u32 %p1, 0, 0;
         mov.u32 %r4, tile; shr.u32 %r4, %r4, 4; cvt.u64.u32 %rd3, %r4; add.u64 %rd4, %rd3, {};
         or.b64 %rd3, %rd3, {}; or.b64 %rd4, %rd4, {}; ",
        2048 / 16,
        (1024u64 / 16) << 16 | (128 / 16) << 32,
        (128u64 / 16) << 16 | (128 / 16) << 32,
    )
}

/// Two accumulators of four registers, which begin with this word.
fn accumulators(ty: &str, c: u64) -> String {
    let begin: String = (0..8).map(|i| format!("mov.b32 d{i}, {c}; ")).collect();
    format!(".reg .{ty} d<8>; {begin}")
}

const FIRST: &str =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, %rd3, %rd4, %p1, 1, 1, 0, 0;\n";
const SECOND: &str =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d4, d5, d6, d7}, %rd3, %rd4, %p1, 1, 1, 0, 0;\n";

/// A product with one number everywhere is K a b + c.
#[test]
fn a_warpgroup_multiplies() {
    let run = |ty: &str, product: &str, word: u64, c: u64| {
        let body = format!(
            "{}{} wgmma.fence.sync.aligned; {product} wgmma.commit_group.sync.aligned;
             wgmma.wait_group.sync.aligned 0; mov.b32 %r2, d3;",
            accumulators(ty, c),
            filled(word)
        );
        let found = GROUP.run(&body, &[0; 128]).unwrap_or_else(|e| panic!("{body}: {e}"));
        assert!(found.iter().all(|word| *word == found[0]), "{body}: {found:x?}");
        u64::from(found[0])
    };
    let nan = 0x7fff_ffff;
    let floats = |tail: &str, word: u64, c: u64| {
        let product = format!(
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{d0, d1, d2, d3}}, %rd3, %rd4, {tail}, 0, 0;"
        );
        run("f32", &product, word, c)
    };
    for (tail, word, c, d) in [
        ("%p1, 1, 1", 0x3c00_3c00, f(1.), f(17.)),
        ("!%p1, 1, 1", 0x3c00_3c00, f(1.), f(16.)),
        // Without the addition, C may be NaN.
        ("!%p1, 1, 1", 0x3c00_3c00, nan, f(16.)),
        ("%p1, -1, 1", 0x3c00_3c00, f(1.), f(-15.)),
        ("%p1, 1, -1", 0x3c00_3c00, f(1.), f(-15.)),
        ("%p1, -1, -1", 0x3c00_3c00, f(1.), f(17.)),
        ("%p1, 1, 1", 0x7800_7800, 0, f(2f32.powi(34))),
        ("%p1, 1, 1", 0x0001_0001, 0, f(2f32.powi(-44))),
        ("%p1, 1, 1", 0x7c00_7c00, 0, f(f32::INFINITY)),
        ("%p1, -1, 1", 0x7c00_7c00, 0, f(f32::NEG_INFINITY)),
        ("%p1, 1, 1", 0x7c00_7c00, f(f32::NEG_INFINITY), nan),
        ("%p1, 1, 1", 0xfe00_fe00, 0, nan),
        ("%p1, 1, 1", 0, 0xffc0_0001, nan),
    ] {
        assert_eq!(floats(tail, word, c), d, "{tail} {word:#x} {c:#x}");
    }
    let bytes = |types: &str, word: u64, c: u64| {
        let product =
            format!("wgmma.mma_async.sync.aligned.m64n8k32.s32.{types} {{d0, d1, d2, d3}}, %rd3, %rd4, %p1;");
        run("b32", &product, word, c) as i32
    };
    for (types, word, c, d) in [
        ("s8.s8", 0x8080_8080, 0, 32 * 128 * 128),
        ("u8.u8", 0xffff_ffff, 0, 32 * 255 * 255),
        ("s8.u8", 0xffff_ffff, 0, -32 * 255),
        ("s8.s8", 0x0101_0101, 0x7fff_ffff, i32::MIN + 31),
        ("s8.s8.satfinite", 0x0101_0101, 0x7fff_ffff, i32::MAX),
        ("s8.u8.satfinite", 0xffff_ffff, 0x8000_0000, i32::MIN),
    ] {
        assert_eq!(bytes(types, word, c), d, "{types} {word:#x} {c:#x}");
    }
    let narrow = |types: &str, word: u64| {
        let product = format!(
            "wgmma.mma_async.sync.aligned.m64n8k32.f32.{types} {{d0, d1, d2, d3}}, %rd3, %rd4, %p1, 1, 1;"
        );
        run("f32", &product, word, 0)
    };
    for (types, word, d) in [
        ("e4m3.e4m3", 0x7e7e_7e7e, f(32. * 448. * 448.)),
        ("e4m3.e4m3", 0x7f7f_7f7f, nan),
        ("e4m3.e4m3", 0x0101_0101, f(32. * 2f32.powi(-18))),
        ("e5m2.e5m2", 0x7b7b_7b7b, f(32. * 57344. * 57344.)),
        ("e5m2.e5m2", 0x7c7c_7c7c, f(f32::INFINITY)),
        ("e5m2.e4m3", 0x7d7d_7d7d, nan),
    ] {
        assert_eq!(narrow(types, word), d, "{types} {word:#x}");
    }
    // Products beyond f32, of bf16 and 2^100, and of a register of A with both signs or one.
    let brain = |of_a: u64, word: u64, c: u64| {
        let product = format!(
            "{{ .reg .b32 a; mov.b32 a, {of_a}; wgmma.fence.sync.aligned;
             wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{d0, d1, d2, d3}}, {{a, a, a, a}}, %rd4, %p1, 1, 1, 0; }}"
        );
        run("f32", &product, word, c)
    };
    for (of_a, word, c, d) in [
        // C is less than the last bit of a product, which the next one takes away again.
        (0xf180_7180, 0x7180_7180, f(1.), 0),
        (0xf180_7180, 0x7180_7180, f(f32::MAX), 0),
        (0xf180_7180, 0, f(f32::MAX), f(f32::MAX)),
        (0x7180_7180, 0x7180_7180, f(1.), f(f32::INFINITY)),
        (0xff80_7f80, 0x7180_7180, f(1.), nan),
        // 16 * 2^-149, of which a product is 2^-149, and of 2^-150, of which it is nothing in f32.
        (0x1a80_1a80, 0x1a00_1a00, 0, 16),
        (0x1a80_1a80, 0x1980_1980, 0, 8),
    ] {
        assert_eq!(brain(of_a, word, c), d, "{of_a:#x} {word:#x} {c:#x}");
    }
}

/// A wait for N groups leaves the N youngest ones pending; products that are in no group are
/// waited for by none.
#[test]
fn groups_are_waited_for() {
    let run = |text: &str, register: usize| {
        let body = format!(
            "{}{} wgmma.fence.sync.aligned; {text} mov.b32 %r2, d{register};",
            accumulators("f32", 0),
            filled(0x3c00_3c00)
        );
        GROUP.run(&body, &[0; 128])
    };
    let sixteen = Ok(vec![16f32.to_bits(); 128]);
    let commit = "wgmma.commit_group.sync.aligned; ";
    let both = [FIRST, commit, SECOND, commit].concat();
    for (text, register) in [
        (format!("{both} wgmma.wait_group.sync.aligned 0;"), 7),
        (format!("{both} wgmma.wait_group.sync.aligned 1;"), 3),
        // A group of both, and groups of nothing.
        (format!("{FIRST}{SECOND}{commit} wgmma.wait_group.sync.aligned 0;"), 7),
        (format!("{FIRST}{commit}{commit} wgmma.wait_group.sync.aligned 1;"), 3),
        (format!("wgmma.wait_group.sync.aligned 0; {both} wgmma.wait_group.sync.aligned 0;"), 3),
        (format!("{commit} wgmma.wait_group.sync.aligned 0; {both} wgmma.wait_group.sync.aligned 0;"), 3),
        // The second wait has nothing left to wait for.
        (format!("{both} wgmma.wait_group.sync.aligned 0; wgmma.wait_group.sync.aligned 7;"), 3),
    ] {
        assert_eq!(run(&text, register), sixteen, "{text}");
    }
    for (text, register, message) in [
        (format!("{both} wgmma.wait_group.sync.aligned 1;"), 7, "`wgmma.wait_group 0`"),
        (format!("{both} wgmma.wait_group.sync.aligned 2;"), 3, "`wgmma.wait_group 1` must come before"),
        (both.clone(), 3, "`wgmma.wait_group 1` must come before"),
        (format!("{FIRST} wgmma.wait_group.sync.aligned 0;"), 3, "commit it (`wgmma.commit_group`)"),
        (
            format!("{FIRST}{commit}{SECOND} wgmma.wait_group.sync.aligned 0;"),
            7,
            "commit it (`wgmma.commit_group`)",
        ),
    ] {
        let error = run(&text, register).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// A fence comes before the first product, and again after registers were written; all four warps
/// take part.
#[test]
fn products_begin_with_a_fence() {
    let all = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ";
    let run = |text: &str| {
        let body = format!("{}{} {text} mov.b32 %r2, d3;", accumulators("f32", 0), filled(0x3c00_3c00));
        GROUP.run(&body, &[0; 128])
    };
    let fence = "wgmma.fence.sync.aligned; ";
    let words = |value: f32| Ok(vec![value.to_bits(); 128]);
    assert_eq!(run(&format!("{fence}{FIRST}{all}{fence}{FIRST}{all}")), words(32.));
    // Products on one accumulator follow each other without one.
    assert_eq!(run(&format!("{fence}{FIRST}{FIRST}{all}")), words(32.));
    assert_eq!(run(&format!("{fence}{fence}{FIRST}{all}{fence}")), words(16.));
    let change = "add.f32 d3, d3, d3; ";
    assert_eq!(run(&format!("{fence}{FIRST}{all}{change}{fence}{FIRST}{all}")), words(48.));
    for (text, message) in [
        (format!("{FIRST}{all}"), "no `wgmma.fence` comes before it"),
        (
            format!("{fence}{FIRST}{all}{change}{FIRST}{all}"),
            "no `wgmma.fence` comes between that write and this MMA",
        ),
        (
            format!("setp.ge.u32 %p2, %r1, 96; @%p2 exit; {fence}"),
            "of 128 threads wait here; thread (96, 0, 0) has returned",
        ),
        (format!("setp.eq.u32 %p2, %r1, 5; @%p2 exit; {fence}"), "thread (5, 0, 0) has returned"),
        (
            format!("{fence}{FIRST} setp.eq.u32 %p2, %r1, 5; @%p2 exit; {all}"),
            "thread (5, 0, 0) has returned",
        ),
        (
            format!(
                "{fence}{FIRST} wgmma.commit_group.sync.aligned; setp.eq.u32 %p2, %r1, 5; @%p2 exit; wgmma.wait_group.sync.aligned 0;"
            ),
            "thread (5, 0, 0) has returned",
        ),
    ] {
        let error = run(&text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
    Grid { threads: 64, ..GROUP }.fails(fence, "of 128 threads wait here");
}

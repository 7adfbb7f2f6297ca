//! Branches, tables of labels, calls and returns: first and last labels, depths, parameters as
//! bytes and functions in registers (PTX ISA: bra, brx.idx, call, ret).

use super::{Grid, lanes};

/// The words of the lanes after a body, beside functions.
fn with(globals: &str, body: &str, words: &[u32]) -> Vec<u32> {
    Grid { globals, ..Grid::WARP }.run(body, words).unwrap_or_else(|e| panic!("{body}: {e}"))
}

fn fails(globals: &str, body: &str, message: &str) {
    Grid { globals, ..Grid::WARP }.fails(body, message);
}

/// Lanes that go to different labels meet again, and the index is without a sign.
#[test]
fn indices_choose_labels() {
    let table = |index: &str, form: &str| {
        format!(
            "mov.b32 %r2, 9; mov.b32 %r4, {index}; labels: .branchtargets zero, one, last, zero;
             brx.idx{form} %r4, labels;
             one: add.u32 %r2, %r2, 10; bra done;
             zero: add.u32 %r2, %r2, 20; bra done;
             last: add.u32 %r2, %r2, 30;
             done: activemask.b32 %r5; add.u32 %r5, %r5, 1; add.u32 %r2, %r2, %r5;"
        )
    };
    let own = table("%r0", "");
    let expected = lanes(|lane| [29, 19, 39, 29][lane as usize % 4]);
    assert_eq!(with("", &own, &lanes(|lane| lane % 4)), expected);
    for (index, expected) in [("0", 29), ("1", 19), ("2", 39), ("3", 29)] {
        assert_eq!(with("", &table(index, ".uni"), &[0; 32]), [expected; 32], "{index}");
    }
    for index in ["4", "0xffffffff", "0x80000000"] {
        for form in ["", ".uni"] {
            let own = table(index, form);
            fails("", &own, "the index is beyond the 4 labels of `labels`");
        }
    }
    fails("", &table("%r1", ".uni"), "the instruction says `.uni`, but the lanes 0x00000001 go one way");
    fails("", &table("%r9", ""), "undefined");
    // A guard that does not hold skips an index that no label has.
    let skipped = "mov.b32 %r2, 5; setp.ge.u32 %p0, %r1, 32; labels: .branchtargets end;
        @%p0 brx.idx %r1, labels; end:";
    assert_eq!(with("", skipped, &[0; 32]), [5; 32]);
}

/// Backward, forward and to the next instruction, by all, some and no lanes.
#[test]
fn branches_go_to_their_labels() {
    for (limit, expected) in [(0, [0; 32]), (32, [1; 32])] {
        let body =
            format!("setp.lt.u32 %p0, %r1, {limit}; @!%p0 bra over; mov.b32 %r2, 1; over: bra next; next:");
        assert_eq!(with("", &body, &[0; 32]), expected, "{limit}");
    }
    // As many times as the lane's number says, and one more.
    let count = "again: add.u32 %r2, %r2, 1; setp.le.u32 %p0, %r2, %r0; @%p0 bra again;";
    assert_eq!(with("", count, &lanes(|lane| lane)), lanes(|lane| lane + 1));
    let uniform = "setp.lt.u32 %p0, %r1, 7; @%p0 bra.uni done; mov.b32 %r2, 1; done:";
    fails("", uniform, "the instruction says `.uni`");
    fails("", "again: bra again;", "the kernel hangs");
    fails("", "bra nowhere;", "no label `nowhere`");
}

const DEPTH: &str = ".func (.reg .b32 found) depth(.reg .b32 n) {
       .reg .pred p; .reg .b32 m;
       mov.b32 found, 1; setp.eq.u32 p, n, 0; @p ret;
       sub.u32 m, n, 1; call (found), depth, (m); add.u32 found, found, 1; ret;
     }";

/// A call of a depth of n nests n + 1 calls.
#[test]
fn calls_nest_up_to_a_limit() {
    let nested = |n: &str| format!("mov.b32 %r4, {n}; call (%r2), depth, (%r4);");
    assert_eq!(with(DEPTH, &nested("0"), &[0; 32]), [1; 32]);
    assert_eq!(with(DEPTH, &nested("%r0"), &lanes(|lane| 3 * lane)), lanes(|lane| 3 * lane + 1));
    assert_eq!(with(DEPTH, &nested("255"), &[0; 32]), [256; 32]);
    fails(DEPTH, &nested("256"), "calls nest deeper than 256");
    fails(DEPTH, &nested("-1"), "calls nest deeper than 256");
    // Lanes that return early wait for nothing.
    let early = ".func (.reg .b32 found) early(.reg .b32 n) {
        .reg .pred p; mov.b32 found, 7; setp.lt.u32 p, n, 16; @p ret.uni; mov.b32 found, 8; ret; }";
    fails(early, "call (%r2), early, (%r1);", "the instruction says `.uni`");
    let early = early.replace("ret.uni", "ret");
    let body = "call (%r2), early, (%r1); activemask.b32 %r4; add.u32 %r4, %r4, 1; add.u32 %r2, %r2, %r4;";
    assert_eq!(with(&early, body, &[0; 32]), lanes(|lane| if lane < 16 { 7 } else { 8 }));
    // A guard, and a function that returns nothing at its end.
    let stores = ".func put(.param .b64 at, .param .b32 value) {
        .reg .b64 a; .reg .b32 v; ld.param.b64 a, [at]; ld.param.b32 v, [value]; st.global.b32 [a], v; }";
    let body = "setp.eq.u32 %p0, %r1, 3; { .param .b64 a; .param .b32 v; st.param.b64 [a], %rd0;
        st.param.b32 [v], 50; @%p0 call put, (a, v); } @%p0 exit; mov.b32 %r2, 1;";
    assert_eq!(with(stores, body, &[0; 32]), lanes(|lane| if lane == 3 { 50 } else { 1 }));
}

/// Parameters in memory: numbers of 1 to 8 bytes, and bytes with an alignment, of which a function
/// has a copy.
#[test]
fn parameters_are_bytes() {
    let narrow = ".func (.param .b16 sum) narrow(.param .b8 x, .param .b16 y) {
        .reg .b32 a, b; ld.param.s8 a, [x]; ld.param.u16 b, [y]; add.s32 a, a, b; st.param.b16 [sum], a; ret; }";
    let body =
        "{ .param .b8 x; .param .b16 y; .param .b16 sum; st.param.b8 [x], %r0; st.param.b16 [y], 0x1ff;
        call (sum), narrow, (x, y); ld.param.s16 %r2, [sum]; }";
    for (x, expected) in [(0, 0x1ff), (0x80, 0x17f), (0xff, 0x1fe), (0x7f, 0x27e), (0x100, 0x1ff)] {
        assert_eq!(with(narrow, body, &[x; 32]), [expected; 32], "{x:#x}");
    }
    // Twelve bytes, of which the function changes its own copy and returns it.
    let bytes = ".func (.param .align 4 .b8 bytes_out[12]) turn(.param .align 4 .b8 bytes_in[12]) {
        .reg .b32 a, b, c; ld.param.b32 a, [bytes_in]; ld.param.b32 b, [bytes_in+4]; ld.param.u8 c, [bytes_in+11];
        st.param.b32 [bytes_out], c; st.param.b32 [bytes_out+4], b; st.param.b32 [bytes_out+8], a; ret; }";
    let body = |part: u32| {
        format!(
            "{{ .param .align 4 .b8 bytes_in[12]; .param .align 4 .b8 bytes_out[12];
             st.param.b32 [bytes_in], %r0; st.param.b32 [bytes_in+4], 1; st.param.b32 [bytes_in+8], 0x89abcdef;
             call (bytes_out), turn, (bytes_in); ld.param.b32 %r2, [bytes_out+{part}]; }}"
        )
    };
    let words = lanes(|lane| lane + 100);
    assert_eq!(with(bytes, &body(0), &words), [0x89; 32]);
    assert_eq!(with(bytes, &body(4), &words), [1; 32]);
    assert_eq!(with(bytes, &body(8), &words), words);
    fails(bytes, &body(12), "4 bytes at byte 12 of");
    let wrong = body(0).replace("(bytes_in);", "(bytes_in, bytes_in);");
    fails(bytes, &wrong, "2 arguments and 1 results for `turn`, which has 1 and 1");
    // A parameter that the caller has not written.
    fails(bytes, &body(4).replace("st.param.b32 [bytes_in+4], 1;", ""), "undefined");
}

/// Each lane may call another function.
#[test]
fn functions_are_called_by_address() {
    let functions = ".func (.param .b32 d) twice(.param .b32 a) {
          .reg .b32 x; ld.param.b32 x, [a]; shl.b32 x, x, 1; st.param.b32 [d], x; ret; }
        .func (.param .b32 d) minus(.param .b32 a) {
          .reg .b32 x; ld.param.b32 x, [a]; neg.s32 x, x; st.param.b32 [d], x; ret; }
        .func none() { ret; }
        .global .align 8 .u64 table[3] = {twice, minus, none};";
    let call = |address: &str| {
        format!(
            "mov.u64 %rd3, twice; mov.u64 %rd4, minus; {address}
             {{ .param .b32 a; .param .b32 d; st.param.b32 [a], %r1;
             one: .callprototype (.param .b32 _) _ (.param .b32 _); call (d), %rd3, (a), one; ld.param.b32 %r2, [d]; }}"
        )
    };
    let odd = "and.b32 %r4, %r1, 1; setp.eq.u32 %p0, %r4, 1; selp.b64 %rd3, %rd4, %rd3, %p0;";
    let expected = lanes(|lane| if lane % 2 == 1 { 0u32.wrapping_sub(lane) } else { 2 * lane });
    assert_eq!(with(functions, &call(odd), &[0; 32]), expected);
    let loaded = "and.b32 %r4, %r1, 1; mov.u64 %rd3, table; mad.wide.u32 %rd3, %r4, 8, %rd3; ld.global.u64 %rd3, [%rd3];";
    assert_eq!(with(functions, &call(loaded), &[0; 32]), expected);
    let wrong = "`%rd3` does not hold the address of a function with these arguments and results";
    for address in ["mov.u64 %rd3, 0;", "add.u64 %rd3, %rd3, 4;", "mov.u64 %rd3, none;"] {
        fails(functions, &call(address), wrong);
    }
}

//! Hints about caches: what they leave as it is, the line that `discard` gives up, and loads that
//! may be cached (PTX ISA: createpolicy, discard, applypriority, prefetch, ldu).

use super::Grid;

/// Runs a body in one thread on 64 words with all bits, of which the first is its result. `%rd7` is
/// the address of the words from 1000 to 1063, and `%rd1` that of the words that are returned.
fn thread(body: &str) -> Result<Vec<u32>, String> {
    let words: Vec<u32> = (1000..1064).collect();
    Grid { threads: 1, ..Grid::WARP }.run(&format!("ld.param.u64 %rd7, [given]; {body}"), &words)
}

fn fails(body: &str, message: &str) {
    match thread(body) {
        Err(error) => assert!(error.contains(message), "{body}: {error}"),
        Ok(found) => panic!("{body}: {found:?}"),
    }
}

/// Policies are words that no result depends on: at both ends of a fraction, and of sizes.
#[test]
fn policies_change_nothing() {
    for policy in [
        "createpolicy.fractional.L2::evict_last.b64 %rd3, 1.0;",
        "createpolicy.fractional.L2::evict_first.b64 %rd3, 0f00000001;",
        "createpolicy.fractional.L2::evict_normal.L2::evict_unchanged.b64 %rd3, 0.5;",
        "createpolicy.fractional.L2::evict_unchanged.b64 %rd3;",
        "createpolicy.range.global.L2::evict_last.b64 %rd3, [%rd7], 0, 0;",
        "createpolicy.range.L2::evict_last.L2::evict_first.b64 %rd3, [%rd7], 128, 4294967295;",
        "createpolicy.range.global.L2::evict_normal.L2::evict_unchanged.b64 %rd3, [%rd7], 1, 1;",
        "createpolicy.cvt.L2.b64 %rd3, 0x10f0000000000000;",
        "createpolicy.fractional.L2::evict_last.b64 %rd3, 1.0; createpolicy.cvt.L2.b64 %rd3, %rd3;",
    ] {
        let body = format!(
            "{policy} ld.global.L2::cache_hint.b32 %r4, [%rd7+252], %rd3; add.u32 %r2, %r4, 1;
             st.global.L2::cache_hint.b32 [%rd1+4], %r2, %rd3;"
        );
        let found = thread(&body).unwrap_or_else(|e| panic!("{policy}: {e}"));
        assert_eq!(found[..3], [1064, 1064, u32::MAX], "{policy}");
    }
}

/// `discard` is a weak write of an indeterminate value to the 128 bytes of a line, and to no other.
#[test]
fn a_line_is_given_up() {
    for text in
        ["discard.global.L2 [%rd1+128], 128;", "cvta.global.u64 %rd3, %rd1; discard.L2 [%rd3+128], 128;"]
    {
        let found = thread(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(found[..32], [&[0][..], &[u32::MAX; 31]].concat(), "{text}");
        assert!(found[32..].iter().all(|word| *word != u32::MAX), "{text}: {found:?}");
        // A store after it counts.
        let stored = thread(&format!("{text} st.global.b32 [%rd1+252], 5;")).unwrap();
        assert_eq!(stored[63], 5, "{text}");
    }
    for (text, message) in [
        ("discard.global.L2 [%rd1+64], 128;", "is not aligned to 128 bytes"),
        ("discard.global.L2 [%rd1+256], 128;", "128 bytes at byte 256 of"),
        ("discard.global.L2 [%rd1], 64;", "a size of 64 bytes: a line has 128"),
        ("discard.global.L2 [%rd1], 0;", "a size of 0 bytes: a line has 128"),
        (
            "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; discard.L2 [%rd3], 128;",
            "is not in address space 1",
        ),
    ] {
        fails(text, message);
    }
    // It is a write, with which those of other threads race.
    let racing = "setp.eq.u32 %p0, %r1, 0; @%p0 discard.global.L2 [%rd1], 128;";
    Grid { threads: 64, ..Grid::WARP }.fails(racing, "nothing orders it with");
}

/// Priorities and prefetches leave bytes as they are.
#[test]
fn lines_are_kept() {
    for text in [
        "applypriority.global.L2::evict_normal [%rd7+128], 128;",
        "applypriority.L2::evict_normal [%rd7], 128;",
        "prefetch.global.L1 [%rd7+255];",
        "prefetch.L2 [%rd7];",
        "prefetch.global.L2::evict_normal [%rd7];",
        "prefetch.local.L1 [%rd7];",
        "prefetchu.L1 [%rd7+3];",
    ] {
        let found = thread(&format!("{text} ld.global.b32 %r2, [%rd7+252];"));
        assert_eq!(found.map(|words| words[0]), Ok(1063), "{text}");
    }
    for size in [0, 64, 256] {
        let text = format!("applypriority.global.L2::evict_normal [%rd7], {size};");
        fails(&text, &format!("a size of {size} bytes: a line has 128"));
    }
}

/// `ldu` is a load: of all widths, with signs, and from aligned addresses.
#[test]
fn loads_may_be_cached() {
    for (text, expected) in [
        ("ldu.global.u8 %r2, [%rd7+1];", 0x03),
        ("ldu.global.s8 %r2, [%rd7];", 0xffff_ffe8),
        ("ldu.global.s16 %r2, [%rd7+2];", 0),
        ("ldu.u32 %r2, [%rd7+252];", 1063),
        ("ldu.global.b64 %rd3, [%rd7+8]; mov.b64 {_, %r2}, %rd3;", 1003),
        ("ldu.global.v2.f64 {%rd3, %rd4}, [%rd7+16]; mov.b64 {%r2, _}, %rd4;", 1006),
        ("ldu.global.v4.b32 {_, _, _, %r2}, [%rd7+240];", 1063),
        (
            "{ .reg .b128 w; ldu.global.b128 w, [%rd7+32]; mov.b128 {%rd3, %rd4}, w; mov.b64 {_, %r2}, %rd4; }",
            1011,
        ),
    ] {
        assert_eq!(thread(text).map(|words| words[0]), Ok(expected), "{text}");
    }
    for (text, message) in [
        ("ldu.global.b32 %r2, [%rd7+2];", "is not aligned to 4 bytes"),
        ("ldu.global.v4.b32 {%r2, %r4, %r5, %r6}, [%rd7+8];", "is not aligned to 16 bytes"),
        ("ldu.global.b32 %r2, [%rd7+256];", "4 bytes at byte 256 of"),
        ("ldu.global.b32 %r2, [%rd7+-4];", "4 bytes at byte -4 of"),
        ("mov.b64 %rd2, 0; ldu.b32 %r2, [%rd2];", "is not in an allocation"),
    ] {
        fails(text, message);
    }
}

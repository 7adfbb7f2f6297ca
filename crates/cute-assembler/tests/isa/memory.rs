//! Spaces of addresses, words beside an address, and fences (PTX ISA: isspacep, ld, fence).

use super::run_with_tile;

/// The first two words that a body stores.
fn words(body: &str) -> [u32; 2] {
    let found = run_with_tile(body, [7; 16], [0; 16]).unwrap_or_else(|e| panic!("{body}: {e}"));
    [found[0], found[1]]
}

/// Parameters of a kernel are in the window of global memory.
#[test]
fn parameters_are_a_space() {
    for (address, space, expected) in [
        ("mov.b64 %rd2, given; cvta.param.u64 %rd2, %rd2;", "param", 1),
        ("mov.b64 %rd2, out; cvta.param.u64 %rd2, %rd2;", "param::entry", 1),
        ("mov.b64 %rd2, given; cvta.param.u64 %rd2, %rd2;", "global", 1),
        ("mov.b64 %rd2, given; cvta.param.u64 %rd2, %rd2;", "const", 0),
        ("mov.b64 %rd2, given; cvta.param.u64 %rd2, %rd2;", "shared", 0),
        ("cvta.global.u64 %rd2, %rd0;", "param", 0),
        ("cvta.global.u64 %rd2, %rd0;", "global", 1),
        ("mov.b64 %rd2, tile; cvta.shared.u64 %rd2, %rd2;", "param", 0),
        ("mov.b64 %rd2, tile; cvta.shared.u64 %rd2, %rd2;", "shared::cta", 1),
        ("mov.b64 %rd2, 0;", "param", 0),
        ("mov.b64 %rd2, 0;", "global", 0),
    ] {
        let body = format!(
            "{address} isspacep.{space} %p0, %rd2; selp.b32 %r1, 1, 0, %p0; st.global.b32 [%rd1], %r1;"
        );
        assert_eq!(words(&body)[0], expected, "{body}");
    }
}

/// Memory that the host has, too, is memory like any other.
#[test]
fn unified_addresses_are_addresses() {
    let body = "ld.global.b32 %r1, [%rd0].unified; ld.b32 %r2, [%rd0+4] .unified;
        st.global.v2.b32 [%rd1], {%r1, %r2};";
    assert_eq!(words(body), [7, 7]);
}

/// In one thread, no fence changes anything.
#[test]
fn fences_change_no_value() {
    for fence in [
        "fence.proxy.alias;",
        "membar.proxy.alias;",
        "fence.acquire.sync_restrict::shared::cluster.cluster;",
        "fence.release.sync_restrict::shared::cta.cluster;",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
        "fence.sc.sys;",
        "fence.acq_rel.cta;",
        "fence.gpu;",
        "membar.gl;",
    ] {
        let body = format!(
            "st.global.b32 [%rd1], 5; {fence} ld.global.b32 %r1, [%rd1]; st.global.b32 [%rd1+4], %r1;"
        );
        assert_eq!(words(&body), [5, 5], "{fence}");
    }
}

/// Loads and stores of each width in each space: the first and the last bytes, and those beside.
#[test]
fn accesses_have_bounds_and_alignments() {
    let spaces = [
        ("global", "[%rd1", 64i32),
        ("shared", "[tile", 64),
        ("shared::cta", "[tile", 64),
        ("shared::cluster", "[tile", 64),
        ("local", "[own", 48),
    ];
    for (space, object, size) in spaces {
        for (ty, bytes, registers) in [
            ("b8", 1, "%r2"),
            ("u16", 2, "%h1"),
            ("b32", 4, "%r2"),
            ("f64", 8, "%rd2"),
            ("v2.b32", 8, "{%r2, %r3}"),
            ("v4.u16", 8, "{%h1, %h2, %h3, %h4}"),
            ("v2.b64", 16, "{%rd2, %rd3}"),
            ("b128", 16, "w"),
            ("v4.b64", 32, "{%rd2, %rd3, d0, d1}"),
            ("v8.b32", 32, "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r0}"),
        ] {
            // Only global memory is accessed 32 bytes at once.
            if bytes == 32 && space != "global" {
                for access in [
                    format!("st.{space}.{ty} {object}], {registers};"),
                    format!("ld.{space}.{ty} {registers}, {object}];"),
                ] {
                    let start = "{ .local .align 32 .b8 own[48]; .reg .b64 d<4>;";
                    let error = run_with_tile(&format!("{start} {access} }}"), [7; 16], [0; 16]).unwrap_err();
                    let message = "32 bytes in one access need global memory";
                    assert!(error.to_string().contains(message), "{access}: {error}");
                }
                continue;
            }
            let last = size / bytes * bytes - bytes;
            let start = "{ .local .align 32 .b8 own[48]; .reg .b128 w; .reg .b64 d<4>; mov.b64 d0, 5; mov.b64 d1, 5; mov.b64 %rd2, 5; mov.b64 %rd3, 5; mov.b128 w, {%rd2, %rd3};
                mov.b32 %r0, 5; mov.b32 %r1, 5; mov.b32 %r2, 5; mov.b32 %r3, 5; mov.b32 %r4, 5; mov.b32 %r5, 5;
                mov.b32 %r6, 5; mov.b32 %r7, 5; mov.b16 %h1, 5; mov.b16 %h2, 5; mov.b16 %h3, 5; mov.b16 %h4, 5;";
            for at in [0, last] {
                let body = format!(
                    "{start} st.{space}.{ty} {object}+{at}], {registers}; ld.{space}.{ty} {registers}, {object}+{at}]; st.global.b32 [%rd0], 1; }}"
                );
                let found = run_with_tile(&body, [7; 16], [0; 16]);
                assert!(found.is_ok(), "{body}: {found:?}");
            }
            let behind = (size + bytes - 1) / bytes * bytes;
            let odd = bytes / 2;
            for (at, message) in [
                (behind, format!("{bytes} bytes at byte {behind} of")),
                (-bytes, format!("{bytes} bytes at byte -{bytes} of")),
                (odd, format!("is not aligned to {bytes} bytes")),
            ] {
                for access in [
                    format!("st.{space}.{ty} {object}+{at}], {registers};"),
                    format!("ld.{space}.{ty} {registers}, {object}+{at}];"),
                ] {
                    let found = run_with_tile(&format!("{start} {access} }}"), [7; 16], [0; 16]);
                    match found {
                        Err(error) => {
                            let error = error.to_string();
                            assert!(error.contains(&message), "{access}: {error}");
                        }
                        Ok(found) => assert!(odd == 0 && at == odd, "{access}: {found:?}"),
                    }
                }
            }
        }
    }
    for (text, message) in [
        ("mov.b64 %rd2, 0; ld.b32 %r1, [%rd2];", "is not in an allocation"),
        ("st.global.b32 [%rd1], %r5;", "the stored value is undefined"),
        ("ld.param.b32 %r1, [given+16];", "4 bytes at byte"),
        ("mov.b64 %rd2, tile; ld.global.b32 %r1, [%rd2];", "is not in"),
        (
            "cvta.global.u64 %rd2, %rd0; cvta.to.shared.u64 %rd2, %rd2; ld.shared.b32 %r1, [%rd2];",
            "is not in address space 3",
        ),
    ] {
        match run_with_tile(text, [7; 16], [0; 16]) {
            Err(error) => assert!(error.to_string().contains(message), "{text}: {error}"),
            Ok(found) => panic!("{text}: {found:?}"),
        }
    }
}

/// An address goes to the generic window and back, in 64 bits or, of shared memory, in 32.
#[test]
fn addresses_are_cast() {
    for body in [
        "cvta.global.u64 %rd2, %rd0; ld.b32 %r1, [%rd2]; cvta.to.global.u64 %rd2, %rd2; ld.global.b32 %r2, [%rd2+60];",
        "mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2; ld.b32 %r1, [%rd2]; cvta.to.shared.u64 %rd2, %rd2; ld.shared.b32 %r2, [%rd2+60];",
        "mov.u64 %rd2, tile; cvta.shared::cta.u64 %rd2, %rd2; ld.b32 %r1, [%rd2]; cvta.to.shared::cta.u64 %rd2, %rd2; cvt.u32.u64 %r3, %rd2; ld.shared.b32 %r2, [%r3+60];",
        "{ .local .b32 own; st.local.b32 [own], 7; mov.u64 %rd2, own; cvta.local.u64 %rd2, %rd2; ld.b32 %r1, [%rd2];
         cvta.to.local.u64 %rd2, %rd2; ld.local.b32 %r2, [%rd2]; }",
    ] {
        let body = format!("{body} st.global.v2.b32 [%rd1], {{%r1, %r2}};");
        assert_eq!(words(&body), [7, 7], "{body}");
    }
    // Null of a space is not null of another one, and a cast of its address casts it back.
    let same = "mov.u64 %rd2, tile; cvta.shared.u64 %rd3, %rd2; cvta.to.shared.u64 %rd4, %rd3; setp.eq.u64 %p1, %rd2, %rd4;
        selp.b32 %r1, 1, 2, %p1; setp.eq.u64 %p1, %rd3, 0; selp.b32 %r2, 1, 2, %p1; st.global.v2.b32 [%rd1], {%r1, %r2};";
    assert_eq!(words(same), [1, 2]);
}

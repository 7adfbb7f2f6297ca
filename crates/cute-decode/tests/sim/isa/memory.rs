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

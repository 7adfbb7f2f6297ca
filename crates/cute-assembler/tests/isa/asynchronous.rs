//! Asynchronous copies, reductions and stores to global memory: sizes, masks and addresses at the
//! edges (PTX ISA: cp.async.bulk, cp.reduce.async.bulk, multimem.cp.async.bulk, st.async,
//! red.async).

use super::run_with_tile;

const TILE: [u32; 16] = [
    0x0302_0100,
    0x0706_0504,
    0x0b0a_0908,
    0x0f0e_0d0c,
    0x1312_1110,
    0x1716_1514,
    0x1b1a_1918,
    0x1f1e_1d1c,
    0x2322_2120,
    0x2726_2524,
    0x2b2a_2928,
    0x2f2e_2d2c,
    0x3332_3130,
    0x3736_3534,
    0x3b3a_3938,
    0x3f3e_3d3c,
];

/// The bytes after a copy, which was waited for.
fn copied(copy: &str) -> Result<Vec<u8>, String> {
    let body = format!("fence.proxy.async; {copy} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
    let found = run_with_tile(&body, TILE, [u32::MAX; 16]).map_err(|e| e.to_string())?;
    Ok(found.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// The bytes of the first `size` whose bits are set.
fn expected(size: usize, mask: u16) -> Vec<u8> {
    let copies = |i: usize| i < size && mask >> (i % 16) & 1 != 0;
    (0..64).map(|i| if copies(i) { i as u8 } else { 255 }).collect()
}

/// The i-th bit of the mask says whether the i-th byte of each 16 is copied.
#[test]
fn masks_select_bytes_of_each_16() {
    for mask in [0xffff, 0, 1, 0x8000, 0x00ff, 0xff00, 0x0ff0, 0x3333, 0x5555, 0xfffe, 0x1248] {
        for size in [0, 16, 48, 64] {
            for name in ["cp", "multimem.cp"] {
                let copy = format!(
                    "mov.u16 %h0, {mask}; {name}.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [tile], {size}, %h0;"
                );
                assert_eq!(copied(&copy), Ok(expected(size, mask)), "{copy}");
            }
        }
    }
    let hint = "createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0;
        cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [%rd1], [tile], 32, %rd2, 6;";
    assert_eq!(copied(hint), Ok(expected(32, 6)));
    let all = "multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 64;";
    assert_eq!(copied(all), Ok(expected(64, 0xffff)));
}

#[test]
fn sizes_and_addresses_are_multiples_of_16() {
    for name in ["cp.async.bulk", "multimem.cp.async.bulk"] {
        for (operands, message) in [
            ("[%rd1], [tile], 24", "the copy has 24 bytes, which is not a multiple of 16"),
            ("[%rd1], [tile], 80", "80 bytes at byte 0 of"),
            ("[%rd1+16], [tile], 64", "64 bytes at byte 16 of"),
            ("[%rd1+8], [tile], 16", "byte 8 of buffer 1 is not aligned to 16 bytes"),
            ("[%rd1], [tile+4], 16", "is not aligned to 16 bytes"),
        ] {
            let copy = format!("{name}.global.shared::cta.bulk_group {operands};");
            let error = copied(&copy).unwrap_err();
            assert!(error.contains(message), "{copy}: {error}");
        }
    }
    // Bytes that the mask leaves out may be unwritten.
    let text = |mask: u32| {
        format!(
            "mov.u16 %h0, {mask}; cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [tile], 16, %h0;"
        )
    };
    assert!(copied(&text(0x00f0)).is_ok());
    let undefined = "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd1], [tile], 16, %h1;";
    assert!(copied(undefined).unwrap_err().contains("mask of bytes"), "{:?}", copied(undefined));
}

/// Sums wrap, and of floats they round to nearest; a limit of `inc` is the source's.
#[test]
fn elements_are_reduced() {
    let run = |name: &str, op: &str, tile: [u32; 4], out: [u32; 4]| {
        let [mut given, mut before] = [[0; 16]; 2];
        given[..4].copy_from_slice(&tile);
        before[..4].copy_from_slice(&out);
        let body = format!(
            "fence.proxy.async; {name}.global.shared::cta.bulk_group.{op} [%rd1], [tile], 16;
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
        );
        let found = run_with_tile(&body, given, before).unwrap_or_else(|e| panic!("{op}: {e}"));
        assert_eq!(found[4..], [0; 12], "{op}");
        <[u32; 4]>::try_from(&found[..4]).unwrap()
    };
    let f = f32::to_bits;
    for name in ["cp.reduce.async.bulk", "multimem.cp.reduce.async.bulk"] {
        let (m, low) = (u32::MAX, 0x8000_0000);
        assert_eq!(run(name, "add.u32", [1, m, 5, low], [m, 1, 6, low]), [0, 0, 11, 0]);
        assert_eq!(run(name, "min.s32", [low, 1, m, 0], [0, m, 1, 7]), [low, m, m, 0]);
        assert_eq!(run(name, "max.u32", [low, 1, m, 0], [0, m, 1, 7]), [low, m, m, 7]);
        assert_eq!(run(name, "inc.u32", [7, 7, 0, m], [6, 7, 5, m - 1]), [7, 0, 0, m]);
        assert_eq!(run(name, "dec.u32", [7, 7, 7, 7], [0, 1, 8, 7]), [7, 0, 7, 6]);
        assert_eq!(run(name, "xor.b64", [m, 0, 1, 2], [1, 1, 3, 3]), [m - 1, 1, 2, 1]);
        assert_eq!(run(name, "add.u64", [1, 0, m, m], [m, 0, 1, 0]), [0, 1, 0, 0]);
        let sum = [f(1.0), f(f32::INFINITY), f(-0.0), f(1.0)];
        let before = [f(2f32.powi(-25)), f(1.0), f(-0.0), f(-1.0)];
        assert_eq!(run(name, "add.f32", sum, before), [f(1.0), f(f32::INFINITY), f(-0.0), 0]);
        // 1 + 2^-11 is halfway between numbers of half precision; subnormal numbers are kept.
        let (halves, before) = ([0x3c00_3c00, 0x0001_7c00, 0, 0], [0x1000_1001, 0x0001_fc00, 0, 0]);
        let found = run(name, "add.noftz.f16", halves, before);
        assert_eq!([found[0], found[1] >> 16], [0x3c00_3c01, 2]);
        assert_eq!(found[1] & 0x7c00, 0x7c00, "infinity less infinity is NaN");
    }
}

/// A release to global memory: of each width, and what others see after they acquire it.
#[test]
fn values_are_stored_and_added_asynchronously() {
    let zeros = [0; 16];
    let run = |body: &str| run_with_tile(body, TILE, zeros).map_err(|e| e.to_string());
    let first = |body: &str| run(body).map(|words| [words[0], words[1]]);
    assert_eq!(
        first("mov.b32 %r1, 0xfedcba98; st.async.release.gpu.global.b32 [%rd1], %r1;"),
        Ok([0xfedc_ba98, 0])
    );
    assert_eq!(
        first("mov.b64 %rd2, -2; st.async.mmio.release.sys.global.b64 [%rd1], %rd2;"),
        Ok([u32::MAX - 1, u32::MAX])
    );
    assert_eq!(first("mov.b16 %h1, 0x1234; st.async.sys.release.u16 [%rd1+2], %h1;"), Ok([0x1234_0000, 0]));
    let sums = "mov.u32 %r1, 5; red.async.release.gpu.global.add.u32 [%rd1], %r1; red.async.mmio.release.sys.add.s32 [%rd1], -6;";
    assert_eq!(first(sums), Ok([u32::MAX, 0]));
    assert_eq!(
        first("mov.b64 %rd2, -1; red.async.release.sys.add.u64 [%rd1], %rd2;"),
        Ok([u32::MAX, u32::MAX])
    );
    for (text, message) in [
        ("st.async.release.gpu.global.b32 [%rd1+2], %r0;", "is not aligned to 4 bytes"),
        ("st.async.release.gpu.global.b32 [%rd1+64], %r0;", "4 bytes at byte 64 of"),
        ("red.async.release.gpu.global.add.u64 [%rd1+4], %rd0;", "is not aligned to 8 bytes"),
        ("st.async.release.gpu.global.b32 [%rd1], %r5;", "undefined"),
    ] {
        let error = run(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

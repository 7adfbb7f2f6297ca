//! Boxes of tensors in PTX's text: coordinates before and behind the ends, reductions of each type,
//! and tensor maps whose fields a kernel replaces (PTX ISA: cp.async.bulk.tensor,
//! cp.reduce.async.bulk.tensor, tensormap.replace, tensormap.cp_fenceproxy).

use crate::maps::tensor;
use cute_arch::tensor_map::{MapElement, MapSwizzle, TensorMap};
use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, Launch, Memory};

/// A warp whose first lane runs `first` and all of whose lanes run `all` before: the words of a
/// buffer, and those of the tensor. `%rd5` is the address of the map, `%rd0` that of the tensor,
/// `%rd1` that of the buffer and `%rd6` one of 256 bytes of global memory.
pub(super) fn run(map: &TensorMap, words: &[u32], all: &str, first: &str) -> Result<[Vec<u32>; 2], String> {
    let text = format!(
        ".version 9.0\n.target sm_100a\n.address_size 64
         .shared .align 1024 .b8 tile[4096];
         .shared .align 8 .b64 bar;
         .global .align 128 .b8 other[256];
         .visible .entry k(.param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 out) {{
           .reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;
           ld.param.u64 %rd0, [tensor]; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
           mov.b64 %rd5, map; cvta.param.u64 %rd5, %rd5; mov.b64 %rd6, other; cvta.global.u64 %rd6, %rd6;
           setp.eq.u32 %p0, %r1, 0; @%p0 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0;
           {all}
           @!%p0 bra end;
           {first}
           end: ret;
         }}"
    );
    let run = || {
        let file = parse(&text, Reading { file: "k.ptx", strict: true })?;
        let mut memory = Memory::new();
        let (of_tensor, out) = (memory.upload(words), memory.upload(&[u32::MAX; 64]));
        let map = TensorMap { address: memory.address(of_tensor).unwrap(), ..map.clone() };
        let launch = Launch { budget: 1_000_000, ..Launch::new("k", [1; 3], [32, 1, 1]) };
        let args = [Arg::words(&map.simulated_words().unwrap()), Arg::Buffer(of_tensor), Arg::Buffer(out)];
        file.program()?.run(&launch, &mut memory, &args)?;
        Ok([memory.download(out), memory.download(of_tensor)])
    };
    run().map_err(|e: Error| e.to_string())
}

/// Waits for a box of this many words, and copies them to the buffer.
pub(super) fn taken(words: usize) -> String {
    let copies = (0..words)
        .map(|i| format!("ld.shared.u32 %r4, [tile+{0}]; st.global.u32 [%rd1+{0}], %r4; ", 4 * i))
        .collect::<String>();
    format!("again: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra again; {copies}")
}

/// Element i of mode 0 and j of the other modes together is 1 + i + 100 j.
fn numbered(columns: u32, rows: u32) -> Vec<u32> {
    (0..rows).flat_map(|j| (0..columns).map(move |i| 1 + i + 100 * j)).collect()
}

/// Elements outside of the tensor are zero, however far outside, and they count as bytes.
#[test]
fn boxes_end_with_the_tensor() {
    let map = tensor(MapElement::U32, &[8, 3], &[4, 2], MapSwizzle::None);
    for (at, expected) in [
        (["0", "0"], [1, 2, 3, 4, 101, 102, 103, 104]),
        (["4", "1"], [105, 106, 107, 108, 205, 206, 207, 208]),
        (["-1", "0"], [0, 1, 2, 3, 0, 101, 102, 103]),
        (["5", "2"], [206, 207, 208, 0, 0, 0, 0, 0]),
        (["0", "-1"], [0, 0, 0, 0, 1, 2, 3, 4]),
        (["-3", "-1"], [0, 0, 0, 0, 0, 0, 0, 1]),
        (["7", "2"], [208, 0, 0, 0, 0, 0, 0, 0]),
        (["8", "0"], [0; 8]),
        (["0", "3"], [0; 8]),
        (["-4", "0"], [0; 8]),
        (["0x7fffffff", "0x7fffffff"], [0; 8]),
        (["0x80000000", "0x80000000"], [0; 8]),
    ] {
        for space in ["shared::cta", "shared::cluster"] {
            let body = format!(
                "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32; mov.b32 %r5, {}; mov.b32 %r6, {};
                 cp.async.bulk.tensor.2d.{space}.global.tile.mbarrier::complete_tx::bytes [tile], [%rd5, {{%r5, %r6}}], [bar]; {}",
                at[0],
                at[1],
                taken(8)
            );
            let found = run(&map, &numbered(8, 3), "", &body).unwrap_or_else(|e| panic!("{at:?}: {e}"));
            assert_eq!(found[0][..8], expected, "{at:?}");
        }
    }
    // One to five modes, whose box begins one element before each end.
    for rank in 1..=5 {
        let mut extents = vec![2; rank];
        extents[0] = 8;
        let mut boxes = vec![2; rank];
        boxes[0] = 4;
        let map = tensor(MapElement::U32, &extents, &boxes, MapSwizzle::None);
        let rows = 1 << (rank - 1);
        let coordinates = ["7", "1", "1", "1", "1"][..rank].join(", ");
        let body = format!(
            "mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};
             cp.async.bulk.tensor.{rank}d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd5, {{{coordinates}}}], [bar]; {}",
            16 * rows,
            taken(4 * rows as usize)
        );
        let found = run(&map, &numbered(8, rows), "", &body).unwrap_or_else(|e| panic!("{body}: {e}"));
        // The last element of the tensor, and 0 behind it.
        let expected = [&[100 * (rows - 1) + 8][..], &vec![0; 4 * rows as usize - 1]].concat();
        assert_eq!(found[0][..4 * rows as usize], expected, "{rank}");
    }
}

/// The words of shared memory that a box is stored from.
pub(super) fn given(words: &[u32]) -> String {
    let store =
        |(i, word): (usize, &u32)| format!("mov.b32 %r4, {word}; st.shared.u32 [tile+{}], %r4; ", 4 * i);
    words.iter().enumerate().map(store).collect::<String>() + "fence.proxy.async; "
}

pub(super) const DONE: &str = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

/// Elements of a box that lie outside of the tensor are written nowhere.
#[test]
fn boxes_are_stored_within_the_tensor() {
    let map = tensor(MapElement::U32, &[8, 3], &[4, 2], MapSwizzle::None);
    let words: Vec<u32> = (1..9).collect();
    for (column, row) in [(0, 0), (4, 1), (-1, -1), (6, 2), (8, 0), (-4, 0), (i32::MIN, i32::MAX), (7, -1)] {
        for (store, sum) in [
            ("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", false),
            ("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group", true),
        ] {
            let body = format!("{} {store} [%rd5, {{{column}, {row}}}], [tile]; {DONE}", given(&words));
            let mut expected = vec![50; 24];
            for (i, word) in (0i64..).zip(&words) {
                let (x, y) = (i64::from(column) + i % 4, i64::from(row) + i / 4);
                if (0..8).contains(&x) && (0..3).contains(&y) {
                    expected[(8 * y + x) as usize] = word + if sum { 50 } else { 0 };
                }
            }
            let found = run(&map, &[50; 24], "", &body).unwrap_or_else(|e| panic!("{body}: {e}"));
            assert_eq!(found[1], expected, "{store} {column} {row}");
        }
    }
}

/// Sums wrap, and of floats they round to nearest; a limit of `inc` is the source's.
#[test]
fn elements_of_boxes_are_reduced() {
    use MapElement as E;
    let run = |element: E, op: &str, words: [u32; 4], old: [u32; 4]| {
        let map =
            tensor(element, &[128 / u64::from(element.bits())], &[128 / element.bits()], MapSwizzle::None);
        let body = format!(
            "{} cp.reduce.async.bulk.tensor.1d.global.shared::cta.{op}.tile.bulk_group [%rd5, {{0}}], [tile]; {DONE}",
            given(&words)
        );
        run(&map, &old, "", &body).map(|found| <[u32; 4]>::try_from(&found[1][..]).unwrap())
    };
    let (m, low, f) = (u32::MAX, 1 << 31, f32::to_bits);
    for (element, op, words, old, expected) in [
        (E::U32, "add", [1, m, 5, low], [m, 1, 6, low], [0, 0, 11, 0]),
        (E::S32, "add", [1, m, 5, low], [m, 1, 6, low], [0, 0, 11, 0]),
        (E::U64, "add", [1, 0, m, m], [m, 0, 1, 0], [0, 1, 0, 0]),
        (E::S32, "min", [low, 1, m, 0], [0, m, 1, 7], [low, m, m, 0]),
        (E::U32, "min", [low, 1, m, 0], [0, m, 1, 7], [0, 1, 1, 0]),
        (E::S64, "min", [0, low, 1, 0], [m, 0, m, m], [0, low, m, m]),
        (E::U64, "min", [0, low, 1, 0], [m, 0, m, m], [m, 0, 1, 0]),
        (E::S32, "max", [low, 1, m, 0], [0, m, 1, 7], [0, 1, 1, 7]),
        (E::U32, "max", [low, 1, m, 0], [0, m, 1, 7], [low, m, m, 7]),
        (E::U64, "max", [0, low, 1, 0], [m, 0, m, m], [0, low, m, m]),
        (E::U32, "inc", [7, 7, 0, m], [6, 7, 5, m - 1], [7, 0, 0, m]),
        (E::U32, "dec", [7, 7, 7, 7], [0, 1, 8, 7], [7, 0, 7, 6]),
        (E::U32, "and", [m, 0, 5, 6], [7, 7, 3, 3], [7, 0, 1, 2]),
        (E::U64, "or", [m, 0, 5, 6], [7, 7, 3, 3], [m, 7, 7, 7]),
        (E::U32, "xor", [m, 0, 5, 6], [m, 7, 3, 3], [0, 7, 6, 5]),
        (
            E::F32,
            "add",
            [f(1.), f(f32::INFINITY), f(-0.), f(1.)],
            [f(2f32.powi(-25)), f(1.), f(-0.), f(-1.)],
            [f(1.), f(f32::INFINITY), f(-0.), 0],
        ),
        // 1 + 2^-11 is halfway to the next number, and subnormal numbers are kept.
        (E::F16, "add", [0x3c00_3c00, 1, 0, 0], [0x1000_1001, 1, 0, 0], [0x3c00_3c01, 2, 0, 0]),
        (E::F16, "min", [0x3c00_c000, 0, 0, 0], [0x4000_bc00, 0, 0, 0], [0x3c00_c000, 0, 0, 0]),
        (E::Bf16, "max", [0x3f80_c000, 0, 0, 0], [0x4000_bf80, 0, 0, 0], [0x4000_bf80, 0, 0, 0]),
        (E::Bf16, "add", [0x3f80_7f7f, 0, 0, 0], [0x3b80_7f7f, 0, 0, 0], [0x3f80_7f80, 0, 0, 0]),
    ] {
        assert_eq!(run(element, op, words, old), Ok(expected), "{element} {op}");
    }
    for (element, op) in [(E::F32, "min"), (E::S32, "inc"), (E::F32, "and"), (E::F16, "dec")] {
        let error = run(element, op, [0; 4], [0; 4]).unwrap_err();
        assert!(error.contains(&format!("elements of {element} have no reduction `{op}`")), "{error}");
    }
}

/// The map in shared memory, of which a lane replaces fields; the warp copies it to global memory,
/// and its first lane loads a box by it.
fn replaced(replace: &str, copy: &str, load: &str, words: usize) -> [String; 2] {
    let moved: String = (0..16)
        .map(|i| format!("ld.param.u64 %rd4, [map+{0}]; st.shared.u64 [tile+{0}], %rd4; ", 8 * i))
        .collect();
    let all = format!("@!%p0 bra replaced; {moved} {replace} replaced: bar.warp.sync -1; {copy}");
    let first = format!(
        "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;
         mbarrier.arrive.expect_tx.shared.b64 _, [bar], {}; {load} {}",
        4 * words,
        taken(words).replace("[tile+", "[tile+1024+")
    );
    [all, first]
}

const COPY: &str = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd6], [tile], 128;";
const LOAD: &str = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile+1024], [%rd6, {0, 0}], [bar];";

/// Each field of a map, at the ends of its range.
#[test]
fn fields_of_maps_are_replaced() {
    let map = tensor(MapElement::U32, &[8, 4], &[4, 2], MapSwizzle::None);
    let one = LOAD.replace("2d", "1d").replace("{0, 0}", "{0}");
    for (replace, load, expected) in [
        ("", LOAD, &[1, 2, 3, 4, 101, 102, 103, 104][..]),
        (
            "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 0, 2;",
            LOAD,
            &[1, 2, 0, 0, 101, 102, 0, 0],
        ),
        (
            "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 1, 1;",
            LOAD,
            &[1, 2, 3, 4, 0, 0, 0, 0],
        ),
        (
            "mov.b64 %rd3, 64; tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [tile], 0, %rd3;",
            LOAD,
            &[1, 2, 3, 4, 201, 202, 203, 204],
        ),
        (
            "add.u64 %rd3, %rd0, 64; tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], %rd3;",
            LOAD,
            &[201, 202, 203, 204, 301, 302, 303, 304],
        ),
        ("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 1, 1;", LOAD, &[1, 2, 3, 4]),
        (
            "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 0, 8; tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 1, 1;",
            LOAD,
            &[1, 2, 3, 4, 5, 6, 7, 8],
        ),
        (
            "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [tile], 1, 1;",
            LOAD,
            &[1, 2, 3, 4, 101, 102, 103, 104],
        ),
        // One mode: the field is the rank less 1, and the other mode has no extent.
        (
            "tensormap.replace.tile.rank.shared::cta.b1024.b32 [tile], 0; mov.b64 %rd3, 0;
             tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [tile], 0, %rd3;
             tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 1, 1;
             tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 1, 1;",
            &one,
            &[1, 2, 3, 4],
        ),
        // f32 in place of u32, with zeros outside.
        (
            "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [tile], 7; tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [tile], 0;",
            LOAD,
            &[1, 2, 3, 4, 101, 102, 103, 104],
        ),
        (
            "tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [tile], 0; tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [tile], 0;",
            LOAD,
            &[1, 2, 3, 4, 101, 102, 103, 104],
        ),
    ] {
        let [all, first] = replaced(replace, COPY, load, expected.len());
        let found = run(&map, &numbered(8, 4), &all, &first).unwrap_or_else(|e| panic!("{replace}: {e}"));
        assert_eq!(found[0][..expected.len()], *expected, "{replace}");
    }
    for (replace, message) in [
        (
            "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 5, 1;",
            "global_dim has ordinals 0 to 4",
        ),
        (
            "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [tile], 4, 64;",
            "global_stride has ordinals 0 to 3",
        ),
        ("tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 0, 0;", "the value is from 1 to 256"),
        (
            "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 0, 257;",
            "the value is from 1 to 256",
        ),
        // The encoding of other values in a map is not public.
        (
            "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [tile], 1, 2;",
            "how it is encoded is not known",
        ),
        (
            "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [tile], 1;",
            "how it is encoded is not known",
        ),
        ("tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [tile], 16;", "the value is from 0 to 15"),
        (
            "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], 8;",
            "the value is a multiple of 16 bytes",
        ),
        ("tensormap.replace.tile.rank.shared::cta.b1024.b32 [tile+32], 0;", "is not aligned to 64 bytes"),
    ] {
        let [all, first] = replaced(replace, COPY, LOAD, 8);
        let error = run(&map, &numbered(8, 4), &all, &first).unwrap_err();
        assert!(error.contains(message), "{replace}: {error}");
    }
}

/// The scope of the fence reaches the thread that loads; the whole warp copies all bytes of an
/// aligned map.
#[test]
fn maps_are_copied_with_a_fence() {
    let map = tensor(MapElement::U32, &[8, 4], &[4, 2], MapSwizzle::None);
    for copy in [
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cta.sync.aligned [%rd6], [tile], 128;",
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cluster.sync.aligned [%rd6], [tile], 128;",
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.sys.sync.aligned [%rd6], [tile], 128;",
    ] {
        let [all, first] = replaced("", copy, LOAD, 8);
        let found = run(&map, &numbered(8, 4), &all, &first).unwrap_or_else(|e| panic!("{copy}: {e}"));
        assert_eq!(found[0][..8], [1, 2, 3, 4, 101, 102, 103, 104], "{copy}");
    }
    for (from, to, message) in [
        ("[tile], 128;", "[tile], 64;", "64 bytes: a tensor map has 128"),
        ("[tile], 128;", "[tile+32], 128;", "is not aligned to 64 bytes"),
        ("[%rd6], [tile]", "[%rd6+32], [tile]", "is not aligned to 64 bytes"),
        ("tensormap.cp", "@%p0 tensormap.cp", "threads wait here"),
    ] {
        let [all, first] = replaced("", &COPY.replace(from, to), LOAD, 8);
        match run(&map, &numbered(8, 4), &all, &first) {
            Err(error) => assert!(error.contains(message), "{to}: {error}"),
            Ok(found) => panic!("{to}: {found:?}"),
        }
    }
    let [all, first] = replaced("", COPY, LOAD, 8);
    let unacquired = first.replace("fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;", "");
    let error = run(&map, &numbered(8, 4), &all, &unacquired).unwrap_err();
    assert!(error.contains("may not see the change"), "{error}");
}

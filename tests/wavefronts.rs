//! The shared memory of `examples/transpose.mlir`, from its layouts alone: the number of passes of
//! each access of a warp, with the swizzle and without.

use cute_mlir::algebra::{
    AnyLayout, Coord, Crd, Layout, Tuple, crd2idx, parse_layout, parse_layout_or_composed, size,
};
use cute_sim::wavefronts;

const EXAMPLE: &str = include_str!("../examples/transpose.mlir");
const SWIZZLE: &str = "S<3,3,6> o 0 o ";
const ELEMENT_BYTES: u64 = 2;

/// The text between `before` and the next quote, in the line that defines the type alias.
fn quoted(alias: &str, before: &str) -> &'static str {
    let definition = format!("!{alias} = ");
    let line = EXAMPLE.lines().find(|line| line.starts_with(&definition)).expect("the alias is there");
    let (_, rest) = line.split_once(before).expect("the alias has the part");
    rest.split('"').next().expect("split yields something")
}

/// The (thread, value) layout of a tiled copy.
fn tv(alias: &str) -> Layout<i64> {
    let layout = parse_layout(quoted(alias, "layout_copy_tv = <\"")).expect("a layout");
    layout.to_const().expect("a static layout")
}

/// The layout of a view of shared memory, with another swizzle.
fn smem(alias: &str, swizzle: &str) -> AnyLayout<i64> {
    let text = quoted(alias, "align<1024>, \"");
    assert!(text.starts_with(SWIZZLE), "{text}");
    let layout = parse_layout_or_composed(&text.replace(SWIZZLE, swizzle)).expect("a layout");
    layout.to_const().expect("a static layout")
}

/// Byte address of a value of a thread: `smem(tv(thread, value))`, the tile's elements counted
/// column-major.
fn address(tv: &Layout<i64>, smem: &AnyLayout<i64>, thread: i64, value: i64) -> u64 {
    let leaf = |i| Tuple::leaf(Crd::Int(i));
    let coordinate: Coord<i64> = Tuple::from_modes([leaf(thread), leaf(value)]);
    let index = crd2idx(&coordinate, tv).expect("in the tile");
    let offset = crd2idx(&index.to_coord(), smem).expect("in shared memory");
    *offset.as_leaf().expect("an integer") as u64 * ELEMENT_BYTES
}

/// Wavefronts of each access of each warp, `width` values wide.
fn all_wavefronts(tv: &Layout<i64>, smem: &AnyLayout<i64>, width: i64) -> Vec<u32> {
    let extent = |i| size(&tv.mode(i).expect("two modes")).expect("a size");
    let mut counts = Vec::new();
    for warp in 0..extent(0) / 32 {
        for first in (0..extent(1)).step_by(width as usize) {
            let lanes = warp * 32..(warp + 1) * 32;
            let addresses: Vec<u64> = lanes.map(|thread| address(tv, smem, thread, first)).collect();
            for (lane, start) in addresses.iter().enumerate() {
                let thread = warp * 32 + lane as i64;
                assert_eq!(start % (width as u64 * ELEMENT_BYTES), 0, "thread {thread} is aligned");
                for value in 1..width {
                    let next = start + value as u64 * ELEMENT_BYTES;
                    assert_eq!(
                        address(tv, smem, thread, first + value),
                        next,
                        "thread {thread} is contiguous"
                    );
                }
            }
            counts.push(wavefronts(&addresses, width as u32 * ELEMENT_BYTES as u32));
        }
    }
    counts
}

/// One f16 per lane: 4 warps, 32 accesses each.
fn gather(swizzle: &str) -> Vec<u32> {
    all_wavefronts(&tv("tiled_gather"), &smem("smem_t", swizzle), 1)
}

/// 16 bytes per lane, 512 bytes per warp: at least 4 wavefronts.
fn bring(swizzle: &str) -> Vec<u32> {
    all_wavefronts(&tv("tiled_g2s"), &smem("smem", swizzle), 8)
}

#[test]
fn the_swizzle_frees_the_gather_of_bank_conflicts() {
    assert_eq!(gather(SWIZZLE), [1; 128]);
    assert_eq!(gather(""), [8; 128]);
}

#[test]
fn rows_would_conflict_with_themselves_under_the_usual_swizzle() {
    // S<3,3,3> takes the row within a group of 8, which is the same for all lanes of a gather.
    let counts = gather("S<3,3,3> o 0 o ");
    assert!(counts.iter().all(|&n| n > 1), "{counts:?}");
}

#[test]
fn cp_async_writes_are_whole_with_and_without() {
    assert_eq!(bring(SWIZZLE), [4; 16]);
    assert_eq!(bring(""), [4; 16]);
}

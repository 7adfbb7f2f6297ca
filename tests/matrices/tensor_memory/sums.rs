//! Entries of `tmem_copy.json`: accumulators as an MMA leaves them in tensor memory (`tmem_C`), and
//! the tiled copy by which four warps load them: its thread-value layout and tiler, and a thread's
//! part of the accumulators (`part_S`) and of a row-major matrix (`part_D_gmem`).
//!
//! `make_tmem_copy` and the partitions must have these types. Then the copy runs: the matrix must
//! hold, for each row and column, the word of the lane and the column that `tmem_C` gives.

use cute_algebra::{Layout, Tuple, make_fragment_like, parse_shape, size};
use cute_arch::atoms::{CopyAtom, CopyInstruction, TmemShape};
use serde_json::Value as Json;

use super::{COLUMNS, THREADS, layout, module, offset, run, word};
use crate::{full::takes, vectors};

/// The modes of a tiler as types print them: `((32,16):(32,1),1:0)` is `[(32,16):(32,1);1:0]`.
fn as_tile(tiler: &str) -> String {
    let inner = tiler.strip_prefix('(').and_then(|t| t.strip_suffix(')')).expect("a tiler of modes");
    let mut depth = 0;
    let separated = inner.chars().map(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 { ';' } else { c }
    });
    format!("[{}]", separated.collect::<String>())
}

/// Accumulators as an MMA leaves them, loaded by a tiled copy and stored to a matrix with
/// contiguous rows.
fn sums(entry: &Json) {
    let text = |path: &str| vectors::text(entry, path);
    let (name, sums, part) = (text("/args/tmem_copy"), text("/result/tmem_C"), text("/result/part_S"));
    let atom = CopyAtom::by_name(name).expect("an atom");
    let CopyInstruction::TmemLoad(TmemShape { lanes, bits, repeats, .. }) = atom.instruction else {
        panic!("{name} loads tensor memory");
    };
    let tile = parse_shape(text("/args/tile_mn")).expect("a tile").to_const().expect("numbers");
    let [rows, columns] = tile.leaves()[..] else { panic!("{tile} has rows and columns") };
    let places = layout(sums);
    let extent = |of: &Layout<i64>, mode: usize| size(&of.mode(mode).expect("a mode")).expect("a size");
    let one = places.mode(0).expect("a mode");
    let [m, n, rest_m, rest_n] = [extent(&one, 0), extent(&one, 1), extent(&places, 1), extent(&places, 2)];
    let matrix = format!("(({m},{n}),{rest_m},{rest_n}):(({columns},1),{},{n})", m * columns);
    let stored = text("/result/part_D_gmem/layout");
    let own = make_fragment_like(&layout(stored)).expect("a fragment");
    let of_type = format!("!cute_nvgpu.atom.tmem_load<i32, {lanes} DP, {bits} bit, x{repeats}>");
    let tiled = format!(
        "!cute.tiled_copy<{of_type}, layout_copy_tv = <\"{}\">, tiler_mn = <\"{}\">>",
        text("/result/tiled_layout_TV"),
        as_tile(text("/result/tiler_mn"))
    );
    let view = |space: &str, layout: &str| format!("!cute.memref<i32, {space}, align<4>, \"{layout}\">");
    let (tensor, part, own, to, stored) = (
        view("tmem", sums),
        view("tmem", part),
        view("rmem", &own.to_string()),
        view("gmem", &matrix),
        view("gmem", stored),
    );
    let all = format!("!cute.memref<i32, gmem, \"({COLUMNS},{THREADS}):(1,{COLUMNS})\">");
    let body = format!(
        "%atom = cute.make_atom() : () -> {of_type}
         %begin = cute.recast_iter(%first) : !cute.ptr<i32, tmem, align<16>> to !cute.ptr<i32, tmem, align<4>>
         %sums = cute.make_view(%begin) : {tensor}
         %tiled = cute_nvgpu.atom.make_tmem_copy(%atom, %sums) : ({of_type}, {tensor}) -> {tiled}
         %number_of = cute.make_coord(%thread) : (i32) -> !cute.coord<\"?\">
         %source = cute.tiled.copy.partition_S(%tiled, %sums, %number_of) : ({tiled}, {tensor}, !cute.coord<\"?\">) -> {part}
         %out = cute.get_iter(%all) : {all}
         %out_at = cute.recast_iter(%out) : !cute.ptr<i32, gmem> to !cute.ptr<i32, gmem, align<4>>
         %matrix = cute.make_view(%out_at) : {to}
         %target = cute.tiled.copy.partition_D(%tiled, %matrix, %number_of) : ({tiled}, {to}, !cute.coord<\"?\">) -> {stored}
         %sums_of = cute.memref.alloca() : {own}
         cute.copy(%atom, %source, %sums_of) : ({of_type}, {part}, {own})
         cute.copy(%each, %sums_of, %target) : (!cute_nvgpu.atom.universal_copy<i32>, {own}, {stored})"
    );
    // The matrix lies in the buffer that otherwise receives all columns.
    let text = module(1, "i32", 1, &body);
    let text = match text.rfind("scf.for %c = %c0") {
        Some(at) => text[..at].to_string() + &text[at..].replacen("%c0 to %columns", "%c0 to %c0", 1),
        None => panic!("the columns are read at the end"),
    };
    let (_, found) = run(name, 1, &text, &[0; 4 * THREADS]);
    for row in 0..rows {
        for column in 0..columns {
            let at = [[row % m, column % n], [row / m, column / n]];
            let coordinate =
                Tuple::from_modes([Tuple::from_leaves(at[0]), Tuple::leaf(at[1][0]), Tuple::leaf(at[1][1])]);
            let place = offset(&places, &coordinate) as usize;
            let wanted = word(place >> 16, place & 0xffff);
            let place = (row * columns + column) as usize;
            assert_eq!(found[place], wanted, "{entry}: row {row}, column {column}");
        }
    }
}

/// Every sixth entry; with `CUTE_FULL` set, all of them.
#[test]
fn sums_are_loaded_as_cutlass_partitions_them() {
    let entries = vectors::read("tmem_copy");
    // The tests of the layouts cover the entries whose atom does not fit the lanes of the tensor.
    let loaded: Vec<_> = entries.iter().filter(|entry| entry.pointer("/result/error").is_none()).collect();
    assert_eq!(loaded.len(), 36);
    loaded.into_iter().enumerate().filter(|(i, _)| takes(*i, 6)).for_each(|(_, entry)| sums(entry));
}

//! Bank conflicts of tiles as kernels access them, and the swizzles that part them.

use cute_algebra::{AnyLayout, Layout, parse_layout};
use cute_arch::banks::{Access, Choice, Forms, Traffic, choose};

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).unwrap().to_const().unwrap()
}

fn access(name: &str, tv: &str, vector: i64) -> Access {
    Access { name: name.into(), layout: layout(tv), vector: Some(vector) }
}

fn form(choice: &Choice) -> String {
    choice.best.form.to_string()
}

/// 4 warps load a 128 x 32 tile of f16 by 16 bytes a thread, and read 16 x 16 of it with one
/// ldmatrix.
fn gemm_tile(rows: i64, columns: i64) -> (Layout<i64>, Vec<Access>) {
    let chunks = columns / 8;
    let bring = format!("(({chunks},{}),8):(({},1),{rows})", 128 / chunks, 8 * rows);
    let read = format!("((16,2),8):((1,{}),{rows})", 8 * rows);
    let tile = layout(&format!("({rows},{columns}):({columns},1)"));
    (tile, vec![access("cp.async", &bring, 8), access("ldmatrix", &read, 8)])
}

#[test]
fn f16_tiles_of_gemms_take_the_swizzles_of_the_tensor_cores() {
    for (columns, expected) in [(16, "S<1,3,3>"), (32, "S<2,3,3>"), (64, "S<3,3,3>")] {
        let (tile, accesses) = gemm_tile(128, columns);
        let before: Vec<u64> =
            accesses.iter().map(|a| Traffic::new(a, &tile, 16).unwrap().conflicts(|x| x).excess()).collect();
        assert_eq!(before.first(), Some(&0), "rows are written without conflicts");
        assert!(before.last() > Some(&0), "columns of chunks are read with them");
        let choice = choose(&tile, 16, &accesses, Forms::Swizzles).unwrap();
        assert!(choice.is_free(), "{choice:?}");
        assert_eq!(form(&choice), expected);
        assert_eq!(choice.best.layout.to_string(), format!("{expected} o 0 o {tile}"));
    }
}

/// The transposition of `examples/transpose.mlir`: 16 bytes a thread of a row come in; a thread
/// takes 8 of a column out, one f16 at a time, so that it can store them side by side.
#[test]
fn a_transposition_of_64_by_64_takes_a_swizzle_by_eighths() {
    let tile = layout("(64,64):(64,1)");
    let bring = access("bring", "((8,16),(8,4)):((512,1),(64,16))", 8);
    let gather = access("gather", "((8,16),(8,4)):((8,64),(1,1024))", 1);
    let plain = Traffic::new(&gather, &tile, 16).unwrap().conflicts(|offset| offset);
    assert_eq!((plain.instructions, plain.passes, plain.ideal), (128, 1024, 128));
    let choice = choose(&tile, 16, &[bring, gather], Forms::Swizzles).unwrap();
    assert!(choice.is_free(), "{choice:?}");
    assert_eq!(form(&choice), "S<3,3,6>");
}

/// 32 rows of one column lie in 8 chunks of 16 bytes at most, whatever swizzle keeps the chunks
/// whole; and rows that are written by chunks stay whole chunks apart.
#[test]
fn no_swizzle_of_whole_chunks_parts_32_rows() {
    let tile = layout("(64,64):(64,1)");
    let bring = access("bring", "((8,16),(8,4)):((512,1),(64,16))", 8);
    let column = access("column", "((32,2,2),32):((1,32,2048),64)", 1);
    let choice = choose(&tile, 16, &[bring, column], Forms::Both).unwrap();
    assert!(!choice.is_free());
    assert!(choice.tried > 100, "{} were looked at", choice.tried);
    let column = choice.best.conflicts.last().unwrap();
    assert_eq!((column.instructions, column.passes), (128, 512), "4 rows to a chunk");
}

#[test]
fn a_column_of_words_takes_all_five_bits_or_one_word_of_padding() {
    let column = access("column", "(32,32):(1,32)", 1);
    let row = access("row", "(32,32):(32,1)", 1);
    let accesses = [column, row];
    let tile = layout("(32,32):(32,1)");
    assert_eq!(form(&choose(&tile, 32, &accesses, Forms::Swizzles).unwrap()), "S<5,0,5>");
    let padded = choose(&tile, 32, &accesses, Forms::Paddings).unwrap();
    assert!(padded.is_free());
    assert_eq!(form(&padded), "1 element of padding after each 32");
    assert_eq!(padded.best.layout, AnyLayout::Plain(layout("(32,32):(33,1)")));
    assert_eq!(padded.tried, 2, "the tile itself, and one word");
}

#[test]
fn vectors_lie_side_by_side_and_aligned() {
    let tile = layout("(64,64):(64,1)");
    let refused = |tv: &str, vector| {
        let access = Access { name: "read".into(), layout: layout(tv), vector };
        Traffic::new(&access, &tile, 16).unwrap_err().to_string()
    };
    assert_eq!(
        refused("(32,8):(1,128)", Some(8)),
        "bank analysis: access read: values 0 and 1 of thread 0 have the offsets 0 and 2; 8 side by side are needed"
    );
    assert_eq!(
        refused("(32,8):(64,64)", Some(8)),
        "bank analysis: access read: value 0 of thread 1 has the offset 1, which is not a multiple of 8"
    );
    assert_eq!(
        refused("(32,12):(1,64)", Some(3)),
        "bank analysis: access read: 3 elements of 16 bits; an instruction takes 8, 16, 32, 64 or 128 bits"
    );
    assert_eq!(
        refused("(65,64):(1,64)", Some(1)),
        "bank analysis: access read: value 63 of thread 64 is element 4096 of a tile of 4096"
    );
    let wide = Access { name: "read".into(), layout: layout("(32,16):(1,64)"), vector: None };
    assert_eq!(Traffic::new(&wide, &tile, 16).unwrap().vector(), 8, "as many as 128 bits hold");
}

#[test]
fn a_padding_that_leaves_64_bits_is_none() {
    let tile = layout("(1,32,32):(9223372036854775776,32,1)");
    let column = access("column", "(32,32):(1,32)", 1);
    let choice = choose(&tile, 32, &[column], Forms::Paddings).unwrap();
    assert_eq!((form(&choice), choice.is_free()), ("S<0,4,3>".to_string(), false));
}

//! The contents of pictures, read back from the SVG and compared with the algebra.

#[path = "../common/mod.rs"]
mod common;
mod docs;
mod drawn;

use common::{fails, run};
use cute_algebra::{Crd, Layout, MmaOperand, Tuple, crd2idx, parse_layout_or_composed, size};
use cute_arch::atoms::{CopyAtom, MmaAtom};
use drawn::{Table, picture};

/// Every cell is painted once, and has text.
fn is_whole(table: &Table, extents: [usize; 2]) {
    assert_eq!(table.extents, extents);
    let places = (0..extents[0]).flat_map(|i| (0..extents[1]).map(move |j| [i, j]));
    for place in places {
        assert_eq!(table.colours.get(&place).map(Vec::len), Some(1), "{place:?} is painted once");
        assert!(table.text.contains_key(&place), "{place:?} has text");
    }
    assert_eq!(table.text.len(), extents[0] * extents[1]);
}

#[test]
fn small_pictures() {
    let small = |args: &[&str]| {
        let (status, out, err) = run(&[args, &["-o", "-"]].concat());
        assert_eq!((status, err.as_str()), (Some(0), ""));
        out
    };
    insta::assert_snapshot!("index", small(&["svg", "S<1,0,1> o 0 o (2,4):(4,1)", "--bits", "32"]));
    let mma = ["svg", "tiled_mma", "UniversalFMA<f32,f32,f32,f32>", "(2,1,1)", "[(2,2):(2,1);2]"];
    insta::assert_snapshot!("mma", small(&mma));
}

#[test]
fn cells_are_the_values_of_the_layout() {
    for text in [
        "(8,8):(8,1)",
        "(4,(2,3)):(6,(1,2))",
        "((2,3),(2,2),2):((1,4),(2,50),7)",
        "(5):(3)",
        "(4,8):(-1,4)",
        "(4,4):(1@0,1@1)",
        "S<3,3,3> o 0 o (8,64):(64,1)",
        "S<2,4,3> o 5 o (16,32):(1,16)",
    ] {
        let layout = parse_layout_or_composed(text).expect("a layout");
        let shape = cute_algebra::LayoutLike::outer(&layout).shape().clone();
        let total: i64 = shape.leaves().iter().filter_map(cute_algebra::Int::as_static).product();
        let drawn = picture(&[text]);
        let [table] = &drawn.tables[..] else { panic!("one table") };
        let [rows, columns] = table.extents;
        assert_eq!((rows * columns) as i64, total, "{text}");
        is_whole(table, [rows, columns]);
        for index in 0..total {
            let coord = Tuple::leaf(Crd::Int(cute_algebra::Dim::fixed(index)));
            let value = crd2idx(&coord, &layout).expect("a value").to_string();
            let place = [index as usize % rows, index as usize / rows];
            assert_eq!(table.text[&place], [value], "{text} at {place:?}");
        }
    }
}

/// The colours of each column of the first 8 rows.
fn colours_of_column(table: &Table, j: usize) -> Vec<&str> {
    let mut colours: Vec<_> = (0..8).map(|i| table.colours[&[i, j]][0].as_str()).collect();
    colours.sort();
    colours.dedup();
    colours
}

#[test]
fn banks_show_what_a_swizzle_does() {
    let plain = picture(&["(8,64):(64,1)", "--bits", "16"]);
    let swizzled = picture(&["S<3,3,3> o 0 o (8,64):(64,1)", "--bits", "16"]);
    for j in 0..64 {
        assert_eq!(colours_of_column(&plain.tables[0], j).len(), 1, "all of a column in the same banks");
        assert_eq!(colours_of_column(&swizzled.tables[0], j).len(), 8, "none");
    }
    assert!(swizzled.words.contains(&"banks 28 to 31".to_string()));
    // Two elements of 4 bits in a byte, 32 in 16 bytes.
    let nibbles = picture(&["(1,64)", "--bits", "4"]);
    let colour = |j| nibbles.tables[0].colours[&[0, j]][0].as_str();
    assert_eq!([colour(0), colour(31), colour(32), colour(63)], ["c0", "c0", "c1", "c1"]);
}

/// Asserts that `table`, or its transpose, has (thread, value) at the places that `tv` gives.
fn shows(table: &Table, [rows, columns]: [i64; 2], transposed: bool, tv: &Layout<i64>) {
    let extents = [rows as usize, columns as usize];
    is_whole(table, if transposed { [extents[1], extents[0]] } else { extents });
    let threads = size(&tv.mode(0).expect("threads")).expect("a number");
    let values = size(&tv.mode(1).expect("values")).expect("a number");
    for (t, v) in (0..threads).flat_map(|t| (0..values).map(move |v| (t, v))) {
        let coord = Tuple::from_leaves([Crd::Int(t), Crd::Int(v)]);
        let index = crd2idx(&coord, tv).expect("an index").as_leaf().copied().expect("an integer");
        let [i, j] = [(index % rows) as usize, (index / rows) as usize];
        let place = if transposed { [j, i] } else { [i, j] };
        assert_eq!(table.text[&place], [format!("T{t}"), format!("V{v}")], "at {place:?}");
    }
}

#[test]
fn owners_are_those_of_the_thread_value_layouts() {
    let name = "SM80_16x8x16_F32F16F16F32_TN";
    let atom = MmaAtom::by_name(name).expect("the atom").layouts();
    let drawn = picture(&[name]);
    // B is drawn first, above.
    let [b, a, c] = &drawn.tables[..] else { panic!("A, B and C") };
    shows(a, [16, 16], false, atom.operand(MmaOperand::A));
    shows(b, [8, 16], true, atom.operand(MmaOperand::B));
    shows(c, [16, 8], false, atom.operand(MmaOperand::C));

    let tv = atom.operand(MmaOperand::C);
    let alone = picture(&["TV", &tv.to_string(), "--tile", "(16,8)"]);
    shows(&alone.tables[0], [16, 8], false, tv);

    let copy = ["make_tiled_copy", "SM75_U32x4_LDSM_N", "16", "(32,1)", "(1,8)"];
    let drawn = picture(&copy);
    let [source, destination] = &drawn.tables[..] else { panic!("two sides") };
    for (table, side) in [(source, "S"), (destination, "D")] {
        let (_, out, _) = run(&[&format!("layout{side}_TV(make_tiled_copy({}))", copy[1..].join(","))]);
        let tv = cute_algebra::parse_layout(out.trim()).expect("a layout").to_const().expect("static");
        shows(table, [32, 8], false, &tv);
    }
}

/// An atom of a copy alone, row by row: the same owners as in a tiled copy of one warp.
#[test]
fn an_atom_of_a_copy_is_drawn_without_a_tiling() {
    let atom = CopyAtom::by_name("SM75_U32x4_LDSM_N").expect("the atom");
    let drawn = picture(&[&atom.name]);
    let [source, destination] = &drawn.tables[..] else { panic!("two sides") };
    for (table, bits) in [(source, &atom.src), (destination, &atom.dst)] {
        shows(table, [8, 32], true, &cute_algebra::upcast(bits, 16).expect("halves"));
    }
}

#[test]
fn threads_that_share_elements_are_counted_and_gaps_are_white() {
    let mma = ["tiled_mma", "UniversalFMA<f32,f32,f32,f32>", "(4,2,2)"];
    let drawn = picture(&mma);
    for note in [
        "2 threads have each element of A",
        "4 threads have each element of B",
        "2 threads have each element of C",
    ] {
        assert!(drawn.words.iter().any(|word| word.starts_with(note)), "{note}: {:?}", drawn.words);
    }
    is_whole(&drawn.tables[2], [4, 2]);
    let gaps = picture(&["TV", "(2,2):(1,4)", "--tile", "(4,2)"]);
    assert_eq!(gaps.tables[0].colours.len(), 4);
    assert!(gaps.words.contains(&"No thread has the 4 white elements.".to_string()), "{:?}", gaps.words);
    let uneven = picture(&["TV", "(3,2):(1,1)", "--tile", "4"]);
    assert!(uneven.words.iter().any(|word| word.starts_with("1 to 2 threads")), "{:?}", uneven.words);
    assert_eq!(uneven.tables[0].text[&[1, 0]], ["T0", "V1"]);
    let repeated = picture(&["TV", "(2,2):(0,0)", "--tile", "1"]);
    assert!(repeated.words.iter().any(|word| word.starts_with("2 threads have")), "{:?}", repeated.words);
    // Thread 1 has element 1 twice; thread 0 has it too.
    let twice = picture(&["TV", "(2,(2,2)):(1,(0,1))", "--tile", "3"]);
    assert!(twice.words.iter().any(|word| word.starts_with("1 to 2 threads")), "{:?}", twice.words);
}

#[test]
fn large_tables_have_colours_only_unless_cut() {
    let mma =
        ["tiled_mma", "UniversalFMA<f32,f32,f32,f32>", "(16,16,1):(16,1,0)", "[(16,4):(4,1);(16,4):(4,1)]"];
    let tile = [&mma[..], &["--tile", "(128,128)"]].concat();
    let (_, whole, _) = run(&[&["svg"], &tile[..], &["-o", "-"]].concat());
    assert!(!whole.contains("class=\"t\"") && whole.contains(">120<"), "a sparse rim and no text");
    assert!(whole.len() < 100_000, "{}", whole.len());
    let corner = picture(&[&tile[..], &["--corner", "16"]].concat());
    let [b, a, c] = &corner.tables[..] else { panic!("A, B and C") };
    is_whole(a, [16, 1]);
    is_whole(b, [1, 16]);
    is_whole(c, [16, 16]);
    // Thread 17 starts at row 4, column 4: offset 516 in 128 columns.
    assert_eq!(c.text[&[4, 4]], ["T17", "V0"]);
    assert_eq!(c.text[&[5, 6]], ["T17", "V17"]);
    is_whole(&picture(&["(65536,65536)", "--corner", "3"]).tables[0], [3, 3]);
}

#[test]
fn a_part_is_drawn_without_its_offset() {
    let drawn = picture(&["slice_and_offset", "(2,_)", "(4,8):(8,1)"]);
    assert_eq!(drawn.tables[0].text[&[3, 0]], ["3"]);
    assert!(drawn.words.contains(&"Where it starts, 16, is not added.".to_string()), "{:?}", drawn.words);
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.svg");
    let file = file.to_str().expect("a name");
    let fma = "UniversalFMA<f32,f32,f32,f32>";
    let mistakes: [(&[&str], &str); 20] = [
        (&["(?,4):(1,4)"], "a picture needs a static layout, but (?,4):(1,4) has dynamic leaves"),
        (
            &["(4096,4096)"],
            "a table of 4096 x 4096: at most 1024 rows, 1024 columns and 65536 cells are drawn; --corner N",
        ),
        (&["(1024,128)"], "a table of 1024 x 128: at most"),
        (&["S<3,4,3>"], "the picture must be a layout, but S<3,4,3> is a swizzle"),
        (&["TV", "(4,2):(1,4)"], "TV needs the tile that it maps to, --tile (M,N)"),
        (
            &["TV", "(4,3):(1,4)", "--tile", "(4,2)"],
            "value 2 of thread 0 has index 8, outside the 8 elements of the tile (4,2)",
        ),
        (&["TV", "(4,3):(-1,4)", "--tile", "(4,4)"], "value 0 of thread 1 has index -1, outside"),
        (&["TV", "(4,2):(1@0,1@1)", "--tile", "(4,2)"], "which are not indices of the tile (4,2)"),
        (&["TV", "8:1", "--tile", "(4,2)"], "8:1 must have exactly two modes (thread, value)"),
        (
            &["TV", "(4,2)", "--tile", "(4,?)"],
            "argument '--tile': column 1: the tile must be static positive extents",
        ),
        (&["TV", "(4,2)", "--tile", "(4,2,1)"], "--tile (4,2,1): it must have the two modes (M,N)"),
        (
            &["8", "--tile", "(4,2)"],
            "--tile is for a tiled MMA and for a thread-value layout, after the word TV",
        ),
        (&["tiled_mma", fma, "--bits", "16"], "--bits is for the layout of a tensor in shared memory"),
        (
            &["tiled_mma", fma, "(16,16)", "--tile", "(8,16)"],
            "--tile (8,16): 8 of M is not a multiple of the tile's 16",
        ),
        (&["TV", "(65537,1):(0,0)", "--tile", "4"], "65537 threads: at most 65536 are supported"),
        (
            &["TV", "(1,262145):(0,0)", "--tile", "4"],
            "threads have more than 262144 values of the tile (4,1)",
        ),
        (&["TV", "(4,4)", "--tile", "(2048,2048)"], "the tile (2048,2048) has more than 262144 elements"),
        (&["8", "--bits", "0"], "--bits 0: an element has 1 to 128 bits"),
        (&["8", "--corner", "0"], "--corner 0: at least one row and column are drawn"),
        (
            &["UniversalCopy<uint128_t>", "--bits", "48"],
            "--bits 48: UniversalCopy<uint128_t> moves other units",
        ),
    ];
    for (args, message) in mistakes {
        fails(&[&["svg"], args, &["-o", file]].concat(), message);
        assert!(!std::path::Path::new(file).exists(), "{args:?} wrote");
    }
    fails(&["svg", "8"], "svg needs a file to write, -o FILE; -o - is standard output");
    fails(&["svg", "-o", "-"], "svg takes an expression, or a function and its arguments");
    fails(&["size(8)", "-o", file], "--output is an option of svg");
    fails(&["svg", "8", "-o", folder.path().to_str().expect("a name")], "is a directory");
}

#[test]
fn a_file_is_written_without_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.svg");
    common::prints(&["svg", "(4,4)", "-o", file.to_str().expect("a name")], "");
    let written = std::fs::read_to_string(&file).expect("the picture");
    assert_eq!(written, run(&["svg", "(4,4)", "-o", "-"]).1);
}

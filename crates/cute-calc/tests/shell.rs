//! The output at the shell: values, errors with columns, exit codes, help, lines from a pipe.

mod common;

use common::{fails, feeds, prints, run};

#[test]
fn an_expression_prints_its_value() {
    prints(&["composition((20):(2), (5,4):(4,1))"], "(5,4):(8,2)\n");
    prints(&["complement", "4:32", "256"], "(32,2):(1,128)\n");
    prints(&["size(coalesce((2,(1,6)):(1,(6,2))))"], "12\n");
    prints(&["A = (4,8):(8,1)", "right_inverse(A)"], "(4,8):(8,1)\n(8,4):(4,1)\n");
    prints(&["upcast", "(8,4):(1,-8)", "4"], "(2,4):(1,-2)\n");
    let (_, atoms, _) = run(&["atoms", "mma.sync.aligned.m16n8k16"]);
    assert!(atoms.lines().any(|name| name == "SM80_16x8x16_F32F16F16F32_TN"), "{atoms}");
    fails(&["atoms", "cp.async.bulk.tensor"], "did you mean 'tma(TENSOR, TILE, TILER)'?");
    prints(&["Layout<Shape<_4,_8>,Stride<_8,_1>>{}; // row-major"], "(4,8):(8,1)\n");
}

#[test]
fn every_text_form_is_an_argument() {
    for (expression, value) in [
        ("(4,(2,2))", "(4,(2,2))"),
        ("( 4 , 8 ) : ( 8 , 1 )", "(4,8):(8,1)"),
        ("size((4,8))", "32"),
        ("S<3,4,3>", "S<3,4,3>"),
        ("S<3,4,3>o0o(8,64):(64,1)", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("composition(S<3,4,3>, (8,64):(64,1))", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("4:1 o 1 o 2:1", "4:1 o 1 o 2:1"),
        ("S<3,4,3> o 0 o make_layout_right((8,64))", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("[4:1;_;8]", "[4:1;_;8]"),
        ("(2,(_,1))", "(2,(_,1))"),
        ("(4,8):(1@0,1@0@1)", "(4,8):(1@0,1@0@1)"),
        ("make_layout((4,8), (1@0,1@1))", "(4,8):(1@0,1@1)"),
        ("make_layout(4:1, 8:4)", "(4,8):(1,4)"),
        ("make_layout((size(4:1),8))", "(4,8):(1,4)"),
        ("slice((2,_), (4,8):(8,1))", "(8):(1)"),
        ("slice_and_offset((2,_), (4,8):(8,1))", "offset 16, layout (8):(1)"),
        ("offset(slice_and_offset((2,_), (4,8):(8,1)))", "16"),
        ("apply(S<3,4,3>, 128)", "144"),
        ("get((4,(2,3)), 1, 0)", "2"),
        ("select((4,5,6):(1,4,20), (2,0))", "(6,4):(20,1)"),
        ("recast_layout((16,8):(8,1), 16, 32)", "(16,4):(4,1)"),
        ("recast_layout(32, 16, (16,8):(8,1))", "(16,4):(4,1)"),
        ("(4:2,_,(2,3))", "[4:2;_;[2;3]]"),
        ("composition((16,8):(8,1), (4:2,2:4))", "(4,2):(16,4)"),
        ("make_layout((4:1,8:4))", "(4,8):(1,4)"),
        ("make_composed_layout(S<3,4,3>, 0, (8,64):(64,1))", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("crd2idx((1,2), (4,8), (8,1))", "10"),
        ("idx2crd((9,3), (4,8), (8,1))", "(1,3)"),
        ("prefix_product((2,(1,3)), (1,5))", "(1,(5,5))"),
        ("outer_tiled_divide((4,8):(8,1), [2])", "(4,4,(2)):(8,2,(1))"),
    ] {
        prints(&[expression], &format!("{value}\n"));
    }
}

#[test]
fn layouts_are_applied_composed_and_indexed_as_in_pycute() {
    let (a, b) = ("A = (4,8):(8,1)", "B = (2,4):(1,8)");
    for (expression, value) in [
        ("A(1,2)", "10"),
        ("A((1,2))", "10"),
        ("A(9)", "10"),
        ("A(2,_)", "(8):(1)"),
        ("((4,8):(8,1))(1,2)", "10"),
        ("(4,8):(8,1)(1,2)", "10"),
        ("make_layout_right((4,8))(1,2)", "10"),
        ("S<3,4,3>(128)", "144"),
        ("A[1]", "8:1"),
        ("((2,2),4):((1,4),8)[0][1]", "2:4"),
        ("get((4,(2,3)), 1)[1]", "3"),
        ("A[0](3)", "24"),
        ("A o B", "(2,4):(8,2)"),
        ("A o B o 2:1", "2:8"),
        ("(A o B)(1,2)", "12"),
        ("S<3,4,3> o (8,64):(64,1)", "S<3,4,3> o 0 o (8,64):(64,1)"),
        ("2*3+4", "10"),
        ("4 + 2 * 3", "10"),
        ("(4+2)*3", "18"),
        ("7/2*2 - 7%4", "3"),
        ("(2*4,8):(size(A)/4,-1)", "(8,8):(8,-1)"),
        ("(1,(2,3)) + (4,(0,5))", "(5,(2,8))"),
        ("(4,8):(1/2@0,1@1)", "(4,8):(1/2@0,1@1)"),
        ("?8*4", "?32"),
    ] {
        prints(&[a, b, expression], &format!("(4,8):(8,1)\n(2,4):(1,8)\n{value}\n"));
    }
    fails(&["4:1(_,_)"], "column 1: ");
    fails(&["A = S<3,4,3>", "A[0]"], "argument 1 of get must be a layout, but S<3,4,3> is a swizzle");
    fails(&["[4:1](2)"], "column 6: expected the end, found `(`");
    let long = format!("1{}", "+1".repeat(300));
    fails(&[&long], "column 1: more than 256 operators");
    let (_, out, _) = run(&["explain", "20:2 o (5,4):(4,1)"]);
    assert!(out.starts_with("composition(20:2, (5,4):(4,1))\n  mode 0 of b, 5:4:"), "{out}");
}

#[test]
fn every_atom_can_be_named() {
    let sparse = "SPARSE::GMMA_64x64x64_S32S8U8_SS_TN";
    let (status, out, err) = run(&[&format!("tiled_mma({sparse})")]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(
        out.starts_with(&format!("tiled_mma({sparse}, (1,1,1):(0,0,0))\n  thr_layout_vmnk = (128,1,1,1)")),
        "{out}"
    );
    let request = format!(r#"{{"op":"tiled_mma","args":{{"atom":"{sparse}","atom_layout":"1:0"}}}}"#);
    let (_, out, _) = feeds(&["--json"], &request);
    assert!(out.contains(r#""threads":128"#), "{out}");
    let (status, names, _) = run(&["atoms"]);
    assert_eq!(status, Some(0));
    let lines: String = names.lines().map(|name| format!("atom = {name}\n")).collect();
    let (status, out, err) = feeds(&[], &lines);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(names.lines().count() > 1000 && out.lines().count() > names.lines().count());
}

#[test]
fn dynamic_integers_keep_what_is_known() {
    prints(&["size((?{div=8},4))"], "?{div=32}\n");
    prints(&["size((?{i64 div=8},4))"], "?{i64 div=32}\n");
    prints(&["size((?8,4))"], "?32\n");
    prints(&["make_layout((4,?))"], "(4,?):(1,4)\n");
    prints(&["crd2idx((1,?3), (4,?8):(?8,1))"], "?11\n");
    prints(&["crd2idx((1,?), (4,?8):(?8,1))"], "?\n");
    prints(&["equivalent(?:1, 8:1)"], "unknown\n");
    prints(&["idx2crd(5, (?0,2))"], "(?,?)\n");
    fails(&["?8{div=3}"], "column 8: expected a positive divisor of the value, found `3`");
}

#[test]
fn errors_are_one_line_with_a_column() {
    fails(&["compose(4:1, 4:1)"], "column 1: unknown function 'compose'; did you mean 'composition'?");
    fails(
        &["size(logical_devide(8:1, 2))"],
        "column 6: unknown function 'logical_devide'; did you mean 'logical_divide'?",
    );
    fails(&["size(Q)"], "column 6: 'Q' is not defined");
    fails(
        &["SM80_16x8x16"],
        "no atom is called 'SM80_16x8x16'; 11 begin with it: SM80_16x8x16_F32F16F16F32_TN, ",
    );
    fails(&["SM80_16x8x16_F32F16F16F32_TT"], "; did you mean 'SM80_16x8x16_F32F16F16F32_TN'?");
    fails(&["SM90_TMA_LOAD"], "no atom is called 'SM90_TMA_LOAD'; did you mean 'tma(TENSOR, TILE, TILER)'?");
    fails(
        &["composition(8:1)"],
        "column 1: composition takes 2 arguments, but got 1: composition(a: layout|swizzle, b: tiler)",
    );
    fails(&["coalesce(8:1, 1, 2)"], "column 1: coalesce takes 1 to 2 arguments, but got 3");
    fails(&["composition(8:1, S<3,4,3>)"], "column 18: argument 2 of composition must be a tiler");
    fails(
        &["right_inverse([4:1])"],
        "column 15: argument 1 of right_inverse must be a layout, but [4:1] is a tile",
    );
    fails(&["(4,8):(1,2,3)"], "column 1: shape and stride: (4,8) and (1,2,3) are not congruent");
    fails(&["coalesce((4,8)"], "column 15: expected `,` or `)`, found the end");
    fails(&["(4,8):(8,1) ; 3"], "column 13: expected the end, found `;`");
    fails(&["size(composition((4,2):(1,8), 2:6))"], "column 6: the right operand: stride 6 is neither");
    fails(&["S<9,1,3>"], "column 1: S<9,1,3> is not a valid swizzle");
    fails(&["99999999999999999999"], "column 1: expected an integer of 64 bits");
    fails(
        &["9223372036854775807:1", "size((9223372036854775807,2))"],
        "column 1: 9223372036854775807 * 2 does not fit 64 bits",
    );
    fails(&["complement", "4:x", "256"], "argument 1: column 3: 'x' is not defined");
    fails(&["table"], "'table' takes one argument");
    fails(&["help", "slise"], "did you mean 'slice'?");
}

#[test]
fn the_domain_policy_is_an_option() {
    prints(&["composition(4:1, 16:1)"], "16:1\n");
    prints(&["--domain", "extend", "composition(4:1, 16:1)"], "16:1\n");
    fails(&["--domain", "strict", "composition(4:1, 16:1)"], "--domain extend accepts it as CuTe does");
    fails(&["composition(4:1, 16:1)", "--domain=strict"], "--domain extend accepts it as CuTe does");
    fails(&["--domain", "strict", "logical_divide(20:1, 4:2)"], "column 1: ");
    fails(&["--domain", "strict", "crd2idx((1,8), (4,8):(8,1))"], "column 1: ");
    fails(&["--domain", "strict", "slice((4,_), (4,8):(8,1))"], "column 1: ");
    prints(&["--domain", "strict", "crd2idx((1,7), (4,8):(8,1))"], "15\n");
}

#[test]
fn the_strict_policy_asks_of_every_operation_that_has_an_equation() {
    let strict = |expression: &str, why: &str| {
        assert!(!run(&[expression]).1.is_empty(), "{expression} has a value under extend");
        fails(&["--domain", "strict", expression], why);
    };
    strict("tile_to_shape((2):(6), (8,2))", "overlaps itself");
    strict("cover_shape((2):(6), (7,2))", "overlaps itself");
    // A shape is the layout (4,2):(1,4) here, not a tiler by mode.
    strict("blocked_product((2):(6), (4,2))", "overlaps itself");
    strict("raked_product((2):(6), (4,2))", "overlaps itself");
    strict("logical_product(4:2, (6,2,2):(1,2,1))", "has a value at several coordinates");
    strict("get_flat_coord((4,8):(8,1), 1000000)", "has 0, not 1000000, at (0,0)");
    strict("get_1d_coord((12,6):(5,1), 51)", "has 53, not 51, at (10,3)");
    strict("get_hier_coord((4,8):(8,1), -1)", "index -1 is outside [0, 8)");
    strict("idx2crd(-1, (4,8))", "index -1 is outside [0, 32)");
    strict("crd2crd((4,0), (4,8), (8,4))", "index 4 is outside [0, 4)");
    strict("local_tile((2,(12,2)):(0,(16,18)), (2,8), (0,1))", "carry out of mode 0 (extent 12)");
    strict("local_partition((2,(12,2)):(0,(16,18)), (2,8):(1,2), 3)", "carry out of mode 0 (extent 12)");
    strict("max_common_vector(4:1, 32:1)", "the run 32:1 reaches index 31, but 4:1 has 4 elements");
    strict("right_inverse(S<1,0,1> o 0 o (2,2,3):(1,6,2))", "right_inverse: ");
    strict("left_inverse_of_bases((4,3):(1@0,1@0))", "column 1: ");
    prints(
        &["--domain", "strict", "local_tile((100,64):(64,1), (32,16), (3,0))"],
        "offset 6144, layout (32,16):(64,1)\n",
    );
    prints(&["same_image((4,3):(3,1), 12:1)"], "true\n");
}

#[test]
fn values_that_mean_nothing_are_refused() {
    fails(&["(2,3):(1,1@0)"], "1 and 1@0 cannot be added");
    fails(&["(1@1@0,1@0)"], "1@0 and 1@1@0 cannot be added");
    fails(&["make_tuple(4:1, 3:1@0)"], "1 and 1@0 cannot be added");
    fails(&["(6,2):(1,3) o 2 o (2,3):(1@1,2@0)"], "2 and (0,0) cannot be added");
    prints(&["size(4:1, 0)"], "4\n");
    prints(&["ceil_div((?16,?32), (4,8):(1,4))"], "?16\n");
    prints(&["tiles_in((130,256,4), [128:1;64:1])"], "(2,4,4)\n");
    prints(&["append_to_rank(4:1, 2)"], "(4,1):(1,0)\n");
    fails(
        &["append_to_rank(4:1, 100000000000)"],
        "the padded layout: rank 100000000000, expected at most 65536",
    );
}

#[test]
fn lines_from_a_pipe_are_evaluated_one_by_one() {
    let (status, out, err) =
        feeds(&[], "A = (4,8):(1,4)\n\n# a comment\nsize(A)\nB\n  :vars\n:nothing\nrank(A)\n");
    assert_eq!(out, "(4,8):(1,4)\n32\nA = (4,8):(1,4)\n2\n");
    assert_eq!(
        err,
        "error: line 5: column 1: 'B' is not defined; did you mean 'A'?\nerror: line 7: unknown command ':nothing'; ':help' lists the commands\n"
    );
    assert_eq!(status, Some(1), "a line failed");
    let (status, out, _) = feeds(&[], "4:1\n:quit\n8:1");
    assert_eq!((status, out.as_str()), (Some(0), "4:1\n"));
    let (status, out, _) = feeds(&[], "4:1");
    assert_eq!((status, out.as_str()), (Some(0), "4:1\n"));
}

#[test]
fn the_prompt_takes_the_commands_of_the_shell() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("a.svg");
    let said = |line: &str| {
        let (status, out, err) = feeds(&[], &format!("A = (4,8):(8,1)\n{line}\n"));
        assert_eq!((status, err.as_str()), (Some(0), ""), "{line}");
        out.strip_prefix("(4,8):(8,1)\n").expect("the value of A").to_string()
    };
    for colon in ["", ":", "  "] {
        let table = said(&format!("{colon}table A"));
        assert_eq!(table, run(&["table", "(4,8):(8,1)"]).1);
        let steps = said(&format!("{colon}explain complement(4:32, 256)"));
        assert_eq!(steps, run(&["explain", "complement", "4:32", "256"]).1);
        assert_eq!(steps, said(&format!("{colon}explain complement 4:32 256")));
        assert_eq!(said(&format!("{colon}help complement")), run(&["help", "complement"]).1);
        assert_eq!(
            said(&format!("{colon}atoms SM75_*LDSM_N")),
            "SM75_U32x1_LDSM_N\nSM75_U32x2_LDSM_N\nSM75_U32x4_LDSM_N\n"
        );
        let banks = said(&format!("{colon}banks A --bits 32 --access 'rows=(4, 8):(1,4)'"));
        assert!(banks.starts_with("(4,8):(8,1), 32-bit elements\n  rows: "), "{banks}");
        assert_eq!(said(&format!("{colon}svg A -o {}", picture.display())), "");
        assert!(std::fs::read_to_string(&picture).expect("a picture").starts_with("<svg"));
        assert_eq!(said(&format!("{colon}vars")), "A = (4,8):(8,1)\n");
    }
    for end in ["quit", "exit", ":q", " :quit "] {
        assert_eq!(feeds(&[], &format!("{end}\n4:1\n")), (Some(0), String::new(), String::new()), "{end}");
    }
    // A variable hides a command, which a colon still names.
    let (_, out, _) = feeds(&[], "table = 4:1\ntable\nlist=2\n:help table\n");
    assert_eq!(out, "4:1\n4:1\n2\ntable = 4:1\n");
    let (status, _, err) = feeds(&[], "svg A\nbanks 4:1 --bit 8\ntable A\nhelp tabel\n");
    assert_eq!(status, Some(1));
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(
        lines,
        [
            "error: line 1: svg needs a file to write, -o FILE; -o - is standard output",
            "error: line 2: unexpected argument '--bit' found",
            "error: line 3: column 1: 'A' is not defined",
            "error: line 4: column 1: unknown function 'tabel'; did you mean 'table'?",
        ]
    );
}

#[test]
fn atoms_are_listed_by_pattern() {
    let (status, out, _) = run(&["atoms", "SM80_*_TN"]);
    assert_eq!(status, Some(0));
    assert!(
        out.lines().count() > 20 && out.lines().all(|n| n.starts_with("SM80_") && n.ends_with("_TN")),
        "{out}"
    );
    assert_eq!(run(&["atoms", "ldsm"]).1.lines().count(), run(&["atoms", "*LDSM*"]).1.lines().count());
    fails(&["atoms", "SM80_16x8x16_F32F16F16F32_TM"], "did you mean 'SM80_16x8x16_F32F16F16F32_TN'?");
    let (_, out, _) = run(&["help", "SM75_U32x4_LDSM_N"]);
    assert!(out.contains("thr_id = 32:1"), "{out}");
}

#[test]
fn help_and_list_come_from_the_table() {
    let (status, out, _) = run(&["list"]);
    assert_eq!(status, Some(0));
    for name in ["composition(", "local_tile(", "equivalent(", "nullspace(", "stencil_divide("] {
        assert!(out.contains(&format!("\n  {name}")), "{name}");
    }
    prints(
        &["help", "complement"],
        "complement(layout: layout, cotarget?: shape|layout)\n  the ordered layout that fills what another leaves free, in [0, size(cotarget))\n  also: complement_in_cosize\n  complement(4:32, 256) = (32,2):(1,128)\n",
    );
    let (_, out, _) = run(&["help"]);
    assert!(out.contains("explain EXPR") && out.contains("--domain strict"), "{out}");
    let (_, out, _) = run(&["--help"]);
    assert!(out.contains("CuTe's behaviour") && out.contains("explain EXPR"), "{out}");
    let (_, out, _) = feeds(&[], ":help complement\n");
    assert!(out.starts_with("complement("), "{out}");
}

#[test]
fn bombs_end_in_an_error() {
    let deep = "(".repeat(100_000);
    let (status, out, err) = feeds(&[], &format!("{deep}\nsize(4)\n"));
    assert_eq!((status, out.as_str()), (Some(1), "4\n"));
    assert_eq!(err, "error: line 1: column 65: more than 64 nested brackets\n");
    let calls = format!("{}4:1{}", "size(".repeat(100_000), ")".repeat(100_000));
    let (_, _, err) = feeds(&[], &calls);
    assert_eq!(err, "error: line 1: column 325: more than 64 nested brackets\n");
    let wide = format!("size(({}1))", "1,".repeat(1_000_000));
    let (_, _, err) = feeds(&[], &wide);
    assert!(err.starts_with("error: line 1: column ") && err.ends_with("more than 2048 leaves\n"), "{err}");
    let (_, _, err) = feeds(&[], "append_to_rank(4:1, 65536)\nappend_to_rank(4:1, 99999999999)\n");
    assert_eq!(err.lines().count(), 2, "{err}");
    let grown = format!("A = (4)\n{}", "A = group(A, 0, 1)\n".repeat(2_000));
    let (_, _, err) = feeds(&[], &grown);
    assert!(err.contains("more than 256 nested brackets"), "{}", err.len());
    let dynamic = format!("A = ({}?):({}?)\ncomposition(A, A)\n", "?,".repeat(900), "?,".repeat(900));
    let (_, _, err) = feeds(&[], &dynamic);
    assert_eq!(err, "error: line 2: column 1: the result has more than 2048 leaves\n");
}

#[test]
fn tilings_say_what_they_are() {
    prints(
        &["tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;_])"],
        "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), [32;32;_])
  thr_layout_vmnk = (32,2,2,1):(1,32,64,0)
  tile_mnk = (32,32,16)
  threads = 128
  layoutA_TV = ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))
  layoutB_TV = ((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))
  layoutC_TV = ((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))
",
    );
    // The printed text can be read back.
    let copy = "tiled_copy(UniversalCopy<uint128_t>, 16, ((4,32),8):((256,1),32), [32;32])";
    for made in ["make_tiled_copy(UniversalCopy< uint128_t >, 16, (32,4):(4,1), (1,8))", copy] {
        let facts = "
  tiler_mn = (32,32)
  tiled_layout_TV = ((4,32),8):((256,1),32)
  threads = 128
  layoutS_TV = ((4,32),(8,1)):((256,1),(32,0))
  layoutD_TV = ((4,32),(8,1)):((256,1),(32,0))
";
        prints(&[made], &format!("{copy}{facts}"));
    }
    prints(
        &[
            "m = tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16))",
            "tile_mnk(m)",
            "partition_C(m, (?64,32):(32,1), ?17)",
        ],
        "tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(1,16,0))
  thr_layout_vmnk = (1,16,16,1):(0,1,16,0)
  tile_mnk = (16,16,1)
  threads = 256
  layoutA_TV = ((16,16),(1,(1,1))):((1,0),(0,(0,0)))
  layoutB_TV = ((16,16),(1,(1,1))):((0,1),(0,(0,0)))
  layoutC_TV = (256,(1,(1,1))):(1,(0,(0,0)))
(16,16,1)
offset ?33, layout (1,?4,2):(0,512,16)
",
    );
}

#[test]
fn a_partition_is_explained_step_by_step() {
    prints(
        &[
            "explain",
            "partition_C(tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(16,1,0), [(16,4):(4,1);(16,4):(4,1)]), (128,128):(128,1), 17)",
        ],
        "partition_C(tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(16,1,0), [(16,4):(4,1);(16,4):(4,1);_]), (128,128):(128,1), 17)
  argument 1, tiled_mma: tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(16,1,0), [(16,4):(4,1);(16,4):(4,1);_])
  permuted = logical_divide(tensor, [(16,4):(4,1);(16,4):(4,1)]) = (((16,4),2),((16,4),2)):(((512,128),8192),((4,1),64))
  atoms = zipped_divide(permuted, [1;1]) = ((1,1),((16,4,2),(16,4,2))):((0,0),((512,128,8192),(4,1,64)))
  values = composition(atoms, [(1,1):(0,0);_]) = ((1,1),((16,4,2),(16,4,2))):((0,0),((512,128,8192),(4,1,64)))
  threads = zipped_divide(values, [_;[16;16]]) = ((1,(16,16)),(1,((4,2),(4,2)))):((0,(512,4)),(0,((128,8192),(1,64))))
  thread 17 is (v,m,n,k) = (0,1,1,0) of (1,16,16,1):(0,16,1,0)
  its slice of threads: ((0,(1,1)),(_,(_,_)))
= offset 516, layout (1,(4,2),(4,2)):(0,(128,8192),(1,64))
",
    );
    let (status, out, _) = run(&[
        "explain",
        "partition_D(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)), (64,64):(64,1), 5)",
    ]);
    assert_eq!(status, Some(0));
    assert!(
        out.contains("tiles = zipped_divide(tensor, [32;32]) = ((32,32),(2,2)):((64,1),(2048,32))"),
        "{out}"
    );
    assert!(out.ends_with("= offset 72, layout ((8,1),2,2):((1,0),2048,32)\n"), "{out}");
}

#[test]
fn mistakes_of_tilings_name_what_is_wrong() {
    fails(&["SM80_16x8x16_F32F16F16F32_TM"], "did you mean 'SM80_16x8x16_F32F16F16F32_TN'?");
    fails(&["UniversalCopy<uint128_t"], "expected `>` after the parameters of a name, found the end");
    fails(&["tiled_mma(UniversalCopy<uint128_t>)"], "must be an MMA atom, such as SM80_");
    fails(
        &["tiled_mma(UniversalFMA<f32,f32,f32,f32>, (2,2,2,2))"],
        "the layout of the atoms: rank 4, expected at most 3",
    );
    fails(&["tiled_mma(UniversalFMA<f32,f32,f32,f32>, (?,2))"], "must be a static layout");
    fails(
        &["tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (128))"],
        "values of a thread of a tiled copy: 4 is not a multiple of the atom's 8",
    );
    fails(
        &["partition_C(tiled_mma(UniversalFMA<f32,f32,f32,f32>), 8:1, 0)"],
        "the tensor: rank 1, expected at least 2",
    );
    let strict = |expression: &str, words: &str| {
        let (status, _, err) = run(&["--domain", "strict", expression]);
        assert_eq!(status, Some(1), "{expression}");
        assert!(err.contains(words), "{err}");
    };
    strict(
        "tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16), [40;_;_])",
        "mode 0: a tile of 40 is not a multiple of 16, 16 atoms of 1; --domain extend accepts it as CuTe does",
    );
    strict("partition_C(tiled_mma(UniversalFMA<f32,f32,f32,f32>), (8,8), 1)", "index 1 is outside [0, 1)");
}

/// Runs `command` in a shell that finds the binary as `cute-calc`: exit code and standard error.
fn shell(command: &str, folder: &std::path::Path) -> (Option<i32>, String) {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_cute-calc")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", command]).current_dir(folder).env("PATH", path).output().expect("bash");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn output_that_nobody_can_get_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in ["cute-calc 4:1 >&-", "cute-calc svg 4:1 -o - >&-", "echo 4:1 | cute-calc >&-"] {
        let (status, err) = shell(command, folder.path());
        assert_eq!((status, err.contains("standard output is closed")), (Some(1), true), "{command}: {err}");
    }
    // Writing to `/dev/null` succeeds, and so does writing to a pipe whose reader has stopped.
    for command in ["cute-calc 4:1 >/dev/null", "cute-calc 4:1 <>/dev/null >&0", "cute-calc list | head -1"] {
        assert_eq!(shell(&format!("set -o pipefail; {command}"), folder.path()), (Some(0), String::new()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_that_cannot_be_written_leaves_the_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("index.svg"), "the old picture").expect("a picture");
    let (status, err) =
        shell("ulimit -f 0; trap '' XFSZ; cute-calc svg '(4,8):(8,1)' -o index.svg", folder.path());
    assert_eq!(status, Some(1), "{err}");
    assert!(err.ends_with("index.svg': File too large\n"), "{err}");
    let files: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let kept = std::fs::read_to_string(folder.path().join("index.svg")).expect("a picture");
    assert_eq!(kept, "the old picture");
}

#[test]
fn tma_says_what_is_transferred_box_by_box() {
    // A run-time tensor whose tiles are two boxes each.
    prints(
        &[
            "tma",
            "(?512,?128):(?128,1)",
            "((8,16),(16,2)):((16,128),(1,2048))",
            "(128,32)",
            "--element",
            "bf16",
        ],
        "\
SM90_TMA_LOAD of bf16, boxes (16,128):(1@1,1@0)

descriptor: elements bf16, swizzle none, address 0x0
  mode      extent  stride in bytes   box
     0         128                2    16
     1         512              256   128
  words  0: 0000000000000000 0000001000240512 0000000000000000 0000000000000000
  words  4: 000001ff0000007f 0000000000000000 0f00000000000000 000000000000007f
  fields whose place is assumed: none; words from 8 on are 0

4 x 4 tiles, each of 2 boxes: a barrier expects 8192 bytes of a tile
  CTA   box  bytes  from byte  coordinates
    0     0   4096          0  (0,0)
    0     1   4096       4096  (16,0)
",
    );
    let tile = ["(128,64):(64,1)", "(128,64)", "--element"];
    let of = |tensor: &'static str, more: &[&'static str]| [&["tma", tensor][..], &tile, more].concat();
    fails(
        &of("(512,128):(130,1)", &["f16"]),
        "the stride of mode 1 is 260 bytes: strides are multiples of 16 bytes; padding to 272 would do",
    );
    fails(
        &of("(512,128):(1,512)", &["f16"]),
        "the stride of mode 0 is 1024 bytes: mode 0 must be contiguous",
    );
    fails(&of("(512,128):(?,1)", &["f16"]), "those of run time have a value, such as ?512");
    fails(&of("(512,128):(128,1)", &["f17"]), "f17 is not an element type; the types are u8, i8,");
    fails(&of("(512,128):(128,1)", &["f16", "--copy", "SM80_CP"]), "SM80_CP is not a copy of boxes");
    fails(&of("(512,128):(128,1)", &["f16", "--ctas", "3"]), "3 CTAs do not share mode 1 of the box");
    fails(&["tma", "(8,8):(8,1)", "--element", "f16"], "'tma' takes a tensor, the tile in shared memory");
    fails(&["table", "(8,8):(8,1)", "--element", "f16"], "--element is an option of tma");
}

#[test]
fn an_mma_does_not_read_a_matrix_of_another_major() {
    let request = |atom: &str, a: &str, bits: i64, k: i64| {
        format!(
            r#"{{"op":"gmma_partition","args":{{"atom":"{atom}","major_A":"{a}","major_B":"K","smem_swizzle_A":"SW32","smem_swizzle_B":"SW32","tile_shape_mnk":"(64,8,{k})","smem_addr_A":1024,"smem_addr_B":32768,"thread":0,"C":"(64,8):(8,1)","value_bits":{bits}}}}}"#
        ) + "\n"
    };
    let answer = |atom, a, bits, k| feeds(&["--json"], &request(atom, a, bits, k)).1;
    let refused = answer("SM90_64x8x32_S32S8S8_SS_TN", "MN", 8, 32);
    let why = "'major_A': SM90_64x8x32_S32S8S8_SS_TN reads A with major K only";
    assert!(refused.contains(why) && !refused.contains("desc_A"), "{refused}");
    assert!(answer("SM90_64x8x32_S32S8S8_SS_TN", "K", 8, 32).contains("desc_A"));
    assert!(answer("SM90_64x8x16_F16F16F16_SS", "MN", 16, 16).contains("desc_A"));
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    for arguments in [&["(4,8)"][..], &["complement", "4:32", "256"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut calc = std::process::Command::new(env!("CARGO_BIN_EXE_cute-calc"));
        let output = calc.args(arguments).stdout(full).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        let expected = "error: cannot write 'standard output': No space left on device\n";
        assert_eq!((output.status.code(), text.as_str()), (Some(1), expected));
    }
}

/// A division by 0 at run time has no value.
#[test]
fn a_value_that_is_not_defined_is_not_shown() {
    prints(&["logical_product((12):(?0), (3):(1))"], "((12),((?0,?))):((?0),((1,?{div=12})))\n");
}

//! The modes of work besides expressions: JSON requests, tables, explanations.

mod common;

use common::{fails, feeds, prints, run};
use serde_json::json;

#[test]
fn requests_are_answered_line_by_line() {
    let requests = [
        (r#"{"op":"coalesce","args":["(2,4):(1,2)"]}"#, r#"{"result":"8:1"}"#),
        (r#"{"op":"group","args":["(4,5,6):(1,4,20)",0,2]}"#, r#"{"result":"((4,5),6):((1,4),20)"}"#),
        (r#"{"op":"crd2idx","args":[10,"(4,8):(8,1)"]}"#, r#"{"result":"18"}"#),
        (r#"{"op":"congruent","args":["(4,8)","(1,2)"]}"#, r#"{"result":true}"#),
        (r#"{"op":"equivalent","args":["?:1","8:1"]}"#, r#"{"result":null}"#),
        (r#"{"op":"size","args":["(?8,4)"],"tags":[]}"#, r#"{"result":"?32"}"#),
        (r#"{"op":"composition","args":["4:1","16:1"]}"#, r#"{"result":"16:1"}"#),
        (
            r#"{"op":"slice_and_offset","args":["(2,_)","(4,8):(8,1)"]}"#,
            r#"{"result":{"layout":"(8):(1)","offset":"16"}}"#,
        ),
        (
            r#"{"op":"sizes","args":[]}"#,
            r#"{"error":"column 1: unknown function 'sizes'; did you mean 'size'?"}"#,
        ),
        (
            r#"{"op":"size","args":["4:1:2"]}"#,
            r#"{"error":"argument 1: column 4: expected the end, found `:`"}"#,
        ),
        (
            r#"{"op":"upcast","args":["4:1",2.5]}"#,
            r#"{"error":"argument 2: 2.5 is not an integer of 64 bits"}"#,
        ),
    ];
    let input: String = requests.iter().map(|(request, _)| format!("{request}\n")).collect();
    let (status, out, err) = feeds(&["--json"], &input);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    for ((request, expected), got) in requests.iter().zip(out.lines()) {
        let mut got: serde_json::Value = serde_json::from_str(got).expect("JSON");
        let value = got.as_object_mut().expect("an object").remove("value");
        assert_eq!(got.to_string(), *expected, "{request}");
        assert_eq!(value.is_some(), got.get("error").is_none(), "{request}");
    }
    let array: Vec<_> = requests.iter().map(|(request, _)| *request).collect();
    let (_, from_array, _) = feeds(&["--json"], &format!("[\n{}]", array.join(",\n")));
    assert_eq!(from_array, out);
}

#[test]
fn what_is_no_request_is_an_error_and_does_not_end_it() {
    let (status, out, _) =
        feeds(&["--json"], "nonsense\n\n{\"op\":1}\n{\"op\":\"size\",\"args\":[\"4:1\"]}\n");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(status, Some(0));
    assert_eq!(lines.len(), 3, "{out}");
    assert!(lines.iter().take(2).all(|line| line.starts_with(r#"{"error":"not a request"#)), "{out}");
    assert_eq!(lines.last(), Some(&r#"{"result":"4","value":4}"#));
    fails(&["--json", "no/such/file"], "no/such/file: ");
    let (status, _, err) = feeds(&["--json"], &"[".repeat(100_000));
    assert_eq!(status, Some(1));
    assert!(err.starts_with("error: not an array of requests: "), "{err}");
}

#[test]
fn strict_requests_reject_overshoot() {
    let request = r#"{"op":"composition","args":["4:1","16:1"]}"#;
    let (_, out, _) = feeds(&["--json", "--domain", "strict"], request);
    assert!(out.starts_with(r#"{"error":"column 1: composition: "#), "{out}");
}

#[test]
fn a_table_is_that_of_print_layout() {
    prints(
        &["table", "(2,3):(3,1)"],
        "\
(2,3):(3,1)
      0   1   2 
    +---+---+---+
 0  | 0 | 1 | 2 |
    +---+---+---+
 1  | 3 | 4 | 5 |
    +---+---+---+
",
    );
    prints(
        &["table", "4:-5"],
        "\
4:-5
        0 
    +-----+
 0  |   0 |
    +-----+
 1  |  -5 |
    +-----+
 2  | -10 |
    +-----+
 3  | -15 |
    +-----+
",
    );
    let (_, out, _) = run(&["table", "(2,5):(5,1)"]);
    assert!(out.contains(" 1  |  5 |  6 |  7 |  8 |  9 |"), "as wide as the cosize 10: {out}");
    // The modes past the first are combined, first mode fastest.
    let (_, out, _) = run(&["table", "(2,2,2):(1,4,2)"]);
    assert!(
        out.contains("(0,0)   (1,0)   (0,1)   (1,1)")
            && out.contains(" 0  |     0 |     4 |     2 |     6 |"),
        "{out}"
    );
    let (_, out, _) = run(&["table", "S<1,0,1> o 0 o (2,2):(1,2)"]);
    assert!(out.contains(" 0  | 0 | 3 |") && out.contains(" 1  | 1 | 2 |"), "{out}");
    let (_, out, _) = run(&["table", "make_identity_layout((2,2))"]);
    assert!(out.contains("| (1,1) |"), "{out}");
}

#[test]
fn a_table_needs_few_static_cells() {
    fails(&["table", "(4,?):(1,4)"], "a table needs a static layout, but (4,?):(1,4) has dynamic leaves");
    fails(&["table", "(8192,8192)"], "a table of 67108864 cells: at most 16384 are printed");
    fails(&["table", "S<3,4,3>"], "column 1: the table must be a layout");
    fails(&["table", "a", "b"], "'table' takes one argument");
}

#[test]
fn an_explanation_has_the_equations() {
    prints(
        &["explain", "coalesce((2,(1,6),4):(1,(6,2),7))"],
        "\
coalesce((2,(1,6),4):(1,(6,2),7))
  flat: (2,1,6,4):(1,6,2,7)
  mode 3, 4:7: the last, kept
  mode 2, 6:2: 6*2 = 12 is not the stride of 4:7, kept
  mode 1, 1:6: extent 1, dropped
  mode 0, 2:1: 2*1 = 2 is the stride of 6:2, merged into 12:1
= (12,4):(1,7)
",
    );
    prints(
        &["explain", "composition((6,2):(8,2), (4,3):(3,1))"],
        "\
composition((6,2):(8,2), (4,3):(3,1))
  mode 0 of b, 4:3:
    mode 0 of a, 6:8: min(ceil(6/3), 4) = 2 by step 3, 3*8 = 24: 2:24; left 4/2 = 2, step ceil(3/6) = 1
    mode 1 of a, 2:2, extends: 2 by step 1, 1*2 = 2: 2:2
  mode 1 of b, 3:1:
    mode 0 of a, 6:8: min(ceil(6/1), 3) = 3 by step 1, 1*8 = 8: 3:8; left 3/3 = 1, step ceil(1/6) = 1
= ((2,2),3):((24,2),8)
",
    );
    prints(
        &["explain", "complement", "4:32", "256"],
        "\
complement(4:32, 256)
  4:32 leaves 32/1 = 32 free: 32:1; covered up to 4*32 = 128
  the rest: ceil(256/128) = 2 by step 128
  coalesce((32,2):(1,128)) = (32,2):(1,128)
= (32,2):(1,128)
",
    );
    prints(
        &["explain", "crd2idx((1,2), S<2,0,3> o 0 o (4,8):(8,1))"],
        "\
crd2idx((1,2), S<2,0,3> o 0 o (4,8):(8,1))
  mode 0 of the layout, 4:8: 1*8 = 8
  mode 1 of the layout, 8:1: 2*1 = 2
  sum: 8 + 2 = 10
  with the offset: 0 + 10 = 10
  S<2,0,3>: 10 ^ ((10 & 0x18) >> 3) = 11
= 11
",
    );
}

#[test]
fn an_explanation_names_every_part() {
    let has = |expression: &str, steps: &[&str]| {
        let (status, out, err) = run(&["explain", expression]);
        assert_eq!((status, err.as_str()), (Some(0), ""), "{expression}");
        assert!(steps.iter().all(|step| out.contains(step)), "{expression}: {out}");
    };
    has(
        "logical_divide(16:1, 4:2)",
        &["t* = complement(t, a) = complement(4:2, 16)", "a o (t,t*) = 16:1 o (4,(2,2)):(2,(1,8))"],
    );
    has("zipped_divide((8,8):(8,1), (4,2))", &["mode 1: a = 8:1, t = 2", "((tiles),(rests)): ((4,2),(2,4))"]);
    has(
        "logical_product(2:1, 3:2)",
        &["size(a)*cosize(t)) = complement(2:1, 2*5 = 10)", "(a, a* o t) = (2,3):(1,4)"],
    );
    has(
        "slice((2,_), (4,8):(8,1))",
        &["mode 0 of the layout, 4:8: 2*8 = 16", "open: (8):(1), which starts at 16"],
    );
    has("compatible((16,8), ((4,4),9))", &["mode 1: 8 is not the size of 9"]);
    has("size(make_layout((4,?8)))", &["argument 1, make_layout: (4,?8):(1,4)", "= ?32"]);
    fails(&["explain", "(4,8)"], "column 1: expected a call");
    fails(&["explain", "complement(8:1, S<1,2,3>)"], "column 17: argument 2 of complement must be");
}

/// The answer to one request.
fn answer(request: &str) -> serde_json::Value {
    let (status, out, err) = feeds(&["--json"], request);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{request}");
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn answers_have_their_values_as_trees() {
    for (expression, value) in [
        ("(4,(2,2))", json!([4, [2, 2]])),
        ("?{div=8}", json!("?{div=8}")),
        ("8", json!(8)),
        ("(4,(8,?)):(8,(1,?8))", json!({"shape": [4, [8, "?"]], "stride": [8, [1, "?8"]]})),
        ("(4,8):(1@0,2@1)", json!({"shape": [4, 8], "stride": ["1@0", "2@1"]})),
        (
            "S<3,4,3> o 0 o (8,64):(64,1)",
            json!({"inner": {"swizzle": [3, 4, 3]}, "offset": 0, "outer": {"shape": [8, 64], "stride": [64, 1]}}),
        ),
        ("[4:1;_;8]", json!({"tile": [{"shape": 4, "stride": 1}, "_", 8]})),
        ("(2,(_,1))", json!([2, ["_", 1]])),
        ("congruent((4,8), (1,2))", json!(true)),
        ("equivalent(?:1, 8:1)", json!(null)),
        (
            "slice_and_offset((2,_), (4,8):(8,1))",
            json!({"offset": 16, "layout": {"shape": [8], "stride": [1]}}),
        ),
    ] {
        let request = json!({"op": "evaluate", "args": [expression]});
        assert_eq!(answer(&request.to_string())["value"], value, "{expression}");
    }
    let request = json!({"op": "tiled_mma", "args": ["SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)"]});
    let mma = &answer(&request.to_string())["value"];
    assert_eq!(mma["atom"], "SM80_16x8x16_F32F16F16F32_TN");
    assert_eq!((&mma["threads"], &mma["tile_mnk"]), (&json!(128), &json!([32, 16, 16])));
    assert_eq!(mma["thr_layout_vmnk"], json!({"shape": [32, 2, 2, 1], "stride": [1, 32, 64, 0]}));
    assert_eq!(mma["layoutC_TV"]["shape"], json!([[4, 8, 2, 2], [[2, 2], [1, 1]]]));
    let request = json!({"op": "tiled_copy", "args": {"kind": "make_tiled_copy", "copy": "UniversalCopy<uint128_t>",
        "value_bits": 16, "thr_layout": "(32,4):(4,1)", "val_layout": "(1,8)", "S": "(64,64):(64,1)", "threads": [5]}});
    let copy = answer(&request.to_string());
    assert_eq!(copy["result"]["tiler_mn"], "(32,32)");
    assert_eq!(copy["value"]["tiler_mn"], json!({"tile": [32, 32]}));
    assert_eq!(copy["value"]["t5_S"]["offset"], 72);
}

#[test]
fn tables_banks_and_pictures_can_be_requested() {
    let table = answer(r#"{"op":"table","args":["((2,2),2):((1,4),2)"]}"#);
    assert!(table["result"].as_str().is_some_and(|text| text.contains("(1,0)  | 1 | 3 |")), "{table}");
    assert_eq!(table["value"]["rows"], json!(["(0,0)", "(1,0)", "(0,1)", "(1,1)"]));
    assert_eq!(table["value"]["cells"], json!([[0, 2], [1, 3], [4, 6], [5, 7]]));
    let request = r#"{"op":"banks","args":["(8,64):(64,1)"],"bits":16,"access":["a=(8,8):(1,8)@8"],"choose":"swizzle"}"#;
    let banks = answer(request);
    assert!(banks["result"].as_str().is_some_and(|text| text.contains("8 passes (minimum 1)")), "{banks}");
    let worst = json!({"thread": 0, "value": 0, "passes": 8});
    let access = json!({"name": "a", "instructions": 1, "passes": 8, "minimum": 1, "worst": worst});
    assert_eq!(banks["value"]["accesses"], json!([access]));
    assert_eq!(banks["value"]["choice"]["layout"]["inner"], json!({"swizzle": [3, 3, 3]}));
    assert_eq!(banks["value"]["choice"]["free"], true);
    let svg = answer(r#"{"op":"svg","args":["TV","(4,2):(2,1)"],"tile":"(8,1)"}"#);
    assert!(svg["result"].as_str().is_some_and(|text| text.starts_with("<svg")), "{svg}");
    let explained = answer(r#"{"op":"explain","args":["coalesce","(2,4):(1,2)"]}"#);
    assert!(explained["result"].as_str().is_some_and(|text| text.ends_with("= 8:1\n")), "{explained}");
    for (request, words) in [
        (r#"{"op":"svg","args":["4:1"],"output":"x.svg"}"#, "unknown field `output`"),
        (r#"{"op":"banks","args":["4:1"],"access":["a=4:1"]}"#, "banks needs the bits of an element"),
        (r#"{"op":"table","args":[]}"#, "'table' takes one argument"),
    ] {
        let answer = answer(request);
        assert!(answer["error"].as_str().is_some_and(|e| e.contains(words)), "{answer}");
    }
}

#[test]
fn an_array_may_stand_in_any_line() {
    let size = r#"{"op":"size","args":["4:1"]}"#;
    let (status, out, _) = feeds(&["--json"], &format!("{size}\n[{size},{size}]\n[oops\n{size}\n"));
    let got: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(status, Some(0));
    let errors = got.iter().map(|answer| answer.get("error").is_some());
    assert_eq!(errors.collect::<Vec<_>>(), [false, false, false, true, false]);
}

#[test]
fn the_coordinates_of_hierarchical_modes_are_at_the_rim() {
    prints(
        &["table", "((2,2),(1,2)):((1,4),(0,2))"],
        "\
((2,2),(1,2)):((1,4),(0,2))
         (0,0)   (0,1) 
       +-------+-------+
(0,0)  |     0 |     2 |
       +-------+-------+
(1,0)  |     1 |     3 |
       +-------+-------+
(0,1)  |     4 |     6 |
       +-------+-------+
(1,1)  |     5 |     7 |
       +-------+-------+
",
    );
}

#[test]
fn requests_may_name_their_arguments() {
    let request = r#"{"op":"tiled_mma","args":{"atom":"UniversalFMA<f32,f32,f32,f32>","atom_layout":"(2,2,1)","permutation":null,"C":"(?4,4):(4,1)","threads":[3]}}"#;
    let (status, out, _) = feeds(&["--json"], request);
    assert_eq!(status, Some(0));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["result"]["thr_layout_vmnk"], "(1,2,2,1):(0,1,2,0)");
    assert_eq!(answer["result"]["threads"], 4);
    assert_eq!(answer["result"]["t3_C"]["offset"], "5");
    assert_eq!(answer["result"]["t3_C"]["layout"], "(1,?2,2):(0,8,2)");
    assert!(answer["result"].get("t3_A").is_none(), "no A was given");
    for (request, words) in [
        (
            r#"{"op":"size","args":{"layout":"4:1"}}"#,
            "'size' takes no named arguments; tiled_mma, tiled_copy",
        ),
        (r#"{"op":"tiled_mma","args":{"atom_layout":"1:0"}}"#, "the argument 'atom' is missing"),
        (
            r#"{"op":"tiled_mma","args":{"atom":"SM80_nothing","atom_layout":"1:0"}}"#,
            "argument 'atom': column 1",
        ),
        (
            r#"{"op":"tiled_copy","args":{"kind":"x","copy":"UniversalCopy<uint32_t>","value_bits":32}}"#,
            "'x' is not a constructor",
        ),
    ] {
        let (_, out, _) = feeds(&["--json"], request);
        let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert!(answer["error"].as_str().is_some_and(|e| e.contains(words)), "{answer}");
    }
}

//! Requests about placements: those of `tests/vectors/tirx.json` unchanged, and invalid requests.

mod common;

use common::{feeds, prints};
use serde_json::{Value as Json, json};

fn ask(requests: &[Json]) -> Vec<Json> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let (status, out, err) = feeds(&["--json"], &input);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    out.lines().map(|line| serde_json::from_str(line).expect("an answer")).collect()
}

#[test]
fn records_of_the_file_are_requests() {
    let path = format!("{}/../../tests/vectors/tirx.json", env!("CARGO_MANIFEST_DIR"));
    let file: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    // Intended differences are listed in crates/cute-placement/tests/tirx.rs.
    let plain =
        |op: &&Json| op["op"] != "construct" && op["library_oddity"] != true && op["unordered"].is_null();
    let ops: Vec<Json> = file["ops"].as_array().unwrap().iter().filter(plain).cloned().collect();
    assert!(ops.len() > 80, "{}", ops.len());
    for (op, answer) in ops.iter().zip(ask(&ops)) {
        match op.get("result") {
            Some(expected) => assert_eq!(answer, json!({ "result": expected }), "{op}"),
            None => assert!(answer["error"].is_string(), "{op}: {answer}"),
        }
    }
    let layouts = file["layouts"].as_array().unwrap();
    let points = |layout: &Json| -> Vec<(Json, Json)> {
        let points = layout["points"].as_array().unwrap().iter();
        let request = |p: &Json| json!({"op": "placements", "layout": layout["notation"], "shape": layout["shape"], "coord": p["coord"]});
        points.map(|p| (request(p), json!({ "result": p["physical"] }))).collect()
    };
    let (requests, expected): (Vec<_>, Vec<_>) = layouts.iter().flat_map(points).unzip();
    assert!(requests.len() > 500);
    assert_eq!(ask(&requests), expected);
}

#[test]
fn other_requests() {
    let cases = [
        (
            json!({"op": "from_layout", "args": ["((2,4),8):((1,1@laneid),4@laneid)"]}),
            json!({"result": {"notation": "S[(8, 4, 2) : (4@laneid, 1@laneid, 1@m)]", "layout": {
                "shard": [[8, 4, "laneid"], [4, 1, "laneid"], [2, 1, "m"]], "replica": [], "offset": {}, "swizzle": null}}}),
        ),
        (
            json!({"op": "to_layout", "self": "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)]", "args": {"shape": [8, 16]}}),
            json!({"result": "(8,(2,4,2)):(4@laneid,(1@m,1@laneid,1@warpid))"}),
        ),
        (
            json!({"op": "apply_to_shape", "self": "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)]", "args": {"coords": [1, 3], "shape": [8, 16]}}),
            json!({"result": [1, 0, 1, 1]}),
        ),
        (
            json!({"op": "regroup", "self": "S[64]", "args": {"shape": [4, 16], "perm": [1, 0]}}),
            json!({"result": {"notation": "S[(16, 4) : (1@m, 16@m)]", "layout": {
                "shard": [[16, 1, "m"], [4, 16, "m"]], "replica": [], "offset": {}, "swizzle": null}}}),
        ),
        (
            json!({"op": "tile_to", "self": "S[8]", "args": {"to_shape": [12], "current_shape": [8]}}),
            json!({"error": "tile_to: dimension 0 is 12, which is not a multiple of 8"}),
        ),
        (
            json!({"op": "size", "self": "S[8", "args": {}}),
            json!({"error": "argument 'self': column 4: expected `:`, `,` or `]`, found the end"}),
        ),
        (
            json!({"op": "group", "self": "S[8]", "args": {}}),
            json!({"error": "the argument 'shape' is missing"}),
        ),
        (
            json!({"op": "size", "self": "S[8]", "target": "tpu"}),
            json!({"error": "the target \"tpu\" has no axes; 'cuda' has"}),
        ),
        (
            json!({"op": "pack", "self": "S[8]", "args": {"num": 2, "axis": "a name of more than 14"}}),
            json!({"error": "axis: `a name of more than 14` is not a valid name: use letters, digits and `_`, and start with a letter or `_`"}),
        ),
    ];
    let requests: Vec<Json> = cases.iter().map(|(request, _)| request.clone()).collect();
    for ((request, expected), answer) in cases.iter().zip(ask(&requests)) {
        assert_eq!(&answer, expected, "{request}");
    }
    let unknown = ask(&[json!({"op": "coalesce", "self": "S[8]"})]);
    assert!(
        unknown[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("'coalesce' is not an operation on placements; the operations are placements, ")
    );
}

#[test]
fn named_axes_are_strides() {
    prints(&["coalesce((4,8):(1@laneid,4@laneid))"], "32:1@laneid\n");
    prints(&["composition((8,4):(4@laneid,1@warpid), (2,4):(16,1))"], "(2,4):(2@warpid,4@laneid)\n");
}

/// The entries of the file for zero columns, and for rows that are not blocks: there is no
/// placement.
const REFUSED: [(&str, &str); 2] = [
    ("tmem_datapath_layout('D', 128, 0, 0)", "tmem_datapath_layout: cols is 0, but must be positive"),
    (
        "mma_shared_layout('float16', 3, (12, 128))",
        "the number of rows is 12, but must be a multiple of 8, the extent of a SW128 block",
    ),
];

#[test]
fn constructors_make_what_the_file_has() {
    let path = format!("{}/../../tests/vectors/tirx.json", env!("CARGO_MANIFEST_DIR"));
    let file: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let list = |key: &str| file[key].as_array().unwrap().iter();
    let records: Vec<Json> = list("ops").filter(|op| op["op"] == "construct").cloned().collect();
    assert_eq!(records.len(), 46);
    let mut refused = 0;
    for (record, answer) in records.iter().zip(ask(&records)) {
        let call = record["call"].as_str().unwrap();
        let error = answer["error"].as_str();
        if let Some((_, why)) = REFUSED.iter().find(|(odd, _)| *odd == call) {
            assert!(record["library_oddity"] == true && error.unwrap().contains(why), "{call}: {answer}");
            refused += 1;
        } else if record["error"].is_object() {
            assert!(error.is_some(), "{call}: {answer}");
        } else {
            assert_eq!(answer, json!({"result": record["result"]}), "{call}");
        }
    }
    assert_eq!(refused, REFUSED.len());
    let made: Vec<&Json> = list("layouts").filter(|layout| layout["constructor"].is_string()).collect();
    assert_eq!(made.len(), 51);
    let calls: Vec<Json> =
        made.iter().map(|layout| json!({"op": "construct", "call": layout["constructor"]})).collect();
    for (layout, answer) in made.iter().zip(ask(&calls)) {
        assert_eq!(answer, json!({"result": layout["notation"]}), "{}", layout["constructor"]);
    }
}

#[test]
fn arguments_of_constructors_have_an_order_and_names() {
    let b = json!({"result": {"notation": "S[(64, 2, 4) : (1@TLane, 64@TLane, 1@TCol)]", "layout": {
        "shard": [[64, 1, "TLane"], [2, 64, "TLane"], [4, 1, "TCol"]], "replica": [], "offset": {}, "swizzle": null}}});
    let op = "tmem_datapath_layout";
    let same = [
        json!({"op": op, "args": ["B", 64, 8]}),
        json!({"op": op, "args": ["B", 64, 8, 0]}),
        json!({"op": op, "args": {"cols": 8, "rows": 64, "datapath": "B"}}),
        json!({"op": op, "args": {"letter": "B", "cols": 8, "rows": 64, "sub_slab": 0}}),
        json!({"op": op, "args": ["B", {"cols": 8, "rows": 64}]}),
        json!({"op": op, "args": ["B", 64], "kwargs": {"cols": 8}}),
    ];
    assert_eq!(ask(&same), [(); 6].map(|()| b.clone()));
    let notations = [
        (
            json!({"op": "mma_shared_layout", "args": [16, "128B", [8, 64]]}),
            "Swizzle(M=3, B=3, S=3, inner=true) o S[(512) : (1@m)]",
        ),
        (
            json!({"op": "mma_atom_layout", "args": {"dtype": "uint8", "mode": "SW32"}}),
            "Swizzle(M=4, B=1, S=3, inner=true) o S[(256) : (1@m)]",
        ),
        (
            json!({"op": "TileLayout.trainium", "args": ["PF", [128, 2048], true]}),
            "S[(128, 4, 512) : (1@P, 1@Bank, 1@F)]",
        ),
        (json!({"op": "to_psum", "self": "S[(128, 2) : (1@P, 512@F)]"}), "S[(128, 2) : (1@P, 1@Bank)]"),
        (
            json!({"op": "ComposeLayout", "args": [3, 3, 3, "S[(8,64)]"]}),
            "Swizzle(M=3, B=3, S=3, inner=true) o S[(8, 64) : (64@m, 1@m)]",
        ),
    ];
    let (requests, expected): (Vec<_>, Vec<_>) = notations.into_iter().unzip();
    let found: Vec<Json> = ask(&requests).iter().map(|answer| answer["result"]["notation"].clone()).collect();
    assert_eq!(found, expected);
    let others = [
        (
            json!({"op": "construct", "call": "TileLayout.trainium(\"PF\", (128, 1024)).to_psum()"}),
            json!("S[(128, 2, 512) : (1@P, 1@Bank, 1@F)]"),
        ),
        (
            json!({"op": "construct", "call": "mma_atom_shape('int8', SwizzleMode.SWIZZLE_64B_ATOM, shape=(1, 1, 1))"}),
            json!([1, 8, 64]),
        ),
        (json!({"op": "is_trainium", "args": ["S[(4, 4) : (4@tx, 1@Bank)]"]}), json!(true)),
    ];
    let (requests, expected): (Vec<_>, Vec<_>) = others.into_iter().unzip();
    let found: Vec<Json> = ask(&requests).iter().map(|answer| answer["result"].clone()).collect();
    assert_eq!(found, expected);
}

#[test]
fn constructors_say_what_is_legal() {
    let cases = [
        ("f(1)", "'f' is not a constructor; the constructors are from_layout, from_linear,"),
        ("wg_local_layout(", "column 17 of the call: a value is expected"),
        ("wg_local_layout()", "wg_local_layout(cols, rows=128): the argument 'cols' is missing"),
        ("wg_local_layout(1, 2, 3)", "3 is one argument too many"),
        ("wg_local_layout(1, cols=2)", "two arguments 'cols'"),
        ("wg_local_layout(1, columns=2)", "there is no parameter 'columns'"),
        ("wg_local_layout('1')", "the argument 'cols' must be an integer of 64 bits"),
        ("wg_local_layout(8, 129)", "rows is 129, but a warpgroup has 128 threads: 1 to 128 rows"),
        ("tmem_datapath_layout('H', 1, 1)", "datapath is 'H', but must be one of A, B, C, D, E, F, G"),
        ("tmem_datapath_layout('F', 128, 1, 7)", "rows is 128, but data path F has 64 rows on a CTA"),
        ("tmem_datapath_layout('F', 64, -1, 7)", "sub_slab is 7, but must be one of 0, 1"),
        (
            "tmem_datapath_layout('B', 64, -1, 1)",
            "only data paths C and F have a second slab, not B: it must be 0",
        ),
        ("tmem_datapath_layout('G', 32, -4)", "cols is -4, but must be a positive multiple of 4"),
        (
            "tmem_mma_operand_layout('A', (64, 64), M=64, cta_group=1, ws=True)",
            "shape is (64, 64), but A of data path E is (2, 64, K)",
        ),
        ("tmem_mma_operand_layout('D', (64, 64), M=64, cta_group=2)", "M is 64, but must be one of 256, 128"),
        (
            "tmem_mma_operand_layout('D', (64, 64), M=64, cta_group=3)",
            "cta_group is 3, but must be one of 1, 2",
        ),
        (
            "tmem_mma_operand_layout('A', (64, 64), M=128, cta_group=2, group=(2, 2, 16))",
            "only D of data paths B and E has column groups",
        ),
        (
            "tmem_mma_operand_layout('D', (32, 2, 8), M=128, cta_group=2)",
            "it has 32 rows where a CTA has M / cta_group = 64",
        ),
        (
            "tcgen05_atom_layout('16x256b', (64, 24), 'float32')",
            "repetitions of the atom, is 3, but must be one of 1, 2, 4, 8, 16, 32",
        ),
        (
            "mma_shared_layout('float6_e2m3fn', 3, (8, 128))",
            "dtype is 6 bits wide, but its width must divide the 128 bits",
        ),
        (
            "mma_shared_layout('float16', 'SW128_32B', (8, 64))",
            "K-major tiles have the modes INTER, SW32, SW64, SW128",
        ),
        ("mma_shared_layout('float16', 4, (8, 64))", "must be 0, 1, 2, 3 or NONE, 32B, 64B, 128B, not 4"),
        ("mma_shared_layout('half', 3, (8, 64))", "a type such as float16"),
        ("mma_shared_layout('float16', 3, (0, 64))", "extent 0 is not positive"),
        ("sf_tmem_layout(48, 4, 4)", "rows is 48, but must be a positive multiple of 32"),
        ("sf_tmem_layout(32, 8, 8)", "sf_per_mma is 8, but must be one of 1, 2, 3, 4"),
        ("sf_tmem_layout(32, 4, 4, 0)", "sf_reuse is 0, but must be at least 1"),
        ("trainium('PP', (128, 2))", "or a single dimension P a multiple of them, but they have 256"),
        ("trainium('PX', (128, 2))", "only the letters P and F"),
        ("trainium('P', (128, 2))", "one letter for each of the 2 dimensions of (128, 2)"),
        ("trainium('PF', (128, 1000)).to_psum()", "1000:1@F crosses banks of 512 elements"),
    ];
    let requests: Vec<Json> =
        cases.iter().map(|(call, _)| json!({"op": "construct", "call": call})).collect();
    for ((call, why), answer) in cases.iter().zip(ask(&requests)) {
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(why)), "{call}: {answer}");
    }
}

#[test]
fn layouts_are_bridged_both_ways() {
    let pairs = [
        (
            json!({"op": "from_thread_value", "args": ["((4,8),(2,2)):((32,1),(16,8))", [16, 8]]}),
            "S[(2, 8, 4, 2) : (2@m, 4@laneid, 1@laneid, 1@m)]",
            json!({"op": "to_thread_value", "args": {"shape": [16, 8]}}),
            json!("((4,8),(2,2)):((32,1),(16,8))"),
        ),
        (
            json!({"op": "from_thread_value", "args": {"tv": "(8,4):(1,8)", "shape": [8, 4], "thr_id": "(4,2):(1,16)", "tx": true}}),
            "S[(2, 4, 4) : (16@tx, 1@tx, 1@m)]",
            json!({"op": "to_thread_value", "args": {"shape": [8, 4], "thr_id": "(4,2):(1,16)"}}),
            json!("((4,2),4):((1,4),8)"),
        ),
        (
            json!({"op": "from_tensor_memory", "args": ["(64,(4,2)):(65536,(1,4194304))"]}),
            "S[(64, 2, 4) : (1@TLane, 64@TLane, 1@TCol)]",
            json!({"op": "to_tensor_memory", "args": {"shape": [64, 8]}}),
            json!({"offset": 0, "layout": "(64,(4,2)):(65536,(1,4194304))"}),
        ),
        (
            json!({"op": "from_shared_memory", "args": ["S<3,4,3> o 0 o (8,64):(64,1)", 16]}),
            "Swizzle(M=3, B=3, S=3, inner=true) o S[(8, 64) : (64@m, 1@m)]",
            json!({"op": "to_shared_memory", "args": {"shape": [8, 64], "bits": 16}}),
            json!("S<3,4,3> o 0 o (8,64):(64,1)"),
        ),
        (
            json!({"op": "from_linear", "args": ["{dim0 = [[2, 0], [4, 0]], dim1 = [[0, 1], [1, 0]]} -> (laneid = 8, m = 2)"]}),
            "S[(8, 2) : (1@laneid, 1@m)]",
            json!({"op": "to_linear", "args": {"shape": [4, 4]}}),
            json!("{dim0 = [[2, 0], [4, 0]], dim1 = [[0, 1], [1, 0]]} -> (laneid = 8, m = 2)"),
        ),
    ];
    for (forth, notation, mut back, layout) in pairs {
        back["self"] = json!(notation);
        let found = ask(&[forth, back]);
        assert_eq!(
            [&found[0]["result"]["notation"], &found[1]["result"]],
            [&json!(notation), &layout],
            "{found:?}"
        );
    }
    let refused = ask(&[
        json!({"op": "from_thread_value", "args": ["(4,2):(1,?)", [8]]}),
        json!({"op": "from_linear", "args": ["{dim0 = 1}"]}),
        json!({"op": "to_linear", "self": "S[(3,2)]", "args": {"shape": [3, 2]}}),
        json!({"op": "to_tensor_memory", "self": "S[8]", "args": {"shape": [8]}}),
    ]);
    let says = ["'tv' must be static", "'linear'", "not a power of two", "lies along m, not TLane or TCol"];
    for (answer, why) in refused.iter().zip(says) {
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(why)), "{why}: {answer}");
    }
}

//! Requests about placements: those of `tests/vectors/tirx.json` as they stand, and what is no such request.

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
    // What differs on purpose is told in crates/cute-arch/tests/placements.rs.
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
            json!({"error": "tile_to: dimension 0 is 12, no multiple of 8"}),
        ),
        (
            json!({"op": "size", "self": "S[8", "args": {}}),
            json!({"error": "argument 'self': column 3: expected `:`, `,` or `]`, found the end"}),
        ),
        (
            json!({"op": "group", "self": "S[8]", "args": {}}),
            json!({"error": "the argument 'shape' is missing"}),
        ),
        (
            json!({"op": "size", "self": "S[8]", "target": "tpu"}),
            json!({"error": "no axes of the target \"tpu\": 'cuda' has some"}),
        ),
        (
            json!({"op": "pack", "self": "S[8]", "args": {"num": 2, "axis": "a name of more than 14"}}),
            json!({"error": "axis: `a name of more than 14` is no name: letters, digits and `_`, not a digit first"}),
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
            .starts_with("'coalesce' is no operation on placements; placements, ")
    );
}

#[test]
fn named_axes_are_strides() {
    prints(&["coalesce((4,8):(1@laneid,4@laneid))"], "32:1@laneid\n");
    prints(&["composition((8,4):(4@laneid,1@warpid), (2,4):(16,1))"], "(2,4):(2@warpid,4@laneid)\n");
}

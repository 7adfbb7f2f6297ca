//! Pictures agree with the values that they draw, and the facts of an element with its table.

use cute_algebra::Domain;
use serde_json::{Value as Json, json};

use super::{about, answer};
use crate::{eval::Session, registry, request};

/// The facets of a table, by name.
type Facets = Vec<(String, Vec<f64>)>;

/// The answer to a question, and the values of each facet of each table.
fn drawn(question: Json) -> (Json, Vec<Facets>) {
    let answer = answer(question.to_string().as_bytes());
    let object: Json = serde_json::from_str(&answer.text).expect("JSON");
    let rows =
        object["grids"].as_array().into_iter().flatten().flat_map(|row| row.as_array().expect("a row"));
    let tables = rows.filter(|grid| !grid.is_null()).map(|grid| {
        let extent = |side: &str| grid[side].as_array().expect("labels").len();
        let cells = extent("rows") * extent("columns");
        let facets = grid["facets"].as_array().expect("facets").iter();
        let facets = facets.map(|facet| {
            let from = facet["from"].as_u64().expect("a place") as usize;
            (facet["name"].as_str().expect("a name").to_string(), answer.numbers[from..from + cells].to_vec())
        });
        facets.collect()
    });
    let tables = tables.collect();
    (object, tables)
}

/// Questions whose answers have tables of every kind.
fn questions() -> Vec<Json> {
    vec![
        json!({"expression": "(4,8):(8,1)"}),
        json!({"expression": "((2,2),(4,2)):((1,4),(8,2))", "bits": 16}),
        json!({"expression": "S<2,1,3> o 5 o (8,(4,2)):(8,(1,-64))", "bits": 4}),
        json!({"expression": "(8,4):(1,4) o 3 o (4,4):(4,1)"}),
        json!({"expression": "(64,8):(1,64)", "bits": 16, "access": ["rows=(8,64):(64,1)", "first=(32,1):(2,0)"]}),
        json!({"expression": "(4,8):(1@0,1@1)"}),
        json!({"expression": "S<2,3,3>", "bits": 8}),
        json!({"expression": "((4,8),(2,2)):((32,1),(16,8))", "as": "thread-value", "tile": "(16,8)", "bits": 32}),
        json!({"expression": "((4,2),2):((0,1),4)", "as": "thread-value", "tile": "(2,8)"}),
        json!({"expression": "SM80_16x8x16_F32F16F16F32_TN"}),
        json!({"expression": "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])", "tile": "(64,32,16)"}),
        json!({"expression": "make_tiled_copy(UniversalCopy<uint128_t>, 16, (16,8):(8,1), (1,8))"}),
        json!({"expression": "tma((64,128):(128,1), S<3,4,3> o 0 o (16,(64,2)):(64,(1,1024)), (16,128))", "element": "f16"}),
        json!({"expression": "((16,4),8):((131072,4194304),1)", "as": "tensor-memory", "bits": 16}),
        json!({"expression": "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid", "tile": "(8,16)"}),
        json!({"expression": "wg_local_layout(8, rows=64)", "tile": "(64,8)"}),
    ]
}

#[test]
fn the_facts_of_an_element_are_those_of_its_table() {
    let mut compared = 0;
    for question in questions() {
        let (object, tables) = drawn(question.clone());
        assert!(!tables.is_empty(), "{question}: {object}");
        let grids: Vec<Json> = object["grids"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|row| row.as_array().unwrap().clone())
            .collect();
        let grids: Vec<_> = grids.into_iter().filter(|grid| !grid.is_null()).collect();
        for (number, (facets, grid)) in tables.iter().zip(&grids).enumerate() {
            let columns = grid["columns"].as_array().unwrap().len();
            let cells = facets[0].1.len();
            for cell in (0..cells).step_by(cells.div_ceil(40)) {
                let mut of_cell = question.clone();
                of_cell["cell"] = json!([number, cell / columns, cell % columns]);
                let (facts, _) = drawn(of_cell.clone());
                let facts = facts["facts"].as_array().unwrap_or_else(|| panic!("{of_cell}: {facts}")).clone();
                for (name, values) in facets.iter().filter(|(_, values)| !values[cell].is_nan()) {
                    let Some(fact) = facts.iter().find(|fact| fact["name"] == **name) else { continue };
                    assert_eq!(fact["value"], values[cell].to_string(), "{of_cell} {name}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The table of a picture, which adds rows and columns, has the values of the command `table`,
/// which evaluates every coordinate.
#[test]
fn indices_are_those_of_the_table() {
    let session = Session::new(Domain::Extend);
    for layout in [
        "(4,8):(8,1)",
        "((2,3),(4,2)):((1,50),(7,-2))",
        "(3,2,5):(10,0,1)",
        "S<3,0,3> o 0 o (8,8):(8,1)",
        "S<2,1,-3> o 7 o ((2,4),8):((1,16),2)",
        "(8,4):(1,4) o 3 o (4,4):(4,1)",
        "7:3",
        "1:0",
    ] {
        let asked = json!({"op": "table", "args": [layout]}).to_string();
        let table = request::answer(&session, asked.as_bytes());
        let cells = table["value"]["cells"].as_array().unwrap_or_else(|| panic!("{layout}: {table}"));
        let expected: Vec<f64> =
            cells.iter().flat_map(|row| row.as_array().unwrap()).map(|cell| cell.as_f64().unwrap()).collect();
        let (_, tables) = drawn(json!({"expression": layout}));
        assert_eq!(tables[0][0], ("index".to_string(), expected), "{layout}");
    }
}

#[test]
fn the_way_back_returns_to_the_element() {
    for layout in ["(4,8):(8,1)", "S<2,0,3> o 0 o (8,8):(8,1)", "((2,2),8):((1,2),4)"] {
        let (_, tables) = drawn(json!({"expression": layout}));
        for cell in 0..tables[0][0].1.len() {
            let columns = 8;
            let asked = json!({"expression": layout, "cell": [0, cell / columns, cell % columns]});
            let (facts, _) = drawn(asked);
            let of = |name: &str| {
                facts["facts"].as_array().unwrap().iter().find(|f| f["name"] == name).unwrap().clone()
            };
            let coordinate = of("coordinate")["value"].as_str().unwrap().to_string();
            let index = of("index");
            let back = index["steps"].as_array().unwrap().last().unwrap().as_str().unwrap().to_string();
            assert!(back.starts_with("back: ") && !back.contains("does not reach"), "{layout}: {back}");
            assert!(
                back.ends_with(&format!("which is {coordinate}")),
                "{layout}: {back} is not {coordinate}"
            );
        }
    }
}

#[test]
fn every_example_of_the_registry_has_a_view() {
    let mut pictures = 0;
    for function in registry::functions() {
        let (object, tables) = drawn(json!({"expression": function.example}));
        assert!(object["error"].is_null() && object["text"].is_string(), "{}: {object}", function.example);
        pictures += usize::from(!tables.is_empty());
    }
    assert!(pictures > 50, "{pictures}");
    assert!(about()["palette"].as_array().is_some_and(|palette| palette.len() >= 8));
}

#[test]
fn two_layouts_differ_in_named_cells() {
    let (object, tables) =
        drawn(json!({"expression": "(2,4):(4,1)", "against": "S<1,0,2> o 0 o (2,4):(4,1)"}));
    assert_eq!(object["differences"], json!([{"title": "", "facet": "index", "cells": [4, 5, 6, 7]}]));
    assert_eq!(tables.len(), 1);
    assert!(object["against"]["grids"][0][0]["facets"][0]["from"].as_u64().is_some_and(|from| from > 0));
    let (object, _) = drawn(json!({"expression": "(2,4):(4,1)", "against": "(4,2):(2,1)"}));
    assert_eq!(object["differences"][0]["cells"], Json::Null);
    let (object, _) = drawn(json!({"expression": "(2,4):(4,1)", "against": "(4,"}));
    assert!(
        object["error"].as_str().is_some_and(|error| error.starts_with("field 'Compare with': ")),
        "{object}"
    );
}

/// The tile of the transposition without and with its swizzle.
#[test]
fn a_conflict_names_its_threads() {
    let ask = |layout: &str| {
        let access = ["gather=((8,16),(8,4)):((512,1),(64,16))@1"];
        drawn(json!({"expression": layout, "bits": 16, "access": access})).0["conflicts"].clone()
    };
    let crowd = &ask("(64,64):(1,64)")["crowds"][0];
    assert_eq!([&crowd["bank"], &crowd["degree"], &crowd["bytes"]], [&json!(0), &json!(8), &json!(2)]);
    let second = json!({"thread": 1, "value": 0, "address": 1024, "row": 0, "column": 8});
    assert_eq!(crowd["threads"][1], second);
    assert_eq!(ask("S<3,3,6> o 0 o (64,64):(1,64)")["crowds"], json!([]));
}

#[test]
fn refusals_say_why() {
    for (question, why) in [
        (json!({"expression": " \n"}), "write an expression"),
        (json!({"expression": "A = (4,8):(8,1)\nB"}), "line 2: column 1: 'B' is not defined"),
        (json!({"expression": "4:1", "colour": 1}), "not a request for a picture: unknown field `colour`"),
        (json!({"expression": "4:1", "cell": [0, 4, 0]}), "a table of 4 x 1 has no cell (4,0)"),
        (
            json!({"expression": "4:1", "cell": [1, 0, 0]}),
            "the picture has no table 1; it has 1, counted from 0",
        ),
        (json!({"expression": "5", "cell": [0, 0, 0]}), "this value has no cells"),
        (json!({"expression": "4:1", "as": "boxes"}), "boxes are drawn of a call tma(TENSOR, TILE, TILER)"),
        (
            json!({"expression": "4:1", "access": ["x"], "bits": 8}),
            "field 'Accesses': expected NAME=LAYOUT or NAME=LAYOUT@N, found 'x'",
        ),
        (
            json!({"expression": "4:1", "access": ["x=4:1"]}),
            "this needs the bits of an element: fill in the field 'Bits of an element'",
        ),
        (json!({"expression": "4:1", "against": "4:("}), "field 'Compare with': column 4"),
        (json!({"expression": "tma(4:1)"}), "tma takes three arguments"),
        (
            json!({"expression": "tma(4:1, 4:1, 4)"}),
            "this needs the type of an element: fill in the field 'Element type'",
        ),
    ] {
        let (object, _) = drawn(question.clone());
        assert!(object["error"].as_str().is_some_and(|error| error.contains(why)), "{question}: {object}");
    }
    for (question, why) in [
        (json!({"expression": "(4,?):(8,1)"}), "needs a static layout"),
        (
            json!({"expression": "(4,8):(8,1)", "bits": 0}),
            "field 'Bits of an element': 0: an element has 1 to 128 bits",
        ),
        (
            json!({"expression": "(4,8):(1@0,1@1)", "bits": 8}),
            "bits of an element belong to a layout of memory",
        ),
        (json!({"expression": "(2000,2):(1,1)"}), "slice the layout first"),
        (json!({"expression": "4:4611686018427387904"}), ""),
        (json!({"expression": "S<9,9,9>"}), "is not drawn alone"),
        (json!({"expression": "S[(4,4) : (4,1)]", "tile": "(4,5)"}), "does not have the 16 elements"),
        (json!({"expression": "4:1", "as": "tensor-memory", "bits": 5}), "elements of 5 b"),
        (
            json!({"expression": "(4,2):(1,4)", "as": "thread-value"}),
            "this needs the tile that it maps to: fill in the field 'Tile or shape'",
        ),
    ] {
        let (object, tables) = drawn(question.clone());
        let undrawn = object["undrawn"].as_str().unwrap_or_else(|| panic!("{question}: {object}"));
        assert!(undrawn.contains(why) && tables.is_empty(), "{question}: {undrawn}");
    }
}

/// The example of CUTLASS's tutorial on MMA atoms: a quad pair of Volta is the lanes 0 to 3 and 16
/// to 19. In PTX's fragments of `mma.m8n8k4`, lane % 4 is the row of A in both halves, the second
/// of which begins at row 4.
#[test]
fn lanes_of_a_quad_pair_are_those_of_its_layout() {
    let (object, tables) = drawn(json!({"expression": "SM70_8x8x4_F16F16F16F16_TN"}));
    let lanes = [0., 1., 2., 3., 16., 17., 18., 19.];
    let [b, a, c] = &tables[..] else { panic!("{object}") };
    let threads = |table: &Facets| table.iter().find(|(name, _)| name == "thread").unwrap().1.clone();
    // A row of A, and a column of B, is one lane's; each row of C has one, too.
    let rows = |lanes: &[f64], columns: usize| -> Vec<f64> {
        lanes.iter().flat_map(|lane| vec![*lane; columns]).collect()
    };
    assert_eq!(threads(a), rows(&lanes, 4));
    assert_eq!(threads(b), vec![lanes; 4].concat());
    assert_eq!(threads(c), rows(&lanes, 8));
    // Nothing is shared, and nothing is left.
    for table in &tables {
        assert!(table.iter().all(|(name, _)| name != "threads that have it"), "{table:?}");
    }
}

/// All elements have a lane, of the first quad pair.
#[test]
fn every_element_of_a_quad_pair_has_a_lane() {
    let atoms = cute_arch::atoms::mma_atoms().filter(|atom| atom.name.starts_with("SM70_"));
    let mut count = 0;
    for atom in atoms {
        let (object, tables) = drawn(json!({"expression": atom.name}));
        for (_, lanes) in tables.iter().flatten().filter(|(name, _)| name == "thread") {
            let is_lane = |lane: &f64| (0. ..4.).contains(lane) || (16. ..20.).contains(lane);
            assert!(lanes.iter().all(is_lane), "{}: {object}", atom.name);
            count += 1;
        }
    }
    assert_eq!(count, 8 * 3);
}

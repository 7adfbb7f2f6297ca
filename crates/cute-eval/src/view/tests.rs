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
        json!({"expression": "S<3,3,3> o 0 o (8,64):(64,1)", "bits": 16, "physical": true}),
        json!({"expression": "SM100_MMA_F16BF16_SS<half_t,float,128,16>", "physical": true}),
        json!({"expression": "SM75_U32x4_LDSM_N"}),
        json!({"expression": "raked_product((2,2):(2,1), (3,4):(4,1))"}),
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
    // The TMA and the constructors of placements, with the fields that they need.
    let about = about();
    let listed = about["functions"].as_array().unwrap().iter().skip(registry::functions().count());
    let (mut count, mut missing) = (0, Vec::new());
    for function in listed {
        let mut question = function["fields"].clone();
        question["expression"] = function["example"].clone();
        let (object, tables) = drawn(question);
        if tables.len() != 1 {
            missing.push(format!("{function}: {object}"));
        }
        count += 1;
    }
    assert_eq!((count, missing), (15, Vec::new()));
    assert!(about["palette"].as_array().is_some_and(|palette| palette.len() >= 8));
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
        (json!({"expression": "2:65536000000000", "as": "tensor-memory"}), "a table of 1000000001 x 1"),
        (json!({"expression": "2:-65536", "as": "tensor-memory"}), "reaches below lane 0"),
        (json!({"expression": "(65536,65536):(1,65536)", "as": "tensor-memory"}), "places; at most 65536"),
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

fn facet<'t>(table: &'t Facets, name: &str) -> &'t [f64] {
    &table.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("{name}: {table:?}")).1
}

/// The cell of a table that belongs to each cell of the last one.
fn grid(object: &Json, number: usize) -> Json {
    let rows = object["grids"].as_array().into_iter().flatten();
    let all = rows.flat_map(|row| row.as_array().unwrap().clone()).filter(|grid| !grid.is_null());
    all.collect::<Vec<_>>()[number].clone()
}

/// In memory, line and bank of each element are those of its facts.
#[test]
fn every_element_lies_in_memory_where_its_facts_say() {
    for (expression, bits, columns) in
        [("S<3,3,3> o 0 o (8,64):(64,1)", 16, 64), ("(4,8):(8,1)", 32, 8), ("(16,4):(1,16)", 8, 4)]
    {
        let (object, tables) = drawn(json!({"expression": expression, "bits": bits, "physical": true}));
        let [tile, memory] = &tables[..] else { panic!("{object}") };
        assert_eq!(grid(&object, 1)["of"], 0);
        let across = 1024 / bits;
        let mut found = 0;
        for (place, element) in facet(memory, "element").iter().enumerate() {
            if element.is_nan() {
                continue;
            }
            let cell = *element as usize;
            found += 1;
            assert_eq!(facet(tile, "line")[cell], (place / across) as f64, "{expression}");
            assert_eq!(facet(tile, "bank")[cell], (place % across * bits / 32) as f64, "{expression}");
            assert_eq!(facet(memory, "i")[place], (cell / columns) as f64);
            assert_eq!(facet(memory, "j")[place], (cell % columns) as f64);
        }
        assert_eq!(found, tile[0].1.len(), "{expression}");
    }
    // A place leads to the facts of its element.
    let swizzled = "S<3,3,3> o 0 o (8,64):(64,1)";
    let (facts, _) = drawn(json!({"expression": swizzled, "bits": 16, "physical": true, "cell": [1, 1, 0]}));
    assert_eq!(facts["facts"][0], json!({"name": "place", "value": "line 1, bank 0", "steps": []}));
    assert_eq!(facts["facts"][1]["value"], "(1,8)");
    let (without, _) = drawn(json!({"expression": "(4,8):(1@0,1@1)", "physical": true}));
    assert!(without["notes"].to_string().contains("coordinates do not lie in memory"), "{without}");
    let (without, _) = drawn(json!({"expression": swizzled, "physical": true}));
    assert!(without["notes"].to_string().contains("fill in the field 'Bits of an element'"), "{without}");
}

/// The registers of a thread are what the layout says, copies included.
#[test]
fn registers_have_the_elements_of_their_threads() {
    let (object, tables) = drawn(json!({"expression": "SM80_16x8x16_F32F16F16F32_TN", "physical": true}));
    assert_eq!(tables.len(), 6, "{object}");
    let (c, registers) = (&tables[2], &tables[5]);
    assert_eq!((grid(&object, 5)["of"].clone(), registers[0].1.len()), (json!(2), 32 * 4));
    for (place, element) in facet(registers, "element").iter().enumerate() {
        assert_eq!(facet(c, "thread")[*element as usize], (place / 4) as f64);
        assert_eq!(facet(c, "value")[*element as usize], (place % 4) as f64);
    }
    // Both threads of a pair have each element.
    let shared =
        json!({"expression": "((4,2),2):((0,1),4)", "as": "thread-value", "tile": "(2,8)", "physical": true});
    let (_, tables) = drawn(shared);
    let elements = facet(&tables[1], "element");
    assert_eq!(elements[..2], elements[2..4]);
    assert_eq!(elements.iter().filter(|element| !element.is_nan()).count(), 16);
}

/// `ldmatrix` by PTX's figures: a lane addresses a row of 8 halves, and lane 4 i + j of the result
/// has halves 2 j and 2 j + 1 of row i of each matrix; with .trans, rows and columns change places.
#[test]
fn copy_atoms_are_drawn() {
    let (object, tables) = drawn(json!({"expression": "SM75_U32x4_LDSM_N"}));
    let [source, destination] = &tables[..] else { panic!("{object}") };
    for cell in 0..32 * 8 {
        let (row, column) = (cell / 8, cell % 8);
        assert_eq!(facet(source, "thread")[cell], row as f64);
        assert_eq!(facet(destination, "thread")[cell], (row % 8 * 4 + column / 2) as f64);
        assert_eq!(facet(destination, "register")[cell], (row / 8) as f64);
    }
    let (_, tables) = drawn(json!({"expression": "SM75_U16x8_LDSM_T"}));
    for cell in 0..32 * 8 {
        let (row, column) = (cell / 8, cell % 8);
        assert_eq!(facet(&tables[1], "thread")[cell], (column * 4 + row % 8 / 2) as f64);
    }
    // tcgen05.ld.32x32b.x8: lane t of tensor memory goes to thread t, a column to each register.
    let (object, tables) = drawn(json!({"expression": "SM100_TMEM_LOAD_32dp32b8x"}));
    assert_eq!(grid(&object, 1)["columns"].as_array().map(Vec::len), Some(8));
    for cell in 0..32 * 8 {
        assert_eq!(facet(&tables[1], "thread")[cell], (cell / 8) as f64);
        assert_eq!(facet(&tables[1], "register")[cell], (cell % 8) as f64);
    }
    for atom in cute_arch::atoms::copy_atoms() {
        let (object, tables) = drawn(json!({"expression": atom.name}));
        assert_eq!(tables.len(), 2, "{}: {}", atom.name, object["undrawn"]);
    }
}

/// 64 rows of an accumulator take every other 16 lanes, and scale factors are drawn although their
/// layout counts each one many times.
#[test]
fn tensor_memory_shows_accumulators_and_scale_factors() {
    let atom = "SM100_MMA_F16BF16_SS<half_t,float,64,8>";
    let (object, tables) = drawn(json!({"expression": atom, "physical": true}));
    let [c, memory] = &tables[..] else { panic!("{object}") };
    for row in 0..64 {
        let lane = row / 16 * 32 + row % 16;
        assert_eq!(c.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["TLane", "TCol"]);
        assert_eq!(facet(c, "TLane")[row * 8], lane as f64);
        assert_eq!(facet(memory, "element")[lane * 8 + 3], (row * 8 + 3) as f64);
        assert_eq!(facet(memory, "i")[lane * 8 + 3], row as f64);
    }
    assert_eq!(facet(memory, "element").iter().filter(|element| !element.is_nan()).count(), 64 * 8);

    let factors = "make_tmem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))";
    let (object, tables) = drawn(json!({"expression": factors, "as": "tensor-memory", "bits": 8}));
    let [memory] = &tables[..] else { panic!("{object}") };
    let columns = grid(&object, 0)["columns"].as_array().map_or(0, Vec::len);
    // Row 37 is in lane 5 and its copies; the second block of K is one byte further.
    for lane in [5, 37, 69, 101] {
        assert_eq!(facet(memory, "i")[lane * columns + 4] as i64 % 128, 37);
        assert_eq!(facet(memory, "j")[lane * columns + 5], 32.);
    }
    assert!(object["notes"].to_string().contains("the memory alone is drawn"), "{object}");
    let (facts, _) =
        drawn(json!({"expression": factors, "as": "tensor-memory", "bits": 8, "cell": [0, 5, 4]}));
    assert_eq!(facts["facts"][0]["value"], "lane 5, column 1.0");
}

/// Cells of one colour belong together, and an element leads to its place in the result.
#[test]
fn operands_and_results_belong_together() {
    for (expression, number, tables_of) in [
        ("zipped_divide((8,16):(16,1), [4:1;8:1])", "tile", 2),
        ("logical_divide((8,16):(16,1), [4:1;8:1])", "tile", 2),
        ("tiled_divide(S<2,2,2> o 0 o (8,16):(16,1), [4:1;8:1])", "tile", 2),
        ("flat_divide((8,16):(16,1), [4:1;8:1])", "tile", 2),
        ("logical_divide(24:1, 4:2)", "tile", 3),
        ("composition((6,2):(8,2), (4,3):(3,1))", "chosen", 3),
        ("(6,2):(8,2) o (4,3):(3,1)", "chosen", 3),
        ("logical_product((2,2):(1,2), 3:1)", "copy", 3),
        ("blocked_product((2,2):(1,2), (3,4):(4,1))", "copy", 3),
        ("raked_product((2,2):(2,1), (3,4):(4,1))", "copy", 3),
    ] {
        let (object, tables) = drawn(json!({"expression": expression}));
        assert_eq!(tables.len(), tables_of, "{expression}: {object}");
        let (result, operands) = tables.split_last().unwrap();
        for (n, operand) in operands.iter().enumerate() {
            assert_eq!(grid(&object, n)["of"], tables_of - 1, "{expression}");
            let mut led = 0;
            for (cell, element) in facet(operand, "element").iter().enumerate().filter(|(_, e)| !e.is_nan()) {
                led += 1;
                let place = *element as usize;
                assert_eq!(facet(operand, number)[cell], facet(result, number)[place], "{expression}");
                if n == 0 {
                    assert_eq!(facet(operand, "index")[cell], facet(result, "index")[place], "{expression}");
                }
            }
            assert!(led > 0, "{expression}");
        }
    }
    // Tiles of a divide are the blocks of the matrix.
    let (_, tables) = drawn(json!({"expression": "zipped_divide((8,16):(16,1), [4:1;8:1])"}));
    for cell in 0..8 * 16 {
        let (row, column) = (cell / 16, cell % 16);
        assert_eq!(facet(&tables[0], "tile")[cell], (row / 4 + column / 8 * 2) as f64);
    }
    // With the bits of an element, the result is a tile in memory.
    let (_, tables) = drawn(json!({"expression": "zipped_divide((8,16):(16,1), [4:1;8:1])", "bits": 16}));
    assert_eq!(tables.len(), 1);
}

/// A field that a value does not take is named, and the answer says which it takes.
#[test]
fn unused_fields_are_named() {
    let (object, _) = drawn(json!({"expression": "(4,8):(8,1)", "element": "f17", "tile": "(2,2)"}));
    assert_eq!(object["fields"], json!(["as", "bits", "access"]));
    assert_eq!(
        object["notes"].as_array().unwrap()[1..],
        [
            json!("The field 'Tile or shape' ((2,2)) is not used: a layout does not take it."),
            json!("The field 'Element type' (f17) is not used: a layout does not take it."),
        ]
    );
    let (object, _) = drawn(json!({"expression": "SM80_16x8x16_F32F16F16F32_TN", "bits": 16}));
    assert!(object["notes"].to_string().contains("(16) is not used: an MMA atom"), "{object}");
}

//! The boxes of `tests/vectors/tma.json`: the boxes that CuTe C++ computes for tensors and tiles,
//! and its partitions. Tests of elements and descriptors are in `cute-arch`.

use std::path::Path;

use cute_algebra::{
    AnyLayout, BoxLimits, BoxTiler, Boxes, Crd, Dim, Layout, LayoutLike, Tuple, group, parse_layout,
    parse_layout_or_composed,
};
use serde_json::Value;

const LIMITS: BoxLimits = BoxLimits { extent: 256, modes: 5 };

/// The copies whose descriptors count in the tensor's own elements and cover all rows of a box.
fn vectors() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/tma.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let all: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let is_plain = |entry: &Value| {
        entry["result"].get("tma_tensor").is_some() && entry["inputs"].get("tma_internal_type").is_none()
    };
    all.into_iter().filter(is_plain).collect()
}

/// The type of a layout if it has one, otherwise the layout.
fn typed<'a>(object: &'a Value, key: &str) -> &'a str {
    let typed = object.get(format!("{key}_type")).or_else(|| object.get(key));
    typed.and_then(Value::as_str).unwrap_or_else(|| panic!("{object} has no {key}"))
}

fn layout(text: &str) -> Layout<Dim> {
    parse_layout(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A layout without its swizzle, which acts on the address.
fn memory(text: &str) -> Layout<Dim> {
    let parsed: AnyLayout<Dim> = parse_layout_or_composed(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    parsed.outer().clone()
}

#[test]
fn boxes_are_those_of_cute() {
    let vectors = vectors();
    assert!(vectors.len() > 330, "{}", vectors.len());
    for entry in &vectors {
        let (inputs, result) = (&entry["inputs"], &entry["result"]);
        let tensor = layout(typed(inputs, "gmem_layout"));
        let values = result.get("cta_v_map").or_else(|| inputs.get("cta_v_map")).and_then(Value::as_str);
        let values = layout(values.expect("the values of the tile"));
        let boxes = Boxes::new(&tensor, &memory(typed(inputs, "smem_layout")), &values, LIMITS)
            .unwrap_or_else(|e| panic!("{entry}: {e}"));
        assert_eq!(boxes.basis.to_string(), typed(result, "tma_gbasis"), "{entry}");
        assert_eq!(boxes.coordinates.to_string(), typed(&result["tma_tensor"], "layout"), "{entry}");
    }
}

#[test]
fn tiles_are_divided_into_boxes_as_cute_does() {
    let mut divided = 0;
    for entry in &vectors() {
        let (inputs, result) = (&entry["inputs"], &entry["result"]);
        // Coordinates that run time scales have a type and values.
        let is_static = |_: &&Value| result.get("g_stride_type").is_none();
        let Some(tensor) = result.get("gmem_tiled").filter(is_static) else { continue };
        // The modes of the tile are one mode.
        let tile = memory(typed(inputs, "smem_layout")).rank();
        let staged = inputs.get("smem_staged_layout").unwrap_or(&inputs["smem_layout"]);
        let staged =
            group(&memory(staged.as_str().expect("a text")), 0, tile).expect("a tile and its stages");
        let tensor = layout(tensor["layout"].as_str().expect("a text"));
        let values = result["num_val_src"].as_i64().expect("a number");
        let parts = result["tma_partition"].as_array().expect("a list");
        let ctas = Layout::identity(Dim::fixed(parts.len() as i64)).expect("a layout");
        for (cta, part) in parts.iter().enumerate() {
            let cta = Tuple::leaf(Crd::Int(Dim::fixed(cta as i64)));
            let tiler = BoxTiler::new(&staged.mode(0).expect("the tile"), values, &cta, &ctas)
                .unwrap_or_else(|e| panic!("{entry}: {e}"));
            for (key, own) in [("smem", &staged), ("gmem", &tensor)] {
                let (found, begin) = tiler.partition(own).unwrap_or_else(|e| panic!("{entry}: {e}"));
                let text = |what: &str| part[key][what].as_str().expect("a text");
                assert_eq!(found.to_string(), text("layout"), "{key} of {entry}");
                assert_eq!(
                    without_zeros(&begin.to_string()),
                    without_zeros(text("offset")),
                    "{key} of {entry}"
                );
                divided += 1;
            }
        }
    }
    assert!(divided > 600, "{divided}");
}

/// Coordinates, whose last zeros may be left out.
fn without_zeros(text: &str) -> String {
    text.trim_matches(['(', ')']).trim_end_matches(['0', ',']).to_string()
}

fn refuses(tensor: &str, tile: &str, values: &str, why: &str) {
    let made = Boxes::new(&layout(tensor), &memory(tile), &layout(values), LIMITS);
    assert_eq!(made.expect_err(why).to_string(), why);
}

#[test]
fn what_makes_no_box_is_refused() {
    refuses(
        "(128,64):(64,1)",
        "(64,32):(32,1)",
        "(32,32):(1@0,1@1)",
        "boxes: the tile has 2048 values in memory but 1024 in the tensor",
    );
    refuses(
        "(128,64):(64,1)",
        "(32,?):(32,1)",
        "(32,32):(1@0,1@1)",
        "boxes: the layout of the memory must be static, found (32,?):(32,1)",
    );
    refuses(
        "(128,64):(64,1)",
        "(32,32):(1,32)",
        "(32,32):(2@0,1@1)",
        "boxes: the first elements of the memory layout (32,32):(1,32) must be neighbours along one mode of the tensor, but they step by (32,32):(2@0,1@1)",
    );
    let tile = layout("(64,8):(1,64)");
    let made = |ctas: &str| BoxTiler::new(&tile, 512, &Tuple::leaf(Crd::Int(Dim::fixed(0))), &layout(ctas));
    assert_eq!(
        made("3:1").expect_err("3 CTAs").to_string(),
        "boxes: 3 CTAs do not share a box of 512 elements equally"
    );
}

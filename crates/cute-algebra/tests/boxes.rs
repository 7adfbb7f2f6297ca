//! Every entry of `tests/vectors/boxes.json`: boxes that CuTe C++ makes of tensors and tiles, and how it partitions them.

use std::path::Path;

use cute_algebra::{
    AnyLayout, BoxLimits, BoxTiler, Boxes, Crd, Dim, Layout, LayoutLike, Tuple, group, parse_layout,
    parse_layout_or_composed,
};
use serde_json::Value;

const LIMITS: BoxLimits = BoxLimits { extent: 256, modes: 5 };

fn vectors() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/boxes.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    serde_json::from_str(&text).expect("JSON")
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_else(|| panic!("{entry} has no {key}"))
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
    assert!(vectors.len() > 250);
    for entry in &vectors {
        let [tensor, values] = ["tensor", "values"].map(|key| layout(text(entry, key)));
        let boxes = Boxes::new(&tensor, &memory(text(entry, "memory")), &values, LIMITS)
            .unwrap_or_else(|e| panic!("{entry}: {e}"));
        assert_eq!(boxes.basis.to_string(), text(entry, "basis"), "{entry}");
        assert_eq!(boxes.coordinates.to_string(), text(entry, "coordinates"), "{entry}");
    }
}

#[test]
fn tiles_are_divided_into_boxes_as_cute_does() {
    let mut divided = 0;
    for entry in &vectors() {
        let Some(partition) = entry.get("partition") else { continue };
        // The modes of the tile are one mode.
        let tile = memory(text(entry, "memory")).rank();
        let staged = group(&memory(text(partition, "memory")), 0, tile).expect("a tile and its stages");
        let tensor = layout(text(partition, "tensor"));
        let values = partition["values"].as_i64().expect("a number");
        let parts = partition["parts"].as_array().expect("a list");
        let ctas = Layout::identity(Dim::fixed(parts.len() as i64)).expect("a layout");
        for (cta, part) in parts.iter().enumerate() {
            let cta = Tuple::leaf(Crd::Int(Dim::fixed(cta as i64)));
            let tiler = BoxTiler::new(&staged.mode(0).expect("the tile"), values, &cta, &ctas)
                .unwrap_or_else(|e| panic!("{entry}: {e}"));
            for (key, own) in [("memory", &staged), ("tensor", &tensor)] {
                let (found, begin) = tiler.partition(own).unwrap_or_else(|e| panic!("{entry}: {e}"));
                let list = |i: usize| part[key][i].as_str().expect("a text");
                assert_eq!(found.to_string(), list(1), "{key} of {entry}");
                assert_eq!(without_zeros(&begin.to_string()), without_zeros(list(0)), "{key} of {entry}");
                divided += 1;
            }
        }
    }
    assert!(divided > 400, "{divided}");
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
        "boxes: the tile has 2048 values in memory, 1024 in the tensor",
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
        "boxes: the first elements of memory (32,32):(1,32) are not neighbours along one mode of the tensor: they step by (32,32):(2@0,1@1)",
    );
    let tile = layout("(64,8):(1,64)");
    let made = |ctas: &str| BoxTiler::new(&tile, 512, &Tuple::leaf(Crd::Int(Dim::fixed(0))), &layout(ctas));
    assert_eq!(
        made("3:1").expect_err("3 CTAs").to_string(),
        "boxes: 3 CTAs do not share a box of 512 elements equally"
    );
}

//! Entries of `tests/vectors/cute`: values that CUTLASS C++ printed.

use cute_algebra::{Layout, Tuple, crd2idx, parse_layout, size};
use serde_json::Value as Json;

/// All entries of a file.
pub fn read(name: &str) -> Vec<Json> {
    let path = format!("{}/tests/vectors/cute/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The text at a path of an entry, such as `/args/mma`.
pub fn text<'a>(entry: &'a Json, path: &str) -> &'a str {
    entry.pointer(path).and_then(Json::as_str).unwrap_or_else(|| panic!("{entry} has no text {path}"))
}

/// The number at a path of an entry.
pub fn number(entry: &Json, path: &str) -> i64 {
    entry.pointer(path).and_then(Json::as_i64).unwrap_or_else(|| panic!("{entry} has no number {path}"))
}

/// A static layout.
pub fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).expect("a layout").to_const().expect("numbers")
}

/// All offsets of a layout, first mode fastest.
pub fn offsets(text: &str) -> Vec<i64> {
    let layout = layout(text);
    let offset =
        |i| *crd2idx(&Tuple::leaf(i).to_coord(), &layout).expect("an index").as_leaf().expect("a number");
    (0..size(&layout).expect("a size")).map(offset).collect()
}

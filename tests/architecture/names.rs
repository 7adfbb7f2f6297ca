//! Names of public types that more than one crate defines. A reader who meets `Program` should not
//! have to look which of four it is, so the list may only shrink.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

/// The names that several crates define. An error and its `Result` are the crate's own everywhere;
/// layouts, tiles and atoms have CuTe's names in the algebra and as values of the dialect.
pub const SHARED: &[&str] = &[
    "Access",
    "Answer",
    "Arg",
    "Axis",
    "Builder",
    "Call",
    "Code",
    "CopyAtom",
    "Difference",
    "Element",
    "Error",
    "Expr",
    "Factors",
    "Fill",
    "Form",
    "Function",
    "Instruction",
    "Kernel",
    "Kind",
    "Known",
    "Launch",
    "Leaf",
    "Lowered",
    "Matrices",
    "Mismatch",
    "MmaAtom",
    "MmaOperand",
    "Number",
    "Operand",
    "Operation",
    "Options",
    "Origin",
    "Place",
    "Product",
    "Program",
    "Report",
    "Reported",
    "Result",
    "Role",
    "Row",
    "Rule",
    "Session",
    "Site",
    "Source",
    "Space",
    "Special",
    "Table",
    "TiledCopy",
    "TiledMma",
    "Traffic",
    "Type",
    "Value",
    "Values",
    "Variable",
];

/// The crates that define each name, of the names that more than one does. A type that is `pub` in a
/// private module counts: its crate should say `pub(crate)`.
pub fn shared(crates: &BTreeMap<String, PathBuf>) -> BTreeMap<String, BTreeSet<String>> {
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, folder) in crates {
        for file in super::sources(&folder.join("src")) {
            let text = fs::read_to_string(&file).expect("a source");
            for defined in text.lines().filter_map(defined) {
                homes.entry(defined).or_default().insert(name.clone());
            }
        }
    }
    homes.retain(|_, homes| homes.len() > 1);
    homes
}

/// The public type or trait that a line defines.
fn defined(line: &str) -> Option<String> {
    let item = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "union ", "trait ", "unsafe trait ", "type "];
    let name = super::word(kinds.iter().find_map(|kind| item.strip_prefix(kind))?);
    (!name.is_empty()).then_some(name)
}

#[test]
fn definitions_are_read() {
    assert_eq!(defined("    pub struct Tile<I> {").as_deref(), Some("Tile"));
    assert_eq!(defined("pub unsafe trait Raw {").as_deref(), Some("Raw"));
    for other in ["pub(crate) enum Kind {", "pub fn tile() {", "pub enum $name {", "struct Own;"] {
        assert_eq!(defined(other), None, "{other}");
    }
}

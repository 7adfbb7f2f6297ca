//! The fields of the page: their labels, and those that a value takes.

use super::{As, Question};
use crate::{
    tilings::{Atom, Tiling},
    value::Value,
};

/// The labels of the fields, by the names of the options that they give.
pub const LABELS: [(&str, &str); 6] = [
    ("against", "Compare with"),
    ("as", "Draw as"),
    ("bits", "Bits of an element"),
    ("tile", "Tile or shape"),
    ("element", "Element type"),
    ("access", "Accesses"),
];

/// The label of an option.
pub fn label(option: &str) -> Option<&'static str> {
    LABELS.iter().find(|(name, _)| *name == option).map(|(_, label)| *label)
}

/// The fields that a value takes, besides the second expression.
pub fn of(drawn: Option<As>, value: &Value) -> &'static [&'static str] {
    match (drawn, value) {
        (Some(As::ThreadValue), _) => &["as", "tile", "bits"],
        (Some(As::TensorMemory), _) => &["as", "bits"],
        (Some(As::Placement | As::Boxes), _) => &["as"],
        (_, Value::Atom(Atom::Copy(_))) => &["bits"],
        (_, Value::Atom(Atom::Mma(_))) => &["tile"],
        (_, Value::Tiling(tiling)) => match **tiling {
            Tiling::Mma { .. } => &["tile"],
            Tiling::Copy { .. } => &[],
        },
        (_, Value::Layout(_) | Value::Part { .. } | Value::Tuple(_)) => &["as", "bits", "access"],
        (_, Value::Swizzle(_)) => &["bits"],
        _ => &[],
    }
}

/// Notes on the fields that were filled in and that the value does not take.
pub fn unused(question: &Question, kind: &str, taken: &[&str]) -> Vec<String> {
    let given = [
        ("bits", question.bits.map(|bits| bits.to_string())),
        ("tile", question.tile.clone()),
        ("element", question.element.clone()),
        ("access", question.accesses().first().cloned()),
    ];
    let given = given.into_iter().filter_map(|(name, text)| Some((name, text?)));
    let unused = given.filter(|(name, text)| !text.trim().is_empty() && !taken.contains(name));
    unused
        .map(|(name, text)| {
            let label = label(name).unwrap_or(name);
            format!("The field '{label}' ({text}) is not used: {kind} does not take it.")
        })
        .collect()
}

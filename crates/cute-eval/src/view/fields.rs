//! The fields of the page: their labels, and those that a value takes.

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

//! Reads the arguments of ops from TableGen's records.

use serde_json::Value;

use crate::records::{def, text};

/// The arguments of an op, except for the segment sizes of its operands.
pub fn arguments(op: &Value) -> impl Iterator<Item = (&Value, &str)> {
    dag(&op["arguments"]).filter(|(_, name)| *name != "operandSegmentSizes")
}

pub fn summary(constraint: &Value) -> String {
    match text(&constraint["summary"]) {
        "" => text(&constraint["baseAttr"]["printable"]).into(),
        summary => prose(summary),
    }
}

/// Text without a link in it.
pub fn prose(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

pub fn has_trait(records: &Value, op: &Value, name: &str) -> bool {
    let traits = op["traits"].as_array().into_iter().flatten().map(|t| def(records, t));
    traits.into_iter().any(|t| t["cppInterfaceName"] == name || t["trait"] == name)
}

/// Arguments of a dag, with their names.
pub fn dag(dag: &Value) -> impl Iterator<Item = (&Value, &str)> {
    dag["args"].as_array().into_iter().flatten().map(|a| (&a[0], text(&a[1])))
}

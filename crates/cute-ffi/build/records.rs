//! Reads TableGen's records from its JSON dump.

use serde_json::Value;

/// The ops of a dialect by their current names.
pub fn ops(records: &Value) -> impl Iterator<Item = &Value> {
    let ops = strings(&records["!instanceof"]["Op"]).map(|name| &records[name]);
    ops.filter(|op| !text(&op["opName"]).is_empty() && !is_a(op, "Older"))
}

pub fn is_a(record: &Value, class: &str) -> bool {
    strings(&record["!superclasses"]).any(|c| c == class)
}

/// The record that a value refers to.
pub fn def<'a>(records: &'a Value, reference: &Value) -> &'a Value {
    &records[text(&reference["def"])]
}

pub fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

//! From TableGen's records of ops to a page of the manual: `docs/ops.md`.

use serde_json::Value;

use super::builders::{arguments, dag, has_trait, summary};
use crate::records::{self, def, is_a, text};

/// The ops of a dialect, by name.
fn ops(records: &Value) -> impl Iterator<Item = (String, &Value)> {
    records::ops(records)
        .map(|op| (format!("{}.{}", text(&def(records, &op["opDialect"])["name"]), text(&op["opName"])), op))
}

/// The names of the ops, one per line; those that can fold are marked.
pub fn names(records: &Value) -> String {
    ops(records).map(|(name, op)| name + if op["hasFolder"] == 1 { " folds\n" } else { "\n" }).collect()
}

/// The section of a dialect: one row per op, in the order of their names.
pub fn section(records: &Value) -> String {
    let mut rows: Vec<(String, String)> =
        ops(records).map(|(name, op)| (name.clone(), row(records, &name, op))).collect();
    rows.sort();
    let dialect = rows.first().and_then(|(name, _)| name.split('.').next()).unwrap_or_default().to_string();
    let rows: String = rows.into_iter().map(|(_, row)| row).collect();
    format!("\n## `{dialect}`\n\n| op | takes | gives | meaning |\n|---|---|---|---|\n{rows}")
}

fn row(records: &Value, name: &str, op: &Value) -> String {
    let takes: Vec<_> = arguments(op).map(|(c, n)| item(def(records, c), n)).collect();
    let gives: Vec<_> = dag(&op["results"]).map(|(c, n)| item(def(records, c), n)).collect();
    let inferred =
        if has_trait(records, op, "InferTypeOpInterface") || gives.is_empty() { "" } else { " (declared)" };
    let cell = |items: Vec<String>| if items.is_empty() { "—".to_string() } else { items.join(", ") };
    format!("| `{name}` | {} | {}{inferred} | {} |\n", cell(takes), cell(gives), escape(text(&op["summary"])))
}

/// `name`: what it must be.
fn item(constraint: &Value, name: &str) -> String {
    let many = if is_a(constraint, "Variadic") { "*" } else { "" };
    let maybe = if is_a(constraint, "Optional") || constraint["isOptional"] == 1 { "?" } else { "" };
    format!("`{name}`{many}{maybe}: {}", escape(&summary(constraint)))
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace("\\[", "[").replace("\\]", "]")
}

//! Generates the reference page of ops, `docs/ops.md`, from TableGen's records, and the entries
//! that `tests/reference.rs` checks.

use serde_json::{Value, json};

use crate::{
    arguments::{arguments, dag, has_trait, summary},
    records::{self, def, is_a, text},
    syntax::syntax,
};

/// The ops of a dialect, in the order of their names.
fn ops(records: &Value) -> Vec<(String, &Value)> {
    let dialect = |op: &Value| text(&def(records, &op["opDialect"])["name"]).to_string();
    let name = |op: &Value| format!("{}.{}", dialect(op), text(&op["opName"]));
    let mut ops: Vec<_> = records::ops(records).map(|op| (name(op), op)).collect();
    ops.sort_by(|(a, _), (b, _)| a.cmp(b));
    ops
}

/// The names of the ops, one per line; those that can fold are marked.
pub fn names(records: &Value) -> String {
    ops(records)
        .into_iter()
        .map(|(name, op)| name + if op["hasFolder"] == 1 { " folds\n" } else { "\n" })
        .collect()
}

/// The section of a dialect: a table of its ops, and an entry for each.
pub fn section(records: &Value) -> String {
    let ops = ops(records);
    let dialect = ops.first().and_then(|(name, _)| name.split('.').next()).unwrap_or_default();
    let row =
        |(name, op): &(String, &Value)| format!("| {} | {} |\n", link(name, 0), cell(text(&op["summary"])));
    let rows: String = ops.iter().map(row).collect();
    let entries: String = ops.iter().map(|(name, op)| entry(records, name, op)).collect();
    format!("\n## `{dialect}`\n\n| op | result or effect |\n|---|---|\n{rows}{entries}")
}

/// A link to the heading of an entry of the page.
pub fn link(name: &str, earlier: usize) -> String {
    link_in("", name, earlier)
}

/// A link to a heading, whose anchor Markdown makes of its letters. The anchor of a heading after
/// another with the same letters has their number.
fn link_in(page: &str, name: &str, earlier: usize) -> String {
    let anchor = name.chars().filter(|c| c.is_alphanumeric() || "_-".contains(*c));
    let number = if earlier == 0 { String::new() } else { format!("-{earlier}") };
    format!("[`{name}`]({page}#{}{number})", anchor.collect::<String>().to_lowercase())
}

fn entry(records: &Value, name: &str, op: &Value) -> String {
    let mut out = format!("\n### `{name}`\n\n{}\n", sentence(text(&op["summary"])));
    out += &paragraph(&described(op));
    let syntax = syntax(records, name, op);
    if !syntax.is_empty() {
        out += &format!("\n    {syntax}\n");
    }
    out += &example("", op);
    let inferred = has_trait(records, op, "InferTypeOpInterface");
    let (operands, attributes): (Vec<_>, Vec<_>) =
        arguments(op).map(|(c, n)| (def(records, c), n)).partition(|(c, _)| is_a(c, "TypeConstraint"));
    let results: Vec<_> = dag(&op["results"]).map(|(c, n)| (def(records, c), n)).collect();
    let results_are = if inferred { "results, inferred" } else { "results, declared" };
    let lists = [("operands", operands), ("attributes", attributes), (results_are, results)];
    let items: String = lists
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(what, list)| {
            let list: Vec<_> = list.into_iter().map(|(c, n)| item(c, n)).collect();
            format!("* {what}: {}\n", list.join("; "))
        })
        .collect();
    let effects = effects(records, op);
    let effects = if effects.is_empty() { String::new() } else { format!("* effects: {effects}\n") };
    if !(items.is_empty() && effects.is_empty()) {
        out += &format!("\n{items}{effects}");
    }
    out + &rules(records, op)
}

/// A summary as a sentence, which begins with a capital letter unless it begins with code.
pub fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if summary.ends_with(['.', '?']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

/// The description of a record, and whether it is part of the public CuTe IR and is compiled.
pub fn described(record: &Value) -> String {
    let own = if is_a(record, "Own") { " It is not part of the public CuTe IR." } else { "" };
    let gap = if is_a(record, "NotCompiled") {
        " It is read, verified and printed, but not compiled yet."
    } else {
        ""
    };
    format!("{}{own}{gap}", text(&record["description"]))
}

/// A description, as lines of the page.
pub fn paragraph(description: &str) -> String {
    // Code blocks are in the field `example`.
    let text: Vec<_> = description.split_whitespace().collect();
    if text.is_empty() { String::new() } else { format!("\n{}\n", text.join(" ")) }
}

/// The example of a record, after a prefix, with the indentation that all lines share removed.
pub fn example(prefix: &str, record: &Value) -> String {
    match example_text(record) {
        text if text.is_empty() => String::new(),
        text => format!("\n```mlir\n{prefix}{text}\n```\n"),
    }
}

pub fn example_text(record: &Value) -> String {
    let lines: Vec<_> =
        text(&record["example"]).trim_end().lines().skip_while(|l| l.trim().is_empty()).collect();
    let indent = lines.iter().map(|l| l.len() - l.trim_start().len()).min().unwrap_or_default();
    lines.iter().map(|line| &line[indent..]).collect::<Vec<_>>().join("\n")
}

/// `name`: what it must be.
fn item(constraint: &Value, name: &str) -> String {
    let many = if is_a(constraint, "Variadic") { "*" } else { "" };
    let maybe = if is_a(constraint, "Optional") || constraint["isOptional"] == 1 { "?" } else { "" };
    let summary = summary(constraint).replace("\\[", "[").replace("\\]", "]");
    let what = summary.trim_start_matches("variadic of ");
    match is_a(constraint, "Documented") && is_a(constraint, "TypeDef") {
        true => format!(
            "`{name}`{many}{maybe}: {}",
            link_in("types.md", &format!("!{}", what.trim_start_matches('!')), 0)
        ),
        false => format!("`{name}`{many}{maybe}: {what}"),
    }
}

/// The memory effects of an op, in words.
fn effects(records: &Value, op: &Value) -> String {
    let traits = op["traits"].as_array().into_iter().flatten().map(|t| def(records, t));
    let effects: Vec<_> = traits.flat_map(|t| t["effects"].as_array().into_iter().flatten()).collect();
    let has = |name: &str| effects.iter().any(|e| text(&e["def"]) == name || is_a(def(records, e), name));
    let words = [
        ("MemAlloc", "makes memory"),
        ("MemRead", "reads memory"),
        ("MemWrite", "writes memory, or what others see"),
    ];
    words.into_iter().filter(|(name, _)| has(name)).map(|(_, word)| word).collect::<Vec<_>>().join(", ")
}

/// The rules of a record: the words of the id, what must hold, the error, what to do.
pub fn rules_of<'a>(records: &'a Value, record: &'a Value) -> impl Iterator<Item = [&'a str; 4]> {
    let rules = record["rules"].as_array().into_iter().flatten().map(|rule| def(records, rule));
    rules.map(|rule| {
        ["id", "must", "error", "fix"].map(|field| {
            let part = text(&rule[field]);
            assert!(!part.is_empty(), "{}: a rule of td/ has no {field}", text(&record["!name"]));
            part
        })
    })
}

/// The rules of a record as a table.
pub fn rules(records: &Value, record: &Value) -> String {
    let row = |[id, must, error, fix]: [&str; 4]| {
        format!("| `{id}` | {} | {} | {} |\n", cell(&sentence(must)), code(error), cell(&sentence(fix)))
    };
    let rows: String = rules_of(records, record).map(row).collect();
    if rows.is_empty() {
        rows
    } else {
        format!("\n| id | rule | error | way out |\n|---|---|---|---|\n{rows}")
    }
}

/// Text of a table's cell.
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Code in a table's cell, which may contain backquotes.
fn code(text: &str) -> String {
    let quotes = if text.contains('`') { "``" } else { "`" };
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{quotes}{space}{}{space}{quotes}", cell(text))
}

/// The parts of each op that the tests need.
pub fn entries(records: &Value) -> Vec<Value> {
    ops(records)
        .into_iter()
        .map(|(name, op)| {
            let errors: Vec<_> = rules_of(records, op).map(|[_, _, error, _]| error).collect();
            let inferred = has_trait(records, op, "InferTypeOpInterface");
            json!({ "name": name, "example": example_text(op), "inferred": inferred, "errors": errors,
                    "syntax": syntax(records, &name, op) })
        })
        .collect()
}

//! Generates the reference page of types and attributes, `docs/types.md`, from TableGen's records,
//! and the entries that `tests/reference.rs` checks.

use serde_json::{Value, json};

use super::reference::{cell, described, example, example_text, link, paragraph, rules, rules_of};
use crate::records::{def, is_a, strings, text};

/// The documented types or attributes of a dialect, by name with sigil, in order.
fn all<'a>(records: &'a Value, dialect: &str, class: &str, sigil: &str) -> Vec<(String, &'a Value)> {
    let records_of = strings(&records["!instanceof"][class]).map(|name| &records[name]);
    let own = records_of.filter(|r| text(&def(records, &r["dialect"])["name"]) == dialect);
    let mut own: Vec<_> = own.map(|r| (format!("{sigil}{dialect}.{}", text(&r["mnemonic"])), r)).collect();
    own.sort_by(|(a, _), (b, _)| a.cmp(b));
    own
}

/// The kinds of entries: the class of their records, the sigil, and the plural.
const KINDS: [(&str, &str, &str); 2] = [("TypeDef", "!", "Types"), ("AttrDef", "#", "Attributes")];

/// The sections of a dialect.
pub fn sections(records: &Value, dialect: &str) -> String {
    let section = |(class, sigil, plural): (&str, &str, &str)| {
        let all = all(records, dialect, class, sigil);
        // The second of two headings with the same letters has a number in its anchor.
        let types = self::all(records, dialect, "TypeDef", "#");
        let twice = |name| class == "AttrDef" && types.iter().any(|(of_type, _)| of_type == name);
        let rows: String =
            all.iter().map(|(name, _)| format!("* {}\n", link(name, usize::from(twice(name))))).collect();
        let entries: String = all.iter().map(|(name, record)| entry(records, name, record)).collect();
        format!("\n## {plural} of `{dialect}`\n\n{rows}{entries}")
    };
    KINDS.map(section).concat()
}

fn entry(records: &Value, name: &str, record: &Value) -> String {
    let description = paragraph(&described(record));
    assert!(is_a(record, "Documented") && !description.is_empty(), "td/ does not document {name}");
    let mut out = format!("\n### `{name}`\n{description}");
    out += &match example_text(record).is_empty() {
        true => format!("\n```mlir\n{name}\n```\n"),
        false => example(name, record),
    };
    let row = |[name, meaning]: [&str; 2]| format!("| `{}` | {} |\n", cell(name), cell(meaning));
    let rows: String = fields(records, record).map(row).collect();
    if !rows.is_empty() {
        out += &format!("\n| part | meaning |\n|---|---|\n{rows}");
    }
    out + &rules(records, record)
}

/// The parts of a body: name and meaning.
fn fields<'a>(records: &'a Value, record: &'a Value) -> impl Iterator<Item = [&'a str; 2]> {
    let fields = record["fields"].as_array().into_iter().flatten().map(|field| def(records, field));
    fields.map(|field| ["name", "meaning"].map(|part| text(&field[part])))
}

/// The parts of each type and attribute that the tests need.
pub fn entries(records: &Value, dialect: &str) -> Vec<Value> {
    let all = KINDS.into_iter().flat_map(|(class, sigil, _)| all(records, dialect, class, sigil));
    let entry = |(name, record): (String, &Value)| {
        let errors: Vec<_> = rules_of(records, record).map(|[_, _, error, _]| error).collect();
        let fields: Vec<_> = fields(records, record).map(|[name, _]| name).collect();
        json!({ "name": name, "example": example_text(record), "errors": errors, "fields": fields })
    };
    all.map(entry).collect()
}

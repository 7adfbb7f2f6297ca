//! Generates the table of the rules that `td/` declares, each with an id of its own.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::records::{self, def, strings, text};

/// The classes of types and attributes: their records, the sigil, and the first word of the ids.
const KINDS: [(&str, &str, &str); 2] = [("TypeDef", "!", "type-"), ("AttrDef", "#", "attribute-")];

/// The rows of `DECLARED` in `src/rules.rs`. The records of a dialect have those of the dialects
/// that it includes, too: each owner counts once.
pub fn table(dialects: &[&Value]) -> String {
    let (mut seen, mut owned) = (BTreeSet::new(), BTreeSet::new());
    let mut rows = String::new();
    let all = dialects.iter().flat_map(|records| owners(records).into_iter().map(move |one| (records, one)));
    for (records, (owner, prefix, form, record)) in all {
        if !owned.insert(owner.clone()) {
            continue;
        }
        for rule in record["rules"].as_array().into_iter().flatten().map(|rule| def(records, rule)) {
            let [words, must, error, fix] = ["id", "must", "error", "fix"].map(|field| text(&rule[field]));
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!words.is_empty() && words.chars().all(kebab), "{owner}: '{words}' is not kebab case");
            let id = format!("{prefix}.{words}");
            assert!(seen.insert(id.clone()), "{owner}: a second rule has the id {id}");
            let message = format!("{form}..{}..", error.trim_start_matches("..").trim_end_matches(".."));
            let (meaning, repair) = (sentence(must), sentence(fix));
            rows += &format!(
                "DeclaredRule {{ owner: {owner:?}, example: {:?}, rule: cute_rules::Rule {{ id: {id:?}, meaning: {meaning:?}, \
                 message: {message:?}, repair: {repair:?} }} }},\n",
                example(record)
            );
        }
    }
    format!("&[\n{rows}]\n")
}

/// All documented ops, types and attributes: the name, the first part of its ids, the form of its
/// messages, the record.
fn owners(records: &Value) -> Vec<(String, String, String, &Value)> {
    let dialect = |record: &Value, field: &str| text(&def(records, &record[field])["name"]).to_owned();
    let ops = records::ops(records).map(|op| {
        let name = text(&op["opName"]);
        let owner = format!("{}.{name}", dialect(op, "opDialect"));
        let form = format!("..'{owner}' op ");
        (owner, kebab(name), form, op)
    });
    let kinds = KINDS.into_iter().flat_map(|(class, sigil, prefix)| {
        strings(&records["!instanceof"][class]).map(move |name| (sigil, prefix, &records[name]))
    });
    let kinds = kinds.map(|(sigil, prefix, record)| {
        let name = text(&record["mnemonic"]);
        let owner = format!("{sigil}{}.{name}", dialect(record, "dialect"));
        (owner, format!("{prefix}{}", kebab(name)), String::new(), record)
    });
    let mut all: Vec<_> = ops.chain(kinds).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn kebab(name: &str) -> String {
    name.replace(['_', '.'], "-").to_lowercase()
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// The example, without the indentation that all of its lines share.
fn example(record: &Value) -> String {
    let all = text(&record["example"]).trim_end();
    let lines: Vec<&str> = all.lines().skip_while(|line| line.trim().is_empty()).collect();
    let indent = lines.iter().map(|l| l.len() - l.trim_start().len()).min().unwrap_or_default();
    lines.iter().map(|line| &line[indent..]).collect::<Vec<_>>().join("\n")
}

//! The page of rules is that of the tools, and no id vanishes. `UPDATE_DOCS=1 cargo test -p
//! cute-tools --test rules` renews the page, and `UPDATE_RECORD=1` the list of ids.

use cute_rules::Rule;
use cute_tools::rules::{SECTIONS, ids};
use std::{collections::BTreeSet, env, fs, path::PathBuf};

const HEAD: &str = "# Rules

This page is generated from the tables of the crates. It lists the rules whose violation is an error of a reader, of a launch or of an op.
Each has an id, which `cutec --explain ID` explains and which stays the same when a text changes ([stability](stability.md)).

| id | rule of | listed in |
|---|---|---|
| `race`, `X1` | a finding of the simulator, and the rules that findings name | [Simulator](simulator.md#findings) |
| `malformed-..` | a text or IR that breaks a rule of its language | this page |
| `unmodelled-..` | an instruction, type or call that the simulator has no model of | this page |
| `launch-..`, `host-..`, `request-..`, `prove-..` | a launch, a host function, a request of a page, a question about all sizes | this page |
| `op-..`, `atom-..` | any op of the dialect, any type of an atom | this page |
| `get-leaves.one-result-per-leaf` | one op: its name, and words for the rule | [Ops](ops.md) |
| `type-layout.shape-stride-same-structure`, `attribute-..` | one type or attribute: its name, and words for the rule | [Types](types.md) |

The name of an op or a type is written without its dialect, with `-` for `_` and `.`. In the messages, `..` stands for any text; a message
of several forms has one form per line of `cutec --explain`, and the first of them here. The id of an error is a field of [reports for
programs](tools.md#reports-for-programs), of Python's exceptions and of the results of the C library. A rule of one op comes before the
rule that any op has.
";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Code in a table's cell.
fn code(text: &str) -> String {
    let text = text.replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn page() -> String {
    let mut text = HEAD.to_owned();
    for section in SECTIONS {
        text += &format!("\n## {}\n\n| id | rule | message | way out |\n|---|---|---|---|\n", section.title);
        for Rule { id, meaning, message, repair } in section.tables.iter().flat_map(|table| table.iter()) {
            let message = code(message.lines().next().unwrap_or_default());
            text += &format!("| `{id}` | {meaning} | {message} | {repair} |\n");
        }
    }
    text
}

#[test]
fn the_page_has_the_rules() {
    let path = root().join("docs/rules.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page(), "docs/rules.md differs: run UPDATE_DOCS=1 cargo test -p cute-tools --test rules");
}

#[test]
fn no_id_vanishes() {
    let path = root().join("tests/recorded/rules.txt");
    let now: BTreeSet<&str> = ids().collect();
    if env::var_os("UPDATE_RECORD").is_some() {
        let lines: String = now.iter().map(|id| format!("{id}\n")).collect();
        fs::write(&path, lines).expect("the list is written");
    }
    let recorded = fs::read_to_string(&path).expect("the list");
    let recorded: BTreeSet<&str> = recorded.lines().collect();
    let gone: Vec<_> = recorded.difference(&now).collect();
    assert!(
        gone.is_empty(),
        "these ids of rules vanished, which users may name: {gone:?}. Keep them when a text changes; docs/stability.md says \
         when an id may go, and then UPDATE_RECORD=1 renews the list"
    );
    let new: Vec<_> = now.difference(&recorded).collect();
    assert!(
        new.is_empty(),
        "these ids are new: {new:?}. UPDATE_RECORD=1 cargo test -p cute-tools --test rules records them"
    );
}

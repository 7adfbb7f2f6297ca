//! The tables of findings and rules in docs/simulator.md are those of the simulator.

use cute_sim::{ExplainedKinds, FindingKind, ISA_RULES, IsaRule, KINDS, RULES, Rule};
use std::{env, fs, path::Path};

fn kinds() -> String {
    let mut text = "| finding | meaning | repair |\n|---|---|---|\n".to_owned();
    for ExplainedKinds { names, meaning, repair } in KINDS {
        let page = names[0];
        let names: Vec<String> = names.iter().map(|name| format!("[`{name}`](findings/{page}.md)")).collect();
        text += &format!("| {} | {meaning} | {repair} |\n", names.join(", "));
    }
    text
}

fn isa() -> String {
    let mut text = "| id | rule | PTX ISA | finding |\n|---|---|---|---|\n".to_owned();
    for IsaRule { id, rule, section, finding } in ISA_RULES.iter() {
        text += &format!("| {id} | {rule} | {section} | {finding} |\n");
    }
    text
}

fn rules() -> String {
    let mut text =
        "| id | case | PTX ISA | relied on by | seen to fail | grade |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for Rule { id, case, section, relied_on, seen_to_fail, grade } in RULES {
        let seen = if seen_to_fail.is_empty() { "no" } else { seen_to_fail };
        text += &format!("| {id} | {case} | {section} | {relied_on} | {seen} | {grade} |\n");
    }
    text
}

fn page() -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/simulator.md");
    let text = fs::read_to_string(&path).expect("the page");
    (path, text)
}

#[test]
fn the_page_has_the_tables() {
    let (path, mut text) = page();
    for (name, table) in [("kinds", kinds()), ("isa", isa()), ("rules", rules())] {
        let begin = format!("<!-- {name}: UPDATE_DOCS=1 cargo test -p cute-sim --test rules -->\n");
        let end = format!("<!-- end of {name} -->\n");
        let (before, rest) = text.split_once(&begin).expect("the page has the beginning of the table");
        let (found, after) = rest.split_once(&end).expect("the page has the end of the table");
        if env::var_os("UPDATE_DOCS").is_some() {
            text = [before, &begin, &table, &end, after].concat();
            fs::write(&path, &text).expect("the page is written");
            continue;
        }
        assert_eq!(found, table, "UPDATE_DOCS=1 renews it");
    }
}

/// The page explains every kind of finding in its table.
#[test]
fn the_page_has_every_kind() {
    let (_, text) = page();
    let names: Vec<&&str> =
        FindingKind::NAMES.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(names.is_empty(), "docs/simulator.md does not name {names:?}");
}

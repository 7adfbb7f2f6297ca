//! The table of rules that kernels break without harm, in docs/simulator.md, is that of the
//! simulator.

use cute_sim::{FindingKind, RULES, Rule};
use std::{env, fs, path::Path};

const BEGIN: &str = "<!-- rules: UPDATE_DOCS=1 cargo test -p cute-sim --test rules -->\n";
const END: &str = "<!-- end of rules -->\n";

fn table() -> String {
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
fn the_page_has_the_table() {
    let (path, text) = page();
    let (before, rest) = text.split_once(BEGIN).expect("the page has the beginning of the table");
    let (found, after) = rest.split_once(END).expect("the page has the end of the table");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, [before, BEGIN, &table(), END, after].concat()).expect("the page is written");
        return;
    }
    assert_eq!(found, table(), "UPDATE_DOCS=1 renews it");
}

/// The page explains every kind of finding in its table.
#[test]
fn the_page_has_every_kind() {
    let (_, text) = page();
    let names: Vec<&&str> =
        FindingKind::NAMES.iter().filter(|name| !text.contains(&format!("`{name}`"))).collect();
    assert!(names.is_empty(), "docs/simulator.md does not name {names:?}");
}

//! The sources are written in plain English: no comment or message of a finished crate uses the
//! turns of phrase that a reader has to decode.

use std::{fs, path::Path};

use super::{root, sources};

/// The folders whose comments and messages are finished. The other crates can be added later.
const FINISHED: &[&str] = &[
    "crates/cute-algebra",
    "crates/cute-calc",
    "crates/cute-driver",
    "crates/cute-ffi",
    "crates/cute-fuzz",
    "crates/cute-host",
    "crates/cute-import",
    "crates/cute-jit",
    "crates/cute-output",
];

/// Noun clauses with which a comment must not begin.
const OPENINGS: &[&str] = &["What ", "Who ", "The same of ", "Of "];

/// Phrases that neither comments nor messages contain, each with its replacement.
const PHRASES: &[(&str, &str)] = &[
    (" is no ", "is not a"),
    (" are no ", "are not"),
    ("has not the ", "does not have the"),
    ("have not the ", "do not have the"),
    (" has not a ", "does not have a"),
    (" one an ", "one per"),
    (" one a line", "one per line"),
    (" so many ", "the number of"),
    ("; none if ", "; `None` if"),
    ("; none where ", "; `None` if"),
];

/// Uses of these phrases that are plain English.
const EXCEPTIONS: &[&str] =
    &["there is no ", "There is no ", "there are no ", "There are no ", " is no longer", " are no longer"];

/// The last column of a comment.
const COLUMNS: usize = 100;

/// The text of a line that consists of a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text).trim())
}

/// The faults of a file, one line of text each.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut begins, mut in_example) = (true, false);
    for (number, line) in text.lines().enumerate() {
        let mut fault = |what: String| found.push(format!("{name}:{}: {what}: {}", number + 1, line.trim()));
        let comment = comment(line);
        let is_example = in_example || comment.is_some_and(|text| text.starts_with("```"));
        if let Some(text) = comment {
            if let Some(opening) = OPENINGS.iter().find(|opening| begins && text.starts_with(**opening)) {
                fault(format!("a comment begins with {opening:?}"));
            }
            if line.chars().count() > COLUMNS && !is_example && !text.starts_with('|') && text.contains(' ') {
                fault(format!("a comment is wider than {COLUMNS} columns"));
            }
            in_example ^= text.starts_with("```");
        }
        begins = comment.is_none();
        let plain = EXCEPTIONS.iter().fold(line.to_string(), |line, exception| line.replace(exception, ""));
        for (phrase, better) in PHRASES.iter().filter(|(phrase, _)| plain.contains(phrase)) {
            fault(format!("write {better:?} instead of {:?}", phrase.trim()));
        }
    }
    found
}

#[test]
fn finished_crates_are_written_in_plain_english() {
    let mut found = Vec::new();
    for folder in FINISHED {
        let files = sources(&root().join(folder));
        assert!(!files.is_empty(), "{folder} has sources");
        for file in files {
            let name = file.strip_prefix(root()).unwrap_or(Path::new("")).to_string_lossy().into_owned();
            found.extend(faults(&name, &fs::read_to_string(&file).expect("a source")));
        }
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn faults_of_style_are_found() {
    let faults = |text: &str| faults("f", text).len();
    assert_eq!(faults("/// What the op makes.\nfn f() {}\n/// Who calls it."), 2);
    assert_eq!(faults("/// Returns the op.\n/// What follows is a detail."), 0);
    assert_eq!(faults("let why = \"4 is no shape\"; // there is no shape, and it is no longer needed"), 1);
    assert_eq!(faults("// There is one an op."), 1);
    assert_eq!(faults(&format!("// {}", "word ".repeat(20))), 1);
    assert_eq!(faults(&format!("/// ```\n/// {}\n/// ```", "word ".repeat(20))), 0);
}

//! The project is written in plain English: comments, messages, documents and TableGen descriptions
//! avoid turns of phrase that a reader has to decode.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{root, sources};

/// The folders whose comments and messages are checked.
const SOURCES: &[&str] = &["crates", "src", "build"];

/// The folders whose pages and descriptions are checked, with the extension of their files.
const PAGES: &[(&str, &str)] = &[("docs", "md"), ("td", "td")];

/// Noun clauses with which a comment or a heading must not begin.
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
    ("takes for granted", "assumes"),
    ("taken for granted", "assumed"),
    ("as it stands", "unchanged"),
    ("; none if ", "; `None` if"),
    ("; none where ", "; `None` if"),
];

/// Uses of these phrases that are plain English.
const EXCEPTIONS: &[&str] =
    &["there is no ", "There is no ", "there are no ", "There are no ", " is no longer", " are no longer"];

/// Words of kernels that comments and pages do not contain outside of code, each with the field's
/// word.
const WORDS: &[(&str, &str)] = &[
    ("tile of K", "K tile"),
    ("tiles of K", "K tiles, or tiles of keys"),
    ("sums in f32", "accumulators in f32"),
    ("sums in registers", "accumulators in registers"),
    ("sums in tensor memory", "accumulators in tensor memory"),
    ("the sums of a tile", "the accumulators of a tile"),
    ("the MMA's sums", "the MMA's accumulators"),
    ("sums of wgmma", "accumulators of wgmma"),
    ("the sums so far", "the accumulators so far"),
    ("starts products", "issues MMAs"),
    ("starts MMAs", "issues MMAs"),
    ("starts a product", "issues an MMA"),
    ("products of a stage", "MMAs of a stage"),
    ("products are over", "MMAs are complete"),
    ("products have been issued", "MMAs have been issued"),
    ("give back", "release, or free"),
    ("gives back", "releases, or frees"),
    ("given back", "released, or freed"),
    ("gave back", "released, or freed"),
    (" brings ", "loads"),
    ("Brings ", "Loads"),
    (" brought ", "loaded"),
    ("bringing", "loading"),
    ("speaker", "elected thread"),
    ("who speaks", "the elected thread"),
    ("turn of the loop", "iteration of the loop"),
    ("turns of the loop", "iterations of the loop"),
    ("turn of a pipeline", "iteration of a pipeline"),
];

/// The folders whose comments are checked for [`WORDS`], and the extensions of their files.
const COMMENTS: (&[&str], &[&str]) =
    (&["crates", "src", "build", "examples", "lit", "tests/sim", "dialect"], &["rs", "mlir", "h", "cpp"]);

/// The last column of a comment.
const COLUMNS: usize = 100;

/// The text of a line that consists of a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text).trim())
}

/// The phrases of a line that plain English avoids, each with its replacement.
fn phrases(line: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let plain = || EXCEPTIONS.iter().fold(line.to_string(), |line, exception| line.replace(exception, ""));
    let found = PHRASES.iter().filter(move |(phrase, _)| line.contains(phrase) && plain().contains(phrase));
    found.map(|(phrase, better)| (phrase.trim(), *better))
}

/// The words of a text outside of code that the field does not use, each with its replacement.
fn words(text: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let prose: String = format!(" {text} ").split('`').step_by(2).collect();
    WORDS.iter().filter(move |(word, _)| prose.contains(word)).map(|(word, better)| (word.trim(), *better))
}

/// The faults of the comments of a file.
fn faults_of_comments(name: &str, text: &str) -> Vec<String> {
    // Expected messages are those of the tools.
    let comments = (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, comment(line)?)));
    let own =
        comments.filter(|(_, text)| !["CHECK", "expected-", "says:"].iter().any(|part| text.contains(part)));
    let found = own.flat_map(|(number, text)| words(text).map(move |pair| (number, text, pair)));
    found
        .map(|(number, text, (word, better))| {
            format!("{name}:{number}: write {better:?} instead of {word:?}: {text}")
        })
        .collect()
}

/// Whether a comment of one line only repeats the name of the item below it: "The name." on
/// `name`.
fn repeats(comment: &str, item: &str) -> bool {
    let Some(("The" | "Its" | "Their" | "A" | "An" | "All" | "Every", rest)) = comment.split_once(' ') else {
        return matches!(comment, "Both." | "It." | "How." | "Others.");
    };
    rest.strip_suffix('.').is_some_and(|word| !word.contains(' ') && item.to_lowercase().contains(word))
}

/// The faults of a file, one line of text each.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut begins, mut in_example) = (true, false);
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
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
            let item = lines.peek().map_or("", |(_, next)| next);
            if begins && line.trim_start().starts_with("///") && repeats(text, item) {
                fault("a comment repeats the name of its item".to_string());
            }
        }
        begins = comment.is_none();
        phrases(line).for_each(|(phrase, better)| fault(format!("write {better:?} instead of {phrase:?}")));
    }
    found
}

/// The faults of a page or of TableGen descriptions, outside of code blocks.
fn faults_of_page(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        if in_code || is_fence || name.ends_with(".md") && line.starts_with("    ") {
            continue;
        }
        let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim_start());
        let opening = heading.and_then(|text| OPENINGS.iter().find(|opening| text.starts_with(**opening)));
        // A rule quotes an error as the tools print it.
        let is_rule = line.trim_start().starts_with("Rule<");
        let phrases = phrases(line).chain(words(line).filter(|_| !is_rule));
        let phrases = phrases.map(|(phrase, better)| format!("write {better:?} instead of {phrase:?}"));
        let faults =
            opening.map(|opening| format!("a heading begins with {opening:?}")).into_iter().chain(phrases);
        found.extend(faults.map(|what| format!("{name}:{}: {what}: {}", number + 1, line.trim())));
    }
    found
}

fn check(files: &[PathBuf], faults: fn(&str, &str) -> Vec<String>) {
    let faults = files.iter().flat_map(|file| {
        let name = file.strip_prefix(root()).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        faults(&name, &fs::read_to_string(file).expect("a file"))
    });
    let found: Vec<_> = faults.collect();
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

#[test]
fn sources_are_written_in_plain_english() {
    for folder in SOURCES {
        let files = sources(&root().join(folder));
        assert!(!files.is_empty(), "{folder} has sources");
        check(&files, faults);
    }
}

/// The files below a folder that have one of some extensions.
fn files_of(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let below = |path: PathBuf| match path.extension().and_then(|e| e.to_str()) {
        _ if path.is_dir() => files_of(&path, extensions),
        Some(extension) if extensions.contains(&extension) => vec![path],
        _ => Vec::new(),
    };
    entries.flat_map(below).collect()
}

#[test]
fn comments_use_the_words_of_the_field() {
    let (folders, extensions) = COMMENTS;
    for folder in folders {
        let files = files_of(&root().join(folder), extensions);
        assert!(!files.is_empty(), "{folder} has files");
        check(&files, faults_of_comments);
    }
}

#[test]
fn pages_are_written_in_plain_english() {
    for (folder, extension) in PAGES {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let files: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == *extension)).collect();
        assert!(!files.is_empty(), "{folder} has pages");
        check(&files, faults_of_page);
    }
    check(&["README.md", "CONTRIBUTING.md"].map(|page| root().join(page)), faults_of_page);
}

#[test]
fn faults_of_style_are_found() {
    let faults = |text: &str| faults("f", text).len();
    assert_eq!(faults("/// What the op makes.\nfn f() {}\n/// Who calls it."), 2);
    assert_eq!(faults("/// Returns the op.\n/// What follows is a detail."), 0);
    assert_eq!(faults("let why = \"4 is no shape\"; // there is no shape, and it is no longer needed"), 1);
    assert_eq!(faults("// There is one an op."), 1);
    assert_eq!(faults(&format!("// {}", "word ".repeat(20))), 1);
    let page = |text: &str| faults_of_page("page.md", text).len();
    assert_eq!(
        page("## What it does\n\nThere is one an op.\n\n```\n4 is no shape\n```\n\n    4 is no shape\n"),
        2
    );
    assert_eq!(faults(&format!("/// ```\n/// {}\n/// ```", "word ".repeat(20))), 0);
    let comments = |text: &str| faults_of_comments("f", text).len();
    assert_eq!(comments("// One warp brings each tile of K, with sums in f32.\nlet brings = 1;"), 3);
    assert_eq!(comments("// The sums of `sums in f32` are exact.\n// CHECK: it brings nothing"), 0);
    assert_eq!(page("A stage is given back.\n"), 1);
}

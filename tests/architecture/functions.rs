//! The length of functions: the lines from `fn` to the brace that closes it, by indentation.

use std::path::Path;

/// Lines that a function has at most.
const MOST: usize = 150;

/// The functions of a piece of formatted code that are too long, each with its lines.
fn long(code: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let begins = |line: &str| {
        let line = line.trim_start();
        let own =
            line.strip_prefix("pub(").and_then(|rest| rest.split_once(')')).map_or(line, |(_, own)| own);
        let head = own.split('(').next().unwrap_or_default();
        !line.starts_with("//") && head.split(' ').any(|word| word == "fn")
    };
    let starts = (0..lines.len()).filter(|at| begins(lines[*at]));
    let length = |start: usize| {
        if lines[start].ends_with('}') {
            return 1;
        }
        let indent = lines[start].len() - lines[start].trim_start().len();
        let own = &lines[start..];
        let is_end = |line: &&str| {
            let depth = line.len() - line.trim_start().len();
            depth == indent && (line.trim_start().starts_with('}') || line.ends_with(';'))
        };
        own.iter().position(is_end).map_or(1, |end| end + 1)
    };
    let name = |line: &str| {
        let after = line.split("fn ").nth(1).unwrap_or_default();
        after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()
    };
    let all = starts.map(|start| (name(lines[start]), length(start)));
    all.filter(|(_, lines)| *lines > MOST).collect()
}

/// The functions in the sources below a folder that are too long.
pub fn long_functions(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in super::sources(folder) {
        let at = file.strip_prefix(super::root()).unwrap_or(&file).display().to_string();
        let code = std::fs::read_to_string(&file).unwrap_or_default();
        let own = if at.contains("/src/") { long(&code) } else { Vec::new() };
        found.extend(own.into_iter().map(|(name, lines)| format!("{at}: {name} has {lines} lines")));
    }
    found
}

#[test]
fn lines_of_a_function_are_counted() {
    let body = "        go();\n".repeat(150);
    let one = format!(
        "impl A {{\n    /// An fn (\n    pub(crate) fn one<T>(\n        a: T,\n    ) -> T\n    {{\n{body}    }}\n\n    fn two() {{}}\n}}\n"
    );
    assert_eq!(long(&one), [("one".to_owned(), 155)]);
    assert!(long(&one.replacen("        go();\n", "", 5)).is_empty());
    assert!(long("trait A {\n    fn one(&self);\n}\n").is_empty());
}

//! Excerpts: blocks in which a document repeats lines of a file.
//!
//! An excerpt may leave out lines, and `..` stands for any text in a line. Spaces, comments and the
//! names of SSA values do not count, and an alias of a type is the type.

use std::collections::HashMap;

/// The first piece of the excerpt that does not follow the pieces before it in the file.
pub fn missing(excerpt: &str, file: &str, language: &str) -> Option<String> {
    let comment = if language == "toml" { "#" } else { "//" };
    let mut aliases = HashMap::new();
    if language == "mlir" {
        for text in [file, excerpt] {
            declared(&without_comments(text, comment), &mut aliases);
        }
    }
    let plain = |text: &str| match language {
        "mlir" => squeezed(&without_names(&expanded(text, &aliases))),
        _ => squeezed(text),
    };
    let file = plain(&without_comments(file, comment));
    let mut rest = file.as_str();
    for line in without_comments(excerpt, comment).lines() {
        for piece in line.split("..") {
            let piece = plain(piece);
            match rest.find(&piece) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return Some(line.trim().into()),
            }
        }
    }
    None
}

fn without_comments(text: &str, comment: &str) -> String {
    let code = |line: &str| {
        let at = line.match_indices(comment).map(|(at, _)| at);
        let at = at.into_iter().find(|at| line[..*at].is_empty() || line[..*at].ends_with(' '));
        format!("{}\n", &line[..at.unwrap_or(line.len())])
    };
    text.lines().map(code).collect()
}

/// The aliases `!name = type` of a text. A type may continue in lines that start with a space.
fn declared(text: &str, aliases: &mut HashMap<String, String>) {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((name, first)) = line.strip_prefix('!').and_then(|line| line.split_once(" = ")) else {
            continue;
        };
        let mut of = first.to_string();
        while let Some(more) = lines.next_if(|line| line.starts_with(' ')) {
            of.push_str(more);
        }
        let of = expanded(&of, aliases);
        aliases.insert(name.into(), of);
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn expanded(text: &str, aliases: &HashMap<String, String>) -> String {
    let mut pieces = text.split('!');
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (name, rest) = piece.split_at(piece.find(|c| !is_name(c)).unwrap_or(piece.len()));
        match aliases.get(name).filter(|_| !rest.starts_with('.')) {
            Some(of) => out.extend([of, rest]),
            None => out.extend(["!", piece]),
        }
    }
    out
}

fn without_names(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut out = pieces.next().unwrap_or_default().to_string();
    out.extend(pieces.flat_map(|piece| ["%", piece.trim_start_matches(is_name)]));
    out
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn an_excerpt_has_the_lines_of_its_file_in_order() {
    let file = "!f = f32 // an alias\n!two = tuple<!f,\n             !f>\n%a = \"x.y\"(%b) : (!two) -> !x.y // why\n  z()\n";
    let missing = |excerpt| missing(excerpt, file, "mlir");
    assert_eq!(missing("%1 = \"x.y\"(%2) : .. -> !x.y\nz() // then"), None);
    assert_eq!(missing("%1 = \"x.y\"(%2) : (tuple<f32, f32>) ->"), None);
    assert_eq!(missing("z()\n%1 = \"x.y\"").as_deref(), Some("%1 = \"x.y\""));
    assert_eq!(missing("w()").as_deref(), Some("w()"));
}

//! `cute.h` lists the options of a compilation as they are declared. `UPDATE_DOCS=1` updates it.

use std::{env, fs, path::Path};

use cute_driver::{
    Emit,
    options::{DeclaredOption, Options},
};

/// The columns of a comment.
const WIDTH: usize = 110;

/// The lines that describe an option.
fn described(option: &DeclaredOption) -> String {
    let values: Vec<_> = (option.values)().into_iter().map(|(name, _)| name).collect();
    let values = match values[..] {
        [one, other] => format!(": {one} or {other}"),
        _ => option.range.map_or_else(String::new, |(least, most)| format!(": {least} to {most}")),
    };
    let default = match (option.name, option.stated_default) {
        ("target", _) => ", such as sm_90a; required".into(),
        // The tools search for the file, and the library does not.
        ("libdevice", _) => " [default: none]".into(),
        (_, "") => format!(" [default: {}]", option.default),
        (_, stated) => format!(" [default: {stated}]"),
    };
    let mut lines = vec![format!("//   {:<15}", option.name)];
    for word in format!("{}{values}{default}", option.sentence).split(' ') {
        if lines.last().is_some_and(|line| line.len() + 1 + word.len() > WIDTH) {
            lines.push(format!("//   {:<15}", ""));
        }
        let last = lines.last_mut().expect("there is a line");
        *last += " ";
        *last += word;
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_header_lists_the_options_of_a_compilation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/cute.h");
    let header = fs::read_to_string(&path).expect("the header is there");
    let (before, rest) =
        header.split_once("// Options of a compilation:\n//\n").expect("the list has a title");
    let (list, after) = rest.split_once("//\n// Other options:\n").expect("other options follow");
    let expected: String = Options::ALL.iter().map(described).collect();
    if env::var_os("UPDATE_DOCS").is_some() {
        let made =
            format!("{before}// Options of a compilation:\n//\n{expected}//\n// Other options:\n{after}");
        fs::write(&path, made).expect("the header is written");
    } else {
        assert_eq!(list, expected, "run UPDATE_DOCS=1 cargo test -p cute-capi --test library header");
    }
}

#[test]
fn the_header_names_all_outputs() {
    let header = include_str!("../../include/cute.h");
    let (_, rest) = header.split_once("//   emit  ").expect("the option is described");
    let (sentence, _) = rest.split_once("//   domain ").expect("another option follows");
    let words: Vec<&str> = sentence.split([' ', ',', '\n']).collect();
    for emit in Emit::ALL {
        assert!(words.contains(&emit.name()), "cute.h does not say that option emit may be {}", emit.name());
    }
}

//! The library exports what the header declares, and nothing else.

use std::{collections::BTreeSet, env, fs};

use object::{Object, ObjectSymbol};

#[test]
fn the_library_exports_what_the_header_declares() {
    // target/debug/deps/library-1234, beside the library that cargo built for this test.
    let test = env::current_exe().unwrap();
    let library = fs::read(test.with_file_name("libcute.so")).unwrap();
    let library = object::File::parse(library.as_slice()).unwrap();
    let symbols = library.dynamic_symbols().filter(|s| s.is_definition());
    let exported: BTreeSet<String> = symbols.map(|s| s.name().unwrap().to_owned()).collect();

    let header = include_str!("../../include/cute.h");
    let code = header.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let declared = code.split('(').filter_map(|before| {
        let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        name.starts_with("cute_").then(|| name.to_owned())
    });
    assert_eq!(exported, declared.collect::<BTreeSet<_>>());
    assert!(exported.len() > 10, "{exported:?}");
}

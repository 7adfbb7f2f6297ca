//! `docs/ops.md` is generated from `td/`. `UPDATE_DOCS=1 cargo test --test reference` updates it.

use std::{env, fs, path::Path};

const HEAD: &str = "# Ops

Generated from `td/`. `*` marks any number of operands, `?` an operand or attribute that may be left out. Result types are
inferred unless marked as declared; a declared type may be a weakening of what is inferred. What each operation means, with
its equation and an example, stands in the documentation of the crate `cute-algebra`; each op has a test in `lit/`.
";

#[test]
fn the_reference_lists_every_op() {
    let made = format!("{HEAD}{}", include_str!(concat!(env!("OUT_DIR"), "/ops.md")));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ops.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).expect("docs/ops.md is written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "docs/ops.md is not what td/ says: run UPDATE_DOCS=1 cargo test --test reference");
}

#[test]
fn the_readme_names_every_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a file of the project");
    let (passes, readme) = (read("td/Passes.td"), read("README.md"));
    let names: Vec<_> =
        passes.split("Cute_Pass<\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("`{name}")), "README.md does not name {name}");
    }
}

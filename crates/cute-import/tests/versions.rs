//! The page of versions is that of the table, and every op of a published module is in it.
//! `UPDATE_DOCS=1 cargo test -p cute-import --test versions` updates the page.

use std::{env, fmt::Write, fs, path::Path};

use cute_dialect::{OTHER_ATOMS, OTHER_ATOMS_INSTEAD};
use cute_ffi::ops::{HostOp, OpKind};
use cute_import::table::{
    self, Source,
    known::{self, KNOWN},
    published::PUBLISHED,
    rows,
};
use melior::{Context, dialect::DialectRegistry, utility::register_all_dialects};

const HEAD: &str = "# Ops by version and producer

This page is generated from the table of the import (`crates/cute-import/src/table`). It says which ops the producers of cute IR write,
from which version of CuTe DSL on, and what becomes of them here. [Modules of CuTe DSL](dsl.md) explains how such modules are read,
[Ops](ops.md) describes the ops of `cute`, `cute_nvgpu` and `cuda`, and [Examples of CuTe DSL](dsl_examples.md) says which of its examples
use them.

A version is the first one that a public source shows with the op. Earlier versions may have it too, because the published modules are
examples. 4.3 is the first version whose modules are read. The column \"source\" has three words:

| source | how the spelling is known |
|---|---|
| published module | A module that somebody has published has the op. |
| description | Public documentation, or the public sources of the producer, describe it. |
| inferred | It follows from the public Python sources of CuTe DSL, and no published module has it. |

No module of 4.8 or 4.9 is public. By its release notes, 4.9 turns on the extension of CuTe DSL (`cute.experimental`). A kernel that is
written without it prints the ops of this page; one that uses it prints ops of `lir`, which are refused. No public text names a
variable that turns the extension off, so the error names the way that does not depend on one: write the kernel without it.
";

const REWRITTEN: &str = "
## Rewritten ops

These ops have another name or form in LLVM 22 or here. The import rewrites each to the ops in the last column, which are compiled and
simulated like all others of these names.

| op | written by | source | becomes |
|---|---|---|---|
";

const OURS: &str = "
## Ops of cute, cute_nvgpu and cuda

All ops of these dialects are read as they are. The version is that of the first published module with the op; a dash means that
no published module has it before any pass. `cutlass_compiler` has those of `cute` that compute layouts and tuples.

| op | published in |
|---|---|
";

const UPSTREAM: &str = "
## Ops of upstream

Ops of upstream's dialects in LLVM 22 are read as they are. Published modules have these:

| op | published in |
|---|---|
";

const REFUSED: &str = "
## Refused ops and atoms

An op whose name ends in a point stands for all that begin with it. Atoms are listed by their classes in Python, because no public
source shows how their types are written.

| op | written by | source | reason | instead |
|---|---|---|---|---|
";

/// `a` or `b`, for a list of names between which words may stand.
fn code(names: &str) -> String {
    let of_one =
        |name: &str| name.split(" or ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    names.split(", ").map(of_one).collect::<Vec<_>>().join(", ")
}

fn page() -> String {
    let mut page = format!("{HEAD}{REWRITTEN}");
    let mut listed: Vec<_> =
        rows().filter(|row| row.original() == row.name || row.name.starts_with(table::DRIFTED)).collect();
    listed.sort_by_key(|row| row.original());
    for row in listed {
        let becomes = if row.becomes.is_empty() { "its operand".into() } else { code(row.becomes) };
        let (op, origin) = (row.original(), row.origin);
        writeln!(page, "| `{op}` | {} | {} | {becomes} |", origin.versions(), origin.source.name()).unwrap();
    }
    let version = |name| table::published::first(name).map_or("-", |version| version.name());
    page += OURS;
    let mut ours: Vec<_> =
        OpKind::ALL.iter().map(|op| op.name()).chain(HostOp::ALL.iter().map(|op| op.name())).collect();
    ours.sort_unstable();
    for name in &ours {
        writeln!(page, "| `{name}` | {} |", version(name)).unwrap();
    }
    page += UPSTREAM;
    let upstream = PUBLISHED.iter().flat_map(|(_, ops)| *ops).copied();
    let mut upstream: Vec<_> =
        upstream.filter(|op| !ours.contains(op) && !known::has_row(op) && !known::is_known(op)).collect();
    upstream.sort_unstable();
    for name in upstream {
        writeln!(page, "| `{name}` | {} |", version(name)).unwrap();
    }
    page += REFUSED;
    for op in KNOWN {
        let (origin, why, instead) = (op.origin, op.why, op.instead);
        writeln!(
            page,
            "| `{}` | {} | {} | {why} | {instead} |",
            op.name,
            origin.versions(),
            origin.source.name()
        )
        .unwrap();
    }
    for atoms in OTHER_ATOMS {
        for class in atoms.classes {
            let why = format!("the type of the atom, for {}, is not known", atoms.purpose);
            let source = Source::Inferred.name();
            writeln!(
                page,
                "| `{class}` | CuTe DSL 4.7 and later | {source} | {why} | {OTHER_ATOMS_INSTEAD} |"
            )
            .unwrap();
        }
    }
    page
}

#[test]
fn the_page_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/versions.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("the page is written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/versions.md differs: run UPDATE_DOCS=1 cargo test -p cute-import --test versions"
    );
}

/// A context with the dialects of upstream and ours.
fn loaded() -> Context {
    let (context, registry) = (Context::new(), DialectRegistry::new());
    register_all_dialects(&registry);
    cute_dialect::register_dialects(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

#[test]
fn every_op_of_a_published_module_is_read_or_refused_with_a_reason() {
    let context = loaded();
    let (mut read, mut rewritten) = (0, 0);
    for op in PUBLISHED.iter().flat_map(|(_, ops)| *ops) {
        let row = known::has_row(op);
        let is_ours = OpKind::from_name(op).is_some() || HostOp::from_name(op).is_some();
        assert!(row || is_ours || known::is_known(op) || context.is_registered_operation(op), "{op}");
        assert!(table::since(op).is_some(), "{op}");
        rewritten += usize::from(row);
        read += usize::from(!row);
    }
    assert!(read > 150 && rewritten > 30, "{read} {rewritten}");
}

#[test]
fn rows_become_ops_of_today() {
    let context = loaded();
    for row in rows() {
        let names = row.becomes.split(", ").flat_map(|names| names.split(" or "));
        for name in names.filter(|name| !name.is_empty()) {
            assert!(context.is_registered_operation(name), "{}: {name}", row.name);
        }
        let of_dsl = row.origin.producers.contains(&table::Producer::CuteDsl);
        assert_eq!(row.origin.since.is_some(), of_dsl, "{}", row.name);
        let first = table::published::first(&row.original());
        if let (Some(since), Some(first), Source::Module) = (row.origin.since, first, row.origin.source) {
            assert!(first <= since, "{}", row.name);
        }
    }
}

//! The page of versions is that of the table, and every op of a published module is in it.
//! `UPDATE_DOCS=1 cargo test -p cute-import --test versions` updates the page.

use std::{env, fmt::Write, fs, path::Path};

use cute_dialect::OTHER_ATOMS;
use cute_ffi::{
    ops::{HostOp, OpKind},
    types::Kind,
};
use cute_import::table::{
    self, Custom, EXTENSION_VARIABLE, Producer, Source, Version,
    atoms::{self, Uncompiled},
    forms::FORMS,
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
| inferred | No published module has it, so the spelling [may be wrong](legal.md#inferred-forms). |

An op that is read is also compiled and simulated, except for [atoms that are not compiled](#atoms-that-are-not-compiled) and for what
the simulator [does not model](simulator.md#not-modelled).
";

const PRODUCERS: &str = "
## Producers

| producer | modules |
|---|---|
";

const VERSIONS: &str = "
Helion and Inductor write Python of CuTe DSL. Their modules are those of CuTe DSL, and have no ops of their own.

## Versions of CuTe DSL

| version | public | here |
|---|---|---|
";

const EXTENSION: &str = "
4.8 has a second compiler, that of its extension (`cute.experimental`, also called `cute_ext`), for kernels without the extension as well.
By the release notes of 4.8, `VARIABLE=1` chooses it, and a later version will choose it by itself.
`VARIABLE=0` keeps the compiler whose ops are on this page. Ops of the extension, those of `lir`, are
refused.
";

const REWRITTEN: &str = "
## Rewritten ops

These ops have another name or form in LLVM 22 or here. The import rewrites each to the ops in the last column, which are compiled and
simulated like all others of these names.

| op | written by | source | differs in | becomes |
|---|---|---|---|---|
";

const OTHER_FORMS: &str = "
## Forms by version

All forms of these ops are read, those of this table and those in [Ops](ops.md).

| op | written by | source | form |
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

const UNCOMPILED: &str = "
## Atoms that are not compiled

Kernels with these types of `cute_nvgpu` are read, verified and printed. Lowering refuses them.

| type | reason | instead |
|---|---|---|
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
    let words = names.split(' ').map(|word| match word.trim_end_matches(',') {
        "and" | "or" => word.to_owned(),
        name => format!("`{name}`{}", &word[name.len()..]),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The difference of a row, whose rewrite may change the name.
fn difference(custom: Custom, renamed: bool) -> &'static str {
    match custom {
        Custom::Coordinates => "iterators, which are int_tuples",
        Custom::Inferred => "a weaker result type",
        Custom::After { .. } => "properties after the operands",
        Custom::Barrier => "names of operands",
        Custom::Marked { .. } => "attributes",
        _ if renamed => "name",
        _ => "attributes",
    }
}

fn page() -> String {
    let mut page = format!("{HEAD}{PRODUCERS}");
    for producer in Producer::ALL {
        writeln!(page, "| {producer} | {} |", producer.modules()).unwrap();
    }
    page += VERSIONS;
    for version in Version::ALL {
        writeln!(page, "| {version} | {} | {} |", version.public(), version.here()).unwrap();
    }
    page += &EXTENSION.replace("VARIABLE", EXTENSION_VARIABLE);
    page += REWRITTEN;
    let mut listed: Vec<_> =
        rows().filter(|row| row.original() == row.name || row.name.starts_with(table::DRIFTED)).collect();
    listed.sort_by_key(|row| row.original());
    for row in listed {
        let becomes = if row.becomes.is_empty() { "its operand".into() } else { code(row.becomes) };
        let (op, origin) = (row.original(), row.origin);
        let differs = difference(row.custom, row.becomes != op);
        let (versions, source) = (origin.versions(), origin.source.name());
        writeln!(page, "| `{op}` | {versions} | {source} | {differs} | {becomes} |").unwrap();
    }
    page += OTHER_FORMS;
    for form in FORMS {
        let (ops, origin) = (code(&form.ops.join(", ")), form.origin);
        writeln!(page, "| {ops} | {} | {} | {} |", origin.versions(), origin.source.name(), form.text)
            .unwrap();
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
    page += UNCOMPILED;
    for Uncompiled { types, why, instead } in atoms::UNCOMPILED {
        writeln!(page, "| {} | {why} | {instead} |", code(&types.join(", "))).unwrap();
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
            let (source, instead) = (Source::Inferred.name(), atoms.instead);
            writeln!(page, "| `{class}` | CuTe DSL 4.7 and later | {source} | {why} | {instead} |").unwrap();
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
fn uncompiled_atoms_are_types_of_ours() {
    for name in atoms::UNCOMPILED.iter().flat_map(|some| some.types) {
        assert!(Kind::ALL.iter().any(|kind| kind.name() == format!("cute_nvgpu.{name}")), "{name}");
    }
}

#[test]
fn the_error_for_the_extension_names_its_variable() {
    let error = known::unknown(&loaded(), "lir.create_pipeline");
    assert!(error.contains(&format!("{EXTENSION_VARIABLE}=0")), "{error}");
}

#[test]
fn forms_are_of_ops_that_are_read() {
    for op in FORMS.iter().flat_map(|form| form.ops) {
        let is_ours = OpKind::from_name(op).is_some() || HostOp::from_name(op).is_some();
        assert!(is_ours || known::has_row(op), "{op}");
    }
}

#[test]
fn rows_become_ops_of_today() {
    let context = loaded();
    for row in rows() {
        let names = row
            .becomes
            .split(", ")
            .flat_map(|names| names.split(" or "))
            .flat_map(|names| names.split(" and "));
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

#[test]
fn the_origin_of_an_op_is_that_of_its_first_version() {
    let since = |op| table::since(op).map(Version::name);
    for (op, version) in [
        ("cute.get_iter", "4.3"),
        ("cute.tuple_add", "4.4"),
        ("cute_nvgpu.arch.alloc_smem", "4.5"),
        ("cute_nvgpu.atom.set_value", "4.3"),
        ("cute.kernel_smem_size", "4.5"),
        ("cute.derefine", "4.6"),
        ("cute_nvgpu.make_tmem_layout_sfa", "4.7"),
        ("nvvm.tensormap.replace", "4.7"),
        ("cute.atom", "before 4.3"),
    ] {
        assert_eq!(since(op), Some(version), "{op}");
    }
    let of_rust = table::origin("cute_nvgpu.arch.copy.SM100.tma_load").unwrap();
    assert_eq!((of_rust.since, of_rust.producers), (None, &[Producer::CuteRs][..]));
    assert_eq!(table::since("cute.sizes"), None);
}

/// The first names in code of a cell.
fn names(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_page_of_examples_agrees_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/dsl_examples.md");
    let text = fs::read_to_string(&path).expect("the page is there");
    let context = loaded();
    let classes: Vec<&str> = OTHER_ATOMS.iter().flat_map(|atoms| atoms.classes).copied().collect();
    let is_refused = |name: &str| known::is_known(name) || classes.contains(&name);
    let is_read = |name: &str| {
        let is_ours = OpKind::from_name(name).is_some() || HostOp::from_name(name).is_some();
        let is_type = Kind::ALL.iter().any(|kind| kind.name().strip_prefix("cute_nvgpu.") == Some(name));
        is_ours || is_type || known::has_row(name) || context.is_registered_operation(name)
    };
    let cells =
        text.lines().filter(|line| line.starts_with("| ")).map(|line| line.split(" | ").collect::<Vec<_>>());
    let rows: Vec<_> =
        cells.filter(|cells| !cells[0].starts_with("| file") && !cells[0].starts_with("| feature")).collect();
    let (files, features): (Vec<_>, Vec<_>) = rows.into_iter().partition(|cells| cells[0].starts_with("| `"));
    let ops: Vec<&str> = features.iter().flat_map(|cells| names(cells[1])).collect();
    for op in &ops {
        assert!(is_read(op) != is_refused(op), "{op}: renew docs/dsl_examples.md");
    }
    for cells in &files {
        for op in names(cells[2]) {
            assert!(is_refused(op) && ops.contains(&op), "{op}: renew docs/dsl_examples.md");
        }
    }
    let free = files.iter().filter(|cells| names(cells[2]).is_empty()).count();
    assert!(
        text.contains(&format!("Of the {} files", files.len())) && text.contains(&format!("{free} have"))
    );
    assert!(files.len() > 90 && free >= 85, "{free} of {}", files.len());
}

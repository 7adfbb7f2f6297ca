//! The reference pages are generated from `td/`, whose examples parse and whose errors occur.
//! `UPDATE_DOCS=1 cargo test --test reference` updates the pages.

use std::{env, fs, path::Path};

use cute_mlir::{
    dialect::{
        atom::MmaKind,
        types::{State, value_of},
    },
    ffi::types::Kind,
};
use melior::{
    Context,
    ir::{Attribute, Type},
};
use serde_json::Value;

const OPS: &str = r#"# Ops

This page is generated from `td/`, and a test parses and verifies each example. If an example uses a value that it does not define, the
list below the example states the kind of that value. [Types](types.md) describes the types.

In a line of syntax, `%name` is an operand, `T` the type of an operand, `R` the type of a result, `(T, ..)` the types of all operands,
and `(..)?` may be left out. Before the last colon, an op may also have a dictionary of further attributes, `{name = value}`. In the
lists, `*` marks any number of operands, and `?` an operand or attribute that may be left out.

Most ops whose result types are inferred read the types of their operands with or without parentheses, `: (T, T)` or `: T, T`, and print
the form that their syntax shows. Modules of CuTe DSL contain both forms. Ops without results, and ops whose result types are declared,
read only the form of their syntax.

Types of results that are **inferred** may be left out of the text. If they are written, they may be weaker than the inferred ones: the
structure, the widths and the static leaves are the same, and a divisor divides the inferred one. The types are always printed. Types
of results that are **declared** must be written, because the operands do not determine them. A parser stops at an op whose types it
cannot infer. In IR that parses, one run reports the errors of all ops of a function.

Every op can report the following errors. The tables list further ones; `..` stands for any text. The [id](rules.md) of a rule in an
entry is the name of the op, a dot and the words in its first column: `get-leaves.one-result-per-leaf`.

| id | rule | error | way out |
|---|---|---|---|
| `op-operand-kind` | An operand is of the kind that its list states. | `operand #0 must be .., but got ..` | Make or convert the value; the ops `cute.to_..` convert tuples. |
| `op-result-type` | A written result type is the inferred one, or weaker. | `result #0: declared .. is not a weakening of ..: ..` | Leave the type out, or correct the leaf that the message names. |
| `op-overflow` | Static integers fit 64 bits. | `.. does not fit 64 bits` | Choose smaller extents, or make one dynamic. |
| `op-attribute` | `cute.domain` is `"strict"` (the default) or `"extend"`. | `attribute 'cute.domain' must be "strict" or "extend"` | Write one of them. It is an attribute of any op around the ops that it is for. |
"#;

const TYPES: &str = r#"# Types and attributes

This page is generated from `td/`, and a test parses and prints each example. [Ops](ops.md) describes the ops, and
[Layouts](layouts.md) what shapes, strides and tiles mean.

Most types of `cute` have a text in quotes, which is written as CuTe prints the value. What the text leaves open, `?`, is a value at
run time; everything else is known to the compiler. An error points at the column inside of the text. In the tables, `..` stands for
any text. The [id](rules.md) of a rule is `type-` or `attribute-`, the name, a dot and the words in the first column, as in
`type-layout.shape-stride-same-structure`.
"#;

/// The entries of a page, as the build script writes them.
fn entries(json: &str) -> Vec<Value> {
    let entries: Vec<Value> = serde_json::from_str(json).expect("the build script writes JSON");
    assert!(entries.len() > 60, "the entries were generated");
    entries
}

fn ops() -> Vec<Value> {
    entries(include_str!(concat!(env!("OUT_DIR"), "/ops.json")))
}

fn types() -> Vec<Value> {
    entries(include_str!(concat!(env!("OUT_DIR"), "/types.json")))
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().expect("a text")
}

fn context() -> Context {
    let context = Context::new();
    cute_mlir::load(&context);
    context
}

fn check_page(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, made).expect("the page is written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "docs/{name} differs from td/: run UPDATE_DOCS=1 cargo test --test reference");
}

#[test]
fn the_page_of_ops_is_generated() {
    check_page("ops.md", &format!("{OPS}{}", include_str!(concat!(env!("OUT_DIR"), "/ops.md"))));
}

#[test]
fn the_page_of_types_is_generated() {
    check_page("types.md", &format!("{TYPES}{}", include_str!(concat!(env!("OUT_DIR"), "/types.md"))));
}

#[test]
fn every_type_and_attribute_is_documented_with_an_example() {
    let context = context();
    let entries = types();
    for entry in &entries {
        let example = format!("{}{}", text(entry, "name"), text(entry, "example"));
        let printed = match example.starts_with('!') {
            true => Type::parse(&context, &example).map(|t| t.to_string()),
            false => Attribute::parse(&context, &example).map(|a| a.to_string()),
        };
        assert_eq!(printed.as_deref(), Some(example.as_str()));
    }
    for kind in Kind::ALL {
        let name = format!("!{}", kind.name());
        assert!(entries.iter().any(|entry| text(entry, "name") == name), "{name} is not documented");
    }
}

fn fields(entry: &Value) -> Vec<&str> {
    entry["fields"].as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn atoms_with_sparse_matrices_are_marked_as_not_compiled() {
    let page = include_str!(concat!(env!("OUT_DIR"), "/types.md"));
    let entries = page.split("\n### `!cute_nvgpu.").skip(1);
    let mut marked = 0;
    for entry in entries.filter(|entry| entry.contains("| `MxNxK` |")) {
        let is_special =
            ["| `md_format = tid` |", "| `sparse_metadata_format = tid` |"].map(|part| entry.contains(part));
        let is_marked = entry.contains("but not compiled yet.");
        assert_eq!(is_special.contains(&true), is_marked, "{entry}");
        marked += usize::from(is_marked);
    }
    assert_eq!(marked, 3);
}

#[test]
fn the_fields_of_state_are_those_that_atoms_have() {
    let context = context();
    let entries = types();
    let state = |text: &str| State::of(&value_of(Type::parse(&context, text)?));
    let states: Vec<_> = entries
        .iter()
        .filter_map(|entry| {
            let example = format!("{}{}", text(entry, "name"), text(entry, "example"));
            // A field that the type asks for.
            let masked = example.strip_suffix('>').map(|body| format!("{body}, disable_output_lane = true>"));
            masked.and_then(|masked| state(&masked)).or_else(|| state(&example))
        })
        .collect();
    let attributes = entries.iter().filter(|entry| text(entry, "name").contains("_field_"));
    let mut checked = 0;
    for attribute in attributes {
        let name = text(attribute, "name").trim_start_matches("#cute_nvgpu.");
        let state = states.iter().find(|state| state.attribute == name);
        let state = state.unwrap_or_else(|| panic!("no documented atom has the state {name}"));
        let names: Vec<_> = state.fields.iter().map(|field| field.name).collect();
        assert_eq!(fields(attribute), names, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 15);
}

#[test]
fn the_fields_of_mma_atoms_are_documented() {
    let entries = types();
    for kind in MmaKind::ALL {
        let name = format!("!{}", kind.kind().name());
        let entry = entries.iter().find(|entry| text(entry, "name") == name).expect("a documented type");
        for keyword in kind.fields().iter().filter_map(|field| field.keyword()) {
            let found = fields(entry).iter().any(|field| field.split(' ').next() == Some(keyword));
            assert!(found, "{name} does not document {keyword}");
        }
    }
}

/// The names of values in a text.
fn values(text: &str) -> impl Iterator<Item = &str> {
    text.split('%').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// The values that IR uses and does not define.
fn free(ir: &str) -> Vec<&str> {
    let definitions = ir.lines().filter(|line| line.trim_start().starts_with('%'));
    let defined: Vec<_> =
        definitions.filter_map(|line| line.split_once(" = ")).flat_map(|(left, _)| values(left)).collect();
    let mut free: Vec<&str> = Vec::new();
    for used in values(ir).filter(|used| !defined.contains(used)) {
        if !free.contains(&used) {
            free.push(used);
        }
    }
    free
}

/// The IR of an example in a function whose parameters are the values that it does not define. The
/// types of these are those with which MLIR says that they are used.
fn in_function(context: &Context, ir: &str) -> Result<String, String> {
    if ["func.func", "module", "gpu.module"].iter().any(|whole| ir.starts_with(whole)) {
        return cute_mlir::parse(context, ir)
            .map(|module| module.as_operation().to_string())
            .map_err(|e| e.to_string());
    }
    let mut parameters: Vec<(&str, String)> =
        free(ir).into_iter().map(|name| (name, "none".into())).collect();
    loop {
        let list: Vec<_> = parameters.iter().map(|(name, t)| format!("%{name}: {t}")).collect();
        let why = match cute_mlir::parse(
            context,
            &format!("func.func @example({}) {{\n{ir}\nreturn\n}}", list.join(", ")),
        ) {
            Ok(module) => return Ok(module.as_operation().to_string()),
            Err(why) => why.to_string(),
        };
        let wanted = why
            .split_once("use of value '%")
            .and_then(|(_, rest)| rest.split_once("' expects different type than prior uses: '"));
        let wanted = wanted.and_then(|(name, rest)| Some((name, rest.split_once("' vs 'none'")?.0)));
        let Some((name, t)) = wanted else { return Err(why) };
        let Some((_, own)) = parameters.iter_mut().find(|(own, _)| *own == name) else { return Err(why) };
        *own = t.into();
    }
}

#[test]
fn every_op_has_an_example_that_is_valid() {
    let context = context();
    let mut wrong = Vec::new();
    for op in ops() {
        let (name, ir) = (text(&op, "name"), text(&op, "example"));
        // The terminator of kernels is written without its dialect.
        let own = if name == "cuda.return" { "return" } else { name };
        match in_function(&context, ir) {
            _ if !ir.contains(own) => wrong.push(format!("{name}: its example does not contain it")),
            Err(why) => wrong.push(format!("{name}: {why}")),
            Ok(printed) if printed.contains(own) => {}
            Ok(_) => wrong.push(format!("{name}: its example does not print it")),
        }
        if text(&op, "syntax").is_empty() && name != "cuda.kernel" {
            wrong.push(format!("{name}: it has no syntax"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The example of an op whose inferred types are left out; `None` if they are not written at the end.
fn shortened(ir: &str) -> Option<&str> {
    let mut depth = 0;
    let mut arrow = None;
    for (at, c) in ir.char_indices() {
        match c {
            '-' if depth == 0 && ir[at..].starts_with("->") => arrow = Some(at),
            '(' | '<' | '[' | '{' => depth += 1,
            '>' if ir[..at].ends_with('-') => {}
            ')' | '>' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    Some(ir[..arrow?].trim_end())
}

#[test]
fn inferred_types_may_be_left_out() {
    let context = context();
    let mut checked = 0;
    for op in ops().iter().filter(|op| op["inferred"] == true) {
        let ir = text(op, "example");
        let Some(short) = shortened(ir) else { continue };
        let printed =
            |ir| in_function(&context, ir).unwrap_or_else(|why| panic!("{}: {why}", text(op, "name")));
        assert_eq!(printed(short), printed(ir), "{}", text(op, "name"));
        checked += 1;
    }
    assert!(checked > 70, "{checked} examples have result types");
}

/// The messages that files of `lit/` expect, one per line.
fn expected() -> Vec<String> {
    let lit = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit");
    let folders = fs::read_dir(lit).expect("lit/").filter_map(|e| fs::read_dir(e.ok()?.path()).ok());
    let files = folders.flatten().filter_map(|e| Some(e.ok()?.path()));
    let files = files.filter(|p| p.to_string_lossy().ends_with("-invalid.mlir"));
    let is_error = |line: &&str| line.contains("expected-error") || line.contains("error:");
    let errors = files.flat_map(|file| {
        let text = fs::read_to_string(file).expect("a lit file");
        text.lines().filter(is_error).map(String::from).collect::<Vec<_>>()
    });
    errors.collect()
}

/// Whether a line contains a text in which `..` stands for anything.
fn contains(line: &str, pattern: &str) -> bool {
    let mut rest = line;
    pattern.split("..").map(str::trim).all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[test]
fn the_errors_of_the_reference_occur() {
    let expected = expected();
    assert!(expected.len() > 500, "the errors of lit/ were read");
    let mut unknown = Vec::new();
    for entry in ops().into_iter().chain(types()) {
        for error in entry["errors"].as_array().expect("a list").iter().filter_map(Value::as_str) {
            if !expected.iter().any(|line| contains(line, error)) {
                unknown.push(format!("{}: {error}", text(&entry, "name")));
            }
        }
    }
    assert!(unknown.is_empty(), "no file of lit/ expects these errors:\n{}", unknown.join("\n"));
}

/// Errors that any op can report, which the head of the page describes.
const COMMON: &[&str] = &[
    "operand #",
    "is not a weakening of",
    "result #",
    "invalid kind of type specified",
    "does not fit 64 bits",
    "expected '",
    "expected 1",
    "to bind",
];

#[test]
fn an_op_with_errors_of_its_own_documents_some() {
    let lit = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit");
    let mut lacking = Vec::new();
    for op in ops().iter().filter(|op| op["errors"].as_array().is_some_and(Vec::is_empty)) {
        let name = text(op, "name");
        let (_, short) = name.split_once('.').expect("a dialect");
        let folders = fs::read_dir(&lit).expect("lit/").filter_map(|e| Some(e.ok()?.path()));
        let files = folders.map(|folder| folder.join(format!("{short}-invalid.mlir"))).filter(|f| f.exists());
        for file in files {
            let text = fs::read_to_string(file).expect("a lit file");
            let errors = text.lines().filter(|line| line.contains("expected-error"));
            let own = errors.filter(|line| !COMMON.iter().any(|common| line.contains(common)));
            lacking.extend(own.map(|line| format!("{name}: {}", line.trim())));
        }
    }
    assert!(lacking.is_empty(), "these ops document no error:\n{}", lacking.join("\n"));
}

#[test]
fn the_page_of_tools_names_every_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a file of the project");
    let (passes, tools) = (read("td/Passes.td"), read("docs/tools.md"));
    let names: Vec<_> =
        passes.split("Cute_Pass<\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(tools.contains(&format!("`{name}")), "docs/tools.md does not name {name}");
    }
}

#[test]
fn the_page_of_the_architecture_has_the_passes_in_order() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let ours = |name: &&str| name.starts_with("cute-") || name.starts_with("cuda-");
    let section = page.split("## How a kernel flows").nth(1).expect("the section is there");
    let lines = section.lines().skip(1).skip_while(|line| !line.starts_with("    "));
    let block = lines.take_while(|line| line.starts_with("    "));
    let stated: Vec<_> = block.filter_map(|line| line.split_whitespace().next()).filter(ours).collect();
    let pipeline = cute_mlir::pipeline("sm_90a");
    let mut passes: Vec<_> = pipeline.split(['(', ')', '{', '}', ',']).filter(ours).collect();
    // `cute-lower-math` runs twice.
    let mut seen = std::collections::HashSet::new();
    passes.retain(|name| seen.insert(*name));
    assert!(passes.len() > 10, "{pipeline}");
    assert_eq!(stated, passes);
}

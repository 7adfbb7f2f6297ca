//! Checks the dependencies and the "must not know" column of `docs/architecture.md`: between crates
//! through `cargo metadata`, between modules through their `use` paths, and in the sources through
//! the words in them.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

#[path = "architecture/circles.rs"]
mod circles;
#[path = "architecture/functions.rs"]
mod functions;
#[path = "common/messages.rs"]
mod messages;
#[path = "architecture/names.rs"]
mod names;
#[path = "common/prose.rs"]
mod prose;

/// The rule that a phrase of the column states for the crate in its row.
enum Rule {
    /// The crate does not depend on these, not even through others.
    Without(&'static [&'static str]),
    /// The word does not occur in its code.
    NoWord(&'static str),
    /// Its code uses nothing of the standard library that fails without an operating system. These
    /// files may use threads, because they go on without any.
    NoSystem(&'static [&'static str]),
    /// Only a reader can check it.
    Read,
}

const RULES: &[(&str, Rule)] = &[
    ("MLIR", Rule::Without(&["melior", "mlir-sys", "cute-ffi"])),
    ("GPUs", Rule::Without(&["cute-arch"])),
    ("`unsafe`", Rule::NoWord("unsafe {")),
    ("layouts", Rule::Without(&["cute-algebra"])),
    ("what a type or op means", Rule::Without(&["cute-dialect"])),
    ("cute IR", Rule::Without(&["cute-dialect"])),
    ("how ops are lowered", Rule::Without(&["cute-lower"])),
    ("what ops of ours mean", Rule::NoWord("cute_dialect::ops")),
    ("how code is generated", Rule::Without(&["cute-lower", "cute-ffi"])),
    ("printing", Rule::NoWord("println!")),
    ("the command line", Rule::Without(&["clap"])),
    ("the operating system", Rule::NoSystem(&[])),
    ("the operating system except for threads", Rule::NoSystem(&["src/machine/workers.rs"])),
    ("the meaning of an op (`cute-dialect` defines it)", Rule::Read),
    ("what a pass does", Rule::Read),
    ("how a layout is computed", Rule::Read),
    ("what is written", Rule::Read),
    ("what an input means", Rule::Without(&["cute-algebra", "cute-ffi"])),
    ("the steps of a compilation", Rule::Read),
];

/// Modules and types of the standard library that compile for WebAssembly and fail when it runs.
const SYSTEM: &[&str] = &["fs::", "process::", "net::", "env::", "thread::", "Instant::", "SystemTime::"];

/// The places where `unsafe` is allowed, as the page lists them.
const UNSAFE: &[&str] = &[
    "crates/cute-capi/",
    "crates/cute-cuda/",
    "crates/cute-fenv/",
    "crates/cute-ffi/",
    "crates/cute-jit/",
    "crates/cute-python/src/arrays.rs",
    "crates/cute-tools/src/run/gpu.rs",
    "crates/cute-dialect/src/types/stored.rs",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there")
}

/// The crates of the workspace: the folder of each, and its dependencies outside of tests.
fn crates() -> BTreeMap<String, (PathBuf, BTreeSet<String>)> {
    let mut cargo = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let packages = list(&metadata["packages"]);
    assert!(packages.len() > 10, "the workspace has all its crates");
    packages
        .iter()
        .map(|package| {
            let folder =
                Path::new(&text(&package["manifest_path"])).parent().expect("a folder").to_path_buf();
            let dependencies = list(&package["dependencies"]);
            let kept = dependencies.iter().filter(|d| d["kind"].is_null()).map(|d| text(&d["name"]));
            (text(&package["name"]), (folder, kept.collect()))
        })
        .collect()
}

/// The block of the page that follows a line ending in `intro`: its lines, without indentation.
fn block(intro: &str) -> Vec<String> {
    let page = page();
    let mut lines = page.lines().skip_while(|line| !line.ends_with(intro)).skip(1);
    let block: Vec<_> = lines
        .by_ref()
        .skip_while(|line| line.is_empty())
        .take_while(|line| line.starts_with("    "))
        .map(|line| line.trim().to_string())
        .collect();
    assert!(!block.is_empty(), "docs/architecture.md has a block after {intro:?}");
    block
}

/// The files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|e| e == "rs") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// The code of a file, without comments and up to its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source");
    let before_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
    let bare = before_tests.lines().map(|line| line.split("//").next().unwrap_or_default());
    bare.collect::<Vec<_>>().join("\n")
}

#[test]
fn crates_depend_on_what_the_page_says() {
    let (lines, crates) = (block("Dependencies point one way:"), crates());
    let mut above = BTreeSet::new();
    for line in &lines {
        let (name, on) = line.split_once(": ").unwrap_or((line, ""));
        let stated: BTreeSet<_> = on.split(", ").filter(|d| !d.is_empty()).map(String::from).collect();
        let (_, depends) =
            &crates.get(name).unwrap_or_else(|| panic!("the page names {name}, cargo does not"));
        let found: BTreeSet<_> = depends.iter().filter(|d| crates.contains_key(*d)).cloned().collect();
        assert_eq!(found, stated, "what {name} depends on is not what docs/architecture.md says");
        assert!(stated.is_subset(&above), "{name} depends on a crate below it in docs/architecture.md");
        above.insert(name.to_string());
    }
    let all: BTreeSet<_> = crates.into_keys().collect();
    assert_eq!(above, all, "docs/architecture.md has a line for each crate");
}

#[test]
fn nobody_knows_what_the_page_forbids() {
    let crates = crates();
    let mut checked = 0;
    for row in page().lines().filter(|line| line.starts_with("| `crates/")) {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let [_, place, _, forbidden, _] = cells[..] else { panic!("{row}") };
        let name = place.trim_matches('`').trim_start_matches("crates/");
        let (folder, _) = &crates[name];
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut left = vec![name];
        while let Some(next) = left.pop() {
            let depends = crates.get(next).into_iter().flat_map(|(_, depends)| depends);
            left.extend(depends.map(String::as_str).filter(|d| known.insert(d)));
        }
        for phrase in forbidden.split(&[',', ';']).map(str::trim).filter(|phrase| !phrase.is_empty()) {
            let rule = RULES.iter().find(|(text, _)| *text == phrase);
            let (_, rule) =
                rule.unwrap_or_else(|| panic!("{name} must not know {phrase:?}: add a rule here"));
            let word = |word: &str, except: &[&str]| {
                for file in sources(&folder.join("src")) {
                    let at = file.strip_prefix(folder).expect("below it").to_string_lossy().into_owned();
                    let exempt = at.ends_with("/tests.rs") || except.iter().any(|e| at.starts_with(e));
                    assert!(exempt || !code(&file).contains(word), "{name} must not know {phrase}: {at}");
                }
            };
            match rule {
                Rule::Without(names) => names.iter().for_each(|other| {
                    assert!(!known.contains(other), "{name} must not know {phrase}, and depends on {other}");
                }),
                Rule::NoWord(text) => word(text, &[]),
                Rule::NoSystem(threads) => {
                    SYSTEM
                        .iter()
                        .for_each(|item| word(item, if *item == "thread::" { threads } else { &[] }));
                }
                Rule::Read => {}
            }
            checked += 1;
        }
    }
    assert!(checked > 12, "the table of rooms was read");
}

/// `./dev wasm` compiles exactly the crates that must not know the operating system.
#[test]
fn crates_without_a_system_are_compiled_for_webassembly() {
    let versions = fs::read_to_string(root().join("build/dev/versions.py")).expect("the lists are there");
    let list = versions.split_once("\nWASM_CRATES = \"\"\"").and_then(|(_, rest)| rest.split_once("\"\"\""));
    let (list, _) = list.expect("a list of the crates");
    let compiled: BTreeSet<String> = list.split_whitespace().map(String::from).collect();
    let page = page();
    let row = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let is_one = cells.get(3).is_some_and(|forbidden| forbidden.contains("the operating system"));
        let name = cells.get(1).and_then(|cell| cell.trim_matches('`').strip_prefix("crates/"));
        name.filter(|_| is_one).map(String::from)
    };
    let forbidden: BTreeSet<String> = page.lines().filter_map(row).collect();
    assert_eq!(compiled, forbidden, "`WASM_CRATES` in build/dev is not what docs/architecture.md says");
}

/// Methods that take a fact out of a text.
const READS: &[&str] = &[
    ".contains(",
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".split_once(",
    ".parse(",
];

/// A printed attribute, or a question about a printed value; texts of messages are allowed.
fn reads_printed(statement: &str) -> bool {
    let printed = |(at, text): (usize, &str)| {
        let (before, after) = (&statement[..at], &statement[at + text.len()..]);
        let is_attribute = [".attribute(", "dictionary_get("].iter().any(|get| before.contains(get));
        let is_asked = READS.iter().any(|read| after.starts_with(read)) || after.starts_with(" ==");
        !before.ends_with('"') && (is_attribute || is_asked)
    };
    statement.match_indices(".to_string()").any(printed)
}

#[test]
fn no_fact_comes_from_printed_ir() {
    assert!(reads_printed(r#"let kind = op.attribute("kind").map(|kind| kind.to_string())"#));
    assert!(reads_printed(r#"ir::type_of(value).to_string().contains("f16")"#));
    assert!(!reads_printed(r#"return Err(format!("found {}", ir::type_of(value).to_string()))"#));
    let mut read = 0;
    for (folder, _) in crates().into_values().filter(|(_, depends)| depends.contains("melior")) {
        read += 1;
        for file in sources(&folder.join("src")).into_iter().filter(|file| !file.ends_with("tests.rs")) {
            let code = code(&file);
            let found = code.split([';', '{', '}']).find(|statement| reads_printed(statement));
            assert!(found.is_none(), "{} reads printed IR: {}", file.display(), found.unwrap_or_default());
        }
    }
    assert!(read > 8, "the crates that know MLIR were read");
}

/// Methods that take a text apart.
const TAKES_APART: &[&str] = &[
    ".split(",
    ".rsplit(",
    ".splitn(",
    ".rsplitn(",
    ".split_once(",
    ".rsplit_once(",
    ".match_indices(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".trim_start_matches(",
    ".trim_end_matches(",
    ".find(",
    ".rfind(",
    ".parse(",
];

/// Whether a statement keeps a place of the source as text, or takes the text of one apart.
fn reads_place(statement: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let asks = |(at, name): (usize, &str)| {
        let (before, after) = (&statement[..at], &statement[at + name.len()..]);
        if before.ends_with(is_name) || before.ends_with('"') {
            return false;
        }
        // `location: Option<&'a str>` and the like.
        if let Some(ty) = after.strip_prefix(": ") {
            let ty = ty.split([',', ')', '\n', '=']).next().unwrap_or_default();
            let mut words = ty.split(|c: char| !is_name(c));
            return words.any(|word| matches!(word, "str" | "String"));
        }
        let after = after.trim_start().strip_prefix(".to_string()").unwrap_or(after).trim_start();
        TAKES_APART.iter().any(|read| after.starts_with(read))
    };
    statement.match_indices("location").any(asks)
}

/// Places are data from the reader of a program to the reports: `cute_machine::place`.
#[test]
fn no_place_is_read_from_its_text() {
    for wrong in [
        "let (file, line) = location.split_once(':')?",
        "let line = site.location.to_string().rsplit(':')",
        "let own = finding.location\n    .rsplit_once(\" (\")",
        "pub location: String,",
        "location: Arc<str>",
        "fn line(&self, location: &str) -> Option<u32>",
    ] {
        assert!(reads_place(wrong), "{wrong}");
    }
    for right in ["pub location: SourcePlace,", "let line = location.line_in(file)", "relocation.split(':')"]
    {
        assert!(!reads_place(right), "{right}");
    }
    // The object of Python has the text beside the place.
    let shown = ["crates/cute-python/src/finding.rs"];
    let mut read = 0;
    for file in sources(&root().join("crates")).into_iter().chain(sources(&root().join("src"))) {
        let at = file.strip_prefix(root()).expect("below it").to_string_lossy().into_owned();
        if !at.split('/').any(|part| part == "src")
            || at.ends_with("tests.rs")
            || shown.contains(&at.as_str())
        {
            continue;
        }
        read += 1;
        let code = code(&file);
        let found = code.split([';', '{', '}']).find(|statement| reads_place(statement));
        assert!(found.is_none(), "{at} has a place as text: {}", found.unwrap_or_default());
    }
    assert!(read > 500, "{read} sources were read");
}

/// The errors of readers and of the dialect are data, so that each leads to its rule.
#[test]
fn errors_of_readers_are_data() {
    let mut found = Vec::new();
    for name in ["cute-decode", "cute-assembler", "cute-dialect"] {
        let all = sources(&root().join("crates").join(name).join("src"));
        assert!(all.len() > 20, "the sources of {name} were read");
        for file in all {
            found.extend(fails_by_text(&code(&file)).map(|line| format!("{}: {line}", file.display())));
        }
    }
    assert!(found.is_empty(), "these errors are texts, but must be enums:\n{}", found.join("\n"));
    let texts = "fn f() -> Result<Vec<u8>, String> {\nfn g() -> Result<String, Error> {\ntype Err = String;\nResult<Option<String>>";
    assert_eq!(fails_by_text(texts).count(), 2);
}

/// The lines with a `Result` whose error is a `String`.
fn fails_by_text(code: &str) -> impl Iterator<Item = &str> {
    let is_text = |line: &&str| {
        let results = line.split("Result<").skip(1).any(|rest| error_of(rest) == Some("String"));
        results || line.trim() == "type Err = String;"
    };
    code.lines().filter(is_text)
}

/// The second parameter of a `Result<`, if it has one.
fn error_of(parameters: &str) -> Option<&str> {
    let mut depth = 0;
    let mut begin = None;
    for (at, c) in parameters.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if depth == 0 => return begin.map(|begin: usize| parameters[begin..at].trim()),
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => begin = Some(at + 1),
            _ => {}
        }
    }
    None
}

#[test]
fn a_public_type_has_its_name_for_itself() {
    let folders = crates().into_iter().map(|(name, (folder, _))| (name, folder)).collect();
    let shared = names::shared(&folders);
    for (name, homes) in &shared {
        let crates = homes.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        assert!(
            names::SHARED.contains(&name.as_str()),
            "{name} is a public type of {crates}: rename one of them, or make it `pub(crate)`"
        );
    }
    for name in names::SHARED {
        assert!(shared.contains_key(*name), "{name} has one home now: take it off the list");
    }
}

#[test]
fn unsafe_code_stands_where_the_page_says() {
    let files = ["crates", "src"].iter().flat_map(|folder| sources(&root().join(folder)));
    for file in files.filter(|file| file.components().any(|c| c.as_os_str() == "src")) {
        let at = file.strip_prefix(root()).expect("below it").to_string_lossy().into_owned();
        let allowed = UNSAFE.iter().any(|place| at.starts_with(place));
        let found =
            ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"].iter().any(|w| code(&file).contains(w));
        assert!(allowed || !found, "{at} has unsafe code");
    }
}

/// The top-level modules of a crate that a piece of code names through `crate::` paths. A file of a
/// family of instructions is a module of its own.
fn named(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut first = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => first = true,
                c if first && c.is_alphabetic() => {
                    found.insert(word(&group[i..]));
                    first = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn modules_of_the_dialect_depend_on_earlier_ones() {
    let order = block("each depends on earlier ones alone:").join(" ");
    let order: Vec<&str> = order.split_whitespace().collect();
    let src = root().join("crates/cute-dialect/src");
    let mut seen = BTreeSet::new();
    for file in sources(&src) {
        let at = file.strip_prefix(&src).expect("below it");
        let module = at.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let module = module.trim_end_matches(".rs").to_string();
        if module == "lib" {
            continue;
        }
        let place = order.iter().position(|m| *m == module);
        let place =
            place.unwrap_or_else(|| panic!("docs/architecture.md does not place the module {module}"));
        for other in named(&code(&file)).iter().filter(|other| **other != module) {
            let Some(below) = order.iter().position(|m| m == other) else { continue };
            assert!(below < place, "{} names crate::{other}, which comes later", at.display());
        }
        seen.insert(module);
    }
    assert_eq!(seen.len(), order.len(), "docs/architecture.md places modules that are not there");
}

/// No circle is there that the table does not name, and the table names none that is not there.
#[test]
fn only_modules_that_the_page_names_depend_on_each_other() {
    let page = page();
    let rows = page.lines().skip_while(|line| !line.starts_with("| crate | folder | modules |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|row| {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let modules: BTreeSet<_> = cells[3].split_whitespace().map(String::from).collect();
        (cells[1].clone(), cells[2].clone(), modules)
    });
    let allowed: BTreeSet<_> = rows.collect();
    assert!(allowed.len() > 2, "the table of circles was read");
    let mut found = BTreeSet::new();
    for (name, (folder, _)) in crates() {
        for (inside, arrows) in circles::Crate::read(&folder.join("src")).arrows() {
            found.extend(
                circles::circles(&arrows).into_iter().map(|group| (name.clone(), inside.clone(), group)),
            );
        }
    }
    let row = |(name, folder, group): &(String, String, BTreeSet<String>)| {
        let modules: Vec<_> = group.iter().map(String::as_str).collect();
        format!("| `{name}` | {folder} | {} |", modules.join(" "))
    };
    let list = |circles: BTreeSet<_>| circles.iter().map(row).collect::<Vec<_>>().join("\n");
    let (new, gone) = (&found - &allowed, &allowed - &found);
    assert!(new.is_empty(), "docs/architecture.md does not name these circles:\n{}", list(new));
    assert!(gone.is_empty(), "docs/architecture.md names circles that are not there:\n{}", list(gone));
}

/// The types that a piece of code declares.
fn declared(code: &str) -> BTreeSet<String> {
    let kinds = ["pub struct ", "pub enum ", "pub type "];
    let names = code.lines().filter_map(|line| kinds.iter().find_map(|kind| line.strip_prefix(kind)));
    names.map(word).collect()
}

/// Whether a piece of code imports a type, or names a field or a variant of it. Variants of other
/// types may have its name.
fn reads_type(code: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let is_variant = |before: &str| {
        let owner = before.strip_suffix("::").and_then(|path| path.rsplit(|c| !is_name(c)).next());
        owner.is_some_and(|owner| owner.starts_with(char::is_uppercase))
    };
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let is_whole = !before.ends_with(is_name) && !after.starts_with(is_name);
        let statement = before.rsplit(';').next().unwrap_or_default().trim_start();
        let is_imported = statement.starts_with("use ") || before.ends_with("program::");
        let is_opened = after.starts_with("::") || after.starts_with(" {");
        is_whole && !is_variant(before) && (is_imported || is_opened)
    })
}

#[test]
fn functions_fit_on_two_screens() {
    let folders = ["crates", "src"].map(|folder| root().join(folder));
    let long: Vec<String> = folders.iter().flat_map(|folder| functions::long_functions(folder)).collect();
    assert!(long.is_empty(), "functions have at most 150 lines:\n{}", long.join("\n"));
}

#[test]
fn an_instruction_is_of_a_family() {
    let families = root().join("crates/cute-sim/src").join(circles::FAMILIES);
    let types: BTreeSet<String> = sources(&families)
        .into_iter()
        .filter(|file| file.ends_with("op.rs"))
        .flat_map(|file| declared(&code(&file)))
        .collect();
    let program = code(&root().join("crates/cute-sim/src/program/op.rs"));
    let (_, body) = program.split_once("pub enum Op {\n").expect("the instructions");
    let variants = body.lines().take_while(|line| *line != "}").filter_map(|line| line.strip_prefix("    "));
    let mut known = 0;
    for variant in variants.filter(|line| line.starts_with(char::is_uppercase)) {
        let of = variant.split_once('(').map(|(_, ty)| word(ty.strip_prefix("Box<").unwrap_or(ty)));
        assert!(of.is_some_and(|ty| types.contains(&ty)), "{variant} is of no family");
        known += 1;
    }
    assert!(known > 8, "the instructions were read");
}

/// The families of the instructions into which readers take others apart.
const COMMON: [&str; 4] = ["control", "memory", "scalar", "system"];

/// Code without the variants that it declares, which may have the names of types.
fn without_variants(code: &str) -> String {
    let mut left = String::new();
    let mut rest = code;
    while let Some((before, after)) = rest.split_once("enum ") {
        left.push_str(before);
        rest = after.split_once("\n}").map_or("", |(_, behind)| behind);
    }
    left + rest
}

/// An operation is read by the folder of its family, and outside of the simulator by the readers
/// that make it and by the proofs, which follow programs with other values.
#[test]
fn fields_of_an_operation_are_read_by_its_family() {
    assert!(reads_type("matches!(copy.moves, BulkMove::Load { .. })", "BulkMove"));
    assert!(reads_type("let x = 1;\nuse crate::program::{Op, Blocking};", "Blocking"));
    assert!(!reads_type("pub use crate::families::bulk::op::{Bulk, BulkMove};", "BulkMove"));
    assert!(!reads_type("    Bulk(BulkOp),\n", "BulkOp") && !reads_type("Op::Bulk(op)", "Bulk"));
    assert!(!reads_type("kind == StreamKind::Blocking && Task::Bulk { .. }", "Blocking"));
    let elsewhere = [
        "crates/cute-assembler/src/meaning/",
        "crates/cute-assembler/src/text/wgmma.rs",
        "crates/cute-prove/src/execute/",
    ];
    let families = root().join("crates/cute-sim/src").join(circles::FAMILIES);
    let mut known = 0;
    for op in sources(&families).into_iter().filter(|file| file.ends_with("op.rs")) {
        let family = op.parent().expect("a folder");
        let name = family.file_name().expect("a name").to_string_lossy().into_owned();
        let types = declared(&code(&op));
        assert!(!types.is_empty(), "{name} has operations");
        known += 1;
        for file in sources(&root().join("crates")).into_iter().filter(|file| !file.starts_with(family)) {
            let at = file.strip_prefix(root()).expect("below it").to_string_lossy().into_owned();
            let makes = ["crates/cute-assembler/src/", "crates/cute-decode/src/"];
            let is_maker = COMMON.contains(&name.as_str()) && makes.iter().any(|place| at.starts_with(place));
            if !at.contains("/src/") || is_maker || elsewhere.iter().any(|place| at.starts_with(place)) {
                continue;
            }
            let code = without_variants(&code(&file));
            // Others may have types of these names.
            if at.contains("/program/") || code.contains("program::") || code.contains("families::") {
                let read = types.iter().find(|ty| reads_type(&code, ty));
                assert!(read.is_none(), "{at} reads {read:?} of the family {name}");
            }
        }
    }
    assert!(known > 0, "the families were read");
}

//! The compiler's commands in the documents print what the documents say. Those of the calculator
//! are its own test's.

#[path = "common/built.rs"]
mod built;
#[path = "../../../tests/common/documents.rs"]
mod documents;

use std::{
    fs,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use documents::{Step, caption, documents, follow, root, steps};

/// Whether a step can be taken here; the others need what a machine may lack, or change this one.
fn possible(step: &Step) -> bool {
    let Step::Run { command, .. } = step else { return true };
    let needs_gpu = command.contains("--gpu");
    let needs_ptxas = command.contains("--emit cubin") && cute_driver::ptxas::find().is_err();
    let needs_nvdisasm = command.contains("cutec gate")
        && (cute_driver::ptxas::find().is_err() || cute_driver::sass::find().is_err());
    !(needs_gpu || needs_ptxas || needs_nvdisasm || step.runs("./dev") || step.runs("cute-calc"))
}

#[test]
fn the_documents_show_what_the_tools_print() {
    let documents = documents();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut count, mut wrong) = (0, Vec::new());
        while let Some(document) = documents.get(next.fetch_add(1, Ordering::Relaxed)) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = built::place(&root(), folder.path());
            let steps: Vec<_> = steps(document).into_iter().filter(possible).collect();
            count += steps.len();
            wrong.extend(follow(document, &steps, folder.path(), &path));
        }
        (count, wrong)
    };
    let done: Vec<_> = thread::scope(|scope| {
        let started = [(); 2].map(|()| scope.spawn(work));
        started.map(|thread| thread.join().expect("no panic")).into()
    });
    let count: usize = done.iter().map(|(count, _)| count).sum();
    let wrong: Vec<String> = done.into_iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count >= 12, "{count} commands");
}

/// The pages that are generated from `td/`.
const REFERENCE: &[&str] = &["docs/ops.md", "docs/types.md"];

/// The others run: commands and files in [`steps`], Rust as doc tests of `cute-placement`, Python
/// in the tests of `cute-python`, and SQL by `./dev traces`.
#[test]
fn every_block_of_code_runs() {
    let doc_tests = fs::read_to_string(root().join("crates/cute-placement/src/lib.rs")).expect("a file");
    let python =
        fs::read_to_string(root().join("crates/cute-python/tests/test_documents.py")).expect("a file");
    let traces = fs::read_to_string(root().join("crates/cute-report/tests/traces.py")).expect("a file");
    let (mut count, mut wrong) = (0, Vec::new());
    for document in documents() {
        let name = document.strip_prefix(root()).expect("a document").display().to_string();
        let text = fs::read_to_string(&document).expect("a document");
        let (mut inside, mut before) = (false, "");
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(language) = line.strip_prefix("```") {
                inside = !inside;
                let marked = caption(before, Some(line)).is_some() || before.starts_with("<!-- from: ");
                let runs = match language {
                    _ if !inside || marked => true,
                    "rust" => doc_tests.contains(&format!("\"../{name}\"")),
                    // Examples of the reference, which tests/reference.rs parses and verifies.
                    "mlir" => REFERENCE.contains(&name.as_str()),
                    // Python runs in the tests of the package.
                    "python" => python.contains(&format!("\"{name}\"")),
                    "sql" => traces.contains(&format!("\"{}\"", name.trim_start_matches("docs/"))),
                    // Repairs, which tests/findings.rs makes.
                    "diff" => name.starts_with("docs/findings/"),
                    // Commands, and notation.
                    "console" | "text" => true,
                    _ => false,
                };
                count += usize::from(inside);
                if !runs {
                    wrong.push(format!("{name}:{number}: say of which file this is, or is an excerpt"));
                }
            }
            before = line;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 20, "{count} blocks");
}

#[test]
fn the_manual_names_all_outputs() {
    let page = fs::read_to_string(root().join("docs/tools.md")).expect("the page");
    let rows = page.lines().filter(|line| line.starts_with("| `--emit ")).collect::<String>();
    for emit in cute_driver::Emit::ALL {
        let named = [format!("`--emit {}`", emit.name()), format!("`{}`", emit.name())];
        assert!(named.iter().any(|name| rows.contains(name)), "no row of docs/tools.md has {}", emit.name());
    }
}

/// A module without the comment before it.
fn body(text: &str) -> &str {
    text.split_once("\n\n!").expect("types behind the comment").1
}

/// `cutec build KERNEL --emit cute`, as the first lines of an example say.
#[test]
fn examples_are_what_the_command_in_them_writes() {
    let files = |folder| fs::read_dir(root().join(folder)).expect("the examples");
    let mut count = 0;
    for path in
        files("examples").chain(files("examples/blackwell")).map(|entry| entry.expect("a file").path())
    {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let Some((_, rest)) = text.split_once("// Written by `cutec ") else { continue };
        let (arguments, _) = rest.split_once('`').expect("the end of the command");
        let output = Command::new(env!("CARGO_BIN_EXE_cutec")).args(arguments.split(' ')).output();
        let output = output.expect("a run");
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(
            body(&String::from_utf8(output.stdout).expect("text")) == body(&text),
            "{} is not what `cutec {arguments}` writes",
            path.display()
        );
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn usage_names_the_command() {
    for command in ["build", "run"] {
        let output = Command::new(env!("CARGO_BIN_EXE_cutec")).args([command, "--help"]).output();
        let help = String::from_utf8(output.expect("a run").stdout).expect("text");
        assert!(help.contains(&format!("\nUsage: cutec {command} ")), "{help}");
    }
}

//! The calculator's commands in the documents print the output that the documents show.

#[path = "../../../tests/common/documents.rs"]
mod documents;

use documents::{Step, documents, follow, steps};

#[test]
fn the_documents_show_what_the_calculator_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("docs/pictures")).expect("a folder for the pictures");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_cute-calc")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let (mut count, mut wrong) = (0, Vec::new());
    for document in documents() {
        let mut steps = steps(&document);
        steps.retain(|step: &Step| step.runs("cute-calc") || matches!(step, Step::File { .. }));
        count += steps.iter().filter(|step| step.runs("cute-calc")).count();
        wrong.extend(follow(&document, &steps, folder.path(), &path));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count >= 10, "{count} commands");
}

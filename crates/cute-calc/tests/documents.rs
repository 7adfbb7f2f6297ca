//! The calculator's commands in the documents print the output that the documents show.

#[path = "../../../tests/common/documents.rs"]
mod documents;

use std::{
    fs,
    path::{Path, PathBuf},
};

use documents::{Step, documents, follow, root, steps};

/// The anchors of the headings of a page, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("a page");
    let outside = text.split("\n```").step_by(2).flat_map(str::lines);
    let headings =
        outside.filter_map(|line| Some(line.strip_prefix('#')?.trim_start_matches('#').trim_start()));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    headings
        .map(|text| text.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

/// The targets of the links of a page. Code has none: `smem_ptr[16b](unset)`.
fn links(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).expect("a page");
    let own = |target: &str| !target.starts_with("http") && !target.contains(char::is_whitespace);
    let mut links = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("    ")) {
        for (at, _) in line.match_indices("](") {
            let is_code = line[..at].matches('`').count() % 2 == 1;
            let target = line[at + 2..].split_once(')').map(|(target, _)| target);
            links.extend(target.filter(|target| own(target) && !is_code).map(str::to_string));
        }
    }
    links
}

#[test]
fn links_lead_to_files_and_headings() {
    let (mut count, mut wrong) = (0, Vec::new());
    for page in documents() {
        // The links of a generated page follow from its entries, whose headings may occur twice.
        let is_generated = |page: &Path| page.ends_with("docs/ops.md") || page.ends_with("docs/types.md");
        for link in links(&page).into_iter().filter(|_| !is_generated(&page)) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target: PathBuf = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let is_there = match anchor {
                "" => target.exists(),
                anchor => target.is_file() && anchors(&target).iter().any(|own| own == anchor),
            };
            if !is_there {
                wrong.push(format!("{}: {link}", page.display()));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
    assert!(count >= 100, "{count} links");
}

#[test]
fn the_readme_leads_to_every_page() {
    let readme = fs::read_to_string(root().join("README.md")).expect("a page");
    let simulator = fs::read_to_string(root().join("docs/simulator.md")).expect("a page");
    for page in documents().iter().filter(|page| !page.ends_with("README.md")) {
        let name = page.file_name().expect("a name").to_string_lossy();
        // The table of findings leads to their pages.
        let (from, text, link) = match page.parent().is_some_and(|folder| folder.ends_with("findings")) {
            true => ("docs/simulator.md", &simulator, format!("(findings/{name})")),
            false => ("README.md", &readme, format!("(docs/{name})")),
        };
        assert!(text.contains(&link), "{from} does not link to {name}");
    }
    assert!(readme.lines().count() <= 165, "README.md is an introduction");
}

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

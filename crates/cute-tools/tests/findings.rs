//! Each kind of finding has a page, whose kernel has that finding, and whose repair removes it.

use std::{fs, path::Path, process::Command};

/// A page of docs/findings.
struct Page {
    /// The kinds that its title names.
    kinds: Vec<String>,
    text: String,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings")
}

fn pages() -> Vec<Page> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("a page");
        let title = text.lines().next().expect("a title").trim_start_matches("# ");
        Page { kinds: title.split(", ").map(|kind| kind.replace('`', "")).collect(), text }
    };
    fs::read_dir(folder()).expect("the pages").map(read).collect()
}

impl Page {
    /// The fenced block of this language.
    fn block(&self, language: &str) -> Option<String> {
        let (_, rest) = self.text.split_once(&format!("\n```{language}\n"))?;
        Some(rest.split_once("\n```").expect("the end of the block").0.to_owned() + "\n")
    }

    /// The arguments of `cutec run FILE`.
    fn arguments(&self) -> &str {
        let (_, line) = self.text.split_once("$ cutec run ").expect("a command");
        line.split_once('\n').expect("a line").0.split_once(' ').expect("arguments").1
    }

    /// The kinds of the findings of this kernel.
    fn found(&self, ptx: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("kernel.ptx"), ptx).expect("a kernel");
        let command = format!("$CUTEC run kernel.ptx {} --report json", self.arguments());
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &command]).current_dir(folder.path());
        let done = shell.env("CUTEC", env!("CARGO_BIN_EXE_cutec")).output().expect("a shell");
        let text = String::from_utf8(done.stdout).expect("text");
        let report: serde_json::Value = serde_json::from_str(&text)
            .unwrap_or_else(|e| panic!("{command}: {e}: {text}{}", String::from_utf8_lossy(&done.stderr)));
        let findings = report["findings"].as_array().expect("findings").iter();
        findings.map(|finding| finding["kind"]["kind"].as_str().expect("a kind").to_owned()).collect()
    }
}

/// Applies a unified difference, whose hunks are in the order of the lines.
fn patched(text: &str, difference: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text.lines());
    for hunk in difference.split("@@ -").skip(1) {
        let (place, lines) = hunk.split_once(" @@\n").expect("the lines of a hunk");
        let first = place.split([',', ' ']).next().and_then(|n| n.parse::<usize>().ok()).expect("a line");
        let taken = text.lines().count() - rest.clone().count();
        out.extend(rest.by_ref().take(first - 1 - taken));
        for line in lines.lines() {
            let (sign, line) = line.split_at(1);
            if sign != "+" {
                assert_eq!(rest.next(), Some(line), "the difference is of other lines");
            }
            if sign != "-" {
                out.push(line);
            }
        }
    }
    out.extend(rest);
    out.join("\n") + "\n"
}

#[test]
fn each_kind_has_a_page() {
    let pages = pages();
    for kinds in cute_sim::KINDS {
        let path = folder().join(kinds.names[0]).with_extension("md");
        assert!(path.is_file(), "docs/findings/{}.md is missing", kinds.names[0]);
        let is_it = |page: &&Page| page.kinds == kinds.names;
        assert_eq!(pages.iter().filter(is_it).count(), 1, "one page has the title of {:?}", kinds.names);
    }
    assert_eq!(pages.len(), cute_sim::KINDS.len());
}

#[test]
fn each_page_shows_its_finding_and_repairs_it() {
    let mut repaired = 0;
    for page in pages() {
        let Some(ptx) = page.block("ptx") else { continue };
        let of_page = |kind: &String| page.kinds.contains(kind);
        let found = page.found(&ptx);
        assert!(found.iter().any(of_page), "{:?}: {found:?}", page.kinds);
        if let Some(difference) = page.block("diff") {
            let left = page.found(&patched(&ptx, &difference));
            assert!(left.is_empty(), "{:?}, repaired: {left:?}", page.kinds);
            repaired += 1;
        }
    }
    assert_eq!(repaired, cute_sim::KINDS.len() - 2, "all but unmodelled and coordinate");
}

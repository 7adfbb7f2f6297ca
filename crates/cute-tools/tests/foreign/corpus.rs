//! Launches of public kernels: `tests/foreign/corpus` has their PTX, as nvcc and Triton made it, by
//! repository. They have no finding but those listed, and compute what their references do.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use serde::Deserialize;
use serde_json::Value;

use super::case::differ;

/// As many as the audit promises to run everywhere.
const LEAST: usize = 80;

/// A launch.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Launch {
    file: String,
    what: String,
    kernel: String,
    /// The grid, the block and so on, as `cutec run` takes them.
    options: Vec<String>,
    arguments: Vec<String>,
    /// Files with the arrays after the launch.
    expected: BTreeMap<String, String>,
    /// An element may differ by this, relative to the larger of 1 and its expected value.
    tolerance: f64,
    /// Grade and kind of each kind of finding.
    findings: BTreeSet<String>,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign/corpus")
}

/// The folders of repositories, each with its launches.
fn repositories() -> Vec<(PathBuf, Vec<Launch>)> {
    let entries = fs::read_dir(corpus()).expect("the corpus");
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let read = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("launches.json")).expect("launches");
        let launches =
            serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
        (folder, launches)
    };
    folders.into_iter().map(read).collect()
}

impl Launch {
    /// Runs it as `cutec run` does by default, but for sums of tensor cores: references have exact
    /// ones.
    fn check(&self, folder: &Path) -> Result<(), String> {
        let out = tempfile::tempdir().map_err(|why| why.to_string())?;
        let mut run = Command::new(env!("CARGO_BIN_EXE_cutec"));
        run.current_dir(folder).args(["run", &self.file, "--report", "json", "--kernel", &self.kernel]);
        run.args(&self.options).args(&self.arguments).args(["--keep-arrays", "--sums", "plain"]);
        for name in self.expected.keys() {
            run.arg("--out").arg(format!("{name}={}", out.path().join(name).display()));
        }
        let output = run.output().map_err(|why| why.to_string())?;
        let report = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_str(&report).map_err(|_| format!("{errors}{report}"))?;
        let findings = report["findings"].as_array().ok_or_else(|| errors.to_string())?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let found = findings.iter().map(|f| format!("{} {}", text(&f["grade"]), text(&f["kind"]["kind"])));
        let found: BTreeSet<_> = found.collect();
        if found != self.findings {
            return Err(format!("found {found:?}, not {:?}\n{:#}", self.findings, report["findings"]));
        }
        self.expected.iter().try_for_each(|(name, file)| {
            let given = self.arguments.iter().map(String::as_str);
            differ(given, name, (&folder.join(file), &out.path().join(name)), self.tolerance)
        })
    }
}

#[test]
fn public_kernels_compute_what_their_references_do_without_other_findings() {
    let repositories = repositories();
    let cases: Vec<_> = repositories
        .iter()
        .flat_map(|(folder, own)| own.iter().map(move |launch| (folder, launch)))
        .collect();
    assert!(cases.len() >= LEAST, "{} launches", cases.len());
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some((folder, launch)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = launch.check(folder) {
                        let (file, what) = (folder.join(&launch.file), &launch.what);
                        wrong.lock().expect("no panic").push(format!("{} ({what}): {why}", file.display()));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {} launches are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn each_repository_has_its_licence_and_no_other_files() {
    for (folder, launches) in repositories() {
        assert!(folder.join("LICENSE").exists(), "{}", folder.display());
        let mut known: BTreeSet<String> = ["launches.json", "data"].map(str::to_owned).into();
        known.extend(launches.iter().map(|launch| launch.file.clone()));
        for entry in fs::read_dir(&folder).expect("a folder") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(known.contains(&name) || name.starts_with("LICENSE"), "{} has {name}", folder.display());
        }
        for launch in &launches {
            let text = fs::read_to_string(folder.join(&launch.file)).expect("PTX");
            assert!(text.contains(&format!(".entry {}", launch.kernel)), "{}", launch.file);
        }
    }
}

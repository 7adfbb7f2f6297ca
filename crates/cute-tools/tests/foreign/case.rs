//! A launch of a file, as `tests/foreign/cases.py` describes it, and its comparison with the
//! expected arrays.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use cute_launch::argument::{self, Spec};
use cute_tools::run::npy;
use serde::Deserialize;
use serde_json::Value;

/// The folder with the files: that of the repository, or one that `./dev` wrote.
pub fn folder() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign");
    env::var_os("CUTE_FOREIGN").map_or_else(own, PathBuf::from)
}

/// A launch of one kernel.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The PTX, from the folder on.
    pub file: String,
    /// The kernel, if the file has several.
    kernel: Option<String>,
    grid: String,
    block: Option<String>,
    cluster: Option<String>,
    #[serde(default)]
    shared: u32,
    arguments: Vec<String>,
    #[serde(default)]
    arrays: Vec<String>,
    /// Files with the arrays after the launch.
    expected: BTreeMap<String, String>,
    /// An element may differ by this, relative to the larger of 1 and its expected value.
    tolerance: f64,
    /// The text that the kernel prints.
    prints: Option<String>,
    /// The mistake of a broken kernel.
    finds: Option<Found>,
}

/// A finding.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    kind: String,
    /// The line of the source: `cuda/broken.cu:7:`.
    at: String,
}

/// All cases, in the order of their files.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for compiler in ["cuda", "triton"] {
        let folder = folder().join(compiler);
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).expect("a file");
            let cases: Vec<Case> =
                serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
            all.extend(cases);
        }
    }
    all
}

/// A finding for the recorded table: grade, kind and places.
fn described(finding: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut places = vec![text(&finding["location"])];
    places.extend(finding["kind"]["other"]["location"].as_str().map(str::to_owned));
    places.sort();
    format!("{} {} {}", text(&finding["grade"]), text(&finding["kind"]["kind"]), places.join(" ~ "))
}

impl Case {
    /// The launch among others of the same file, for the recorded table.
    pub fn label(&self) -> String {
        let arguments = self.arguments.join(" ");
        format!("{} {} {} ({arguments})", self.file, self.kernel(), self.grid)
    }

    /// Whether the run must find a mistake.
    pub fn is_broken(&self) -> bool {
        self.finds.is_some()
    }
    /// The name of the kernel, which is that of its file if it has one of its own.
    pub fn kernel(&self) -> &str {
        let (_, name) = self.file.split_once('/').unwrap_or_default();
        self.kernel.as_deref().or(name.split('.').next()).unwrap_or_default()
    }

    /// Runs the kernel as `cutec run` does by default. `shown` gets its findings.
    ///
    /// # Errors
    /// The first difference from what is expected.
    pub fn check(&self, shown: &mut Vec<String>) -> Result<(), String> {
        let out = tempfile::tempdir().map_err(|why| why.to_string())?;
        let mut run = Command::new(env!("CARGO_BIN_EXE_cutec"));
        run.current_dir(folder()).args(["run", &self.file, "--report", "json", "--grid", &self.grid]);
        let options = [("--kernel", &self.kernel), ("--block", &self.block), ("--cluster", &self.cluster)];
        run.args(options.iter().flat_map(|(name, value)| value.iter().flat_map(move |v| [*name, v])));
        if self.shared > 0 {
            run.args(["--shared", &self.shared.to_string()]);
        }
        run.args(self.arguments.iter().flat_map(|text| ["--arg", text]));
        run.args(self.arrays.iter().flat_map(|text| ["--array", text]));
        for name in self.expected.keys() {
            run.arg("--out").arg(format!("{name}={}", out.path().join(name).display()));
        }
        let output = run.output().map_err(|why| why.to_string())?;
        let report = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_str(&report).map_err(|_| format!("{errors}{report}"))?;
        let said = || format!("{errors}{:#}", report["findings"]);
        let findings = report["findings"].as_array().ok_or_else(said)?;
        shown.extend(findings.iter().map(described));
        let hidden = report["hidden_notes"].as_u64().unwrap_or_default();
        if hidden > 0 {
            shown.push(format!("{hidden} hidden notes"));
        }
        shown.sort();
        if let Some(Found { kind, at }) = &self.finds {
            let is_it = |finding: &Value| {
                let place = |finding: &Value| finding["location"].as_str().is_some_and(|l| l.starts_with(at));
                let kind = finding["kind"]["kind"] == **kind;
                kind && (place(finding) || place(&finding["kind"]["other"]))
            };
            return if findings.iter().any(is_it) { Ok(()) } else { Err(said()) };
        }
        // The others concern rules that widely used kernels break.
        let is_error = |finding: &Value| finding["grade"] == "error";
        if !output.status.success() || findings.iter().any(is_error) {
            return Err(said());
        }
        if let Some(text) = &self.prints
            && report["output"].as_str() != Some(text)
        {
            return Err(format!("it prints {}, not {text:?}", report["output"]));
        }
        self.expected.iter().try_for_each(|(name, file)| {
            let texts = self.arguments.iter().chain(&self.arrays).map(String::as_str);
            differ(texts, name, (&folder().join(file), &out.path().join(name)), self.tolerance)
        })
    }
}

/// Compares an array that was written with the expected one; `texts` are the arguments of the
/// launch.
///
/// # Errors
/// The first element that differs.
pub fn differ<'a>(
    texts: impl Iterator<Item = &'a str>,
    name: &str,
    (expected, got): (&Path, &Path),
    tolerance: f64,
) -> Result<(), String> {
    let mut specs = texts.filter_map(|text| argument::parse(text).ok());
    let spec = specs.find(|(own, _)| own.as_deref() == Some(name));
    let Some((_, Spec::Array { element, shape, .. })) = spec else {
        return Err(format!("there is no array '{name}'"));
    };
    let rows = |file: &Path| npy::read(file, element, &shape)?.rows(shape.iter().product(), element);
    let (got, wanted) = (rows(got)?, rows(expected)?);
    let elements = got.chunks(element.bytes()).zip(wanted.chunks(element.bytes()));
    for (i, (got, wanted)) in elements.enumerate().filter(|(_, (got, wanted))| got != wanted) {
        let difference = element.difference(got, wanted);
        // NaN is not a difference that is allowed.
        if !difference.absolute.is_finite() || difference.absolute > tolerance * difference.size.max(1.0) {
            let [got, wanted] = difference.values;
            return Err(format!("element {i} of {name} {shape:?} is {got}, not {wanted}"));
        }
    }
    Ok(())
}

//! Kernels of `examples/bugs`, each with the mechanism of a public bug, and with a repaired twin:
//! the finding is the one that the source marks, and the twin is silent and right. The command is
//! the one that the source gives. `docs/bugs.md` lists them all.

use serde_json::Value;
use std::{
    collections::BTreeSet,
    env, fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A finding: its kind, its grade, and the line of the source.
type Mark = (String, String, usize);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of all kernels, in alphabetical order.
fn names() -> Vec<String> {
    let entries = fs::read_dir(root().join("examples/bugs")).expect("a folder");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "cu"));
    let mut names: Vec<_> =
        sources.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// An element of `y` after a run without a mistake.
fn expected(name: &str, i: usize) -> f64 {
    let value = match name {
        "relaxed_arrival" => usize::from(i > 31),
        // Sums of 32 numbers each, for four warps.
        "zeroed_late" if i < 4 => 1024 * i + 496,
        "zeroed_late" => 0,
        "table_in_global" => 3 * (32 * (i / 256) + 64) + i % 256,
        "reset_late" => (0..128).sum(),
        // The columns of A that four threads hold, of four products: x is 0, 1, 2, ..
        "a_replaced" => {
            (0..32).map(|n| n / 8 * 512 + n / 4 % 2 * 256 + n % 4).sum::<usize>()
                + 32 * (i % 128 / 4 * 4 + i / 256 * 128)
        }
        _ => i,
    };
    value as f64
}

/// The command behind `// Run:`, on one line.
fn command(source: &str) -> String {
    let lines = source.lines().skip_while(|line| !line.starts_with("// Run: "));
    let words = lines.map_while(|line| line.strip_prefix("// Run: ").or(line.strip_prefix("//     ")));
    words.collect::<Vec<_>>().join(" ")
}

/// The findings that the source marks.
fn marks(source: &str) -> BTreeSet<Mark> {
    let marked =
        (1..).zip(source.lines()).filter_map(|(n, line)| Some((n, line.split_once("// finds: ")?.1)));
    let each = marked.flat_map(|(n, findings)| findings.split(", ").map(move |finding| (n, finding)));
    each.map(|(n, finding)| {
        let (kind, grade) = finding.split_once(" (").expect("a kind and a grade");
        (kind.to_owned(), grade.trim_end_matches(')').to_owned(), n)
    })
    .collect()
}

/// The line of the kernel's own source in a location with the calls that were inlined.
fn line(name: &str, location: &Value) -> Option<usize> {
    let (_, rest) = location.as_str()?.split_once(&format!("examples/bugs/{name}.cu:"))?;
    rest.split(':').next()?.parse().ok()
}

/// Runs one twin; its findings, whether it succeeds, and the differences in `y`.
fn run(name: &str, command: &str) -> Result<(Vec<Value>, bool, Vec<String>), String> {
    let out = tempfile::tempdir().map_err(|why| why.to_string())?;
    let file = out.path().join("y.npy");
    let cutec = Path::new(env!("CARGO_BIN_EXE_cutec")).parent().expect("a folder");
    let path = env::join_paths(
        std::iter::once(cutec.to_owned()).chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let mut shell = Command::new("sh");
    shell.current_dir(root().join("examples/bugs")).env("PATH", path.expect("a path"));
    shell.arg("-c").arg(format!("{command} --report json --out y={}", file.display()));
    let output = shell.output().map_err(|why| why.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&said)
        .map_err(|_| format!("{name}: {said}{}", String::from_utf8_lossy(&output.stderr)))?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    if let Ok(bytes) = fs::read(&file) {
        let array = npyz::NpyFile::new(&bytes[..]).map_err(|why| why.to_string())?;
        let values: Vec<f64> = if name == "a_replaced" {
            array.into_vec::<f32>().map(|v| v.into_iter().map(f64::from).collect())
        } else {
            array.into_vec::<i32>().map(|v| v.into_iter().map(f64::from).collect())
        }
        .map_err(|why| why.to_string())?;
        let right = |i: &usize| values[*i] == expected(name, *i);
        let all = (0..values.len()).filter(|i| !right(i));
        wrong = all.map(|i| format!("y[{i}] is {}, not {}", values[i], expected(name, i))).collect();
    } else if output.status.success() {
        wrong.push("y was not written".to_owned());
    }
    Ok((findings, output.status.success(), wrong))
}

fn check(name: &str) -> Result<(), String> {
    let source = fs::read_to_string(root().join(format!("examples/bugs/{name}.cu"))).expect("a source");
    let command = command(&source);
    let (findings, succeeded, _) = run(name, &command)?;
    let others: Vec<_> = (1..).zip(source.lines()).filter(|(_, l)| l.ends_with("// other side")).collect();
    let mut found = BTreeSet::new();
    for finding in &findings {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let kind = text(&finding["kind"]["kind"]);
        let at = line(name, &finding["location"]).ok_or(format!("{name}: no line in {finding:#}"))?;
        if let ("race", [(other, _)]) = (kind.as_str(), &others[..])
            && line(name, &finding["kind"]["other"]["location"]) != Some(*other)
        {
            return Err(format!("{name}: the other side is not line {other}: {finding:#}"));
        }
        found.insert((kind, text(&finding["grade"]), at));
    }
    let marked = marks(&source);
    if found != marked || marked.is_empty() {
        return Err(format!("{name}: {found:?} is found, but {marked:?} is marked"));
    }
    if succeeded != marked.iter().all(|(_, grade, _)| grade == "portability") {
        return Err(format!("{name}: an error fails the run, and nothing else does"));
    }
    let (findings, succeeded, wrong) = run(name, &command.replace("<false>", "<true>"))?;
    if !succeeded || !findings.is_empty() || !wrong.is_empty() {
        return Err(format!("{name}, repaired: {findings:#?} {}", wrong.join(", ")));
    }
    Ok(())
}

#[test]
fn kernels_with_public_bugs_are_found_and_their_repaired_twins_are_silent() {
    let names = names();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = check(name) {
                        wrong.lock().expect("no panic").push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(names.len() >= 10, "{} kernels", names.len());
}

#[test]
fn the_page_lists_every_kernel_with_its_findings() {
    let page = fs::read_to_string(root().join("docs/bugs.md")).expect("a page");
    for name in names() {
        let source = fs::read_to_string(root().join(format!("examples/bugs/{name}.cu"))).expect("a source");
        let link = format!("[`{name}`](../examples/bugs/{name}.cu)");
        let row = page.lines().find(|line| line.contains(&link));
        let row = row.unwrap_or_else(|| panic!("docs/bugs.md has no row with {link}"));
        for (kind, grade, at) in marks(&source) {
            let finding = match grade.as_str() {
                "error" => format!("`{kind}` at {at}"),
                _ => format!("`{kind}` ({grade}) at {at}"),
            };
            assert!(row.contains(&finding), "{name}: {finding} is missing in its row");
        }
    }
}

/// README.md says how many kernels there are, and how many of them have an open thread.
#[test]
fn the_introduction_counts_the_bugs() {
    let page = fs::read_to_string(root().join("docs/bugs.md")).expect("a page");
    let rows = page.lines().filter(|line| line.starts_with("| [`"));
    let open = rows.filter(|row| row.contains("(open)")).count();
    let text = fs::read_to_string(root().join("README.md")).expect("the introduction");
    let counted = format!("[{} public bugs](docs/bugs.md), {open} of them with open threads,", names().len());
    assert!(text.contains(&counted), "README.md does not say \"{counted}\"");
}

/// README.md says how many launches of the tables in docs/foreign.md have no finding.
#[test]
fn the_introduction_counts_the_silent_launches() {
    let page = fs::read_to_string(root().join("docs/foreign.md")).expect("a page");
    let (_, tables) = page.split_once("<!-- launches -->").expect("the tables");
    let (tables, _) = tables.split_once("<!-- end of launches -->").expect("their end");
    let rows: Vec<&str> = tables.lines().filter(|line| line.starts_with("| `")).collect();
    let silent = rows.iter().filter(|row| row.ends_with("| none |")).count();
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).expect("the introduction");
    let marker = " launches of public kernels";
    let end = text.find(marker).unwrap_or_else(|| panic!("README.md has no \"N of M{marker}\""));
    let before = text[..end].trim_end_matches(|c: char| c.is_ascii_digit() || " of".contains(c)).len();
    let counted = format!("{silent} of {}", rows.len());
    let stated = text[before..end].trim();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{} {counted}{}", &text[..before], &text[end..])).expect("it is written");
        return;
    }
    assert_eq!(stated, counted, "UPDATE_DOCS=1 writes the number into README.md");
}

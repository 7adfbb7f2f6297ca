//! `cute-fuzz`: mutated inputs through the tools. The count and the seed determine a run.
//!
//! A finding is a crash, a panic, an internal error, a run of more than a minute, or more than 2 GB
//! of memory. Faults of MLIR itself are in `upstream/`. Each finding is written to the folder for
//! findings, with the command that repeats it.
//!
//! | file | what |
//! |---|---|
//! | `seeds` | the inputs that are mutated |
//! | `mutate`, `random` | mutations, and the numbers that choose them |
//! | `options`, `callee`, `arrays`, `cache` | options, arguments, `.npy` files and caches |
//! | `campaign`, `case` | the kinds of cases, their tools and shares; what one case gives to a tool |
//! | `batch`, `process` | runs cases, many in one process, within limits; decides what a finding is |
//! | `upstream` | faults that are not ours |
//! | `library.py` | the program that calls the C library |

#![forbid(unsafe_code)]

mod arrays;
mod batch;
mod cache;
mod callee;
mod campaign;
mod case;
mod mutate;
mod options;
mod process;
mod random;
mod seeds;
mod tools;
mod upstream;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use clap::{Parser, ValueEnum};

use batch::{Batch, Finding};
use campaign::Campaign;
use tools::Tools;

/// Runs mutated inputs through cute-opt, mlir-opt with the plugin, cutec, the C library and
/// cute-calc.
#[derive(Debug, Parser)]
struct Options {
    /// Number of cases: of all kinds, or of KIND
    count: usize,
    /// Seed of the random numbers
    #[arg(default_value_t = 1)]
    seed: u64,
    /// The only kind of cases to run
    #[arg(value_enum)]
    kind: Option<Campaign>,
    /// Folder with the built tools and the plugin
    #[arg(long, default_value = "target/debug")]
    tools: PathBuf,
    /// Folder with mlir-opt
    #[arg(long, default_value = "/usr/lib/llvm-22/bin")]
    llvm: PathBuf,
    /// Folder for the cases that were found
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(count) => {
            println!("{count} findings");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of findings.
fn run(options: &Options) -> Result<usize, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tools = Tools::find(&options.tools, &options.llvm, &root)?;
    let known = upstream::known(&root.join("crates/cute-fuzz/upstream"), &tools.mlir_opt)?;
    let seeds = seeds::Seeds::read(&root);
    let kinds: Vec<(Campaign, usize)> = match options.kind {
        Some(kind) => vec![(kind, options.count)],
        None => Campaign::value_variants().iter().map(|kind| (*kind, kind.cases(options.count))).collect(),
    };
    let jobs: Vec<_> = kinds.iter().flat_map(|(kind, cases)| Batch::all(*kind, *cases)).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let start = Instant::now();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(batch) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = batch.run(options.seed, &seeds, &tools);
                    done.lock().expect("the outcomes").push((batch.campaign, outcome));
                }
            });
        }
    });
    let (mut found, mut accepted) = (Vec::new(), Vec::new());
    for (kind, outcome) in done.into_inner().map_err(|error| error.to_string())? {
        found.extend(outcome.findings);
        accepted.push((kind, outcome.accepted));
    }
    found.sort_by_key(|finding: &Finding| (finding.campaign, finding.index));
    let (upstream, found): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|finding| known.iter().any(|known| known.explains(finding)));
    for (kind, cases) in kinds {
        let findings = found.iter().filter(|finding| finding.campaign == kind).count();
        let own = accepted.iter().filter(|(own, _)| *own == kind);
        let split = own.map(|(_, accepted)| *accepted).sum::<Option<usize>>().map_or_else(String::new, |n| {
            format!("{n} accepted, {} refused, ", cases.saturating_sub(n + findings))
        });
        println!("{cases:>6} cases of {}: {split}{findings} findings", kind.name());
    }
    println!("seed {}, {} s", options.seed, start.elapsed().as_secs());
    for known in &known {
        let count = upstream.iter().filter(|finding| known.explains(finding)).count();
        println!("{count:>6} times the fault of MLIR in upstream/{}", known.name);
    }
    for finding in &found {
        report(finding, &options.findings).map_err(|error| error.to_string())?;
    }
    Ok(found.len())
}

/// Writes the case of a finding into a folder, and prints the command that repeats it.
fn report(finding: &Finding, folder: &Path) -> std::io::Result<()> {
    let folder = folder.join(format!("{}-{}", finding.campaign.name(), finding.index));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    finding.case.prepare(&folder)?;
    fs::write(folder.join("stdin"), &finding.case.input)?;
    let words: Vec<_> = finding.command.iter().map(|word| quoted(word)).collect();
    println!("{}\n  (cd {} && {} < stdin)", finding.fault.what, folder.display(), words.join(" "));
    let lines: Vec<_> = finding.fault.output.lines().collect();
    let worst = ["panicked at", "internal error", "signal", "Stack dump", "memory allocation"];
    let from = lines.iter().position(|line| worst.iter().any(|words| line.contains(words))).unwrap_or(0);
    lines.iter().skip(from).take(24).for_each(|line| println!("    {line}"));
    Ok(())
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+".contains(c);
    if word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

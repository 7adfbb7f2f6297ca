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
//! | `campaign` | the tools, their command lines, and the share of the cases that each gets |
//! | `process` | runs a tool within limits, and decides what counts as a finding |
//! | `upstream` | faults that are not ours |

#![forbid(unsafe_code)]

mod campaign;
mod mutate;
mod process;
mod random;
mod seeds;
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

use clap::Parser;

use campaign::{Campaign, Finding, Tools};

/// Runs mutated inputs through cute-opt, mlir-opt with the plugin, cutec and cute-calc.
#[derive(Debug, Parser)]
struct Options {
    /// Number of cases
    count: usize,
    /// Seed of the random numbers
    #[arg(default_value_t = 1)]
    seed: u64,
    /// Folder with the built tools and the plugin
    #[arg(long, default_value = "target/debug")]
    tools: PathBuf,
    /// Folder with mlir-opt
    #[arg(long, default_value = "/usr/lib/llvm-22/bin")]
    llvm: PathBuf,
    /// Folder for the cases that were found
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// Run the cases of one tool only
    #[arg(long, value_enum)]
    only: Option<Campaign>,
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
    let tools = Tools::find(&options.tools, &options.llvm)?;
    let known = upstream::known(&root.join("crates/cute-fuzz/upstream"), &tools.mlir_opt)?;
    let seeds = seeds::Seeds::read(&root);
    let jobs: Vec<_> = Campaign::ALL
        .into_iter()
        .filter(|campaign| options.only.is_none_or(|only| only == *campaign))
        .flat_map(|campaign| campaign.batches(options.count))
        .collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let start = Instant::now();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(batch) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let findings = batch.run(options.seed, &seeds, &tools);
                    found.lock().expect("the findings").extend(findings);
                }
            });
        }
    });
    let mut found = found.into_inner().map_err(|error| error.to_string())?;
    found.sort_by_key(|finding: &Finding| (finding.campaign, finding.case));
    let (upstream, found): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|finding| known.iter().any(|known| known.explains(finding)));
    for campaign in Campaign::ALL {
        let cases: usize =
            jobs.iter().filter(|job| job.campaign == campaign).map(|job| job.cases.len()).sum();
        println!("{cases:>6} cases for {}", campaign.name());
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

/// Writes the case of a finding, and prints the command that repeats it.
fn report(finding: &Finding, folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}-{}.txt", finding.campaign.name(), finding.case));
    fs::write(&path, &finding.input)?;
    println!("{}\n  {} < {}", finding.fault.what, finding.command.join(" "), path.display());
    let lines: Vec<_> = finding.fault.output.lines().collect();
    let worst = ["panicked at", "internal error", "signal", "Stack dump", "memory allocation"];
    let from = lines.iter().position(|line| worst.iter().any(|words| line.contains(words))).unwrap_or(0);
    lines.iter().skip(from).take(24).for_each(|line| println!("    {line}"));
    Ok(())
}

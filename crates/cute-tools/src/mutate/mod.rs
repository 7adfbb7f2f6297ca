//! `cutec mutate`: would a test notice a mistake in the kernel?
//!
//! | file | subject |
//! |---|---|
//! | [`cli`] | the command line |
//! | `file` | a run as the test |
//! | `command` | another program as the test |

pub mod cli;
mod command;
mod file;

use crate::{
    diagnostics::{message, print},
    error::Result,
    mutate_error::Error,
    run::cli::Form,
};
use clap::ValueEnum;
use cli::Cli;
use cute_mutate::{
    judge::{Mutants, TestAnswer},
    score::{Judged, Score},
    trial::Trial,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{fs, path::Path};

/// Asks a test about the mutants of its kernels.
///
/// # Errors
/// The test cannot be asked, or notices too little.
pub fn run(cli: &Cli) -> Result<()> {
    if let Some(option) = cli.unused() {
        return Err(Error::Unused { option }.into());
    }
    if !matches!(cli.run.report, Form::Text | Form::Json) {
        let form = cli.run.report.to_possible_value();
        let form = form.map_or_else(String::new, |value| value.get_name().to_owned());
        return Err(Error::Form { form }.into());
    }
    let has_file = cli.run.file != Path::new("-");
    match (cli.command.is_empty(), has_file) {
        (false, true) => Err(Error::TwoTests.into()),
        (false, false) => command::asked(cli, |test, ask| score(cli, test, "the checks of the command", ask)),
        (true, false) => Err(Error::NoTest.into()),
        (true, true) if is_without_run(cli) => file::unasked(cli, |mutants| show(cli, mutants).map(|_| ())),
        (true, true) => file::asked(cli, |test, ask| score(cli, test, "the values of the arrays", ask)),
    }
}

/// Whether no run is requested, so that mutants can be shown alone.
fn is_without_run(cli: &Cli) -> bool {
    cli.run.grid.is_none() && cli.run.host.is_none() && cli.run.launches.is_none()
}

/// Shows the mutants if that is asked for. Returns whether nothing else is.
fn show(cli: &Cli, mutants: &Mutants) -> Result<bool> {
    if mutants.list().next().is_none() {
        return Err(Error::NoMutant.into());
    }
    if let Some(folder) = &cli.save {
        save(folder, mutants)?;
    }
    if cli.list {
        let lines = mutants.list().map(|(file, mutant)| format!("{}\n", mutant.within(file)));
        print(&lines.collect::<String>())?;
    }
    Ok(cli.list)
}

/// A test that answers.
type Ask<'a> = dyn FnMut(Trial) -> Result<TestAnswer> + 'a;

/// Asks a test, and reports.
fn score(cli: &Cli, test: &str, asked: &str, ask: &mut Ask<'_>) -> Result<()> {
    let choice = cli.choice();
    let mutants = Mutants::of(&choice, ask)?;
    if show(cli, &mutants)? {
        return Ok(());
    }
    let bar = ProgressBar::new(choice.count.unwrap_or(usize::MAX).min(mutants.list().count()) as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} mutants, {elapsed}");
    bar.set_style(style.expect("a template"));
    bar.tick();
    let mut heard = |_: &Judged| bar.inc(1);
    let score = mutants.judge(&choice, test, asked, ask, &mut heard);
    bar.finish_and_clear();
    let score = score?;
    match cli.run.report {
        Form::Json => print(&json(&score))?,
        _ => print(&cute_text::lines(&score.to_string()))?,
    }
    let found = score.counts().score();
    match cli.least.filter(|least| (found as u64) < *least) {
        Some(least) => Err(Error::Least { found, least }.into()),
        None => Ok(()),
    }
}

fn json(score: &Score) -> String {
    serde_json::to_string_pretty(&score.data()).expect("a score has a form in JSON") + "\n"
}

/// Writes the text of each mutant.
fn save(folder: &Path, mutants: &Mutants) -> Result<()> {
    let failed = |file: &Path, why| Error::Write { file: file.to_owned(), why };
    fs::create_dir_all(folder).map_err(|why| failed(folder, why))?;
    for (i, (mutant, text)) in mutants.changed().enumerate() {
        let ending = if cute_launch::ptx::is_ptx(&text) { "ptx" } else { "mlir" };
        let file = folder.join(format!("{i:04}-{}-line-{}.{ending}", mutant.kind.name(), mutant.line));
        fs::write(&file, text).map_err(|why| failed(&file, why))?;
    }
    message(&format!("{} mutants are in '{}'", mutants.list().count(), folder.display()));
    Ok(())
}

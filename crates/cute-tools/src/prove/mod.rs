//! `cutec prove`: are the barriers of a kernel right for every number of iterations?
//!
//! | file | subject |
//! |---|---|
//! | [`cli`] | the command line |
//! | `size` | texts that depend on the size |

pub mod cli;
mod size;

use crate::{
    diagnostics::{Heard, print},
    error::{Error, Result},
    run::{
        self,
        ready::{Loaded, load, with_job},
    },
};
use cli::Cli;
use cute_launch::{
    bind::Sms,
    job::Place,
    simulator::{Simulator, unfollowed},
    started,
};
use cute_prove::{Answer, Conformance, How, Proof, Question, Sizes, conformance, prove};
use cute_sim::program::Kernel;
use cute_sim::{Launch, Schedule, Start};
use std::env;

/// Answers, and prints the answer.
///
/// # Errors
/// The question cannot be asked, or the answer is not that it is proved.
pub fn run(cli: &Cli) -> Result<()> {
    if let Some(option) = cli.unused() {
        return Err(Error::NotForProofs { option });
    }
    let texts = || cli.run.arguments.iter().chain(&cli.run.arrays);
    if !texts().any(|text| size::depends(text)) {
        return Err(Error::NoSize);
    }
    let loaded = load(&cli.run, cli.run.target, &Heard::default())?;
    let family = Family { options: &cli.run, loaded: &loaded };
    match prove(family.kernel(cli.first)?, &family, question(cli)) {
        Answer::Proved(proof) => print(&proved(&proof, cli.first)),
        Answer::Counterexample { n, schedule, finding } => {
            let command = command(n, schedule);
            print(&format!(
                "counterexample: n = {n}, schedule {schedule}\n{finding}\n\nIt is that of\n  {command}\n"
            ))?;
            Err(Error::Wrong { n })
        }
        Answer::Undecided { place, why } => {
            let place = place.map_or_else(String::new, |place| format!("{place}: "));
            print(&format!("not decided: {place}{why}\n"))?;
            Err(Error::Undecided)
        }
    }
}

/// Compares runs of these sizes under these schedules with the analysis from which a proof follows.
///
/// # Errors
/// The question cannot be asked, the kernel is not understood, a run has a finding, or it is not
/// one of the analysis.
pub fn conforms(cli: &Cli, sizes: &[i64], schedules: &[Schedule]) -> Result<Conformance> {
    let loaded = load(&cli.run, cli.run.target, &Heard::default())?;
    let family = Family { options: &cli.run, loaded: &loaded };
    let compared = conformance(family.kernel(cli.first)?, &family, question(cli), (sizes, schedules));
    compared.map_err(|why| Error::Size { why })
}

fn question(cli: &Cli) -> Question {
    Question { first: cli.first, time: cli.seconds, strict: cli.run.simulation.strict_isa }
}

/// The text of a proof.
fn proved(proof: &Proof, first: i64) -> String {
    let Proof { period, most, ran, step, warps, events, unreached, trusted, lowest } = proof;
    let elected = match lowest {
        None => "the lowest or the highest lane, and the same one everywhere".to_owned(),
        Some(place) => format!("the lowest lane, as devices do; with the highest one: {place}"),
    };
    let runs = ran.len();
    let most = match *most {
        i64::MAX => String::new(),
        most => format!(" to {most}"),
    };
    let others = match step {
        0 => "they are all sizes before the steady state".to_owned(),
        1 => "each other one is a smaller one with 1 more in the steady state".to_owned(),
        step => format!("each other one is a smaller one with up to {step} more in the steady state"),
    };
    let last = ran.last().copied().unwrap_or(first);
    let mut text = format!(
        "proved: for every n from {first}{most}
  no deadlock; no wait that may pass early, and no phase that a waiter can miss
  arrivals and bytes fit every phase; no bytes are left at the end
  no read of a slot before its data, no overwrite before the last read, proxy fences of slots, and nothing in flight
  at the end: the simulator's checks, which each larger size repeats

It follows from
  {warps} warps whose {events} events of barriers repeat themselves after {period} sizes
  {runs} sizes up to {last} in the simulator, under lazy, eager or reverse; {others}

It is assumed that
  the lanes of a warp that are at one instruction execute it together, and the warps of a warpgroup a wgmma
  elect.sync elects {elected}
  the arguments depend on n as they do in these runs, and values of arrays decide no branch at barriers
  global memory is not part of the proof: that of these runs is checked
  findings that are not errors, such as portability without --strict-isa, do not count
",
    );
    if !trusted.is_empty() {
        text += "  these checks of data hold\n";
        trusted.iter().for_each(|place| text += &format!("    {place}\n"));
    }
    if !unreached.is_empty() {
        text += "\nNo warp reaches\n";
        unreached.iter().for_each(|place| text += &format!("  {place}\n"));
    }
    text
}

/// The command that runs a size.
fn command(n: i64, schedule: Schedule) -> String {
    let mut words = vec!["cutec".to_owned(), "run".to_owned()];
    let mut given = env::args().skip(1).skip_while(|word| word != "prove").skip(1);
    while let Some(word) = given.next() {
        let is_own = |name: &str| word == name || word.starts_with(&format!("{name}="));
        if is_own("--first") || is_own("--seconds") {
            if !word.contains('=') {
                given.next();
            }
            continue;
        }
        words.push(size::at(&word, n).unwrap_or(word));
    }
    words.push(format!("--schedule={schedule}"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    let quoted = |word: String| match word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The kernel with each size.
struct Family<'f> {
    options: &'f run::cli::Cli,
    loaded: &'f Loaded,
}

impl<'f> Family<'f> {
    fn options(&self, n: i64) -> Result<run::cli::Cli> {
        let at = |texts: &[String]| -> Result<Vec<String>> {
            texts.iter().map(|text| size::at(text, n).map_err(|why| Error::Size { why })).collect()
        };
        let (arguments, arrays) = (at(&self.options.arguments)?, at(&self.options.arrays)?);
        Ok(run::cli::Cli { arguments, arrays, ..self.options.clone() })
    }

    /// The kernel that is launched from this size on.
    fn kernel(&self, first: i64) -> Result<&'f Kernel> {
        let name = self.started(first.max(1))?.0.kernel;
        let program = self.loaded.program.as_ref().expect("a run without a GPU is one in the simulator");
        Ok(program.kernels.iter().find(|kernel| kernel.name == name).expect("a launch is of a kernel"))
    }

    fn started(&self, n: i64) -> Result<(Launch, Start)> {
        let options = self.options(n)?;
        with_job(&options, self.loaded.clone(), Sms(options.sms), |ready| {
            let program = ready.program.expect("a run without a GPU is one in the simulator");
            let started = started(program, &options.checks(), &ready.job)?;
            let several = || "the host function does not launch one kernel".to_owned();
            started.ok_or_else(|| Error::Size { why: several() })
        })
    }
}

impl Sizes for Family<'_> {
    fn start(&self, n: i64) -> std::result::Result<(Launch, Start), String> {
        self.started(n).map_err(|why| why.to_string())
    }

    fn run(&self, n: i64, how: How) -> std::result::Result<Option<String>, String> {
        let run = || -> Result<Option<String>> {
            let options = self.options(n)?;
            with_job(&options, self.loaded.clone(), Sms(options.sms), |ready| {
                let program = ready.program.expect("a run without a GPU is one in the simulator");
                let How { schedule, watcher, races } = how;
                let checks = cute_launch::simulate::Checks { watcher, races, ..options.checks() };
                let place = Simulator {
                    program,
                    checks,
                    schedule: Some(schedule),
                    schedules: None,
                    progress: &unfollowed,
                };
                let outcome = place.run(&ready.job)?;
                Ok(outcome.reports.findings().is_some().then(|| outcome.reports.found()))
            })
        };
        run().map_err(|why| why.to_string())
    }
}

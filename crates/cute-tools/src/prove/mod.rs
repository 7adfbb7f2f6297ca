//! `cutec prove`: are the barriers of a kernel right for every number of iterations?
//!
//! [`cli`] is the command line, and `cost` finds instructions of SASS; `cute-prove` answers.

pub mod cli;
mod cost;

use crate::{
    diagnostics::{Heard, print},
    error::{Error, Result},
    run::{
        cli::Form,
        failure,
        ready::{self, Loaded},
    },
};
use cli::Cli;
use cute_launch::{
    bind::{Face, Given, Sms, Variables},
    ptx::is_ptx,
};
use cute_prove::{Answer, Answered, Asked, Called, Conformance, Question, Text, at, question, removable};
use cute_sim::Schedule;
use serde::Serialize;
use std::env;

/// Answers, and prints the answer.
///
/// # Errors
/// The question cannot be asked, or the answer is not that it is proved.
pub fn run(cli: &Cli) -> Result<()> {
    let heard = Heard::default();
    let (answer, printed) = match said(cli, &heard) {
        Ok(said) => said,
        Err(error) => {
            failure::print(&cli.run, &error, &heard)?;
            return Err(error);
        }
    };
    print(&printed)?;
    match answer {
        Answer::Proved(_) => Ok(()),
        Answer::Counterexample { n, .. } => Err(Error::Wrong { n }),
        Answer::Undecided { .. } => Err(Error::Undecided),
    }
}

/// The answer, and what is printed about it.
fn said(cli: &Cli, heard: &Heard) -> Result<(Answer, String)> {
    if let Some(option) = cli.unused() {
        return Err(Error::NotForProofs { option });
    }
    about(cli, heard, |asked, loaded, question| {
        if cli.removable {
            let (name, text) =
                loaded.text.as_ref().filter(|(_, text)| is_ptx(text)).ok_or(Error::NeedsPtx)?;
            let folder = env::current_dir().ok();
            let text = Text { name, text, folder: folder.as_deref() };
            let mut all = removable(asked, text, question)?;
            cost::add(&mut all, text.text, loaded.target);
            let printed = in_form(cli, &all, ToString::to_string);
            return Ok((all.answer.answer, printed));
        }
        let answered = asked.answered(question)?;
        let printed = in_form(cli, &answered, text);
        Ok((answered.answer, printed))
    })
}

/// Compares runs of these sizes under these schedules with the analysis from which a proof follows.
///
/// Within the result: the kernel is not understood, a run has a finding, or it is not one of the
/// analysis.
///
/// # Errors
/// The question cannot be asked.
pub fn conforms(
    cli: &Cli,
    sizes: &[i64],
    schedules: &[Schedule],
) -> Result<std::result::Result<Conformance, String>> {
    about(cli, &Heard::default(), |asked, _, question| Ok(asked.conforms(question, sizes, schedules)?))
}

/// Asks about the launch of a command line.
fn about<T>(
    cli: &Cli,
    heard: &Heard,
    ask: impl FnOnce(&Asked<'_>, &Loaded, Question) -> Result<T>,
) -> Result<T> {
    let options = &cli.run;
    let loaded = ready::load(options, options.target, heard)?;
    loaded.warn();
    let given = |texts: &[String]| texts.iter().cloned().map(Given::Text).collect::<Vec<_>>();
    let (arguments, arrays) = (given(&options.arguments), given(&options.arrays));
    let set = given(&options.variables);
    let program = loaded.program.as_ref().expect("a run without a GPU is one in the simulator");
    let variables = Variables { given: &set, program: Some(program) };
    let sms = Sms(options.sms.or(options.named().map(|device| device.multiprocessors)));
    let called = match &loaded.host {
        Some(host) => Called::Host(host),
        None => Called::Kernel {
            name: options.kernel.as_deref(),
            extents: options.extents(),
            hosts: &loaded.hosts,
        },
    };
    let asked = Asked {
        program,
        manifest: &loaded.manifest,
        file: &options.file.display().to_string(),
        called,
        target: loaded.target,
        arguments: options.arguments(&arguments, &arrays, variables, sms),
        checks: options.checks(),
    };
    ask(&asked, &loaded, question(cli.first, cli.seconds, Face::CommandLine)?)
}

/// Something in the form that is asked for.
fn in_form<T: Serialize>(cli: &Cli, own: &T, text: impl Fn(&T) -> String) -> String {
    match cli.run.report {
        Form::Json => serde_json::to_string_pretty(own).expect("it has a form in JSON") + "\n",
        _ => text(own),
    }
}

/// The text of an answer, with the command that shows a counterexample.
fn text(answered: &Answered) -> String {
    match &answered.answer {
        Answer::Counterexample { n, schedule, .. } => {
            format!("{answered}\n\nIt is that of\n  {}\n", command(*n, *schedule))
        }
        _ => answered.to_string(),
    }
}

/// The command that runs a size.
fn command(n: i64, schedule: Schedule) -> String {
    let mut words = vec!["cutec".to_owned(), "run".to_owned()];
    let mut given = env::args().skip(1).skip_while(|word| word != "prove").skip(1);
    while let Some(word) = given.next() {
        let is_own = |name: &str| word == name || word.starts_with(&format!("{name}="));
        if word == "--removable" {
            continue;
        }
        if is_own("--first") || is_own("--seconds") {
            if !word.contains('=') {
                given.next();
            }
            continue;
        }
        words.push(at(&word, n).unwrap_or(word));
    }
    words.push(format!("--schedule={schedule}"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    let quoted = |word: String| match word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

//! `cutec prove`: are the barriers of a kernel right for every number of iterations?
//!
//! [`cli`] is the command line; `cute-prove` answers.

pub mod cli;

use crate::{
    diagnostics::{Heard, print},
    error::{Error, Result},
    run::{cli::Form, failure, ready},
};
use cli::Cli;
use cute_launch::bind::{Face, Given, Sms, Variables};
use cute_prove::{Answer, Answered, Asked, Called, at, question};
use cute_sim::Schedule;
use std::env;

/// Answers, and prints the answer.
///
/// # Errors
/// The question cannot be asked, or the answer is not that it is proved.
pub fn run(cli: &Cli) -> Result<()> {
    let heard = Heard::default();
    let answered = match answered(cli, &heard) {
        Ok(answered) => answered,
        Err(error) => {
            failure::print(&cli.run, &error, &heard)?;
            return Err(error);
        }
    };
    print(&match cli.run.report {
        Form::Json => serde_json::to_string_pretty(&answered).expect("an answer has a form in JSON") + "\n",
        _ => text(&answered),
    })?;
    match answered.answer {
        Answer::Proved(_) => Ok(()),
        Answer::Counterexample { n, .. } => Err(Error::Wrong { n }),
        Answer::Undecided { .. } => Err(Error::Undecided),
    }
}

fn answered(cli: &Cli, heard: &Heard) -> Result<Answered> {
    if let Some(option) = cli.unused() {
        return Err(Error::NotForProofs { option });
    }
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
    Ok(asked.answered(question(cli.first, cli.seconds, Face::CommandLine)?)?)
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

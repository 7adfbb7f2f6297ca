//! A run as a test: the arrays after it are those of the kernel without a change.

use super::{
    Ask,
    cli::{Cli, Text},
};
use crate::{
    diagnostics::Heard,
    error::{Error as ToolError, Result},
    mutate_error::Error,
    run::{
        cli::{self, Through},
        in_simulator,
        ready::{Loaded, Ready, load, with_job},
    },
};
use cute_launch::{
    array::Array,
    bind::Sms,
    compare::{compare, documented},
    job::Outcome,
    ptx::is_ptx,
};
use cute_mutate::{
    judge::{Mutants, TestAnswer},
    session::{self, Interrupted},
    trial::Trial,
};

/// Makes a run that answers, and hands it on with its name.
pub(super) fn asked(cli: &Cli, then: impl FnOnce(&str, &mut Ask<'_>) -> Result<()>) -> Result<()> {
    let (options, loaded) = loaded(cli)?;
    let name = options.file.display().to_string();
    with_job(&options, loaded, Sms(options.sms), |mut ready| {
        let mut test = Test { options: &options, right: None, given: given(&ready) };
        then(&name, &mut |trial| test.answer(&mut ready, trial))
    })
}

/// Hands on the mutants of a file.
pub(super) fn unasked(cli: &Cli, then: impl FnOnce(&Mutants) -> Result<()>) -> Result<()> {
    let (_, loaded) = loaded(cli)?;
    let (name, text) = loaded.text.as_ref().expect("a run without a GPU has the text of its program");
    then(&Mutants::of_text(&cli.choice(), name, text)?)
}

/// The program in the form that is changed, and the options that made it.
fn loaded(cli: &Cli) -> Result<(cli::Cli, Loaded)> {
    let mut options = cli.run.clone();
    if cli.of == Text::Ptx {
        options.through = Some(Through::Ptx);
        // Mutants name the lines of the source.
        options.settings.set("lineinfo", "true");
    }
    let loaded = load(&options, options.target, &Heard::default())?;
    match cli.of == Text::Ir && loaded.text.as_ref().is_some_and(|(_, text)| is_ptx(text)) {
        true => Err(Error::NotIr { file: options.file.display().to_string() }.into()),
        false => Ok((options, loaded)),
    }
}

/// The contents that the arrays begin with.
type Given = Vec<std::sync::Arc<dyn cute_sim::Contents>>;

fn given(ready: &Ready<'_, '_>) -> Given {
    ready.job.arrays.iter().map(|array| array.contents.clone()).collect()
}

struct Test<'t> {
    options: &'t cli::Cli,
    /// The arrays after a run without a mutant, row by row, and the tolerance of each.
    right: Option<Vec<(Vec<u8>, f64)>>,
    given: Given,
}

impl Test<'_> {
    fn answer(&mut self, ready: &mut Ready<'_, '_>, trial: Trial) -> Result<TestAnswer> {
        let is_changed = trial.substitution.is_some() || trial.other_floats.is_some();
        session::begin(trial)?;
        let program = ready.program.expect("a run without a GPU is one in the simulator");
        let outcome = in_simulator(self.options, program, ready, |checks| checks);
        let ran = session::end()?;
        let passes = match outcome {
            Ok(outcome) if is_changed => self.is_right(&ready.job.arrays, &outcome),
            Ok(outcome) => {
                self.right = Some(self.results(&ready.job.arrays, &outcome));
                true
            }
            Err(ToolError::Mutant(Interrupted::Ended(_) | Interrupted::NoMutant)) => false,
            // It uses too much memory, or a launch is refused, which no test overlooks.
            Err(_) if is_changed => false,
            Err(why) => return Err(why),
        };
        for (array, contents) in ready.job.arrays.iter_mut().zip(&self.given) {
            array.contents = contents.clone();
        }
        Ok(TestAnswer { passes, is_late: false, ran })
    }

    fn results(&self, arrays: &[Array], outcome: &Outcome) -> Vec<(Vec<u8>, f64)> {
        let approximate = &outcome.reports.approximate()[..];
        let tolerance =
            |array: &Array| self.options.tolerance.unwrap_or_else(|| documented(approximate, array.element));
        let all = arrays.iter().zip(&outcome.arrays);
        all.map(|(array, after)| (after.rows(array).into_owned(), tolerance(array))).collect()
    }

    fn is_right(&self, arrays: &[Array], outcome: &Outcome) -> bool {
        let Some(right) = &self.right else { return true };
        let all = arrays.iter().zip(&outcome.arrays).zip(right);
        // Addresses differ from run to run.
        all.filter(|((array, _), _)| array.holes.is_empty()).all(|((array, after), (right, tolerance))| {
            compare(array, &after.rows(array), right, *tolerance).beyond == 0
        })
    }
}

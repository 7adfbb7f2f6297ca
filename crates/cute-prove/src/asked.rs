//! A launch whose arguments depend on the size, as a caller gives it.

use crate::{
    answer::Answered,
    error::{Error, FIRST, MOST_SECONDS},
    prove::{Answer, Question, Sizes, prove},
    size,
};
use cute_arch::Target;
use cute_launch::{
    Host, Job,
    bind::{Arguments, Face, Given, Variables},
    job::{Extents, Place},
    launch::the_kernel,
    report::Reports,
    simulate::Checks,
    simulator::{Simulator, unfollowed},
    started,
};
use cute_manifest::Manifest;
use cute_sim::{Grade, Launch, Program, Schedule, Start, events::Watcher};
use std::time::Duration;

/// Why a size has no launch, or does not run.
type Result<T> = std::result::Result<T, Error>;

/// The function that is called.
#[derive(Debug, Clone, Copy)]
pub enum Called<'a> {
    /// A kernel of this name, or the only one.
    Kernel {
        /// The name, as [`the_kernel`] finds it.
        name: Option<&'a str>,
        /// The launch.
        extents: Extents,
        /// The names of the host functions, for messages.
        hosts: &'a [String],
    },
    /// A host function, which has one launch.
    Host(&'a Host),
}

/// A launch whose arguments depend on the size.
pub struct Asked<'a> {
    /// The kernels.
    pub program: &'a Program,
    /// Their parameters.
    pub manifest: &'a Manifest,
    /// The name of the file, for messages.
    pub file: &'a str,
    /// The function that is called.
    pub called: Called<'a>,
    /// The GPU.
    pub target: Target,
    /// The arguments. In those that are texts, braces with `n` are numbers.
    pub arguments: Arguments<'a>,
    /// Budget and checks. Their schedule, their watcher and their list of accepted findings are not
    /// used.
    pub checks: Checks,
}

/// The question about all sizes from `first` on, which is answered in this number of seconds.
///
/// # Errors
/// [`Error::Option`].
pub fn question(first: i64, seconds: f64, face: Face) -> Result<Question> {
    let wrong = |option, value: String, rule: String| Err(Error::Option { option, value, rule, face });
    if !FIRST.contains(&first) {
        return wrong("first", first.to_string(), format!("a number from 0 to {}", FIRST.end - 1));
    }
    if !(0.0..=MOST_SECONDS).contains(&seconds) {
        return wrong("seconds", seconds.to_string(), format!("a number from 0 to {MOST_SECONDS}"));
    }
    Ok(Question { first, time: Duration::from_secs_f64(seconds) })
}

impl Asked<'_> {
    /// Answers whether the barriers of the kernel are right at every size.
    ///
    /// # Errors
    /// The question cannot be asked.
    pub fn answered(&self, question: Question) -> Result<Answered> {
        let Arguments { given, arrays, variables, face, .. } = self.arguments;
        let all = || given.iter().chain(arrays).chain(variables.given);
        if !all().any(|given| matches!(given, Given::Text(text) if size::depends(text))) {
            return Err(Error::NoSize { face });
        }
        let n = question.first;
        let first = self.started(n).map_err(|why| match why {
            Error::Launch(why) if self.is_launched_later(n) => Error::First { n, face, why },
            why => why,
        })?;
        let name = first.0.kernel;
        let kernel = self.program.kernels.iter().find(|kernel| kernel.name == name);
        let kernel = kernel.expect("a launch is of a kernel of its program");
        let answer = prove(kernel, self, question);
        let arguments = match &answer {
            Answer::Counterexample { n, .. } => texts(given, *n)?.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        let strict_isa = self.checks.strict_isa;
        Ok(Answered { kernel: name, first: n, strict_isa, answer, arguments })
    }

    /// Whether a larger size has a launch, so that the reason lies in the smallest one.
    fn is_launched_later(&self, first: i64) -> bool {
        [1, 2, 4, 16, 256].iter().any(|step| self.started(first + step).is_ok())
    }

    fn at<T>(&self, n: i64, then: impl FnOnce(&Job<'_>) -> Result<T>) -> Result<T> {
        let Arguments { given, arrays, variables, memory, sms, files, face } = self.arguments;
        let (given, arrays, set) = (texts(given, n)?, texts(arrays, n)?, texts(variables.given, n)?);
        let variables = Variables { given: &set, ..variables };
        let all = Arguments { given: &given, arrays: &arrays, variables, memory, sms, files, face };
        let job = match self.called {
            Called::Host(host) => Job::of_host(host, self.manifest, &all, self.target)?,
            Called::Kernel { name, extents, hosts } => {
                let kernel = the_kernel(self.manifest, self.file, name)?;
                Job::of_kernel(kernel, &extents, &all, self.target, hosts)?
            }
        };
        then(&job)
    }

    fn started(&self, n: i64) -> Result<(Launch, Start)> {
        self.at(n, |job| match started(self.program, &self.checks, job)? {
            Some(started) => Ok(started),
            None => {
                let host = match self.called {
                    Called::Host(host) => host.program.name.clone(),
                    Called::Kernel { .. } => unreachable!("a kernel is launched once"),
                };
                Err(Error::Launches { host, n })
            }
        })
    }
}

/// The arguments of a size.
fn texts(all: &[Given], n: i64) -> Result<Vec<Given>> {
    let at = |given: &Given| match given {
        Given::Text(text) => size::at(text, n)
            .map(Given::Text)
            .map_err(|why| Error::Expression { argument: text.clone(), why }),
        given => Ok(given.clone()),
    };
    all.iter().map(at).collect()
}

/// The errors as text; others, such as those of portability, are not what makes a size wrong.
fn errors(reports: &Reports) -> String {
    let of_launch = |report: &cute_sim::Report| {
        let mut own = report.clone();
        own.findings.retain(|finding| finding.grade == Grade::Error);
        own.found(None).to_string()
    };
    reports.simulated().map(|(_, report)| of_launch(report)).collect()
}

impl Sizes for Asked<'_> {
    fn start(&self, n: i64) -> std::result::Result<(Launch, Start), String> {
        self.started(n).map_err(|why| why.to_string())
    }

    fn run(
        &self,
        n: i64,
        schedule: Schedule,
        watcher: Option<Watcher>,
    ) -> std::result::Result<Option<String>, String> {
        let stopped = || Err("the run was stopped".to_owned());
        let run = || {
            self.at(n, |job| {
                let checks = Checks { watcher, allow: Vec::new(), ..self.checks.clone() };
                let (schedule, schedules, progress) = (Some(schedule), None, &unfollowed);
                let place = Simulator { program: self.program, checks, schedule, schedules, progress };
                let outcome = place.run(job)?;
                Ok(outcome.reports.findings().is_some().then(|| errors(&outcome.reports)))
            })
        };
        // A run that is stopped ends with a finding about its budget.
        match run().map_err(|why| why.to_string()) {
            _ if self.checks.stop.is_requested() => stopped(),
            found => found,
        }
    }
}

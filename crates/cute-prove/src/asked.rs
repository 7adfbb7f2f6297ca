//! A launch whose arguments depend on the size, as a caller gives it.

use crate::{
    answer::Answered,
    error::{Error, FIRST, MOST_SECONDS},
    prove::{Answer, Conformance, How, Question, Sizes, conformance, prove},
    record::{Record, Run},
    size,
};
use cute_arch::Target;
use cute_launch::{
    Host, Job,
    bind::{Arguments, Face, Given, Variables},
    job::{Place, RequestedExtents},
    launch::the_kernel,
    report::Reports,
    simulate::Checks,
    simulator::{Simulator, unfollowed},
    started,
};
use cute_manifest::Manifest;
use cute_sim::{Grade, Launch, Program, Schedule, Start, program::Kernel};
use std::time::Duration;

/// The floats of arrays in runs whose results are recorded.
const SEED: u64 = 1;

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
        extents: RequestedExtents,
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

/// The question about all sizes from `first` on, which is answered in this number of seconds. The
/// checks of what is asked decide whether it is strict.
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
    Ok(Question { first, time: Duration::from_secs_f64(seconds), strict: false })
}

impl Asked<'_> {
    /// Answers whether the barriers of the kernel are right at every size.
    ///
    /// # Errors
    /// The question cannot be asked.
    pub fn answered(&self, question: Question) -> Result<Answered> {
        Subject { asked: self, program: self.program, record: None }.answered(question)
    }
}

impl Asked<'_> {
    /// Compares runs of these sizes under these schedules with the analysis from which a proof
    /// follows.
    ///
    /// Within the result: the kernel is not understood, a run has a finding, or it is not one of
    /// the analysis.
    ///
    /// # Errors
    /// The question cannot be asked.
    pub fn conforms(
        &self,
        question: Question,
        sizes: &[i64],
        schedules: &[Schedule],
    ) -> Result<std::result::Result<Conformance, String>> {
        let subject = Subject { asked: self, program: self.program, record: None };
        let name = subject.kernel(question.first)?;
        let question = Question { strict: self.checks.strict_isa, ..question };
        Ok(conformance(subject.named(&name), &subject, question, (sizes, schedules)))
    }
}

/// A program that a question is about.
pub(crate) struct Subject<'a> {
    pub asked: &'a Asked<'a>,
    /// That of the question, or a changed one.
    pub program: &'a Program,
    /// Records the results of runs, whose arrays then have other floats than those of the question.
    pub record: Option<&'a Record>,
}

impl Subject<'_> {
    pub fn answered(&self, question: Question) -> Result<Answered> {
        let Arguments { given, arrays, variables, face, .. } = self.asked.arguments;
        let all = || given.iter().chain(arrays).chain(variables.given);
        if !all().any(|given| matches!(given, Given::Text(text) if size::depends(text))) {
            return Err(Error::NoSize { face });
        }
        let n = question.first;
        let name = self.kernel(n)?;
        let kernel = self.named(&name);
        let strict_isa = self.asked.checks.strict_isa;
        let answer = prove(kernel, self, Question { strict: strict_isa, ..question });
        let arguments = match &answer {
            Answer::Counterexample { n, .. } => texts(given, *n)?.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        Ok(Answered { kernel: name, first: n, strict_isa, answer, arguments })
    }

    /// The kernel with this symbol.
    fn named(&self, name: &str) -> &Kernel {
        let kernel = self.program.kernels.iter().find(|kernel| kernel.name == name);
        kernel.expect("a launch is of a kernel of its program")
    }

    /// The symbol of the kernel that is launched.
    pub fn kernel(&self, first: i64) -> Result<String> {
        let started = self.started(first).map_err(|why| match why {
            Error::Launch(why) if self.is_launched_later(first) => {
                Error::First { n: first, face: self.asked.arguments.face, why: Box::new(why) }
            }
            why => why,
        });
        Ok(started?.0.kernel)
    }

    /// Whether a larger size has a launch, so that the reason lies in the smallest one.
    fn is_launched_later(&self, first: i64) -> bool {
        [1, 2, 4, 16, 256].iter().any(|step| self.started(first + step).is_ok())
    }

    fn at<T>(&self, n: i64, then: impl FnOnce(&mut Job<'_>) -> Result<T>) -> Result<T> {
        let Asked { manifest, file, called, target, .. } = *self.asked;
        let Arguments { given, arrays, variables, memory, sms, files, face } = self.asked.arguments;
        let (given, arrays, set) = (texts(given, n)?, texts(arrays, n)?, texts(variables.given, n)?);
        let variables = Variables { given: &set, ..variables };
        let all = Arguments { given: &given, arrays: &arrays, variables, memory, sms, files, face };
        let mut job = match called {
            Called::Host(host) => Job::of_host(host, manifest, &all, target)?,
            Called::Kernel { name, extents, hosts } => {
                let kernel = the_kernel(manifest, file, name)?;
                Job::of_kernel(kernel, &extents, &all, target, hosts)?
            }
        };
        then(&mut job)
    }

    fn started(&self, n: i64) -> Result<(Launch, Start)> {
        self.at(n, |job| match started(self.program, &self.asked.checks, job)? {
            Some(started) => Ok(started),
            None => {
                let host = match self.asked.called {
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

impl Sizes for Subject<'_> {
    fn start(&self, n: i64) -> std::result::Result<(Launch, Start), String> {
        self.started(n).map_err(|why| why.to_string())
    }

    fn run(&self, n: i64, how: How) -> std::result::Result<Option<String>, String> {
        let stopped = || Err("the run was stopped".to_owned());
        let run = || {
            self.at(n, |job| {
                if self.record.is_some() {
                    job.randomise(SEED);
                }
                let How { schedule, watcher, races } = how;
                let checks = Checks { watcher, races, allow: Vec::new(), ..self.asked.checks.clone() };
                let place = Simulator {
                    program: self.program,
                    checks,
                    schedule: Some(schedule),
                    schedules: None,
                    progress: &unfollowed,
                };
                let outcome = place.run(job)?;
                if let Some(record) = self.record {
                    record.keep(Run { n, schedule, races }, &outcome, job);
                }
                Ok(outcome.reports.findings().is_some().then(|| errors(&outcome.reports)))
            })
        };
        // A run that is stopped ends with a finding about its budget.
        match run().map_err(|why| why.to_string()) {
            _ if self.asked.checks.stop.is_requested() => stopped(),
            found => found,
        }
    }
}

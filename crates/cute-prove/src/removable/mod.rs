//! Which waits, arrivals, fences and barriers of a kernel could go, so that it is still proved.
//!
//! | file | subject |
//! |---|---|
//! | `candidates` | changes of the text |
//! | `partners` | instructions that only go together |
//! | `shown` | the text of what was found |

mod candidates;
mod partners;
mod shown;

use crate::{
    answer::Answered,
    asked::{Asked, Subject},
    error::Error,
    prove::{Answer, Question, Sizes, events},
    record::{Record, Run},
};
use candidates::{Candidate, Candidates, beyond};
use cute_launch::{Ptx, simulate::Checks};
use cute_mutate::trial;
use cute_ptx::syntax::SyntaxError;
use cute_sim::{Program, Schedule};
use serde::Serialize;
use std::{path::Path, time::Instant};

/// The version of the form in JSON.
const VERSION: u32 = 1;

/// An instruction of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Site {
    /// With all modifiers.
    pub op: String,
    /// The line of the PTX.
    pub line: usize,
    /// The line of the source, if the PTX names it.
    pub source: Option<String>,
    /// Its kind: `fence`, `wait`, `barrier` or `arrival`.
    pub kind: &'static str,
}

/// Instructions that go together, and what was found about the kernel without them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The instructions.
    pub sites: Vec<Site>,
    /// Why they cannot go, or why it is not known; empty if they can.
    pub why: String,
    /// The instructions of SASS that they are; `None` if that is not known.
    pub sass: Option<Vec<String>>,
    /// The text without them, if they can go.
    #[serde(skip)]
    pub text: String,
}

impl Tried {
    fn of(sites: Vec<Site>, why: String, text: String) -> Self {
        Self { sites, why, sass: None, text }
    }
}

/// The instructions of a kernel about order, and which of them could go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removals {
    version: u32,
    /// The answer about the kernel as it is, under strict ISA.
    pub answer: Answered,
    /// Why nothing was examined, if so.
    pub unexamined_kernel: Option<String>,
    /// Those that could go, one set at a time.
    pub removable: Vec<Tried>,
    /// Those of them that could go together.
    pub together: Vec<Tried>,
    /// The number of instructions of SASS with and without all of these.
    pub sass: Option<[usize; 2]>,
    /// Why nothing is known about SASS, if so.
    pub without_sass: Option<String>,
    /// The text without all of these; empty if there are none.
    #[serde(skip)]
    pub text: String,
    /// Those that are needed.
    pub needed: Vec<Tried>,
    /// Those of which it is not known.
    pub undecided: Vec<Tried>,
    /// Those that were not examined.
    pub unexamined: Vec<Tried>,
}

/// The PTX of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    /// The name of its file.
    pub name: &'t str,
    /// The PTX.
    pub text: &'t str,
    /// The folder from which places are named.
    pub folder: Option<&'t Path>,
}

impl Text<'_> {
    fn read(&self, text: &str) -> Result<Program, cute_launch::Error> {
        Ptx::read(self.name, text, self.folder).map(|ptx| ptx.program)
    }
}

/// Examines a kernel by its PTX, until the time of the question is over. What the instruction set
/// forbids and libraries rely on is an error. Runs have random floats in the place of those of the
/// arrays, so that values differ where an instruction is missed.
///
/// # Errors
/// The question cannot be asked.
pub fn removable(asked: &Asked<'_>, text: Text<'_>, question: Question) -> Result<Removals, Error> {
    let question = Question { strict: true, ..question };
    let deadline = Instant::now() + question.time;
    // Places are those of changed texts, which are read in the same way.
    let program = text.read(text.text)?;
    let checks = Checks { strict_isa: true, ..asked.checks.clone() };
    let asked = &Asked { program: &program, checks, ..*asked };
    let record = Record::default();
    let base = Subject { asked, program: &program, record: Some(&record) };
    let answer = base.answered(question)?;
    let mut all = Removals {
        version: VERSION,
        answer,
        unexamined_kernel: None,
        removable: Vec::new(),
        together: Vec::new(),
        sass: None,
        without_sass: None,
        text: String::new(),
        needed: Vec::new(),
        undecided: Vec::new(),
        unexamined: Vec::new(),
    };
    let done = match all.answer.proof() {
        Some(proof) => {
            let size = proof.ran.last().copied().unwrap_or(question.first);
            let examiner = Examiner { base: &base, record: &record, text, question, deadline, size };
            examiner.examine(&mut all)
        }
        None => {
            all.unexamined_kernel =
                Some(format!("it is not proved under strict ISA, but {}", all.answer.name()));
            Ok(())
        }
    };
    match done {
        Ok(()) => Ok(all),
        Err(Stopped::Error(why)) => Err(*why),
        Err(Stopped::Unread(why)) => {
            all.unexamined_kernel = Some(format!("its text is not read: {why}"));
            Ok(all)
        }
    }
}

/// Why an examination ends early.
enum Stopped {
    Error(Box<Error>),
    Unread(SyntaxError),
}

impl From<Error> for Stopped {
    fn from(why: Error) -> Self {
        Self::Error(Box::new(why))
    }
}

impl From<SyntaxError> for Stopped {
    fn from(why: SyntaxError) -> Self {
        Self::Unread(why)
    }
}

fn site_of(candidates: &Candidates<'_>, site: usize) -> Site {
    let own = &candidates.sites[site];
    let source = own.source.as_ref().map(|source| format!("{}:{}", source.file, source.line));
    Site { op: own.op.clone(), line: own.line, source, kind: own.kind.name() }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Removable,
    Needed(String),
    Undecided(String),
    Unexamined(String),
}

/// Looks at changed texts.
struct Examiner<'e> {
    base: &'e Subject<'e>,
    record: &'e Record,
    text: Text<'e>,
    question: Question,
    deadline: Instant,
    /// A size that reaches what is reached at all.
    size: i64,
}

impl Examiner<'_> {
    fn examine(&self, all: &mut Removals) -> Result<(), Stopped> {
        let text = self.text.text;
        let name = all.answer.kernel.clone();
        if let Some(why) = beyond(text, &name)? {
            all.unexamined_kernel = Some(why);
            return Ok(());
        }
        let kernel = self.base.program.kernels.iter().find(|kernel| kernel.name == name);
        let kernel = kernel.expect("a launch is of a kernel of its program");
        let seen = events(kernel, self.base, self.size, self.question);
        let candidates = Candidates::of(text, &name, kernel, seen.as_ref())?;
        let tried = |candidate: &Candidate, why: String, text: String| {
            let sites = candidate.sites.iter().map(|site| site_of(&candidates, *site)).collect();
            Tried::of(sites, why, text)
        };
        for (site, why) in &candidates.unexamined {
            let sites = vec![site_of(&candidates, *site)];
            all.unexamined.push(Tried::of(sites, (*why).to_owned(), String::new()));
        }
        let mut free: Vec<&Candidate> = Vec::new();
        for candidate in &candidates.all {
            let Some(without) = candidates.without([candidate])? else { continue };
            let mut verdict = self.verdict(&without)?;
            if verdict == Verdict::Removable && !self.is_reached(&candidates.trapping(candidate)) {
                verdict = Verdict::Unexamined("no warp reaches it".into());
            }
            match verdict {
                Verdict::Removable => {
                    free.push(candidate);
                    all.removable.push(tried(candidate, String::new(), without));
                }
                Verdict::Needed(why) => all.needed.push(tried(candidate, why, String::new())),
                Verdict::Undecided(why) => all.undecided.push(tried(candidate, why, String::new())),
                Verdict::Unexamined(why) => all.unexamined.push(tried(candidate, why, String::new())),
            }
        }
        let (together, text) = self.together(&candidates, free)?;
        all.text = text.unwrap_or_default();
        all.together = together.into_iter().map(|own| tried(own, String::new(), String::new())).collect();
        Ok(())
    }

    /// Those that can go together: all, or else one after the other.
    fn together<'c>(
        &self,
        candidates: &Candidates<'_>,
        free: Vec<&'c Candidate>,
    ) -> Result<(Vec<&'c Candidate>, Option<String>), Stopped> {
        if free.len() > 1
            && let Some(text) = candidates.without(free.iter().copied())?
            && self.verdict(&text)? == Verdict::Removable
        {
            return Ok((free, Some(text)));
        }
        let (mut chosen, mut best): (Vec<&Candidate>, _) = (Vec::new(), None);
        for candidate in free {
            let some = chosen.iter().copied().chain([candidate]);
            let Some(text) = candidates.without(some)? else { continue };
            // The first alone is proved.
            if chosen.is_empty() || self.verdict(&text)? == Verdict::Removable {
                chosen.push(candidate);
                best = Some(text);
            }
        }
        Ok((chosen, best))
    }

    fn verdict(&self, text: &str) -> Result<Verdict, Error> {
        let asked = self.base.asked;
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Verdict::Unexamined("there was no time left".into()));
        }
        let program = match self.program(text) {
            Ok(program) => program,
            Err(why) => return Ok(Verdict::Unexamined(why.into())),
        };
        let record = Record::default();
        let subject = Subject { asked, program: &program, record: Some(&record) };
        let question = Question { time: left, ..self.question };
        match subject.answered(question)?.answer {
            Answer::Counterexample { n, schedule, finding } => {
                let finding = finding.lines().next().unwrap_or_default();
                Ok(Verdict::Needed(format!("n = {n}, {schedule}: {finding}")))
            }
            Answer::Undecided { place, why } => {
                let place = place.map_or_else(String::new, |place| format!("{place}: "));
                Ok(Verdict::Undecided(format!("{place}{why}")))
            }
            Answer::Proved(_) => Ok(match self.difference(&record) {
                Some(why) => Verdict::Needed(why),
                None => Verdict::Removable,
            }),
        }
    }

    /// The program of a changed text.
    fn program(&self, text: &str) -> Result<Program, &'static str> {
        let read = || self.text.read(text).ok();
        trial::program(self.base.program, read).map_err(|why| match why {
            trial::Applied::Same => "it does nothing here",
            _ => "without it the text is not a program",
        })
    }

    /// A run of the changed kernel that leaves something else than that of the kernel.
    fn difference(&self, record: &Record) -> Option<String> {
        for (run, own) in record.all() {
            if self.record.get(run).is_none() {
                // It is right: the kernel is proved.
                let _ = self.base.run(run.n, run.how());
            }
            let Some(theirs) = self.record.get(run) else {
                return Some(format!("{run}: the kernel itself does not run"));
            };
            if theirs.digest != own.digest {
                return Some(format!("{run}: the arrays differ"));
            }
            if let Some(remark) = own.remarks.difference(&theirs.remarks).next() {
                return Some(format!("{run}: {remark} (no error)"));
            }
        }
        None
    }

    /// Whether a thread gets to an instruction where one of these texts has a trap.
    fn is_reached(&self, trapping: &[String]) -> bool {
        trapping.iter().any(|text| {
            let Ok(program) = self.program(text) else { return false };
            let subject = Subject { asked: self.base.asked, program: &program, record: None };
            let run = Run { n: self.size, schedule: Schedule::Lazy, races: false };
            matches!(subject.run(run.n, run.how()), Ok(Some(_)))
        })
    }
}

//! A test is asked about one mutant after the other.

use crate::{
    Kind, Mutant, ir, ptx, sample,
    score::{Judged, Score},
    trial::{Applied, Ran, Substitution, Trial},
    verdict::{MutantVerdict, Values},
};
use cute_launch::ptx::is_ptx;
use cute_ptx::syntax::SyntaxError;
use cute_sim::names::readable;
use std::{
    collections::BTreeSet,
    env,
    path::Path,
    time::{Duration, Instant},
};

/// Which mutants are tried.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MutantChoice {
    /// How many; all without a number.
    pub count: Option<usize>,
    /// Chooses them, and the order.
    pub seed: u64,
    /// Those of these kinds, unless there are none.
    pub kinds: Vec<Kind>,
    /// Those of these kernels, unless there are none.
    pub kernels: Vec<String>,
    /// No mutant is begun after this time.
    pub time: Option<Duration>,
}

/// The answer of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestAnswer {
    /// Whether it passes.
    pub passes: bool,
    /// Whether it was ended because it took too long.
    pub is_late: bool,
    /// The kernels that it ran.
    pub ran: Vec<Ran>,
}

/// Why there is no score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoScore {
    /// The test fails with the kernel as it is.
    #[error("the test fails without a mutant; it must pass before it is asked about mutants")]
    Fails,
    /// The kernel has mistakes.
    #[error("the kernel itself has findings ({}); they must be repaired or accepted first", .0.join(", "))]
    Finds(Vec<String>),
    /// There is no kernel to change.
    #[error(
        "the test runs no kernel in the simulator whose PTX is known; `cutec run`, and `simulate`, `Device` and \
         `triton_check` of the Python package run such kernels"
    )]
    NoKernel,
    /// No kernel has this name.
    #[error("there is no kernel '{name}'; the kernels are {kernels}")]
    NoSuchKernel {
        /// As it was asked for.
        name: String,
        /// Those that the test runs.
        kernels: String,
    },
    /// A text that cannot be changed.
    #[error("{file}: {why}")]
    Text {
        /// Its name.
        file: String,
        /// The place and the reason.
        why: String,
    },
}

/// Instructions of a mutant beyond this multiple of the kernel's are a hang. Schedules differ a lot
/// in how often a thread asks a barrier.
const BUDGET: u64 = 100;
/// Instructions that any mutant may execute.
const LEAST_BUDGET: u64 = 10_000_000;
/// The seed of other floats.
const FLOATS: u64 = 0x6d75_7461;

fn unread(file: &str, why: &SyntaxError) -> NoScore {
    NoScore::Text { file: file.to_owned(), why: why.to_string() }
}

/// Whether a test executes the instruction of a mutant.
fn is_reached<E>(
    mutant: &Mutant,
    text: &str,
    trial: &Trial,
    ask: &mut dyn FnMut(Trial) -> Result<TestAnswer, E>,
) -> Result<bool, E> {
    let Some(instead) = mutant.trapping(text) else { return Ok(true) };
    let substitution = Some(Substitution { text: text.to_owned(), instead });
    let ran = ask(Trial { substitution, ..trial.clone() })?.ran;
    Ok(ran.iter().any(|ran| ran.applied != Applied::Yes || ran.found.iter().any(|kind| kind == "trap")))
}

/// A mutant whose source is named from the current folder.
fn relative(mut mutant: Mutant) -> Mutant {
    let here = env::current_dir().ok();
    if let (Some(source), Some(here)) = (&mut mutant.source, here)
        && let Ok(inside) = Path::new(&source.file).strip_prefix(here)
    {
        source.file = inside.display().to_string();
    }
    mutant
}

/// All mutants of the kernels that a test runs.
pub struct Mutants {
    /// The names and the texts of the files.
    texts: Vec<(String, String)>,
    /// With the numbers of their files.
    mutants: Vec<(usize, Mutant)>,
    /// Those of the baseline.
    digests: Vec<u64>,
    budget: u64,
}

impl Mutants {
    /// The mutants of a choice, in the order of the texts, with the names of the files.
    pub fn list(&self) -> impl Iterator<Item = (&str, &Mutant)> {
        self.mutants.iter().map(|(file, mutant)| (self.texts[*file].0.as_str(), mutant))
    }

    /// The changed text of each of them.
    pub fn changed(&self) -> impl Iterator<Item = (&Mutant, String)> {
        self.mutants.iter().map(|(file, mutant)| (mutant, mutant.apply(&self.texts[*file].1)))
    }

    /// Those of the kernels of a test, which is asked once without a mutant.
    ///
    /// # Errors
    /// [`NoScore`], and those of `ask`.
    pub fn of<E: From<NoScore>>(
        choice: &MutantChoice,
        ask: &mut dyn FnMut(Trial) -> Result<TestAnswer, E>,
    ) -> Result<Self, E> {
        let answer = ask(Trial { lists_texts: true, ..Trial::default() })?;
        let found: BTreeSet<&String> = answer.ran.iter().flat_map(|ran| &ran.found).collect();
        if !found.is_empty() {
            return Err(NoScore::Finds(found.into_iter().cloned().collect()).into());
        }
        if !answer.passes {
            return Err(NoScore::Fails.into());
        }
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut launched: Vec<BTreeSet<&str>> = Vec::new();
        for ran in &answer.ran {
            let Some((name, text)) = &ran.text else { continue };
            let at = texts.iter().position(|(_, own)| own == text).unwrap_or_else(|| {
                texts.push((name.clone(), text.clone()));
                launched.push(BTreeSet::new());
                texts.len() - 1
            });
            launched[at].extend(ran.kernels.iter().map(String::as_str));
        }
        if texts.is_empty() {
            return Err(NoScore::NoKernel.into());
        }
        let instructions: u64 = answer.ran.iter().map(|ran| ran.instructions).sum();
        let digests = answer.ran.iter().map(|ran| ran.digest).collect();
        let launched =
            launched.into_iter().map(|names| names.into_iter().map(str::to_owned).collect()).collect();
        Ok(Self { digests, ..Self::of_texts(choice, texts, launched, instructions)? })
    }

    /// Those of the kernels in a text that nobody has run.
    ///
    /// # Errors
    /// [`NoScore::Text`].
    pub fn of_text(choice: &MutantChoice, name: &str, text: &str) -> Result<Self, NoScore> {
        let texts = vec![(name.to_owned(), text.to_owned())];
        let kernels = match is_ptx(text) {
            true => ptx::kernels(text).map_err(|why| unread(name, &why))?,
            false => Vec::new(),
        };
        Self::of_texts(choice, texts, vec![kernels], 0)
    }

    /// Those of texts and the kernels in each.
    fn of_texts(
        choice: &MutantChoice,
        texts: Vec<(String, String)>,
        launched: Vec<Vec<String>>,
        instructions: u64,
    ) -> Result<Self, NoScore> {
        let has_name = |kernel: &str, name: &String| kernel == name || readable(kernel) == *name;
        let is_asked = |kernel: &str| {
            choice.kernels.is_empty() || choice.kernels.iter().any(|name| has_name(kernel, name))
        };
        for name in &choice.kernels {
            let known = || launched.iter().flatten().map(String::as_str);
            if !known().any(|kernel| has_name(kernel, name)) {
                let kernels = known().collect::<Vec<_>>().join(", ");
                return Err(NoScore::NoSuchKernel { name: name.clone(), kernels });
            }
        }
        let mut mutants = Vec::new();
        for (i, (name, text)) in texts.iter().enumerate() {
            let all = launched[i].iter().map(String::as_str);
            let kernels: Vec<&str> = all.filter(|kernel| is_asked(kernel)).collect();
            if kernels.is_empty() && !launched[i].is_empty() {
                continue;
            }
            let own = match is_ptx(text) {
                true => ptx::mutants(text, &kernels).map_err(|why| unread(name, &why))?,
                false => ir::mutants(text),
            };
            let is_kind = |mutant: &Mutant| choice.kinds.is_empty() || choice.kinds.contains(&mutant.kind);
            mutants.extend(own.into_iter().filter(is_kind).map(|mutant| (i, relative(mutant))));
        }
        let budget = instructions.saturating_mul(BUDGET).max(LEAST_BUDGET);
        Ok(Self { texts, mutants, digests: Vec::new(), budget })
    }

    /// Asks a test about the mutants of a choice. `heard` is told each verdict.
    ///
    /// # Errors
    /// Those of `ask`.
    pub fn judge<E>(
        &self,
        choice: &MutantChoice,
        test: &str,
        asked: &str,
        ask: &mut dyn FnMut(Trial) -> Result<TestAnswer, E>,
        heard: &mut dyn FnMut(&Judged),
    ) -> Result<Score, E> {
        let began = Instant::now();
        let all: Vec<&Mutant> = self.mutants.iter().map(|(_, mutant)| mutant).collect();
        let order = sample::order(&all, choice.seed);
        let wanted = choice.count.unwrap_or(usize::MAX);
        let mut score = Score {
            test: test.into(),
            asked: asked.into(),
            available: all.len(),
            seed: choice.seed,
            ..Score::default()
        };
        let mut others: Option<Option<Vec<u64>>> = None;
        let mut judged = Vec::new();
        for i in order {
            if judged.len() >= wanted {
                break;
            }
            if choice.time.is_some_and(|time| began.elapsed() >= time) {
                score.left = wanted.min(all.len()).saturating_sub(judged.len());
                break;
            }
            let (file, mutant) = &self.mutants[i];
            let (name, text) = &self.texts[*file];
            let substitution = Substitution { text: text.clone(), instead: mutant.apply(text) };
            let trial =
                Trial { substitution: Some(substitution), budget: Some(self.budget), ..Trial::default() };
            let answer = ask(trial.clone())?;
            let is = |applied: Applied| answer.ran.iter().any(|ran| ran.applied == applied);
            match () {
                () if is(Applied::Unreadable) => score.unreadable += 1,
                () if is(Applied::Same) => score.same += 1,
                () => {
                    let mut verdict = self.verdict(&answer);
                    if verdict.values == Values::Equal && verdict.found.is_empty() {
                        verdict.values = match is_reached(mutant, text, &trial, ask)? {
                            true => self.with_other_floats(trial, &mut others, ask)?,
                            false => Values::Unreached,
                        };
                    }
                    let own = Judged { file: name.clone(), mutant: mutant.clone(), verdict };
                    heard(&own);
                    judged.push((i, own));
                }
            }
        }
        judged.sort_by_key(|(i, _)| *i);
        score.mutants = judged.into_iter().map(|(_, judged)| judged).collect();
        Ok(score)
    }

    /// The verdict by the answer of the test.
    fn verdict(&self, answer: &TestAnswer) -> MutantVerdict {
        let found: BTreeSet<&String> = answer.ran.iter().flat_map(|ran| &ran.found).collect();
        let found: Vec<String> = found.into_iter().cloned().collect();
        if answer.is_late {
            return MutantVerdict { values: Values::Stuck, found };
        }
        if answer.ran.iter().any(|ran| ran.ended) {
            return MutantVerdict::ended(found);
        }
        let digests = answer.ran.iter().map(|ran| ran.digest);
        let values = match answer.passes {
            false => Values::Noticed,
            true if digests.ne(self.digests.iter().copied()) => Values::Tolerated,
            true => Values::Equal,
        };
        MutantVerdict { values, found }
    }

    /// Whether a mutant without an effect has one with other floats. `others` are the results of
    /// the kernel with them, once they are known.
    fn with_other_floats<E>(
        &self,
        mutant: Trial,
        others: &mut Option<Option<Vec<u64>>>,
        ask: &mut dyn FnMut(Trial) -> Result<TestAnswer, E>,
    ) -> Result<Values, E> {
        let mut results = |trial: Trial| -> Result<Option<Vec<u64>>, E> {
            let ran = ask(Trial { other_floats: Some(FLOATS), ..trial })?.ran;
            let is_clean = ran.iter().all(|ran| ran.found.is_empty() && !ran.ended);
            Ok(is_clean.then(|| ran.iter().map(|ran| ran.digest).collect()))
        };
        let right = match others {
            Some(right) => right.clone(),
            None => {
                let budget = mutant.budget;
                others.insert(results(Trial { budget, ..Trial::default() })?).clone()
            }
        };
        let Some(right) = right else { return Ok(Values::Equal) };
        Ok(if results(mutant)? == Some(right) { Values::Equal } else { Values::Hidden })
    }
}

//! Tests of Python that are asked about mutants of the kernels that they run.

use cute_mutate::{
    Kind,
    judge::{MutantChoice, Mutants, NoScore, TestAnswer},
    score,
    session::{self, Interrupted},
    trial::Trial,
};
use pyo3::{
    create_exception,
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
};
use std::time::Duration;

create_exception!(cute_mlir, NoScoreError, PyValueError, "A test cannot be asked about mutants.");

/// Why a run or a judgement ends.
pub(crate) enum Failed {
    /// By an exception.
    Raised(PyErr),
    /// A run of a mutant has no result.
    Interrupted(Interrupted),
    /// There is no score.
    NoScore(NoScore),
}

impl From<Interrupted> for Failed {
    fn from(why: Interrupted) -> Self {
        Self::Interrupted(why)
    }
}

impl From<NoScore> for Failed {
    fn from(why: NoScore) -> Self {
        Self::NoScore(why)
    }
}

impl From<PyErr> for Failed {
    fn from(why: PyErr) -> Self {
        Self::Raised(why)
    }
}

impl From<Failed> for PyErr {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Raised(why) => why,
            Failed::Interrupted(why) => PyRuntimeError::new_err(why.to_string()),
            Failed::NoScore(why) => NoScoreError::new_err(why.to_string()),
        }
    }
}

/// Whether runs are parts of a trial, so that kernels go through PTX.
#[pyfunction]
pub fn trial_goes_on() -> PyResult<bool> {
    Ok(session::is_active().map_err(Failed::from)?)
}

/// The score of a test: its text, and everything as JSON.
///
/// `ask` runs the test and tells whether it passes.
#[pyfunction]
#[pyo3(signature = (ask, test, *, count=None, seed=0, changes=vec![], kernels=vec![], seconds=None))]
#[allow(clippy::too_many_arguments, reason = "they have names")]
pub fn judge(
    py: Python<'_>,
    ask: Py<PyAny>,
    test: &str,
    count: Option<usize>,
    seed: u64,
    changes: Vec<String>,
    kernels: Vec<String>,
    seconds: Option<f64>,
) -> PyResult<(String, String)> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|why| PyValueError::new_err(format!("time: {why}")))?;
    let kinds = changes.iter().map(|name| kind(name)).collect::<PyResult<_>>()?;
    let choice = MutantChoice { count, seed, kinds, kernels, time };
    let mut answer = |trial: Trial| -> Result<TestAnswer, Failed> {
        session::begin(trial)?;
        let passes = ask.call0(py).and_then(|passes| passes.extract::<bool>(py));
        let ran = session::end()?;
        Ok(TestAnswer { passes: passes?, is_late: false, ran })
    };
    let judged = Mutants::of(&choice, &mut answer)
        .and_then(|mutants| mutants.judge(&choice, test, "its own checks", &mut answer, &mut |_| {}));
    let score: score::Score = judged?;
    let json = serde_json::to_string(&score.data()).expect("a score has a form in JSON");
    Ok((score.to_string(), json))
}

fn kind(name: &str) -> PyResult<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        PyValueError::new_err(format!("'{name}' is not a kind of change; they are {names}"))
    })
}

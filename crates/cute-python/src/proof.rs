//! Answers about all sizes of a launch, as objects of Python.
//!
//! They are data: two that say the same are equal, and all of them can be pickled, by their JSON.

use cute_launch::{
    bind::{Face, Variables},
    simulate::Checks,
};
use cute_prove::{Answered, Asked, Called, question};
use cute_sim::Stop;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyType},
};
use serde::Deserialize;
use std::sync::atomic::AtomicU64;

use crate::{
    arrays::Memory,
    passing::Arrays,
    program::{Program, arguments, failed, given, launch_of, named, sums_of, supervised, with_rule},
};

/// The answer whether the barriers of a kernel are right at every size.
#[pyclass(module = "cute_mlir", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash, Deserialize)]
pub(crate) struct Proof {
    /// The symbol of the kernel.
    #[pyo3(get)]
    kernel: String,
    /// `proved`, `counterexample` or `not decided`.
    #[pyo3(get)]
    answer: String,
    /// The smallest size that was asked about.
    #[pyo3(get)]
    first: i64,
    /// The largest size for which it is proved, if there is one.
    #[pyo3(get)]
    most: Option<i64>,
    /// The properties that hold at every size.
    #[pyo3(get)]
    properties: Vec<String>,
    /// The reasons for which they hold.
    #[pyo3(get)]
    evidence: Vec<String>,
    /// The assumptions.
    #[pyo3(get)]
    assumptions: Vec<String>,
    /// The size of a counterexample.
    #[pyo3(get)]
    size: Option<i64>,
    /// The schedule of a counterexample.
    #[pyo3(get)]
    schedule: Option<String>,
    /// The arguments of a counterexample, as texts.
    #[pyo3(get)]
    arguments: Vec<String>,
    /// The finding of the simulator there, as text.
    #[pyo3(get)]
    finding: Option<String>,
    /// The instruction that is not understood, if it is about one.
    #[pyo3(get)]
    place: Option<String>,
    /// Why it is not decided.
    #[pyo3(get)]
    reason: Option<String>,
    /// All of it, as text.
    #[pyo3(get)]
    text: String,
    /// All of it, as JSON.
    #[serde(skip)]
    data: String,
}

impl Proof {
    pub(crate) fn of(answered: &Answered) -> PyResult<Self> {
        Self::new(&serde_json::to_string(answered).map_err(unread)?)
    }
}

fn unread(why: serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("it is not an answer: {why}"))
}

#[pymethods]
impl Proof {
    /// The answer with this JSON.
    #[new]
    fn new(pickled: &str) -> PyResult<Self> {
        let read: Self = serde_json::from_str(pickled).map_err(unread)?;
        Ok(Self { data: pickled.to_owned(), ..read })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str,)) {
        (py.get_type::<Self>(), (&self.data,))
    }

    /// Whether it is proved.
    #[getter]
    fn ok(&self) -> bool {
        self.answer == "proved"
    }

    /// All of it as data: the answer with its fields by their names.
    #[getter]
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.data,))
    }

    fn __str__(&self) -> &str {
        self.text.trim_end()
    }

    fn __repr__(&self) -> String {
        let size = self.size.map_or_else(String::new, |n| format!(", n = {n}"));
        format!("<Proof of {}: {}{size}>", self.kernel, self.answer)
    }
}

/// The exception for a question about all sizes that cannot be asked.
fn not_asked(error: cute_prove::Error) -> PyErr {
    with_rule(failed(&error), error.id())
}

#[pymethods]
impl Program {
    /// Answers whether the barriers of a kernel, or of the one that a host function launches, are
    /// right at every size `n` from `first` on. Texts among the arguments and arrays depend on it.
    #[pyo3(signature = (
        args, *, kernel=None, host=None, grid=None, block=None, cluster=None, shared=None, arrays=None, variables=None,
        first=1, seconds=60.0, strict_isa=false, budget=None, sums=None, sms=None, memory=1024, target=None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they have names")]
    fn prove(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyAny>,
        kernel: Option<&str>,
        host: Option<&str>,
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
        shared: Option<u32>,
        arrays: Option<&Bound<'_, PyDict>>,
        variables: Option<&Bound<'_, PyDict>>,
        first: i64,
        seconds: f64,
        strict_isa: bool,
        budget: Option<u64>,
        sums: Option<&str>,
        sms: Option<u32>,
        memory: u64,
        target: Option<&str>,
    ) -> PyResult<Proof> {
        let _restored = cute_fenv::by_default();
        let program = self.simulated()?;
        let mut own = Arrays::of(Memory::Host);
        let given = given(args, &mut own, &self.callee(host, kernel)?)?;
        let mut others = named(arrays, &mut own)?;
        let set = named(variables, &mut own)?;
        others.append(&mut own.others);
        let hosts = self.names();
        let called = match host {
            Some(name) => Called::Host(self.host(name)?),
            None => {
                let extents = launch_of(grid, block, cluster, shared)?;
                Called::Kernel { name: kernel, extents, hosts: &hosts }
            }
        };
        let stop = Stop::default();
        let variables = Variables { given: &set, program: Some(program) };
        let asked = Asked {
            program,
            manifest: &self.manifest,
            file: &self.name,
            called,
            target: self.for_target(target)?,
            arguments: arguments(&given, &others, variables, memory.saturating_mul(1 << 20), sms),
            checks: Checks {
                strict_isa,
                budget,
                sums: sums_of(sums)?,
                stop: stop.clone(),
                ..Checks::default()
            },
        };
        let question = question(first, seconds, Face::Python).map_err(not_asked)?;
        let run = || asked.answered(question);
        let answered = py.detach(|| supervised(run, not_asked, &stop, &AtomicU64::new(0), None));
        Proof::of(&answered?)
    }
}

//! Findings of the simulator, as objects of Python.
//!
//! They are data: two that say the same are equal, and all of them can be pickled, by the JSON of
//! their fields.

use cute_sim::{
    Side,
    place::{SourcePlace, SourcePoint},
};
use pyo3::{PyTypeInfo, exceptions::PyValueError, prelude::*, types::PyType};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A position in a grid or in a block.
type Position = (u32, u32, u32);

/// A mistake of a kernel.
#[pyclass(module = "cute_mlir", frozen, get_all, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// `error`, `portability` or `note`.
    grade: String,
    /// The kind by its name, such as `race`.
    kind: String,
    /// The id of the rule of the instruction set that kernels are known to rely on breaking.
    rule: Option<String>,
    /// The name of the kernel.
    kernel: String,
    /// The operation.
    op: String,
    /// The kind of the access, such as `write`, if the mistake is one of an access.
    access: Option<String>,
    /// The place in the source, as text.
    location: String,
    /// The place in the source.
    place: Place,
    /// The block's position in the grid.
    block: Position,
    /// The thread's position in the block.
    thread: Position,
    /// The number of the launch, from 1 on.
    launch: u32,
    /// How often it was found.
    count: u64,
    /// The schedules that show it, if the launch ran under several.
    schedules: Vec<String>,
    /// The other side, where two operations make the mistake.
    other: Option<Party>,
    /// All of it, as text.
    text: String,
    /// All of it, as JSON.
    json: String,
}

/// The other side of a mistake that two operations make.
#[pyclass(module = "cute_mlir", frozen, get_all, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Party {
    /// The operation, if it is known.
    op: Option<String>,
    /// The place in the source, as text.
    location: String,
    /// The place in the source.
    place: Place,
    /// The block's position in the grid; `None` for an operation of the host.
    block: Option<Position>,
    /// The thread's position in the block, likewise.
    thread: Option<Position>,
    /// The number of the launch, from 1 on.
    launch: u32,
    /// The kind of the access, such as `write`, if it is one.
    access: Option<String>,
}

/// The object that was pickled as this JSON.
fn unpickled<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(unwritten)
}

/// The class of an object, and the JSON of which it makes an equal one.
fn pickled<'py, T: Serialize + PyTypeInfo>(
    py: Python<'py>,
    object: &T,
) -> PyResult<(Bound<'py, PyType>, (String,))> {
    Ok((py.get_type::<T>(), (serde_json::to_string(object).map_err(unwritten)?,)))
}

#[pymethods]
impl Party {
    #[new]
    fn new(pickled: &str) -> PyResult<Self> {
        unpickled(pickled)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        pickled(py, self)
    }

    fn __repr__(&self) -> String {
        let (access, op) = (self.access.as_deref(), self.op.as_deref());
        format!("<Party {} at {}>", access.or(op).unwrap_or("unknown"), self.location)
    }
}

#[pymethods]
impl Finding {
    #[new]
    fn new(pickled: &str) -> PyResult<Self> {
        unpickled(pickled)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        pickled(py, self)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.kind, self.text)
    }
}

/// The word for a value that JSON has as a word.
fn word(value: impl Serialize) -> PyResult<String> {
    let json = serde_json::to_value(value).map_err(unwritten)?;
    Ok(json.as_str().unwrap_or_default().to_owned())
}

impl Finding {
    pub fn of(kernel: &str, finding: &cute_sim::Finding) -> PyResult<Self> {
        let own = finding.own_side();
        Ok(Self {
            grade: word(finding.grade)?,
            kind: finding.kind.name().to_owned(),
            rule: finding.rule.map(|rule| rule.id.to_owned()),
            kernel: kernel.to_owned(),
            op: finding.op.clone(),
            access: own.access.map(word).transpose()?,
            location: finding.location.to_string(),
            place: Place::of(&finding.location),
            block: finding.block.into(),
            thread: finding.thread.into(),
            launch: finding.launch,
            count: finding.count,
            schedules: finding.schedules.iter().map(ToString::to_string).collect(),
            other: finding.other().map(Party::of).transpose()?,
            text: finding.to_string(),
            json: serde_json::to_string(finding).map_err(unwritten)?,
        })
    }
}

impl Party {
    fn of(side: Side<'_>) -> PyResult<Self> {
        Ok(Self {
            op: side.op.map(str::to_owned),
            location: side.location.to_string(),
            place: Place::of(side.location),
            block: side.block.map(Into::into),
            thread: side.thread.map(Into::into),
            launch: side.launch,
            access: side.access.map(word).transpose()?,
        })
    }
}

/// A place in the source.
#[pyclass(module = "cute_mlir", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The file, if it is known.
    #[pyo3(get)]
    file: Option<String>,
    /// The line, from 1 on.
    #[pyo3(get)]
    line: Option<u32>,
    /// The column, from 1 on.
    #[pyo3(get)]
    column: Option<u32>,
    /// The function that is inlined there, for a call.
    #[pyo3(get)]
    function: Option<String>,
    /// The calls that were inlined around it, innermost first.
    #[pyo3(get)]
    inlined: Vec<Place>,
    /// Other places where a call may be.
    #[pyo3(get)]
    others: Vec<Place>,
    origin: Option<Box<Place>>,
}

#[pymethods]
impl Place {
    #[new]
    fn new(pickled: &str) -> PyResult<Self> {
        unpickled(pickled)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        pickled(py, self)
    }

    /// The line of PTX, if that names another place as its source.
    #[getter]
    fn origin(&self) -> Option<Place> {
        self.origin.as_deref().cloned()
    }

    fn __repr__(&self) -> String {
        let Place { file, line, column, .. } = self;
        let number = |number: &Option<u32>| number.map_or_else(String::new, |number| format!(":{number}"));
        format!("<Place {}{}{}>", file.as_deref().unwrap_or("unknown"), number(line), number(column))
    }
}

impl Place {
    fn point(point: Option<&SourcePoint>) -> Self {
        Place {
            file: point.map(|point| point.file.path().to_owned()),
            line: point.map(|point| point.line),
            column: point.and_then(SourcePoint::known_column),
            function: None,
            inlined: Vec::new(),
            others: Vec::new(),
            origin: None,
        }
    }

    pub fn of(place: &SourcePlace) -> Self {
        let inlined = place.inlined.iter().map(|call| {
            let others = call.points.iter().skip(1).map(|point| Self::point(Some(point))).collect();
            let function = call.function.as_deref().map(str::to_owned);
            Place { function, others, ..Self::point(call.points.first()) }
        });
        let origin = place.origin.as_ref().map(|origin| Box::new(Self::point(Some(origin))));
        Place { inlined: inlined.collect(), origin, ..Self::point(place.point.as_ref()) }
    }
}

fn unwritten(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

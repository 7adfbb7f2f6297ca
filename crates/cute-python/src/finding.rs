//! Findings of the simulator, as objects of Python.

use cute_sim::place::{SourcePlace, SourcePoint};
use pyo3::{exceptions::PyValueError, prelude::*};

/// A mistake of a kernel.
#[pyclass(module = "cute_mlir", frozen, get_all)]
pub struct Finding {
    /// `error`, `portability` or `note`.
    grade: String,
    /// The kind by its name, such as `race`.
    kind: String,
    /// The name of the kernel.
    kernel: String,
    /// The operation.
    op: String,
    /// The place in the source, as text.
    location: String,
    /// The place in the source.
    place: Py<Place>,
    /// The block's position in the grid.
    block: (u32, u32, u32),
    /// The thread's position in the block.
    thread: (u32, u32, u32),
    /// The number of the launch, from 1 on.
    launch: u32,
    /// How often it was found.
    count: u64,
    /// The other side, where two accesses make the mistake.
    other: Option<Py<Party>>,
    /// All of it, as text.
    text: String,
    /// All of it, as JSON.
    json: String,
}

/// The other side of a mistake that two accesses make.
#[pyclass(module = "cute_mlir", frozen, get_all)]
pub struct Party {
    /// The operation.
    op: String,
    /// The place in the source, as text.
    location: String,
    /// The place in the source.
    place: Py<Place>,
    /// The block's position in the grid.
    block: (u32, u32, u32),
    /// The thread's position in the block.
    thread: (u32, u32, u32),
    /// The number of the launch, from 1 on.
    launch: u32,
    /// The kind of the access, such as `write`.
    access: String,
}

#[pymethods]
impl Party {
    fn __repr__(&self) -> String {
        format!("<Party {} by {} at {}>", self.access, self.op, self.location)
    }
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.kind, self.text)
    }
}

impl Finding {
    pub fn of(py: Python<'_>, kernel: &str, finding: &cute_sim::Finding) -> PyResult<Self> {
        let json = serde_json::to_value(finding).map_err(unwritten)?;
        let word = |json: &serde_json::Value| json.as_str().unwrap_or_default().to_owned();
        let kind = if json["kind"].is_string() { &json["kind"] } else { &json["kind"]["kind"] };
        let three = |[x, y, z]: [u32; 3]| (x, y, z);
        let other = finding.kind.party().map(|party| {
            let access = serde_json::to_value(party.access).map_err(unwritten)?;
            let (op, location) = (party.op.clone(), party.location.to_string());
            let (block, thread) = (three(party.block), three(party.thread));
            let launch = finding.other().map_or(finding.launch, |other| other.launch);
            let place = Place::of(py, &party.location)?;
            Py::new(py, Party { op, location, place, block, thread, launch, access: word(&access) })
        });
        Ok(Self {
            grade: word(&json["grade"]),
            kind: word(kind),
            kernel: kernel.to_owned(),
            op: finding.op.clone(),
            location: finding.location.to_string(),
            place: Place::of(py, &finding.location)?,
            block: three(finding.block),
            thread: three(finding.thread),
            launch: finding.launch,
            count: finding.count,
            other: other.transpose()?,
            text: finding.to_string(),
            json: json.to_string(),
        })
    }
}

/// A place in the source.
#[pyclass(module = "cute_mlir", frozen, get_all)]
pub struct Place {
    /// The file, if it is known.
    file: Option<String>,
    /// The line, from 1 on.
    line: Option<u32>,
    /// The column, from 1 on.
    column: Option<u32>,
    /// The function that is inlined there, for a call.
    function: Option<String>,
    /// The calls that were inlined around it, innermost first.
    inlined: Vec<Py<Place>>,
    /// Other places where a call may be.
    others: Vec<Py<Place>>,
    /// The line of PTX, if that names another place as its source.
    origin: Option<Py<Place>>,
}

#[pymethods]
impl Place {
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

    fn of(py: Python<'_>, place: &SourcePlace) -> PyResult<Py<Self>> {
        let inlined = place.inlined.iter().map(|call| {
            let others = call.points.iter().skip(1);
            let others =
                others.map(|point| Py::new(py, Self::point(Some(point)))).collect::<PyResult<_>>()?;
            let function = call.function.as_deref().map(str::to_owned);
            Py::new(py, Place { function, others, ..Self::point(call.points.first()) })
        });
        let inlined = inlined.collect::<PyResult<_>>()?;
        let origin =
            place.origin.as_ref().map(|origin| Py::new(py, Self::point(Some(origin)))).transpose()?;
        Py::new(py, Place { inlined, origin, ..Self::point(place.point.as_ref()) })
    }
}

fn unwritten(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

//! Functions by their names, requests, and functions of lists.

use cute_algebra::{
    AnyLayout, Layout as Plain, Tiler, flat_divide, logical_divide, tiled_divide, zipped_divide,
};
use cute_eval::{explain as explanation, registry, request as requests, svg, value::Value};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyTuple,
};

use crate::{
    convert,
    errors::{algebra, evaluation},
    layout::{Layout, composed},
    policy::{domain, session},
};

/// The value of a call.
pub fn computed(py: Python<'_>, name: &str, arguments: Vec<Value>) -> PyResult<Value> {
    let arguments = arguments.into_iter().map(|value| (1, value)).collect();
    session().call(1, name, arguments).map_err(|error| evaluation(py, &error))
}

/// The value of a call for Python.
pub fn called(py: Python<'_>, name: &str, arguments: Vec<Value>) -> PyResult<Py<PyAny>> {
    convert::python(py, computed(py, name, arguments)?)
}

/// The picture of an expression.
pub fn picture(py: Python<'_>, text: &str) -> PyResult<String> {
    let drawn = svg::picture(&session(), &[text], &svg::Picture::default());
    drawn.map_err(|error| evaluation(py, &error))
}

/// Calls a function of the algebra.
#[pyfunction]
#[pyo3(signature = (name, *arguments))]
pub fn call(py: Python<'_>, name: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    let arguments =
        arguments.iter().map(|argument| convert::value(&argument)).collect::<PyResult<Vec<_>>>()?;
    called(py, name, arguments)
}

/// Each function: its name, its other names, its parameters, what it does, an example.
#[pyfunction]
pub fn names() -> Vec<(&'static str, Vec<&'static str>, &'static str, &'static str, &'static str)> {
    registry::functions().map(|f| (f.name, f.aliases.to_vec(), f.parameters, f.doc, f.example)).collect()
}

/// The value of an expression.
#[pyfunction]
pub fn evaluate(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    convert::python(py, session().expression(text).map_err(|error| evaluation(py, &error))?)
}

/// The steps of an operation, as text.
#[pyfunction]
pub fn explain(py: Python<'_>, text: &str) -> PyResult<String> {
    explanation::explain(&session(), text).map_err(|error| evaluation(py, &error))
}

/// The answer to a request in JSON, as JSON.
#[pyfunction]
pub fn request(py: Python<'_>, json: &str) -> String {
    let session = session();
    py.detach(|| {
        let mut answer = requests::answer(&session, json.as_bytes());
        if let Some(serde_json::Value::String(error)) = answer.get_mut("error") {
            *error = crate::errors::spelled(error);
        }
        answer.to_string()
    })
}

/// The layouts in two lists of one length.
fn pairs(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<Vec<(Py<Layout>, Py<Layout>)>> {
    let layouts = |list: &Bound<'_, PyAny>| {
        list.try_iter()?
            .map(|item| {
                let item = item?;
                let layout = item.cast::<Layout>().map_err(|_| {
                    PyTypeError::new_err(format!("a list of layouts has a '{}' in it", item.get_type()))
                })?;
                match layout.get().fixed() {
                    Some(_) => Ok(layout.clone().unbind()),
                    None => Err(PyTypeError::new_err(format!(
                        "{} is not static; compute it alone",
                        layout.str()?
                    ))),
                }
            })
            .collect::<PyResult<Vec<_>>>()
    };
    let (left, right) = (layouts(left)?, layouts(right)?);
    if left.len() != right.len() {
        let (left, right) = (left.len(), right.len());
        return Err(PyValueError::new_err(format!(
            "one list has {left} layouts, and the other one has {right}"
        )));
    }
    Ok(left.into_iter().zip(right).collect())
}

/// Applies a function to each pair without the GIL.
fn each(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    f: impl Fn(&Plain<i64>, &Plain<i64>) -> cute_algebra::error::Result<Layout> + Send + Sync,
) -> PyResult<Vec<Layout>> {
    let pairs = pairs(left, right)?;
    let one = |(i, (a, b)): (usize, &(Py<Layout>, Py<Layout>))| {
        let [a, b] = [a, b].map(|layout| layout.get().fixed().expect("the layouts are static"));
        f(a, b).map_err(|error| (i, error))
    };
    let done = py.detach(|| pairs.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>());
    done.map_err(|(i, error)| {
        let error = algebra(py, &error);
        // Python 3.10 has no notes.
        let _ = error.value(py).call_method1("add_note", (format!("in pair {i}"),));
        error
    })
}

/// The compositions of the pairs of layouts in two lists.
#[pyfunction]
pub fn compositions(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Vec<Layout>> {
    let policy = domain();
    each(py, left, right, move |a, b| composed(policy, a, b))
}

/// The divides of the layouts in one list by the tilers in another, by the name of a divide.
#[pyfunction]
pub fn divides(
    py: Python<'_>,
    name: &str,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Vec<Layout>> {
    let divide: fn(&AnyLayout<i64>, &Tiler<i64>) -> cute_algebra::error::Result<AnyLayout<i64>> = match name {
        "logical_divide" => logical_divide,
        "zipped_divide" => zipped_divide,
        "tiled_divide" => tiled_divide,
        "flat_divide" => flat_divide,
        _ => {
            return Err(PyValueError::new_err(format!(
                "'{name}' must be logical_divide, zipped_divide, tiled_divide or flat_divide"
            )));
        }
    };
    let policy = domain();
    each(py, left, right, move |a, b| {
        let (a, b) = (AnyLayout::Plain(a.clone()), Tiler::Layout(b.clone()));
        policy.divide(&a, &b)?;
        match divide(&a, &b)? {
            AnyLayout::Plain(plain) => Ok(plain.into()),
            AnyLayout::Composed(_) => unreachable!("the divide of a plain layout is plain"),
        }
    })
}

/// Whether a text is PTX.
#[pyfunction]
pub fn is_ptx(text: &str) -> bool {
    cute_launch::ptx::is_ptx(text)
}

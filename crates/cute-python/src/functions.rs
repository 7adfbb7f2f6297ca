//! Functions by their names, requests, and functions of lists.

use cute_algebra::{CopyLayouts, Layout as Plain, TiledCopy, Tiler};
use cute_eval::{
    explain as explanation,
    registry::{self, Arg, Fixed, Number},
    request as requests, svg,
    value::Value,
};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyTuple,
};

use crate::{
    convert,
    errors::{algebra, evaluation},
    layout::Layout,
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
    if let Some(fixed) = registry::find(name).and_then(|function| function.fixed)
        && let Some(done) = in_numbers(fixed, arguments)
    {
        return match done.map_err(|error| algebra(py, &error))? {
            Number::Integer(number) => number.into_py_any(py),
            Number::Layout(layout) => Layout::from(layout).into_py_any(py),
        };
    }
    let arguments =
        arguments.iter().map(|argument| convert::value(&argument)).collect::<PyResult<Vec<_>>>()?;
    called(py, name, arguments)
}

/// The value of a function of static operands; `None` if there are others, or more than the short
/// way takes.
fn in_numbers(fixed: Fixed, arguments: &Bound<'_, PyTuple>) -> Option<cute_algebra::error::Result<Number>> {
    let short = |layout: &Plain<i64>| layout.flat().len() <= convert::MOST_SHORT;
    let first = arguments.get_borrowed_item(0).ok()?;
    let layout = first.cast::<Layout>().ok()?.get().fixed().filter(|layout| short(layout))?;
    let operand = match arguments.len() {
        1 => None,
        2 => {
            let second = arguments.get_borrowed_item(1).ok()?;
            Some(match second.cast::<Layout>() {
                Ok(tiler) => Tiler::Layout(tiler.get().fixed().filter(|tiler| short(tiler))?.clone()),
                Err(_) => Tiler::Shape(convert::leaves(&second, convert::number)?),
            })
        }
        _ => return None,
    };
    fixed.call(domain(), layout, operand.as_ref())
}

/// A function's name, its other names, its parameters, what it does, an example, and the kind of
/// its values.
type Described = (&'static str, Vec<&'static str>, &'static str, &'static str, &'static str, &'static str);

/// The tiler and the thread-value layout of threads and values that are laid out in a tile.
#[pyfunction]
pub fn make_layout_tv(
    py: Python<'_>,
    thr_layout: &Bound<'_, PyAny>,
    val_layout: &Bound<'_, PyAny>,
) -> PyResult<(Py<PyAny>, Layout)> {
    let fixed = |ob: &Bound<'_, PyAny>, what: &str| -> PyResult<Plain<i64>> {
        let arg = Arg { what: what.into(), column: 1, value: convert::value(ob)? };
        arg.constant().map_err(|error| evaluation(py, &error))
    };
    let (threads, values) = (fixed(thr_layout, "thr_layout")?, fixed(val_layout, "val_layout")?);
    let copy = CopyLayouts::of_thread(1).and_then(|one| TiledCopy::of_thread_values(one, &threads, &values));
    let copy = copy.map_err(|error| algebra(py, &error))?;
    Ok((convert::tile(py, copy.tiler())?, copy.tv().clone().into()))
}

/// Each function of the algebra.
#[pyfunction]
pub fn names() -> Vec<Described> {
    registry::functions()
        .map(|f| (f.name, f.aliases.to_vec(), f.parameters, f.doc, f.example, f.result().name()))
        .collect()
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
    function: Fixed,
) -> PyResult<Vec<Layout>> {
    let (pairs, policy) = (pairs(left, right)?, domain());
    let one = |(i, (a, b)): (usize, &(Py<Layout>, Py<Layout>))| {
        let [a, b] = [a, b].map(|layout| layout.get().fixed().expect("the layouts are static"));
        match function.call(policy, a, Some(&Tiler::Layout(b.clone()))) {
            Some(Ok(Number::Layout(layout))) => Ok(Layout::from(layout)),
            Some(Err(error)) => Err((i, error)),
            _ => unreachable!("a divide and a composition make a layout of a layout and a tiler"),
        }
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
    let composition = registry::find("composition").and_then(|function| function.fixed);
    each(py, left, right, composition.expect("the table has it, of static layouts"))
}

/// The divides of the layouts in one list by the tilers in another, by the name of a divide.
#[pyfunction]
pub fn divides(
    py: Python<'_>,
    name: &str,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Vec<Layout>> {
    let is_divide = matches!(name, "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide");
    let Some(divide) = registry::find(name).and_then(|function| function.fixed).filter(|_| is_divide) else {
        return Err(PyValueError::new_err(format!(
            "'{name}' must be logical_divide, zipped_divide, tiled_divide or flat_divide"
        )));
    };
    each(py, left, right, divide)
}

/// Whether a text is PTX.
#[pyfunction]
pub fn is_ptx(text: &str) -> bool {
    cute_launch::ptx::is_ptx(text)
}

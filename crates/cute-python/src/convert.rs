//! Values of Python as values of the algebra, and back.
//!
//! | Python | algebra |
//! |---|---|
//! | int, and what has `__index__` | an integer |
//! | tuple, list | a tuple; with None a coordinate, with `E` a stride |
//! | None | `_` |
//! | str | the expression in it |
//! | objects of `cute_mlir` | themselves |
//! | objects with `shape` and `stride` | a layout |

use cute_algebra::{AnyLayout, Coord, Crd, Int as _, Layout as Plain, Stride, Tuple, TupleRef};
use cute_eval::{leaf::Leaf, value::Value};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyOverflowError, PyRecursionError, PyTypeError},
    prelude::*,
    types::{PyBool, PyInt, PyList, PyString, PyTuple},
};

use crate::{
    errors::evaluation,
    expression::{self, Expression},
    layout::Layout,
    policy::session,
};

/// The levels of tuples that a value may have.
const MOST_LEVELS: usize = cute_eval::value::MAX_DEPTH;

/// The value of an argument.
pub fn value(ob: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(ob, 0)
}

fn nested(ob: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > MOST_LEVELS {
        return Err(PyRecursionError::new_err(format!("tuples nest more than {MOST_LEVELS} levels deep")));
    }
    if let Ok(layout) = ob.cast::<Layout>() {
        return Ok(layout.get().value());
    }
    if let Ok(integer) = ob.cast_exact::<PyInt>() {
        return integer_value(integer.as_any());
    }
    if let Ok(tuple) = ob.cast::<PyTuple>() {
        return of_modes(ob.py(), tuple.iter(), depth);
    }
    if let Ok(list) = ob.cast::<PyList>() {
        return of_modes(ob.py(), list.iter(), depth);
    }
    if let Ok(expression) = ob.cast::<Expression>() {
        return Ok(expression.get().value.clone());
    }
    if ob.is_none() {
        return Ok(Value::Coord(Tuple::leaf(Crd::Underscore)));
    }
    if let Ok(text) = ob.cast::<PyString>() {
        return session().expression(text.to_str()?).map_err(|error| evaluation(ob.py(), &error));
    }
    if ob.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{ob} is a truth value, where an integer is needed")));
    }
    if ob.hasattr("__index__")? {
        return integer_value(&ob.call_method0("__index__")?);
    }
    if let (Ok(shape), Ok(stride)) = (ob.getattr("shape"), ob.getattr("stride"))
        && !shape.is_callable()
    {
        return Ok(Layout::of(ob.py(), &shape, Some(&stride))?.value());
    }
    Err(PyTypeError::new_err(format!(
        "'{}' is not a layout, an integer, a tuple, None or text",
        ob.get_type().name()?
    )))
}

fn integer_value(ob: &Bound<'_, PyAny>) -> PyResult<Value> {
    ob.extract::<i64>()
        .map(Value::integer)
        .map_err(|_| PyOverflowError::new_err(format!("{ob} does not fit 64 bits")))
}

fn of_modes<'py>(
    py: Python<'py>,
    modes: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
) -> PyResult<Value> {
    let modes = modes.map(|mode| Ok((1, nested(&mode, depth + 1)?))).collect::<PyResult<Vec<_>>>()?;
    cute_eval::eval::tuple(modes).map_err(|error| evaluation(py, &error))
}

/// A value for Python.
pub fn python(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Tuple(tuple) => tree(py, tuple.view(), &|leaf| integer(py, leaf)),
        Value::Coord(coord) => coordinate(py, &coord),
        Value::Stride(stride) => strides(py, &stride),
        Value::Layout(AnyLayout::Plain(plain)) => Layout::from(plain).into_py_any(py),
        Value::Truth(truth) => truth.into_py_any(py),
        Value::Part { offset, layout } => {
            let offset = python(py, Value::Tuple(offset))?;
            (offset, python(py, Value::Layout(layout))?).into_py_any(py)
        }
        other => expression::object(py, other),
    }
}

/// A tree of tuples.
pub fn tree<T>(
    py: Python<'_>,
    tuple: TupleRef<'_, T>,
    leaf: &impl Fn(&T) -> PyResult<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    match tuple.as_leaf() {
        Some(own) => leaf(own),
        None => {
            let modes = tuple.modes().map(|mode| tree(py, mode, leaf)).collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, modes)?.into_py_any(py)
        }
    }
}

fn integer(py: Python<'_>, leaf: &Leaf) -> PyResult<Py<PyAny>> {
    match leaf.as_static() {
        Some(number) => number.into_py_any(py),
        None => expression::object(py, Value::Tuple(Tuple::leaf(leaf.clone()))),
    }
}

fn coordinate(py: Python<'_>, coord: &Coord<Leaf>) -> PyResult<Py<PyAny>> {
    tree(py, coord.view(), &|crd| match crd {
        Crd::Int(leaf) => integer(py, leaf),
        Crd::Underscore => Ok(py.None()),
    })
}

fn strides(py: Python<'_>, stride: &Tuple<Stride<Leaf>>) -> PyResult<Py<PyAny>> {
    tree(py, stride.view(), &|stride| match stride.as_int() {
        Some(leaf) => integer(py, leaf),
        None => expression::object(py, Value::Stride(Tuple::leaf(stride.clone()))),
    })
}

/// The shape of a layout.
pub fn shape<I: cute_algebra::Int>(
    py: Python<'_>,
    layout: &Plain<I>,
    leaf: impl Fn(&I) -> Leaf,
) -> PyResult<Py<PyAny>> {
    tree(py, layout.shape().view(), &|extent| integer(py, &leaf(extent)))
}

/// The stride of a layout.
pub fn stride(py: Python<'_>, layout: &Plain<Leaf>) -> PyResult<Py<PyAny>> {
    strides(py, layout.stride())
}

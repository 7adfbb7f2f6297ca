//! Values of Python as values of the algebra, and back.
//!
//! | Python | algebra |
//! |---|---|
//! | int, and what has `__index__` | an integer |
//! | tuple, list, generator | a tuple; with None a coordinate, with `E` a stride, with layouts a tile |
//! | None | `_` |
//! | str | the expression in it |
//! | objects of `cute_mlir` | themselves |
//! | objects with `shape` and `stride` | a layout |

use cute_algebra::{
    AnyLayout, Coord, Crd, Int as _, Layout as Plain, Profile, Stride, Tile, Tuple, TupleRef,
};
use cute_eval::{
    leaf::Leaf,
    value::{MAX_LEAVES, Value},
};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyOverflowError, PyRecursionError, PyTypeError},
    prelude::*,
    types::{PyBool, PyInt, PyIterator, PyList, PyString, PyTuple},
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
    nested(ob, 0, &text)
}

/// The value of a coordinate: integers and None, but no text.
pub fn coordinate_value(ob: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(ob, 0, &|text| {
        let shown = text.repr()?;
        Err(PyTypeError::new_err(format!("{shown} is text, but a coordinate has integers and None")))
    })
}

/// The expression in a text.
fn text(ob: &Bound<'_, PyString>) -> PyResult<Value> {
    session().expression(ob.to_str()?).map_err(|error| evaluation(ob.py(), &error))
}

/// The tree of an object whose leaves all are what `leaf` takes; `None` for any other object. It is
/// the short way for operands that are static: [`value`] takes them as well, and more.
pub fn leaves<T>(ob: &Bound<'_, PyAny>, leaf: impl Fn(&Bound<'_, PyAny>) -> Option<T>) -> Option<Tuple<T>> {
    fn walk<T>(
        ob: &Bound<'_, PyAny>,
        leaf: &impl Fn(&Bound<'_, PyAny>) -> Option<T>,
        depth: usize,
        arities: &mut Vec<u32>,
        out: &mut Vec<T>,
    ) -> Option<()> {
        let Ok(tuple) = ob.cast_exact::<PyTuple>() else {
            arities.push(Profile::LEAF);
            out.push(leaf(ob)?);
            return (out.len() <= MOST_SHORT).then_some(());
        };
        arities.push(u32::try_from(tuple.len()).ok()?);
        if depth == MOST_LEVELS {
            return None;
        }
        tuple.iter_borrowed().try_for_each(|mode| walk(&mode, leaf, depth + 1, arities, out))
    }
    let (mut arities, mut out) = (Vec::with_capacity(8), Vec::with_capacity(4));
    walk(ob, &leaf, 0, &mut arities, &mut out)?;
    Tuple::from_profile(Profile::from_arities(arities)?, out)
}

/// The most leaves of an operand of the short ways, so that no result has more than [`MAX_LEAVES`].
pub const MOST_SHORT: usize = 32;

/// An integer of Python that fits 64 bits, alone.
pub fn number(ob: &Bound<'_, PyAny>) -> Option<i64> {
    ob.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// A leaf of a coordinate: a [`number`] or None.
pub fn index(ob: &Bound<'_, PyAny>) -> Option<Crd<i64>> {
    if ob.is_none() { Some(Crd::Underscore) } else { number(ob).map(Crd::Int) }
}

type Text<'a> = &'a dyn Fn(&Bound<'_, PyString>) -> PyResult<Value>;

fn nested(ob: &Bound<'_, PyAny>, depth: usize, text: Text<'_>) -> PyResult<Value> {
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
        return of_modes(ob.py(), tuple.iter().map(Ok), depth, text);
    }
    if let Ok(list) = ob.cast::<PyList>() {
        return of_modes(ob.py(), list.iter().map(Ok), depth, text);
    }
    if let Ok(expression) = ob.cast::<Expression>() {
        return Ok(expression.get().value.clone());
    }
    if ob.is_none() {
        return Ok(Value::Coord(Tuple::leaf(Crd::Underscore)));
    }
    if let Ok(own) = ob.cast::<PyString>() {
        return text(own);
    }
    if ob.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{ob} is a truth value, where an integer is needed")));
    }
    if ob.hasattr("__index__")? {
        return integer_value(&ob.call_method0("__index__")?);
    }
    if let Ok(iterator) = ob.cast::<PyIterator>() {
        // One without an end yields one mode more than a result may have.
        return of_modes(ob.py(), iterator.try_iter()?.take(MAX_LEAVES + 1), depth, text);
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
    modes: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
    depth: usize,
    text: Text<'_>,
) -> PyResult<Value> {
    let modes = modes.map(|mode| Ok((1, nested(&mode?, depth + 1, text)?))).collect::<PyResult<Vec<_>>>()?;
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

/// A tile as a tuple, as CuTe has it.
pub fn tile(py: Python<'_>, tile: &Tile<i64>) -> PyResult<Py<PyAny>> {
    match tile {
        Tile::Int(extent) => extent.into_py_any(py),
        Tile::Layout(layout) => Layout::from(layout.clone()).into_py_any(py),
        Tile::Underscore => Ok(py.None()),
        Tile::Modes(modes) => {
            let modes = modes.iter().map(|mode| self::tile(py, mode)).collect::<PyResult<Vec<_>>>()?;
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

//! The classes of values that are neither layouts nor numbers. Each is made of its text, which is
//! also what it prints.

use std::hash::{DefaultHasher, Hash, Hasher};

use cute_algebra::{AnyLayout, Inner};
use cute_eval::{
    leaf::Leaf,
    tilings::{Fact, FactValue, Tiling},
    value::Value,
};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyAttributeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyTuple, PyType},
};

use crate::{convert, errors::evaluation, functions, layout::Layout, policy::session};

/// A value of the algebra.
#[pyclass(module = "cute_mlir", frozen, subclass)]
pub struct Expression {
    /// The value, as the crate that evaluates has it.
    pub value: Value,
}

#[pymethods]
impl Expression {
    fn __str__(&self) -> String {
        self.value.to_string()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("{}(\"{}\")", slf.get_type().name()?, slf.get().value))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.value.to_string() == other.get().value.to_string())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.value.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().value.to_string(),))
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    /// The facts of an atom or a tiling, as attributes.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match facts(&self.value).iter().find(|fact| fact.name == name) {
            Some(found) => fact(py, &found.value),
            None => Err(PyAttributeError::new_err(format!("{} has no '{name}'", self.value))),
        }
    }

    /// The facts of an atom or a tiling, by their names.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for found in facts(&self.value) {
            all.set_item(&found.name, fact(py, &found.value)?)?;
        }
        Ok(all)
    }

    /// The picture of the value, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        functions::picture(py, &self.value.to_string()).ok()
    }
}

/// Evaluates text, and checks that the value is of a class.
fn made(py: Python<'_>, text: &str, class: &str, is: impl FnOnce(&Value) -> bool) -> PyResult<Expression> {
    let value = session().expression(text).map_err(|error| evaluation(py, &error))?;
    match is(&value) {
        true => Ok(Expression { value }),
        false => Err(PyTypeError::new_err(format!("'{text}' is {}, not of class {class}", value.kind()))),
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident: $is:expr;)*) => {
        $(
            $(#[$doc])*
            #[pyclass(extends = Expression, module = "cute_mlir", frozen, subclass)]
            pub struct $name;

            impl $name {
                fn text(py: Python<'_>, text: &str) -> PyResult<PyClassInitializer<Self>> {
                    Ok(PyClassInitializer::from(made(py, text, stringify!($name), $is)?).add_subclass($name))
                }
            }
        )*

        /// The object for a value.
        pub fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
            $(
                let is: fn(&Value) -> bool = $is;
                if is(&value) {
                    let object = PyClassInitializer::from(Expression { value }).add_subclass($name);
                    return Py::new(py, object)?.into_py_any(py);
                }
            )*
            Expression { value }.into_py_any(py)
        }
    };
}

classes! {
    /// A function of two layouts or a swizzle and a layout, `inner o offset o outer`.
    ComposedLayout: |value| matches!(value, Value::Layout(AnyLayout::Composed(_)));
    /// A swizzle of the bits of offsets: `Swizzle(3, 4, 3)`.
    Swizzle: |value| matches!(value, Value::Swizzle(_));
    /// A tiler by mode: `Tile(4, Layout(8, 2), None)`.
    Tile: |value| matches!(value, Value::Tile(_));
    /// An integer that is known at run time only: `Int("?{div=8}")`; `Int("?8")` will be 8.
    Int: |value| matches!(value, Value::Tuple(tuple) if tuple.is_leaf());
    /// An element of a basis: `E(0)` is the first, `E(1, 0)` the first of the second.
    E: |value| matches!(value, Value::Stride(stride) if stride.is_leaf());
    /// An instruction: `Atom("SM80_16x8x16_F32F16F16F32_TN")`.
    Atom: |value| matches!(value, Value::Atom(_));
    /// An MMA atom laid over threads: `TiledMma(atom, threads, permutation)`.
    TiledMma: |value| matches!(value, Value::Tiling(tiling) if matches!(**tiling, Tiling::Mma { .. }));
    /// A copy atom laid over threads: `TiledCopy(atom, bits, threads, values)`.
    TiledCopy: |value| matches!(value, Value::Tiling(tiling) if matches!(**tiling, Tiling::Copy { .. }));
}

/// The facts of an atom or a tiling, by name.
fn facts(value: &Value) -> Vec<Fact> {
    match value {
        Value::Atom(atom) => atom.facts(),
        Value::Tiling(tiling) => tiling.facts().unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn fact(py: Python<'_>, value: &FactValue) -> PyResult<Py<PyAny>> {
    match value {
        FactValue::Layout(layout) => Layout::from(layout.clone()).into_py_any(py),
        FactValue::Tile(tile) => object(py, Value::Tile(tile.map(&mut |n| Leaf::fixed(*n)))),
        FactValue::Extents(extents) => PyTuple::new(py, extents)?.into_py_any(py),
        FactValue::Number(number) => number.into_py_any(py),
    }
}

/// The text of an argument, in the language of expressions.
fn text(argument: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(convert::value(argument)?.to_string())
}

#[pymethods]
impl ComposedLayout {
    #[new]
    #[pyo3(signature = (inner, offset=None, outer=None))]
    fn new(
        py: Python<'_>,
        inner: &Bound<'_, PyAny>,
        offset: Option<&Bound<'_, PyAny>>,
        outer: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        match (offset, outer) {
            (Some(offset), Some(outer)) => {
                let parts =
                    [inner, offset, outer].map(convert::value).into_iter().collect::<PyResult<_>>()?;
                let value = functions::computed(py, "make_composed_layout", parts)?;
                Ok(PyClassInitializer::from(Expression { value }).add_subclass(Self))
            }
            (None, None) => Self::text(py, &text(inner)?),
            _ => Err(PyTypeError::new_err(
                "ComposedLayout takes inner, offset and outer, as in ComposedLayout(swizzle, 0, layout), or its text",
            )),
        }
    }

    /// The offset of a coordinate; with None in it, the part of the layout at the coordinate.
    #[pyo3(signature = (*coord))]
    fn __call__(slf: &Bound<'_, Self>, coord: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        let coord = match coord.len() {
            1 => convert::coordinate_value(&coord.get_item(0)?)?,
            _ => convert::coordinate_value(coord.as_any())?,
        };
        let name = if matches!(coord, Value::Coord(_)) { "slice" } else { "crd2idx" };
        functions::called(slf.py(), name, vec![coord, slf.as_super().get().value.clone()])
    }

    /// The shape.
    #[getter]
    fn shape(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        functions::called(slf.py(), "shape", vec![slf.as_super().get().value.clone()])
    }

    /// The number of coordinates.
    fn size(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        functions::called(slf.py(), "size", vec![slf.as_super().get().value.clone()])
    }

    /// The offset that is added in front of the inner function.
    #[getter]
    fn offset(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        functions::called(slf.py(), "offset", vec![slf.as_super().get().value.clone()])
    }

    /// The layout that defines the domain.
    #[getter]
    fn outer(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        functions::called(slf.py(), "outer", vec![slf.as_super().get().value.clone()])
    }

    /// The swizzle or the layout that is applied last.
    #[getter]
    fn inner(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let value = match &slf.as_super().get().value {
            Value::Layout(AnyLayout::Composed(composed)) => match composed.inner() {
                Inner::Swizzle(swizzle) => Value::Swizzle(*swizzle),
                Inner::Layout(layout) => Value::Layout((**layout).clone().into()),
            },
            other => other.clone(),
        };
        convert::python(slf.py(), value)
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        let value = slf.as_super().get().value.clone();
        functions::called(slf.py(), "rank", vec![value])?.extract(slf.py())
    }

    /// `A @ B` is the composition A o B.
    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let own = slf.as_super().get().value.clone();
        functions::called(slf.py(), "composition", vec![own, convert::value(other)?])
    }
}

#[pymethods]
impl Swizzle {
    #[new]
    #[pyo3(signature = (bits, base=None, shift=None))]
    fn new(
        py: Python<'_>,
        bits: &Bound<'_, PyAny>,
        base: Option<i64>,
        shift: Option<i64>,
    ) -> PyResult<PyClassInitializer<Self>> {
        match (base, shift) {
            (Some(base), Some(shift)) => Self::text(py, &format!("S<{},{base},{shift}>", text(bits)?)),
            (None, None) if convert::number(bits).is_none() => Self::text(py, &text(bits)?),
            _ => Err(PyTypeError::new_err(
                "Swizzle takes bits, base and shift, as in Swizzle(3, 4, 3), or its text",
            )),
        }
    }

    /// The swizzled offset.
    fn __call__(slf: &Bound<'_, Self>, offset: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let own = slf.as_super().get().value.clone();
        functions::called(slf.py(), "apply", vec![own, convert::value(offset)?])
    }

    /// `S @ L` is the layout whose offsets are swizzled.
    fn __matmul__(slf: &Bound<'_, Self>, layout: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let own = slf.as_super().get().value.clone();
        functions::called(slf.py(), "composition", vec![own, convert::value(layout)?])
    }
}

#[pymethods]
impl Tile {
    #[new]
    #[pyo3(signature = (*modes))]
    fn new(py: Python<'_>, modes: &Bound<'_, PyTuple>) -> PyResult<PyClassInitializer<Self>> {
        let modes = modes.iter().map(|mode| text(&mode)).collect::<PyResult<Vec<_>>>()?;
        match modes.as_slice() {
            [one] if one.starts_with('[') => Self::text(py, one),
            _ => Self::text(py, &format!("[{}]", modes.join(";"))),
        }
    }
}

#[pymethods]
impl Int {
    #[new]
    fn new(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<PyClassInitializer<Self>> {
        Self::text(py, &text(value)?)
    }
}

#[pymethods]
impl E {
    #[new]
    #[pyo3(signature = (*path))]
    fn new(py: Python<'_>, path: &Bound<'_, PyTuple>) -> PyResult<PyClassInitializer<Self>> {
        if path.len() == 1
            && let Ok(text) = path.get_item(0)?.extract::<String>()
        {
            return Self::text(py, &text);
        }
        if path.is_empty() {
            return Err(PyValueError::new_err("E takes the index of a mode, or several, outermost first"));
        }
        let path = path.iter().map(|index| text(&index)).collect::<PyResult<Vec<_>>>()?;
        Self::text(py, &format!("1@{}", path.join("@")))
    }
}

#[pymethods]
impl Atom {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<PyClassInitializer<Self>> {
        Self::text(py, name)
    }
}

/// The text of a tiling, if that is the only argument.
fn tiling_text(arguments: &Bound<'_, PyTuple>) -> Option<String> {
    let only = arguments.get_item(0).ok().filter(|_| arguments.len() == 1)?;
    only.extract::<String>().ok().filter(|text| text.contains('('))
}

/// The value of a call.
fn tiling(py: Python<'_>, function: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Expression> {
    let arguments =
        arguments.iter().map(|argument| convert::value(&argument)).collect::<PyResult<Vec<_>>>()?;
    Ok(Expression { value: functions::computed(py, function, arguments)? })
}

#[pymethods]
impl TiledMma {
    #[new]
    #[pyo3(signature = (*arguments))]
    fn new(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<PyClassInitializer<Self>> {
        match tiling_text(arguments) {
            Some(text) => Self::text(py, &text),
            None => Ok(PyClassInitializer::from(tiling(py, "tiled_mma", arguments)?).add_subclass(Self)),
        }
    }
}

#[pymethods]
impl TiledCopy {
    #[new]
    #[pyo3(signature = (*arguments))]
    fn new(py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<PyClassInitializer<Self>> {
        match tiling_text(arguments) {
            Some(text) => Self::text(py, &text),
            None => Ok(PyClassInitializer::from(tiling(py, "tiled_copy", arguments)?).add_subclass(Self)),
        }
    }
}

macro_rules! parts {
    ($class:ident: $($name:ident)*) => {
        #[pymethods]
        impl $class {
            $(
                /// The part of a tensor that a thread has: its offset and its layout.
                #[allow(non_snake_case, reason = "CuTe's names")]
                fn $name(
                    slf: &Bound<'_, Self>,
                    tensor: &Bound<'_, PyAny>,
                    thread: &Bound<'_, PyAny>,
                ) -> PyResult<Py<PyAny>> {
                    let own = slf.as_super().get().value.clone();
                    let arguments = vec![own, convert::value(tensor)?, convert::value(thread)?];
                    functions::called(slf.py(), stringify!($name), arguments)
                }
            )*
        }
    };
}

parts! { TiledMma: partition_A partition_B partition_C }
parts! { TiledCopy: partition_S partition_D }

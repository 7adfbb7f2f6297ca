//! Descriptors of the TMA.

use cute_launch::map;
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict, PyTuple},
};

use crate::{
    arrays::{Memory, View},
    errors,
};

/// A descriptor of the TMA for an array: the 128 bytes that a kernel takes by value.
#[pyclass(module = "cute_mlir", frozen)]
pub(crate) struct TensorMap {
    /// The box, steps, swizzle and so on.
    pub spec: map::Spec,
    /// The array.
    pub view: View,
    words: Vec<u64>,
    /// Its arguments, for a pickle.
    made: Made,
}

/// The arguments of [`TensorMap`], by position and by name.
struct Made {
    positional: Py<PyTuple>,
    named: Py<PyDict>,
}

/// Numbers, separated by `x`.
fn numbers<N: ToString>(list: &[N]) -> String {
    list.iter().map(N::to_string).collect::<Vec<_>>().join("x")
}

#[pymethods]
impl TensorMap {
    /// `box` and `steps` are in the order of the array's extents, or in that of `shape`: extents of
    /// the map's own, the contiguous one first, with the strides of the others in bytes.
    #[new]
    #[pyo3(signature = (array, r#box, *, swizzle="none", element=None, steps=None, fill="zero", shape=None, strides=None, interleave="none", promotion="none"))]
    #[allow(clippy::too_many_arguments, reason = "they have names")]
    fn new(
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        r#box: Vec<u32>,
        swizzle: &str,
        element: Option<&str>,
        steps: Option<Vec<u32>>,
        fill: &str,
        shape: Option<Vec<u64>>,
        strides: Option<Vec<u64>>,
        interleave: &str,
        promotion: &str,
    ) -> PyResult<Self> {
        let named = PyDict::new(py);
        for (name, text) in [("swizzle", Some(swizzle)), ("element", element), ("fill", Some(fill))] {
            named.set_item(name, text)?;
        }
        named.set_item("steps", &steps)?;
        named.set_item("shape", &shape)?;
        named.set_item("strides", &strides)?;
        named.set_item("interleave", interleave)?;
        named.set_item("promotion", promotion)?;
        let positional = PyTuple::new(py, [array.clone(), r#box.clone().into_bound_py_any(py)?])?;
        let made = Made { positional: positional.unbind(), named: named.unbind() };
        let Some(view) = View::of(array, Memory::Host)? else {
            return Err(PyTypeError::new_err(format!(
                "a tensor map needs an array, but this is of type '{}'",
                array.get_type().name()?
            )));
        };
        let mut text = format!(
            "tensor_map(array,box={},swizzle={},fill={fill},interleave={interleave},promotion={promotion}",
            numbers(&r#box),
            // A comma ends a value of this text.
            swizzle.replace(',', "")
        );
        element.iter().for_each(|element| text += &format!(",element={element}"));
        steps.iter().for_each(|steps| text += &format!(",steps={}", numbers(steps)));
        shape.iter().for_each(|shape| text += &format!(",shape={}", numbers(shape)));
        let strides = strides.filter(|strides| !strides.is_empty());
        strides.iter().for_each(|strides| text += &format!(",strides={}", numbers(strides)));
        // The forms of the text are those of the command line.
        let broken = |why: String| {
            let why = match why.split_once("; write tensor_map(") {
                Some((why, _)) => format!("{why}; help(cute_mlir.tensor_map) lists the choices"),
                None => why,
            };
            errors::raise(py, &why, None, &[], "tensor map")
        };
        let lists = [("box", Some(r#box.len())), ("steps", steps.as_ref().map(Vec::len))];
        if let Some((name, _)) = lists.iter().find(|(_, count)| *count == Some(0)) {
            return Err(broken(format!("{name} is empty: it has a number for each extent of the array")));
        }
        let spec = map::parse(&(text + ")")).expect("the text is one of a tensor map").map_err(broken)?;
        let words = view.tensor_map(&spec).map_err(broken)?;
        Ok(Self { spec, view, words, made })
    }

    /// A pickle has a copy of the array.
    fn __getnewargs_ex__(&self, py: Python<'_>) -> (Py<PyTuple>, Py<PyDict>) {
        (self.made.positional.clone_ref(py), self.made.named.clone_ref(py))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    fn __repr__(&self) -> String {
        format!("<TensorMap of {}>", self.view.text())
    }
}

//! Parameters and memory that hold addresses: structs, bytes with addresses in them, and addresses
//! of bytes of arrays. Arrays are bound when a launch needs them.

use pyo3::{exceptions::PyValueError, prelude::*};

/// A field: its alignment or its place, its value and its text in messages.
pub(crate) type Field = (u64, Py<PyAny>, String);

/// A struct, or bytes in which some are replaced by addresses and tensor maps.
#[pyclass(module = "cute_mlir", frozen)]
pub(crate) struct Contents {
    /// The text in messages.
    pub text: String,
    /// The bytes in which fields replace others; without them, the fields follow each other as in
    /// C.
    pub bytes: Option<Vec<u8>>,
    /// With their alignment if the fields follow each other, and otherwise with their place.
    pub fields: Vec<Field>,
}

#[pymethods]
impl Contents {
    #[new]
    #[pyo3(signature = (text, fields, bytes=None))]
    fn new(text: String, fields: Vec<Field>, bytes: Option<Vec<u8>>) -> Self {
        Self { text, bytes, fields }
    }

    /// The bytes in which fields replace others, or `None`, and the fields: alignment or place,
    /// value and text.
    fn parts(&self, py: Python<'_>) -> (Option<Vec<u8>>, Vec<Field>) {
        let field = |(place, value, text): &Field| (*place, value.clone_ref(py), text.clone());
        (self.bytes.clone(), self.fields.iter().map(field).collect())
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.text)
    }
}

/// The address of a byte: of an array, of an array that has a name, or of memory that begins with a
/// struct, with bytes or with a tensor map.
#[pyclass(module = "cute_mlir", frozen)]
pub(crate) struct Address {
    /// The array, its name, or the contents of memory.
    pub target: Py<PyAny>,
    /// In bytes, from the first element of an array.
    pub offset: i64,
}

#[pymethods]
impl Address {
    #[new]
    #[pyo3(signature = (target, offset=0))]
    fn new(py: Python<'_>, target: Py<PyAny>, offset: i64) -> PyResult<Self> {
        match offset < 0 && target.bind(py).extract::<String>().is_ok() {
            true => Err(PyValueError::new_err(format!("an offset of {offset} bytes lies before the array"))),
            false => Ok(Self { target, offset }),
        }
    }

    /// The array, its name or the contents of memory, and the offset in bytes.
    fn parts(&self, py: Python<'_>) -> (Py<PyAny>, i64) {
        (self.target.clone_ref(py), self.offset)
    }

    fn __repr__(&self) -> String {
        format!("<Address at byte {}>", self.offset)
    }
}

//! Exceptions.

use cute_algebra::Error as Algebra;
use cute_eval::error::Error;
use cute_text::in_python;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple, PyType},
};

/// The class `LayoutError`, which Python defines: no class of ours can extend an exception before
/// Python 3.12.
static LAYOUT_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The exception for an error of the algebra.
pub fn algebra(py: Python<'_>, error: &Algebra) -> PyErr {
    let text = match error {
        Algebra::Domain { .. } => format!("{error}; domain(\"extend\") accepts it as CuTe does"),
        _ => error.to_string(),
    };
    let (rule, values) = error.rule();
    raise(py, &text, error.path().map(|path| path.indices().to_vec()), &values, rule)
}

/// The exception about a rule.
pub fn raise(
    py: Python<'_>,
    text: &str,
    mode: Option<Vec<usize>>,
    values: &[(&'static str, i64)],
    rule: &str,
) -> PyErr {
    let made = || {
        let dict = PyDict::new(py);
        for (name, value) in values {
            dict.set_item(name, value)?;
        }
        let mode = mode.map(|path| PyTuple::new(py, path)).transpose()?;
        LAYOUT_ERROR.import(py, "cute_mlir._errors", "LayoutError")?.call1((text, mode, dict, rule))
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A message of the parts that command lines share, in words of Python. The first column of a text
/// tells nothing about it, and is often one of a call that Python made.
pub fn spelled(text: &str) -> String {
    in_python(text.strip_prefix("column 1: ").unwrap_or(text))
}

/// The exception for an error of an evaluation.
pub fn evaluation(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Algebra { error, .. } => algebra(py, error),
        Error::Placement(error) => {
            let (rule, values) = error.rule();
            raise(py, &error.to_string(), error.path().map(|path| path.indices().to_vec()), &values, rule)
        }
        Error::Kind { what, expected, found, kind, .. } => {
            PyTypeError::new_err(format!("{what} must be {expected}, but {found} is {kind}"))
        }
        Error::Arity { name, expected, found, signature, .. } => {
            PyTypeError::new_err(format!("{name} takes {expected}, but got {found}: {signature}"))
        }
        Error::Rule { name, text } => raise(py, &spelled(text), None, &[], name),
        Error::Argument { error, .. } | Error::Named { error, .. } => evaluation(py, error),
        other => PyValueError::new_err(spelled(&other.to_string())),
    }
}

//! The fields of an object of JSON. A mistake in one names its path, as in `operations[3].grid`,
//! and a field that is not known is an error.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// An object whose fields are taken one by one.
pub(super) struct Fields {
    path: String,
    left: Map<String, Value>,
    /// The names that have been asked for.
    known: Vec<&'static str>,
}

/// The error of a path.
pub(super) fn wrong(path: &str, why: impl ToString) -> Error {
    Error::Operations { path: path.to_owned(), why: why.to_string() }
}

impl Fields {
    /// The fields of the value at a path.
    pub(super) fn of(path: String, value: Value) -> Result<Self> {
        match value {
            Value::Object(left) => Ok(Self { path, left, known: Vec::new() }),
            other => Err(wrong(&path, format!("{other} is not an object"))),
        }
    }

    /// The path of the object.
    pub(super) fn own_path(&self) -> &str {
        &self.path
    }

    /// Whether the object has a field.
    pub(super) fn has(&self, name: &str) -> bool {
        self.left.contains_key(name)
    }

    /// The names of its fields.
    pub(super) fn names(&self) -> Vec<&str> {
        self.left.keys().map(String::as_str).collect()
    }

    /// The path of a field.
    pub(super) fn path(&self, name: &str) -> String {
        match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }

    /// Takes a field, if it is there.
    pub(super) fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<Option<T>> {
        self.known.push(name);
        let Some(value) = self.left.remove(name) else { return Ok(None) };
        serde_json::from_value(value).map(Some).map_err(|why| wrong(&self.path(name), why))
    }

    /// Takes a field that must be there.
    pub(super) fn need<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T> {
        let value = self.take(name)?;
        value.ok_or_else(|| wrong(&self.path, format!("the field '{name}' is missing")))
    }

    /// Refuses fields that nobody has taken.
    pub(super) fn end(self) -> Result<()> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(unknown) => {
                let known = self.known.join(", ");
                Err(wrong(
                    &self.path(unknown),
                    format!("there is no such field here; the fields are {known}"),
                ))
            }
        }
    }
}

//! Calls of the functions of [`ops`](crate::ops) by name, for other languages, and what each takes.

use std::vec::IntoIter;

use cute_algebra::text::near;
use melior::ir::{Attribute, Type};

use crate::{Builder, Error, Result, Value};

/// A parameter's kind, which states how another language gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One operand.
    Value,
    /// An operand that may be absent.
    Maybe,
    /// Any number of operands.
    Values,
    /// Whether an attribute is there.
    Flag,
    /// A number without a fraction, in decimal.
    Integer,
    /// A list of integers, as `1,2`.
    Integers,
    /// The text of an attribute.
    Attribute,
    /// The text of an attribute that may be absent.
    Setting,
    /// The type of the result.
    Type,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names explain the fields")]
pub struct OpParameter {
    pub name: &'static str,
    pub kind: Kind,
    pub summary: &'static str,
}

/// A function that builds an op.
#[derive(Debug, Clone, Copy)]
pub struct OpFunction {
    /// The op: `cute.make_layout`.
    pub name: &'static str,
    /// The function: `make_layout`.
    pub function: &'static str,
    /// Summary of the op.
    pub summary: &'static str,
    /// Parameters after the builder, in order.
    pub parameters: &'static [OpParameter],
    /// The number of results, unless it depends on the operands.
    pub results: Option<usize>,
}

/// Arguments from another language: the operands of each parameter that takes some, in order,
/// attributes by name, and types of results.
pub struct OpArguments<'c, 'a> {
    builder: Option<Builder<'c>>,
    op: &'static str,
    operands: IntoIter<Vec<Value<'c>>>,
    attributes: &'a [(String, String)],
    results: &'a [Type<'c>],
}

impl<'c, 'a> OpArguments<'c, 'a> {
    /// Arguments for an op.
    pub fn new(
        operands: Vec<Vec<Value<'c>>>,
        attributes: &'a [(String, String)],
        results: &'a [Type<'c>],
    ) -> Self {
        Self { builder: None, op: "", operands: operands.into_iter(), attributes, results }
    }

    /// Begins to take the parameters of an op, which has all that is given.
    #[track_caller]
    pub(crate) fn of(&mut self, builder: &Builder<'c>, declared: &'static OpFunction) -> Result<()> {
        (self.builder, self.op) = (Some(*builder), declared.name);
        let parameters = declared.parameters;
        let is_operand = |kind| matches!(kind, Kind::Value | Kind::Maybe | Kind::Values);
        let operands = parameters.iter().filter(|one| is_operand(one.kind)).count();
        if self.operands.len() != operands {
            return self
                .refuse(&format!("takes operands for {operands} parameters, found {}", self.operands.len()));
        }
        let is_attribute = |kind| !is_operand(kind) && kind != Kind::Type;
        let names = || parameters.iter().filter(|one| is_attribute(one.kind)).map(|one| one.name);
        match self.attributes.iter().find(|(name, _)| !names().any(|one| one == name)) {
            Some((name, _)) => self.refuse(&format!("has no attribute '{name}'{}", meant(name, names()))),
            None => Ok(()),
        }
    }

    #[track_caller]
    fn refuse<T>(&self, why: &str) -> Result<T> {
        let why = format!("'{}' {why}", self.op);
        match &self.builder {
            Some(builder) => builder.fail(&why),
            None => Err(Error::Rule(why)),
        }
    }

    #[track_caller]
    pub(crate) fn values(&mut self, name: &str) -> Result<Vec<Value<'c>>> {
        match self.operands.next() {
            Some(values) => Ok(values),
            None => self.refuse(&format!("needs the operand '{name}'")),
        }
    }

    #[track_caller]
    pub(crate) fn value(&mut self, name: &str) -> Result<Value<'c>> {
        match self.values(name)?[..] {
            [value] => Ok(value),
            ref other => self.refuse(&format!("takes one value for '{name}', found {}", other.len())),
        }
    }

    #[track_caller]
    pub(crate) fn maybe(&mut self, name: &str) -> Result<Option<Value<'c>>> {
        match self.values(name)?[..] {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            ref other => self.refuse(&format!("takes one value or none for '{name}', found {}", other.len())),
        }
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(of, _)| of == name).map(|(_, text)| text.as_str())
    }

    #[track_caller]
    fn needed(&self, name: &str) -> Result<&'a str> {
        match self.text(name) {
            Some(text) => Ok(text),
            None => self.refuse(&format!("needs the attribute '{name}'")),
        }
    }

    #[track_caller]
    fn number<T: std::str::FromStr>(&self, name: &str, text: &str) -> Result<T> {
        match text.trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => self.refuse(&format!("takes integers for '{name}', found '{text}'")),
        }
    }

    #[track_caller]
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool> {
        match self.text(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => self.refuse(&format!("takes true or false for '{name}', found '{other}'")),
        }
    }

    #[track_caller]
    pub(crate) fn integer<T: std::str::FromStr>(&mut self, name: &str) -> Result<T> {
        self.number(name, self.needed(name)?)
    }

    #[track_caller]
    pub(crate) fn integers(&mut self, name: &str) -> Result<Vec<i32>> {
        let listed = self.text(name).unwrap_or_default().split(',').filter(|one| !one.trim().is_empty());
        listed.map(|one| self.number(name, one)).collect()
    }

    #[track_caller]
    pub(crate) fn setting(&mut self, name: &str) -> Result<Option<Attribute<'c>>> {
        match (self.text(name), &self.builder) {
            (Some(text), Some(builder)) => builder.attribute(text).map(Some),
            _ => Ok(None),
        }
    }

    #[track_caller]
    pub(crate) fn attribute(&mut self, name: &str) -> Result<Attribute<'c>> {
        self.needed(name)?;
        match self.setting(name)? {
            Some(attribute) => Ok(attribute),
            None => self.refuse(&format!("needs the attribute '{name}'")),
        }
    }

    #[track_caller]
    pub(crate) fn r#type(&mut self, name: &str) -> Result<Type<'c>> {
        match self.results {
            [one] => Ok(*one),
            other => self.refuse(&format!("takes one type for '{name}', found {}", other.len())),
        }
    }
}

/// The results of a function as a list.
pub(crate) trait Made<'c> {
    fn made(self) -> Vec<Value<'c>>;
}

impl<'c> Made<'c> for () {
    fn made(self) -> Vec<Value<'c>> {
        Vec::new()
    }
}

impl<'c> Made<'c> for Value<'c> {
    fn made(self) -> Vec<Value<'c>> {
        vec![self]
    }
}

impl<'c> Made<'c> for Vec<Value<'c>> {
    fn made(self) -> Vec<Value<'c>> {
        self
    }
}

/// The answer to a name that no op has.
#[track_caller]
pub(crate) fn unknown<'c, T>(builder: &Builder<'c>, op: &str, declared: &[OpFunction]) -> Result<T> {
    let names = declared.iter().map(|one| one.name);
    builder.fail(&format!("there is no op '{op}'{}", meant(op, names)))
}

/// `; did you mean 'a' or 'b'?`: at most three names that were probably meant.
pub fn meant<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let near: Vec<_> = near(name, known).iter().map(|one| format!("'{one}'")).collect();
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

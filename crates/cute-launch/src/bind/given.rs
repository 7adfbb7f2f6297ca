//! Arguments as a caller gives them.

use super::Raw;
use crate::{
    address::{self, Address},
    argument::{self, Spec, Values},
    map,
    relocated::{self, Relocated, Source},
    structure::{self, Structure},
};
use std::fmt;

/// An argument as a caller gives it.
#[derive(Debug, Clone)]
pub enum Given {
    /// The text of [`parse`].
    Text(String),
    /// A value, and the name of an array.
    Form(Option<String>, Form),
    /// A value for a leaf, and the number of the argument.
    Raw(usize, Raw),
}

/// An argument that has been read.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A number, an array or the null pointer.
    Value(Spec),
    /// The address of a byte of an array that is another argument.
    Address(Address),
    /// A tensor map of an array that is another argument.
    Map(map::Spec),
    /// A struct with addresses in it.
    Structure(Structure),
    /// Bytes with addresses in them.
    Relocated(Relocated),
    /// A pointer to global memory that begins with one of the last three.
    Behind(Box<Form>),
}

/// Reads what [`argument::parse`] reads, and `&NAME+BYTES`, `tensor_map(..)`, `{..}`,
/// `bytes(..){..}` and `&` in front of one of the last three, each behind `NAME:` if it has a name.
///
/// # Errors
/// The part that cannot be read.
pub fn parse(text: &str) -> Result<(Option<String>, Form), String> {
    let own = text.trim();
    let (name, rest) = argument::named(own);
    let rest = rest.trim_start();
    match form(rest) {
        Some(form) => Ok((name, form?)),
        None => argument::parse(text).map(|(name, spec)| (name, Form::Value(spec))),
    }
}

fn form(text: &str) -> Option<Result<Form, String>> {
    let whole = |text: &str| {
        let structure = structure::parse(text).map(|all| all.map(Form::Structure));
        let map = || map::parse(text).map(|map| map.map(Form::Map));
        let bytes = || relocated::parse(text).map(|bytes| bytes.map(Form::Relocated));
        structure.or_else(map).or_else(bytes)
    };
    let behind = text.strip_prefix('&').and_then(|rest| whole(rest.trim_start()));
    let behind = behind.map(|form| form.map(|form| Form::Behind(Box::new(form))));
    behind.or_else(|| whole(text)).or_else(|| Some(address::parse(text)?.map(Form::Address)))
}

/// The file that an argument names.
pub fn file(text: &str) -> Option<String> {
    let mut form = parse(text).ok()?.1;
    while let Form::Behind(inner) = form {
        form = *inner;
    }
    match form {
        Form::Value(Spec::Array { values: Values::File(file), .. } | Spec::File(_, file, _)) => Some(file),
        Form::Relocated(Relocated { source: Source::File(file), .. }) => Some(file),
        _ => None,
    }
}

impl Given {
    /// The form, and the name of an array.
    pub(super) fn read(&self) -> Result<(Option<String>, Form), String> {
        match self {
            Self::Text(text) => parse(text),
            Self::Form(name, form) => Ok((name.clone(), form.clone())),
            Self::Raw(..) => Err("a value without a type is one for a leaf".into()),
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Form(Some(name), _) => f.write_str(name),
            Self::Form(None, form) => form.fmt(f),
            Self::Raw(number, _) => number.fmt(f),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(spec) => spec.fmt(f),
            Self::Address(address) => address.fmt(f),
            Self::Map(spec) => write!(f, "tensor_map({})", spec.array.name),
            Self::Structure(structure) => f.write_str(&structure.text),
            Self::Relocated(bytes) => bytes.fmt(f),
            Self::Behind(form) => write!(f, "&{form}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart_by_how_they_begin() {
        let kind = |text: &str| {
            let (name, form) = parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
            let kind = match &form {
                Form::Value(_) => "value",
                Form::Address(_) => "address",
                Form::Map(_) => "map",
                Form::Structure(_) => "struct",
                Form::Relocated(_) => "bytes",
                Form::Behind(_) => "behind",
            };
            (name.unwrap_or_default(), kind)
        };
        for (text, name, wanted) in [
            ("A:f32[4]", "A", "value"),
            ("n:i32=4", "n", "value"),
            ("&A+16", "", "address"),
            ("p:&A", "p", "address"),
            ("m:tensor_map(A,box=8x8)", "m", "map"),
            ("&tensor_map(A,box=8x8)", "", "behind"),
            (" s:{&A,i32=5}", "s", "struct"),
            ("&{&A,{i32=5}}", "", "behind"),
            ("bytes(p.bin){16:&A}", "", "bytes"),
            ("b: bytes(0x00)", "b", "bytes"),
            ("p:& bytes(0x00)", "p", "behind"),
        ] {
            assert_eq!(kind(text), (name.to_owned(), wanted), "{text}");
        }
        for wrong in ["tensor_map(A,box=8x8", "&", "&&A", "&{", "s:{", "bytes(", "&tensor_map()"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_file_of_an_argument_is_known() {
        for (text, wanted) in [
            ("A=x.npy", Some("x.npy")),
            ("f32[4]=x.npy", Some("x.npy")),
            ("bytes(p.bin){16:&A}", Some("p.bin")),
            ("&bytes(p.bin)", Some("p.bin")),
            ("bytes(0x00)", None),
            ("&A", None),
        ] {
            assert_eq!(file(text).as_deref(), wanted, "{text}");
        }
    }
}

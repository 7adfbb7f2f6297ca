//! Values without types, as a caller in C has them.

use super::{Binder, Value};
use crate::{
    address::{Address, Pointee},
    argument::{self, Values},
    array::Array,
    element::Element,
    fill::DimensionOrder,
    hole::Hole,
    structure::Structure,
};
use cute_manifest::Passed;
use std::sync::Arc;

/// A value for a leaf from a caller whose values have no types.
#[derive(Debug, Clone)]
pub enum Raw {
    /// The bytes of a value.
    Value(Arc<[u8]>),
    /// An array in global memory, by its bytes. It is the same one wherever these bytes are passed.
    Array(Arc<[u8]>),
    /// The null pointer.
    Null,
    /// The bytes of a value, in which words become addresses.
    Relocated(Arc<[u8]>, Vec<Relocation>),
}

/// A word of a value that becomes the address of a byte of an array.
#[derive(Debug, Clone)]
pub struct Relocation {
    /// The place of the word, in bytes.
    pub at: u64,
    /// The array by its bytes, as for [`Raw::Array`].
    pub array: Arc<[u8]>,
    /// The byte of the array.
    pub byte: u64,
}

impl Binder<'_> {
    /// A value for a leaf from one without a type.
    pub(super) fn raw(&mut self, raw: &Raw, passed: &Passed) -> std::result::Result<Value, String> {
        self.not_a_descriptor(passed)?;
        let is_pointer = passed.kind == "pointer";
        // PTX does not say whether a word is an address.
        let may_point = is_pointer || passed.kind == "word";
        let refuse = |why: String| Err(format!("{} is {}{why}", passed.leaf.text, passed.r#type));
        match raw {
            Raw::Null if may_point => Ok(Value::Null),
            Raw::Array(bytes) if may_point => self.raw_array(passed.argument.clone(), bytes, passed),
            Raw::Relocated(bytes, relocations) if passed.kind == "bytes" => {
                let mut whole = Structure::of_bytes(&passed.leaf.text, bytes.to_vec());
                for Relocation { at, array, byte } in relocations {
                    let name = format!("{} at byte {at}", passed.argument);
                    self.raw_array(name.clone(), array, passed)?;
                    let array = Pointee { name, rows: Some(array.clone()) };
                    let hole = Hole::Address(Address { array, offset: *byte });
                    whole.replace(*at, "an address", hole)?;
                }
                whole.check(&passed.leaf.text, passed.width)?;
                Ok(Value::Structure(whole))
            }
            Raw::Relocated(..) => refuse(", not a parameter of bytes: give it a value".into()),
            Raw::Value(_) if is_pointer => refuse(": give it an array, or the null pointer".into()),
            Raw::Null | Raw::Array(_) => refuse(", not a pointer: give it a value".into()),
            Raw::Value(bytes) if bytes.len() as u64 != passed.width => {
                refuse(format!(", which has {} bytes, but the value has {}", passed.width, bytes.len()))
            }
            Raw::Value(bytes) => {
                let integer = match (passed.kind.as_str(), bytes.len()) {
                    ("bytes", _) => None,
                    (_, 1) => Some(Element::I8),
                    (_, 2) => Some(Element::I16),
                    (_, 4) => Some(Element::I32),
                    (_, 8) => Some(Element::I64),
                    _ => None,
                };
                let words = argument::words(bytes);
                Ok(match integer {
                    Some(integer) => Value::Scalar(integer, words[0]),
                    None => Value::Words(words),
                })
            }
        }
    }

    /// An array from its bytes. Its elements have the type that the pointer has, where that is
    /// known and they are whole bytes.
    fn raw_array(
        &mut self,
        name: String,
        bytes: &Arc<[u8]>,
        passed: &Passed,
    ) -> std::result::Result<Value, String> {
        let is_it = |array: &Array| array.rows.as_ref().is_some_and(|rows| Arc::ptr_eq(rows, bytes));
        if let Some(number) = self.arrays.iter().position(is_it) {
            return Ok(Value::Array(number));
        }
        let element = passed.leaf.element.as_deref().and_then(|name| name.parse::<Element>().ok());
        let fits = |element: &Element| element.bits() >= 8 && bytes.len().is_multiple_of(element.bytes());
        let element = element.filter(fits).unwrap_or(Element::U8);
        let (shape, values) = ([bytes.len() / element.bytes()], Values::Rows(bytes.clone()));
        self.allocate(name, (element, &shape, &values), DimensionOrder::default())
    }
}

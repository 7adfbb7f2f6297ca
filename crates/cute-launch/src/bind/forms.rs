//! Arguments that hold addresses: parameters by value, addresses, and memory that begins with a
//! struct, bytes or a tensor map.

use super::{Binder, Form, Given, Value};
use crate::{
    address::Address,
    argument::{self, Spec, Strides, Values},
    element::Element,
    fill::DimensionOrder,
    hole::Hole,
    structure::{StructField, Structure},
};
use cute_arch::tensor_map::BYTES as MAP_BYTES;
use cute_manifest::Passed;

impl Binder<'_> {
    /// An array that only addresses lead to.
    pub(super) fn memory(&mut self, text: &Given) -> std::result::Result<(), String> {
        let (name, form) = text.read()?;
        let Some(name) = name else {
            return Err("write NAME:TYPE[EXTENTS][=VALUES], NAME=FILE.npy or NAME:{..}".into());
        };
        if self.is_taken(&name) {
            return Err(format!("the name '{name}' is taken"));
        }
        let spec = match form {
            Form::Value(spec) => self.opened(spec, None)?,
            form => {
                let contents = self.contents_of(form)?;
                return self.begins_with(name, contents).map(|_| ());
            }
        };
        match spec {
            Spec::Array { element, values: Values::Strided(view), .. } => {
                match self.view(name, element, &view)? {
                    Value::Inside(_, 0) => Ok(()),
                    _ => {
                        Err("it has negative strides, so its address is not that of its memory; pass a copy"
                            .into())
                    }
                }
            }
            Spec::Array { element, shape, strides, values } => {
                let order = strides.written().map(|strides| DimensionOrder::of_strides(&shape, strides));
                self.allocate(name, (element, &shape, &values), order.unwrap_or_default()).map(|_| ())
            }
            _ => Err("write NAME:TYPE[EXTENTS][=VALUES], NAME=FILE.npy or NAME:{..}".into()),
        }
    }

    /// The bytes of global memory that begins with a struct, bytes or a tensor map.
    pub(super) fn contents_of(&self, form: Form) -> std::result::Result<Structure, String> {
        match form {
            Form::Structure(structure) => Ok(structure),
            Form::Relocated(bytes) => bytes.structure(|file| self.all.files.bytes(file, self.memory)),
            Form::Map(spec) => {
                let text = format!("tensor_map({},..)", spec.array.name);
                Ok(Structure::of_fields(&text, vec![(text.clone(), StructField::Hole(Hole::Map(spec)))]))
            }
            Form::Value(_) | Form::Address(_) | Form::Behind(_) => Err(
                "only a struct, bytes or a tensor map fills memory; write {..}, bytes(..) or tensor_map(..)"
                    .into(),
            ),
        }
    }

    /// Global memory that begins with these bytes.
    pub(super) fn begins_with(
        &mut self,
        name: String,
        contents: Structure,
    ) -> std::result::Result<Value, String> {
        let (bytes, holes) = contents.into_parts();
        let (shape, values) = ([bytes.len()], Values::Rows(bytes.into()));
        let value = self.allocate(name, (Element::U8, &shape, &values), DimensionOrder::default())?;
        if let Some(array) = self.arrays.last_mut() {
            array.holes = holes;
        }
        Ok(value)
    }

    /// A value for a leaf without a layout.
    pub(super) fn form(
        &mut self,
        name: Option<String>,
        form: Form,
        passed: &Passed,
    ) -> std::result::Result<Value, String> {
        let is_bytes = passed.kind == "bytes";
        let not = |what: &str, behind: &str| {
            let advice = match may_point(passed) {
                true => format!("; {behind} is a pointer to one in global memory"),
                false => String::new(),
            };
            Err(format!("{} is {}, not {what}{advice}", passed.leaf.text, passed.r#type))
        };
        match form {
            Form::Value(spec) if is_bytes => self.bytes(spec, passed),
            Form::Value(spec) => {
                let spec = self.opened(spec, passed.leaf.element.as_deref())?;
                self.plain(name, &spec, passed)
            }
            Form::Address(address) => self.pointer(address, passed),
            Form::Map(spec) if is_bytes || passed.kind == "descriptor" => {
                match passed.width == MAP_BYTES as u64 {
                    true => Ok(Value::Map(spec)),
                    false => {
                        let width = passed.width;
                        Err(format!("{} has {width} bytes, but a tensor map has 128", passed.leaf.text))
                    }
                }
            }
            form @ (Form::Structure(_) | Form::Relocated(_)) if is_bytes => {
                let structure = self.contents_of(form)?;
                structure.check(&passed.leaf.text, passed.width)?;
                Ok(Value::Structure(structure))
            }
            Form::Map(_) => not("a tensor map", "&tensor_map(..)"),
            Form::Structure(_) => not("a struct", "&{..}"),
            Form::Relocated(_) => not("a parameter of bytes", "&bytes(..)"),
            Form::Behind(form) => {
                self.not_a_descriptor(passed)?;
                if !may_point(passed) {
                    return Err(format!("{} is {}, not a pointer", passed.leaf.text, passed.r#type));
                }
                let name = self.named(name, passed)?;
                let contents = self.contents_of(*form)?;
                self.begins_with(name, contents)
            }
        }
    }

    /// An address for a leaf.
    fn pointer(&self, address: Address, passed: &Passed) -> std::result::Result<Value, String> {
        self.not_a_descriptor(passed)?;
        match may_point(passed) {
            true => Ok(Value::Address(address)),
            false => Err(format!("{} is {}, not a pointer", passed.leaf.text, passed.r#type)),
        }
    }

    /// The bytes of a parameter by value: those of an array.
    fn bytes(&mut self, spec: Spec, passed: &Passed) -> std::result::Result<Value, String> {
        let width = passed.width;
        let spec = match spec {
            Spec::Bytes(bytes) => {
                let (element, shape) = (Element::U8, vec![bytes.len()]);
                Spec::Array { element, shape, strides: Strides::Open, values: Values::Rows(bytes) }
            }
            other => other,
        };
        let Spec::Array { element, shape, values, .. } = self.opened(spec, None)? else {
            return Err(format!(
                "{} has {width} bytes: give it an array of {width} bytes, such as u8[{width}]=FILE.npy, a struct, such as \
                 {{&A+16,i32=5}}, or tensor_map(ARRAY,box=..)",
                passed.leaf.text
            ));
        };
        if let Values::Addresses(addresses) = values {
            let field = |address: Option<Address>| match address {
                Some(address) => (address.to_string(), StructField::Hole(Hole::Address(address))),
                None => ("null".into(), StructField::Bytes(8, vec![0; 8])),
            };
            let fields: Vec<_> = addresses.into_iter().map(field).collect();
            let texts: Vec<&str> = fields.iter().map(|(text, _)| text.as_str()).collect();
            let structure = Structure::of_fields(&texts.join(","), fields.clone());
            structure.check(&passed.leaf.text, width)?;
            return Ok(Value::Structure(structure));
        }
        let count: usize = shape.iter().product();
        let bytes = self.rows(element, &shape, count, &values)?;
        if bytes.len() as u64 != width {
            return Err(format!("{} has {width} bytes, but the array has {}", passed.leaf.text, bytes.len()));
        }
        Ok(Value::Words(argument::words(&bytes)))
    }
}

/// Whether a leaf may be an address: PTX does not say whether a word is one.
pub(super) fn may_point(passed: &Passed) -> bool {
    matches!(passed.kind.as_str(), "pointer" | "word")
}

//! The inputs of a request, and its layouts as text: the values, and the types if some values are
//! known at run time only.

use cute_algebra::{
    AnyLayout, Dim, Int, Layout, LayoutLike, Paired, ParseError, Stride, Tuple, Width, parse_int_tuple,
    parse_layout, parse_layout_or_composed, parse_shape, parse_stride,
};
use cute_arch::tensor_map::MapElement;
use serde_json::{Map, Value as Json};

use crate::{
    error::{Error, Result},
    leaf::{Known, Leaf, leaf},
};

/// The inputs of a request.
pub struct Inputs<'a>(pub &'a Map<String, Json>);

impl<'a> Inputs<'a> {
    pub fn optional(&self, key: &str) -> Option<&'a str> {
        self.0.get(key)?.as_str()
    }

    pub fn text(&self, key: &str) -> Result<&'a str> {
        self.optional(key).ok_or_else(|| wrong(key, "this input must be given as text"))
    }

    pub fn integer(&self, key: &str) -> Result<u64> {
        let value = self.0.get(key).and_then(Json::as_u64);
        value.ok_or_else(|| wrong(key, "this input must be a non-negative integer of 64 bits"))
    }

    /// Parses an input with `parse`.
    pub fn parsed<T>(
        &self,
        key: &str,
        parse: impl Fn(&str) -> std::result::Result<T, ParseError>,
    ) -> Result<T> {
        parse(self.text(key)?).map_err(|error| wrong(key, error))
    }

    /// A layout of static integers.
    pub fn constant(&self, key: &str) -> Result<Layout<i64>> {
        let layout = self.parsed(key, parse_layout)?;
        layout.to_const().ok_or_else(|| wrong(key, format!("the layout must be static, found {layout}")))
    }

    /// A layout whose leaves have values. A leaf is dynamic if it is dynamic in the input whose
    /// name has the suffix `_type`.
    pub fn valued(&self, key: &str) -> Result<Layout<Leaf>> {
        let typed = format!("{key}_type");
        if self.optional(&typed).is_none() {
            return Ok(self.constant(key)?.map(|n| Leaf::fixed(*n)));
        }
        let types = self.parsed(&typed, parse_layout)?;
        // Run-time values may be invalid for a layout, such as an extent of 0.
        let text = self.text(key)?;
        let (shape, stride) = text.split_once(':').ok_or_else(|| wrong(key, "a layout must be given"))?;
        let shape = parse_int_tuple(shape).map_err(|error| wrong(key, error))?;
        let stride = parse_stride(stride).map_err(|error| wrong(key, error))?;
        let other = || wrong(&typed, format!("{types} is not the type of {text}"));
        let zipped = |value: &Dim, dim: &Dim| match (value.as_static(), dim.as_static()) {
            (Some(value), None) => Ok(leaf(*dim, Some(value))),
            (Some(value), Some(n)) if n == value => Ok(Leaf::fixed(n)),
            _ => Err(other()),
        };
        let shape = shape.zip(types.shape()).ok_or_else(other)?;
        let stride = stride.zip(types.stride()).ok_or_else(other)?;
        let shape = shape.try_map(|(n, dim)| zipped(n, dim))?;
        let stride = stride
            .try_map(|(n, dim)| Ok::<_, Error>(Stride::scaled(zipped(n.scale(), dim.scale())?, n.basis())))?;
        Layout::new(shape, stride).map_err(|error| wrong(key, error))
    }

    /// Like [`valued`](Self::valued), for a shape.
    pub fn valued_shape(&self, key: &str) -> Result<Tuple<Leaf>> {
        let shape = self.parsed(key, parse_shape)?;
        let known =
            |dim: &Dim| dim.as_static().ok_or_else(|| wrong(key, "the values of a shape must be static"));
        let typed = format!("{key}_type");
        if self.optional(&typed).is_none() {
            return shape.try_map(|dim| known(dim).map(Leaf::fixed));
        }
        let types = self.parsed(&typed, parse_shape)?;
        let other = || wrong(&typed, format!("{types} is not the type of {shape}"));
        shape.zip(&types).ok_or_else(other)?.try_map(|(value, dim)| match (known(value)?, dim.as_static()) {
            (value, None) => Ok(leaf(*dim, Some(value))),
            (value, Some(n)) if n == value => Ok(Leaf::fixed(n)),
            _ => Err(other()),
        })
    }

    /// A static shape.
    pub fn shape(&self, key: &str) -> Result<Tuple<i64>> {
        let shape = self.parsed(key, parse_shape)?;
        shape.to_const().ok_or_else(|| wrong(key, format!("the shape must be static, found {shape}")))
    }

    /// A truth value; an absent one is false.
    pub fn flag(&self, key: &str) -> Result<bool> {
        match self.0.get(key) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| wrong(key, "this input must be true or false")),
        }
    }

    /// A static layout in shared memory, which may be behind a swizzle.
    pub fn memory(&self, key: &str) -> Result<AnyLayout<Dim>> {
        self.parsed(key, parse_layout_or_composed)
    }

    /// The number of bits of an element type that an input names, and its name in descriptors.
    pub fn element(&self, key: &str) -> Result<(i64, Option<MapElement>)> {
        let name = self.text(key)?;
        match MapElement::of_cute(name) {
            Some((bits, element)) => Ok((bits.into(), element)),
            None => {
                let names: Vec<_> = MapElement::cute_names().collect();
                Err(wrong(key, format!("{name} is not an element type; the types are {}", names.join(", "))))
            }
        }
    }
}

/// The error for an invalid input.
pub fn wrong(key: &str, why: impl ToString) -> Error {
    Error::Named { name: key.into(), error: Box::new(Error::Request(why.to_string())) }
}

/// A broken rule, with its name.
pub fn broken(name: &'static str, text: impl ToString) -> Error {
    Error::Rule { name, text: text.to_string() }
}

/// The value of a leaf.
pub fn number(leaf: &Leaf) -> Result<i64> {
    let Known(value) = leaf.materialize(Width::I64);
    value.ok_or_else(|| Error::Request("a value does not fit 64 bits".into()))
}

/// A leaf that is known at run time only, without its divisor.
fn type_of(leaf: &Leaf) -> Dim {
    leaf.dim().width().map_or(leaf.dim(), |width| Dim::dynamic(width, 1))
}

/// Adds the values of a layout, and its types where they are not static.
pub fn put(object: &mut Map<String, Json>, key: &str, layout: &Layout<Leaf>) -> Result<()> {
    object.insert(key.into(), values(layout)?.to_string().into());
    if !layout.is_static() {
        object.insert(format!("{key}_type"), layout.map(type_of).to_string().into());
    }
    Ok(())
}

/// Like `put`, for strides.
pub fn put_strides(object: &mut Map<String, Json>, key: &str, strides: &Tuple<Stride<Leaf>>) -> Result<()> {
    let values = strides.try_map(|stride| Ok::<_, Error>(with_scale(stride, number(stride.scale())?)))?;
    object.insert(key.into(), values.to_string().into());
    if !strides.leaves().iter().all(Stride::is_static) {
        let types = strides.map(|stride| stride.map(type_of));
        object.insert(format!("{key}_type"), types.to_string().into());
    }
    Ok(())
}

fn with_scale(stride: &Stride<Leaf>, scale: i64) -> Stride<i64> {
    stride.map(|_| scale)
}

/// A layout of numbers.
pub fn values(layout: &Layout<Leaf>) -> Result<Layout<i64>> {
    for (extent, stride) in layout.flat() {
        number(extent)?;
        number(stride.scale())?;
    }
    Ok(layout.map(|leaf| number(leaf).unwrap_or_default()))
}

/// A layout in shared memory without its swizzle, over the leaves of tensors.
pub fn plain(memory: &AnyLayout<Dim>) -> Layout<Leaf> {
    memory.outer().map(|dim| Paired::new(*dim, Known(None)))
}

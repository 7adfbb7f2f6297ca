//! Values as JSON for programs that should not need a parser: integers are numbers, tuples are
//! arrays, layouts are objects. Leaves that are neither static integers nor tuples are text, such
//! as `?{div=8}`, `_` and `1@0`.

use std::fmt::Display;

use cute_algebra::{AnyLayout, Crd, Inner, Int, Layout, Stride, Swizzle, Tile, Tuple, TupleRef};
use serde_json::{Value as Json, json};

use crate::{
    leaf::{self, Leaf},
    tilings::{Fact, FactValue},
    value::{Value, show_stride},
};

/// The value as JSON. An atom is given by its name; the facts of a tiling are added to its text.
pub fn of(value: &Value) -> Json {
    match value {
        Value::Tuple(tuple) => integers(tuple),
        Value::Coord(coord) => tree(coord.view(), &|crd| match crd {
            Crd::Int(index) => integer(index),
            Crd::Underscore => Json::from("_"),
        }),
        Value::Stride(stride) => tree(stride.view(), &step),
        Value::Layout(layout) => any_layout(layout),
        Value::Tile(tile) => json!({ "tile": self::tile(tile) }),
        Value::Swizzle(swizzle) => self::swizzle(*swizzle),
        Value::Truth(truth) => Json::from(*truth),
        Value::Atom(atom) => object(Json::from(atom.name()), atom.facts()),
        Value::Tiling(tiling) => match tiling.facts() {
            Ok(facts) => object(Json::from(tiling.atom_name()), facts),
            Err(error) => json!({ "error": error.to_string() }),
        },
        Value::Part { offset, layout } => json!({ "offset": integers(offset), "layout": any_layout(layout) }),
    }
}

fn object(atom: Json, facts: Vec<Fact>) -> Json {
    let facts = facts.into_iter().map(|fact| {
        let value = match &fact.value {
            FactValue::Layout(layout) => constant(&layout.clone().into()),
            FactValue::Tile(tile) => json!({ "tile": self::tile(&tile.map(&mut |n| Leaf::fixed(*n))) }),
            FactValue::Extents(extents) => json!(extents),
            FactValue::Number(number) => json!(number),
        };
        (fact.name, value)
    });
    Json::Object(std::iter::once(("atom".to_string(), atom)).chain(facts).collect())
}

/// A static layout.
pub fn constant(layout: &AnyLayout<i64>) -> Json {
    any_layout(&layout.map(|n| Leaf::fixed(*n)))
}

fn tree<T>(tuple: TupleRef<'_, T>, leaf: &impl Fn(&T) -> Json) -> Json {
    match tuple.as_leaf() {
        Some(own) => leaf(own),
        None => tuple.modes().map(|mode| tree(mode, leaf)).collect(),
    }
}

fn number_or(number: Option<i64>, text: impl Display) -> Json {
    number.map_or_else(|| Json::from(text.to_string()), Json::from)
}

fn integer(own: &Leaf) -> Json {
    number_or(own.as_static(), leaf::text(own))
}

fn integers(tuple: &Tuple<Leaf>) -> Json {
    tree(tuple.view(), &integer)
}

fn step(stride: &Stride<Leaf>) -> Json {
    let text = show_stride(stride);
    number_or(text.parse().ok(), text)
}

fn layout(layout: &Layout<Leaf>) -> Json {
    json!({ "shape": integers(layout.shape()), "stride": tree(layout.stride().view(), &step) })
}

fn any_layout(layout: &AnyLayout<Leaf>) -> Json {
    match layout {
        AnyLayout::Plain(plain) => self::layout(plain),
        AnyLayout::Composed(composed) => {
            let inner = match composed.inner() {
                Inner::Swizzle(swizzle) => self::swizzle(*swizzle),
                Inner::Layout(inner) => self::layout(inner),
            };
            let (offset, outer) = (integers(composed.offset()), self::layout(composed.outer()));
            json!({ "inner": inner, "offset": offset, "outer": outer })
        }
    }
}

fn swizzle(swizzle: Swizzle) -> Json {
    json!({ "swizzle": [swizzle.bits(), swizzle.base(), swizzle.shift()] })
}

fn tile(tile: &Tile<Leaf>) -> Json {
    match tile {
        Tile::Layout(layout) => self::layout(layout),
        Tile::Int(extent) => integer(extent),
        Tile::Underscore => Json::from("_"),
        Tile::Modes(modes) => modes.iter().map(self::tile).collect(),
    }
}

//! Conversions between coordinates and values, slices, swizzles.

use cute_algebra::{
    Domain, Error, Layout, LayoutLike, LayoutRef, Tuple, TupleRef, crd2crd, crd2idx, crd2idx_in_shape, dice,
    dice_tile, dice_tuple, error::Result as Algebra, get_1d_coord, get_flat_coord, get_hier_coord, idx2crd,
    slice, slice_and_offset, slice_tuple,
};

use super::{Args, Function};
use crate::{
    error::Result,
    leaf::Leaf,
    value::{Value, show_layout, show_tuple},
};

fn in_range(a: &Args, coord: usize, shape: usize) -> Result<()> {
    a.at(Domain::Strict.coordinate(&a.coord(coord)?, a.shape(shape)?.view()))
}

/// Checks that the layout of argument 0 has the value of argument 1.
fn has_value(a: &Args, what: &'static str) -> Result<()> {
    a.at(Domain::Strict.coord_of_value(&a.plain(0)?, &a.leaf(1)?, what))
}

/// The layout of the shape in argument 1 and the stride in argument 2.
fn strided(a: &Args) -> Result<Layout<Leaf>> {
    a.at(Layout::new(a.tuple(1)?, a.get(2)?.stride()?))
}

/// [`get_hier_coord`], of one value for each mode where there is a tuple of them.
fn coord_of_values(values: TupleRef<'_, Leaf>, layout: LayoutRef<'_, Leaf>) -> Algebra<Tuple<Leaf>> {
    if let Some(value) = values.as_leaf() {
        return get_hier_coord(&layout.to_owned(), value);
    }
    if layout.is_leaf() || values.rank() != layout.rank() {
        let (values, layout) = (show_tuple(&values.to_owned()), show_layout(&layout.to_owned()));
        let why = format!("{values} and {layout} do not have the same modes");
        return Err(Error::Unsupported { what: "idx2crd", why });
    }
    let modes = values.modes().zip(layout.modes()).map(|(value, mode)| coord_of_values(value, mode));
    Ok(Tuple::from_modes(modes.collect::<Algebra<Vec<_>>>()?))
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "crd2idx",
        "coord: coordinate, layout: layout|shape, stride?: stride",
        "the value of a layout at a coordinate, or the position of the coordinate in a shape",
        "crd2idx((1,2), (4,8):(8,1))",
        |a| match &a.get(1)?.value {
            _ if a.count() > 2 => Ok(Value::Tuple(a.at(crd2idx(&a.coord(0)?, &strided(a)?))?)),
            Value::Tuple(shape) => {
                Ok(Value::Tuple(Tuple::leaf(a.at(crd2idx_in_shape(&a.coord(0)?, shape))?)))
            }
            _ => Ok(Value::Tuple(a.at(crd2idx(&a.coord(0)?, &a.layout(1)?))?)),
        },
    )
    .aliases(&["crd2idx_in_shape"])
    .strict(|a| in_range(a, 0, 1)),
    Function::new(
        "layout_eval",
        "layout: layout, coord: coordinate",
        "the value of a layout at a coordinate",
        "layout_eval((4,8):(8,1), (1,2))",
        |a| Ok(Value::Tuple(a.at(crd2idx(&a.coord(1)?, &a.layout(0)?))?)),
    )
    .strict(|a| in_range(a, 1, 0)),
    Function::new(
        "idx2crd",
        "index: integer|tuple, shape: shape, stride?: stride",
        "the coordinate of an index in a shape, first mode fastest, or of a value of the layout shape:stride",
        "idx2crd(6, (4,8))",
        |a| match a.count() {
            2 => Ok(Value::Tuple(a.at(idx2crd(&a.tuple(0)?, &a.tuple(1)?))?)),
            _ => Ok(Value::Tuple(a.at(coord_of_values(a.tuple(0)?.view(), strided(a)?.view()))?)),
        },
    )
    .strict(|a| match a.get(0)?.leaf() {
        Ok(value) if a.count() > 2 => a.at(Domain::Strict.coord_of_value(&strided(a)?, &value, "idx2crd")),
        _ if a.count() > 2 => Ok(()),
        _ => in_range(a, 0, 1),
    }),
    Function::new(
        "crd2crd",
        "coord: coordinate, from: shape, to: shape",
        "the coordinate in another shape of the same size",
        "crd2crd((3,1), (4,2), (2,4))",
        |a| Ok(Value::Tuple(a.at(crd2crd(&a.tuple(0)?, &a.tuple(1)?, &a.tuple(2)?))?)),
    )
    .strict(|a| in_range(a, 0, 1)),
    Function::new(
        "get_hier_coord",
        "layout: layout, index: integer",
        "the coordinate of a value of a layout, with the profile of its shape",
        "get_hier_coord(((2,2),4):((1,4),8), 13)",
        |a| Ok(Value::Tuple(a.at(get_hier_coord(&a.plain(0)?, &a.leaf(1)?))?)),
    )
    .strict(|a| has_value(a, "get_hier_coord")),
    Function::new(
        "get_flat_coord",
        "layout: layout, index: integer",
        "the coordinate of a value of a layout, one index per mode",
        "get_flat_coord(((2,2),4):((1,4),8), 13)",
        |a| Ok(Value::Tuple(a.at(get_flat_coord(&a.plain(0)?, &a.leaf(1)?))?)),
    )
    .strict(|a| has_value(a, "get_flat_coord")),
    Function::new(
        "get_1d_coord",
        "layout: layout, index: integer",
        "the integer coordinate of a value of a layout",
        "get_1d_coord((4,8):(8,1), 10)",
        |a| Ok(Value::Tuple(Tuple::leaf(a.at(get_1d_coord(&a.plain(0)?, &a.leaf(1)?))?))),
    )
    .strict(|a| has_value(a, "get_1d_coord")),
    Function::new(
        "slice",
        "coord: coordinate, layout: layout",
        "the layout of the modes that the coordinate leaves open with _",
        "slice((2,_), (4,8):(8,1))",
        |a| match &a.get(1)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(a.at(slice_tuple(&a.coord(0)?, tuple))?)),
            _ => Ok(Value::Layout(a.at(slice(&a.coord(0)?, &a.layout(1)?))?)),
        },
    )
    .aliases(&["slice_tuple"])
    .strict(|a| in_range(a, 0, 1)),
    Function::new(
        "slice_and_offset",
        "coord: coordinate, layout: layout",
        "the slice, and the offset of the fixed modes",
        "slice_and_offset((2,_), (4,8):(8,1))",
        |a| {
            let (layout, offset) = a.at(slice_and_offset(&a.coord(0)?, &a.layout(1)?))?;
            Ok(Value::Part { offset, layout })
        },
    )
    .strict(|a| in_range(a, 0, 1)),
    Function::new(
        "dice",
        "coord: coordinate, layout: layout|tuple|tile",
        "the modes that the coordinate fixes",
        "dice((2,_), (4,8):(8,1))",
        |a| match &a.get(1)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(a.at(dice_tuple(&a.coord(0)?, tuple))?)),
            Value::Coord(coord) => Ok(Value::Coord(a.at(dice_tuple(&a.coord(0)?, coord))?)),
            Value::Tile(tile) => Ok(Value::Tile(a.at(dice_tile(&a.coord(0)?, tile))?)),
            _ => Ok(Value::Layout(a.at(dice(&a.coord(0)?, &a.layout(1)?))?)),
        },
    )
    .aliases(&["dice_tuple", "dice_tile"]),
    Function::new(
        "apply",
        "swizzle: swizzle, offset: integer",
        "the offset with one field of bits XORed into another",
        "apply(S<3,4,3>, 128)",
        |a| Ok(Value::Tuple(Tuple::leaf(a.at(a.get(0)?.swizzle()?.apply(&a.leaf(1)?))?))),
    )
    .aliases(&["swizzle_apply"]),
    Function::new(
        "layout",
        "x: layout|slice",
        "the layout of a slice or a tile; the compact layout of a shape",
        "layout(slice_and_offset((2,_), (4,8):(8,1)))",
        |a| match &a.get(0)?.value {
            Value::Part { layout, .. } => Ok(Value::Layout(layout.clone())),
            _ => Ok(Value::Layout(a.layout(0)?)),
        },
    ),
    Function::new(
        "offset",
        "x: slice|composed layout",
        "the offset of a slice or a tile, or of a composed layout",
        "offset(slice_and_offset((2,_), (4,8):(8,1)))",
        |a| match &a.get(0)?.value {
            Value::Part { offset, .. } => Ok(Value::Tuple(offset.clone())),
            Value::Layout(cute_algebra::AnyLayout::Composed(c)) => Ok(Value::Tuple(c.offset().clone())),
            _ => Err(a.get(0)?.not("a slice or a composed layout")),
        },
    ),
    Function::new(
        "outer",
        "layout: layout",
        "the layout that defines the domain: the outer layout of a composed one",
        "outer(S<3,4,3> o 0 o (8,64):(64,1))",
        |a| Ok(Value::Layout(a.layout(0)?.outer().clone().into())),
    ),
    Function::new("shape", "layout: layout", "the shape", "shape((4,8):(8,1))", |a| {
        Ok(Value::Tuple(a.layout(0)?.outer().shape().clone()))
    }),
    Function::new("stride", "layout: layout", "the stride", "stride((4,8):(8,1))", |a| {
        let stride = a.layout(0)?.outer().stride().clone();
        let ints = stride.try_map(|d| d.as_int().cloned().ok_or(()));
        Ok(ints.map_or(Value::Stride(stride), Value::Tuple))
    }),
];

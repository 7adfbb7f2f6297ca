//! Making and simplifying layouts.

use cute_algebra::{
    AnyLayout, Layout, Tile, coalesce, coalesce_profile, coalesce_up_to, domain_distribute, filter,
    filter_profile, filter_zeros, filter_zeros_profile, make_fragment_like, make_identity_layout,
    make_layout, make_layout_like, make_layout_right, make_ordered_layout,
};

use super::{Args, Fixed, Function};
use crate::{error::Result, leaf::Leaf, value::Value};

fn plain(layout: Layout<Leaf>) -> Result<Value> {
    Ok(Value::Layout(AnyLayout::Plain(layout)))
}

fn make(a: &Args) -> Result<Value> {
    match (&a.get(0)?.value, a.count()) {
        (Value::Layout(_), _) => {
            let modes = (0..a.count()).map(|i| a.plain(i)).collect::<Result<Vec<_>>>()?;
            plain(Layout::from_modes(modes))
        }
        // A tuple of layouts is the list of its modes, as in pycute.
        (Value::Tile(Tile::Modes(modes)), 1) => {
            let mode = |tile: &Tile<Leaf>| match tile {
                Tile::Layout(layout) => Ok(layout.clone()),
                _ => Err(a.get(0)?.not("a tuple of layouts")),
            };
            plain(Layout::from_modes(modes.iter().map(mode).collect::<Result<Vec<_>>>()?))
        }
        (_, 1) => plain(a.at(make_layout(&a.tuple(0)?))?),
        (_, 2) => plain(a.at(Layout::new(a.tuple(0)?, a.get(1)?.stride()?))?),
        _ => Err(a.get(0)?.not("a layout, as the first of several modes")),
    }
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "make_layout",
        "shape: shape|layout, stride?: stride|layout...",
        "shape:stride, compact column-major without a stride; for layouts, or a tuple of them, the layout with these modes",
        "make_layout((4,1,2))",
        make,
    ),
    Function::new(
        "make_layout_right",
        "shape: shape",
        "the compact row-major layout",
        "make_layout_right((4,1,2))",
        |a| plain(a.at(make_layout_right(&a.tuple(0)?))?),
    ),
    Function::new(
        "make_ordered_layout",
        "shape: shape, order: tuple",
        "the compact layout whose modes are filled in the given order, smallest first",
        "make_ordered_layout((2,3,4), (2,0,1))",
        |a| plain(a.at(make_ordered_layout(&a.tuple(0)?, &a.tuple(1)?))?),
    ),
    Function::new(
        "make_layout_like",
        "layout: layout",
        "the compact layout of the same shape, modes in the order of the strides",
        "make_layout_like((4,8,2):(128,2,0))",
        |a| plain(a.at(make_layout_like(&a.plain(0)?))?),
    ),
    Function::new(
        "make_fragment_like",
        "layout: layout",
        "the compact layout for a register fragment: mode 0 column-major, the others in order of stride",
        "make_fragment_like((4,4,4):(3,16,4))",
        |a| plain(a.at(make_fragment_like(&a.plain(0)?))?),
    ),
    Function::new(
        "make_identity_layout",
        "shape: shape",
        "the layout that maps every coordinate to itself",
        "make_identity_layout((4,(2,3)))",
        |a| plain(a.at(make_identity_layout(&a.tuple(0)?))?),
    ),
    Function::new(
        "domain_distribute",
        "shape: shape, count: integer",
        "a layout of about count elements spread over the shape, first mode first",
        "domain_distribute((15,14), 6)",
        |a| plain(a.at(domain_distribute(&a.tuple(0)?, a.number(1)?))?),
    ),
    Function::new(
        "coalesce",
        "layout: layout, target_profile?: tuple",
        "the flattest layout that is the same function; at the leaves of a profile",
        "coalesce((2,(1,6)):(1,(6,2)))",
        |a| match a.count() {
            1 => Ok(Value::Layout(a.at(coalesce(&a.layout(0)?))?)),
            _ => Ok(Value::Layout(a.at(coalesce_profile(&a.layout(0)?, a.tuple(1)?.view()))?)),
        },
    )
    .aliases(&["coalesce_profile"])
    .fixed(Fixed::Layout { run: coalesce, check: |_, _| Ok(()) }),
    Function::new(
        "coalesce_up_to",
        "layout: layout, most: integer",
        "coalesce from the first mode on, into modes of at most that many elements, as in a box of the TMA",
        "coalesce_up_to((16,16,2):(1,16,256), 256)",
        |a| plain(a.at(coalesce_up_to(&a.plain(0)?, a.number(1)?))?),
    ),
    Function::new(
        "filter",
        "layout: layout, target_profile?: tuple",
        "without stride-0 modes and extents 1: coalesce(filter_zeros(layout))",
        "filter((4,3):(1,0))",
        |a| match a.count() {
            1 => Ok(Value::Layout(a.at(filter(&a.layout(0)?))?)),
            _ => Ok(Value::Layout(a.at(filter_profile(&a.layout(0)?, a.tuple(1)?.view()))?)),
        },
    )
    .aliases(&["filter_profile"])
    .fixed(Fixed::Layout { run: filter, check: |_, _| Ok(()) }),
    Function::new(
        "filter_zeros",
        "layout: layout, target_profile?: tuple",
        "with extent 1 wherever the stride, or the profile, is 0",
        "filter_zeros((4,(3,2)):(1,(0,4)))",
        |a| match a.count() {
            1 => Ok(Value::Layout(a.at(filter_zeros(&a.layout(0)?))?)),
            _ => Ok(Value::Layout(a.at(filter_zeros_profile(&a.layout(0)?, a.tuple(1)?.view()))?)),
        },
    )
    .aliases(&["filter_zeros_profile"]),
];

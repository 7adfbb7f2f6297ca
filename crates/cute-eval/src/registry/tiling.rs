//! Divides, products, tiles and partitions, and changes of the element width.

use cute_algebra::{
    Domain, Tiler, Tuple, blocked_product, cover_shape, downcast, flat_divide, flat_product, local_partition,
    local_partition_projected, local_tile, local_tile_projected, logical_divide, logical_product,
    outer_flat_divide, outer_logical_divide, outer_partition, outer_tiled_divide, outer_zipped_divide,
    raked_product, recast_layout, reverse, reverse_tiler, stencil_divide, tile_to_shape, tiled_divide,
    tiled_product, upcast, zipped_divide, zipped_product,
};

use super::{Args, Fixed, Function};
use crate::{error::Result, leaf::Leaf, value::Value};

fn outer_divides(a: &Args) -> Result<()> {
    let layout = a.at(reverse(&a.layout(0)?))?;
    a.at(Domain::Strict.divide(&layout, &reverse_tiler(&a.tiler(1)?)))
}

/// The check of blocked and raked products, whose tiler is always read as a layout.
fn ranked_products(a: &Args) -> Result<()> {
    a.at(Domain::Strict.product(&a.layout(0)?, &Tiler::Layout(a.plain(1)?)))
}

/// The order of the copies of a block.
fn order(a: &Args) -> Result<Option<Tuple<Leaf>>> {
    if a.count() > 2 { a.tuple(2).map(Some) } else { Ok(None) }
}

/// A table entry for an operation of a layout and a tiler, with the check of a domain policy.
macro_rules! tiler_op {
    ($op:ident, Domain::$check:ident, $doc:literal, $args:literal) => {
        tiler_op!($op, |a| a.at(Domain::Strict.$check(&a.layout(0)?, &a.tiler(1)?)), $doc, $args)
            .fixed(Fixed::Tiled { run: $op, check: Domain::$check })
    };
    ($op:ident, $strict:expr, $doc:literal, $args:literal) => {
        Function::new(
            stringify!($op),
            "layout: layout, tiler: tiler",
            $doc,
            concat!(stringify!($op), "(", $args, ")"),
            |a| Ok(Value::Layout(a.at($op(&a.layout(0)?, &a.tiler(1)?))?)),
        )
        .strict($strict)
    };
}

pub(super) const TABLE: &[Function] = &[
    tiler_op!(
        logical_divide,
        Domain::divide,
        "every tiled mode split into (tile, rest)",
        "(16,8):(8,1), (4,2)"
    ),
    tiler_op!(
        zipped_divide,
        Domain::divide,
        "the tiles and the rests gathered: ((tile,...),(rest,...))",
        "(16,8):(8,1), (4,2)"
    ),
    tiler_op!(
        tiled_divide,
        Domain::divide,
        "the tiles gathered: ((tile,...),rest,...)",
        "(16,8):(8,1), (4,2)"
    ),
    tiler_op!(flat_divide, Domain::divide, "nothing gathered: (tile,...,rest,...)", "(16,8):(8,1), (4,2)"),
    tiler_op!(
        outer_logical_divide,
        outer_divides,
        "logical_divide from the last mode: reverse(logical_divide(reverse(a), reverse(t)))",
        "(16,8):(8,1), [2]"
    ),
    tiler_op!(
        outer_zipped_divide,
        outer_divides,
        "zipped_divide from the last mode: the rests in mode 0, the tiles in mode 1",
        "(16,8):(8,1), [2]"
    ),
    tiler_op!(
        outer_tiled_divide,
        outer_divides,
        "tiled_divide from the last mode: the tiles in the last mode",
        "(16,8):(8,1), [2]"
    ),
    tiler_op!(
        outer_flat_divide,
        outer_divides,
        "flat_divide from the last mode: the rests, then the tiles",
        "(16,8):(8,1), [2]"
    ),
    Function::new(
        "stencil_divide",
        "layout: layout, window: coordinate, step?: tuple, dilation?: tuple",
        "overlapping windows: each mode as (window, positions); _ leaves a mode whole",
        "stencil_divide(8:1, 3)",
        |a| {
            let step = if a.count() > 2 { Some(a.tuple(2)?) } else { None };
            let dilation = if a.count() > 3 { Some(a.tuple(3)?) } else { None };
            let windows = stencil_divide(&a.layout(0)?, &a.coord(1)?, step.as_ref(), dilation.as_ref());
            Ok(Value::Layout(a.at(windows)?))
        },
    ),
    tiler_op!(
        logical_product,
        Domain::product,
        "a layout repeated: (layout, where the copies lie)",
        "(2,2):(1,2), 6:1"
    ),
    tiler_op!(
        zipped_product,
        Domain::product,
        "the blocks and the repetitions gathered",
        "(2,2):(1,2), [3:1;4:1]"
    ),
    tiler_op!(
        tiled_product,
        Domain::product,
        "the repetitions as modes of their own",
        "(2,2):(1,2), [3:1;4:1]"
    ),
    tiler_op!(
        flat_product,
        Domain::product,
        "blocks and repetitions as modes of their own",
        "(2,2):(1,2), [3:1;4:1]"
    ),
    Function::new(
        "blocked_product",
        "block: layout, tiler: layout",
        "every element of the tiler replaced by a block: mode i is (block_i, tiler_i)",
        "blocked_product((2,5):(5,1), (3,4):(1,3))",
        |a| Ok(Value::Layout(a.at(blocked_product(&a.layout(0)?, &a.plain(1)?))?)),
    )
    .strict(ranked_products),
    Function::new(
        "raked_product",
        "block: layout, tiler: layout",
        "blocks interleaved over the tiler: mode i is (tiler_i, block_i)",
        "raked_product((2,5):(5,1), (3,4):(1,3))",
        |a| Ok(Value::Layout(a.at(raked_product(&a.layout(0)?, &a.plain(1)?))?)),
    )
    .strict(ranked_products),
    Function::new(
        "tile_to_shape",
        "block: layout, target: shape, order?: tuple",
        "the block repeated until it has the target's shape",
        "tile_to_shape((8,4):(4,1), (16,16))",
        |a| {
            let made = tile_to_shape(&a.layout(0)?, a.tuple(1)?.view(), order(a)?.as_ref());
            Ok(Value::Layout(a.at(made)?))
        },
    )
    .strict(|a| a.at(Domain::Strict.tile_to_shape(&a.layout(0)?, a.tuple(1)?.view(), order(a)?.as_ref()))),
    Function::new(
        "cover_shape",
        "block: layout, target: shape, order?: tuple",
        "tile_to_shape for blocks that need not divide the target: rounded up in every mode",
        "cover_shape((3,3):(1,3), (5,8))",
        |a| {
            let made = cover_shape(&a.layout(0)?, a.tuple(1)?.view(), order(a)?.as_ref());
            Ok(Value::Layout(a.at(made)?))
        },
    )
    .strict(|a| a.at(Domain::Strict.cover_shape(&a.layout(0)?, a.tuple(1)?.view(), order(a)?.as_ref()))),
    Function::new(
        "local_tile",
        "layout: layout, tiler: tiler, coord: coordinate, projection?: coordinate",
        "one tile of a layout; _ in the projection drops a mode of tiler and coordinate",
        "local_tile((64,32):(32,1), (16,8), (1,2))",
        |a| {
            let (l, t, c) = (a.layout(0)?, a.tiler(1)?, a.coord(2)?);
            let (layout, offset) = match a.count() {
                3 => a.at(local_tile(&l, &t, &c))?,
                _ => a.at(local_tile_projected(&l, &t, &c, &a.coord(3)?))?,
            };
            Ok(Value::Part { offset, layout })
        },
    )
    .aliases(&["local_tile_projected"])
    .strict(|a| {
        let projection = if a.count() > 3 { Some(a.coord(3)?) } else { None };
        a.at(Domain::Strict.local_tile(&a.layout(0)?, &a.tiler(1)?, &a.coord(2)?, projection.as_ref()))
    }),
    Function::new(
        "outer_partition",
        "layout: layout, tiler: tiler, coord: coordinate",
        "the elements at one coordinate of every tile",
        "outer_partition((64,32):(32,1), (16,8), (1,2))",
        |a| {
            let (layout, offset) = a.at(outer_partition(&a.layout(0)?, &a.tiler(1)?, &a.coord(2)?))?;
            Ok(Value::Part { offset, layout })
        },
    )
    .strict(|a| a.at(Domain::Strict.outer_partition(&a.layout(0)?, &a.tiler(1)?, &a.coord(2)?))),
    Function::new(
        "local_partition",
        "layout: layout, threads: layout, index: integer, projection?: coordinate",
        "the elements of one thread of a thread layout; _ in the projection drops a mode of it",
        "local_partition((64,32):(32,1), (16,8):(8,1), 10)",
        |a| {
            let (l, t, i) = (a.layout(0)?, a.plain(1)?, a.leaf(2)?);
            let (layout, offset) = match a.count() {
                3 => a.at(local_partition(&l, &t, &i))?,
                _ => a.at(local_partition_projected(&l, &t, &i, &a.coord(3)?))?,
            };
            Ok(Value::Part { offset, layout })
        },
    )
    .aliases(&["local_partition_projected"])
    .strict(|a| {
        let projection = if a.count() > 3 { Some(a.coord(3)?) } else { None };
        a.at(Domain::Strict.local_partition(&a.layout(0)?, &a.plain(1)?, &a.leaf(2)?, projection.as_ref()))
    }),
    Function::new(
        "upcast",
        "layout: layout, n: integer",
        "the layout for elements n times as wide",
        "upcast((16,8):(8,1), 4)",
        |a| Ok(Value::Layout(a.at(upcast(&a.layout(0)?, a.number(1)?))?)),
    ),
    Function::new(
        "downcast",
        "layout: layout, n: integer",
        "the layout for elements n times as narrow",
        "downcast((16,8):(8,1), 4)",
        |a| Ok(Value::Layout(a.at(downcast(&a.layout(0)?, a.number(1)?))?)),
    ),
    Function::new(
        "recast_layout",
        "layout: layout, old_bits: integer, new_bits: integer",
        "the layout in elements of new_bits of a layout in elements of old_bits; CuTe DSL's order (new_bits, old_bits, layout) is taken too",
        "recast_layout((16,8):(8,1), 16, 32)",
        |a| {
            // C++ has recast_layout<Old, New>(layout). Only one of both orders ends with a layout.
            let [layout, old, new] = match &a.get(2)?.value {
                Value::Layout(_) => [2, 1, 0],
                _ => [0, 1, 2],
            };
            Ok(Value::Layout(a.at(recast_layout(&a.layout(layout)?, a.number(new)?, a.number(old)?))?))
        },
    ),
];

//! The steps of divides and products.

use cute_algebra::{
    Int, Layout, Tile, Tiler, Tuple, coalesce, cosize, error::Result, flat_divide, flat_product,
    logical_divide, logical_product, make_layout, size, tiled_divide, tiled_product, zipped_divide,
    zipped_product,
};

use super::{Steps, complement, composition};
use crate::{
    leaf::{Leaf, text},
    value::{Value, show_layout, show_tuple},
};

type Op = fn(&Layout<Leaf>, &Tiler<Leaf>) -> Result<Layout<Leaf>>;

/// The logical divide, then the regrouping of its modes.
pub(super) fn divide(s: &mut Steps, name: &str, a: &Layout<Leaf>, t: &Tiler<Leaf>) -> Result<Layout<Leaf>> {
    let logical = by_tile(s, a, &t.to_tile(), divide_one)?;
    debug_assert_eq!(show_layout(&logical), show_layout(&logical_divide(a, t)?));
    let ops: [(&str, Op); 3] =
        [("zipped_divide", zipped_divide), ("tiled_divide", tiled_divide), ("flat_divide", flat_divide)];
    gathered(s, name, ["tiles", "rests"], logical, ops.map(|(n, op)| (n, op(a, t))))
}

/// The logical product, then the regrouping of its modes.
pub(super) fn product(s: &mut Steps, name: &str, a: &Layout<Leaf>, t: &Tiler<Leaf>) -> Result<Layout<Leaf>> {
    let logical = by_tile(s, a, &t.to_tile(), product_one)?;
    debug_assert_eq!(show_layout(&logical), show_layout(&logical_product(a, t)?));
    let ops: [(&str, Op); 3] = [
        ("zipped_product", zipped_product),
        ("tiled_product", tiled_product),
        ("flat_product", flat_product),
    ];
    gathered(s, name, ["blocks", "repetitions"], logical, ops.map(|(n, op)| (n, op(a, t))))
}

fn gathered(
    s: &mut Steps,
    name: &str,
    [first, second]: [&str; 2],
    logical: Layout<Leaf>,
    forms: [(&str, Result<Layout<Leaf>>); 3],
) -> Result<Layout<Leaf>> {
    let how = [
        format!("(({first}),({second}))"),
        format!("{second} unpacked: (({first}),{second}...)"),
        format!("{first} unpacked: ({first}...,{second}...)"),
    ];
    let mut result = logical;
    if forms.iter().all(|(form, _)| *form != name) {
        return Ok(result);
    }
    s.line(format!("pair by pair: {}", show_layout(&result)));
    for ((form, layout), how) in forms.into_iter().zip(how) {
        result = layout?;
        s.line(format!("{how}: {}", show_layout(&result)));
        if form == name {
            break;
        }
    }
    Ok(result)
}

type One = fn(&mut Steps, &Layout<Leaf>, &Layout<Leaf>) -> Result<Layout<Leaf>>;

fn by_tile(s: &mut Steps, a: &Layout<Leaf>, tile: &Tile<Leaf>, one: One) -> Result<Layout<Leaf>> {
    match tile {
        Tile::Layout(t) => one(s, a, t),
        Tile::Int(extent) => one(s, a, &make_layout(&Tuple::leaf(extent.clone()))?),
        Tile::Underscore => {
            s.line("`_`: as it is");
            Ok(a.clone())
        }
        Tile::Modes(tiles) => {
            let mut modes = Vec::new();
            for (i, mode) in a.modes().enumerate() {
                let mode = mode.to_owned();
                let Some(tile) = tiles.get(i) else {
                    s.line(format!("mode {i}, {}: no tile, as it is", show_layout(&mode)));
                    modes.push(mode);
                    continue;
                };
                s.line(format!("mode {i}: a = {}, t = {}", show_layout(&mode), Value::Tile(tile.clone())));
                modes.push(s.inside(|s| by_tile(s, &mode, tile, one))?);
            }
            Ok(Layout::from_modes(modes))
        }
    }
}

/// `a o (t, complement(t, size(a)))`
fn divide_one(s: &mut Steps, a: &Layout<Leaf>, t: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    let domain = coalesce(a)?.shape().clone();
    s.line(format!("t* = complement(t, a) = complement({}, {})", show_layout(t), show_tuple(&domain)));
    let rest = s.inside(|s| complement::steps(s, t, Some(&domain)))?;
    let b = Layout::from_modes([t.clone(), rest]);
    s.line(format!("a o (t,t*) = {} o {}", show_layout(a), show_layout(&b)));
    s.inside(|s| composition::compose(s, a, &b))
}

/// `(a, complement(a, size(a)*cosize(t)) o t)`
fn product_one(s: &mut Steps, a: &Layout<Leaf>, t: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    let (own, reach) = (size(a)?, cosize(t)?);
    let room = own.mul(&reach)?;
    s.line(format!(
        "a* = complement(a, size(a)*cosize(t)) = complement({}, {}*{} = {})",
        show_layout(a),
        text(&own),
        text(&reach),
        text(&room)
    ));
    let free = s.inside(|s| complement::steps(s, a, Some(&Tuple::leaf(room))))?;
    s.line(format!("a* o t = {} o {}", show_layout(&free), show_layout(t)));
    let copies = s.inside(|s| composition::compose(s, &free, t))?;
    let result = Layout::from_modes([a.clone(), copies]);
    s.line(format!("(a, a* o t) = {}", show_layout(&result)));
    Ok(result)
}

//! Outer divides: tiling from the last mode, for row-major shapes. A tiler of lower rank than the
//! layout applies to the last modes, so that the leading (batch) modes stay whole.

use crate::{
    composed::LayoutLike,
    error::Result,
    int::Int,
    layout::Layout,
    ops::divide::{flat_divide, logical_divide, tiled_divide, zipped_divide},
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// The layout with its top-level modes in reverse order.
///
/// ```text
/// reverse((a,b,c)) = (c,b,a)
/// ```
///
/// ```
/// use cute_algebra::{parse_layout, reverse};
/// assert_eq!(reverse(&parse_layout("(4,(2,3)):(1,(4,8))")?)?.to_string(), "((2,3),4):((4,8),1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reverse<L: LayoutLike>(layout: &L) -> Result<L> {
    layout.map_outer(|outer| Ok(reversed(outer)))
}

fn reversed<I: Int>(layout: &Layout<I>) -> Layout<I> {
    if layout.is_leaf() {
        return layout.clone();
    }
    let mut modes: Vec<_> = layout.modes().map(|m| m.to_owned()).collect();
    modes.reverse();
    Layout::from_modes(modes)
}

/// The tiler with its top-level modes in reverse order.
///
/// ```
/// use cute_algebra::{parse_tiler, reverse_tiler};
/// assert_eq!(reverse_tiler(&parse_tiler("[4:1;_]")?).to_string(), "[_;4:1]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reverse_tiler<I: Int>(tiler: &Tiler<I>) -> Tiler<I> {
    match tiler {
        Tiler::Layout(layout) => Tiler::Layout(reversed(layout)),
        Tiler::Shape(shape) if shape.is_leaf() => tiler.clone(),
        Tiler::Shape(shape) => {
            let mut modes: Vec<_> = shape.modes().map(|m| m.to_owned()).collect();
            modes.reverse();
            Tiler::Shape(Tuple::from_modes(modes))
        }
        Tiler::Tile(Tile::Modes(modes)) => Tiler::Tile(Tile::Modes(modes.iter().rev().cloned().collect())),
        Tiler::Tile(_) => tiler.clone(),
    }
}

fn outer<L: LayoutLike>(
    divide: impl FnOnce(&L, &Tiler<L::Leaf>) -> Result<L>,
    layout: &L,
    tiler: &Tiler<L::Leaf>,
) -> Result<L> {
    reverse(&divide(&reverse(layout)?, &reverse_tiler(tiler))?)
}

/// [`logical_divide`] from the last mode: a tiler of lower rank tiles the last modes.
///
/// ```text
/// outer_logical_divide(A, T) = reverse(logical_divide(reverse(A), reverse(T)))
/// ```
///
/// ```
/// use cute_algebra::{outer_logical_divide, parse_layout, parse_tiler};
/// let d = outer_logical_divide(&parse_layout("(4,8,16):(128,16,1)")?, &parse_tiler("(2,4)")?)?;
/// assert_eq!(d.to_string(), "(4,(2,4),(4,4)):(128,(16,32),(1,4))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outer_logical_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    outer(logical_divide, layout, tiler)
}

/// [`zipped_divide`] from the last mode: the rests are in mode 0 and the tiles in mode 1, each in
/// reverse order.
///
/// ```text
/// outer_zipped_divide(A, T) = reverse(zipped_divide(reverse(A), reverse(T)))
/// ```
///
/// ```
/// use cute_algebra::{outer_zipped_divide, parse_layout, parse_tiler};
/// let d = outer_zipped_divide(&parse_layout("(8,16):(16,1)")?, &parse_tiler("(2,4)")?)?;
/// assert_eq!(d.to_string(), "((4,4),(4,2)):((4,32),(1,16))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outer_zipped_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    outer(zipped_divide, layout, tiler)
}

/// [`tiled_divide`] from the last mode: the tiles in the last mode, the rests in order before it.
///
/// ```text
/// outer_tiled_divide(A, T) = reverse(tiled_divide(reverse(A), reverse(T)))
/// ```
///
/// ```
/// use cute_algebra::{outer_tiled_divide, parse_layout, parse_tiler};
/// let d = outer_tiled_divide(&parse_layout("(8,16):(16,1)")?, &parse_tiler("(2,4)")?)?;
/// assert_eq!(d.to_string(), "(4,4,(4,2)):(32,4,(1,16))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outer_tiled_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    outer(tiled_divide, layout, tiler)
}

/// [`flat_divide`] from the last mode: the rests in order, then the tiles in order.
///
/// ```text
/// outer_flat_divide(A, T) = reverse(flat_divide(reverse(A), reverse(T)))
/// ```
///
/// ```
/// use cute_algebra::{outer_flat_divide, parse_layout, parse_tiler};
/// let d = outer_flat_divide(&parse_layout("(8,16):(16,1)")?, &parse_tiler("(2,4)")?)?;
/// assert_eq!(d.to_string(), "(4,4,2,4):(32,4,16,1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outer_flat_divide<L: LayoutLike>(layout: &L, tiler: &Tiler<L::Leaf>) -> Result<L> {
    outer(flat_divide, layout, tiler)
}

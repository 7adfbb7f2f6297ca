//! [`BoxTiler`]: the division of tiles into boxes.

use super::refuse;
use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{BoxRule, Result},
    int::Int,
    layout::Layout,
    ops::{
        coalesce_profile, composition, cosize, crd2idx, get, logical_divide, right_inverse, size,
        tile_to_shape,
    },
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// The division of tiles into boxes.
///
/// ```
/// use cute_algebra::{BoxTiler, parse_coord, parse_layout};
/// let layout = |text| parse_layout(text).unwrap();
/// let memory = layout("(((128,16),1,(4,2)),3):(((64,1),0,(16,8192)),16384)");
/// let tiler = BoxTiler::new(&memory.mode(0)?, 8192, &parse_coord("0").unwrap(), &layout("1:0"))?;
/// assert_eq!(tiler.partition(&memory)?.0.to_string(), "((8192,2),3):((1,8192),16384)");
/// let tensor = layout("(((128,16),1,8),?):(((1@1,1@0),0,16@0),128@1)");
/// assert_eq!(tiler.partition(&tensor)?.0.to_string(), "(((64,128),2),?):(((1@0,1@1),64@0),128@1)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BoxTiler<I> {
    /// From (value of a box, box) to the values of a tile.
    order: Layout<I>,
    /// The value of each box at which a CTA begins.
    begin: I,
}

impl<I: Int> BoxTiler<I> {
    /// Divides tiles into boxes of `values` values. The layout of mode 0 of the tiles in memory is
    /// `tile`, without its swizzle. `ctas` numbers the CTAs, each of which loads one part of a box
    /// for all of them; `cta` is the coordinate of this CTA.
    pub fn new(tile: &Layout<I>, values: i64, cta: &Coord<I>, ctas: &Layout<I>) -> Result<Self> {
        if !tile.is_static() {
            return refuse(BoxRule::Static, format!("a tile must be static, found {tile}"));
        }
        let parts = cosize(ctas)?;
        let number = crd2idx(cta, ctas)?;
        let (Some(parts), Some(number)) = (parts.as_static(), number.as_leaf()) else {
            return refuse(
                BoxRule::Static,
                format!("CTAs must be numbered by static integers, found {ctas}"),
            );
        };
        if parts < 1 || values % parts != 0 {
            return refuse(
                BoxRule::Shared,
                format!("{parts} CTAs do not share a box of {values} elements equally"),
            );
        }
        let all = size(tile)?;
        let from_memory = Layout::from_modes([right_inverse(tile)?]);
        let order = tile_to_shape(&from_memory, Tuple::leaf(all).view(), None)?;
        let one = Tiler::Layout(Layout::identity(I::from_i64(values))?);
        let order = logical_divide(&order, &one)?;
        Ok(Self { order, begin: number.mul(&I::from_i64(values / parts))? })
    }

    /// `((box,boxes),rest..)` of a tile `(tile,rest..)`, and where the part of the CTA begins.
    pub fn partition<L: LayoutLike<Leaf = I>>(&self, tile: &L) -> Result<(L, Tuple<I>)> {
        let rest = tile.outer().rank().saturating_sub(1);
        let modes = std::iter::once(Tile::Layout(self.order.clone()));
        let modes = modes.chain(std::iter::repeat_n(Tile::Underscore, rest)).collect();
        let ordered = composition(tile, &Tile::Modes(modes).into())?;
        let leaf = || Tuple::leaf(());
        let profile = Tuple::from_modes([Tuple::from_modes([leaf(), leaf()])]);
        let ordered = coalesce_profile(&ordered, profile.view())?;
        let begin = match self.begin.is(0) {
            true => Tuple::leaf(I::from_i64(0)),
            false => {
                let at = Tuple::leaf(Crd::Int(self.begin.clone()));
                crd2idx(&at, &get(&get(ordered.outer(), &[0])?, &[0])?)?
            }
        };
        Ok((ordered, begin))
    }
}

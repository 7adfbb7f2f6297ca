//! The options of `svg`.

use cute_algebra::product_each;

use crate::{
    error::{Error, Result, SettingError, at},
    eval::Session,
    options::settings,
};

settings! {
    /// The options of `svg`.
    Picture of "svg";
    /// The tile whose threads and values are shown: (M,N) for TV; (M,N,K) for a tiled MMA, by
    /// default its own tile
    "tile" "SHAPE" => tile: Option<String>,
    /// Bits of an element in shared memory: colour a layout by the banks in which it lies
    "bits" "N" also of "banks" and "candidates" => bits: Option<i64>,
    /// Draw the first N rows and columns of each table
    "corner" "N" => corner: Option<i64>,
}

impl Picture {
    /// The extents of the tile.
    pub(crate) fn tile(&self, session: &Session) -> Result<Option<Vec<i64>>> {
        let Some(text) = &self.tile else { return Ok(None) };
        let extents = || {
            let arg = session.argument("the tile", text)?;
            let bad = || arg.not("static positive extents, such as (128,64)");
            let shape = arg.tuple()?.to_const().ok_or_else(bad)?;
            let extents = at(arg.column, product_each(shape.view()))?.leaves().to_vec();
            if shape.leaves().iter().any(|extent| *extent < 1) { Err(bad()) } else { Ok(extents) }
        };
        extents()
            .map(Some)
            .map_err(|error| Error::Setting(SettingError::Inside { option: "tile", error: Box::new(error) }))
    }

    /// Checks that `--tile` and `--bits` are given only to values that take them.
    pub(super) fn only(&self, tile: bool, bits: bool) -> Result<()> {
        let fail = |why: &str| Err(Error::Request(why.into()));
        match (self.tile.is_some() && !tile, self.bits.is_some() && !bits) {
            (true, _) => fail("--tile is for a tiled MMA and for a thread-value layout, after the word TV"),
            (_, true) => fail("--bits is for the layout of a tensor in shared memory"),
            _ => Ok(()),
        }
    }
}

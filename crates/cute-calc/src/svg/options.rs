//! The options of `svg` on the command line.

use std::path::PathBuf;

use clap::Args;
use cute_algebra::product_each;
use serde::Deserialize;

use crate::{
    error::{Error, Result, at},
    eval::Session,
    registry::Arg,
    syntax,
};

/// The options of `svg`.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[command(next_help_heading = "Options of svg")]
pub struct Picture {
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    #[serde(skip)]
    pub output: Option<PathBuf>,
    /// The tile whose threads and values are shown: (M,N) for TV; (M,N,K) for a tiled MMA, by
    /// default its own tile
    #[arg(long, value_name = "SHAPE")]
    tile: Option<String>,
    /// Bits of an element in shared memory: colour a layout by the banks in which it lies
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub bits: Option<i64>,
    /// Draw the first N rows and columns of each table
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub corner: Option<i64>,
}

impl Picture {
    /// Checks that no option is given; other commands do not take them.
    pub fn none(&self) -> Result<()> {
        match self.bits {
            Some(_) => Err(Error::Request("--bits is an option of svg and banks".into())),
            None => self.only_bits(),
        }
    }

    /// Checks that no option but `--bits` is given.
    pub fn only_bits(&self) -> Result<()> {
        let given = [
            self.output.is_some().then_some("--output"),
            self.tile.is_some().then_some("--tile"),
            self.corner.is_some().then_some("--corner"),
        ];
        match given.into_iter().flatten().next() {
            Some(option) => Err(Error::Request(format!("{option} is an option of svg"))),
            None => Ok(()),
        }
    }

    /// The extents of the tile.
    pub fn tile(&self, session: &Session) -> Result<Option<Vec<i64>>> {
        let Some(text) = &self.tile else { return Ok(None) };
        let extents = || {
            let node = syntax::expression(text)?;
            let arg = Arg { what: "the tile".into(), column: node.column, value: session.node(&node)? };
            let bad = || arg.not("static positive extents, such as (128,64)");
            let shape = arg.tuple()?.to_const().ok_or_else(bad)?;
            let extents = at(node.column, product_each(shape.view()))?.leaves().to_vec();
            if shape.leaves().iter().any(|extent| *extent < 1) { Err(bad()) } else { Ok(extents) }
        };
        extents().map(Some).map_err(|error| Error::Named { name: "--tile".into(), error: Box::new(error) })
    }

    /// Checks that `--tile` and `--bits` are given only to values that take them.
    pub fn only(&self, tile: bool, bits: bool) -> Result<()> {
        let fail = |why: &str| Err(Error::Request(why.into()));
        match (self.tile.is_some() && !tile, self.bits.is_some() && !bits) {
            (true, _) => fail("--tile is for a tiled MMA and for a thread-value layout, after the word TV"),
            (_, true) => fail("--bits is for the layout of a tensor in shared memory"),
            _ => Ok(()),
        }
    }
}

//! Blocks of a cluster that share tiles: the blocks of a row share rows of A, those of a column
//! share columns of B.
//!
//! If a pair of blocks multiplies one tile, each block has half of the tile along M, and half of
//! the columns of B.

use super::raster::Place;
use crate::{Builder, Built, Value, tma::Shares};

/// A cluster, and this block's place in it.
#[derive(Clone, Copy)]
pub(super) struct Cluster<'c> {
    /// Blocks along M and N.
    pub size: [i64; 2],
    /// Blocks that multiply one tile, neighbours along M.
    pub pair: i64,
    /// The block's place along M and N.
    pub rank: [Value<'c>; 2],
}

impl<'c> Cluster<'c> {
    pub fn new(code: &Builder<'c>, size: [i64; 2], pair: i64) -> Built<Self> {
        let rank = |name, register, blocks| {
            if blocks > 1 { code.named(name).register(register) } else { code.i32(0) }
        };
        let rank = [rank("rank_m", "cluster.ctaid.x", size[0])?, rank("rank_n", "cluster.ctaid.y", size[1])?];
        Ok(Self { size, pair, rank })
    }

    pub fn blocks(&self) -> i64 {
        self.size[0] * self.size[1]
    }

    /// The blocks, or pairs of blocks, that read the tiles that this one loads: those of its row,
    /// and those of its column.
    pub fn readers(&self) -> i64 {
        self.size[0] / self.pair + self.size[1] - 1
    }

    /// The block's tile of the cluster's.
    pub fn own(&self, code: &Builder<'c>, at: Place<'c>) -> Built<Place<'c>> {
        let own = |at: Value<'c>, i: usize| {
            let blocks = self.size[i];
            if blocks == 1 {
                return Ok(at);
            }
            let first = code.named("first").mul(at, code.i32(blocks)?)?;
            code.named("own").add(first, self.rank[i])
        };
        Ok(Place { m: own(at.m, 0)?, n: own(at.n, 1)?, ..at })
    }

    /// The block's place in its pair.
    pub fn half(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        if self.pair == 1 {
            return code.i32(0);
        }
        code.named("half").rem_unsigned(self.rank[0], code.i32(self.pair)?)
    }

    /// The number of the block in its cluster, which masks and addresses of the cluster count.
    pub fn number(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        let above = code.named("above").mul(self.rank[1], code.i32(self.size[0])?)?;
        code.named("number").add(above, self.rank[0])
    }

    /// The number of the first block of the pair.
    pub fn leader(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        code.named("leader").sub(self.number(code)?, self.half(code)?)
    }

    /// The blocks that load parts of the tile of A or of B.
    pub fn shares(&self, code: &Builder<'c>, which: usize) -> Built<Shares<'c>> {
        if which == 0 {
            return Ok(Shares { blocks: self.size[1], rank: self.rank[1] });
        }
        let rank = match self.pair {
            1 => self.rank[0],
            pair => code.named("pair").div_unsigned(self.rank[0], code.i32(pair)?)?,
        };
        Ok(Shares { blocks: self.size[0] / self.pair, rank })
    }

    /// The blocks that receive tiles of A (the row of the cluster) or of B (the column, of which
    /// only every second block if blocks form pairs). `None` if that is one block.
    fn mask(&self, code: &Builder<'c>, which: usize) -> Built<Option<Value<'c>>> {
        let [m, n] = self.size;
        let (blocks, by) = if which == 0 {
            ((0..n).map(|j| 1 << (m * j)).sum::<i64>(), self.rank[0])
        } else {
            let blocks = (0..m / self.pair).map(|i| 1 << (self.pair * i)).sum();
            let row = code.named("row").mul(self.rank[1], code.i32(m)?)?;
            (blocks, code.named("row").add(row, self.half(code)?)?)
        };
        if blocks == 1 {
            return Ok(None);
        }
        let mask = code.named("mask").shift_left(code.i32(blocks)?, by)?;
        self.as_mask(code, mask).map(Some)
    }

    /// The masks of A and of B.
    pub fn masks(&self, code: &Builder<'c>) -> Built<[Option<Value<'c>>; 2]> {
        Ok([self.mask(code, 0)?, self.mask(code, 1)?])
    }

    /// The blocks of the pair; `None` if there are no pairs.
    pub fn both(&self, code: &Builder<'c>) -> Built<Option<Value<'c>>> {
        if self.pair == 1 {
            return Ok(None);
        }
        let mask = code.i32((1 << self.pair) - 1)?;
        let mask = code.named("both").shift_left(mask, self.leader(code)?)?;
        self.as_mask(code, mask).map(Some)
    }

    /// All blocks that load tiles for this pair or block: those of its row and of its column.
    /// `None` if it is alone.
    pub fn loaders(&self, code: &Builder<'c>) -> Built<Option<Value<'c>>> {
        let [m, n] = self.size;
        if m * n == 1 {
            return Ok(None);
        }
        let column: i64 = (0..n).map(|j| ((1 << self.pair) - 1) << (m * j)).sum();
        let first = code.named("first").sub(self.rank[0], self.half(code)?)?;
        let column = code.named("column").shift_left(code.i32(column)?, first)?;
        let row = code.named("row").mul(self.rank[1], code.i32(m)?)?;
        let row = code.named("row").shift_left(code.i32((1 << m) - 1)?, row)?;
        let mask = code.named("loaders").or(row, column)?;
        self.as_mask(code, mask).map(Some)
    }

    fn as_mask(&self, code: &Builder<'c>, mask: Value<'c>) -> Built<Value<'c>> {
        code.named("mask").typed("arith.trunci", &[mask], code.integer_type(16), &[])
    }
}

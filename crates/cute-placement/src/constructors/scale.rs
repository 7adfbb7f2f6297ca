//! One-byte scale factors for `tcgen05.mma` with `.block_scale`: in tensor memory, and in the
//! shared memory from which `tcgen05.cp` copies them.

use crate::Placement;

use cute_arch::block_scaled::{SF_BLOCK, sf_rows};

use super::{Result, between, error::Args, iter, placed};

/// A matrix of scale factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scales {
    /// Rows of the operand.
    pub rows: i64,
    /// Factors of a row.
    pub sf_k: i64,
    /// Factors of a row that one instruction takes: 1 for 8-bit data, 2 for 4-bit data in blocks of
    /// 32, 4 in blocks of 16.
    pub sf_per_mma: i64,
    /// Columns in a row that share a factor.
    pub sf_reuse: i64,
    /// Stages of a pipeline, as the first dimension.
    pub pipe_depth: Option<i64>,
}

/// Rows of a block in shared memory.
const ROWS: i64 = SF_BLOCK[0];
/// Factors in a column of 32 bits.
const CELL: i64 = SF_BLOCK[1];
/// Lanes that hold them, and copies of these.
const LANES: i64 = cute_arch::WARP as i64;

impl Scales {
    fn check(&self, args: Args) -> Result<()> {
        args.positive("SF_K", self.sf_k)?;
        args.positive("sf_reuse", self.sf_reuse)?;
        self.pipe_depth.map_or(Ok(()), |depth| args.positive("pipe_depth", depth))
    }

    /// `tile`, with columns that share factors and with stages, each as far from the next as the
    /// tile is long.
    fn staged(&self, tile: &Placement, stage: i64, axis: &str) -> Result<Placement> {
        let stages = self.pipe_depth.map(|depth| iter(depth, stage, axis)).transpose()?;
        let shared = (self.sf_reuse > 1).then(|| iter(self.sf_reuse, 0, axis)).transpose()?;
        between(stages, tile, shared)
    }
}

/// Their places in tensor memory, (`pipe_depth`, rows, `SF_K` * `sf_reuse`): every 32 rows have a
/// column of four factors, with a copy on each quarter of the lanes.
///
/// ```text
/// TLane = r % 32 + 32 q,    TCol = 4 (r / 32) + 4 G (k / W) + k % W,    k = column / sf_reuse, G = rows / 32
/// ```
///
/// W is the number of factors of an instruction, times the largest number that divides `SF_K` and
/// fits four. `TCol` counts bytes.
///
/// ```
/// use cute_placement::constructors::{Scales, sf_tmem_layout};
/// let scales = Scales { rows: 128, sf_k: 8, sf_per_mma: 2, sf_reuse: 1, pipe_depth: None };
/// assert_eq!(
///     sf_tmem_layout(scales)?.to_string(),
///     "S[(4, 32, 2, 4) : (4@TCol, 1@TLane, 16@TCol, 1@TCol)] + R[(4) : (32@TLane)]"
/// );
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
///
/// A stage is as long as all its columns. (In TIRx it is as long as the first W factors, so longer
/// stages overlap.)
pub fn sf_tmem_layout(scales: Scales) -> Result<Placement> {
    let args = Args("sf_tmem_layout");
    let Scales { rows, sf_k, sf_per_mma, .. } = scales;
    args.multiple("rows", rows, LANES, "the lanes that hold them")?;
    args.one_of("sf_per_mma", sf_per_mma, &[1, 2, 3, 4])?;
    args.multiple("SF_K", sf_k, sf_per_mma, "the factors of an instruction, sf_per_mma")?;
    scales.check(args)?;
    let mut together = CELL / sf_per_mma;
    while (sf_k / sf_per_mma) % together != 0 {
        together /= 2;
    }
    let width = sf_per_mma * together;
    let (groups, parts, column) = (rows / LANES, sf_k / width, "TCol");
    let next = groups * CELL;
    let tile = placed(
        &[(groups, CELL, column), (LANES, 1, "TLane"), (parts, next, column), (width, 1, column)],
        &[(4, LANES, "TLane")],
    )?;
    scales.staged(&tile.canonicalize(None)?, cute_algebra::Int::mul(&next, &parts)?, column)
}

/// Their places in shared memory, (`pipe_depth`, rows, `SF_K` * `sf_reuse`), in bytes: 128 rows
/// with four factors take 512 bytes, 16 in each of 32 lanes.
///
/// ```text
/// m = 512 (SF_K/4) (r / 128) + 4 (r % 128 / 32) + 16 (r % 32) + 512 (k / 4) + k % 4,    k = column / sf_reuse
/// ```
///
/// ```
/// use cute_placement::constructors::{Scales, sf_smem_layout};
/// let scales = Scales { rows: 128, sf_k: 4, sf_per_mma: 4, sf_reuse: 1, pipe_depth: None };
/// assert_eq!(sf_smem_layout(scales)?.to_string(), "S[(4, 32, 4) : (4@m, 16@m, 1@m)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn sf_smem_layout(scales: Scales) -> Result<Placement> {
    let args = Args("sf_smem_layout");
    let Scales { rows, sf_k, sf_per_mma, .. } = scales;
    args.multiple("rows", rows, ROWS, "the rows of 512 bytes")?;
    args.one_of("sf_per_mma", sf_per_mma, &[1, 2, 4])?;
    args.multiple("SF_K", sf_k, CELL, "the factors of 32 bits")?;
    scales.check(args)?;
    let block = ROWS * CELL;
    let (blocks, cells) = (rows / ROWS, sf_k / CELL);
    let next = cute_algebra::Int::mul(&block, &cells)?;
    // The rows of a block are those of CuTe's block, whose first mode is the fastest.
    let of_block = sf_rows();
    let mut own: Vec<_> = of_block.flat().map(|(extent, stride)| (*extent, *stride.scale())).collect();
    own.reverse();
    let along_k = [(cells, block), (CELL / sf_per_mma, sf_per_mma), (sf_per_mma, 1)];
    let iters = [(blocks, next)].into_iter().chain(own).chain(along_k);
    let iters: Vec<_> = iters.filter(|(extent, _)| *extent > 1).map(|(n, step)| (n, step, "m")).collect();
    scales.staged(&placed(&iters, &[])?, cute_algebra::Int::mul(&next, &blocks)?, "m")
}

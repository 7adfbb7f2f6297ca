//! The scale factors of a block-scaled GEMM. In global memory they are blocks of 512 bytes, each
//! for 128 rows and four factors of each row, adjacent blocks along K. The TMA loads those of a
//! tile to shared memory. `tcgen05.cp` copies them to tensor memory; where `mma.sync` multiplies,
//! each thread loads those of its rows.

use cute_algebra::{Basis, Dim, Layout, Stride, Tuple, Width};
use cute_arch::{Element, block_scaled::SF_BLOCK};
use cute_build::types::{self, Space};
use melior::{Context, ir::Type};

use super::{
    problem::{Arguments, Problem},
    raster::Place,
    types::{Numbers, Scale, rule},
};
use crate::{
    At, Builder, Built, Error, Value,
    tiling::strided,
    tma::{Loads, SharedTile, TileBoxes, describe_load_of},
};

/// Bytes of a block.
pub(super) const BLOCK: i64 = SF_BLOCK[0] * SF_BLOCK[1];
/// A block as a box: a mode of a box has at most 256 elements.
const BOX: [i64; 2] = [256, 2];
/// Columns of tensor memory that a block takes.
const COLUMNS: i64 = 4;

/// The type of factors in global memory: bytes of a block, blocks along rows, blocks along the
/// contiguous mode of the matrix, and matrices of a batch.
pub(super) fn in_memory(context: &Context, element: Element, batch: bool) -> Built<Type<'_>> {
    let [along, across] = BOX;
    let fixed = |n| Dim::fixed(n);
    let pitch = || Stride::int(Dim::dynamic(Width::I64, BLOCK));
    let extent = || Dim::dynamic(Width::I32, 1);
    let mut extents = vec![fixed(along), fixed(across), extent(), extent()];
    let mut strides =
        vec![Stride::int(fixed(1)), Stride::int(fixed(along)), pitch(), Stride::int(fixed(BLOCK))];
    if batch {
        extents.push(extent());
        strides.push(pitch());
    }
    let layout = Layout::new(Tuple::from_leaves(extents), Tuple::from_leaves(strides))?;
    types::pointer(types::element(context, element)?, Space::Gmem).align(16).memref(layout)
}

/// The factors that a block of threads loads for a stage.
pub(super) struct Scales {
    pub scale: Scale,
    /// Blocks along the rows of A and of B, and along K.
    pub rows: [i64; 2],
    pub along_k: i64,
    /// Whether every second tile begins in the middle of a block of B's factors.
    pub halves: bool,
}

impl Scales {
    /// Those of a tile; `None` if the numbers are not scaled.
    pub fn of(numbers: &Numbers, [m, n]: [i64; 2], k: i64) -> Result<Option<Self>, Error> {
        let Some(scale) = numbers.scale else { return Ok(None) };
        let [rows, factors] = SF_BLOCK;
        rule(m % rows == 0 && n % (rows / 2) == 0, || {
            format!(
                "a tile of {m} x {n} for each block: scale factors are stored for {rows} rows of A and of B at a time; take a multiple of {rows} rows and of {} columns",
                rows / 2
            )
        })?;
        let multiple = scale.block();
        rule(k % multiple == 0, || {
            format!(
                "a K tile of {k}: scale factors are stored for {factors} times {} elements at a time; take a multiple of {multiple}",
                scale.vector
            )
        })?;
        let blocks = [m / rows, (n + rows - 1) / rows];
        Ok(Some(Self { scale, rows: blocks, along_k: k / multiple, halves: n % rows != 0 }))
    }

    /// Those of a tile that has whole blocks of factors.
    pub fn of_blocks(numbers: &Numbers, [m, n]: [i64; 2], k: i64) -> Result<Option<Self>, Error> {
        let [rows, _] = SF_BLOCK;
        rule(numbers.scale.is_none() || m % rows == 0 && n % rows == 0, || {
            format!(
                "a tile of {m} x {n} for each block: scale factors are stored for {rows} rows of A and of B at a time; take multiples of {rows}"
            )
        })?;
        Self::of(numbers, [m, n], k)
    }

    /// Blocks of A's factors, or of B's.
    fn blocks(&self, which: usize) -> i64 {
        self.rows[which] * self.along_k
    }

    /// Bytes of the factors of A, or of B, in a stage.
    pub fn bytes(&self, which: usize) -> i64 {
        BLOCK * self.blocks(which)
    }

    /// Columns of tensor memory of each.
    pub fn columns(&self) -> [i64; 2] {
        [0, 1].map(|which| COLUMNS * self.blocks(which))
    }

    fn element<'c>(&self, context: &'c Context) -> Built<Type<'c>> {
        types::element(context, self.scale.element)
    }

    /// The blocks of a stage in shared memory.
    fn tile(&self, which: usize) -> Built<Layout<i64>> {
        let [along, across] = BOX;
        let rows = self.rows[which];
        Ok(strided([along, across, rows, self.along_k], [1, along, BLOCK, rows * BLOCK])?)
    }

    /// On the host: the descriptor that loads the factors of a stage, and the tensor of
    /// coordinates.
    pub fn describe<'c>(
        &self,
        code: &Builder<'c>,
        (name, which): (&str, usize),
        tensor: Value<'c>,
        pair: bool,
    ) -> Built<[Value<'c>; 2]> {
        let tile = code.named("tile").layout(self.tile(which)?)?;
        let along = |mode| Ok::<_, cute_algebra::Error>(Stride::scaled(Dim::fixed(1), Basis::new(&[mode])?));
        let [x, y] = BOX;
        let modes = [x, y, self.rows[which], self.along_k].into_iter().enumerate();
        let modes = modes.map(|(mode, n)| Layout::scalar(Dim::fixed(n), along(mode)?));
        let values = Layout::from_modes(modes.collect::<Result<Vec<_>, cute_algebra::Error>>()?);
        let values = code.named("values").layout(values)?;
        describe_load_of(code, name, [tensor, tile, values], (Loads { pair, ..Loads::ALONE }, None))
    }

    /// The coordinates from the block on in which a tile of columns begins: each tile has an odd
    /// number of halves of blocks.
    fn with_halves<'c>(&self, code: &Builder<'c>, coords: Value<'c>, tile: Value<'c>) -> Built<Value<'c>> {
        let halves = code.named("halves").mul(tile, code.i32(2 * self.rows[1] - 1)?)?;
        let first = code.named("first").shift_right_unsigned(halves, code.i32(1)?)?;
        let layout = code.named("layout").inferred("cute.get_layout", &[coords], &[])?;
        let at = [At::Int(0), At::Int(0), At::Value(first), At::Int(0)];
        let from = code.named("from").slice(coords, &at)?;
        let from = code.named("from").inferred("cute.get_iter", &[from], &[])?;
        code.named("from").view_of(from, layout)
    }

    /// The boxes that a tile of D at this place needs, from the coordinates of all factors to
    /// `byte` of shared memory.
    fn boxes<'c>(
        &self,
        code: &Builder<'c>,
        which: usize,
        [atom, coords]: [Value<'c>; 2],
        at: Place<'c>,
        (memory, byte, stages): (Value<'c>, i64, i64),
    ) -> Built<TileBoxes<'c>> {
        let coords = match at.batch {
            Some(batch) => {
                code.named("matrix").slice(coords, &[At::All, At::All, At::All, At::All, At::Value(batch)])?
            }
            None => coords,
        };
        let [along, across] = BOX;
        let tile = [along, across, self.rows[which], self.along_k];
        let (coords, rows) = match which {
            0 => (coords, At::Value(at.m)),
            _ if self.halves => (self.with_halves(code, coords, at.n)?, At::Int(0)),
            _ => (coords, At::Value(at.n)),
        };
        let at = [At::Int(0), At::Int(0), rows, At::All];
        let tiles = code.named("tiles").local_tile(coords, tile, &at, None)?;
        let stages = Layout::scalar(stages, Stride::int(self.bytes(which)))?;
        let modes: Vec<_> = self.tile(which)?.modes().map(|mode| mode.to_owned()).chain([stages]).collect();
        let t = types::pointer(self.element(code.context())?, Space::Smem).align(128);
        let shared = code.named("factors").view(memory, byte, t.memref(Layout::from_modes(modes))?)?;
        TileBoxes::of_modes(code, "boxes", atom, shared, tiles, 4)
    }
}

impl Problem {
    /// The byte of shared memory with the factors of A (0) or of B (1) of the first stage, if there
    /// are this many stages.
    pub fn factors(&self, which: usize, stages: i64) -> i64 {
        let matrices: i64 = self.shared.iter().map(SharedTile::bytes).sum();
        let before = self.scales.iter().filter(|_| which == 1).map(|scales| scales.bytes(0));
        stages * (matrices + before.sum::<i64>())
    }

    /// The boxes of the factors of A and of B for a tile of D at this place, if there are factors.
    pub fn factor_boxes<'c>(
        &self,
        code: &Builder<'c>,
        arguments: &Arguments<'c>,
        at: Place<'c>,
        (memory, stages): (Value<'c>, i64),
    ) -> Built<Vec<TileBoxes<'c>>> {
        let descriptors = arguments.scales.iter().flatten().enumerate();
        let all = descriptors.flat_map(|all| self.scales.iter().map(move |scales| (scales, all)));
        all.map(|(scales, (which, descriptor))| {
            let place = (memory, self.factors(which, stages), stages);
            scales.boxes(code, which, *descriptor, at, place)
        })
        .collect()
    }
}

//! The registers of a warpgroup's threads: along `wid_in_wg` and `laneid`, or `tid_in_wg`, and `m`.

use std::{fmt, str::FromStr};

use crate::Placement;

use super::{
    ConstructorError, Result,
    error::{Args, tuple},
    iter, placed,
};

/// The shape of one `tcgen05.ld` or `st`: rows by bits of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomShape {
    /// A row a lane.
    X32b32,
    /// 16 rows of two columns.
    X16b64,
    /// 16 rows of four columns.
    X16b128,
    /// 16 rows of eight columns.
    X16b256,
}

const ATOM: &str = "tcgen05_atom_layout";

impl AtomShape {
    /// The shapes, in the order in which PTX lists them.
    pub const ALL: [Self; 4] = [Self::X32b32, Self::X16b64, Self::X16b128, Self::X16b256];

    /// PTX's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::X32b32 => "32x32b",
            Self::X16b64 => "16x64b",
            Self::X16b128 => "16x128b",
            Self::X16b256 => "16x256b",
        }
    }

    /// Columns of 32 bits of one repetition.
    pub fn columns(self) -> i64 {
        match self {
            Self::X32b32 => 1,
            Self::X16b64 => 2,
            Self::X16b128 => 4,
            Self::X16b256 => 8,
        }
    }

    /// The possible repetitions along the columns: `.x1`, `.x2` and so on; a thread has at most 128
    /// registers.
    pub fn repetitions(self) -> Vec<i64> {
        let registers = (self.columns() / 2).max(1);
        (0..8).map(|bit| 1 << bit).filter(|n| n * registers <= 128).collect()
    }
}

impl fmt::Display for AtomShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for AtomShape {
    type Err = ConstructorError;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name).ok_or_else(|| ConstructorError::NoneOf {
            constructor: ATOM,
            argument: "instr_shape",
            value: format!("'{name}'"),
            legal: Self::ALL.map(Self::name).join(", "),
        })
    }
}

/// The registers into which a warpgroup loads (rows, columns) of elements of `bits` from tensor
/// memory. Of 128 rows each warp has 32, so two atoms of 16; of 64 rows each warp has 16. A
/// register holds 32 bits.
///
/// ```
/// use cute_placement::constructors::{AtomShape, tcgen05_atom_layout};
/// let half = tcgen05_atom_layout(AtomShape::X16b256, &[64, 32], 16)?;
/// assert_eq!(
///     half.to_string(),
///     "S[(4, 2, 8, 2, 4, 2, 2) : (1@wid_in_wg, 4@m, 4@laneid, 8@m, 1@laneid, 2@m, 1@m)]"
/// );
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn tcgen05_atom_layout(atom: AtomShape, shape: &[i64], bits: i64) -> Result<Placement> {
    let args = Args(ATOM);
    args.check([16, 32].contains(&bits), "dtype", format!("{bits} bits wide"), || {
        "elements must have 16 or 32 bits".into()
    })?;
    let [rows, cols] = *shape else {
        return Err(args.broken("shape", tuple(shape), "must be (rows, cols)"));
    };
    args.one_of("rows", rows, &[64, 128])?;
    let (legal, per_register) = (atom.repetitions(), 32 / bits);
    if (atom, rows) == (AtomShape::X32b32, 64) {
        // Each half of the columns is in separate threads.
        args.check(bits == 32, "dtype", format!("{bits} bits wide"), || {
            format!("64 rows of {atom} need elements of 32 bits")
        })?;
        args.multiple("cols", cols, 2, format!("the halves of 64 rows of {atom}"))?;
        args.one_of("cols / 2", cols / 2, &legal)?;
        return placed(&[(64, 1, "tid_in_wg"), (2, 64, "tid_in_wg"), (cols / 2, 1, "m")], &[]);
    }
    let width = atom.columns() * per_register;
    args.multiple("cols", cols, width, format!("the elements in a row of {atom}"))?;
    let n = cols / width;
    args.one_of("cols, in repetitions of the atom,", n, &legal)?;
    let (lane, register, warp) = ("laneid", "m", (4, 1, "wid_in_wg"));
    let rows_of_eight = (8, 4, lane);
    // For 16 rows: two halves of eight rows, then the columns.
    let (own, registers) = match atom {
        AtomShape::X32b32 => return placed(&[(128, 1, "tid_in_wg"), (cols, 1, register)], &[]),
        AtomShape::X16b64 => (vec![(2, 1, lane), rows_of_eight, (n, 1, register), (2, 2, lane)], n),
        AtomShape::X16b128 => (vec![(2, 1, register), rows_of_eight, (n, 2, register), (4, 1, lane)], 2 * n),
        AtomShape::X16b256 => {
            (vec![(2, 2, register), rows_of_eight, (n, 4, register), (4, 1, lane), (2, 1, register)], 4 * n)
        }
    };
    let second = (rows == 128).then_some((2, registers, register));
    let mut iters = Vec::with_capacity(8);
    for (extent, stride, axis) in std::iter::once(warp).chain(second).chain(own) {
        let step = if axis == register { per_register } else { 1 };
        iters.push(iter(extent, stride * step, axis)?);
    }
    if per_register > 1 {
        iters.push(iter(per_register, 1, register)?);
    }
    Ok(Placement::new(iters, Vec::new(), Default::default())?)
}

/// A row of `cols` elements in each thread of a warpgroup.
///
/// ```
/// use cute_placement::constructors::wg_local_layout;
/// assert_eq!(wg_local_layout(16, 128)?.to_string(), "S[(128, 16) : (1@tid_in_wg, 1@m)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn wg_local_layout(cols: i64, rows: i64) -> Result<Placement> {
    let args = Args("wg_local_layout");
    args.positive("cols", cols)?;
    args.check((1..=128).contains(&rows), "rows", rows, || {
        "a warpgroup has 128 threads: 1 to 128 rows".into()
    })?;
    placed(&[(rows, 1, "tid_in_wg"), (cols, 1, "m")], &[])
}

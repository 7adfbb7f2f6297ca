//! Matrices of `tcgen05.mma` in tensor memory: along `TLane` and, in elements, `TCol`.

use std::{fmt, str::FromStr};

use crate::{Placement, Point};
use cute_algebra::{Axis, Tuple};

use super::{
    ConstructorError, Result,
    error::{Args, tuple},
    placed,
};
use crate::bridge;
use cute_arch::tmem::{TmemAlloc, fragment};

/// The arrangement of an accumulator's rows on lanes, by the letter of CuTe and TIRx.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Datapath {
    /// M = 256 of a pair: 128 rows each.
    A,
    /// M = 128 of a pair, dense: 64 rows each, the right half of the columns on the upper lanes.
    B,
    /// M = 128 of a pair, sparse: as F.
    C,
    /// M = 128 of a CTA alone.
    D,
    /// M = 64 with `.ws`: as B.
    E,
    /// M = 64: 16 rows on 16 of every 32 lanes.
    F,
    /// M = 32 with `.ws`: each quarter of the columns on 32 lanes of its own.
    G,
}

impl Datapath {
    /// The datapaths, in the order of their letters.
    pub const ALL: [Self; 7] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G];

    /// Its rows on a CTA.
    pub fn rows(self) -> i64 {
        match self {
            Self::A | Self::D => 128,
            Self::B | Self::C | Self::E | Self::F => 64,
            Self::G => 32,
        }
    }

    /// The number of parts into which the columns are split, one above the other.
    pub fn parts(self) -> i64 {
        match self {
            Self::B | Self::E => 2,
            Self::G => 4,
            Self::A | Self::C | Self::D | Self::F => 1,
        }
    }

    /// Whether it leaves every other 16 lanes free, for another matrix.
    pub fn has_slabs(self) -> bool {
        matches!(self, Self::C | Self::F)
    }
}

impl fmt::Display for Datapath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl FromStr for Datapath {
    type Err = ConstructorError;

    fn from_str(letter: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|path| path.to_string() == letter);
        found.ok_or_else(|| ConstructorError::NoneOf {
            constructor: "tmem_datapath_layout",
            argument: "datapath",
            value: format!("'{letter}'"),
            legal: Self::ALL.map(|path| path.to_string()).join(", "),
        })
    }
}

/// An accumulator of a data path: [`fragment`] with the same rows, for a CTA of a pair if columns
/// are split into parts. `sub_slab` 1 denotes the 16 lanes that the other leaves free.
///
/// ```
/// use cute_placement::constructors::{Datapath, tmem_datapath_layout};
/// let b = tmem_datapath_layout(Datapath::B, 64, 32, 0)?;
/// assert_eq!(b.to_string(), "S[(64, 2, 16) : (1@TLane, 64@TLane, 1@TCol)]");
/// let f = tmem_datapath_layout(Datapath::F, 64, 64, 1)?;
/// assert_eq!(f.to_string(), "S[(4, 16, 64) : (32@TLane, 1@TLane, 1@TCol)] + 16@TLane");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn tmem_datapath_layout(path: Datapath, rows: i64, cols: i64, sub_slab: i64) -> Result<Placement> {
    let args = Args("tmem_datapath_layout");
    args.check(rows == path.rows(), "rows", rows, || {
        format!("data path {path} has {} rows on a CTA", path.rows())
    })?;
    args.one_of("sub_slab", sub_slab, &[0, 1])?;
    args.check(sub_slab == 0 || path.has_slabs(), "sub_slab", sub_slab, || {
        format!("only data paths C and F have a second slab, not {path}: it must be 0")
    })?;
    args.multiple(
        "cols",
        cols,
        path.parts(),
        format!("the parts that data path {path} lays above each other"),
    )?;
    let shape = Tuple::from_modes([Tuple::from_leaves([rows, cols])]);
    let c = fragment(&shape, 32, 32, TmemAlloc::Interleaved, path.parts() > 1)?;
    let place = bridge::from_tensor_memory(&c.mode(0)?.to_owned(), 32)?;
    let slab = (sub_slab != 0).then_some((Axis::new("TLane")?, 16 * sub_slab));
    Ok(Placement::new(place.shard().to_vec(), Vec::new(), Point::from_iter(slab))?)
}

/// A matrix of `tcgen05.mma` in tensor memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MmaOperand {
    /// The left matrix, M x K.
    A,
    /// D, the accumulator.
    D,
}

impl FromStr for MmaOperand {
    type Err = ConstructorError;

    fn from_str(name: &str) -> Result<Self> {
        Args(OPERAND).one_of("operand", name, &["A", "D"])?;
        Ok(if name == "A" { Self::A } else { Self::D })
    }
}

/// The properties of a `tcgen05.mma` that determine the places of its matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TmemMma {
    /// Rows of A and D, for both CTAs of a pair together.
    pub m: i64,
    /// CTAs.
    pub cta_group: i64,
    /// Whether it has `.ws`.
    pub ws: bool,
    /// Whether A is sparse.
    pub sparse: bool,
}

const OPERAND: &str = "tmem_mma_operand_layout";

/// By `cta_group`, M and `.ws`.
const DATAPATHS: [(i64, i64, bool, Datapath); 5] = [
    (1, 128, false, Datapath::D),
    (1, 64, false, Datapath::F),
    (1, 64, true, Datapath::E),
    (2, 256, false, Datapath::A),
    (2, 128, false, Datapath::B),
];

impl TmemMma {
    fn datapath(self) -> Result<Datapath> {
        let args = Args(OPERAND);
        args.check(!self.sparse, "sparse", "true", || "sparse matrices are not supported".into())?;
        args.check(!self.ws || (self.cta_group, self.m) == (1, 64), "ws", "true", || {
            format!(".ws needs cta_group 1 and M 64, not {} and {}", self.cta_group, self.m)
        })?;
        args.one_of("cta_group", self.cta_group, &[1, 2])?;
        let of_group =
            || DATAPATHS.iter().filter(|(group, _, ws, _)| (*group, *ws) == (self.cta_group, self.ws));
        args.one_of("M", self.m, &of_group().map(|(_, m, ..)| *m).collect::<Vec<_>>())?;
        let found = of_group().find(|(_, m, ..)| *m == self.m);
        // One of the letters above.
        Ok(found.map_or(Datapath::D, |(.., path)| *path))
    }
}

/// A CTA's part of an operand of this shape:
///
/// ```text
/// D                     (m,N)
/// D of B and E          (2,m,n)  (m,2,n)  (m,s,2,n)  (m,N) with group (s,2,n): which half a column is in is explicit
/// A of A, D and F       (m,K)
/// A of B                (64,K), on both halves of the lanes; (2,64,K)
/// A of E                (2,64,K)
/// ```
///
/// ```
/// use cute_placement::constructors::{TmemMma, MmaOperand, tmem_mma_operand_layout};
/// let pair = TmemMma { m: 128, cta_group: 2, ws: false, sparse: false };
/// let a = tmem_mma_operand_layout(MmaOperand::A, &[64, 16], pair, None)?;
/// assert_eq!(a.to_string(), "S[(64, 16) : (1@TLane, 1@TCol)] + R[(2) : (64@TLane)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn tmem_mma_operand_layout(
    operand: MmaOperand,
    shape: &[i64],
    mma: TmemMma,
    group: Option<&[i64]>,
) -> Result<Placement> {
    let args = Args(OPERAND);
    let path = mma.datapath()?;
    let in_parts = path.parts() > 1;
    if let Some(group) = group {
        let is = |holds, rule: &str| args.check(holds, "group", tuple(group), || rule.into());
        is(operand == MmaOperand::D && in_parts, "only D of data paths B and E has column groups")?;
        is(shape.len() == 2, "it needs a shape of (m, N)")?;
        let [s, 2, n] = *group else { return Err(args.broken("group", tuple(group), "must be (s, 2, n)")) };
        let columns = s.checked_mul(2).and_then(|columns| columns.checked_mul(n));
        is(s > 0 && columns == shape.get(1).copied(), "the columns N must be s * 2 * n")?;
    }
    if let Some(extent) = shape.iter().find(|extent| **extent < 1) {
        return Err(args.broken("shape", tuple(shape), format!("extent {extent} is not positive")));
    }
    let (lane, upper) = ((path.rows(), 1, "TLane"), (2, 64, "TLane"));
    let (rows, placement) = match (operand, shape, group) {
        (MmaOperand::D, [m, _], Some(&[s, _, n])) => {
            (*m, placed(&[lane, (s, n, "TCol"), upper, (n, 1, "TCol")], &[])?)
        }
        (MmaOperand::D, [m, n], _) => {
            rows_of(path, *m, shape)?;
            (*m, tmem_datapath_layout(path, *m, *n, 0)?)
        }
        (_, [2, m, n], _) if in_parts => (*m, placed(&[upper, lane, (*n, 1, "TCol")], &[])?),
        (MmaOperand::D, [m, 2, n], _) if in_parts => (*m, placed(&[lane, upper, (*n, 1, "TCol")], &[])?),
        (MmaOperand::D, [m, s, 2, n], _) if in_parts => {
            (*m, placed(&[lane, (*s, *n, "TCol"), upper, (*n, 1, "TCol")], &[])?)
        }
        (MmaOperand::A, [m, k], _) if path == Datapath::B => {
            (*m, placed(&[lane, (*k, 1, "TCol")], &[upper])?)
        }
        (MmaOperand::A, [m, k], _) if !in_parts => (*m, placed(&[lane, (*k, 1, "TCol")], &[])?),
        _ => {
            let legal = match (operand, path) {
                (MmaOperand::D, Datapath::B | Datapath::E) => "(m, N), (2, m, n), (m, 2, n) or (m, s, 2, n)",
                (MmaOperand::D, _) => "(m, N)",
                (MmaOperand::A, Datapath::B) => "(64, K) or (2, 64, K)",
                (MmaOperand::A, Datapath::E) => "(2, 64, K)",
                (MmaOperand::A, _) => "(m, K)",
            };
            return Err(args.broken(
                "shape",
                tuple(shape),
                format!("{operand:?} of data path {path} is {legal}"),
            ));
        }
    };
    rows_of(path, rows, shape)?;
    Ok(placement.canonicalize(None)?)
}

fn rows_of(path: Datapath, rows: i64, shape: &[i64]) -> Result<()> {
    Args(OPERAND).check(rows == path.rows(), "shape", tuple(shape), || {
        format!("it has {rows} rows where a CTA has M / cta_group = {}", path.rows())
    })
}

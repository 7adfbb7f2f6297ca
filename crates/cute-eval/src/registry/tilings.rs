//! Tiled MMAs and tiled copies of CuTe's atoms, and the part of a tensor that each thread has.

use std::sync::Arc;

use cute_algebra::{
    AnyLayout, CopyLayouts, CopySide, Domain, Layout, MmaOperand, Tile, TiledCopy, TiledMma, Tuple,
};

use super::{Args, Function};
use crate::{error::Result, leaf::Leaf, tilings::Tiling, value::Value};

fn layout(layout: &Layout<i64>) -> Value {
    Value::Layout(AnyLayout::Plain(layout.map(|n| Leaf::fixed(*n))))
}

fn tiled_mma(a: &Args) -> Result<TiledMma> {
    let atom_layout = if a.count() > 1 { a.get(1)?.constant()? } else { Layout::unit() };
    let permutation = match if a.count() > 2 { a.get(2)?.tile()? } else { Tile::Underscore } {
        Tile::Modes(modes) => modes,
        Tile::Underscore => Vec::new(),
        _ => return Err(a.get(2)?.not("a tile of M, N and K, such as [32;32;_]")),
    };
    a.at(TiledMma::new(a.get(0)?.mma_atom()?.layouts(), &atom_layout, &permutation))
}

type Made = cute_algebra::error::Result<TiledCopy>;

/// The copy that `make` builds from the atom in argument 0, for values with the number of bits in
/// argument 1.
fn copy(a: &Args, make: impl FnOnce(CopyLayouts) -> Made) -> Result<TiledCopy> {
    a.at(make(a.at(a.get(0)?.copy_atom()?.layouts(a.number(1)?))?))
}

fn tiled_copy(a: &Args) -> Result<TiledCopy> {
    let (tv, tiler) = (a.get(2)?.constant()?, a.get(3)?.tile()?);
    copy(a, |atom| TiledCopy::new(atom, tv, tiler))
}

fn of_copy(a: &Args, copy: TiledCopy) -> Result<Value> {
    let (atom, value_bits) = (a.get(0)?.copy_atom()?, a.number(1)?);
    Ok(Value::Tiling(Arc::new(Tiling::Copy { atom, value_bits, copy: copy.into() })))
}

fn of_mma(a: &Args, which: MmaOperand) -> Result<Value> {
    let mma = a.get(2)?.tiled_mma()?;
    of_copy(a, copy(a, |atom| TiledCopy::of_mma(atom, mma, which))?)
}

fn like(a: &Args, side: CopySide) -> Result<Value> {
    let other = a.get(2)?.tiled_copy()?;
    of_copy(a, copy(a, |atom| other.like(atom, side))?)
}

/// A table entry for `$op` on a matrix of a tiled MMA, with the MMA of `$example` as its example.
macro_rules! mma_op {
    ($name:expr, $parameters:expr, $doc:expr, $arguments:expr, $run:expr) => {
        Function::new(
            $name,
            concat!("mma: tiled MMA", $parameters),
            $doc,
            concat!($name, "(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))", $arguments, ")"),
            $run,
        )
    };
}

macro_rules! mma_layout {
    ($X:ident) => {
        mma_op!(
            concat!("layout", stringify!($X), "_TV"),
            "",
            concat!("(thread, value) to the index in the tile of ", stringify!($X)),
            "",
            |a| Ok(layout(&a.at(a.get(0)?.tiled_mma()?.layout_tv(MmaOperand::$X))?))
        )
        .aliases(&[concat!("get_layout", stringify!($X), "_TV")])
    };
}

macro_rules! thrfrg {
    ($X:ident, $modes:literal, $tensor:literal, $thr:literal) => {
        mma_op!(
            concat!("thrfrg_", stringify!($X)),
            ", tensor: layout",
            concat!("a tensor ", $modes, " as ", $thr),
            concat!(", ", $tensor),
            |a| {
                let mma = a.get(0)?.tiled_mma()?;
                Ok(Value::Layout(a.at(mma.thrfrg(MmaOperand::$X, &a.layout(1)?))?))
            }
        )
    };
}

macro_rules! mma_partition {
    ($X:ident, $modes:literal, $tensor:literal) => {
        mma_op!(
            concat!("partition_", stringify!($X)),
            ", tensor: layout, thread: integer",
            concat!("a thread's part of a tensor ", $modes, ": the atom's values, then the tiles"),
            concat!(", ", $tensor, ", 5"),
            |a| {
                let mma = a.get(0)?.tiled_mma()?;
                let part = mma.partition(MmaOperand::$X, &a.layout(1)?, &a.leaf(2)?);
                let (layout, offset) = a.at(part)?;
                Ok(Value::Part { offset, layout })
            }
        )
        .strict(|a| a.at(Domain::Strict.thread(a.get(0)?.tiled_mma()?.threads(), &a.leaf(2)?)))
    };
}

macro_rules! partition_shape {
    ($X:ident, $modes:literal) => {
        mma_op!(
            concat!("partition_shape_", stringify!($X)),
            ", shape: shape",
            concat!("the shape of a thread's part of a tensor ", $modes),
            ", (64,64)",
            |a| {
                let mma = a.get(0)?.tiled_mma()?;
                Ok(Value::Tuple(a.at(mma.partition_shape(MmaOperand::$X, &a.shape(1)?))?))
            }
        )
    };
}

macro_rules! copy_op {
    ($name:expr, $parameters:literal, $doc:literal, $arguments:literal, $run:expr) => {
        Function::new(
            $name,
            concat!("copy: tiled copy", $parameters),
            $doc,
            concat!(
                $name,
                "(make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8))",
                $arguments,
                ")"
            ),
            $run,
        )
    };
}

macro_rules! copy_layout {
    ($side:ident, $X:literal) => {
        copy_op!(
            concat!("layout", $X, "_TV"),
            "",
            "(thread, value) of this side to the index in the tile",
            "",
            |a| Ok(layout(&a.at(a.get(0)?.tiled_copy()?.layout_tv(CopySide::$side))?))
        )
        .aliases(&[concat!("get_layout", $X, "_TV")])
    };
}

macro_rules! tidfrg {
    ($side:ident, $X:literal) => {
        copy_op!(
            concat!("tidfrg_", $X),
            ", tensor: layout",
            "a tensor (M,N,..) as (Thr,(FrgV,FrgX),(RestM,RestN,..))",
            ", (64,64):(64,1)",
            |a| {
                let copy = a.get(0)?.tiled_copy()?;
                Ok(Value::Layout(a.at(copy.tidfrg(CopySide::$side, &a.layout(1)?))?))
            }
        )
    };
}

macro_rules! copy_partition {
    ($side:ident, $X:literal) => {
        copy_op!(
            concat!("partition_", $X),
            ", tensor: layout, thread: integer",
            "a thread's part of a tensor (M,N,..): ((FrgV,FrgX),RestM,RestN,..)",
            ", (64,64):(64,1), 5",
            |a| {
                let copy = a.get(0)?.tiled_copy()?;
                let part = copy.partition(CopySide::$side, &a.layout(1)?, &a.leaf(2)?);
                let (layout, offset) = a.at(part)?;
                Ok(Value::Part { offset, layout })
            }
        )
        .strict(|a| a.at(Domain::Strict.thread(a.get(0)?.tiled_copy()?.threads(), &a.leaf(2)?)))
    };
}

/// A table entry for a constructor of tiled copies from argument 2.
macro_rules! make_copy {
    ($name:literal, $of:literal, $doc:literal, $example:literal, $run:expr) => {
        Function::new(
            $name,
            concat!("atom: copy atom, value_bits: integer, ", $of),
            $doc,
            concat!($name, "(", $example, ")"),
            $run,
        )
    };
}

macro_rules! copy_of_mma {
    ($name:literal, $X:ident) => {
        make_copy!(
            $name,
            "mma: tiled MMA",
            "the tiled copy of the parts of the matrix that a tiled MMA's threads hold",
            "SM75_U32x2_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])",
            |a| of_mma(a, MmaOperand::$X)
        )
    };
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "tiled_mma",
        "atom: MMA atom, atom_layout?: layout, permutation?: tile",
        "an MMA atom at each place of a layout (m,n,k), on tiles of M, N and K that are permuted first",
        "tiled_mma(UniversalFMA<f32,f32,f32,f32>, (16,16,1):(16,1,0), [(16,4):(4,1);(16,4):(4,1);_])",
        |a| {
            Ok(Value::Tiling(Arc::new(Tiling::Mma {
                atom: a.get(0)?.mma_atom()?,
                mma: tiled_mma(a)?.into(),
            })))
        },
    )
    .aliases(&["make_tiled_mma"])
    .strict(|a| a.at(Domain::Strict.tiled_mma(&tiled_mma(a)?))),
    mma_op!("thr_layout_vmnk", "", "(thread within the atom, m, n, k) to the index of a thread", "", |a| {
        Ok(layout(a.get(0)?.tiled_mma()?.thr_layout_vmnk()))
    }),
    mma_op!("tile_mnk", "", "the extents of M, N and K that all threads process at once", "", |a| {
        Ok(Value::Tuple(Tuple::from_leaves(a.get(0)?.tiled_mma()?.tile_mnk().map(Leaf::fixed))))
    }),
    mma_layout!(A),
    mma_layout!(B),
    mma_layout!(C),
    thrfrg!(A, "(M,K,..)", "(64,32):(32,1)", "((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,..)))"),
    thrfrg!(B, "(N,K,..)", "(64,32):(32,1)", "((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,..)))"),
    thrfrg!(C, "(M,N,..)", "(64,64):(64,1)", "((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,..)))"),
    mma_partition!(A, "(M,K,..)", "(64,32):(32,1)"),
    mma_partition!(B, "(N,K,..)", "(64,32):(32,1)"),
    mma_partition!(C, "(M,N,..)", "(64,64):(64,1)"),
    partition_shape!(A, "(M,K,..)"),
    partition_shape!(B, "(N,K,..)"),
    partition_shape!(C, "(M,N,..)"),
    make_copy!(
        "tiled_copy",
        "layout_tv: layout, tiler: tile",
        "a copy atom on a layout from (thread, value) to the column-major index in a tile",
        "UniversalCopy<uint128_t>, 16, ((4,32),8):((256,1),32), (32,32)",
        |a| of_copy(a, tiled_copy(a)?)
    )
    .aliases(&["make_tiled_copy_impl"])
    .strict(|a| a.at(Domain::Strict.tiled_copy(&tiled_copy(a)?))),
    make_copy!(
        "make_tiled_copy",
        "thr_layout: layout, val_layout?: layout",
        "threads laid out as thr_layout, each with neighbouring values laid out as val_layout",
        "UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8)",
        |a| {
            let threads = a.get(2)?.constant()?;
            let values = if a.count() > 3 { a.get(3)?.constant()? } else { Layout::unit() };
            of_copy(a, copy(a, |atom| TiledCopy::of_thread_values(atom, &threads, &values))?)
        }
    ),
    make_copy!(
        "make_cotiled_copy",
        "atom_tv: layout, data: layout",
        "threads and values as offsets into data: the tile is what they reach",
        "UniversalCopy<uint32_t>, 16, (32,2):(2,1), (128,32):(1,128)",
        |a| {
            let (tv, data) = (a.get(2)?.constant()?, a.get(3)?.constant()?);
            of_copy(a, copy(a, |atom| TiledCopy::cotiled(atom, &tv, &data))?)
        }
    ),
    copy_of_mma!("make_tiled_copy_A", A),
    copy_of_mma!("make_tiled_copy_B", B),
    copy_of_mma!("make_tiled_copy_C", C),
    make_copy!(
        "make_tiled_copy_C_atom",
        "mma: tiled MMA",
        "the smallest copy of C with the first values of each thread, as many as the atom takes",
        "SM90_U32x2_STSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])",
        |a| {
            let mma = a.get(2)?.tiled_mma()?;
            of_copy(a, copy(a, |atom| TiledCopy::of_mma_c_atom(atom, mma))?)
        }
    ),
    make_copy!(
        "make_tiled_copy_S",
        "other: tiled copy",
        "another atom on the thread-value layout of the source of a copy",
        "UniversalCopy<uint16_t>, 16, make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8))",
        |a| like(a, CopySide::Src)
    ),
    make_copy!(
        "make_tiled_copy_D",
        "other: tiled copy",
        "another atom on the thread-value layout of the destination of a copy",
        "UniversalCopy<uint16_t>, 16, make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8))",
        |a| like(a, CopySide::Dst)
    ),
    copy_layout!(Src, "S"),
    copy_layout!(Dst, "D"),
    tidfrg!(Src, "S"),
    tidfrg!(Dst, "D"),
    copy_partition!(Src, "S"),
    copy_partition!(Dst, "D"),
    Function::new(
        "retile",
        "copy: tiled copy, fragment: layout",
        "a fragment (V,rests...) of another tiling of the tile, in the order in which the copy takes it",
        "retile(make_tiled_copy_A(SM75_U32x4_LDSM_N, 16, tiled_mma(SM80_16x8x16_F32F16F16F32_TN)), (8,2,2))",
        |a| {
            let copy = a.get(0)?.tiled_copy()?;
            Ok(Value::Layout(a.at(copy.retile(&a.layout(1)?))?))
        },
    )
    .aliases(&["retile_S", "retile_D"]),
];

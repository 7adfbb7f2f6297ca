//! Atoms of copies and MMAs, and their tilings, as values. Each constructor checks that the
//! hardware has the atom; [`Builder::atom`](crate::Builder::atom) and its siblings make them values
//! of a program.
//!
//! ```
//! use cute_build::{atoms, types};
//! use melior::{Context, ir::r#type::Type};
//!
//! let context = Context::new();
//! # let registry = melior::dialect::DialectRegistry::new();
//! # cute_dialect::register_dialects(&registry);
//! # context.append_dialect_registry(&registry);
//! # context.load_all_available_dialects();
//! let (f16, f32) = (Type::float16(&context), Type::float32(&context));
//! let mma = atoms::mma_sync([16, 8, 16], [f16, f16, f32])?;
//! let tiled = atoms::tiled_mma(mma, "(2,2,1):(1,2,0)", [32, 32, 16])?;
//! assert_eq!(tiled.tiling()?.threads(), 128);
//!
//! let error = atoms::universal_copy(f16, 24).unwrap_err();
//! assert_eq!(error.to_string(), "24 b is not a whole number of f16 elements (16 b each)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use cute_dialect::{
    atom::{
        AsyncCopy, BulkCopy, BulkWay, Cache, CopyAtom, CopyFamily, MatrixCopy, MmaAtom, MmaKind, MmaOptions,
        Pattern, S2tCopy, TmemCopy, UniversalCopy,
    },
    value::{TiledCopy, TiledMma},
};

use cute_algebra::{CopyLayouts, Dim, Layout, Tile};
use cute_arch::atoms::Broadcast;
use cute_dialect::error::AtomError;
use melior::ir::Type;

use crate::{Error, Input, Result};

fn no_atom(why: AtomError) -> Error {
    Error::Rule(why.to_string())
}

fn checked(atom: CopyAtom<'_>) -> Result<CopyAtom<'_>> {
    atom.check().map_err(no_atom)?;
    Ok(atom)
}

/// A plain load and store of `bits` bits.
///
/// # Errors
/// Returns [`Error::Rule`] for an access that the hardware does not have.
pub fn universal_copy(elem: Type<'_>, bits: i64) -> Result<CopyAtom<'_>> {
    checked(CopyAtom::Universal(UniversalCopy { elem, bits, access: Default::default() }))
}

/// A plain load and store of one element.
///
/// # Errors
/// As [`universal_copy`].
pub fn element_copy(elem: Type<'_>) -> Result<CopyAtom<'_>> {
    universal_copy(elem, 0)
}

/// `cp.async` of `bits` bits, from global to shared memory.
///
/// # Errors
/// As [`universal_copy`].
pub fn cp_async(elem: Type<'_>, cache: Cache, bits: i64) -> Result<CopyAtom<'_>> {
    checked(CopyAtom::Async(AsyncCopy { elem, cache, bits }))
}

/// `ldmatrix` of 1, 2 or 4 matrices of 8 rows of 16 bytes, transposed or not.
///
/// # Errors
/// As [`universal_copy`].
pub fn ldmatrix(elem: Type<'_>, matrices: i64, transposed: bool) -> Result<CopyAtom<'_>> {
    matrix_copy(elem, matrices, transposed, false)
}

/// `stmatrix` of 1, 2 or 4 matrices of 8 rows of 16 bytes, transposed or not.
///
/// # Errors
/// As [`universal_copy`].
pub fn stmatrix(elem: Type<'_>, matrices: i64, transposed: bool) -> Result<CopyAtom<'_>> {
    matrix_copy(elem, matrices, transposed, true)
}

fn matrix_copy(elem: Type<'_>, matrices: i64, transposed: bool, store: bool) -> Result<CopyAtom<'_>> {
    let (mode, pattern) = ([8, 8], Pattern::U16);
    checked(CopyAtom::Matrix(MatrixCopy { elem, mode, pattern, matrices, transposed, store }))
}

/// `tcgen05.ld` to the registers of a warp: lanes of tensor memory, bits of each, and repetitions
/// of this shape along the columns.
///
/// # Errors
/// As [`universal_copy`].
pub fn tmem_load(elem: Type<'_>, [lanes, bits, repeats]: [i64; 3]) -> Result<CopyAtom<'_>> {
    checked(CopyAtom::Tmem(TmemCopy { elem, lanes, bits, repeats, halves: false, store: false }))
}

/// `tcgen05.st` from the registers of a warp, as [`tmem_load`].
///
/// # Errors
/// As [`universal_copy`].
pub fn tmem_store(elem: Type<'_>, [lanes, bits, repeats]: [i64; 3]) -> Result<CopyAtom<'_>> {
    checked(CopyAtom::Tmem(TmemCopy { elem, lanes, bits, repeats, halves: false, store: true }))
}

/// A bulk copy of `bits` contiguous bits from global to shared memory, whose bytes an mbarrier
/// counts.
///
/// # Errors
/// As [`universal_copy`].
pub fn bulk_load(elem: Type<'_>, bits: i64) -> Result<CopyAtom<'_>> {
    let way = BulkWay::GlobalToShared;
    checked(CopyAtom::Bulk(BulkCopy { way, elem, bits, multicast: false, reduction: None }))
}

/// An MMA of any kind: its shape (M, N, K), and its elements (A, B, accumulators).
///
/// # Errors
/// Returns [`Error::Rule`] with the instructions that exist.
pub fn mma<'c>(
    kind: MmaKind,
    shape: [i64; 3],
    elems: [Type<'c>; 3],
    options: MmaOptions,
) -> Result<MmaAtom<'c>> {
    MmaAtom::new(kind, shape, elems, options).map_err(no_atom)
}

/// `mma.sync` of a warp, as Ampere has it.
///
/// # Errors
/// As [`mma`].
pub fn mma_sync<'c>(shape: [i64; 3], elems: [Type<'c>; 3]) -> Result<MmaAtom<'c>> {
    mma(MmaKind::Sm80, shape, elems, MmaOptions::default())
}

/// `wgmma` of a warpgroup of Hopper; the options state the majors of A and B, and the place of A.
///
/// # Errors
/// As [`mma`].
pub fn wgmma<'c>(shape: [i64; 3], elems: [Type<'c>; 3], options: MmaOptions) -> Result<MmaAtom<'c>> {
    mma(MmaKind::Sm90, shape, elems, options)
}

/// `tcgen05.mma` of Blackwell; the options state the majors, the place of A, the CTAs, and the
/// scale factors if it has some.
///
/// # Errors
/// As [`mma`].
pub fn tcgen05_mma<'c>(shape: [i64; 3], elems: [Type<'c>; 3], options: MmaOptions) -> Result<MmaAtom<'c>> {
    let kind = if options.scale.is_some() { MmaKind::Sm100Scaled } else { MmaKind::Sm100 };
    mma(kind, shape, elems, options)
}

/// `tcgen05.cp` of 32 lanes of 128 bits to all four groups of 32 lanes, in the tensor memory of
/// this number of CTAs: a block of scale factors.
///
/// # Errors
/// As [`universal_copy`].
pub fn scale_copy(elem: Type<'_>, ctas: i64) -> Result<CopyAtom<'_>> {
    let broadcast = Broadcast::X4;
    checked(CopyAtom::S2t(S2tCopy { elem, lanes: 32, bits: 128, ctas, broadcast, k_major: None }))
}

/// One multiplication and addition of a thread.
///
/// # Errors
/// As [`mma`].
pub fn fma<'c>(elems: [Type<'c>; 3]) -> Result<MmaAtom<'c>> {
    mma(MmaKind::UniversalFma, [1, 1, 1], elems, MmaOptions::default())
}

/// A copy in which each of `threads` copies `values`: CuTe's `make_tiled_copy`.
///
/// # Errors
/// Returns the errors of the algebra for layouts that do not fit the atom.
pub fn tiled_copy<'c>(
    atom: CopyAtom<'c>,
    threads: impl Input<Layout<i64>>,
    values: impl Input<Layout<i64>>,
) -> Result<TiledCopy<'c>> {
    let one = CopyLayouts::of_thread(atom.values())?;
    let copy = cute_algebra::TiledCopy::of_thread_values(one, &threads.resolved()?, &values.resolved()?)?;
    Ok(TiledCopy::new(atom, &copy))
}

/// A copy atom tiled over threads and values: `tv` maps (thread, value) to the position in the tile
/// that `tiler` cuts, column-major.
///
/// # Errors
/// Returns the errors of the algebra for layouts that do not fit the atom.
pub fn tiled_copy_tv<'c>(
    atom: CopyAtom<'c>,
    tv: impl Input<Layout<Dim>>,
    tiler: impl Input<Tile<Dim>>,
) -> Result<TiledCopy<'c>> {
    let tiled = TiledCopy { atom, tv: tv.resolved()?, tiler: tiler.resolved()? };
    rule(tiled.tv.rank() == 2 && tiled.tv.is_static(), || {
        format!("the layout of a tiled copy is static (thread, value), found {}", tiled.tv)
    })?;
    rule(tiled.tiler.is_static(), || format!("the tiler of a copy is static, found {}", tiled.tiler))?;
    tiled.tiling()?;
    Ok(tiled)
}

/// An MMA atom repeated by `atoms`, a layout (M, N, K), on tiles of `permutation`.
///
/// # Errors
/// Returns the errors of the algebra for tiles that do not fit the atom.
pub fn tiled_mma<'c>(
    atom: MmaAtom<'c>,
    atoms: impl Input<Layout<Dim>>,
    permutation: impl Input<Tile<Dim>>,
) -> Result<TiledMma<'c>> {
    checked_mma(TiledMma { atom, atom_layout: atoms.resolved()?, permutation: Some(permutation.resolved()?) })
}

/// One MMA atom, or several by a layout (M, N, K), without a permutation.
///
/// # Errors
/// As [`tiled_mma`].
pub fn plain_mma<'c>(atom: MmaAtom<'c>, atoms: impl Input<Layout<Dim>>) -> Result<TiledMma<'c>> {
    checked_mma(TiledMma { atom, atom_layout: atoms.resolved()?, permutation: None })
}

fn checked_mma(tiled: TiledMma<'_>) -> Result<TiledMma<'_>> {
    rule(tiled.atom_layout.rank() == 3 && tiled.atom_layout.is_static(), || {
        format!("the layout of a tiled MMA is static, of atoms along M, N and K, found {}", tiled.atom_layout)
    })?;
    rule(tiled.permutation.as_ref().is_none_or(Tile::is_static), || {
        "the permutation of a tiled MMA is static".into()
    })?;
    tiled.tiling()?;
    Ok(tiled)
}

fn rule(holds: bool, text: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::Rule(text())) }
}

//! The three-phase verifier of tiled partitions, shared by `copy`, `gemm` and `tiled_divide`. The
//! phases run in this order and stop at the first failure; each message begins with the phase's
//! fixed phrase. The verifier does not depend on the target.
//!
//! 1. rank: source and destination have the same modes
//! 2. predicate: a memref that every thread can read, with one element per call of the atom
//! 3. residual: the modes that the atom does not consume are tiled evenly

mod gemm;
mod memory;
mod prefetch;
mod scales;

pub use gemm::{GemmForm, GemmMode, GemmOperand, check_gemm};
pub use memory::{copied, in_box};
pub use prefetch::check_prefetch;

use cute_algebra::{self as algebra, AnyLayout, CopySide, Dim, Domain, Int, LayoutLike, Tile, Tiler, Tuple};
use cute_ffi::ops::OpKind;

use crate::{
    atom::{CopyAtom, CopyEnd},
    call::Call,
    error::{Error, Result},
    types::bit_width,
    value::{Machine, Space, Value},
};

/// All phases of a copy, then the atom's requirements on memory.
pub fn check_copy<I: Machine>(call: &Call<'_, '_, I>) -> Result<()> {
    let atom = call.copy_atom()?;
    // Descriptors count other elements than memory.
    if atom.ends().is_ok_and(|ends| ends.src == CopyEnd::Descriptors) {
        memory::memory(call, 1, "source", CopyEnd::Descriptors)?;
    }
    let (src, dst) = (call.shape_of(1)?, call.shape_of(2)?);
    ranks(&src, &dst)?;
    match call.optional(3) {
        None => {}
        // One call has one predicate.
        Some(pred) if call.kind == OpKind::CopyAtomCall => match pred {
            Value::Flag(_) => {}
            Value::Other(t) if bit_width(*t) == Some(1) => {}
            other => {
                return Err(Error::Rule(format!("pred of one call must be an i1, found {}", other.what())));
            }
        },
        Some(pred) => predicate(pred, &dst, &atom)?,
    }
    residual(&src, &dst, &atom)?;
    if call.kind == OpKind::CopyAtomCall {
        one_call(&src, &dst, &atom)?;
    }
    memory::check(call, &atom)
}

/// Phase 1.
fn ranks<I: Machine>(src: &Tuple<I>, dst: &Tuple<I>) -> Result<()> {
    let fail = |rank: usize, detail: String| Err(phrase(rank, src, dst, &detail));
    let (s, d) = (modes(src), modes(dst));
    if s.len() != d.len() {
        let one_more = d.len() == s.len() + 1 && (1..=2).contains(&s.len());
        if !one_more {
            let detail = format!("the source has rank {}, but the destination has rank {}", s.len(), d.len());
            return fail(s.len().min(d.len()), detail);
        }
        let (all_s, all_d) = (algebra::product(src.view())?, algebra::product(dst.view())?);
        if all_s.eq(&all_d) == Some(false) {
            return fail(
                s.len(),
                format!("the source has {} elements, but the destination has {}", all_s.dim(), all_d.dim()),
            );
        }
        return Ok(());
    }
    for (i, (s, d)) in s.iter().zip(&d).enumerate().skip(1) {
        if s.eq(d) == Some(false) {
            return fail(
                i,
                format!(
                    "mode {i} has {} elements in the source, but {} in the destination",
                    s.dim(),
                    d.dim()
                ),
            );
        }
    }
    Ok(())
}

fn phrase<I: Int>(rank: usize, src: &Tuple<I>, dst: &Tuple<I>, detail: &str) -> Error {
    let dims = |t: &Tuple<I>| t.map(|i| i.dim());
    let (src, dst) = (dims(src), dims(dst));
    Error::Rule(format!(
        "expects same size in rank {rank} but got srcShape: {src}, dstShape: {dst}: {detail}"
    ))
}

/// Sizes of the modes; a leaf is one mode, `()` has none.
fn modes<I: Int>(shape: &Tuple<I>) -> Vec<I> {
    shape.modes().filter_map(|m| algebra::product(m).ok()).collect()
}

/// Phase 2.
fn predicate<I: Machine>(pred: &Value<'_, I>, data: &Tuple<I>, atom: &CopyAtom<'_>) -> Result<()> {
    let Value::MemRef(view) = pred else {
        return Err(Error::Rule(format!("pred must be a CuteMemRefType: found {}", pred.what())));
    };
    if view.iter.space == Space::Tmem {
        return Err(Error::Rule(
            "pred memory space invalid: tmem is not one of rmem, smem, gmem, generic".into(),
        ));
    }
    let swizzle = view.layout.as_composed().and_then(|l| l.swizzle()).filter(|s| !s.is_identity());
    if let Some(s) = swizzle.or(Some(view.iter.swizzle).filter(|s| !s.is_identity())) {
        return Err(Error::Rule(format!(
            "pred memory space invalid: its swizzle must be the identity, found {s}"
        )));
    }
    let wide = view.iter.elem.and_then(bit_width);
    if !matches!(wide, Some(1 | 8)) {
        let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
        return Err(Error::Rule(format!("pred must be a CuteMemRefType of i8 or i1, found {found}")));
    }
    let (p, d) = (modes(view.layout.outer().shape()), modes(data));
    let shapes = || {
        let (p, d) = (view.layout.outer().shape().map(|i| i.dim()), data.map(|i| i.dim()));
        format!("predicate {p}, data {d}")
    };
    if p.len() != d.len() {
        return Err(Error::Rule(format!("pred must have the rank of the data: {}", shapes())));
    }
    for (i, (p, d)) in p.iter().zip(&d).enumerate() {
        let wanted = if i == 0 { calls(d, atom, CopySide::Dst)? } else { d.clone() };
        let broadcast = i == 0 && p.is(1);
        if !broadcast && p.eq(&wanted) == Some(false) {
            let why =
                if i == 0 { "one element for each call of the atom" } else { "the size of the data's mode" };
            return Err(Error::Rule(format!(
                "pred must have {} elements in mode {i}, {why}, found {}: {}",
                wanted.dim(),
                p.dim(),
                shapes()
            )));
        }
    }
    Ok(())
}

/// The number of calls of the atom for mode 0 of the data.
fn calls<I: Int>(mode0: &I, atom: &CopyAtom<'_>, side: CopySide) -> Result<I> {
    Ok(mode0.div(&I::from_i64(atom.values_of(side)))?)
}

/// Phase 3.
fn residual<I: Machine>(src: &Tuple<I>, dst: &Tuple<I>, atom: &CopyAtom<'_>) -> Result<()> {
    let mode0 = |t: &Tuple<I>| modes(t).into_iter().next().unwrap_or_else(|| I::from_i64(1));
    let (s, d) = (mode0(src), mode0(dst));
    mode0_of(src, "source", atom, CopySide::Src)?;
    mode0_of(dst, "destination", atom, CopySide::Dst)?;
    let (from, to) = (calls(&s, atom, CopySide::Src)?, calls(&d, atom, CopySide::Dst)?);
    if src.rank() == dst.rank() && from.eq(&to) == Some(false) {
        let (from, to) = (from.dim(), to.dim());
        let detail =
            format!("mode 0 makes {from} calls of the atom in the source, but {to} in the destination");
        return Err(phrase(0, src, dst, &detail));
    }
    Ok(())
}

/// Mode 0 is whole calls of the atom.
fn mode0_of<I: Machine>(shape: &Tuple<I>, what: &str, atom: &CopyAtom<'_>, side: CopySide) -> Result<()> {
    let values = atom.values_of(side);
    match modes(shape).into_iter().next().map_or(Some(1), |n| n.as_static()) {
        None => Err(Error::Rule(format!(
            "mode 0 of the {what} has a dynamic size: a thread copies a static number of elements at a time"
        ))),
        Some(n) if n % values != 0 => Err(Error::Rule(format!(
            "mode 0 of the {what} has {n} elements, not a multiple of the {values} that one call of the atom copies ({} b)",
            atom.bits_of(side)
        ))),
        Some(_) => Ok(()),
    }
}

/// Checks that source and destination have as many elements as one call of the atom copies.
fn one_call<I: Machine>(src: &Tuple<I>, dst: &Tuple<I>, atom: &CopyAtom<'_>) -> Result<()> {
    for (what, shape, side) in [("source", src, CopySide::Src), ("destination", dst, CopySide::Dst)] {
        let (n, values) = (algebra::product(shape.view())?, atom.values_of(side));
        if !n.is(values) {
            let n = n.dim();
            return Err(Error::Rule(format!(
                "the {what} has {n} elements, but one call of the atom copies {values}; use cute.copy"
            )));
        }
    }
    Ok(())
}

/// All phases of `tiled_partition`: data that divides into tiles, a predicate with one element per
/// call, tiles of whole calls.
pub fn check_tiled_partition(call: &Call<'_, '_, Dim>, domain: Domain) -> Result<()> {
    let (layout, tiler, atom) = (call.layout(1)?, call.tiler(2)?, call.copy_atom()?);
    check_tiled_divide(&layout, &tiler, domain)?;
    let divided = algebra::tiled_divide(&layout, &tiler)?;
    let shape = divided.outer().shape();
    if let Some(pred) = call.optional(3) {
        predicate(pred, shape, &atom)?;
    }
    residual(shape, shape, &atom)?;
    Ok(domain.divide(&layout, &tiler)?)
}

/// Phases 1 and 3 of `tiled_divide`: rank of the tiler, then (strict) that its modes divide.
pub fn check_tiled_divide<I: Machine>(layout: &AnyLayout<I>, tiler: &Tiler<I>, domain: Domain) -> Result<()> {
    let shape = layout.outer().shape();
    let extents = match tiler {
        // A layout divides the whole domain, so the rank does not matter.
        Tiler::Layout(_) => return Ok(()),
        Tiler::Shape(shape) => modes(shape).into_iter().map(Some).collect(),
        Tiler::Tile(tile) => tile_extents(tile),
    };
    let as_shape = || Tuple::from_leaves(extents.iter().map(|e| e.clone().unwrap_or_else(|| I::from_i64(1))));
    if extents.len() > shape.rank() {
        let detail =
            format!("the tiler has rank {}, but the layout has rank {}", extents.len(), shape.rank());
        return Err(phrase(shape.rank(), shape, &as_shape(), &detail));
    }
    for (i, (tile, extent)) in extents.iter().zip(modes(shape)).enumerate() {
        if let (Domain::Strict, Some(tile)) = (domain, tile)
            && let (Some(t), Some(e)) = (tile.as_static(), extent.as_static())
            && t > 0
            && e % t != 0
        {
            let detail = format!(
                "tile {t} of mode {i} does not divide its extent {e}; set cute.domain = \"extend\" for a partial last tile, as CuTe makes it"
            );
            return Err(phrase(0, shape, &as_shape(), &detail));
        }
    }
    Ok(())
}

fn tile_extents<I: Int>(tile: &Tile<I>) -> Vec<Option<I>> {
    match tile {
        Tile::Modes(modes) => modes.iter().map(tile_extent).collect(),
        other => vec![tile_extent(other)],
    }
}

fn tile_extent<I: Int>(tile: &Tile<I>) -> Option<I> {
    match tile {
        Tile::Layout(layout) => algebra::size(layout).ok(),
        Tile::Int(n) => Some(n.clone()),
        Tile::Underscore | Tile::Modes(_) => None,
    }
}

//! What a copy asks of memory: spaces, element types, neighbours side by side, alignment.

use cute_algebra::{self as algebra, AnyLayout, CopySide, Int, Layout, LayoutLike, ModePath, Stride};

use crate::{
    atom::{CopyAtom, CopyEnd, CopyEnds},
    call::Call,
    error::{Error, Result},
    types::bit_width,
    value::{Machine, MemRef, Space, Value},
};

/// Spaces, element types, contiguity and alignment.
pub(super) fn check<I: Machine>(call: &Call<'_, '_, I>, atom: &CopyAtom<'_>) -> Result<()> {
    let ends = atom.ends().map_err(Error::Rule)?;
    let (src, dst) = (memory(call, 1, "source")?, memory(call, 2, "destination")?);
    between(&ends, src.iter.space, dst.iter.space)?;
    for (what, view, side, end) in
        [("source", src, CopySide::Src, ends.src), ("destination", dst, CopySide::Dst, ends.dst)]
    {
        let bits = view.iter.elem.and_then(bit_width);
        if bits != bit_width(atom.elem()) {
            let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
            return Err(Error::Rule(format!(
                "the {what} has elements of {found}, the atom copies {}",
                atom.elem()
            )));
        }
        if let CopyEnd::Vector(_) = end {
            vectorizable(view, (atom.values_of(side), atom.bits_of(side) / 8))
                .map_err(|why| Error::Rule(format!("{what} {}: {why}", shown(view))))?;
        }
    }
    Ok(())
}

/// The memory that a side of a copy is.
fn memory<'a, 'c, I: Machine>(call: &'a Call<'_, 'c, I>, i: usize, what: &str) -> Result<&'a MemRef<'c, I>> {
    match call.operand(i)? {
        Value::MemRef(view) => Ok(view),
        other => Err(Error::Rule(format!("this atom copies memory, the {what} is {}", other.what()))),
    }
}

fn shown<I: Machine>(view: &MemRef<'_, I>) -> String {
    view.layout.map(|i| i.dim()).to_string()
}

/// Whether each call finds its elements side by side and aligned.
fn vectorizable<I: Machine>(
    view: &MemRef<'_, I>,
    (values, bytes): (i64, i64),
) -> std::result::Result<(), String> {
    let bits = bytes * 8;
    if values <= 1 {
        return Ok(());
    }
    let outer = view.layout.outer();
    let first = outer.mode(0).unwrap_or_else(|_| outer.clone());
    let first = algebra::coalesce(&first).map_err(|e| e.to_string())?;
    let unit = first
        .flat()
        .next()
        .is_some_and(|(extent, stride)| stride.is(1) && extent.as_static().is_some_and(|n| n % values == 0));
    if !unit {
        let first = first.map(|i| i.dim());
        return Err(format!(
            "a call copies {values} neighbouring elements ({bits} b), mode 0 is {first}; use an atom of fewer bits, or give the values unit stride"
        ));
    }
    if let AnyLayout::Composed(composed) = &view.layout
        && let Some(s) = composed.swizzle().filter(|s| !s.is_identity())
        && 1i64 << s.base().min(62) < values
    {
        return Err(format!(
            "{s} separates neighbours: it keeps 2^{} elements together, a call copies {values}",
            s.base()
        ));
    }
    if !view.iter.swizzle.is_identity() && 1i64 << view.iter.swizzle.base().min(62) < bytes {
        return Err(format!("the pointer's {} separates the {bytes} bytes of a call", view.iter.swizzle));
    }
    // Registers have no address: a fragment is aligned as the compiler needs.
    if view.iter.space == Space::Rmem {
        return Ok(());
    }
    let elem = i64::from(view.iter.bits());
    if view.iter.align % bytes != 0 {
        return Err(format!(
            "a call of {bits} b needs an address aligned to {bytes} bytes, the pointer is known to be aligned to {}",
            view.iter.align
        ));
    }
    for (path, extent, stride) in steps(outer, values) {
        let step = stride.scale().dim().divisor().saturating_mul(elem);
        if !extent.is(1) && step % (bytes * 8) != 0 {
            let what = format!(
                "a call of {bits} b needs addresses aligned to {bytes} bytes, stride {} of {path}",
                stride.map(|i| i.dim())
            );
            return Err(match stride.is_static() {
                true => format!("{what} is {} bytes", step / 8),
                false => format!(
                    "{what} is known to be a multiple of {} bytes only; if it is more, its type can say so: `?{{div={}}}`",
                    step / 8,
                    bytes * 8 / elem.max(1)
                ),
            });
        }
    }
    if let AnyLayout::Composed(composed) = &view.layout
        && let Some(offset) = composed.offset().as_leaf()
        && offset.dim().divisor().saturating_mul(elem) % (bytes * 8) != 0
    {
        return Err(format!(
            "the offset {} is not known to be a multiple of {} elements",
            offset.dim(),
            bytes * 8 / elem.max(1)
        ));
    }
    Ok(())
}

/// The strides between calls: all leaves but those that make up the neighbours of one call.
fn steps<I: Int>(layout: &Layout<I>, values: i64) -> Vec<(ModePath, I, Stride<I>)> {
    let paths = layout.shape().view().leaf_paths();
    let flat = paths.into_iter().zip(layout.flat()).map(|(p, (e, d))| (p, e.clone(), d.clone()));
    let mut covered = 1i64;
    flat.skip_while(|(_, extent, stride)| match extent.as_static() {
        Some(n) if (stride.is(covered) || n == 1) && covered < values => {
            covered = covered.saturating_mul(n);
            true
        }
        _ => false,
    })
    .collect()
}

/// That an instruction finds the spaces that it goes between.
fn between(ends: &CopyEnds, src: Space, dst: Space) -> Result<()> {
    let wanted = |end: CopyEnd, found: Space| match end {
        CopyEnd::Vector(space) => space.unwrap_or(found),
        CopyEnd::Scattered(space) => space,
        CopyEnd::Coordinates => found,
    };
    let (from, to) = (wanted(ends.src, src), wanted(ends.dst, dst));
    if (from, to) == (src, dst) {
        return Ok(());
    }
    let [from, to, src, dst] = [from, to, src, dst].map(Space::name);
    let otherwise = ends.otherwise.map(|atom| format!("; use {atom}")).unwrap_or_default();
    Err(Error::Rule(format!("{} copies {from} to {to}, found {src} to {dst}{otherwise}", ends.name)))
}

//! What a copy asks of memory: spaces, element types, neighbours side by side, alignment.

use cute_algebra::{self as algebra, AnyLayout, CopySide, Int, Layout, LayoutLike, ModePath, Stride};

use crate::{
    atom::{CopyAtom, MatrixCopy, UniversalCopy},
    call::Call,
    error::{Error, Result},
    types::bit_width,
    value::{Machine, MemRef, Space, Value},
};

/// Spaces, element types, contiguity and alignment.
pub(super) fn check<I: Machine>(call: &Call<'_, '_, I>, atom: &CopyAtom<'_>) -> Result<()> {
    if let CopyAtom::Tma(tma) = atom {
        return Err(Error::Rule(format!("a copy by !{} is not supported", tma.kind.kind().name())));
    }
    let (src, dst) = match (call.operand(1)?, call.operand(2)?) {
        (Value::MemRef(src), Value::MemRef(dst)) => (src, dst),
        (other, Value::MemRef(_)) => {
            return Err(Error::Rule(format!("this atom copies memory, the source is {}", other.what())));
        }
        (_, other) => {
            return Err(Error::Rule(format!("this atom copies memory, the destination is {}", other.what())));
        }
    };
    if let CopyAtom::Async(_) = atom
        && (src.iter.space, dst.iter.space) != (Space::Gmem, Space::Smem)
    {
        let (s, d) = (src.iter.space.name(), dst.iter.space.name());
        return Err(Error::Rule(format!(
            "cp.async copies gmem to smem, found {s} to {d}; use universal_copy"
        )));
    }
    match atom {
        CopyAtom::Universal(UniversalCopy { access, .. }) => {
            let (src, dst) = (src.iter.space, dst.iter.space);
            let wanted = (access.src.unwrap_or(src), access.dst.unwrap_or(dst));
            between("this universal_copy", wanted, (src, dst))?;
        }
        CopyAtom::Matrix(m) => matrices(m, src.iter.space, dst.iter.space)?,
        CopyAtom::Tmem(t) => {
            let (name, from, to) = match t.store {
                true => ("tcgen05.st", Space::Rmem, Space::Tmem),
                false => ("tcgen05.ld", Space::Tmem, Space::Rmem),
            };
            between(name, (from, to), (src.iter.space, dst.iter.space))?;
        }
        CopyAtom::S2t(_) => {
            between("tcgen05.cp", (Space::Smem, Space::Tmem), (src.iter.space, dst.iter.space))?;
        }
        _ => {}
    }
    for (what, view, side) in [("source", src, CopySide::Src), ("destination", dst, CopySide::Dst)] {
        let bits = view.iter.elem.and_then(bit_width);
        if bits != bit_width(atom.elem()) {
            let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
            return Err(Error::Rule(format!(
                "the {what} has elements of {found}, the atom copies {}",
                atom.elem()
            )));
        }
        // The registers of a matrix are gathered; each row is read or written whole.
        if matches!(atom, CopyAtom::Tmem(_) | CopyAtom::S2t(_))
            || matches!(atom, CopyAtom::Matrix(m) if (side == CopySide::Src) == m.store)
        {
            continue;
        }
        vectorizable(view, (atom.values_of(side), atom.bits_of(side) / 8))
            .map_err(|why| Error::Rule(format!("{what} {}: {why}", shown(view))))?;
    }
    Ok(())
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

/// `ldmatrix` and `stmatrix` go between shared memory and registers.
fn matrices(atom: &MatrixCopy<'_>, src: Space, dst: Space) -> Result<()> {
    match atom.store {
        true => between("stmatrix", (Space::Rmem, Space::Smem), (src, dst)),
        false => between("ldmatrix", (Space::Smem, Space::Rmem), (src, dst)),
    }
}

/// That an instruction finds the spaces that it goes between.
fn between(name: &str, wanted: (Space, Space), found: (Space, Space)) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    let [from, to, src, dst] = [wanted.0, wanted.1, found.0, found.1].map(Space::name);
    let other = if name.ends_with("universal_copy") { "" } else { "; use universal_copy" };
    Err(Error::Rule(format!("{name} copies {from} to {to}, found {src} to {dst}{other}")))
}

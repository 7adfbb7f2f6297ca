//! A copy's requirements on memory: spaces, element types, contiguous elements, alignment.

use cute_algebra::{
    self as algebra, AnyLayout, CopySide, Dim, Int, Layout, LayoutLike, ModePath, Stride, Swizzle,
};
use cute_arch::tensor_map::MapElement;
use melior::ir::Type;

use crate::{
    atom::{CopyAtom, CopyEnd, CopyEnds, TmaCopy, is_copied_as},
    call::Call,
    error::{Error, Result},
    types::bit_width,
    value::{Machine, MemRef, Space, Value},
};

/// Why one call of an atom cannot take its elements from a view.
#[derive(Debug, thiserror::Error)]
enum Apart {
    #[error("{swizzle} keeps only 2^{} neighbouring elements together, but one call copies {values}", swizzle.base())]
    Swizzle { swizzle: Swizzle, values: i64 },
    #[error("the pointer's {swizzle} separates the {bytes} bytes of a call")]
    Pointer { swizzle: Swizzle, bytes: i64 },
    #[error(transparent)]
    Algebra(#[from] algebra::Error),
    #[error(
        "a call copies {values} neighbouring elements ({bits} b), but mode 0 is {first}; use an atom of \
         fewer bits, or give the values unit stride"
    )]
    Stride { values: i64, bits: i64, first: Box<Layout<Dim>> },
    #[error("the elements have no size, so a call cannot copy several of them")]
    NoSize,
    #[error(
        "a call of {bits} b needs an address aligned to {align} bytes, but the pointer is only known to \
         be aligned to {known}"
    )]
    Base { bits: i64, align: i64, known: i64 },
    #[error(
        "a call of {bits} b needs addresses aligned to {align} bytes, but stride {stride} of {path}{}",
        steps_by(*.bytes, *.divisor)
    )]
    Step {
        bits: i64,
        align: i64,
        stride: Box<Stride<Dim>>,
        path: ModePath,
        /// Bytes of a step, or of its known divisor.
        bytes: i64,
        /// The divisor that would do, of a stride that is not static.
        divisor: Option<i64>,
    },
    #[error("the offset {offset} is not known to be a multiple of {elements} elements")]
    Offset { offset: Dim, elements: i64 },
}

fn steps_by(bytes: i64, divisor: Option<i64>) -> String {
    match divisor {
        None => format!(" is {bytes} bytes"),
        Some(divisor) => format!(
            " is only known to be a multiple of {bytes} bytes; if it is a multiple of more, declare \
             that in its type: `?{{div={divisor}}}`"
        ),
    }
}

/// Spaces, element types, contiguity and alignment.
pub(super) fn check<I: Machine>(call: &Call<'_, '_, I>, atom: &CopyAtom<'_>) -> Result<()> {
    let ends = atom.ends()?;
    let (src, dst) = (memory(call, 1, "source", ends.src)?, memory(call, 2, "destination", ends.dst)?);
    between(&ends, src.map(|view| view.iter.space), dst.map(|view| view.iter.space))?;
    let elem = atom.elem();
    same_elements(src, dst, elem)?;
    for (what, view, side, end) in
        [("source", src, CopySide::Src, ends.src), ("destination", dst, CopySide::Dst, ends.dst)]
    {
        let Some(view) = view else { continue };
        match atom.as_tma() {
            Some(tma) => in_box(what, view, tma)?,
            None => copied(what, view, elem)?,
        }
        let (values, bytes) = (atom.values_of(side), atom.bits_of(side) / 8);
        let neighbours = match end {
            CopyEnd::Vector(_) => {
                unswizzled(view, values, bytes).and_then(|()| aligned(view, values, bytes, bytes))
            }
            CopyEnd::Block(_, align) => aligned(view, values, bytes, align),
            CopyEnd::Scattered(_) | CopyEnd::Coordinates | CopyEnd::Descriptors => Ok(()),
        };
        neighbours.map_err(|why| Error::Rule(format!("{what} {}: {why}", shown(view))))?;
    }
    Ok(())
}

/// Checks that the elements of a view have the width of those that an atom copies.
pub fn copied<I: Machine>(what: &str, view: &MemRef<'_, I>, elem: Type<'_>) -> Result<()> {
    if view.iter.elem.and_then(bit_width) == bit_width(elem) {
        return Ok(());
    }
    let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
    Err(Error::Rule(format!("the {what} has elements of {found}, but the atom copies {elem}")))
}

/// Checks that the elements of a view have the width that those of a box have in shared memory.
pub fn in_box<I: Machine>(what: &str, view: &MemRef<'_, I>, tma: &TmaCopy<'_>) -> Result<()> {
    let widths = tma.bits_in_shared_memory();
    if view.iter.elem.and_then(bit_width).is_some_and(|bits| widths.contains(&bits)) {
        return Ok(());
    }
    let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
    if tma.format == Some(MapElement::U4) && bit_width(tma.elem) == Some(4) {
        return Err(Error::Rule(format!(
            "the {what} has elements of {found}, but tma_format = {} packs elements of {} in shared memory: write \
             tma_format = {} for a byte each, or recast the iterator to {}",
            MapElement::U4.keyword(),
            tma.elem,
            MapElement::U4In8.keyword(),
            tma.elem
        )));
    }
    if bit_width(tma.elem).is_some_and(|bits| widths.contains(&bits)) {
        return copied(what, view, tma.elem);
    }
    Err(Error::Rule(format!(
        "the {what} has elements of {found}, but the TMA gives each element of {} a byte of shared memory: recast the \
         iterator to i8",
        tma.elem
    )))
}

/// Checks that the elements of both sides can be the same ones: a copy moves bits and converts
/// nothing. Coordinates are those of a tensor of the atom's elements.
fn same_elements<'c, I: Machine>(
    src: Option<&MemRef<'c, I>>,
    dst: Option<&MemRef<'c, I>>,
    copied: Type<'c>,
) -> Result<()> {
    let [from, to] = [src, dst].map(|side| side.map_or(Some(copied), |view| view.iter.elem));
    let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
    if bit_width(from) != bit_width(to) || is_copied_as(from, to) {
        return Ok(());
    }
    Err(Error::Rule(format!(
        "the source holds {from}, but the destination holds {to}, and a copy does not convert: recast the \
         iterator of one of them, or make both of one type"
    )))
}

/// The memory on one side of a copy; `None` if that side has coordinates.
pub(super) fn memory<'a, 'c, I: Machine>(
    call: &'a Call<'_, 'c, I>,
    i: usize,
    what: &str,
    end: CopyEnd,
) -> Result<Option<&'a MemRef<'c, I>>> {
    match (end, call.operand(i)?) {
        (CopyEnd::Coordinates, Value::CoordTensor(_)) => Ok(None),
        (CopyEnd::Coordinates, other) => {
            let mut others = call.operands.iter().enumerate().filter(|(at, _)| *at != i);
            let exchanged = others.any(|(_, value)| matches!(**value, Value::CoordTensor(_)));
            let hint = if exchanged { "; exchange source and destination" } else { "" };
            Err(Error::Rule(format!(
                "the TMA takes coordinates: the {what} must be a coord_tensor, but is {}{hint}",
                other.what()
            )))
        }
        (CopyEnd::Descriptors, Value::SmemDescView(_)) => Ok(None),
        (CopyEnd::Descriptors, other) => Err(Error::Rule(format!(
            "tcgen05.cp takes descriptors of shared memory: the {what} must be a smem_desc_view, which \
             cute_nvgpu.atom.get_copy_s2t_smem_desc_view makes from a partition, but is {}",
            other.what()
        ))),
        (_, Value::MemRef(view)) => Ok(Some(view)),
        (_, other) => {
            Err(Error::Rule(format!("this atom copies memory, but the {what} is {}", other.what())))
        }
    }
}

fn shown<I: Machine>(view: &MemRef<'_, I>) -> String {
    view.layout.map(|i| i.dim()).to_string()
}

/// Checks that no swizzle separates the elements of a call.
fn unswizzled<I: Machine>(view: &MemRef<'_, I>, values: i64, bytes: i64) -> std::result::Result<(), Apart> {
    if values <= 1 {
        return Ok(());
    }
    if let AnyLayout::Composed(composed) = &view.layout
        && let Some(swizzle) = composed.swizzle().filter(|s| !s.is_identity())
        && 1i64 << swizzle.base().min(62) < values
    {
        return Err(Apart::Swizzle { swizzle, values });
    }
    if !view.iter.swizzle.is_identity() && 1i64 << view.iter.swizzle.base().min(62) < bytes {
        return Err(Apart::Pointer { swizzle: view.iter.swizzle, bytes });
    }
    Ok(())
}

/// Checks that the elements of each call of this number of bytes are contiguous, from an address
/// aligned to `align` bytes.
fn aligned<I: Machine>(
    view: &MemRef<'_, I>,
    values: i64,
    bytes: i64,
    align: i64,
) -> std::result::Result<(), Apart> {
    let bits = bytes * 8;
    if values <= 1 {
        return Ok(());
    }
    let outer = view.layout.outer();
    let first = outer.mode(0).unwrap_or_else(|_| outer.clone());
    let first = algebra::coalesce(&first)?;
    let unit = first
        .flat()
        .next()
        .is_some_and(|(extent, stride)| stride.is(1) && extent.as_static().is_some_and(|n| n % values == 0));
    if !unit {
        return Err(Apart::Stride { values, bits, first: first.map(|i| i.dim()).into() });
    }
    // Registers have no address: the compiler aligns a fragment as needed.
    if view.iter.space == Space::Rmem {
        return Ok(());
    }
    let Some(elem) = view.iter.bits().map(i64::from) else {
        return Err(Apart::NoSize);
    };
    if view.iter.align % align != 0 {
        return Err(Apart::Base { bits, align, known: view.iter.align });
    }
    for (path, extent, stride) in steps(outer, values) {
        let step = stride.scale().dim().divisor().saturating_mul(elem);
        if !extent.is(1) && step % (align * 8) != 0 {
            let divisor = (!stride.is_static()).then(|| align * 8 / elem);
            let stride = stride.map(|i| i.dim()).into();
            return Err(Apart::Step { bits, align, stride, path, bytes: step / 8, divisor });
        }
    }
    if let AnyLayout::Composed(composed) = &view.layout
        && let Some(offset) = composed.offset().as_leaf()
        && offset.dim().divisor().saturating_mul(elem) % (align * 8) != 0
    {
        return Err(Apart::Offset { offset: offset.dim(), elements: align * 8 / elem });
    }
    Ok(())
}

/// The strides between calls: those of all leaves except the contiguous elements of one call.
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

/// Checks that the source and the destination are in the spaces that an instruction copies between.
fn between(ends: &CopyEnds, src: Option<Space>, dst: Option<Space>) -> Result<()> {
    let wanted = |end: CopyEnd, found: Option<Space>| match end {
        CopyEnd::Vector(space) => space.or(found),
        CopyEnd::Scattered(space) | CopyEnd::Block(space, _) => Some(space),
        CopyEnd::Coordinates | CopyEnd::Descriptors => None,
    };
    let (from, to) = (wanted(ends.src, src), wanted(ends.dst, dst));
    if (from, to) == (src, dst) {
        return Ok(());
    }
    let [from, to, src, dst] = [from, to, src, dst].map(|space| space.map_or("coordinates", Space::name));
    let otherwise = ends.otherwise.map(|atom| format!("; use {atom}")).unwrap_or_default();
    Err(Error::Rule(format!("{} copies {from} to {to}, found {src} to {dst}{otherwise}", ends.name)))
}

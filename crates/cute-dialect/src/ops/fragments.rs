//! Matrices of `wgmma` and `tcgen05.mma`: descriptors of shared memory, and tensor memory.

use std::fmt::Display;

use cute_algebra::{
    self as algebra, AnyLayout, Basis, Dim, Int, Layout, LayoutLike, MmaOperand, Stride, Swizzle,
};
use cute_arch::{
    atoms::{Instruction, Major, Space as Place},
    smem::{DescriptorOf, SmemSwizzle, UNIT},
    tensor_map::MapElement,
    tmem::{self, TmemAlloc},
};

use melior::ir::Type;

use crate::{
    atom::{Factor, Frag, MmaAtom, major_name},
    error::{Error, Result},
    types::bit_width,
    value::{Machine, MemRef, Ptr, SmemDesc, SmemDescView, Space, Value},
};

/// Checks that mode 0 of a partition matches one call of the atom, and that other modes follow it.
pub(super) fn whole_atom(atom: &MmaAtom<'_>, which: MmaOperand, layout: &Layout<Dim>) -> Result<()> {
    if layout.rank() < 3 {
        let shape = layout.shape();
        return Err(Error::Rule(format!(
            "{which} must be partitioned as (V, rest..) of rank 3 or more, found {shape}"
        )));
    }
    let (values, own) = (algebra::size_at(layout, &[0])?, atom.values_of(which));
    if values.is(own) {
        return Ok(());
    }
    let whose =
        if atom.space_of(which) == Place::Register { "a thread of the atom" } else { "one call of the atom" };
    Err(Error::Rule(format!("mode 0 of {which} has {values} elements, but {whose} has {own}")))
}

fn bits_of(which: MmaOperand, elem: Type<'_>) -> Result<u32> {
    let none = || Error::NoSize { elem: elem.to_string(), rule: format!("{which} has no fragment of it") };
    bit_width(elem).ok_or_else(none)
}

fn constant(layout: &Layout<Dim>) -> Result<Layout<i64>> {
    layout.to_const().ok_or_else(|| Error::DynamicFragment { what: "layout", found: layout.to_string() })
}

/// A matrix in shared memory, as the descriptors of its tiles.
pub struct SmemMatrix<'c> {
    /// The descriptors: strides in units of 16 bytes.
    pub view: SmemDescView<'c, Dim>,
    /// All fields of the first descriptor except the address.
    pub fields: u64,
}

/// The operand of `mma.make_fragment`, `((M,K),RestM,RestK,..)` in shared memory, as one descriptor
/// per tile.
pub fn smem_matrix<'c>(
    atom: &MmaAtom<'c>,
    which: MmaOperand,
    view: &MemRef<'c, Dim>,
) -> Result<SmemMatrix<'c>> {
    let MemRef { iter, layout } = view;
    if iter.space != Space::Smem {
        let space = iter.space.name();
        return Err(Error::Rule(format!(
            "the atom reads {which} from shared memory, but its partition is in {space}"
        )));
    }
    if atom.is_wide() {
        return Err(Error::Rule(format!(
            "{which} has no fragment for K = 96: an MMA reads 48 bytes of rows of 128, and so two buffers at once. Make a \
             smem_desc for each MMA, with the next buffer's address in bits 16 to 29 and with bit 52, and a view of it"
        )));
    }
    let elem = atom.fragment_elem(which);
    let bits = bits_of(which, elem)?;
    let Some(held) = iter.elem.filter(|held| bit_width(*held) == Some(bits)) else {
        let found = iter.elem.map_or("none".to_string(), |t| t.to_string());
        let own = atom.elems[which as usize];
        // The format that pads.
        let padded = match (elem == own, bit_width(own)) {
            (false, Some(4)) => MapElement::U4In8,
            (false, _) => MapElement::U6In8,
            _ => {
                return Err(Error::Rule(format!(
                    "{which} has elements of {found}, but the atom takes {elem}"
                )));
            }
        };
        return Err(Error::Rule(format!(
            "{which} has elements of {found}, but the atom takes each {own} in a byte, {elem}: let the TMA pad them, with \
             tma_format = {}, and recast the iterator to {elem}",
            padded.keyword()
        )));
    };
    let factor = Factor::of(atom, which, held);
    factor.check(atom, which)?;
    let AnyLayout::Plain(layout) = layout else {
        return Err(Error::Rule(format!(
            "a descriptor swizzles the address, not the layout {layout}: recast the iterator to a swizzled pointer"
        )));
    };
    whole_atom(atom, which, layout)?;
    let layout = constant(layout)?;
    let swizzle = swizzle_of(iter)?;
    let wgmma = atom.entry.is_some_and(|row| row.instruction == Instruction::WGMMA);
    let of = if wgmma { DescriptorOf::Wgmma } else { DescriptorOf::Tcgen05 };
    let major = factor.major;
    // A descriptor must point at whole blocks; the address is not known yet.
    let tile = layout.mode(0)?;
    let fields = |swizzle: SmemSwizzle, major| swizzle.descriptor(of, major, &tile, i64::from(bits), 0);
    let fields = fields(swizzle, major).map_err(|why| {
        let all = SmemSwizzle::ALL.into_iter().flat_map(|s| [Major::K, Major::Mn].map(|major| (s, major)));
        let would = all.filter(|(s, major)| fields(*s, *major).is_ok());
        let would: Vec<_> =
            would.map(|(s, m)| format!("{} and ab_major {}", s.swizzle(), major_name(m))).collect();
        let fix = match &would[..] {
            [] => "lay it out by tile_to_shape of such a block".to_string(),
            would => format!("as it lies, it needs {}", would.join(", or ")),
        };
        Error::Rule(format!(
            "{which}, contiguous along {}, has no descriptor: {why}; {fix}",
            major_name(major)
        ))
    })?;
    at_unit(which, iter)?;
    let units = UNIT / i64::from(bits);
    let rest = layout.modes().skip(1).map(|mode| in_units(&mode.to_owned(), units));
    let modes = [Ok(Layout::unit())].into_iter().chain(rest).collect::<Result<Vec<_>>>()?;
    whole_periods(swizzle, which, &layout, i64::from(bits))?;
    let layout = Layout::from_modes(modes).map(|n| Dim::fixed(*n));
    Ok(SmemMatrix { view: SmemDescView { iter: SmemDesc::new(Some(factor)), layout }, fields })
}

/// The swizzle of the memory that a descriptor points at, from the type of its pointer.
pub(super) fn swizzle_of(iter: &Ptr<'_, Dim>) -> Result<SmemSwizzle> {
    SmemSwizzle::ALL.into_iter().find(|s| s.swizzle() == iter.swizzle).ok_or_else(|| {
        let all = SmemSwizzle::ALL.map(|s| s.swizzle().to_string()).join(", ");
        Error::Rule(format!("descriptors swizzle by {all}, not by {}", iter.swizzle))
    })
}

/// Checks that a descriptor can point at memory. Swizzles apply to addresses, so a matrix may begin
/// anywhere in the pattern.
pub(super) fn at_unit(which: impl Display, iter: &Ptr<'_, Dim>) -> Result<()> {
    let align = iter.align;
    if align % (UNIT / 8) == 0 {
        return Ok(());
    }
    Err(Error::Rule(format!(
        "descriptors address 16-byte units, but {which} is only known to be {align}-byte aligned; align its \
         memory and declare the alignment in its type"
    )))
}

/// Checks that no other tile begins where the swizzle differs from that at the first tile, because
/// a descriptor does not contain the position in the pattern.
pub(super) fn whole_periods(
    swizzle: SmemSwizzle,
    which: impl Display,
    layout: &Layout<i64>,
    bits: i64,
) -> Result<()> {
    let mut within = 0i64;
    for (mode, rest) in layout.modes().enumerate().skip(1) {
        let rest = rest.to_owned();
        for (extent, stride) in rest.flat() {
            let Some(step) = stride.as_static().map(|d| d.saturating_mul(bits) / 8) else { continue };
            if *extent == 1 || step % swizzle.period() == 0 {
                continue;
            }
            within = within.saturating_add(step.saturating_abs().saturating_mul(extent - 1));
            if step < 0 || within >= swizzle.reach() {
                return Err(Error::Rule(format!(
                    "mode {mode} of {which}, {}, steps by {step} bytes: {swizzle} repeats every {} bytes, and a descriptor begins there or in the {} bytes after that; pad stages and tiles to whole patterns",
                    rest,
                    swizzle.period(),
                    swizzle.reach()
                )));
            }
        }
    }
    Ok(())
}

/// Strides in elements as strides in units of this number of elements.
fn in_units(mode: &Layout<i64>, elements: i64) -> Result<Layout<i64>> {
    let stride = mode.stride().try_map(|stride| {
        let d = stride.expect_int("the matrix descriptor")?;
        match d % elements {
            0 => Ok(Stride::int(d / elements)),
            _ => Err(Error::Rule(format!(
                "a stride of {d} elements in {mode} is not a whole number of 16-byte units of {elements}"
            ))),
        }
    })?;
    Ok(Layout::new(mode.shape().clone(), stride)?)
}

/// `((M,N),RestM,RestN,..)` of tensor memory, from its first lane and column on.
pub fn in_tensor_memory<'c>(
    atom: &MmaAtom<'c>,
    which: MmaOperand,
    like: &AnyLayout<Dim>,
) -> Result<MemRef<'c, Dim>> {
    let like = like.outer();
    whole_atom(atom, which, like)?;
    let elem = atom.fragment_elem(which);
    let bits = i64::from(bits_of(which, elem)?);
    let pair = atom.options.num_cta == 2;
    let (storage, accumulates) = if which == MmaOperand::C { (32, true) } else { (bits, false) };
    let alloc = match accumulates {
        true => TmemAlloc::of_c(pair, atom.options.frag == Frag::Ts),
        false => TmemAlloc::of_a(pair),
    };
    let shape = constant(&algebra::make_layout(like.shape())?)?.shape().clone();
    let layout = tmem::fragment(&shape, bits, storage, alloc, pair)?.map(|n| Dim::fixed(*n));
    let iter =
        Ptr { elem: Some(elem), space: Space::Tmem, align: 1, swizzle: Swizzle::IDENTITY, address: () };
    Ok(MemRef { iter, layout: layout.into() })
}

/// A fragment of a view of wider elements in tensor memory, as CuTe DSL declares it: it counts
/// lanes in elements of the view. (CuTe C++ counts them in elements of the fragment; no instruction
/// uses the stride of the lanes.) `None` for other operands.
pub(super) fn lanes_of_view<'c, I: Machine>(
    fragment: &MemRef<'c, Dim>,
    operand: &Value<'c, I>,
) -> Result<Option<MemRef<'c, Dim>>> {
    let Value::MemRef(view) = operand else { return Ok(None) };
    let bits = |elem: Option<Type<'_>>| elem.and_then(bit_width).map(i64::from);
    let (Some(own), Some(views)) = (bits(fragment.iter.elem), bits(view.iter.elem)) else { return Ok(None) };
    if view.iter.space != Space::Tmem || views <= own {
        return Ok(None);
    }
    let lane = tmem::lane_stride(own);
    let layout = fragment.layout.outer();
    let stride = layout.stride().try_map(|stride| match stride.scale().as_static() {
        Some(d) if d >= lane && stride.basis() == Basis::NONE => Ok(Stride::int(Dim::fixed(d / views * own))),
        _ => Ok::<_, Error>(stride.clone()),
    })?;
    let layout = Layout::new(layout.shape().clone(), stride)?;
    Ok(Some(MemRef { iter: fragment.iter.clone(), layout: layout.into() }))
}

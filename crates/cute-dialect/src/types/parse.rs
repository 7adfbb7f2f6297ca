//! Bodies of types: `<"(4,8):(1,4)">`, `<f16, smem, align<16>, S<3,4,3>>` and their kin.

use cute_algebra::{
    AnyLayout, Dim, Fractions, Inner, LayoutLike, MmaOperand, Swizzle, Width, parse_composed, parse_coord,
    parse_descriptor, parse_int_tuple, parse_layout, parse_layout_or_composed, parse_shape, parse_stride,
    parse_swizzle, parse_tile,
};
use cute_arch::{atoms::Reduction, tensor_map::MapElement};
use cute_ffi::{
    syntax::{ParseResult, Parser, Reported, SourcePosition},
    types::Kind,
};
use cute_placement::placement::parse_placement;
use melior::ir::Type;

use super::{bit_width, natural_align, type_of, value_of};
use crate::{
    atom::{CopyAtom, Factor, LoadMode, MmaAtom, major},
    syntax::{element_type, one_of, quoted},
    value::{CoordTensor, MemRef, Ptr, SmemDesc, SmemDescView, Space, TiledCopy, TiledMma, Value},
};

/// Parses the body of a type and makes the type.
pub fn parse<'c>(p: &Parser<'c>, kind: Kind) -> ParseResult<Type<'c>> {
    if matches!(kind, Kind::AssumedI32 | Kind::AssumedI64) {
        return Ok(type_of(p.context(), &Value::Assumed(assumed(p, kind)?)));
    }
    if kind == Kind::SmemDesc {
        return Ok(type_of(p.context(), &Value::SmemDesc(descriptor(p)?)));
    }
    if kind == Kind::TmaDescriptorTiled {
        return Ok(type_of(p.context(), &Value::Opaque(kind)));
    }
    p.expect("<")?;
    let value = match kind {
        Kind::IntTuple => Value::IntTuple(quoted(p, parse_int_tuple)?),
        Kind::Shape => Value::Shape(quoted(p, parse_shape)?),
        Kind::Stride => Value::Stride(quoted(p, parse_stride)?),
        Kind::Coord => Value::Coord(quoted(p, parse_coord)?),
        Kind::Layout => Value::Layout(quoted(p, parse_layout)?),
        Kind::Tile => Value::Tile(quoted(p, parse_tile)?),
        Kind::Swizzle => Value::Swizzle(quoted(p, parse_swizzle)?),
        Kind::ComposedLayout => Value::ComposedLayout(quoted(p, parse_composed)?),
        Kind::ArithTupleIter => Value::ArithTupleIter(quoted(p, parse_int_tuple)?),
        Kind::Ptr => Value::Ptr(pointer(p)?),
        Kind::MemRef => memref(p)?,
        Kind::CoordTensor => {
            let origin = quoted(p, parse_int_tuple)?;
            p.expect(",")?;
            let at = p.at();
            let view = CoordTensor { origin, layout: quoted(p, parse_layout)? };
            view.check().or_else(|why| p.error(at, &why.to_string()))?;
            Value::CoordTensor(view)
        }
        Kind::TiledCopy => tiled_copy(p)?,
        Kind::AssumedI32 | Kind::AssumedI64 => return Err(Reported),
        Kind::FastDivmodDivisor => {
            let at = p.at();
            match p.integer() {
                Some(32) => Value::FastDivisor([Dim::dynamic(Width::I32, 1); 4]),
                _ => return p.error(at, "expected the width of the divisor: 32"),
            }
        }
        Kind::TiledMma => tiled_mma(p)?,
        Kind::SparseElem => sparse_elem(p)?,
        Kind::SmemDescView => desc_view(p)?,
        _ => atom(p, kind)?,
    };
    p.expect(">")?;
    Ok(type_of(p.context(), &value))
}

/// The body of an atom.
fn atom<'c>(p: &Parser<'c>, kind: Kind) -> ParseResult<Value<'c, Dim>> {
    if let Some(mma) = MmaAtom::parse(p, kind) {
        return mma.map(Value::MmaAtom);
    }
    match CopyAtom::parse(p, kind) {
        Some(copy) => copy.map(Value::CopyAtom),
        None => p.error(p.at(), &format!("internal error: nothing reads the body of a !{}", kind.name())),
    }
}

/// `[<divby N>]`
fn assumed(p: &Parser<'_>, kind: Kind) -> ParseResult<Dim> {
    let width = if kind == Kind::AssumedI64 { Width::I64 } else { Width::I32 };
    if !p.optional("<") {
        return Ok(Dim::dynamic(width, 1));
    }
    if !p.optional("divby") {
        return p.error(p.at(), "expected divby and a divisor, such as divby 8");
    }
    let at = p.at();
    match p.integer() {
        Some(div) if div > 0 => p.expect(">").map(|()| Dim::dynamic(width, div)),
        _ => p.error(at, "expected a positive divisor"),
    }
}

/// The normal form of the body of a `#cute.<mnemonic>` or `#cute_nvgpu.<mnemonic>`, for example of
/// a descriptor's `<"(16@0, 1@1)">`.
pub fn text(p: &Parser<'_>, mnemonic: &str) -> ParseResult<String> {
    p.expect("<")?;
    let at = p.at();
    let normal = match mnemonic {
        "placement" => quoted(p, parse_placement)?.to_string(),
        "tiled_tma_load" => one_of(p, "a kind of load", LoadMode::ALL)?.name().to_string(),
        "tma_data_format" => one_of(p, "a format of elements", &MapElement::KEYWORDS)?.keyword().to_string(),
        "tma_reduce_kind" => one_of(p, "a reduction", Reduction::ALL)?.name().to_string(),
        _ => match quoted(p, parse_descriptor)?.normalise(Fractions::Keep) {
            Ok(normal) => normal.to_string(),
            Err(e) => return p.error(at, &e.to_string()),
        },
    };
    p.expect(">")?;
    Ok(normal)
}

/// `[elem, ]space[, align<N>][, S<b,m,s>]`. With `more`, a comma that is not followed by one of
/// these is left to the caller.
fn pointer<'c>(p: &Parser<'c>) -> ParseResult<Ptr<'c, Dim>> {
    let (ptr, pending) = pointer_part(p)?;
    if pending {
        return p.error(p.at(), "expected align<N> or a swizzle S<bits,base,shift>");
    }
    Ok(ptr)
}

/// A pointer body; `true` if the parser consumed a comma that belongs to the next part.
fn pointer_part<'c>(p: &Parser<'c>) -> ParseResult<(Ptr<'c, Dim>, bool)> {
    let space_at = p.at();
    let (elem, space) = match space(p) {
        Some(space) => (None, space),
        None => {
            let elem = element_type(p)?;
            p.expect(",")?;
            let at = p.at();
            match space(p) {
                Some(space) => (Some(elem), space),
                None => return p.error(at, "expected a memory space: gmem, smem, rmem, tmem or generic"),
            }
        }
    };
    let align = natural_align(elem).unwrap_or(1);
    let mut ptr = Ptr { elem, space, align, swizzle: Swizzle::IDENTITY, address: () };
    let mut pending = p.optional(",");
    if pending && p.optional("align") {
        p.expect("<")?;
        let at = p.at();
        match p.integer() {
            Some(n) if n > 0 && n & (n - 1) == 0 => ptr.align = n,
            _ => return p.error(at, "alignment must be a positive power of two, in bytes"),
        }
        p.expect(">")?;
        pending = p.optional(",");
    }
    let swizzle_at = p.at();
    if pending && p.optional("S") {
        ptr.swizzle = swizzle(p, swizzle_at)?;
        if space == Space::Tmem && !ptr.swizzle.is_identity() {
            return p.error(
                swizzle_at,
                "a swizzle permutes bytes; tensor memory is addressed by lanes and columns",
            );
        }
        pending = p.optional(",");
    }
    if pending && p.optional("bitlayout") {
        return p.error(space_at, "bitlayout is not supported");
    }
    Ok((ptr, pending))
}

fn space(p: &Parser<'_>) -> Option<Space> {
    Space::ALL.into_iter().find(|s| p.optional(s.name()))
}

/// `<bits,base,shift>` after `S`.
fn swizzle(p: &Parser<'_>, at: SourcePosition) -> ParseResult<Swizzle> {
    p.expect("<")?;
    let mut fields = [0; 3];
    for (i, field) in fields.iter_mut().enumerate() {
        if i > 0 {
            p.expect(",")?;
        }
        let at = p.at();
        match p.integer() {
            Some(n) => *field = n,
            None => return p.error(at, "expected an integer"),
        }
    }
    p.expect(">")?;
    Swizzle::new(fields[0], fields[1], fields[2]).or_else(|e| p.error(at, &e.to_string()))
}

fn memref<'c>(p: &Parser<'c>) -> ParseResult<Value<'c, Dim>> {
    let at = p.at();
    let (iter, pending) = pointer_part(p)?;
    if !pending {
        p.expect(",")?;
    }
    if iter.elem.is_none() {
        return p.error(at, "a memref has an element type: write <f32, gmem, \"..\">");
    }
    let at = p.at();
    let layout = quoted(p, parse_layout_or_composed)?;
    if layout.outer().has_basis()
        && !matches!(&layout, AnyLayout::Composed(l) if matches!(l.inner(), Inner::Layout(_)))
    {
        return p.error(at, "a memref has integer strides; basis strides make a !cute.coord_tensor");
    }
    Ok(Value::MemRef(MemRef { iter, layout }))
}

/// `<2, f16>`
fn sparse_elem<'c>(p: &Parser<'c>) -> ParseResult<Value<'c, Dim>> {
    let at = p.at();
    let stands_for = match p.integer() {
        Some(n) if n > 0 => n,
        _ => return p.error(at, "expected the number of elements that a stored one represents, such as 2"),
    };
    p.expect(",")?;
    let at = p.at();
    let stored = element_type(p)?;
    match bit_width(stored) {
        Some(_) => Ok(Value::SparseElem(stands_for, stored)),
        None => p.error(at, &format!("{stored} cannot be an element type: it does not have a size")),
    }
}

/// `[<f16, A, k>]`: what is known about the matrix of a descriptor.
fn descriptor<'c>(p: &Parser<'c>) -> ParseResult<SmemDesc<'c, Dim>> {
    if !p.optional("<") {
        return Ok(SmemDesc::new(None));
    }
    let elem = element_type(p)?;
    p.expect(",")?;
    let which = one_of(p, "the matrix of the descriptor", &[("A", MmaOperand::A), ("B", MmaOperand::B)])?;
    p.expect(",")?;
    let major = major(p)?;
    p.expect(">")?;
    Ok(SmemDesc::new(Some(Factor { which, major, elem })))
}

/// `<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">`
fn desc_view<'c>(p: &Parser<'c>) -> ParseResult<Value<'c, Dim>> {
    let at = p.at();
    let Value::SmemDesc(iter) = value_of(p.r#type()?).into_owned() else {
        return p.error(at, "expected !cute_nvgpu.smem_desc");
    };
    p.expect(",")?;
    let at = p.at();
    let layout = quoted(p, parse_layout)?;
    if layout.has_basis() {
        return p.error(at, "a smem_desc_view has integer strides, in units of 16 bytes");
    }
    Ok(Value::SmemDescView(SmemDescView { iter, layout }))
}

fn tiled_copy<'c>(p: &Parser<'c>) -> ParseResult<Value<'c, Dim>> {
    let at = p.at();
    let Value::CopyAtom(atom) = value_of(p.r#type()?).into_owned() else {
        return p.error(at, "expected a copy atom type");
    };
    for token in [",", "layout_copy_tv", "=", "<"] {
        p.expect(token)?;
    }
    let at = p.at();
    let tv = quoted(p, parse_layout)?;
    if tv.rank() != 2 || !tv.is_static() {
        return p.error(
            at,
            &format!("layout_copy_tv must be a static (thread, value) layout of rank 2, found {tv}"),
        );
    }
    for token in [">", ",", "tiler_mn", "=", "<"] {
        p.expect(token)?;
    }
    let at = p.at();
    let tiler = quoted(p, parse_tile)?;
    if !tiler.is_static() {
        return p.error(at, &format!("tiler_mn must be static, found {tiler}"));
    }
    p.expect(">")?;
    Ok(Value::TiledCopy(TiledCopy { atom, tv, tiler }))
}

fn tiled_mma<'c>(p: &Parser<'c>) -> ParseResult<Value<'c, Dim>> {
    let at = p.at();
    let Value::MmaAtom(atom) = value_of(p.r#type()?).into_owned() else {
        return p.error(at, "expected an MMA atom type");
    };
    for token in [",", "atom_layout_MNK", "=", "<"] {
        p.expect(token)?;
    }
    let at = p.at();
    let atom_layout = quoted(p, parse_layout)?;
    if atom_layout.rank() != 3 || !atom_layout.is_static() {
        return p.error(
            at,
            &format!(
                "atom_layout_MNK must be a static layout of atoms along M, N and K, found {atom_layout}"
            ),
        );
    }
    p.expect(">")?;
    let mut permutation = None;
    if p.optional(",") {
        for token in ["permutation_MNK", "=", "<"] {
            p.expect(token)?;
        }
        let at = p.at();
        let tile = quoted(p, parse_tile)?;
        if !tile.is_static() {
            return p.error(at, &format!("permutation_MNK must be static, found {tile}"));
        }
        p.expect(">")?;
        permutation = Some(tile);
    }
    let tiled = TiledMma { atom, atom_layout, permutation };
    Ok(Value::TiledMma(tiled))
}

//! TMA atoms: `<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format =
//! F16_RN>` on the host, and `<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride =
//! <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>` in executable form.

use cute_algebra::{Tuple, parse_int_tuple, parse_layout};
use cute_arch::{atoms::Reduction, tensor_map::MapElement};
use cute_ffi::syntax::{ParseResult, Parser};

use super::{LoadMode, TmaCopy, TmaKind, format_of};
use crate::syntax::{element_type, one_of, positive, put, quoted, tokens};

/// Writes the part after the element type, or all if the element type does not come first.
pub(super) fn print(out: &mut String, atom: &TmaCopy<'_>) {
    let TmaCopy { kind, elem, bits, basis, strides, .. } = atom;
    if let Some(loads) = kind.loads() {
        let (name, _) = loads.iter().find(|(_, load)| *load == atom.load).expect("every load has a keyword");
        put(out, format_args!("{name}, {elem}"));
    }
    if *kind == TmaKind::NonExecReduce {
        put(out, format_args!("{}, {elem}", atom.reduction.name()));
    }
    put(out, format_args!(", copy_bits = {bits}"));
    if !kind.is_executable() {
        let format = atom.format.map_or("", MapElement::keyword);
        return put(out, format_args!(", tma_gbasis = <\"{basis}\">, tma_format = {format}"));
    }
    out.push_str(", mode = tiled");
    match kind {
        TmaKind::Load => put(out, format_args!(", num_cta = {}", atom.load.ctas())),
        TmaKind::Reduce => put(out, format_args!(", kind = {}", atom.reduction.name())),
        _ => {}
    }
    let multicast = if atom.multicast { "mcast = true " } else { "" };
    put(out, format_args!(", g_stride = <\"{strides}\"> {multicast}tma_gbasis = <\"{basis}\">"));
}

pub(super) fn parse<'c>(p: &Parser<'c>, kind: TmaKind) -> ParseResult<TmaCopy<'c>> {
    let (mut load, mut reduction) = (LoadMode::Sm90, Reduction::Add);
    if let Some(loads) = kind.loads() {
        load = one_of(p, "a kind of load", loads)?;
        p.expect(",")?;
    }
    if kind == TmaKind::NonExecReduce {
        reduction = one_of(p, "a reduction", Reduction::ALL)?;
        p.expect(",")?;
    }
    let elem = element_type(p)?;
    tokens(p, &[",", "copy_bits", "="])?;
    let bits = positive(p, "a positive number of bits")?;
    p.expect(",")?;
    let (mut multicast, mut strides) = (false, Tuple::from_modes([]));
    if kind.is_executable() {
        tokens(p, &["mode", "="])?;
        one_of(p, "a mode of the TMA", &[("tiled", ())])?;
        p.expect(",")?;
        match kind {
            TmaKind::Load => {
                tokens(p, &["num_cta", "="])?;
                let at = p.at();
                load = match p.integer() {
                    Some(1) => LoadMode::Sm90,
                    Some(2) => LoadMode::Pair,
                    _ => return p.error(at, "expected how many CTAs a barrier counts for: 1 or 2"),
                };
                p.expect(",")?;
            }
            TmaKind::Reduce => {
                tokens(p, &["kind", "="])?;
                reduction = one_of(p, "a reduction", Reduction::ALL)?;
                p.expect(",")?;
            }
            _ => {}
        }
        tokens(p, &["g_stride", "=", "<"])?;
        strides = quoted(p, parse_int_tuple)?;
        p.expect(">")?;
        if kind == TmaKind::Load && p.optional("mcast") {
            p.expect("=")?;
            multicast =
                one_of(p, "whether several CTAs receive the box", &[("true", true), ("false", false)])?;
        }
    } else {
        multicast = load.is_multicast();
    }
    tokens(p, &["tma_gbasis", "=", "<"])?;
    let basis = quoted(p, parse_layout)?;
    p.expect(">")?;
    let format = if kind.is_executable() { None } else { Some(format(p, elem)?) };
    Ok(TmaCopy { kind, elem, bits, basis, load, multicast, reduction, format, strides })
}

/// `, tma_format = F16_RN`, or in the older spelling `, internal_val_type = f16`; defaults to the
/// format of the element.
fn format(p: &Parser<'_>, elem: melior::ir::Type<'_>) -> ParseResult<MapElement> {
    let at = p.at();
    let of = |t: melior::ir::Type<'_>| {
        format_of(t).map_or_else(|| p.error(at, &format!("the TMA has no format of {t}")), Ok)
    };
    if !p.optional(",") {
        return of(elem);
    }
    if p.optional("internal_val_type") {
        p.expect("=")?;
        return of(p.r#type()?);
    }
    tokens(p, &["tma_format", "="])?;
    one_of(p, "a format of elements", &MapElement::KEYWORDS)
}

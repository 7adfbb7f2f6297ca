//! Notes on declared types that are correct for the public CuTe compiler, but differ from CuTe C++.

use cute_algebra::{self as algebra, AnyLayout, Dim, Grouping, LayoutLike, Tiler};

use crate::{
    error::Result,
    ops::{Call, OpKind},
    value::Value,
    weakening,
};

/// Explains a declared result, if one of the known differences does.
pub fn note(call: &Call<'_, '_, Dim>, declared: &Value<'_, Dim>) -> Option<String> {
    let grouping = match call.kind {
        OpKind::LogicalDivide => Grouping::Logical,
        OpKind::ZippedDivide => Grouping::Zipped,
        OpKind::TiledDivide => Grouping::Tiled,
        OpKind::FlatDivide => Grouping::Flat,
        OpKind::Complement if call.optional(1).is_none() => return uncoalesced_complement(call, declared),
        _ => return None,
    };
    let note = uncoalesced_divide(call, declared, grouping).ok().flatten();
    note.or_else(|| layout_as_tiler(call).ok().flatten())
}

/// The declared layout, if it is `layout` or weaker.
fn declared_as(declared: &Value<'_, Dim>, layout: &AnyLayout<Dim>) -> Option<AnyLayout<Dim>> {
    let declared = declared.layout()?;
    let (weaker, value) = (Value::from_layout(declared.clone()), Value::from_layout(layout.clone()));
    weakening::check(&weaker, &value).ok().map(|()| declared)
}

fn uncoalesced_divide(
    call: &Call<'_, '_, Dim>,
    declared: &Value<'_, Dim>,
    grouping: Grouping,
) -> Result<Option<String>> {
    let (layout, tiler) = (call.layout(0)?, call.tiler(1)?);
    let elsewhere = algebra::divide_uncoalesced(&layout, &tiler, grouping)?;
    let Some(elsewhere) = declared_as(declared, &elsewhere) else { return Ok(None) };
    let (all, covered) = (algebra::size(layout.outer())?, algebra::size(elsewhere.outer())?);
    let count = match (all.as_static(), covered.as_static()) {
        (Some(all), Some(covered)) if covered != all => format!(", {covered} elements of {all}"),
        _ => String::new(),
    };
    Ok(Some(format!(
        "the public CuTe compiler makes {elsewhere}, since it does not coalesce {layout} before it divides{count}; here, \
         as in CuTe C++, a divide coalesces"
    )))
}

fn uncoalesced_complement(call: &Call<'_, '_, Dim>, declared: &Value<'_, Dim>) -> Option<String> {
    let layout = call.plain(0).ok()?;
    let elsewhere = declared_as(declared, &algebra::complement_uncoalesced(layout).ok()?.into())?;
    Some(format!(
        "the public CuTe compiler makes {elsewhere}, since it does not coalesce the complement in the cosize of \
         {layout}; here, as in CuTe C++, a complement is coalesced"
    ))
}

/// Published descriptions use a layout where CuTe needs a shape.
fn layout_as_tiler(call: &Call<'_, '_, Dim>) -> Result<Option<String>> {
    let (layout, Tiler::Layout(tiler)) = (call.layout(0)?, call.tiler(1)?) else { return Ok(None) };
    if tiler.rank() < 2 || layout.outer().rank() < 2 {
        return Ok(None);
    }
    let shape = Tiler::Shape(tiler.shape().clone());
    Ok(Some(format!("the layout {tiler} divides the whole domain; the shape {shape} divides mode by mode")))
}

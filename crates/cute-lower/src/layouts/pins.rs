//! The demands of tensor maps that host functions make: the TMA writes and reads a tile in the
//! order and with the swizzle of the tile that a host function made the map from.

use cute_algebra::{AnyLayout, LayoutLike, offsets};
use cute_dialect::ops::OpKind;
use cute_ffi::ir::{self, op_name, walk};
use melior::ir::operation::OperationRef;

use super::problem::Choices;
use crate::{
    Builder, Built,
    check_memory::maps::{MapTile, makers},
    incoming::Incoming,
    values::swizzle_of_bytes,
};

/// Leaves the candidates that agree with the maps of the module in `root`. That none is left is an
/// error if the candidates are the last.
pub fn apply<'c>(choices: &mut Choices<'_, 'c>, root: OperationRef<'c, 'c>, is_last: bool) -> Built<()> {
    let by_map: Vec<_> = choices
        .uses
        .iter()
        .filter_map(|used| {
            let op = choices.op(used);
            let is_copy = matches!(OpKind::from_name(op_name(op))?, OpKind::Copy | OpKind::CopyAtomCall);
            let atom = ir::operands(op).first().copied().filter(|_| is_copy && used.descriptor.is_some())?;
            Some((used.tile?, op, atom))
        })
        .collect();
    if by_map.is_empty() {
        return Ok(());
    }
    let incoming = Incoming::in_module(&walk(root));
    for (site, op, atom) in by_map {
        let tiles: Vec<_> = makers(atom, &incoming).into_iter().filter_map(MapTile::of).collect();
        if tiles.is_empty() {
            return Builder::before(op).refuse(
                "layout = auto needs the tile from which a host function makes the tensor map, which is not in this module; write the layout",
            );
        }
        for tile in &tiles {
            let bits = choices.sites[site].tile().and_then(|t| t.iter.bits()).unwrap_or(8).into();
            choices.sites[site].choices.retain(|choice| {
                choice.layout.as_ref().is_some_and(|layout| agrees(layout, tile, bits).unwrap_or(false))
            });
            if is_last && choices.sites[site].choices.is_empty() {
                let site = &choices.sites[site];
                let text = format!(
                    "'{}' op: no candidate for layout = auto is the tile \"{}\" from which the tensor map of a copy is made",
                    op_name(site.op),
                    tile.layout
                );
                let notes = [
                    (ir::location(op), "the copy is here".to_string()),
                    (ir::location(tile.maker), "the map is made here".to_string()),
                ];
                cute_ffi::emit(ir::location(site.op), cute_ffi::Severity::Error, &text, &notes);
                return Err(cute_build::Error::Reported);
            }
        }
    }
    Ok(())
}

/// Whether the first elements of a layout lie as those of a map's tile do.
fn agrees(layout: &AnyLayout<i64>, tile: &MapTile<'_>, bits: i64) -> Option<bool> {
    let swizzle = match layout {
        AnyLayout::Plain(_) => cute_algebra::Swizzle::IDENTITY,
        AnyLayout::Composed(composed) => swizzle_of_bytes(composed.swizzle()?, bits)?,
    };
    let outer = tile.layout.outer().to_const()?;
    let (own, of_map) = (offsets(&layout.outer().clone().into()).ok()?, offsets(&outer.into()).ok()?);
    Some(swizzle == tile.swizzle && own.get(..of_map.len())? == of_map)
}

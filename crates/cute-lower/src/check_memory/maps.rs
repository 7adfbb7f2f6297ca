//! The swizzle of a tensor map against that of the shared memory that a copy by the map names.
//!
//! The TMA swizzles as its map says, and everything else in the kernel as the type of the pointer
//! says. If the two differ, each element is where nobody looks for it.

use cute_algebra::{AnyLayout, Dim, Swizzle};
use cute_arch::tensor_map::unswizzled;
use cute_dialect::{
    atom::{CopyFamily, TmaCopy, TmaKind},
    ops::OpKind,
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};
use rustc_hash::FxHashSet;

use super::swizzle_of;
use crate::incoming::Incoming;

/// The bytes within which a swizzle of the TMA changes nothing: it XORs bits from 7 on into lower
/// ones.
const UNCHANGED: i64 = 128;

/// Whether an op is not a copy by a tensor map with another swizzle than its shared memory.
pub(super) fn agrees<'c>(op: OperationRef<'c, 'c>, incoming: &Incoming<'c>) -> bool {
    let Some(copy) = BoxOfMemory::of(op) else { return true };
    let mut wrong = makers(copy.atom, incoming).into_iter().filter_map(|maker| {
        let tile = MapTile::of(maker)?;
        (tile.swizzle != copy.swizzle).then_some(tile)
    });
    wrong.next().map(|tile| copy.report(&tile)).is_none()
}

/// A copy between the tensor of a map and shared memory with a known swizzle.
struct BoxOfMemory<'c> {
    op: OperationRef<'c, 'c>,
    atom: Value<'c, 'c>,
    kind: TmaKind,
    swizzle: Swizzle,
}

impl<'c> BoxOfMemory<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Self> {
        let kind = OpKind::from_name(op_name(op))?;
        if !matches!(kind, OpKind::Copy | OpKind::CopyAtomCall) {
            return None;
        }
        let [atom, src, dst, ..] = ir::operands(op)[..] else { return None };
        let copy = tma(atom)?;
        let side = match copy.kind {
            TmaKind::Load => dst,
            TmaKind::Store | TmaKind::Reduce => src,
            _ => return None,
        };
        let Cute::MemRef(memory) = value_of(ir::type_of(side)).into_owned() else { return None };
        let small = copy.bits() <= 8 * UNCHANGED && memory.iter.align % (8 * UNCHANGED) == 0;
        let swizzle = swizzle_of(&memory).filter(|_| !small)?;
        Some(Self { op, atom, kind: copy.kind, swizzle })
    }

    fn report(&self, tile: &MapTile<'c>) {
        let does = match self.kind {
            TmaKind::Load => "loads into",
            TmaKind::Store => "stores from",
            _ => "reduces from",
        };
        let (of_memory, of_map) = (said(self.swizzle), said(tile.swizzle));
        let text = format!(
            "'{}' op {does} shared memory with {of_memory}, but its tensor map has {of_map}: elements would lie at other addresses than \
             the kernel accesses; make the map from a tile \"{}\", or give the pointer to the memory {of_map}",
            op_name(self.op),
            tile.with(self.swizzle)
        );
        let note = format!("the tensor map is made here, from the tile \"{}\"", tile.layout);
        cute_ffi::emit(ir::location(self.op), Severity::Error, &text, &[(ir::location(tile.maker), note)]);
    }
}

/// The tile that a host's function makes a map from.
pub(crate) struct MapTile<'c> {
    /// The op that makes the map.
    pub maker: OperationRef<'c, 'c>,
    /// The tile, as it is written.
    pub layout: AnyLayout<Dim>,
    /// Its swizzle, of byte addresses.
    pub swizzle: Swizzle,
}

impl<'c> MapTile<'c> {
    /// The tile of an op that makes a map.
    pub fn of(maker: OperationRef<'c, 'c>) -> Option<Self> {
        let layout = value_of(ir::type_of(ir::operands(maker).get(1).copied()?)).layout()?;
        let swizzle = unswizzled(&layout).ok()?.1;
        Some(Self { maker, layout, swizzle })
    }

    /// The tile with another swizzle.
    fn with(&self, swizzle: Swizzle) -> String {
        use cute_algebra::LayoutLike;
        let outer = self.layout.outer();
        if swizzle.is_identity() { outer.to_string() } else { format!("{swizzle} o 0 o {outer}") }
    }
}

fn said(swizzle: Swizzle) -> String {
    if swizzle.is_identity() { "no swizzle".into() } else { format!("the swizzle {swizzle}") }
}

/// The copy by the TMA that an atom's type describes.
pub(super) fn tma<'c>(atom: Value<'c, 'c>) -> Option<TmaCopy<'c>> {
    match value_of(ir::type_of(atom)).as_ref() {
        Cute::CopyAtom(atom) => atom.as_tma().cloned(),
        _ => None,
    }
}

/// The ops that may have made the map of an atom, as far as the module shows them.
pub(crate) fn makers<'c>(atom: Value<'c, 'c>, incoming: &Incoming<'c>) -> Vec<OperationRef<'c, 'c>> {
    let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![atom]);
    while let Some(value) = open.pop() {
        if !seen.insert(ir::identity(value)) {
            continue;
        }
        open.extend(incoming.reaching(value));
        let Some(op) = ir::definer(value) else { continue };
        match OpKind::from_name(op_name(op)) {
            Some(
                OpKind::MakeNonExecTiledTmaLoad
                | OpKind::MakeNonExecTiledTmaStore
                | OpKind::MakeNonExecTiledTmaReduce,
            ) => found.push(op),
            Some(OpKind::MakeExecTma | OpKind::Derefine) => open.extend(ir::operands(op).first().copied()),
            Some(OpKind::AtomSetValue) if !sets_descriptor(op) => {
                open.extend(ir::operands(op).first().copied());
            }
            _ => {}
        }
    }
    found
}

/// Whether an op gives an atom another tensor map, which a kernel may have changed.
pub(super) fn sets_descriptor(op: OperationRef<'_, '_>) -> bool {
    let field = op.attribute("field").ok().and_then(ir::nvgpu_word);
    field.is_none_or(|(_, name)| matches!(name, "tma_descriptor_ptr" | "tma_desc"))
}

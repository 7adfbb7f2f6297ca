//! Operations on tensor maps: LLVM's intrinsics and PTX.

use super::{Decoder, malformed};
use crate::fences::scope;
use cute_arch::tensor_map::MapField;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::program::{MapOp, Op, Slot};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// A pointer, or the number in its place, and the address space that it is of.
pub(super) type Address = (Slot, u32);

/// The field for the words after PTX's `tensormap.replace`.
pub(super) fn ptx_field(words: &[&str]) -> Option<MapField> {
    match *words {
        ["tile", field, .., "b32" | "b64"] => MapField::named(field),
        _ => None,
    }
}

/// The scope of the release, in the words after `tensormap.cp_fenceproxy`.
fn fence_scope<'w>(words: &[&'w str]) -> Option<&'w str> {
    let release = words.iter().position(|word| *word == "release")?;
    words.get(release + 1).copied()
}

impl Decoder<'_> {
    /// Decodes the words after `tensormap`, of an intrinsic or of assembly with an attribute that
    /// names it.
    pub(super) fn named_map(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let pointer = |decoder: &Self, i: usize| match decoder.scalar_operand(op, i)? {
            (slot, Scalar::Ptr(space)) => Ok((slot, space)),
            _ => Err(malformed(op, "the address of a tensor map is not a pointer")),
        };
        match *words {
            ["replace", ref field @ ..] => {
                let named = match field.split_last() {
                    _ if field.first() == Some(&"tile") => ptx_field(field),
                    // An intrinsic may end with the space of its pointer.
                    Some((&("p0" | "p1" | "p3"), field)) => MapField::named(&field.join("_")),
                    _ => MapField::named(&field.join("_")),
                };
                let Some(field) = named else { return Ok(false) };
                let address = pointer(self, 0)?;
                let last = op.operand_count().saturating_sub(1);
                let ordinal =
                    (last > 1).then(|| self.scalar_operand(op, 1)).transpose()?.map(|(slot, _)| slot);
                let (value, _) = self.scalar_operand(op, last)?;
                self.replace_field(op, address, field, ordinal, value)?;
            }
            ["cp_fenceproxy", ref rest @ ..] => {
                let (to, from) = (pointer(self, 0)?, pointer(self, 1)?);
                return self.copy_map(op, rest, to, from);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `tensormap.replace`.
    pub(super) fn replace_field(
        &mut self,
        op: Ir<'_, '_>,
        (address, space): Address,
        field: MapField,
        ordinal: Option<Slot>,
        value: Slot,
    ) -> Result<(), Error> {
        if ordinal.is_some() != field.ordinals().is_some() {
            let has = if field.ordinals().is_some() { "needs" } else { "has no" };
            return Err(malformed(op, format!("the field {} {has} ordinal", field.name())));
        }
        self.emit(op, Op::Map(MapOp::Replace { address, space, field, ordinal, value }));
        Ok(())
    }

    /// `tensormap.cp_fenceproxy`, and the words after it.
    pub(super) fn copy_map(
        &mut self,
        op: Ir<'_, '_>,
        words: &[&str],
        to: Address,
        from: Address,
    ) -> Result<bool, Error> {
        let Some(scope) = fence_scope(words).and_then(scope) else { return Ok(false) };
        self.emit(op, Op::Map(MapOp::Copy { to, from, scope }));
        Ok(true)
    }
}

//! Building NVVM's ops for bulk copies.

use cute_algebra::Width;
use cute_dialect::types::scalar_type;
use melior::{
    dialect::llvm,
    ir::{Attribute, Value, attribute::DenseI32ArrayAttribute},
};

use crate::{Builder, Built};

/// The address of a shared pointer in the window of its cluster, with some bits cleared, as a
/// pointer to `space`. NVVM's own cast of pointers would read special registers.
pub(super) fn in_cluster<'c>(
    b: &Builder<'c>,
    pointer: Value<'c, 'c>,
    mask: Option<i64>,
    space: u32,
) -> Built<Value<'c, 'c>> {
    let t = scalar_type(b.context(), Width::I64);
    let mut address = b.typed("llvm.ptrtoint", &[pointer], t, &[])?;
    if let Some(mask) = mask {
        let mask = b.typed("llvm.mlir.constant", &[], t, &[("value", b.attr(mask))])?;
        address = b.typed("llvm.and", &[address, mask], t, &[])?;
    }
    b.typed("llvm.inttoptr", &[address], llvm::r#type::pointer(b.context(), space), &[])
}

/// The operands of an NVVM op in groups, which may be empty.
pub(super) struct Operands<'c>(pub Vec<Vec<Value<'c, 'c>>>);

impl<'c> Operands<'c> {
    pub fn issue(&self, b: &Builder<'c>, name: &str, attributes: &[(&str, Attribute<'c>)]) -> Built<()> {
        let sizes: Vec<_> = self.0.iter().map(|group| group.len() as i32).collect();
        let sizes = ("operandSegmentSizes", DenseI32ArrayAttribute::new(b.context(), &sizes).into());
        b.effect(name, &self.0.concat(), &[attributes, &[sizes]].concat())
    }
}

//! The scale factors of `mma.sync`, which are in registers.

use cute_arch::{Element, atoms, block_scaled::sf_of_thread};
use cute_dialect::{
    partition::GemmOperand,
    types::{type_of, value_of},
    value::{MemRef, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{Value, r#type::IntegerType};

use super::{fields::Fields, fragment::Fragment, mma::MmaCall};
use crate::{Builder, Built};

/// The operands of the instruction after C: for A and for B a word with the factors of a row or
/// column in its lowest bytes, and two selectors. CuTe's layouts give each factor to the threads
/// that the selectors 0 and 0 choose.
pub(super) fn operands<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
) -> Built<Vec<Value<'c, 'c>>> {
    let scale = entry.block_scale().expect("the atom has scale factors");
    // PTX has it, but neither LLVM nor ptxas before CUDA 13.1.
    if scale.element == Element::Ue8m0 && scale.count == 4 {
        return b.refuse(&format!(
            "{}, which is mma.sync with .scale_vec::4X and .ue8m0, is not supported: ptxas 13.0 rejects it",
            entry.name
        ));
    }
    let selector = IntegerType::new(b.context(), 16).into();
    let zero = b.typed("llvm.mlir.constant", &[], selector, &[("value", b.attribute("0 : i16")?)])?;
    let mut operands = Vec::new();
    for (which, field) in [(GemmOperand::Sfa, "sf_a"), (GemmOperand::Sfb, "sf_b")] {
        operands.extend([word(b, entry, call, (which, field))?, zero, zero]);
    }
    Ok(operands)
}

/// The factors that the call passes, or else those in the state of the atom.
fn word<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
    (which, field): (GemmOperand, &str),
) -> Built<Value<'c, 'c>> {
    let view = match call.get(which) {
        Some(view) => view,
        None => of_state(b, entry, call, field)?,
    };
    let vector = entry.scale.as_ref().map_or(1, |scale| scale.vector);
    let bits = 8 * (entry.shape[2] / vector);
    let [own, whole] = [bits, 32].map(|bits| IntegerType::new(b.context(), bits).into());
    let factors = Fragment::new(b, view)?.every(vector as usize).load(b, 0, own, bits.into())?;
    if own == whole { Ok(factors) } else { b.typed("llvm.zext", &[factors], whole, &[]) }
}

/// A view of the factors at the pointer in the state of the atom.
fn of_state<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
    field: &str,
) -> Built<Value<'c, 'c>> {
    let why = "scale factors are in registers; pass SFA and SFB after A and B, or set it";
    let pointer = Fields(call.atom).needed(b, field, why)?;
    let Cute::Ptr(iter) = value_of(ir::type_of(pointer)).into_owned() else {
        panic!("the state of an atom has pointers to its scale factors");
    };
    let layout = sf_of_thread(entry).expect("the atom has scale factors").to_dim();
    let fixed = b.fixed(&Cute::Layout(layout.clone()))?;
    let t = Cute::MemRef(MemRef { iter, layout: layout.into() });
    b.typed("cute.make_view", &[pointer, fixed], type_of(b.context(), &t), &[])
}

//! The scale factors of `mma.sync`, which are in registers.

use cute_arch::{Element, atoms, block_scaled::sf_of_thread};
use cute_dialect::{
    partition::GemmOperand,
    types::{type_of, value_of},
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{Value, attribute::IntegerAttribute, r#type::IntegerType};

use super::{address, fields::Fields, fragment::Fragment, mma::MmaCall};
use crate::{
    Builder, Built,
    origin::allocation,
    reach::reach,
    values::{displaced, result, view_of},
};

/// Bytes of a word, and its bits.
const WORD: i64 = 4;
const BITS: i64 = 8 * WORD;

/// The operands of the instruction after C: for A and for B a word with the factors of a row or
/// column, the first of its bytes that has one, and a thread. CuTe's layouts give each factor to
/// the threads that the selector 0 chooses.
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
    let t = IntegerType::new(b.context(), 16).into();
    let selector = |n: i64| {
        let value = IntegerAttribute::new(t, n).into();
        b.typed("llvm.mlir.constant", &[], t, &[("value", value)])
    };
    let mut operands = Vec::new();
    for (which, field) in [(GemmOperand::Sfa, "sf_a"), (GemmOperand::Sfb, "sf_b")] {
        let (word, byte) = word(b, entry, call, (which, field))?;
        operands.extend([word, selector(byte)?, selector(0)?]);
    }
    Ok(operands)
}

/// A word with the factors that the call passes, or else with those in the state of the atom, and
/// the first byte of them.
fn word<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
    (which, field): (GemmOperand, &str),
) -> Built<(Value<'c, 'c>, i64)> {
    let view = match call.get(which) {
        Some(view) => view,
        None => of_state(b, entry, call, field)?,
    };
    let scale = entry.block_scale().expect("the atom has scale factors");
    let vector = entry.scale.as_ref().map_or(1, |scale| scale.vector);
    let [own, whole] =
        [8 * i64::from(scale.count), BITS].map(|bits| IntegerType::new(b.context(), bits as u32).into());
    let begins = |byte: &i64| scale.first_bytes().any(|first| i64::from(first) == *byte);
    if let Some(byte) = byte_of_word(view).filter(begins) {
        let (base, _) = address(b, view)?;
        let at = if byte == 0 { base } else { displaced(b, base, -byte as i32)? };
        let word = b.typed("llvm.load", &[at], whole, &[("alignment", b.attr(WORD))])?;
        return Ok((word, byte));
    }
    let bits = 8 * i64::from(scale.count);
    let factors = Fragment::new(b, view)?.every(vector as usize).load(b, 0, own, bits)?;
    Ok((if own == whole { factors } else { b.typed("llvm.zext", &[factors], whole, &[])? }, 0))
}

/// The byte at which a view begins in a word of registers, if all of the word belongs to its
/// allocation.
fn byte_of_word(view: Value<'_, '_>) -> Option<i64> {
    let (registers, before) = allocation(view)?;
    let memory = view_of(result(registers));
    let size = reach(registers, &memory.layout).ok()?.checked_mul(memory.iter.bits()?.into())?;
    let inside = before.rem_euclid(BITS);
    (memory.iter.space == Space::Rmem && before >= 0 && before - inside + BITS <= size && inside % 8 == 0)
        .then_some(inside / 8)
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

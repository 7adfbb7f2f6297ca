//! `tcgen05.mma`: the matrix instruction of a CTA or a pair of CTAs, which one thread issues. It
//! reads shared memory by descriptors and keeps its accumulators in tensor memory.
//! [`elect`](super::elect) ensures that only one lane executes it.

use cute_arch::{
    Feature, Target,
    atoms::{self, BYTE_OF_COLUMN, NEGATE_BITS, SCALE_BITS, Space},
};
use cute_dialect::{atom::DISABLED_LANES, partition::GemmOperand};
use cute_ffi::ir::{self, op_name};
use cute_ptx::{Keyword, ScaleVector};
use melior::ir::{Value, operation::OperationLike, r#type::IntegerType};

use super::{
    available::{SCALES_D, require},
    elect::is_pure,
    fields::Fields,
    issue::Operands,
    mma::{MmaCall, descriptor},
    tmem::{group, place},
};
use crate::{Builder, Built};

pub(super) fn lower<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
    target: Target,
) -> Built<()> {
    let [d, a, b_, c] = GemmOperand::PLAIN.map(|which| call.operand(which));
    if !is_same(d, c) {
        return b.refuse("tcgen05.mma accumulates in place: C must be the same view as D");
    }
    let fields = Fields(call.atom);
    let scales = match entry.scale {
        Some(_) => Some(Scales::of(b, call)?),
        None => None,
    };
    let a = match entry.a.from {
        Space::Tensor => view(b, a)?,
        _ => descriptor(b, a)?,
    };
    let matrices = [view(b, d)?, a, descriptor(b, b_)?];
    // Four factors fill a column, and begin at its first byte.
    let is_whole = entry.scale.as_ref().is_none_or(|scale| entry.shape[2] / scale.vector == 4);
    let word = instruction_descriptor(b, entry, call, scales.as_ref().filter(|_| !is_whole))?;
    let own = matrices.into_iter().chain([word, fields.get(b, "accum_c")?]);
    let kind = entry.tcgen05_kind().expect("each atom of tcgen05.mma has a kind");
    let mut attributes = vec![
        ("kind", b.attribute(&kind.nvvm_attribute())?),
        ("ctaGroup", group(b, i64::from(entry.instruction.ctas))?),
    ];
    if let (Some(scales), Some(scale)) = (scales, &entry.scale) {
        if kind.default_scales().is_none() {
            let vector = if scale.vector == 16 { ScaleVector::Block16 } else { ScaleVector::Block32 };
            attributes.push(("blockScale", b.attribute(&vector.nvvm_attribute())?));
        }
        let operands: Vec<_> = own.chain(scales.places).collect();
        return b.effect("nvvm.tcgen05.mma.block_scale", &operands, &attributes);
    }
    let mut scale = Vec::new();
    if call.options.c_scale_exp != 0 {
        require(b, SCALES_D, Feature::Tcgen05ScaleD.on(), target)?;
        let word = IntegerType::new(b.context(), 64).into();
        let by = b.attr(call.options.c_scale_exp);
        scale.push(b.typed("llvm.mlir.constant", &[], word, &[("value", by)])?);
    }
    let lanes = match call.options.lane_mask {
        true => vec![fields.get(b, DISABLED_LANES)?],
        false => Vec::new(),
    };
    let operands = Operands(own.map(|operand| vec![operand]).chain([scale, lanes]).collect());
    operands.issue(b, "nvvm.tcgen05.mma", &attributes)
}

/// The scale factors of A and of B in tensor memory.
struct Scales<'c> {
    /// Their addresses as words, whose upper two bits are the byte of the first factor in its
    /// column.
    words: [Value<'c, 'c>; 2],
    /// The same as pointers.
    places: [Value<'c, 'c>; 2],
}

impl<'c> Scales<'c> {
    /// Those that the call passes, or else those in the state of the atom.
    fn of(b: &Builder<'c>, call: &MmaCall<'c>) -> Built<Self> {
        let why = "scale factors are in tensor memory; pass SFA and SFB after A and B, or set it";
        let pointer = |which, field| match call.get(which) {
            Some(view) => b.inferred("cute.get_iter", &[view], &[]),
            None => Fields(call.atom).needed(b, field, why),
        };
        let pointers = [pointer(GemmOperand::Sfa, "sf_a")?, pointer(GemmOperand::Sfb, "sf_b")?];
        let word = |at: usize| super::pointer(b, pointers[at]);
        Ok(Self { words: [word(0)?, word(1)?], places: [place(b, pointers[0])?, place(b, pointers[1])?] })
    }
}

/// The address of a view in tensor memory.
fn view<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    place(b, b.inferred("cute.get_iter", &[view], &[])?)
}

/// The instruction descriptor: a constant that the type of the atom determines, combined with the
/// signs in its state and the bytes where scale factors begin.
fn instruction_descriptor<'c>(
    b: &Builder<'c>,
    entry: &atoms::MmaAtom,
    call: &MmaCall<'c>,
    scales: Option<&Scales<'c>>,
) -> Built<Value<'c, 'c>> {
    let (a, b_) = call.options.majors;
    let known = entry.instruction_descriptor(a, b_).expect("the type is one of the row and its majors");
    let mut word = b.i32(i64::from(known))?;
    let t = ir::type_of(word);
    for (name, bit) in ["neg_a", "neg_b"].into_iter().zip(NEGATE_BITS) {
        let flag = Fields(call.atom).get(b, name)?;
        let flag = b.typed("arith.extui", &[flag], t, &[])?;
        let place = b.i32(i64::from(bit))?;
        let flag = b.typed("arith.shli", &[flag, place], t, &[])?;
        word = b.typed("arith.ori", &[word, flag], t, &[])?;
    }
    for (address, first) in scales.into_iter().flat_map(|scales| scales.words).zip(SCALE_BITS) {
        let byte = b.typed("arith.shrui", &[address, b.i32(BYTE_OF_COLUMN.into())?], t, &[])?;
        let byte = b.typed("arith.shli", &[byte, b.i32(first.into())?], t, &[])?;
        word = b.typed("arith.ori", &[word, byte], t, &[])?;
    }
    Ok(word)
}

/// Whether two values are computed in the same way from the same values.
fn is_same(x: Value<'_, '_>, y: Value<'_, '_>) -> bool {
    if ir::identity(x) == ir::identity(y) {
        return true;
    }
    let (Some(p), Some(q)) = (ir::definer(x), ir::definer(y)) else { return false };
    let (of_p, of_q) = (ir::operands(p), ir::operands(q));
    [p, q].into_iter().all(|op| is_pure(op) && op.result_count() == 1)
        && ir::type_of(x) == ir::type_of(y)
        && op_name(p) == op_name(q)
        && ir::attribute_dictionary(p) == ir::attribute_dictionary(q)
        && of_p.len() == of_q.len()
        && of_p.into_iter().zip(of_q).all(|(x, y)| is_same(x, y))
}

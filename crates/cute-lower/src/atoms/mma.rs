//! `mma.sync`, and the fma of a thread. [`wgmma`](super::wgmma) is the instruction of a warpgroup,
//! [`umma`](super::umma) that of CTAs.

use cute_arch::{
    Element, Target,
    atoms::{self, Generation, Instruction, MmaOp, MmaUnit},
};
use cute_dialect::{
    atom::{MmaAtom, MmaOptions, element, storage},
    partition::GemmOperand,
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::ir;
use cute_ptx::mma::{element_name, mma_intrinsic, orders};
use melior::ir::{
    Attribute, Value, attribute::DenseI32ArrayAttribute, operation::OperationRef, r#type::IntegerType,
};

use super::{available::require, fragment::Fragment, umma, wgmma};
use crate::{Builder, Built};

/// The operands of one call of an instruction.
pub(super) struct MmaCall<'c> {
    /// The atom, bare or tiled, with its run-time state.
    pub atom: Value<'c, 'c>,
    /// The options in its type beside element types and extents.
    pub options: MmaOptions,
    /// Fragments, views of tensor memory, or descriptors.
    operands: Vec<(GemmOperand, Value<'c, 'c>)>,
}

impl<'c> MmaCall<'c> {
    /// The value that the call passes for it, if it passes one.
    pub fn get(&self, which: GemmOperand) -> Option<Value<'c, 'c>> {
        self.operands.iter().find(|(own, _)| *own == which).map(|(_, value)| *value)
    }

    /// The value that the call passes for a matrix.
    pub fn operand(&self, which: GemmOperand) -> Value<'c, 'c> {
        self.get(which).expect("a call has each matrix of its atom")
    }

    /// An operand in registers.
    pub fn fragment(&self, b: &Builder<'c>, which: GemmOperand) -> Built<Fragment<'c>> {
        Fragment::new(b, self.operand(which))
    }
}

/// Lowers one call of an atom.
pub(super) fn lower<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let b = Builder::before(op);
    let all = ir::operands(op);
    let operands =
        all.split_first().and_then(|(atom, views)| Some((atom, views, GemmOperand::of_op(views.len())?)));
    let Some((given, views, named)) = operands else {
        return b.fail("'cute.mma_atom_call' op expects an atom and an operand for each matrix");
    };
    let value = value_of(ir::type_of(*given));
    let atom = match value.as_ref() {
        Cute::MmaAtom(atom) => atom,
        Cute::TiledMma(tiled) => &tiled.atom,
        other => return b.refuse(&format!("{} is not supported yet", other.what())),
    };
    let operands = named.iter().copied().zip(views.iter().copied()).collect();
    let call = MmaCall { atom: *given, options: atom.options, operands };
    let Some(entry) = atom.entry else { return fma(&b, atom, &call) };
    let unit = entry.instruction.unit;
    let is_lowered = match entry.tcgen05_kind() {
        Some(_) => !entry.instruction.sparse,
        None => {
            let sync = Instruction::MMA_SYNC;
            [sync, sync.scaled(), Instruction::WGMMA].contains(&entry.instruction)
        }
    };
    if !is_lowered {
        return b.refuse(&format!("{} is not supported yet", entry.instruction));
    }
    require(&b, &entry.name, entry.on, target)?;
    match unit {
        MmaUnit::Wgmma => wgmma::lower(&b, entry, &call),
        MmaUnit::Tcgen05 => umma::lower(&b, entry, &call, target),
        _ => mma(&b, entry, &call),
    }
}

/// The word of a descriptor.
pub(super) fn descriptor<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let first = match value_of(ir::type_of(view)).as_ref() {
        Cute::SmemDescView(_) => b.inferred("cute.get_iter", &[view], &[])?,
        other => panic!("the verifier requires a view of descriptors, but accepted {}", other.what()),
    };
    let word = IntegerType::new(b.context(), 64).into();
    b.typed("builtin.unrealized_conversion_cast", &[first], word, &[])
}

/// `d = a * b + c` of single elements.
fn fma<'c>(b: &Builder<'c>, atom: &MmaAtom<'c>, call: &MmaCall<'c>) -> Built<()> {
    let t = storage(b.context(), atom.elems[0]);
    let kind = element(atom.elems[0]).expect("the atom is one of elements");
    let bits = i64::from(kind.bits());
    let load = |which| call.fragment(b, which)?.load(b, 0, t, bits);
    let [x, y, z] = [load(GemmOperand::A)?, load(GemmOperand::B)?, load(GemmOperand::C)?];
    let sum = if kind.integer().is_some() {
        let product = b.typed("llvm.mul", &[x, y], t, &[])?;
        b.typed("llvm.add", &[product, z], t, &[])?
    } else {
        b.typed("llvm.intr.fma", &[x, y, z], t, &[])?
    };
    call.fragment(b, GemmOperand::D)?.store(b, 0, sum, bits)
}

/// The arrangement of elements in registers.
#[derive(Clone, Copy)]
enum Register {
    /// One number per register.
    Scalar(Element),
    /// Two f16.
    Halves,
    /// As many as fit into 32 bits.
    Word,
}

impl Register {
    fn of(element: Element, accumulators: bool) -> Self {
        match element {
            Element::F64 => Self::Scalar(element),
            Element::F32 | Element::S32 if accumulators => Self::Scalar(element),
            Element::F16 => Self::Halves,
            _ => Self::Word,
        }
    }

    fn bits(self) -> i64 {
        match self {
            Self::Scalar(element) => i64::from(element.bits()),
            Self::Halves | Self::Word => 32,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Scalar(Element::F64) => "f64",
            Self::Scalar(Element::F32) => "f32",
            Self::Scalar(_) | Self::Word => "i32",
            Self::Halves => "vector<2xf16>",
        }
    }
}

fn mma<'c>(b: &Builder<'c>, entry: &atoms::MmaAtom, call: &MmaCall<'c>) -> Built<()> {
    let c = b.context();
    let accumulators = Register::of(entry.c.element, true);
    let result = b.parse_type(accumulators.text())?;
    let read = [
        (GemmOperand::A, Register::of(entry.a.element, false)),
        (GemmOperand::B, Register::of(entry.b.element, false)),
        (GemmOperand::C, accumulators),
    ];
    let mut operands = Vec::new();
    let mut segments = Vec::new();
    for (which, kind) in read {
        let (fragment, t) = (call.fragment(b, which)?, b.parse_type(kind.text())?);
        let registers = fragment.registers(kind.bits());
        for i in 0..registers {
            operands.push(fragment.load(b, i, t, kind.bits())?);
        }
        segments.push(registers as i32);
    }
    if entry.scale.is_some() {
        operands.extend(super::scales::operands(b, entry, call)?);
    }
    let d = call.fragment(b, GemmOperand::D)?;
    let count = d.registers(accumulators.bits());
    let several = vec![accumulators.text(); count].join(", ");
    let several = b.parse_type(&format!("!llvm.struct<({several})>"))?;
    let made = if takes_op(entry) {
        let mut attributes = op_attributes(b, entry)?;
        attributes.push(("operandSegmentSizes", DenseI32ArrayAttribute::new(c, &segments).into()));
        b.typed("nvvm.mma.sync", &operands, several, &attributes)?
    } else {
        b.intrinsic(&format!("llvm.nvvm.{}", mma_intrinsic(entry)), &operands, several, &[])?
    };
    (0..count).try_for_each(|i| d.store(b, i, b.part(made, &[i], result)?, accumulators.bits()))
}

/// Whether `nvvm.mma.sync` accepts the shape and types; the others use intrinsics.
fn takes_op(entry: &atoms::MmaAtom) -> bool {
    matches!(entry.generation, Generation::Sm70 | Generation::Sm75 | Generation::Sm80)
}

fn op_attributes<'c>(b: &Builder<'c>, entry: &atoms::MmaAtom) -> Built<Vec<(&'static str, Attribute<'c>)>> {
    let attribute = |text: String| b.attribute(&text);
    let [m, n, k] = entry.shape;
    let [a, b_] = orders([entry.a_major, entry.b_major]);
    let mut attributes = vec![
        ("shape", attribute(format!("#nvvm.shape<m = {m}, n = {n}, k = {k}>"))?),
        ("layoutA", attribute(format!("#nvvm.mma_layout<{a}>"))?),
        ("layoutB", attribute(format!("#nvvm.mma_layout<{b_}>"))?),
        ("multiplicandAPtxType", attribute(format!("#nvvm.mma_type<{}>", element_name(entry.a.element)))?),
        ("multiplicandBPtxType", attribute(format!("#nvvm.mma_type<{}>", element_name(entry.b.element)))?),
    ];
    match entry.op {
        MmaOp::XorPopc => attributes.push(("b1Op", attribute("#nvvm.mma_b1op<xor_popc>".into())?)),
        MmaOp::AndPopc => attributes.push(("b1Op", attribute("#nvvm.mma_b1op<and_popc>".into())?)),
        MmaOp::MulAdd | MmaOp::MulAddSaturate if entry.a.element.integer().is_some() => {
            let what = if entry.op == MmaOp::MulAddSaturate { "satfinite" } else { "wrapped" };
            attributes.push(("intOverflowBehavior", attribute(format!("#nvvm.mma_int_overflow<{what}>"))?));
        }
        _ => {}
    }
    Ok(attributes)
}

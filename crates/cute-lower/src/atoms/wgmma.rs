//! `wgmma.mma_async`: the matrix instruction of a warpgroup, which reads shared memory by
//! descriptors and keeps its accumulators in registers.
//!
//! NVVM's op has no predicate for `scale-d` and does not accept A in registers, so every form is
//! inline assembly. Accumulators are tied operands: an instruction returns them in the registers in
//! which it received them.

use std::fmt::Write;

use cute_arch::{
    Element,
    atoms::{self, Major, Space},
};
use cute_dialect::{atom::MmaOptions, partition::GemmOperand};
use cute_ffi::lowered::WGMMA_ATTRIBUTE;
use cute_ptx::wgmma::{WgmmaFlags, wgmma_name};
use melior::ir::{Attribute, Type, Value, attribute::StringAttribute, r#type::IntegerType};

use super::{
    fields::Fields,
    mma::{MmaCall, descriptor},
};
use crate::{Builder, Built};

/// Bits of a register.
const REGISTER: i64 = 32;

/// Lowers one instruction.
pub(super) fn lower<'c>(b: &Builder<'c>, entry: &atoms::MmaAtom, call: &MmaCall<'c>) -> Built<()> {
    let (d, c) = (call.fragment(b, GemmOperand::D)?, call.fragment(b, GemmOperand::C)?);
    let accumulators = d.registers(REGISTER);
    let word = IntegerType::new(b.context(), 32).into();
    let (sum, kind) = match entry.d {
        Element::F32 => (Type::float32(b.context()), 'f'),
        _ => (word, 'r'),
    };
    let mut operands = Vec::new();
    let mut constraints = vec![format!("={kind}"); accumulators];
    // A in registers takes as many registers as its elements fill.
    let a = if entry.a.from == Space::Register {
        let a = call.fragment(b, GemmOperand::A)?;
        let registers = a.registers(REGISTER);
        for i in 0..registers {
            operands.push(a.load(b, i, word, REGISTER)?);
        }
        registers
    } else {
        operands.push(descriptor(b, call.operand(GemmOperand::A))?);
        0
    };
    constraints.extend(vec![if a > 0 { "r" } else { "l" }.to_string(); a.max(1)]);
    operands.push(descriptor(b, call.operand(GemmOperand::B))?);
    operands.push(accumulates(b, call.atom)?);
    constraints.extend(["l", "r"].map(String::from));
    for i in 0..accumulators {
        operands.push(c.load(b, i, sum, REGISTER)?);
        constraints.push(i.to_string());
    }
    let several = vec![sum.to_string(); accumulators].join(", ");
    let several = b.parse_type(&format!("!llvm.struct<({several})>"))?;
    let text = |text: &str| StringAttribute::new(b.context(), text).into();
    let attributes = [
        ("asm_string", text(&assembly(entry, &call.options, accumulators, a))),
        ("constraints", text(&constraints.join(","))),
        ("has_side_effects", Attribute::unit(b.context())),
        (WGMMA_ATTRIBUTE, Attribute::unit(b.context())),
    ];
    let made = b.typed("llvm.inline_asm", &operands, several, &attributes)?;
    (0..accumulators).try_for_each(|i| d.store(b, i, b.part(made, &[i], sum)?, REGISTER))
}

/// The instruction, whose operands are the accumulators, A, B and whether it accumulates.
fn assembly(entry: &atoms::MmaAtom, options: &MmaOptions, accumulators: usize, a: usize) -> String {
    let registers = |range: std::ops::Range<usize>| {
        let list: Vec<_> = range.map(|i| format!("${i}")).collect();
        format!("{{{}}}", list.join(", "))
    };
    let (at_a, at_b) = (accumulators, accumulators + a.max(1));
    let a = if a > 0 { registers(at_a..at_b) } else { format!("${at_a}") };
    let mut text = format!("{{ .reg .pred p; setp.ne.b32 p, ${}, 0; ", at_b + 1);
    let accumulators = registers(0..accumulators);
    let _ = write!(text, "{} {accumulators}, {a}, ${at_b}, p", wgmma_name(entry));
    let flags = WgmmaFlags::of(entry);
    if flags.signs {
        for negated in [options.negated.0, options.negated.1] {
            text += if negated { ", -1" } else { ", 1" };
        }
    }
    for (major, is_flag) in [options.majors.0, options.majors.1].into_iter().zip(flags.transposes) {
        if is_flag {
            let _ = write!(text, ", {}", i32::from(major == Major::Mn));
        }
    }
    text + "; }"
}

/// The predicate in the atom's state that decides whether C is added, as a register.
fn accumulates<'c>(b: &Builder<'c>, atom: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let flag = Fields(atom).get(b, "accum_c")?;
    b.typed("llvm.zext", &[flag], IntegerType::new(b.context(), 32).into(), &[])
}

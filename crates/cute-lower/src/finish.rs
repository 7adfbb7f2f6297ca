//! `cute-finish-kernels`: adds the attributes that kernels need once they are an `llvm.func`.
//!
//! Parameters that are descriptors of the TMA are passed by value and never change. Only an
//! `llvm.func` can express that, and the conversion of `gpu.func` drops such attributes of
//! parameters, so `cute-to-base` leaves a list with the kernel. Without `nvvm.grid_constant`, LLVM
//! would copy a descriptor to the stack of each thread, where the TMA cannot read it. Parameters
//! with `llvm.byval` are restored in the same way.
//!
//! A kernel that moves registers between its warps (`setmaxnreg`) gets at least one block per
//! multiprocessor, unless it specifies more. ptxas must be able to derive the number of registers
//! at launch, or it ignores the instruction.
//!
//! A limit of registers becomes `nvvm.maxnreg`, and so a directive of the PTX: ptxas ignores its
//! own option `-maxrregcount` for kernels whose block size is known.

use cute_dialect::types::{DESCRIPTOR_ALIGN, DESCRIPTOR_BYTES};
use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::{
    Attribute, BlockLike, Identifier,
    attribute::{ArrayAttribute, DenseI32ArrayAttribute, DictionaryAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built};

/// The attribute of a kernel that lists its parameters that are descriptors.
pub(crate) const DESCRIPTORS: &str = "cute.descriptors";
/// The attribute of a kernel that lists, for each parameter, the attributes by which it is passed
/// by value.
pub(crate) const BY_VALUE: &str = "cute.by_value";
const ARGUMENTS: &str = "arg_attrs";
/// Blocks per multiprocessor, at least.
const BLOCKS: &str = "nvvm.minctasm";
/// Registers per thread, at most.
const MAX_REGISTERS: &str = "nvvm.maxnreg";
/// The attributes from which ptxas derives the registers of a kernel.
const REGISTERS: [&str; 2] = [BLOCKS, MAX_REGISTERS];

/// Runs the pass. A limit of 0 registers is none.
pub fn run(rewriter: &Rewriter<'_>, max_registers: u32) -> Built<()> {
    let functions = ir::functions(rewriter.root());
    let moves =
        |f: &OperationRef<'_, '_>| walk(*f).into_iter().any(|op| op_name(op) == "nvvm.setmaxregister");
    let is_kernel = |f: &OperationRef<'_, '_>| f.has_attribute("nvvm.kernel");
    // Any kernel may call another function.
    let all_move = functions.iter().any(|f| !is_kernel(f) && moves(f));
    for kernel in functions.into_iter().filter(is_kernel) {
        if max_registers > 0 && !kernel.has_attribute(MAX_REGISTERS) {
            ir::set_attribute(kernel, MAX_REGISTERS, Builder::before(kernel).attr(max_registers as i32));
        }
        if (all_move || moves(&kernel)) && !REGISTERS.iter().any(|a| kernel.has_attribute(a)) {
            ir::set_attribute(kernel, BLOCKS, Builder::before(kernel).attr(1i32));
        }
        if let Ok(list) = kernel.attribute(DESCRIPTORS).and_then(DenseI32ArrayAttribute::try_from) {
            pass_by_value(kernel, list)?;
            ir::remove_attribute(kernel, DESCRIPTORS);
        }
        if let Ok(list) = kernel.attribute(BY_VALUE).and_then(ArrayAttribute::try_from) {
            restore(kernel, list);
            ir::remove_attribute(kernel, BY_VALUE);
        }
    }
    Ok(())
}

/// Gives parameters the attributes by which they are passed by value, beside those that they have.
fn restore<'c>(kernel: OperationRef<'c, 'c>, list: ArrayAttribute<'c>) {
    let c = ir::context(kernel);
    let given = kernel.attribute(ARGUMENTS).and_then(ArrayAttribute::try_from).ok();
    let entries = |of: Attribute<'c>| -> Vec<(Identifier<'c>, Attribute<'c>)> {
        let of = DictionaryAttribute::try_from(of).ok();
        of.map_or_else(Vec::new, |of| (0..of.len()).filter_map(|i| of.element(i).ok()).collect())
    };
    let count = ir::body(kernel).map_or(0, |body| body.argument_count());
    let parameter = |i| {
        let mut own = given.and_then(|all| all.element(i).ok()).map_or_else(Vec::new, entries);
        let restored = list.element(i).map_or_else(|_| Vec::new(), entries);
        own.retain(|(name, _)| restored.iter().all(|(other, _)| name != other));
        own.extend(restored);
        DictionaryAttribute::new(c, &own).into()
    };
    let all: Vec<Attribute<'c>> = (0..count).map(parameter).collect();
    ir::set_attribute(kernel, ARGUMENTS, ArrayAttribute::new(c, &all).into());
}

/// Turns a parameter that is an address in the kernel into one of 128 bytes.
fn pass_by_value<'c>(kernel: OperationRef<'c, 'c>, list: DenseI32ArrayAttribute<'c>) -> Built<()> {
    let (c, build) = (ir::context(kernel), Builder::before(kernel));
    let given = kernel.attribute(ARGUMENTS).and_then(ArrayAttribute::try_from).ok();
    let words =
        TypeAttribute::new(build.parse_type(&format!("!llvm.array<{} x i64>", DESCRIPTOR_BYTES / 8))?);
    let attributes = [
        ("llvm.align", build.attr(DESCRIPTOR_ALIGN)),
        ("llvm.byval", words.into()),
        ("nvvm.grid_constant", Attribute::unit(c)),
    ];
    let by_value: Vec<_> = attributes.map(|(name, value)| (Identifier::new(c, name), value)).into();
    let by_value = DictionaryAttribute::new(c, &by_value);
    let listed: Vec<_> =
        (0..list.len()).filter_map(|i| usize::try_from(list.element(i).ok()?).ok()).collect();
    let count = ir::body(kernel).map_or(0, |body| body.argument_count());
    let parameter = |i| {
        let own = given.and_then(|all| all.element(i).ok());
        if listed.contains(&i) {
            by_value.into()
        } else {
            own.unwrap_or(DictionaryAttribute::new(c, &[]).into())
        }
    };
    let all: Vec<_> = (0..count).map(parameter).collect();
    ir::set_attribute(kernel, ARGUMENTS, ArrayAttribute::new(c, &all).into());
    Ok(())
}

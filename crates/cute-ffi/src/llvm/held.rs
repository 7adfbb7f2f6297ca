//! Values that LLVM takes from a register as they are. They pass through an empty assembly, which
//! hides from LLVM how they were computed; ptxas does not see it.

use std::{
    collections::HashMap,
    ffi::{CStr, c_uint},
};

use super::{FUNCTION, instructions, kind_of_attribute, list, loops::is_product, native::*};

unsafe extern "C" {
    fn cuteExpandConstants(global: Ref);
}

/// The index of a call's result among what has attributes.
const RESULT: c_uint = 0;
/// The address space of shared memory.
const SHARED: c_uint = 3;
/// LLVM's number of `or` among the opcodes.
const OR: c_uint = 24;
/// Descriptors are advanced by less than the field for the address holds.
const MOST_ADVANCED: u64 = 1 << 14;

/// Keeps the address of each variable in shared memory in one register per function. LLVM would
/// write the symbol into every address, and ptxas would then compute the place of the variable
/// again and again; in a cluster that takes the rank of the block.
///
/// Each block takes the address from the register through an assembly of its own, so that LLVM adds
/// a constant to it where it is used, inside the address. A sum that blocks shared would need a
/// register for each constant.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn hold_shared_memory(module: Ref) {
    // SAFETY: promised by the caller; no variable is added or removed.
    unsafe {
        for variable in list(LLVMGetFirstGlobal(module), LLVMGetNextGlobal) {
            if LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == SHARED {
                cuteExpandConstants(variable);
                hold(module, variable);
            }
        }
    }
}

/// Replaces the uses of a variable by instructions.
///
/// # Safety
/// The variable is one of the module, which is live.
unsafe fn hold(module: Ref, variable: Ref) {
    // SAFETY: promised by the caller. Users are instructions of functions with a body, because they
    // are not constants; the blocks of a PHI are as many as its operands.
    unsafe {
        let mut hide = Hide::new(module, LLVMTypeOf(variable), c"=r,0");
        hide.align = LLVMGetAlignment(variable).into();
        let mut held = HashMap::new();
        let uses: Vec<_> = list(LLVMGetFirstUse(variable), LLVMGetNextUse).map(|u| LLVMGetUser(u)).collect();
        for user in uses.into_iter().filter(|user| !LLVMIsAInstruction(*user).is_null()) {
            if hide.is_ours(user) {
                continue;
            }
            for i in (0..LLVMGetNumOperands(user) as c_uint).filter(|i| LLVMGetOperand(user, *i) == variable)
            {
                let own = LLVMGetInstructionParent(user);
                let is_phi = !LLVMIsAPHINode(user).is_null();
                let block = if is_phi { LLVMGetIncomingBlock(user, i) } else { own };
                let entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(own));
                let first = *held.entry(entry).or_insert_with(|| hide.value(variable, begin(entry)));
                let local = *held.entry(block).or_insert_with(|| hide.value(first, begin(block)));
                LLVMSetOperand(user, i, local);
            }
        }
    }
}

/// Computes descriptors of one matrix from one another. LLVM combines the parts of each with the
/// same words: `x | 0x4000404000010002` beside `x | 0x4000404000010000`. ptxas would make both
/// words of each anew. As a sum with the first one, a descriptor takes one instruction.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn advance_descriptors(module: Ref) {
    // SAFETY: promised by the caller; functions and blocks stay.
    unsafe {
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            if instructions(f).any(is_product) {
                for block in list(LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock) {
                    advance(module, block);
                }
            }
        }
    }
}

/// # Safety
/// The block is one of the module, which is live.
unsafe fn advance(module: Ref, block: Ref) {
    // SAFETY: promised by the caller. Descriptors are collected before any is replaced; one that is
    // replaced has no other use, and stands after the one that replaces it.
    unsafe {
        let found: Vec<_> = list(LLVMGetFirstInstruction(block), LLVMGetNextInstruction)
            .filter_map(|i| descriptor(i).map(|(of, bits)| (i, of, bits)))
            .collect();
        let mut firsts: Vec<(Ref, u64, Ref, Option<Ref>)> = Vec::new();
        for (at, of, bits) in found {
            let by = |known: u64| bits.wrapping_sub(known);
            let is_before = |(x, known): (Ref, u64)| {
                x == of && bits & known == known && (1..MOST_ADVANCED).contains(&by(known))
            };
            let Some(first) = firsts.iter_mut().find(|first| is_before((first.0, first.1))) else {
                firsts.push((of, bits, at, None));
                continue;
            };
            let t = LLVMTypeOf(at);
            let known = first.1;
            let hide = Hide::new(module, t, c"=l,0");
            let from = *first.3.get_or_insert_with(|| hide.value(first.2, LLVMGetNextInstruction(first.2)));
            let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
            LLVMPositionBuilderBefore(builder, at);
            let sum = LLVMBuildAdd(builder, from, LLVMConstInt(t, by(known), 0), c"".as_ptr());
            LLVMDisposeBuilder(builder);
            // LLVM would write the sum into the MMA, as `%rd1+2`, which is the form of an address.
            let sum = hide.value(sum, at);
            LLVMReplaceAllUsesWith(at, sum);
            LLVMInstructionEraseFromParent(at);
        }
    }
}

/// The value that a descriptor combines with a constant, before it is extended, and the constant.
/// The two have no bit in common. A descriptor is a word that only MMAs use.
fn descriptor(instruction: Ref) -> Option<(Ref, u64)> {
    // SAFETY: the instruction is live; an `or` has two operands.
    unsafe {
        if LLVMGetInstructionOpcode(instruction) != OR || LLVMGetIsDisjoint(instruction) == 0 {
            return None;
        }
        let bits = LLVMIsAConstantInt(LLVMGetOperand(instruction, 1));
        let mut users = list(LLVMGetFirstUse(instruction), LLVMGetNextUse).map(|u| LLVMGetUser(u));
        let is_one = !bits.is_null()
            && LLVMGetIntTypeWidth(LLVMTypeOf(instruction)) == 64
            && users.all(|user| !LLVMIsAInstruction(user).is_null() && is_product(user));
        let of = LLVMGetOperand(instruction, 0);
        let of = if LLVMIsAZExtInst(of).is_null() { of } else { LLVMGetOperand(of, 0) };
        is_one.then(|| (of, LLVMConstIntGetZExtValue(bits)))
    }
}

/// The first instruction of a block that is not a PHI.
///
/// # Safety
/// The block is live and ends with a terminator.
unsafe fn begin(block: Ref) -> Ref {
    // SAFETY: promised by the caller.
    let mut all = unsafe { list(LLVMGetFirstInstruction(block), LLVMGetNextInstruction) };
    // SAFETY: instructions of a live block are live.
    all.find(|i| unsafe { LLVMIsAPHINode(*i).is_null() }).expect("a block ends with a terminator")
}

/// The empty assembly that returns its operand.
pub(super) struct Hide {
    context: Ref,
    t: Ref,
    assembly: Ref,
    /// The alignment of the values, if they are addresses.
    align: u64,
    /// Its effect on memory, as the attribute `memory` has it.
    pub(super) effects: u64,
}

impl Hide {
    /// For values of a type, in registers that the constraint names.
    ///
    /// # Safety
    /// The module is live, and the type is one of its context.
    pub(super) unsafe fn new(module: Ref, of: Ref, constraint: &CStr) -> Self {
        // SAFETY: promised by the caller; the assembly is copied.
        unsafe {
            let t = LLVMFunctionType(of, [of].as_ptr(), 1, 0);
            let length = constraint.count_bytes();
            let assembly = LLVMGetInlineAsm(t, c"".as_ptr(), 0, constraint.as_ptr(), length, 0, 0, 0, 0);
            Self { context: LLVMGetModuleContext(module), t, assembly, align: 0, effects: 0 }
        }
    }

    /// Whether an instruction is this assembly.
    ///
    /// # Safety
    /// The instruction is live.
    pub(super) unsafe fn is_ours(&self, instruction: Ref) -> bool {
        // SAFETY: promised by the caller.
        unsafe { !LLVMIsACallInst(instruction).is_null() && LLVMGetCalledValue(instruction) == self.assembly }
    }

    /// A value after the assembly, which stands before an instruction. LLVM neither merges it with
    /// another one nor moves it to another block, because it is convergent.
    pub(super) fn value(&self, value: Ref, before: Ref) -> Ref {
        // SAFETY: value and instruction are live, of the context and of the type.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderBefore(builder, before);
            let call = LLVMBuildCall2(builder, self.t, self.assembly, [value].as_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
            for (name, value) in [("convergent", 0), ("memory", self.effects), ("nounwind", 0)] {
                let attribute = LLVMCreateEnumAttribute(self.context, kind_of_attribute(name), value);
                LLVMAddCallSiteAttribute(call, FUNCTION, attribute);
            }
            if self.align != 0 {
                let align = LLVMCreateEnumAttribute(self.context, kind_of_attribute("align"), self.align);
                LLVMAddCallSiteAttribute(call, RESULT, align);
            }
            call
        }
    }
}

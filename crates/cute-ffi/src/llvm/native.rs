//! Declarations for the used part of LLVM's C API (`llvm-c/Core.h`, `TargetMachine.h`,
//! `Transforms/PassBuilder.h`). libLLVM.so exports it.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_uint, c_void};

/// Any of LLVM-C's opaque references.
pub type Ref = *mut c_void;

unsafe extern "C" {
    pub fn LLVMInitializeNVPTXTargetInfo();
    pub fn LLVMInitializeNVPTXTarget();
    pub fn LLVMInitializeNVPTXTargetMC();
    pub fn LLVMInitializeNVPTXAsmPrinter();
    pub fn LLVMGetVersion(major: *mut c_uint, minor: *mut c_uint, patch: *mut c_uint);
    pub fn LLVMDisposeMessage(text: *mut c_char);

    pub fn LLVMContextCreate() -> Ref;
    pub fn LLVMContextDispose(context: Ref);
    pub fn LLVMContextSetDiagnosticHandler(
        context: Ref,
        handler: extern "C" fn(Ref, *mut c_void),
        user: *mut c_void,
    );
    pub fn LLVMGetDiagInfoDescription(info: Ref) -> *mut c_char;
    pub fn LLVMGetDiagInfoSeverity(info: Ref) -> c_int;

    pub fn LLVMGetTargetFromTriple(triple: *const c_char, target: *mut Ref, error: *mut *mut c_char)
    -> c_int;
    pub fn LLVMCreateTargetMachine(
        target: Ref,
        triple: *const c_char,
        cpu: *const c_char,
        features: *const c_char,
        level: c_int,
        reloc: c_int,
        model: c_int,
    ) -> Ref;
    pub fn LLVMDisposeTargetMachine(machine: Ref);
    pub fn LLVMCreateTargetDataLayout(machine: Ref) -> Ref;
    pub fn LLVMDisposeTargetData(layout: Ref);
    pub fn LLVMABISizeOfType(layout: Ref, t: Ref) -> u64;
    pub fn LLVMABIAlignmentOfType(layout: Ref, t: Ref) -> c_uint;
    pub fn LLVMOffsetOfElement(layout: Ref, structure: Ref, i: c_uint) -> u64;
    pub fn LLVMGetTypeKind(t: Ref) -> c_int;
    pub fn LLVMCountStructElementTypes(structure: Ref) -> c_uint;
    pub fn LLVMStructGetTypeAtIndex(structure: Ref, i: c_uint) -> Ref;

    pub fn LLVMCreateMemoryBufferWithMemoryRangeCopy(
        bytes: *const c_char,
        length: usize,
        name: *const c_char,
    ) -> Ref;
    pub fn LLVMParseBitcodeInContext2(context: Ref, buffer: Ref, module: *mut Ref) -> c_int;
    pub fn LLVMLinkModules2(into: Ref, from: Ref) -> c_int;
    pub fn LLVMIsDeclaration(global: Ref) -> c_int;
    pub fn LLVMSetLinkage(global: Ref, linkage: c_int);
    pub fn LLVMGetValueName2(value: Ref, length: *mut usize) -> *const c_char;
    pub fn LLVMDisposeModule(module: Ref);
    pub fn LLVMGetTarget(module: Ref) -> *const c_char;
    pub fn LLVMGetModuleContext(module: Ref) -> Ref;
    pub fn LLVMSetTarget(module: Ref, triple: *const c_char);
    pub fn LLVMSetModuleDataLayout(module: Ref, layout: Ref);
    pub fn LLVMPrintModuleToString(module: Ref) -> *mut c_char;
    pub fn LLVMVerifyModule(module: Ref, action: c_int, message: *mut *mut c_char) -> c_int;
    pub fn LLVMCreatePassBuilderOptions() -> Ref;
    pub fn LLVMDisposePassBuilderOptions(options: Ref);
    pub fn LLVMRunPasses(module: Ref, passes: *const c_char, machine: Ref, options: Ref) -> Ref;
    pub fn LLVMGetErrorMessage(error: Ref) -> *mut c_char;
    pub fn LLVMDisposeErrorMessage(text: *mut c_char);
    pub fn LLVMTargetMachineEmitToMemoryBuffer(
        machine: Ref,
        module: Ref,
        kind: c_int,
        error: *mut *mut c_char,
        buffer: *mut Ref,
    ) -> c_int;
    pub fn LLVMGetBufferStart(buffer: Ref) -> *const c_char;
    pub fn LLVMGetBufferSize(buffer: Ref) -> usize;
    pub fn LLVMDisposeMemoryBuffer(buffer: Ref);

    pub fn LLVMGetFirstFunction(module: Ref) -> Ref;
    pub fn LLVMGetNextFunction(function: Ref) -> Ref;
    pub fn LLVMGetNamedFunction(module: Ref, name: *const c_char) -> Ref;
    pub fn LLVMGetFirstGlobal(module: Ref) -> Ref;
    pub fn LLVMGetNextGlobal(global: Ref) -> Ref;
    pub fn LLVMGetPointerAddressSpace(pointer: Ref) -> c_uint;
    pub fn LLVMGetNamedGlobal(module: Ref, name: *const c_char) -> Ref;
    pub fn LLVMGlobalGetValueType(global: Ref) -> Ref;
    pub fn LLVMGetAlignment(global: Ref) -> c_uint;
    pub fn LLVMSetAlignment(global: Ref, bytes: c_uint);
    pub fn LLVMGetModuleDataLayout(module: Ref) -> Ref;
    pub fn LLVMPreferredAlignmentOfType(layout: Ref, t: Ref) -> c_uint;
    pub fn LLVMGetIntrinsicID(function: Ref) -> c_uint;
    pub fn LLVMGetFirstBasicBlock(function: Ref) -> Ref;
    pub fn LLVMGetNextBasicBlock(block: Ref) -> Ref;
    pub fn LLVMGetFirstInstruction(block: Ref) -> Ref;
    pub fn LLVMGetBasicBlockTerminator(block: Ref) -> Ref;
    pub fn LLVMGetNextInstruction(instruction: Ref) -> Ref;
    pub fn LLVMGetEntryBasicBlock(function: Ref) -> Ref;
    pub fn LLVMGetBasicBlockParent(block: Ref) -> Ref;
    pub fn LLVMGetInstructionParent(instruction: Ref) -> Ref;
    pub fn LLVMGetInstructionOpcode(instruction: Ref) -> c_uint;
    pub fn LLVMInstructionEraseFromParent(instruction: Ref);
    pub fn LLVMGetIncomingBlock(phi: Ref, i: c_uint) -> Ref;
    pub fn LLVMGetIsDisjoint(or: Ref) -> c_int;
    pub fn LLVMGetNumOperands(user: Ref) -> c_int;
    pub fn LLVMGetOperand(user: Ref, i: c_uint) -> Ref;
    pub fn LLVMSetOperand(user: Ref, i: c_uint, value: Ref);
    pub fn LLVMGetFirstUse(value: Ref) -> Ref;
    pub fn LLVMGetNextUse(a: Ref) -> Ref;
    pub fn LLVMGetUser(a: Ref) -> Ref;
    pub fn LLVMReplaceAllUsesWith(value: Ref, by: Ref);
    pub fn LLVMIsAInstruction(value: Ref) -> Ref;
    pub fn LLVMIsAPHINode(value: Ref) -> Ref;
    pub fn LLVMIsAZExtInst(value: Ref) -> Ref;
    pub fn LLVMIsAConstantInt(value: Ref) -> Ref;
    pub fn LLVMConstIntGetZExtValue(constant: Ref) -> u64;
    pub fn LLVMConstInt(t: Ref, value: u64, signed: c_int) -> Ref;
    pub fn LLVMGetIntTypeWidth(t: Ref) -> c_uint;
    pub fn LLVMFunctionType(result: Ref, parameters: *const Ref, count: c_uint, variadic: c_int) -> Ref;
    pub fn LLVMGetInlineAsm(
        t: Ref,
        text: *const c_char,
        length: usize,
        constraints: *const c_char,
        constraints_length: usize,
        has_effects: c_int,
        aligns_stack: c_int,
        dialect: c_int,
        can_throw: c_int,
    ) -> Ref;
    pub fn LLVMCreateBuilderInContext(context: Ref) -> Ref;
    pub fn LLVMPositionBuilderBefore(builder: Ref, instruction: Ref);
    pub fn LLVMDisposeBuilder(builder: Ref);
    pub fn LLVMSetCurrentDebugLocation2(builder: Ref, location: Ref);
    pub fn LLVMInstructionGetDebugLoc(instruction: Ref) -> Ref;
    pub fn LLVMIsAAtomicRMWInst(value: Ref) -> Ref;
    pub fn LLVMGetOrdering(access: Ref) -> c_int;
    pub fn LLVMSetOrdering(access: Ref, order: c_int);
    pub fn LLVMGetAtomicSyncScopeID(access: Ref) -> c_uint;
    pub fn LLVMBuildFenceSyncScope(builder: Ref, order: c_int, scope: c_uint, name: *const c_char) -> Ref;
    pub fn LLVMBuildAdd(builder: Ref, a: Ref, b: Ref, name: *const c_char) -> Ref;
    pub fn LLVMBuildCall2(
        builder: Ref,
        t: Ref,
        callee: Ref,
        arguments: *const Ref,
        count: c_uint,
        name: *const c_char,
    ) -> Ref;
    pub fn LLVMIsACallInst(value: Ref) -> Ref;
    pub fn LLVMIsAFunction(value: Ref) -> Ref;
    pub fn LLVMGetCalledValue(call: Ref) -> Ref;
    pub fn LLVMCanValueUseFastMathFlags(value: Ref) -> c_int;
    pub fn LLVMCountParams(function: Ref) -> c_uint;
    pub fn LLVMGetParam(function: Ref, i: c_uint) -> Ref;
    pub fn LLVMTypeOf(value: Ref) -> Ref;
    pub fn LLVMGetEnumAttributeKindForName(name: *const c_char, length: usize) -> c_uint;
    pub fn LLVMCreateEnumAttribute(context: Ref, kind: c_uint, value: u64) -> Ref;
    pub fn LLVMGetEnumAttributeAtIndex(function: Ref, index: c_uint, kind: c_uint) -> Ref;
    pub fn LLVMGetEnumAttributeValue(attribute: Ref) -> u64;
    pub fn LLVMGetTypeAttributeValue(attribute: Ref) -> Ref;
    pub fn LLVMAddAttributeAtIndex(function: Ref, index: c_uint, attribute: Ref);
    pub fn LLVMAddCallSiteAttribute(call: Ref, index: c_uint, attribute: Ref);

    pub fn LLVMGetMDKindIDInContext(context: Ref, name: *const c_char, length: c_uint) -> c_uint;
    pub fn LLVMMDStringInContext2(context: Ref, text: *const c_char, length: usize) -> Ref;
    pub fn LLVMMDNodeInContext2(context: Ref, operands: *const Ref, count: usize) -> Ref;
    pub fn LLVMTemporaryMDNode(context: Ref, operands: *const Ref, count: usize) -> Ref;
    pub fn LLVMMetadataReplaceAllUsesWith(temporary: Ref, by: Ref);
    pub fn LLVMMetadataAsValue(context: Ref, metadata: Ref) -> Ref;
    pub fn LLVMGetMetadata(instruction: Ref, kind: c_uint) -> Ref;
    pub fn LLVMSetMetadata(instruction: Ref, kind: c_uint, node: Ref);
}

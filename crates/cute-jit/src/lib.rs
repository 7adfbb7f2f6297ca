//! Runs functions of the LLVM dialect on the host, through LLVM's JIT, for tests of lowered code.
//!
//! The crate uses LLVM's C API. A function takes and returns integers, and may only compute: a
//! function that accesses memory, or calls a function outside the module, is rejected. This makes
//! the calls safe. As in the IR, the caller must ensure that divisors are not 0.

#![allow(non_snake_case)]

use std::{
    ffi::{CString, c_char, c_int, c_uint, c_void},
    ptr,
    sync::Once,
};

use cute_ffi::c_text;
use melior::ir::operation::OperationRef;
use mlir_sys::mlirTranslateModuleToLLVMIR;

/// Any of LLVM-C's opaque references.
type Ref = *mut c_void;

// `llvm-c/Core.h`, `LLJIT.h`, `Orc.h`, `Error.h`; libLLVM.so exports all of it.
unsafe extern "C" {
    fn LLVMContextCreate() -> Ref;
    fn LLVMContextDispose(context: Ref);
    fn LLVMDisposeModule(module: Ref);
    fn LLVMGetNamedFunction(module: Ref, name: *const c_char) -> Ref;
    fn LLVMGetFirstFunction(module: Ref) -> Ref;
    fn LLVMGetNextFunction(function: Ref) -> Ref;
    fn LLVMGetFirstBasicBlock(function: Ref) -> Ref;
    fn LLVMGetNextBasicBlock(block: Ref) -> Ref;
    fn LLVMGetFirstInstruction(block: Ref) -> Ref;
    fn LLVMGetNextInstruction(instruction: Ref) -> Ref;
    fn LLVMGetInstructionOpcode(instruction: Ref) -> c_int;
    fn LLVMGetCalledValue(call: Ref) -> Ref;
    fn LLVMIsAFunction(value: Ref) -> Ref;
    fn LLVMGetIntrinsicID(function: Ref) -> c_uint;
    fn LLVMCountParams(function: Ref) -> c_uint;
    fn LLVMGetParam(function: Ref, i: c_uint) -> Ref;
    fn LLVMTypeOf(value: Ref) -> Ref;
    fn LLVMGlobalGetValueType(global: Ref) -> Ref;
    fn LLVMGetReturnType(function: Ref) -> Ref;
    fn LLVMGetTypeKind(t: Ref) -> c_int;
    fn LLVMGetIntTypeWidth(t: Ref) -> c_uint;
    fn LLVMCountStructElementTypes(t: Ref) -> c_uint;
    fn LLVMStructGetTypeAtIndex(t: Ref, i: c_uint) -> Ref;
    fn LLVMInt64TypeInContext(context: Ref) -> Ref;
    fn LLVMVoidTypeInContext(context: Ref) -> Ref;
    fn LLVMPointerTypeInContext(context: Ref, space: c_uint) -> Ref;
    fn LLVMFunctionType(result: Ref, parameters: *mut Ref, count: c_uint, variadic: c_int) -> Ref;
    fn LLVMConstInt(t: Ref, value: u64, sign_extend: c_int) -> Ref;
    fn LLVMAddFunction(module: Ref, name: *const c_char, t: Ref) -> Ref;
    fn LLVMAppendBasicBlockInContext(context: Ref, function: Ref, name: *const c_char) -> Ref;
    fn LLVMCreateBuilderInContext(context: Ref) -> Ref;
    fn LLVMDisposeBuilder(builder: Ref);
    fn LLVMPositionBuilderAtEnd(builder: Ref, block: Ref);
    fn LLVMBuildGEP2(
        builder: Ref,
        t: Ref,
        pointer: Ref,
        indices: *mut Ref,
        count: c_uint,
        name: *const c_char,
    ) -> Ref;
    fn LLVMBuildLoad2(builder: Ref, t: Ref, pointer: Ref, name: *const c_char) -> Ref;
    fn LLVMBuildStore(builder: Ref, value: Ref, pointer: Ref) -> Ref;
    fn LLVMBuildIntCast2(builder: Ref, value: Ref, t: Ref, signed: c_int, name: *const c_char) -> Ref;
    fn LLVMBuildExtractValue(builder: Ref, value: Ref, i: c_uint, name: *const c_char) -> Ref;
    fn LLVMBuildCall2(
        builder: Ref,
        t: Ref,
        function: Ref,
        arguments: *mut Ref,
        count: c_uint,
        name: *const c_char,
    ) -> Ref;
    fn LLVMBuildRetVoid(builder: Ref) -> Ref;

    #[cfg_attr(target_arch = "x86_64", link_name = "LLVMInitializeX86TargetInfo")]
    #[cfg_attr(target_arch = "aarch64", link_name = "LLVMInitializeAArch64TargetInfo")]
    fn LLVMInitializeTargetInfo();
    #[cfg_attr(target_arch = "x86_64", link_name = "LLVMInitializeX86Target")]
    #[cfg_attr(target_arch = "aarch64", link_name = "LLVMInitializeAArch64Target")]
    fn LLVMInitializeTarget();
    #[cfg_attr(target_arch = "x86_64", link_name = "LLVMInitializeX86TargetMC")]
    #[cfg_attr(target_arch = "aarch64", link_name = "LLVMInitializeAArch64TargetMC")]
    fn LLVMInitializeTargetMC();
    #[cfg_attr(target_arch = "x86_64", link_name = "LLVMInitializeX86AsmPrinter")]
    #[cfg_attr(target_arch = "aarch64", link_name = "LLVMInitializeAArch64AsmPrinter")]
    fn LLVMInitializeAsmPrinter();

    fn LLVMOrcCreateLLJIT(jit: *mut Ref, builder: Ref) -> Ref;
    fn LLVMOrcDisposeLLJIT(jit: Ref) -> Ref;
    fn LLVMOrcLLJITGetMainJITDylib(jit: Ref) -> Ref;
    fn LLVMOrcLLJITAddLLVMIRModule(jit: Ref, library: Ref, module: Ref) -> Ref;
    fn LLVMOrcLLJITLookup(jit: Ref, address: *mut u64, name: *const c_char) -> Ref;
    fn LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context: Ref) -> Ref;
    fn LLVMOrcDisposeThreadSafeContext(context: Ref);
    fn LLVMOrcCreateNewThreadSafeModule(module: Ref, context: Ref) -> Ref;
    fn LLVMGetErrorMessage(error: Ref) -> *mut c_char;
    fn LLVMDisposeErrorMessage(text: *mut c_char);
}

/// Opcodes that only compute or branch within the function, from `llvm-c/Core.h`.
const PURE: &[c_int] = &[
    1, 2, 3, 8, 10, 12, 14, 15, 17, 18, 20, 21, 22, 23, 24, 25, 29, 30, 31, 32, 39, 40, 42, 44, 46, 53, 54,
    68,
];
const CALL: c_int = 45;
/// Kinds of types.
const INTEGER: c_int = 8;
const STRUCT: c_int = 10;
const VOID: c_int = 0;

/// The calling convention of a compiled function: pointers to its arguments and results.
type Entry = unsafe extern "C" fn(*const i64, *mut i64);

/// Compiled functions, by name. They live as long as this.
#[derive(Debug)]
pub struct Jit {
    raw: Ref,
    /// Name, number of arguments and of results, code.
    functions: Vec<(String, usize, usize, Entry)>,
}

impl Jit {
    /// Compiles a module whose functions are all of the `llvm` dialect, and makes `names` of them
    /// callable.
    ///
    /// # Errors
    /// The reason. MLIR's error about an op that has no translation goes to the diagnostic handlers
    /// of its context.
    pub fn compile(module: OperationRef<'_, '_>, names: &[&str]) -> Result<Self, String> {
        static ONCE: Once = Once::new();
        // SAFETY: LLVM's own initialization, once.
        ONCE.call_once(|| unsafe {
            LLVMInitializeTargetInfo();
            LLVMInitializeTarget();
            LLVMInitializeTargetMC();
            LLVMInitializeAsmPrinter();
        });
        // SAFETY: the op is live; context and module are new, owned here, and given to the JIT or
        // disposed of once.
        unsafe {
            let context = LLVMContextCreate();
            let raw: Ref = mlirTranslateModuleToLLVMIR(module.to_raw(), context.cast()).cast();
            if raw.is_null() {
                LLVMContextDispose(context);
                return Err("the module cannot be translated to LLVM IR".into());
            }
            let entries = check_pure(raw).and_then(|()| {
                names.iter().map(|name| add_entry(context, raw, name)).collect::<Result<Vec<_>, _>>()
            });
            let entries = match entries {
                Ok(entries) => entries,
                Err(why) => {
                    LLVMDisposeModule(raw);
                    LLVMContextDispose(context);
                    return Err(why);
                }
            };
            let shared = LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context);
            let owned = LLVMOrcCreateNewThreadSafeModule(raw, shared);
            LLVMOrcDisposeThreadSafeContext(shared);

            let mut jit = Self { raw: ptr::null_mut(), functions: Vec::new() };
            checked(LLVMOrcCreateLLJIT(&mut jit.raw, ptr::null_mut()))?;
            checked(LLVMOrcLLJITAddLLVMIRModule(jit.raw, LLVMOrcLLJITGetMainJITDylib(jit.raw), owned))?;
            for (name, (arguments, results)) in names.iter().zip(entries) {
                let mut address = 0;
                checked(LLVMOrcLLJITLookup(jit.raw, &mut address, entry_name(name)?.as_ptr()))?;
                // `add_entry` gave the function this type.
                let entry = std::mem::transmute::<usize, Entry>(address as usize);
                jit.functions.push(((*name).into(), arguments, results, entry));
            }
            Ok(jit)
        }
    }

    /// Calls a function: its arguments cut to their widths, its results sign-extended.
    ///
    /// # Errors
    /// There is no such function, or it takes another number of arguments.
    pub fn call(&self, name: &str, arguments: &[i64]) -> Result<Vec<i64>, String> {
        let function = self.functions.iter().find(|f| f.0 == name);
        let Some((_, count, results, entry)) = function else { return Err(format!("there is no {name}")) };
        if arguments.len() != *count {
            return Err(format!("{name} takes {count} arguments, not {}", arguments.len()));
        }
        let mut out = vec![0; *results];
        // SAFETY: the entry reads `count` integers and writes `results`; the function it calls only
        // computes.
        unsafe { entry(arguments.as_ptr(), out.as_mut_ptr()) };
        Ok(out)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        if !self.raw.is_null() {
            // SAFETY: owned and disposed of once; an error of disposal is owned too.
            let _ = unsafe { checked(LLVMOrcDisposeLLJIT(self.raw)) };
        }
    }
}

/// # Safety
/// `error` is LLVM's, or null for success; it is consumed.
unsafe fn checked(error: Ref) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: promised by the caller.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = c_text(message);
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

fn entry_name(name: &str) -> Result<CString, String> {
    CString::new(format!("cute.entry.{name}")).map_err(|_| format!("{name:?} has a NUL in it"))
}

/// Iterates over a list of LLVM's, from its first element.
fn list(first: Ref, next: unsafe extern "C" fn(Ref) -> Ref) -> impl Iterator<Item = Ref> {
    let some = |r: Ref| (!r.is_null()).then_some(r);
    // SAFETY: `next` is called with a live element of its list.
    std::iter::successors(some(first), move |r| some(unsafe { next(*r) }))
}

/// Fails unless every instruction only computes.
///
/// # Safety
/// `module` is live.
unsafe fn check_pure(module: Ref) -> Result<(), String> {
    // SAFETY: promised by the caller; the elements of lists are live, and the callee is read only
    // from calls.
    unsafe {
        let blocks = list(LLVMGetFirstFunction(module), LLVMGetNextFunction)
            .flat_map(|f| list(LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock));
        for i in blocks.flat_map(|b| list(LLVMGetFirstInstruction(b), LLVMGetNextInstruction)) {
            let known =
                |f: Ref| !f.is_null() && (LLVMGetIntrinsicID(f) != 0 || !LLVMGetFirstBasicBlock(f).is_null());
            match LLVMGetInstructionOpcode(i) {
                CALL if known(LLVMIsAFunction(LLVMGetCalledValue(i))) => {}
                CALL => return Err("a call leaves the module".into()),
                opcode if PURE.contains(&opcode) => {}
                opcode => {
                    return Err(format!("an instruction does more than compute (LLVM's opcode {opcode})"));
                }
            }
        }
        Ok(())
    }
}

/// Adds `void cute.entry.name(const i64*, i64*)`, which calls `name`; returns the number of
/// arguments and results.
///
/// # Safety
/// `module` is live, and of `context`.
unsafe fn add_entry(context: Ref, module: Ref, name: &str) -> Result<(usize, usize), String> {
    let symbol = CString::new(name).map_err(|_| format!("{name:?} has a NUL in it"))?;
    let entry = entry_name(name)?;
    let no_name = c"".as_ptr();
    // SAFETY: promised by the caller; every value and type is of this context, checked for its kind
    // before it is used.
    unsafe {
        let function = LLVMGetNamedFunction(module, symbol.as_ptr());
        if function.is_null() || LLVMGetFirstBasicBlock(function).is_null() {
            return Err(format!("the module does not define {name}"));
        }
        let integer = |t: Ref| LLVMGetTypeKind(t) == INTEGER && LLVMGetIntTypeWidth(t) <= 64;
        let t = LLVMGlobalGetValueType(function);
        let parameters: Vec<Ref> =
            (0..LLVMCountParams(function)).map(|i| LLVMTypeOf(LLVMGetParam(function, i))).collect();
        let result = LLVMGetReturnType(t);
        let kind = LLVMGetTypeKind(result);
        let results: Vec<Ref> = match kind {
            VOID => Vec::new(),
            STRUCT => (0..LLVMCountStructElementTypes(result))
                .map(|i| LLVMStructGetTypeAtIndex(result, i))
                .collect(),
            _ => vec![result],
        };
        if !parameters.iter().chain(&results).all(|t| integer(*t)) {
            return Err(format!("{name} takes or returns a value that is not an integer"));
        }

        let (i64_type, pointer) = (LLVMInt64TypeInContext(context), LLVMPointerTypeInContext(context, 0));
        let outer = LLVMFunctionType(LLVMVoidTypeInContext(context), [pointer, pointer].as_mut_ptr(), 2, 0);
        let outer = LLVMAddFunction(module, entry.as_ptr(), outer);
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, outer, no_name));
        let place = |base: Ref, i: usize| {
            let mut index = LLVMConstInt(i64_type, i as u64, 0);
            LLVMBuildGEP2(builder, i64_type, base, &mut index, 1, no_name)
        };
        let mut arguments: Vec<Ref> = Vec::new();
        for (i, t) in parameters.iter().enumerate() {
            let wide = LLVMBuildLoad2(builder, i64_type, place(LLVMGetParam(outer, 0), i), no_name);
            arguments.push(LLVMBuildIntCast2(builder, wide, *t, 1, no_name));
        }
        let count = arguments.len() as c_uint;
        let value = LLVMBuildCall2(builder, t, function, arguments.as_mut_ptr(), count, no_name);
        for i in 0..results.len() {
            let part = if kind == STRUCT {
                LLVMBuildExtractValue(builder, value, i as c_uint, no_name)
            } else {
                value
            };
            let wide = LLVMBuildIntCast2(builder, part, i64_type, 1, no_name);
            LLVMBuildStore(builder, wide, place(LLVMGetParam(outer, 1), i));
        }
        LLVMBuildRetVoid(builder);
        LLVMDisposeBuilder(builder);
        Ok((parameters.len(), results.len()))
    }
}

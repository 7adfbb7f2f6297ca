//! Compiles IR to PTX: a safe interface to MLIR's translation to LLVM IR, and to LLVM's optimizer
//! and NVPTX backend.
//!
//! This module uses LLVM's C API. It must not depend on targets: a processor is a name and a list
//! of features. Translations must be registered with the context
//! ([`melior::utility::register_all_llvm_translations`]), which executables do. A plugin never
//! translates and links no translation; it only uses `passes`.

mod alignment;
mod assembly;
mod fatal;
mod held;
mod loops;
mod native;
mod options;
mod orders;
mod passes;
mod products;

pub use fatal::exit_on_fatal_errors;
pub use options::{add_options, added_options};

use std::{
    cell::Cell,
    ffi::{CStr, CString, c_char, c_int, c_uint, c_void},
    mem::ManuallyDrop,
    ptr,
};

use melior::ir::operation::OperationRef;
use mlir_sys::MlirOperation;

use crate::c_text;
use native::*;
use passes::Step;

/// The target triple of GPUs.
const TRIPLE: &CStr = c"nvptx64-nvidia-cuda";
/// LLVM's passes between translation and the backend.
const PASSES: &CStr = c"default<O3>";
/// The linkage of functions that are invisible outside a module, `LLVMInternalLinkage`.
const INTERNAL: c_int = 8;
/// The kind of structs, `LLVMStructTypeKind`.
const STRUCT: c_int = 10;
/// Attribute index of a function itself, `LLVMAttributeFunctionIndex`.
const FUNCTION: c_uint = c_uint::MAX;

/// LLVM's version, such as `22.1.8`.
pub fn version() -> String {
    let [mut major, mut minor, mut patch] = [0; 3];
    // SAFETY: the numbers can be written to.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    format!("{major}.{minor}.{patch}")
}

/// PTX, with LLVM's warnings.
#[derive(Debug)]
pub struct PrintedPtx {
    /// PTX as LLVM's backend prints it.
    pub text: String,
    /// LLVM's warnings, one line each.
    pub warnings: Vec<String>,
}

/// Size and alignment of a type in memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeAndAlign {
    /// Bytes from one element of an array to the next.
    pub size: u64,
    /// The alignment of its address in bytes.
    pub align: u64,
}

/// The place of a value in parameter space, and its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterPlace {
    /// The extent of the whole value.
    pub extent: SizeAndAlign,
    /// For a struct that is passed by value, its scalars and those of nested structs, depth first,
    /// each with its offset and extent. Any other value is its own only part.
    pub parts: Vec<(u64, SizeAndAlign)>,
}

/// The messages that LLVM reported during the lifetime of a module.
#[derive(Default)]
struct Reports {
    errors: Vec<String>,
    warnings: Vec<String>,
}

unsafe extern "C" {
    fn cuteTranslate(module: MlirOperation, context: Ref) -> Ref;
}

/// A backend for one processor.
struct Machine {
    raw: Ref,
    layout: Ref,
}

impl Machine {
    fn new(cpu: &str, features: &str) -> Result<Self, String> {
        options::prepare()?;
        let (cpu, features) = (c_string(cpu)?, c_string(features)?);
        let (mut target, mut error) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: out-parameters are writable, strings outlive the calls; code generation level 3
        // is the highest, relocation and code model 0 the defaults.
        unsafe {
            if LLVMGetTargetFromTriple(TRIPLE.as_ptr(), &mut target, &mut error) != 0 {
                return Err(taken(error));
            }
            let raw =
                LLVMCreateTargetMachine(target, TRIPLE.as_ptr(), cpu.as_ptr(), features.as_ptr(), 3, 0, 0);
            if raw.is_null() {
                return Err(format!("LLVM has no processor {}", cpu.to_string_lossy()));
            }
            Ok(Self { raw, layout: LLVMCreateTargetDataLayout(raw) })
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: both are owned and dropped once.
        unsafe {
            LLVMDisposeTargetData(self.layout);
            LLVMDisposeTargetMachine(self.raw);
        }
    }
}

/// LLVM IR of one GPU module, for one processor.
pub struct LlvmModule {
    raw: Ref,
    context: Ref,
    machine: ManuallyDrop<Machine>,
    reports: *mut Reports,
    /// Set when a fatal error of LLVM left the module in an undefined state: it must not be read or
    /// freed.
    lost: Cell<bool>,
}

/// Translates a `gpu.module` whose ops all belong to the `llvm` dialect, or are `nvvm` ops that are
/// intrinsics. `cpu` and `features` are LLVM's: `sm_90a`, `+ptx86`.
///
/// Inline assembly and functions become `convergent`, and LLVM may not contract products and sums
/// to fused multiply-adds, because the simulator does not: see `passes`.
///
/// # Errors
/// The reason. Errors about ops, such as one that has no translation, go to the diagnostic handlers
/// of the context.
pub fn translate(gpu_module: OperationRef<'_, '_>, cpu: &str, features: &str) -> Result<LlvmModule, String> {
    let machine = Machine::new(cpu, features)?;
    // SAFETY: the LLVM context is new and owned by the module, as is the box of reports.
    let mut module = unsafe {
        let context = LLVMContextCreate();
        let reports = Box::into_raw(Box::<Reports>::default());
        LLVMContextSetDiagnosticHandler(context, on_diagnostic, reports.cast());
        let machine = ManuallyDrop::new(machine);
        LlvmModule { raw: ptr::null_mut(), context, machine, reports, lost: Cell::new(false) }
    };
    assembly::check(gpu_module, module.context)?;
    module.raw = module.guarded((gpu_module.to_raw(), module.context), |(op, context)| {
        // SAFETY: both are live.
        unsafe { cuteTranslate(op, context) }
    })?;
    if module.raw.is_null() {
        return Err("the GPU module has no translation to LLVM IR".into());
    }
    let mut message = ptr::null_mut();
    // SAFETY: the module is live; verification only reads (action 2: return the message).
    unsafe {
        LLVMSetTarget(module.raw, TRIPLE.as_ptr());
        LLVMSetModuleDataLayout(module.raw, module.machine.layout);
        let broken = LLVMVerifyModule(module.raw, 2, &mut message) != 0;
        let why = taken(message);
        if broken {
            return Err(format!("the GPU module became invalid LLVM IR: {}", why.trim()));
        }
        passes::take(Step::Before, module.raw);
    }
    module.checked()
}

impl LlvmModule {
    /// The text of the IR, which LLVM's tools can read.
    pub fn to_ir(&self) -> String {
        // SAFETY: the module is live; we own the text.
        unsafe { taken(LLVMPrintModuleToString(self.raw)) }
    }

    /// The place of each parameter of a function in PTX's parameter space, in order; empty for an
    /// unknown function. A `byval` parameter has the size of its pointee.
    pub fn parameters(&self, function: &str) -> Vec<ParameterPlace> {
        let Ok(name) = c_string(function) else { return Vec::new() };
        let (byval, align) = (kind_of_attribute("byval"), kind_of_attribute("align"));
        // SAFETY: the module is live; attribute 0 is the result, so parameter i is i + 1; null
        // attributes are checked.
        unsafe {
            let f = LLVMGetNamedFunction(self.raw, name.as_ptr());
            let count = if f.is_null() { 0 } else { LLVMCountParams(f) };
            let parameter = |i| {
                let by_value = LLVMGetEnumAttributeAtIndex(f, i + 1, byval);
                if by_value.is_null() {
                    let t = LLVMTypeOf(LLVMGetParam(f, i));
                    let mut parts = Vec::new();
                    self.parts(t, 0, &mut parts);
                    return ParameterPlace { extent: self.extent(t), parts };
                }
                let extent = self.extent(LLVMGetTypeAttributeValue(by_value));
                let asked = LLVMGetEnumAttributeAtIndex(f, i + 1, align);
                let asked = if asked.is_null() { 1 } else { LLVMGetEnumAttributeValue(asked) };
                let extent = SizeAndAlign { align: extent.align.max(asked), ..extent };
                ParameterPlace { extent, parts: vec![(0, extent)] }
            };
            (0..count).map(parameter).collect()
        }
    }

    /// The extent of a global variable. Its size is 0 if the launch decides it (dynamic shared
    /// memory).
    pub fn global(&self, name: &str) -> Option<SizeAndAlign> {
        let name = c_string(name).ok()?;
        // SAFETY: the module is live; null is checked.
        unsafe {
            let g = LLVMGetNamedGlobal(self.raw, name.as_ptr());
            if g.is_null() {
                return None;
            }
            let extent = self.extent(LLVMGlobalGetValueType(g));
            Some(SizeAndAlign { align: extent.align.max(LLVMGetAlignment(g).into()), ..extent })
        }
    }

    /// Links the functions that the module calls from a library of LLVM bitcode. `name` appears in
    /// messages.
    ///
    /// # Errors
    /// LLVM's own message.
    pub fn with_library(self, bitcode: &[u8], name: &str) -> Result<Self, String> {
        // SAFETY: the module is live; only the bodies and names of functions are read.
        let functions = |module| unsafe { list(LLVMGetFirstFunction(module), LLVMGetNextFunction) };
        // SAFETY: as above.
        let missing = |f: &Ref| unsafe { LLVMIsDeclaration(*f) != 0 && LLVMGetIntrinsicID(*f) == 0 };
        let mut called = functions(self.raw).filter(missing);
        if called.next().is_none() {
            return Ok(self);
        }
        let file = c_string(name)?;
        // SAFETY: the bytes are copied. The library is parsed into the module's own context, and
        // linking consumes it even if it fails. Names are read while their functions live, and
        // looked up in the module into which they were linked.
        unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bitcode.as_ptr().cast(),
                bitcode.len(),
                file.as_ptr(),
            );
            let mut library = ptr::null_mut();
            let broken = LLVMParseBitcodeInContext2(self.context, buffer, &mut library) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if broken {
                let why = self.checked().err().unwrap_or_default();
                return Err(format!("cannot read '{name}' as LLVM bitcode: {why}"));
            }
            // The triple of a library is generic, because it is not compiled for a particular GPU.
            LLVMSetTarget(library, TRIPLE.as_ptr());
            LLVMSetModuleDataLayout(library, self.machine.layout);
            let own: Vec<CString> =
                functions(library).filter(|f| LLVMIsDeclaration(*f) == 0).map(|f| name_of(f)).collect();
            if LLVMLinkModules2(self.raw, library) != 0 {
                let why = self.checked().err().unwrap_or_default();
                return Err(format!("cannot link '{name}': {why}"));
            }
            for function in own {
                let linked = LLVMGetNamedFunction(self.raw, function.as_ptr());
                if !linked.is_null() {
                    LLVMSetLinkage(linked, INTERNAL);
                }
            }
        }
        self.pass(c"globaldce")?;
        self.checked()
    }

    /// Runs a step of LLVM that a fatal error may cut short. The step owns nothing, so that only
    /// the module is leaked.
    fn guarded<A: Copy, R: Copy>(&self, with: A, step: fn(A) -> R) -> Result<R, String> {
        fatal::guarded(with, step).inspect_err(|_| self.lost.set(true))
    }

    fn pass(&self, passes: &CStr) -> Result<(), String> {
        // SAFETY: made here, disposed of once.
        let options = unsafe { LLVMCreatePassBuilderOptions() };
        let failure = self.guarded(
            (self.raw, passes.as_ptr(), self.machine.raw, options),
            |(module, passes, machine, options)| {
                // SAFETY: module and machine are live and belong together.
                unsafe { LLVMRunPasses(module, passes, machine, options) }
            },
        )?;
        // SAFETY: options and message are disposed of once.
        unsafe {
            LLVMDisposePassBuilderOptions(options);
            if failure.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(failure);
            let text = c_text(message);
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    /// Optimizes at O3 and writes PTX.
    ///
    /// # Errors
    /// LLVM's own message, including fatal errors, such as an intrinsic that the processor lacks.
    /// After a fatal error, the memory of this module is not freed.
    pub fn into_ptx(self) -> Result<PrintedPtx, String> {
        self.pass(PASSES)?;
        // SAFETY: the module is live.
        unsafe { passes::take(Step::After, self.raw) };
        let (failed, error, buffer) = self.guarded((self.machine.raw, self.raw), |(machine, module)| {
            let (mut error, mut buffer) = (ptr::null_mut(), ptr::null_mut());
            // SAFETY: module and machine are live and belong together. File kind 0 is assembly.
            let failed =
                unsafe { LLVMTargetMachineEmitToMemoryBuffer(machine, module, 0, &mut error, &mut buffer) };
            (failed != 0, error, buffer)
        })?;
        // SAFETY: each owned result is disposed of once.
        let text = unsafe {
            if failed {
                return Err(taken(error));
            }
            let bytes = std::slice::from_raw_parts(
                LLVMGetBufferStart(buffer).cast::<u8>(),
                LLVMGetBufferSize(buffer),
            );
            let text = String::from_utf8_lossy(bytes).into_owned();
            LLVMDisposeMemoryBuffer(buffer);
            text
        };
        let module = self.checked()?;
        // SAFETY: the box lives as long as the module, and no other reference to it does.
        let warnings = unsafe { std::mem::take(&mut (*module.reports).warnings) };
        Ok(PrintedPtx { text, warnings })
    }

    /// The module, if LLVM reported no error so far.
    fn checked(self) -> Result<Self, String> {
        // SAFETY: as above; LLVM reports only from within calls, on this thread.
        let errors = unsafe { std::mem::take(&mut (*self.reports).errors) };
        if errors.is_empty() { Ok(self) } else { Err(errors.join("; ")) }
    }

    /// # Safety
    /// `t` is a sized type of the module's context.
    unsafe fn extent(&self, t: Ref) -> SizeAndAlign {
        // SAFETY: promised by the caller.
        unsafe {
            let align = LLVMABIAlignmentOfType(self.machine.layout, t).into();
            SizeAndAlign { size: LLVMABISizeOfType(self.machine.layout, t), align }
        }
    }

    /// Appends to `out` the scalars of a type that begins `begin` bytes into a parameter.
    ///
    /// # Safety
    /// As for [`Self::extent`].
    unsafe fn parts(&self, t: Ref, begin: u64, out: &mut Vec<(u64, SizeAndAlign)>) {
        // SAFETY: promised by the caller; the fields of a sized struct are sized, and their number
        // is the one that LLVM returns.
        unsafe {
            if LLVMGetTypeKind(t) != STRUCT {
                return out.push((begin, self.extent(t)));
            }
            for i in 0..LLVMCountStructElementTypes(t) {
                let offset = LLVMOffsetOfElement(self.machine.layout, t, i);
                self.parts(LLVMStructGetTypeAtIndex(t, i), begin + offset, out);
            }
        }
    }
}

impl Drop for LlvmModule {
    fn drop(&mut self) {
        if self.lost.get() {
            return;
        }
        // SAFETY: all are owned and dropped once, the context last; the handler dies with the
        // context.
        unsafe {
            ManuallyDrop::drop(&mut self.machine);
            if !self.raw.is_null() {
                LLVMDisposeModule(self.raw);
            }
            LLVMContextDispose(self.context);
            drop(Box::from_raw(self.reports));
        }
    }
}

extern "C" fn on_diagnostic(info: Ref, reports: *mut c_void) {
    // SAFETY: LLVM calls with a live diagnostic and the box given with the handler.
    let (severity, text, reports) = unsafe {
        (
            LLVMGetDiagInfoSeverity(info),
            taken(LLVMGetDiagInfoDescription(info)),
            &mut *reports.cast::<Reports>(),
        )
    };
    match severity {
        0 => reports.errors.push(text),
        1 => reports.warnings.push(text),
        _ => {}
    }
}

/// Iterates over a list of LLVM's, from its first element.
fn list(first: Ref, next: unsafe extern "C" fn(Ref) -> Ref) -> impl Iterator<Item = Ref> {
    let some = |r: Ref| (!r.is_null()).then_some(r);
    // SAFETY: `next` is called with a live element of its list.
    std::iter::successors(some(first), move |r| some(unsafe { next(*r) }))
}

/// The name of a function.
///
/// # Safety
/// `value` is a live global value.
unsafe fn name_of(value: Ref) -> CString {
    let mut length = 0;
    // SAFETY: promised by the caller; the length is the one that LLVM returns.
    let bytes = unsafe {
        let name = LLVMGetValueName2(value, &mut length);
        std::slice::from_raw_parts(name.cast::<u8>(), length)
    };
    CString::new(bytes).unwrap_or_default()
}

/// The instructions of a function.
fn instructions(function: Ref) -> impl Iterator<Item = Ref> {
    // SAFETY: the function is live, or null, which has no blocks.
    let first = unsafe { LLVMGetFirstBasicBlock(function) };
    // SAFETY: the block is one of the list.
    list(first, LLVMGetNextBasicBlock)
        .flat_map(|b| list(unsafe { LLVMGetFirstInstruction(b) }, LLVMGetNextInstruction))
}

fn kind_of_attribute(name: &str) -> c_uint {
    // SAFETY: the string is readable for the call.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

fn c_string(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| format!("{text:?} has a NUL in it"))
}

/// The text of a message that the caller owns.
///
/// # Safety
/// `message` is null, or a message that LLVM can dispose of.
unsafe fn taken(message: *mut c_char) -> String {
    // SAFETY: promised by the caller.
    unsafe {
        let text = c_text(message);
        if !message.is_null() {
            LLVMDisposeMessage(message);
        }
        text
    }
}

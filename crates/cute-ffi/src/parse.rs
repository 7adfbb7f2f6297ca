//! Parses modules from text.

use std::ffi::CString;

use crate::{Severity, ir};
use melior::{
    Context, StringRef,
    dialect::DialectRegistry,
    ir::{
        Module,
        operation::{OperationLike, OperationRef},
    },
};
use mlir_sys::{MlirContext, MlirDialectRegistry, MlirModule, MlirStringRef};

unsafe extern "C" {
    fn cuteModuleParse(
        context: MlirContext,
        text: MlirStringRef,
        name: MlirStringRef,
        verify: bool,
    ) -> MlirModule;
    fn cuteRegisterUndrifted(registry: MlirDialectRegistry);
}

/// The extent to which a text is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseChecks {
    /// Only the syntax.
    Syntax,
    /// Every rule of every op.
    All,
}

/// Parses the text of a module, or of ops, which are wrapped in a module as in mlir-opt. Locations
/// name the file `name`. `None` after diagnostics, and for text with a NUL in it.
pub fn module<'c>(context: &'c Context, text: &str, name: &str) -> Option<Module<'c>> {
    module_with(context, text, name, ParseChecks::All)
}

/// Whether a module has nothing on which MLIR's verifiers crash. Reports what it has.
///
/// The verifier of `llvm.mlir.addressof` reads the address space of the global before that of the
/// global has refused one that is not an integer.
fn is_verifiable(module: &Module<'_>) -> bool {
    let is_global = |op: &OperationRef<'_, '_>| ir::op_name(*op) == "llvm.mlir.global";
    let without = |op: &OperationRef<'_, '_>| op.attribute("addr_space").is_err();
    let wrong: Vec<_> =
        ir::walk(module.as_operation()).into_iter().filter(|op| is_global(op) && without(op)).collect();
    for op in &wrong {
        let text = "'llvm.mlir.global' op attribute 'addr_space' must be an integer of 32 bits, such as 3 : i32 for shared memory";
        crate::emit(ir::location(*op), Severity::Error, text, &[]);
    }
    wrong.is_empty()
}

/// Like [`module`], with fewer checks.
pub fn module_with<'c>(
    context: &'c Context,
    text: &str,
    name: &str,
    checks: ParseChecks,
) -> Option<Module<'c>> {
    // MLIR's lexer stops at a NUL.
    let text = CString::new(text).ok()?;
    // SAFETY: the context is live; MLIR copies the parts of both strings that it keeps. The
    // returned value owns the module.
    let module = unsafe {
        let text = StringRef::from_c_str(&text).to_raw();
        let name = StringRef::new(name).to_raw();
        Module::from_option_raw(cuteModuleParse(context.to_raw(), text, name, false))
    }?;
    let right = checks == ParseChecks::Syntax || is_verifiable(&module) && ir::verify(module.as_operation());
    right.then_some(module)
}

/// Registers the dialects of MLIR that kernels use, except those whose ops differ between versions:
/// nvvm, nvgpu and vector. While these are not registered, their ops may have any form.
pub fn register_undrifted(registry: &DialectRegistry) {
    // SAFETY: the registry is live.
    unsafe { cuteRegisterUndrifted(registry.to_raw()) }
}

//! Parses modules from text.

use std::ffi::CString;

use melior::{Context, StringRef, dialect::DialectRegistry, ir::Module};
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
pub enum Checks {
    /// Only the syntax.
    Syntax,
    /// Every rule of every op.
    All,
}

/// Parses the text of a module, or of ops, which are wrapped in a module as in mlir-opt. Locations
/// name the file `name`. `None` after diagnostics, and for text with a NUL in it.
pub fn module<'c>(context: &'c Context, text: &str, name: &str) -> Option<Module<'c>> {
    module_with(context, text, name, Checks::All)
}

/// Like [`module`], with fewer checks.
pub fn module_with<'c>(context: &'c Context, text: &str, name: &str, checks: Checks) -> Option<Module<'c>> {
    // MLIR's lexer stops at a NUL.
    let text = CString::new(text).ok()?;
    let verify = checks == Checks::All;
    // SAFETY: the context is live; MLIR copies the parts of both strings that it keeps. The
    // returned value owns the module.
    unsafe {
        let text = StringRef::from_c_str(&text).to_raw();
        let name = StringRef::new(name).to_raw();
        Module::from_option_raw(cuteModuleParse(context.to_raw(), text, name, verify))
    }
}

/// Registers the dialects of MLIR that kernels use, except those whose ops differ between versions:
/// nvvm, nvgpu and vector. While these are not registered, their ops may have any form.
pub fn register_undrifted(registry: &DialectRegistry) {
    // SAFETY: the registry is live.
    unsafe { cuteRegisterUndrifted(registry.to_raw()) }
}

//! Modules from text.

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

/// What of a text is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// Only that it can be read.
    Syntax,
    /// Every rule of every op.
    All,
}

/// Parses the text of a module, or of ops that get a module around them, as mlir-opt does. Locations say `name`. `None`
/// after diagnostics, and for text with a NUL in it.
pub fn module<'c>(context: &'c Context, text: &str, name: &str) -> Option<Module<'c>> {
    module_with(context, text, name, Checks::All)
}

/// The same, checked less.
pub fn module_with<'c>(context: &'c Context, text: &str, name: &str, checks: Checks) -> Option<Module<'c>> {
    // MLIR's lexer reads up to a NUL.
    let text = CString::new(text).ok()?;
    let verify = checks == Checks::All;
    // SAFETY: the context is live; MLIR copies what it keeps of both strings. The module is owned by what returns.
    unsafe {
        let text = StringRef::from_c_str(&text).to_raw();
        let name = StringRef::new(name).to_raw();
        Module::from_option_raw(cuteModuleParse(context.to_raw(), text, name, verify))
    }
}

/// Registers the dialects of MLIR that kernels use, but for those whose ops differ from version to version: nvvm, nvgpu and
/// vector. Where these are not registered, their ops may be anything.
pub fn register_undrifted(registry: &DialectRegistry) {
    // SAFETY: the registry is live.
    unsafe { cuteRegisterUndrifted(registry.to_raw()) }
}

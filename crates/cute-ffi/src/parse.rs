//! Modules from text.

use std::ffi::CString;

use melior::{Context, StringRef, ir::Module};
use mlir_sys::{MlirContext, MlirModule, MlirStringRef};

unsafe extern "C" {
    fn cuteModuleParse(context: MlirContext, text: MlirStringRef, name: MlirStringRef) -> MlirModule;
}

/// Parses the text of a module, or of ops that get a module around them, as mlir-opt does. Locations say `name`. `None`
/// after diagnostics, and for text with a NUL in it.
pub fn module<'c>(context: &'c Context, text: &str, name: &str) -> Option<Module<'c>> {
    // MLIR's lexer reads up to a NUL.
    let text = CString::new(text).ok()?;
    // SAFETY: the context is live; MLIR copies what it keeps of both strings. The module is owned by what returns.
    unsafe {
        let text = StringRef::from_c_str(&text).to_raw();
        Module::from_option_raw(cuteModuleParse(context.to_raw(), text, StringRef::new(name).to_raw()))
    }
}

//! Modules and libraries, which are the same here, and the kernels in them.

use std::{
    ffi::{CStr, OsStr, c_char, c_int, c_uint},
    fs,
    os::unix::ffi::OsStrExt,
    path::PathBuf,
};

use cute_text::line;

use crate::{
    api::{
        device::of,
        non_null,
        occupancy::{Named, set_attribute},
        write,
    },
    error::{Error, Result},
    functions,
    modules::Unread,
    state::{DriverState, with},
};

/// A text of the program.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for the null pointer.
///
/// # Safety
/// It ends in a NUL.
pub(super) unsafe fn text(at: *const c_char) -> Result<String> {
    let at = non_null(at.cast_mut())?;
    // SAFETY: the caller's.
    Ok(unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned())
}

/// The path of a file.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for the null pointer.
///
/// # Safety
/// It ends in a NUL.
pub(super) unsafe fn path(at: *const c_char) -> Result<PathBuf> {
    let at = non_null(at.cast_mut())?;
    // SAFETY: the caller's.
    Ok(OsStr::from_bytes(unsafe { CStr::from_ptr(at) }.to_bytes()).into())
}

/// Reads a file of the program.
///
/// # Errors
/// [`Error::FILE_NOT_FOUND`].
pub(super) fn contents(file: &PathBuf) -> Result<Vec<u8>> {
    fs::read(file).map_err(|why| {
        let name = file.display().to_string();
        let _ = with(|state| {
            state.launches.remark(&format!("cannot read '{}': {why}", line(&name)));
            Ok(())
        });
        Error::FILE_NOT_FOUND
    })
}

fn refuse(state: &mut DriverState, what: &str, Unread { error, why }: &Unread) -> Error {
    state.launches.remark(&format!("{what}: {why}"));
    *error
}

/// A module with an image, read at once: the program may change the image afterwards.
fn load(to: *mut usize, image: usize) -> Result<()> {
    non_null(to)?;
    if image == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let handle = with(|state| {
        let handle = state.modules.register(image);
        let number = state.modules.number(handle).ok_or(Error::UNKNOWN)?;
        state.modules.code(number, state.settings.target()).map_err(|why| {
            state.modules.unregister(handle);
            refuse(state, "a module", &why)
        })?;
        Ok(handle)
    })?;
    write(to, handle)
}

/// # Safety
/// The path ends in a NUL.
unsafe fn load_file(to: *mut usize, file: *const c_char) -> Result<()> {
    non_null(to)?;
    // SAFETY: the caller's.
    let file = unsafe { path(file) }?;
    let bytes = contents(&file)?;
    let name = format!("module '{}'", line(&file.display().to_string()));
    let handle = with(|state| {
        let loaded = state.modules.register_bytes(&bytes, state.settings.target());
        loaded.map_err(|why| refuse(state, &name, &why))
    })?;
    write(to, handle)
}

/// The names of the kernels of a module.
fn kernels(state: &mut DriverState, module: usize) -> Result<Vec<String>> {
    let number = state.modules.number(module).ok_or(Error::INVALID_HANDLE)?;
    let code = state.modules.code(number, state.settings.target()).map_err(|why| why.error)?;
    Ok(code.kernels.iter().map(|kernel| kernel.name.clone()).collect())
}

/// # Safety
/// The name ends in a NUL.
unsafe fn function(to: *mut usize, module: usize, name: *const c_char) -> Result<()> {
    non_null(to)?;
    // SAFETY: the caller's.
    let name = unsafe { text(name) }?;
    let handle = with(|state| match kernels(state, module)?.contains(&name) {
        true => Ok(state.modules.handle_of(module, &name)),
        false => Err(Error::NOT_FOUND),
    })?;
    write(to, handle)
}

fn count(to: *mut c_uint, module: usize) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| Ok(kernels(state, module)?.len() as c_uint))?)
}

fn enumerate(to: *mut usize, most: c_uint, module: usize) -> Result<()> {
    let to = non_null(to)?;
    with(|state| {
        for (at, name) in kernels(state, module)?.iter().take(most as usize).enumerate() {
            let handle = state.modules.handle_of(module, name);
            // SAFETY: the program passes an array of this length.
            unsafe { to.add(at).write_unaligned(handle) };
        }
        Ok(())
    })
}

/// # Safety
/// The name ends in a NUL.
unsafe fn global(to: *mut u64, bytes: *mut usize, module: usize, name: *const c_char) -> Result<()> {
    // SAFETY: the caller's.
    let name = unsafe { text(name) }?;
    if to.is_null() && bytes.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let (address, size) = with(|state| state.global(module, &name))?;
    if !to.is_null() {
        write(to, address)?;
    }
    if !bytes.is_null() {
        write(bytes, size)?;
    }
    Ok(())
}

fn name(to: *mut *const c_char, function: usize) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| state.modules.name_of(function))?)
}

fn parameter(function: usize, number: usize, at: *mut usize, bytes: *mut usize) -> Result<()> {
    non_null(at)?;
    let (offset, width) = with(|state| {
        let (_, code, name) = state.kernel(function)?;
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::UNKNOWN)?;
        let parameter = kernel.parameters.get(number).ok_or(Error::INVALID_VALUE)?;
        Ok((parameter.offset as usize, parameter.width as usize))
    })?;
    write(at, offset)?;
    if bytes.is_null() { Ok(()) } else { write(bytes, width) }
}

fn module_of(to: *mut usize, function: usize) -> Result<()> {
    non_null(to)?;
    write(to, with(|state| state.modules.module_of(function))?)
}

/// The kernel itself, under another name.
fn same(to: *mut usize, function: usize) -> Result<()> {
    non_null(to)?;
    with(|state| state.modules.function(function).map(|_| ()))?;
    write(to, function)
}

functions! {
    fn cuModuleLoad(to: *mut usize, file: *const c_char) {
        // SAFETY: the program passes a path.
        unsafe { load_file(to, file) }
    }
    fn cuModuleLoadData(to: *mut usize, image: usize) { load(to, image) }
    fn cuModuleLoadDataEx(to: *mut usize, image: usize, _count: c_uint, _options: usize, _values: usize) { load(to, image) }
    fn cuModuleLoadFatBinary(to: *mut usize, image: usize) { load(to, image) }
    fn cuModuleUnload(module: usize) { with(|state| state.unload(module)) }
    fn cuModuleGetFunction(to: *mut usize, module: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { function(to, module, name) }
    }
    fn cuModuleGetFunctionCount(to: *mut c_uint, module: usize) { count(to, module) }
    fn cuModuleEnumerateFunctions(to: *mut usize, most: c_uint, module: usize) { enumerate(to, most, module) }
    fn cuModuleGetGlobal_v2(to: *mut u64, bytes: *mut usize, module: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { global(to, bytes, module, name) }
    }
    fn cuModuleGetLoadingMode(to: *mut c_int) { write(to, 2) }
    fn cuLibraryGetModule(to: *mut usize, library: usize) {
        with(|state| state.modules.number(library).map(|_| ()).ok_or(Error::INVALID_HANDLE))?;
        write(to, library)
    }
    fn cuKernelGetFunction(to: *mut usize, kernel: usize) { same(to, kernel) }
    fn cuKernelGetLibrary(to: *mut usize, kernel: usize) { module_of(to, kernel) }
    fn cuKernelGetName(to: *mut *const c_char, kernel: usize) { name(to, kernel) }
    fn cuKernelGetParamInfo(kernel: usize, number: usize, at: *mut usize, bytes: *mut usize) {
        parameter(kernel, number, at, bytes)
    }
    fn cuFuncGetModule(to: *mut usize, function: usize) { module_of(to, function) }
    fn cuFuncGetName(to: *mut *const c_char, function: usize) { name(to, function) }
    fn cuFuncGetParamInfo(function: usize, number: usize, at: *mut usize, bytes: *mut usize) {
        parameter(function, number, at, bytes)
    }
    fn cuFuncIsLoaded(to: *mut c_int, function: usize) {
        with(|state| state.modules.function(function).map(|_| ()))?;
        write(to, 1)
    }
    fn cuFuncLoad(function: usize) { with(|state| state.modules.function(function).map(|_| ())) }
    fn cudaFuncGetName(to: *mut *const c_char, function: usize) { name(to, function) }
    fn cudaFuncGetParamInfo(function: usize, number: usize, at: *mut usize, bytes: *mut usize) {
        parameter(function, number, at, bytes)
    }
    fn cudaGetFuncBySymbol(to: *mut usize, host: usize) { same(to, host) }
    fn cudaGetKernel(to: *mut usize, host: usize) { same(to, host) }
    fn cudaKernelSetAttributeForDevice(kernel: usize, attribute: c_int, value: c_int, number: c_int) {
        of(number)?;
        set_attribute(Named::Runtime(kernel as *const _), attribute, value)
    }
    fn cudaLibraryLoadData(
        to: *mut usize, image: usize, _options: usize, _values: usize, _count: c_uint, _library_options: usize,
        _library_values: usize, _library_count: c_uint,
    ) {
        load(to, image)
    }
    fn cudaLibraryLoadFromFile(
        to: *mut usize, file: *const c_char, _options: usize, _values: usize, _count: c_uint, _library_options: usize,
        _library_values: usize, _library_count: c_uint,
    ) {
        // SAFETY: the program passes a path.
        unsafe { load_file(to, file) }
    }
    fn cudaLibraryUnload(library: usize) { with(|state| state.unload(library)) }
    fn cudaLibraryGetKernel(to: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { function(to, library, name) }
    }
    fn cudaLibraryGetGlobal(to: *mut u64, bytes: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { global(to, bytes, library, name) }
    }
    fn cudaLibraryGetKernelCount(to: *mut c_uint, library: usize) { count(to, library) }
    fn cudaLibraryEnumerateKernels(to: *mut usize, most: c_uint, library: usize) { enumerate(to, most, library) }
    fn cuLibraryLoadData(
        to: *mut usize, image: usize, _options: usize, _values: usize, _count: c_uint, _library_options: usize,
        _library_values: usize, _library_count: c_uint,
    ) {
        load(to, image)
    }
    fn cuLibraryLoadFromFile(
        to: *mut usize, file: *const c_char, _options: usize, _values: usize, _count: c_uint, _library_options: usize,
        _library_values: usize, _library_count: c_uint,
    ) {
        // SAFETY: the program passes a path.
        unsafe { load_file(to, file) }
    }
    fn cuLibraryUnload(library: usize) { with(|state| state.unload(library)) }
    fn cuLibraryGetKernel(to: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { function(to, library, name) }
    }
    fn cuLibraryGetGlobal(to: *mut u64, bytes: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { global(to, bytes, library, name) }
    }
    fn cuLibraryGetKernelCount(to: *mut c_uint, library: usize) { count(to, library) }
    fn cuLibraryEnumerateKernels(to: *mut usize, most: c_uint, library: usize) { enumerate(to, most, library) }
}

//! The linker of the driver, for PTX: what it makes is again PTX.

use std::{
    collections::BTreeMap,
    ffi::{c_char, c_int, c_uint, c_void},
    sync::{Mutex, PoisonError},
};

use cute_arch::Target;

use crate::{
    api::{
        graph::array,
        library::{contents, path},
        non_null, write,
    },
    device,
    error::{Error, Result},
    fatbin::{DeviceCode, link},
    functions,
    state::with,
};

/// Texts that are to be linked, and the result.
#[derive(Debug, Default)]
struct Linking {
    texts: Vec<String>,
    /// It ends in a NUL, and stays where it is.
    linked: Vec<u8>,
}

/// Those that have begun, by their handles.
static ALL: Mutex<BTreeMap<usize, Linking>> = Mutex::new(BTreeMap::new());

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x30_0000;

/// `CUjitInputType`: PTX, and fat binaries.
const PTX: c_int = 1;
const FAT: c_int = 2;

fn of<T>(handle: usize, call: impl FnOnce(&mut Linking) -> Result<T>) -> Result<T> {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    call(all.get_mut(&handle).ok_or(Error::INVALID_HANDLE)?)
}

fn remark(text: &str) {
    let _ = with(|state| {
        state.launches.remark(text);
        Ok(())
    });
}

fn create(to: *mut usize) -> Result<()> {
    non_null(to)?;
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let handle = all.keys().next_back().map_or(FIRST, |last| last + 16);
    all.insert(handle, Linking::default());
    write(to, handle)
}

fn add(handle: usize, kind: c_int, bytes: &[u8]) -> Result<()> {
    if ![PTX, FAT].contains(&kind) {
        remark("cuLinkAddData: only PTX and fat binaries with PTX can be linked");
        return Err(if (0..=5).contains(&kind) { Error::NO_BINARY_FOR_GPU } else { Error::INVALID_VALUE });
    }
    let target: Target = device::current().target;
    let text =
        DeviceCode::read(bytes).map_err(|why| (Error::INVALID_IMAGE, why.to_string())).and_then(|image| {
            image
                .ptx(target)
                .map(|text| text.into_owned())
                .map_err(|why| (Error::NO_BINARY_FOR_GPU, why.to_string()))
        });
    let text = text.map_err(|(error, why)| {
        remark(&format!("cuLinkAddData: {why}"));
        if kind == PTX { Error::INVALID_PTX } else { error }
    })?;
    of(handle, |own| {
        own.texts.push(text.trim_end_matches('\0').to_owned());
        Ok(())
    })
}

fn complete(handle: usize, to: *mut *const c_void, bytes: *mut usize) -> Result<()> {
    non_null(to)?;
    let linked = of(handle, |own| {
        let texts: Vec<&str> = own.texts.iter().map(String::as_str).collect();
        let linked = match texts[..] {
            [] => return Err(Error::INVALID_VALUE),
            [one] => Ok(one.to_owned()),
            _ => link(&texts).map_err(|why| why.to_string()),
        };
        Ok(linked.map(|text| {
            own.linked = text.into_bytes();
            own.linked.push(0);
            (own.linked.as_ptr(), own.linked.len())
        }))
    })?;
    let (at, length) = linked.map_err(|why| {
        remark(&format!("cuLinkComplete: {why}"));
        Error::INVALID_PTX
    })?;
    write(to, at.cast())?;
    if bytes.is_null() { Ok(()) } else { write(bytes, length) }
}

/// # Safety
/// The path ends in a NUL.
unsafe fn add_file(handle: usize, kind: c_int, file: *const c_char) -> Result<()> {
    // SAFETY: the caller's.
    let file = unsafe { path(file) }?;
    add(handle, kind, &contents(&file)?)
}

functions! {
    fn cuLinkCreate(_count: c_uint, _options: usize, _values: usize, to: *mut usize) { create(to) }
    fn cuLinkCreate_v2(_count: c_uint, _options: usize, _values: usize, to: *mut usize) { create(to) }
    fn cuLinkAddData(
        handle: usize, kind: c_int, data: *const u8, bytes: usize, _name: usize, _count: c_uint, _options: usize, _values: usize,
    ) {
        add(handle, kind, array(data, bytes)?)
    }
    fn cuLinkAddData_v2(
        handle: usize, kind: c_int, data: *const u8, bytes: usize, _name: usize, _count: c_uint, _options: usize, _values: usize,
    ) {
        add(handle, kind, array(data, bytes)?)
    }
    fn cuLinkAddFile(handle: usize, kind: c_int, file: *const c_char, _count: c_uint, _options: usize, _values: usize) {
        // SAFETY: the program passes a path.
        unsafe { add_file(handle, kind, file) }
    }
    fn cuLinkAddFile_v2(handle: usize, kind: c_int, file: *const c_char, _count: c_uint, _options: usize, _values: usize) {
        // SAFETY: the program passes a path.
        unsafe { add_file(handle, kind, file) }
    }
    fn cuLinkComplete(handle: usize, to: *mut *const c_void, bytes: *mut usize) { complete(handle, to, bytes) }
    fn cuLinkDestroy(handle: usize) {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&handle).map(|_| ()).ok_or(Error::INVALID_HANDLE)
    }
}

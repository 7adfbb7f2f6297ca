//! The device code that a program passes to the runtime or the driver by a pointer.

use super::choose::{NoCode, choose};
use super::container::{FatBinary, FatbinError, HEADER, MAGIC};
use super::link::{NotLinked, link};
use super::unpack::text;
use cute_arch::Target;
use cute_launch::ptx::is_ptx;
use std::borrow::Cow;
use std::ffi::{CStr, c_void};

/// How a wrapper begins.
const WRAPPER: u32 = 0x4662_43b1;

/// How an ELF file begins.
const ELF: u32 = u32::from_le_bytes(*b"\x7fELF");

/// Objects of a program, at most.
const MOST_OBJECTS: usize = 1 << 16;

/// The bytes of a fat binary, at most.
const LARGEST: u64 = 1 << 32;

/// Device code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceCode<'a> {
    /// A text of PTX.
    Ptx(&'a str),
    /// An ELF file with machine code.
    Cubin,
    /// A fat binary, from a wrapper of version 1 or without one.
    Fat(FatBinary<'a>),
    /// Relocatable device code: a wrapper of version 2.
    Linked {
        /// The fat binary that the device linker has made.
        linked: FatBinary<'a>,
        /// The fat binaries of the objects that it was made of.
        objects: Vec<FatBinary<'a>>,
    },
}

/// Why device code has no PTX to run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPtx {
    /// It is damaged.
    #[error(transparent)]
    Broken(#[from] FatbinError),
    /// It is for other devices.
    #[error(transparent)]
    NoCode(#[from] NoCode),
    /// The PTX of its objects cannot be linked.
    #[error(transparent)]
    NotLinked(#[from] NotLinked),
    /// The PTX of its objects cannot be linked, and some objects have none.
    #[error("{why}; {count} of the program's objects have no PTX for {device} (the first of them: {first})")]
    Objects {
        /// Why it is not linked.
        why: NotLinked,
        /// The number of the objects without PTX.
        count: usize,
        /// The GPU that the program is to run on.
        device: Target,
        /// The entries of the first of them.
        first: String,
    },
}

/// `__fatBinC_Wrapper_t`, as `fatbinary_section.h` of the toolkit declares it.
#[repr(C)]
struct Wrapper {
    _magic: u32,
    version: u32,
    data: *const u8,
    /// Version 1: a file name, or null. Version 2: the list of the linked fat binaries.
    more: *const *const u8,
}

impl<'a> DeviceCode<'a> {
    /// Reads the device code at a pointer: a wrapper, a fat binary, a cubin, or a text of PTX that
    /// ends in a NUL. The first bytes tell which.
    ///
    /// # Errors
    /// [`FatbinError`] if it is neither of them, or damaged as far as its own headers show.
    ///
    /// # Safety
    /// The pointer is null, or it is what a program passes to `__cudaRegisterFatBinary`,
    /// `cuModuleLoadData`, `cuModuleLoadFatBinary` or `cuLibraryLoadData`: it points to one of
    /// these, which is as long as it claims to be, and nobody changes it during `'a`.
    pub unsafe fn of(pointer: *const c_void) -> Result<Self, FatbinError> {
        let at = pointer.cast::<u8>();
        if at.is_null() {
            return Err(FatbinError::Null);
        }
        let mut first = Vec::with_capacity(4);
        while first.len() < 4 {
            // SAFETY: a text ends in a NUL, and anything else has more than four bytes.
            match unsafe { at.add(first.len()).read() } {
                0 => break,
                byte => first.push(byte),
            }
        }
        match <[u8; 4]>::try_from(&first[..]).map(u32::from_le_bytes) {
            // SAFETY: the caller's.
            Ok(WRAPPER) => unsafe { wrapped(at.cast()) },
            // SAFETY: the caller's.
            Ok(MAGIC) => unsafe { container(at) }.map(Self::Fat),
            Ok(ELF) => Ok(Self::Cubin),
            // SAFETY: it is not another kind of code, and so it is a text that ends in a NUL.
            Ok(_) if is_text(&first) => Self::ptx_of(unsafe { CStr::from_ptr(at.cast()) }.to_bytes()),
            _ => Err(FatbinError::Unknown { first }),
        }
    }

    /// Reads the contents of a file with device code: a fat binary, a cubin, or a text of PTX.
    ///
    /// # Errors
    /// [`FatbinError`] if it is neither of them, or damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, FatbinError> {
        let first = &bytes[..bytes.len().min(4)];
        match <[u8; 4]>::try_from(first).map(u32::from_le_bytes) {
            Ok(MAGIC) => FatBinary::read(bytes).map(Self::Fat),
            Ok(ELF) => Ok(Self::Cubin),
            Ok(_) if is_text(first) => Self::ptx_of(bytes),
            _ => Err(FatbinError::Unknown { first: first.to_vec() }),
        }
    }

    fn ptx_of(bytes: &'a [u8]) -> Result<Self, FatbinError> {
        let text = text(bytes)?;
        if is_ptx(text) {
            return Ok(Self::Ptx(text));
        }
        Err(FatbinError::Unknown { first: bytes[..bytes.len().min(4)].to_vec() })
    }

    /// The PTX that runs on a device, as one text.
    ///
    /// # Errors
    /// [`NoPtx`] if there is none.
    pub fn ptx(&self, device: Target) -> Result<Cow<'a, str>, NoPtx> {
        match self {
            Self::Ptx(text) => Ok(Cow::Borrowed(text)),
            Self::Cubin => Err(NoCode { device, has: vec!["a cubin".into()] }.into()),
            Self::Fat(binary) => Ok(choose(&binary.entries, device)?.text()?),
            Self::Linked { linked, objects } => {
                if let Ok(whole) = choose(&linked.entries, device) {
                    return Ok(whole.text()?);
                }
                let mut texts = Vec::new();
                let mut without: Vec<NoCode> = Vec::new();
                for object in objects {
                    match choose(&object.entries, device) {
                        Ok(entry) => texts.push(entry.text()?),
                        Err(none) => without.push(none),
                    }
                }
                if texts.is_empty() {
                    let all = objects.iter().chain([linked]).flat_map(|binary| &binary.entries);
                    let mut has: Vec<String> = Vec::new();
                    for entry in all.map(ToString::to_string) {
                        if !has.contains(&entry) {
                            has.push(entry);
                        }
                    }
                    return Err(NoCode { device, has }.into());
                }
                let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
                link(&texts).map(Cow::Owned).map_err(|why| match without.first() {
                    Some(first) if matches!(why, NotLinked::Undefined { .. }) => {
                        let (count, first) = (without.len(), first.has.join(", "));
                        NoPtx::Objects { why, count, device, first }
                    }
                    _ => why.into(),
                })
            }
        }
    }
}

/// Whether PTX may begin with these bytes.
fn is_text(first: &[u8]) -> bool {
    first.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}

/// The fat binary at a pointer.
///
/// # Safety
/// There is one, or as many other bytes as the header of one has.
unsafe fn container<'a>(at: *const u8) -> Result<FatBinary<'a>, FatbinError> {
    if at.is_null() {
        return Err(FatbinError::Null);
    }
    // SAFETY: the caller's.
    let header = unsafe { at.cast::<[u8; HEADER]>().read() };
    let first = [header[0], header[1], header[2], header[3]];
    if u32::from_le_bytes(first) != MAGIC {
        return Err(FatbinError::Unknown { first: first.to_vec() });
    }
    let size = FatBinary::size(&header);
    if size > LARGEST {
        return Err(FatbinError::TooLarge { part: "the fat binary", size, most: LARGEST });
    }
    // SAFETY: a fat binary has the bytes that its header says.
    FatBinary::read(unsafe { std::slice::from_raw_parts(at, size as usize) })
}

/// The fat binaries of a wrapper.
///
/// # Safety
/// It is a wrapper.
unsafe fn wrapped<'a>(at: *const Wrapper) -> Result<DeviceCode<'a>, FatbinError> {
    // SAFETY: the caller's.
    let Wrapper { version, data, more, .. } = unsafe { at.read_unaligned() };
    // SAFETY: `data` of a wrapper points to a fat binary.
    let read = || unsafe { container(data) };
    match version {
        1 => read().map(DeviceCode::Fat),
        2 => {
            let linked = read()?;
            let mut objects = Vec::new();
            while !more.is_null() {
                // SAFETY: the list ends with a null pointer, which has not been reached.
                let object = unsafe { more.add(objects.len()).read_unaligned() };
                if object.is_null() {
                    break;
                }
                if objects.len() == MOST_OBJECTS {
                    return Err(FatbinError::TooMany { most: MOST_OBJECTS });
                }
                // SAFETY: the elements of the list point to fat binaries.
                objects.push(unsafe { container(object) }?);
            }
            Ok(DeviceCode::Linked { linked, objects })
        }
        _ => Err(FatbinError::Version { part: "the wrapper", version, known: 2 }),
    }
}

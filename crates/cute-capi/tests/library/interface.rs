//! The interface of the C library, and values that own what it makes.

use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
};

use cute as _;

/// A pointer to one of the structs that the header only declares.
pub type Handle = *mut c_void;

/// `cute_launch`.
#[repr(C)]
pub struct Launch {
    pub kernel: *const c_char,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared_memory: u32,
    pub cluster: [u32; 3],
}

impl Launch {
    pub fn on(grid: [u32; 3]) -> Self {
        Self { kernel: ptr::null(), grid, block: [0; 3], shared_memory: 0, cluster: [0; 3] }
    }
}

/// `cute_argument`.
#[repr(C)]
pub struct Argument {
    pub kind: c_int,
    pub data: *mut c_void,
    pub size: usize,
}

/// `cute_bytes`.
#[repr(C)]
pub struct Bytes {
    pub data: *const c_void,
    pub size: usize,
    pub relocations: *const Relocation,
    pub count: usize,
}

/// `cute_relocation`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Relocation {
    pub offset: usize,
    pub data: *mut c_void,
    pub size: usize,
    pub byte: usize,
}

/// `cute_question`.
#[repr(C)]
pub struct Question {
    pub launch: *const Launch,
    pub function: *const c_char,
    pub arguments: *const *const c_char,
    pub count: usize,
    pub arrays: *const *const c_char,
    pub array_count: usize,
    pub first: i64,
    pub seconds: f64,
    pub through_ptx: c_int,
}

/// `cute_diagnostic`.
#[repr(C)]
pub struct Diagnostic {
    pub severity: c_int,
    pub file: *const c_char,
    pub line: u32,
    pub column: u32,
    pub message: *const c_char,
    pub text: *const c_char,
}

pub type Callback = extern "C" fn(*const Diagnostic, *mut c_void) -> c_int;

unsafe extern "C" {
    pub fn cute_version() -> *const c_char;
    pub fn cute_api_version() -> u32;
    pub fn cute_session_create(api: u32, session: *mut Handle) -> c_int;
    pub fn cute_session_destroy(session: Handle);
    pub fn cute_session_set(session: Handle, option: *const c_char, value: *const c_char) -> c_int;
    pub fn cute_session_message(session: Handle) -> *const c_char;
    pub fn cute_session_on_diagnostic(
        session: Handle,
        callback: Option<Callback>,
        user: *mut c_void,
    ) -> c_int;
    pub fn cute_result_status(result: Handle) -> c_int;
    pub fn cute_result_message(result: Handle) -> *const c_char;
    pub fn cute_result_part(result: Handle, part: c_int, size: *mut usize) -> *const c_void;
    pub fn cute_result_destroy(result: Handle);
    pub fn cute_verify(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_import(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_compile(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_host_c(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        function: *const c_char,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_launches(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        function: *const c_char,
        words: *const u64,
        count: usize,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_simulate(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        launch: *const Launch,
        arguments: *const Argument,
        count: usize,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_simulate_launches(
        session: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        launches: *const c_char,
        result: *mut Handle,
    ) -> c_int;
    pub fn cute_prove(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        question: *const Question,
        r: *mut Handle,
    ) -> c_int;
    pub fn cute_simulate_host(
        s: Handle,
        name: *const c_char,
        text: *const c_char,
        length: usize,
        function: *const c_char,
        arguments: *const Argument,
        count: usize,
        r: *mut Handle,
    ) -> c_int;
}

pub const OK: c_int = 0;
pub const INVALID_ARGUMENT: c_int = 1;
pub const WRONG_VERSION: c_int = 2;
pub const NOT_TEXT: c_int = 3;
pub const FAILED: c_int = 4;
pub const FINDINGS: c_int = 5;
pub const CLOSED: c_int = 6;

pub const CODE: c_int = 0;
pub const MANIFEST: c_int = 1;
pub const LAUNCHES: c_int = 2;
pub const REPORT: c_int = 3;
pub const REPORT_JSON: c_int = 4;
pub const ERROR_JSON: c_int = 7;
pub const REPORT_HTML: c_int = 6;
pub const DIAGNOSTICS: c_int = 5;

/// A session of the library.
pub struct Session(pub Handle);

// SAFETY: the header allows calls from several threads.
unsafe impl Sync for Session {}

impl Session {
    pub fn new(options: &[(&str, &str)]) -> Self {
        let mut session = ptr::null_mut();
        // SAFETY: the pointer is valid.
        assert_eq!(unsafe { cute_session_create(1, &mut session) }, OK);
        let session = Self(session);
        options.iter().for_each(|(option, value)| assert_eq!(session.set(option, value).0, OK, "{option}"));
        session
    }

    /// Sets an option, and returns the status and message.
    pub fn set(&self, option: &str, value: &str) -> (c_int, String) {
        let (option, value) = (CString::new(option).unwrap(), CString::new(value).unwrap());
        // SAFETY: the session is live; the texts end in NULs.
        unsafe {
            let status = cute_session_set(self.0, option.as_ptr(), value.as_ptr());
            (status, said(cute_session_message(self.0)))
        }
    }

    pub fn compile(&self, text: &str) -> Made {
        // SAFETY: all pointers are valid for the call.
        Made::by(|r| unsafe { cute_compile(self.0, c"k.mlir".as_ptr(), text.as_ptr().cast(), text.len(), r) })
    }

    pub fn verify(&self, text: &str) -> Made {
        // SAFETY: as above.
        Made::by(|r| unsafe { cute_verify(self.0, c"k.mlir".as_ptr(), text.as_ptr().cast(), text.len(), r) })
    }

    pub fn simulate(&self, text: &str, launch: &Launch, arguments: &[Argument]) -> Made {
        let (at, count) = (arguments.as_ptr(), arguments.len());
        // SAFETY: as above.
        Made::by(|r| unsafe {
            cute_simulate(self.0, c"k.mlir".as_ptr(), text.as_ptr().cast(), text.len(), launch, at, count, r)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: it is not used afterwards.
        unsafe { cute_session_destroy(self.0) }
    }
}

/// A result of the library.
pub struct Made {
    pub status: c_int,
    raw: Handle,
}

impl Made {
    pub fn by(call: impl FnOnce(*mut Handle) -> c_int) -> Self {
        let mut raw = ptr::null_mut();
        let status = call(&mut raw);
        assert!(!raw.is_null());
        // SAFETY: the result is live.
        assert_eq!(unsafe { cute_result_status(raw) }, status);
        Self { status, raw }
    }

    pub fn message(&self) -> String {
        // SAFETY: the result is live.
        said(unsafe { cute_result_message(self.raw) })
    }

    pub fn bytes(&self, part: c_int) -> Option<Vec<u8>> {
        let mut size = usize::MAX;
        // SAFETY: the result is live, and a part has as many bytes as it says, and a NUL.
        unsafe {
            let at = cute_result_part(self.raw, part, &mut size).cast::<u8>();
            if at.is_null() {
                assert_eq!(size, 0);
                return None;
            }
            assert_eq!(*at.add(size), 0);
            Some(std::slice::from_raw_parts(at, size).to_vec())
        }
    }

    pub fn part(&self, part: c_int) -> String {
        String::from_utf8(self.bytes(part).expect("the result has the part")).unwrap()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: it is not used afterwards.
        unsafe { cute_result_destroy(self.raw) }
    }
}

/// A text of the library.
pub fn said(at: *const c_char) -> String {
    assert!(!at.is_null());
    // SAFETY: the library's texts end in a NUL.
    unsafe { CStr::from_ptr(at) }.to_str().unwrap().to_owned()
}

pub const COPY: &str = include_str!("../../../../examples/copy.mlir");
pub const HOSTS: &str = include_str!("../../../cute-tools/tests/run/dsl/two.mlir");

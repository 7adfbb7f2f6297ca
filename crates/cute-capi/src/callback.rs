//! The callback for diagnostics.

use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
};

use cute_session::{Report, ReportSeverity};

use crate::result::c_string;

/// `cute_diagnostic`.
#[repr(C)]
pub struct Diagnostic {
    severity: c_int,
    file: *const c_char,
    line: u32,
    column: u32,
    message: *const c_char,
    text: *const c_char,
}

/// `cute_diagnostic_callback`.
pub type Callback = unsafe extern "C" fn(*const Diagnostic, *mut c_void) -> c_int;

/// A callback, and what is passed to it.
#[derive(Clone, Copy)]
pub(crate) struct UserCallback {
    pub(crate) callback: Callback,
    pub(crate) user: *mut c_void,
}

// SAFETY: it is called only in the thread of the caller's call, by the header's promise: a session
// of this library starts no threads that report. The pointer is passed on and never followed.
unsafe impl Send for UserCallback {}
// SAFETY: as above.
unsafe impl Sync for UserCallback {}

impl UserCallback {
    /// Calls; whether it wants to hear more.
    pub(crate) fn hear(&self, report: &Report) -> bool {
        let severity = match report.severity {
            ReportSeverity::Error => 0,
            ReportSeverity::Warning => 1,
            ReportSeverity::Note => 2,
            ReportSeverity::Remark => 3,
        };
        let place = report.place.as_ref();
        let file = place.map(|(file, ..)| c_string(file.clone()));
        let number = |n: Option<usize>| n.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let (message, text) = (c_string(report.message.clone()), c_string(report.text.clone()));
        let diagnostic = Diagnostic {
            severity,
            file: file.as_ref().map_or(ptr::null(), |file| file.as_ptr()),
            line: number(place.map(|(_, line, _)| *line)),
            column: number(place.map(|(.., column)| *column)),
            message: message.as_ptr(),
            text: text.as_ptr(),
        };
        // SAFETY: the header asks for a function that may be called so; the texts outlive the call.
        unsafe { (self.callback)(&diagnostic, self.user) == 0 }
    }
}

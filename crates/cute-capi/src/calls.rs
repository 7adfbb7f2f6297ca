//! Verification, import, compilation and host functions.

use std::{ffi::c_char, fmt::Write};

use cute_launch::{Launch, launch};
use cute_session::Source;
use serde_json::json;

use crate::{
    Failure, Status,
    arguments::{elements, source, text},
    result::{CODE, CuteResult, LAUNCHES, MANIFEST, Parts, give},
    session::{CuteSession, shared},
};

/// Runs a call on a session and a text.
///
/// # Safety
/// As for [`shared`], [`source`] and [`give`].
pub(crate) unsafe fn run(
    session: *const CuteSession,
    (name, at, length): (*const c_char, *const c_char, usize),
    out: *mut *mut CuteResult,
    call: impl FnOnce(&CuteSession, Source, &mut Parts) -> Result<(), Failure>,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        give(out, |parts| {
            let session = shared(session)?;
            call(session, source(name, at, length)?, parts)
        })
    }
}

/// `cute_verify`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_verify(
    session: *const CuteSession,
    name: *const c_char,
    text: *const c_char,
    length: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller.
    unsafe {
        run(session, (name, text, length), result, |session, source, parts| {
            session.call(parts, |s| {
                Ok(s.parsed(source, session.domain, |_| Ok::<_, cute_session::Error>(()))?)
            })
        })
    }
}

/// `cute_import`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_import(
    session: *const CuteSession,
    name: *const c_char,
    text: *const c_char,
    length: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller.
    unsafe {
        run(session, (name, text, length), result, |session, source, parts| {
            let module = session.call(parts, |s| Ok(s.import(source, session.domain)?))?;
            parts.set(CODE, module);
            Ok(())
        })
    }
}

/// `cute_compile`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_compile(
    session: *const CuteSession,
    name: *const c_char,
    text: *const c_char,
    length: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller.
    unsafe {
        run(session, (name, text, length), result, |session, source, parts| {
            let request = session.request()?;
            let product = session.call(parts, |s| Ok(s.compile(source, &request)?))?;
            parts.set(CODE, product.bytes);
            if let Some(manifest) = product.manifest {
                parts.set(MANIFEST, manifest);
            }
            Ok(())
        })
    }
}

/// `cute_host_c`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_host_c(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    function: *const c_char,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let function = text("the name of the function", function)?;
            let settings = session.settings()?;
            let c =
                session.call(parts, |s| Ok(s.host_in_c(source, function, session.domain, &settings)?))?;
            parts.set(CODE, c);
            Ok(())
        })
    }
}

/// `cute_launches`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_launches(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    function: *const c_char,
    words: *const u64,
    count: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let function = text("the name of the function", function)?;
            let words = elements("the words", words, count)?;
            let settings = session.settings()?;
            let (launches, manifest) = session.call(parts, |s| {
                s.parsed(source, session.domain, |parsed| {
                    let host = parsed.host(function)?;
                    let wanted = host.function.parameters.len();
                    if wanted != words.len() {
                        let name = &host.program.name;
                        let why =
                            format!("host function '{name}' takes {wanted} words, found {}", words.len());
                        return Err(Failure::argument(why));
                    }
                    let manifest = parsed.lower(&settings)?.manifest()?;
                    let launches = launch::launches(&host.program, &manifest, settings.target, words)?;
                    Ok((launches.iter().map(as_json).collect::<Vec<_>>(), manifest.to_json()))
                })
            })?;
            parts.set(LAUNCHES, serde_json::to_string_pretty(&launches).expect("it is JSON") + "\n");
            parts.set(MANIFEST, manifest);
            Ok(())
        })
    }
}

/// A launch, with the bytes of its parameters.
fn as_json(launch: &Launch<'_>) -> serde_json::Value {
    let parameters = launch.kernel.pack(&launch.words).into_iter().map(|bytes| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    });
    let mut object = json!(launch.shape);
    object["parameters"] = parameters.collect();
    object
}

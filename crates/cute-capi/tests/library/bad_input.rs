//! Bad input: a status and a message for each.

use crate::*;

#[test]
fn null_pointers_are_refused() {
    let session = Session::new(&[("target", "sm_90a")]);
    // SAFETY: null is allowed everywhere, which is what is tested.
    unsafe {
        assert_eq!(cute_session_create(1, ptr::null_mut()), INVALID_ARGUMENT);
        assert_eq!(
            cute_session_set(ptr::null_mut(), c"target".as_ptr(), c"sm_90a".as_ptr()),
            INVALID_ARGUMENT
        );
        assert_eq!(cute_session_set(session.0, ptr::null(), c"sm_90a".as_ptr()), INVALID_ARGUMENT);
        assert_eq!(said(cute_session_message(session.0)), "the option is null");
        assert_eq!(cute_session_set(session.0, c"target".as_ptr(), ptr::null()), INVALID_ARGUMENT);
        assert_eq!(said(cute_session_message(session.0)), "the value is null");
        assert_eq!(cute_compile(session.0, ptr::null(), c"".as_ptr(), 0, ptr::null_mut()), INVALID_ARGUMENT);
        let made = Made::by(|r| cute_compile(ptr::null_mut(), ptr::null(), c"".as_ptr(), 0, r));
        assert_eq!((made.status, made.message().as_str()), (INVALID_ARGUMENT, "the session is null"));
        let made = Made::by(|r| cute_compile(session.0, ptr::null(), ptr::null(), 4, r));
        assert_eq!((made.status, made.message().as_str()), (INVALID_ARGUMENT, "the text is null"));
        let launch = ptr::null();
        let made =
            Made::by(|r| cute_simulate(session.0, ptr::null(), c"".as_ptr(), 0, launch, ptr::null(), 0, r));
        assert_eq!((made.status, made.message().as_str()), (INVALID_ARGUMENT, "the launch is null"));
        cute_session_destroy(ptr::null_mut());
        cute_result_destroy(ptr::null_mut());
        assert_eq!(cute_result_status(ptr::null_mut()), INVALID_ARGUMENT);
        assert_eq!(said(cute_result_message(ptr::null_mut())), "the result is null");
        assert!(cute_result_part(ptr::null_mut(), CODE, ptr::null_mut()).is_null());
    }
}

#[test]
fn another_version_makes_no_session() {
    let mut session = ptr::dangling_mut();
    // SAFETY: the pointer is valid.
    assert_eq!(unsafe { cute_session_create(2, &mut session) }, WRONG_VERSION);
    assert!(session.is_null());
    // SAFETY: these take nothing.
    let (api, version) = unsafe { (cute_api_version(), said(cute_version())) };
    assert_eq!((api, version.as_str()), (1, env!("CARGO_PKG_VERSION")));
    assert!(include_str!("../../include/cute.h").contains(&format!("#define CUTE_API {api}\n")));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let session = Session::new(&[("target", "sm_90a")]);
    for (bytes, why) in [
        (&b"module {\xff}"[..], "is not UTF-8 text (byte 8)"),
        (b"mod\0ule", "has a NUL (byte 3), so it is not a text"),
    ] {
        // SAFETY: the pointers are valid for the call.
        let made = Made::by(|r| unsafe {
            cute_compile(session.0, c"k.mlir".as_ptr(), bytes.as_ptr().cast(), bytes.len(), r)
        });
        let message = format!("'k.mlir' {why}");
        assert_eq!((made.status, made.message()), (NOT_TEXT, message));
    }
    // SAFETY: as above.
    let made = Made::by(|r| unsafe { cute_compile(session.0, c"\xff".as_ptr(), c"".as_ptr(), 0, r) });
    assert_eq!(
        (made.status, made.message().as_str()),
        (NOT_TEXT, "the name of the module is not UTF-8 text (byte 0)")
    );
}

#[test]
fn lengths_beyond_an_address_space_are_refused() {
    let session = Session::new(&[]);
    // SAFETY: the text is not read, because no text has that length.
    let made =
        Made::by(|r| unsafe { cute_verify(session.0, c"m".as_ptr(), c"".as_ptr(), usize::MAX - 1, r) });
    let message = format!("the bytes of the text are too many: {}", usize::MAX - 1);
    assert_eq!((made.status, made.message()), (INVALID_ARGUMENT, message));
}

#[test]
fn inline_assembly_that_llvm_does_not_read_is_an_error() {
    let session = Session::new(&[("target", "sm_90a")]);
    for constraints in ["=f,0,0", "=f,9", ""] {
        let made = session.compile(&format!(
            "gpu.module @m {{ gpu.func @k(%out: !llvm.ptr<1>, %x: f32) kernel {{\n\
             %r = llvm.inline_asm has_side_effects \"foo $0;\", \"{constraints}\" %x, %x : (f32, f32) -> f32\n\
             llvm.store %r, %out : f32, !llvm.ptr<1>\ngpu.return }} }}"
        ));
        assert_eq!(made.status, FAILED);
        let error = format!("k.mlir:2:6: error: 'llvm.inline_asm' op has the constraints \"{constraints}\"");
        assert!(made.part(DIAGNOSTICS).starts_with(&error), "{}", made.part(DIAGNOSTICS));
    }
}

#[test]
fn long_affine_expressions_are_refused() {
    let session = Session::new(&[]);
    for (terms, most) in [("d0 + ", 256), ("- ", 256)] {
        let map = |count: usize| {
            format!(
                "func.func private @f() attributes {{\na = affine_map<(d0) -> ({}d0)>}}",
                terms.repeat(count)
            )
        };
        assert_eq!(session.verify(&map(most)).status, OK);
        let made = session.verify(&map(100_000));
        let message = "'k.mlir' has more than 256 operators in an affine expression (line 2)";
        assert_eq!((made.status, made.message().as_str()), (FAILED, message));
    }
}

/// Not one byte of the array is read: there is nothing to read.
#[test]
fn an_array_without_memory_is_an_error() {
    let session = Session::new(&[("target", "sm_90a")]);
    let text = "gpu.module @m { gpu.func @k(%x: !llvm.ptr<1>) kernel { gpu.return } }";
    let argument = Argument { kind: 1, data: ptr::dangling_mut(), size: 1 << 62 };
    let made = session.simulate(text, &Launch { block: [32, 1, 1], ..Launch::on([1, 1, 1]) }, &[argument]);
    assert_eq!(made.status, INVALID_ARGUMENT);
    let message = "there is no memory for an array of 4611686018427387904 bytes";
    assert!(made.message().ends_with(message), "{}", made.message());
    // SAFETY: as above.
    let made = Made::by(|r| unsafe { cute_verify(session.0, c"m".as_ptr(), c"".as_ptr(), 1 << 62, r) });
    assert_eq!((made.status, made.message().as_str()), (FAILED, "'m' has more than 268435456 bytes"));
}

#[test]
fn texts_that_nest_too_deep_are_refused() {
    let session = Session::new(&[]);
    let nested = |levels: usize| {
        let opened = "scf.execute_region { ".repeat(levels);
        let closed = "scf.yield } ".repeat(levels);
        format!("func.func @f() {{\n{opened}{closed}return }}")
    };
    assert_eq!(session.verify(&nested(200)).status, OK);
    let made = session.verify(&nested(100_000));
    assert_eq!(
        (made.status, made.message().as_str()),
        (FAILED, "'k.mlir' has more than 256 levels of brackets (line 2)")
    );
}

#[test]
fn options_say_what_they_take() {
    let session = Session::new(&[]);
    for (option, value, message) in [
        ("colour", "red", "there is no option 'colour'; cute.h lists the options"),
        ("fmad", "1", "option 'fmad' must be true or false, found '1'"),
        ("emit", "c", "option 'emit' must be assigned, mlir, llvm, ptx, cubin or manifest, found 'c'"),
        ("domain", "any", "option 'domain' must be strict or extend, found 'any'"),
        ("abi", "c", "option 'abi' must be dsl or flat, found 'c'"),
        ("max-registers", "8", "option 'max-registers' must be a number from 16 to 255, found '8'"),
        ("schedule", "late", "option 'schedule' must be lazy, eager, reverse or a seed, found 'late'"),
        ("schedules", "0", "option 'schedules' must be a number from 1 to 100000, found '0'"),
        ("manifest", "", "option 'manifest' must be a path, found ''"),
        ("elect", "32", "option 'elect' must be first, last or a lane from 0 to 31, found '32'"),
        ("libdevice", "/nowhere", "cannot read '/nowhere': No such file or directory"),
        ("cache", "", "option 'cache' must be a path, found ''"),
        ("ptxas", "", "option 'ptxas' must be a path, found ''"),
    ] {
        assert_eq!(session.set(option, value), (INVALID_ARGUMENT, message.to_owned()));
    }
    let (status, message) = session.set("target", "sm_1");
    assert_eq!(status, INVALID_ARGUMENT);
    assert!(
        message.starts_with("option 'target' must be one of sm_80, ") && message.ends_with(", found 'sm_1'")
    );
    assert_eq!(session.set("target", "sm_80"), (OK, String::new()));

    let made = Session::new(&[]).compile(COPY);
    assert_eq!(made.status, INVALID_ARGUMENT);
    assert_eq!(made.message(), "the session has no target; set the option 'target', such as sm_90a");
}

#[test]
fn a_ptxas_that_is_not_there_is_an_error() {
    let session = Session::new(&[("target", "sm_90a"), ("emit", "cubin"), ("ptxas", "/nowhere/ptxas")]);
    let made = session.compile(COPY);
    let message = "the given ptxas, '/nowhere/ptxas', is not an executable file";
    assert_eq!((made.status, made.message().as_str()), (FAILED, message));
    assert!(made.bytes(CODE).is_none());
}

/// Counts, and wants to hear one diagnostic only.
extern "C" fn once(_: *const Diagnostic, count: *mut c_void) -> c_int {
    // SAFETY: the test passes a counter that outlives the call.
    unsafe { *count.cast::<usize>() += 1 };
    1
}

#[test]
fn a_callback_that_closes_ends_the_call() {
    let session = Session::new(&[]);
    let mut count = 0usize;
    let wrong = "func.func @f() { %a = cute.nothing : i32 return }";
    // SAFETY: the counter outlives the calls; a null callback is allowed.
    unsafe {
        assert_eq!(cute_session_on_diagnostic(session.0, Some(once), (&raw mut count).cast()), OK);
        assert_eq!(cute_session_on_diagnostic(ptr::null_mut(), None, ptr::null_mut()), INVALID_ARGUMENT);
    }
    let made = session.verify(wrong);
    assert_eq!((made.status, count), (CLOSED, 1));
    assert_eq!(made.message(), "the callback for diagnostics asked to stop");
    // SAFETY: as above.
    assert_eq!(unsafe { cute_session_on_diagnostic(session.0, None, ptr::null_mut()) }, OK);
    let made = session.verify(wrong);
    assert_eq!((made.status, count), (FAILED, 1));
    assert!(made.part(DIAGNOSTICS).starts_with("k.mlir:1:23: error: "), "{}", made.part(DIAGNOSTICS));
}

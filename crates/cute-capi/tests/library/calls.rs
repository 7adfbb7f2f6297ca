//! The results of the calls.

use crate::*;

/// The diagnostics that a callback has received.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard(Vec<(c_int, String, u32, u32, String, String)>);

extern "C" fn keep(diagnostic: *const Diagnostic, heard: *mut c_void) -> c_int {
    // SAFETY: the library calls with a live diagnostic, and with what the test gave it.
    let (d, heard) = unsafe { (&*diagnostic, &mut *heard.cast::<Heard>()) };
    let file = if d.file.is_null() { String::new() } else { said(d.file) };
    heard.0.push((d.severity, file, d.line, d.column, said(d.message), said(d.text)));
    0
}

#[test]
fn diagnostics_have_a_place_a_message_and_lines_to_print() {
    let session = Session::new(&[]);
    let mut heard = Heard::default();
    // SAFETY: what hears outlives the call.
    unsafe { cute_session_on_diagnostic(session.0, Some(keep), (&raw mut heard).cast()) };
    assert_eq!(session.verify(COPY).status, OK);
    assert_eq!(heard, Heard::default());
    let made = session.verify("func.func @f() {\n  %a = cute.static : !cute.layout<\"4:\">\n  return\n}");
    assert_eq!((made.status, made.message().as_str()), (FAILED, "compilation failed"));
    let [(severity, file, line, column, message, text)] = &heard.0[..] else { panic!("{heard:?}") };
    assert_eq!((*severity, file.as_str(), *line), (0, "k.mlir", 2));
    assert!(text.starts_with(&format!("k.mlir:2:{column}: error: {message}\n  %a = cute.static")), "{text}");
    assert!(text.ends_with("^\n") && made.part(DIAGNOSTICS) == *text, "{text}");
}

#[test]
fn a_module_becomes_ptx_and_a_manifest() {
    let session = Session::new(&[("target", "sm_90a")]);
    let made = session.compile(COPY);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let ptx = made.part(CODE);
    assert!(ptx.contains(".target sm_90a") && ptx.contains(".entry copy"), "{ptx}");
    let manifest: serde_json::Value = serde_json::from_str(&made.part(MANIFEST)).unwrap();
    assert_eq!((&manifest["target"], &manifest["kernels"][0]["name"]), (&"sm_90a".into(), &"copy".into()));
    assert!([LAUNCHES, REPORT, DIAGNOSTICS, -1, 6].iter().all(|part| made.bytes(*part).is_none()));

    for (emit, has) in [("mlir", "llvm.func @copy("), ("llvm", "; ModuleID"), ("manifest", "\"kernels\"")] {
        assert_eq!(session.set("emit", emit).0, OK);
        let made = session.compile(COPY);
        assert!(made.part(CODE).contains(has), "{}", made.part(CODE));
    }
    let limited = Session::new(&[("target", "sm_90a"), ("max-registers", "64")]).compile(COPY);
    assert!(limited.part(CODE).contains(".maxnreg 64\n"), "{}", limited.part(CODE));
    // A text without a length ends in a NUL, and a module may have no name.
    let text = CString::new(COPY).unwrap();
    // SAFETY: the pointers are valid for the call.
    let made = Made::by(|r| unsafe { cute_compile(session.0, ptr::null(), text.as_ptr(), usize::MAX, r) });
    assert_eq!(made.status, OK);
}

/// A kernel as cute-rs writes it.
const MARKED: &str = r#""builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "func.func"() <{arg_attrs = [{}, {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant = unit}, {}], function_type = (i32, !llvm.ptr, i64) -> (), sym_name = "k"}> ({
    ^bb0(%n: i32, %map: !llvm.ptr, %m: i64):
      "nvvm.prefetch"(%map) <{tensormap = unit}> : (!llvm.ptr) -> ()
      "func.return"() : () -> ()
    }) {cute.kernel = unit, gpu.kernel = unit, nvvm.reqntid = array<i32: 32, 2, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module = unit} : () -> ()"#;

#[test]
fn a_module_of_another_producer_becomes_code_and_the_facts_of_a_launch() {
    let session = Session::new(&[("target", "sm_100a"), ("profile", "cute-rs")]);
    let made = session.compile(MARKED);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert!(made.part(CODE).contains(".entry k("));
    let manifest: serde_json::Value = serde_json::from_str(&made.part(MANIFEST)).unwrap();
    let kernel = &manifest["kernels"][0];
    let facts = |fact: &str| {
        kernel["parameters"].as_array().unwrap().iter().map(|p| p[fact].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(
        (&kernel["block"], &kernel["cluster"]),
        (&serde_json::json!([32, 2, 1]), &serde_json::json!([2, 1, 1]))
    );
    assert_eq!(kernel["shared_memory"]["static"], 0);
    assert_eq!(facts("offset"), [Some(0), Some(64), Some(192)]);
    assert_eq!(facts("width"), [Some(4), Some(128), Some(8)]);

    assert_eq!(session.set("profile", "dsl-4.6").0, OK);
    let made = session.compile(MARKED);
    assert_eq!(made.status, FAILED);
    let says = made.part(DIAGNOSTICS);
    assert!(says.starts_with("k.mlir:3:5: error: 'func.func' op has the mark of a kernel"), "{says}");
    assert!(
        says.contains(
            "but the profile is dsl-4.6; all forms of this module are those of the profile cute-rs"
        ),
        "{says}"
    );
    let (status, says) = session.set("profile", "dsl-4.66");
    assert_ne!(status, OK);
    assert!(
        says.starts_with("option 'profile': there is no profile 'dsl-4.66'; there are auto, dsl-4.3"),
        "{says}"
    );
}

#[test]
fn a_fatal_error_of_llvm_fails_one_call() {
    let session = Session::new(&[("target", "sm_80")]);
    let fatal = "gpu.module @m { gpu.func @k() kernel { \
                 llvm.call_intrinsic \"llvm.nvvm.tcgen05.wait.ld\"() : () -> () gpu.return } }";
    let made = session.compile(fatal);
    assert_eq!(made.status, FAILED);
    assert!(made.message().contains("'k.mlir': LLVM cannot compile this: "), "{}", made.message());
    assert_eq!(session.compile(COPY).status, OK);
}

#[test]
fn what_llvm_finds_wrong_is_in_the_message() {
    let session = Session::new(&[("target", "sm_80")]);
    let twice = "gpu.module @m { gpu.func @k(%a: i32) kernel { \
                 llvm.switch %a : i32, ^end [1: ^end, 1: ^end] ^end: gpu.return } }";
    let made = session.compile(twice);
    assert_eq!(made.status, FAILED);
    assert!(made.message().contains("Duplicate integer as switch case"), "{}", made.message());
}

#[test]
fn a_long_line_is_shown_in_part() {
    let session = Session::new(&[]);
    let count = 2000;
    let functions = |i| format!("func.func @f{i}() -> i32 {{ return }} ");
    let made = session.verify(&(0..count).map(functions).collect::<String>());
    let said = made.part(DIAGNOSTICS);
    assert_eq!((made.status, said.matches("error: ").count()), (FAILED, count));
    assert!(said.len() < 2000 * count, "{} bytes", said.len());
}

#[test]
fn host_functions_become_launches_and_c() {
    let session = Session::new(&[("target", "sm_90a")]);
    let (text, length) = (HOSTS.as_ptr().cast(), HOSTS.len());
    let words: [u64; 8] = [0x1000, 100, 0x2000, 100, 0x3000, 100, 1, 0];
    // SAFETY: the pointers are valid for the calls.
    let made = Made::by(|r| unsafe {
        cute_launches(
            session.0,
            c"k.mlir".as_ptr(),
            text,
            length,
            ptr::null(),
            words.as_ptr(),
            words.len(),
            r,
        )
    });
    assert_eq!(made.status, OK, "{}", made.message());
    let launches: serde_json::Value = serde_json::from_str(&made.part(LAUNCHES)).unwrap();
    assert_eq!(launches.as_array().unwrap().len(), 3);
    assert_eq!(launches[0]["kernel"], "square");
    assert_eq!(launches[0]["grid"], serde_json::json!([2, 1, 1]));
    let first = launches[0]["parameters"][0].as_str().unwrap();
    assert!(first.starts_with("00100000000000006400"), "{first}");

    // SAFETY: as above.
    let made = Made::by(|r| unsafe {
        cute_launches(session.0, ptr::null(), text, length, c"other".as_ptr(), words.as_ptr(), 2, r)
    });
    let message = "there is no host function 'other' in 'module'; it has host";
    assert_eq!((made.status, made.message().as_str()), (FAILED, message));
    // SAFETY: as above.
    let made = Made::by(|r| unsafe {
        cute_launches(session.0, ptr::null(), text, length, c"host".as_ptr(), words.as_ptr(), 2, r)
    });
    let message = "host function 'host' takes 8 words, found 2";
    assert_eq!((made.status, made.message().as_str()), (INVALID_ARGUMENT, message));
    // SAFETY: as above.
    let made =
        Made::by(|r| unsafe { cute_host_c(session.0, c"k.mlir".as_ptr(), text, length, ptr::null(), r) });
    assert!(made.part(CODE).contains("cuLaunchKernelEx"), "{}", made.part(CODE));
}

#[test]
fn a_module_of_cute_dsl_is_imported() {
    let session = Session::new(&[]);
    let old = r#"module attributes {gpu.container_module} {
      gpu.module @kernels {
        cuda.kernel @k() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
          %c = arith.constant 1.0 : f32
          %v = vector.splat %c : vector<4xf32>
          cuda.return
        }
      }
    }"#;
    // SAFETY: the pointers are valid for the call.
    let made = Made::by(|r| unsafe {
        cute_import(session.0, c"k.mlir".as_ptr(), old.as_ptr().cast(), old.len(), r)
    });
    assert_eq!(made.status, OK, "{}", made.message());
    assert!(made.part(CODE).contains("vector.broadcast"), "{}", made.part(CODE));
    assert!(made.part(DIAGNOSTICS).starts_with("note: 'k.mlir' is a module of CuTe DSL; rewrote 1 op"));
}

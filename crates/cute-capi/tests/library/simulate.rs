//! Simulations, and the arguments of kernels and host functions.

use crate::*;

/// An array for each of two matrices, and the values that are passed with them.
fn matrices(source: &mut [f32], target: &mut [f32], sizes: &mut [u64; 3]) -> Vec<Argument> {
    let [m, n, pitch] = sizes.each_mut().map(|size| (&raw mut *size).cast::<c_void>());
    let view = |data: &mut [f32]| {
        let array = Argument { kind: 1, data: data.as_mut_ptr().cast(), size: size_of_val(data) };
        let sizes = [(m, 4), (n, 4), (pitch, 8)].map(|(data, size)| Argument { kind: 0, data, size });
        [array].into_iter().chain(sizes)
    };
    view(source).chain(view(target)).collect()
}

#[test]
fn a_kernel_runs_in_the_simulator() {
    let session = Session::new(&[("target", "sm_90a")]);
    let mut source: Vec<f32> = (0..33 * 132).map(|i| i as f32).collect();
    let mut target = vec![0.0; source.len()];
    let mut sizes = [33, 132, 132];
    let arguments = matrices(&mut source, &mut target, &mut sizes);
    let made = session.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert_eq!(source, target);
    let report: serde_json::Value = serde_json::from_str(&made.part(REPORT_JSON)).unwrap();
    assert!(report.is_object() && made.part(REPORT).contains("copy"), "{}", made.part(REPORT));

    assert!(made.bytes(REPORT_HTML).is_none());

    // A page, with the same numbers.
    let recorder = Session::new(&[("target", "sm_90a"), ("html", "true")]);
    let made = recorder.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    let page = made.part(REPORT_HTML);
    assert_eq!((made.status, page.starts_with("<!DOCTYPE html>")), (OK, true));
    assert!(
        page.contains("No findings: `copy` ran to the end.")
            && page.contains("<svg ")
            && page.contains("<tr id=\"L1\""),
        "{page}"
    );

    // Half an array: the kernel reaches beyond it, and nothing is copied back.
    let mut target = vec![7.0; source.len()];
    let mut arguments = matrices(&mut source, &mut target, &mut sizes);
    arguments[4].size /= 2;
    let made = session.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!(made.status, FINDINGS);
    assert!(made.message().starts_with("kernel 'copy' has ") && made.part(REPORT).contains("of buffer dst"));
    assert!(target.iter().all(|x| *x == 7.0));

    // Unless that is asked for; a finding that ends the run is accepted, but the run is not whole.
    let accepting = Session::new(&[("target", "sm_90a"), ("allow", "out_of_bounds@k.mlir")]);
    let made = accepting.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!(made.status, OK, "{}", made.message());
    assert!(made.part(REPORT_JSON).contains("\"accepted\"") && target.iter().all(|x| *x == 7.0));
    let keeping = Session::new(&[("target", "sm_90a"), ("keep-arrays", "true")]);
    let made = keeping.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!(made.status, FINDINGS);
    assert!(target.iter().any(|x| *x != 7.0));
}

#[test]
fn a_sample_of_the_blocks_runs() {
    let mut source: Vec<f32> = (1..=33 * 132).map(|i| i as f32).collect();
    let mut target = vec![0.0; source.len()];
    let mut sizes = [33, 132, 132];
    let arguments = matrices(&mut source, &mut target, &mut sizes);
    let session = Session::new(&[("target", "sm_90a"), ("only-blocks", "first,(1,1)")]);
    let made = session.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let report: serde_json::Value = serde_json::from_str(&made.part(REPORT_JSON)).unwrap();
    assert_eq!(report["sample"], serde_json::json!({ "blocks": 2, "of": 4 }));
    assert!(target[0] == 1.0 && target.contains(&0.0));
    let session = Session::new(&[("target", "sm_90a"), ("only-blocks", "4")]);
    let made = session.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert!(made.message().contains("block 4 is not in the grid 2,2,1 of 4 blocks"), "{}", made.message());
}

#[test]
fn a_kernel_runs_as_ptx() {
    let session = Session::new(&[("target", "sm_90a")]);
    let text = ".version 8.7 .target sm_90a .address_size 64
        .visible .entry twice(.param .u64 data, .param .b32 n)
        {
          .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
          ld.param.b64 %rd1, [data]; ld.param.b32 %r1, [n];
          mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1;
          @%p1 bra E;
          mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;
          ld.global.u32 %r3, [%rd3]; add.u32 %r4, %r3, %r3; st.global.u32 [%rd3], %r4;
          E: ret;
        }";
    let (mut data, mut n) = ([1u32, 2, 3, 4], 3u32);
    let launch = Launch { block: [4, 1, 1], ..Launch::on([1, 1, 1]) };
    let mut arguments = [
        Argument { kind: 1, data: data.as_mut_ptr().cast(), size: 16 },
        Argument { kind: 0, data: (&raw mut n).cast(), size: 4 },
    ];
    let made = session.simulate(text, &launch, &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert_eq!(data, [2, 4, 6, 4]);
    // The target is that of the PTX, unless the session has one. A newer version is a warning.
    let made = Session::new(&[]).simulate(&text.replace("8.7", "9.9"), &launch, &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let warning = "warning: k.mlir: PTX 9.9 is newer than 9.4, ";
    assert!(made.part(DIAGNOSTICS).starts_with(warning), "{}", made.part(DIAGNOSTICS));
    // Another word is an address that nothing has.
    let mut word = 64u64;
    arguments[0] = Argument { kind: 0, data: (&raw mut word).cast(), size: 8 };
    let made = session.simulate(text, &launch, &arguments);
    assert_eq!(made.status, FINDINGS, "{}", made.message());
    assert!(made.part(REPORT).contains("k.mlir:9: `ld.global.u32`"), "{}", made.part(REPORT));
}

#[test]
fn a_parameter_of_bytes_has_addresses_in_it() {
    // struct { int *x; int n; int a; int *count; } s
    let text = ".version 8.7 .target sm_90a .address_size 64
        .visible .entry fill(.param .align 8 .b8 s[24])
        {
          .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<5>;
          ld.param.b64 %rd1, [s]; ld.param.b32 %r1, [s+8]; ld.param.b32 %r2, [s+12]; ld.param.b64 %rd4, [s+16];
          mov.u32 %r3, %tid.x; setp.ge.u32 %p1, %r3, %r1;
          @%p1 bra E;
          mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2;
          atom.global.add.u32 %r4, [%rd4], 1;
          E: ret;
        }";
    let launch = Launch { block: [4, 1, 1], ..Launch::on([1, 1, 1]) };
    let session = Session::new(&[("target", "sm_90a")]);
    let (mut x, mut count) = ([0u32; 6], [0u32, 40]);
    let params: [u32; 6] = [!0, !0, 3, 7, !0, !0];
    let all = [
        Relocation { offset: 0, data: x.as_mut_ptr().cast(), size: 24, byte: 8 },
        Relocation { offset: 16, data: count.as_mut_ptr().cast(), size: 8, byte: 4 },
    ];
    let run = |relocations: &[Relocation], (size, own): (usize, usize)| {
        let (data, count) = (params.as_ptr().cast(), relocations.len());
        let mut bytes = Bytes { data, size, relocations: relocations.as_ptr(), count };
        let argument = Argument { kind: 3, data: (&raw mut bytes).cast(), size: own };
        session.simulate(text, &launch, &[argument])
    };
    let whole = (24, size_of::<Bytes>());
    let made = run(&all, whole);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert_eq!((x, count), ([0, 0, 7, 7, 7, 0], [0, 43]));
    let with = |change: fn(&mut Relocation)| {
        let mut changed = all;
        change(&mut changed[1]);
        changed
    };
    for (relocations, sizes, why) in [
        (with(|r| r.offset = 12), whole, "an address is at byte 12, but its place must be a multiple of 8"),
        (
            with(|r| r.offset = 24),
            whole,
            "an address at byte 24 has 8 bytes, which are not all among the 24 bytes",
        ),
        (with(|r| r.offset = 0), whole, "replaces bytes that an address at byte 0 replaces already"),
        (with(|r| r.byte = 9), whole, "&s at byte 16+9 is beyond its array, which has 8 bytes"),
        (with(|r| r.data = ptr::null_mut()), whole, "its bytes are null"),
        (with(|r| r.offset = 8), (16, size_of::<Bytes>()), "parameter 's' has 24 bytes, but 16 are given"),
        (all, (24, 8), "its size is 8, but a cute_bytes has 32 bytes"),
    ] {
        let made = run(&relocations, sizes);
        assert_eq!(made.status, INVALID_ARGUMENT, "{why}");
        assert!(made.message().contains(why), "{why}: {}", made.message());
    }
    let word = ".version 8.7 .target sm_90a .address_size 64 .visible .entry k(.param .u64 s) { ret; }";
    let (data, size) = (params.as_ptr().cast(), 24);
    let mut bytes = Bytes { data, size, relocations: ptr::null(), count: 0 };
    let argument = Argument { kind: 3, data: (&raw mut bytes).cast(), size: size_of::<Bytes>() };
    let made = session.simulate(word, &launch, &[argument]);
    assert!(
        made.message().ends_with("is .u64, not a parameter of bytes: give it a value"),
        "{}",
        made.message()
    );
}

/// The elected thread must not have the number `n`.
const ELECTED: &str = ".version 8.7 .target sm_90a .address_size 64
    .visible .entry elected(.param .u64 data, .param .b32 n)
    {
      .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
      ld.param.b64 %rd1, [data]; ld.param.b32 %r1, [n]; mov.u32 %r2, %tid.x;
      elect.sync %r3|%p1, -1;
      setp.eq.and.u32 %p2, %r2, %r1, %p1;
      @%p2 trap;
      @%p1 st.global.u32 [%rd1], %r2;
      ret;
    }";

#[test]
fn a_session_chooses_the_elected_lane() {
    let run = |options: &[(&str, &str)], n: u32| {
        let session = Session::new(&[&[("target", "sm_90a")], options].concat());
        let (mut data, mut n) = ([99u32], n);
        let arguments = [
            Argument { kind: 1, data: data.as_mut_ptr().cast(), size: 4 },
            Argument { kind: 0, data: (&raw mut n).cast(), size: 4 },
        ];
        let launch = Launch { block: [32, 1, 1], ..Launch::on([1, 1, 1]) };
        let made = session.simulate(ELECTED, &launch, &arguments);
        (made.status, data[0], made.part(REPORT))
    };
    for (options, lane) in [
        (&[][..], 0),
        (&[("elect", "7")], 7),
        (&[("elect", "last")], 31),
        (&[("schedule", "reverse")], 31),
        (&[("schedule", "reverse"), ("elect", "first")], 0),
    ] {
        let (status, stored, report) = run(options, 50);
        assert_eq!((status, stored), (OK, lane), "{report}");
        // The lowest lane is that of devices.
        let (status, stored, report) = run(options, lane);
        let is_devices = options == [("schedule", "reverse")];
        assert_eq!((status, stored), if is_devices { (OK, 0) } else { (FINDINGS, 99) }, "{report}");
        assert_eq!(report.contains("relies on the lane that `elect.sync`"), is_devices, "{report}");
    }
}

/// The elected thread stores its number; the barrier makes the kernel asynchronous.
const OPEN: &str = ".version 8.7 .target sm_90a .address_size 64
    .visible .entry k(.param .u64 out)
    {
      .reg .b64 %rd<3>; .reg .b32 %r<6>; .reg .pred %p<3>; .shared .align 8 .b64 bar;
      ld.param.u64 %rd1, [out]; mov.u32 %r4, %tid.x; setp.ne.u32 %p2, %r4, 0;
      @%p2 bra next;
      mov.u32 %r2, bar; mbarrier.init.shared.b64 [%r2], 1;
      next: elect.sync %r3|%p1, -1; @%p1 st.global.b32 [%rd1], %r4;
      ret;
    }";

#[test]
fn an_asynchronous_kernel_runs_under_several_schedules() {
    let run = |options: &[(&str, &str)]| {
        let mut out = [99u8, 0, 0, 0];
        let argument = Argument { kind: 1, data: out.as_mut_ptr().cast(), size: 4 };
        let launch = Launch { block: [32, 1, 1], ..Launch::on([1, 1, 1]) };
        let made = Session::new(options).simulate(OPEN, &launch, &[argument]);
        assert_eq!((made.status, made.message()), (OK, String::new()));
        let report: serde_json::Value = serde_json::from_str(&made.part(REPORT_JSON)).unwrap();
        (out[0], made.part(REPORT), report)
    };
    let (out, text, report) = run(&[]);
    assert_eq!(report["schedules"], serde_json::json!(["lazy", "eager", "reverse"]));
    let difference = &report["differences"][0];
    assert_eq!((out, &difference["array"]), (0, &"out: u8[4]".into()));
    let why = "note: out: u8[4] depends on the schedule, although no run has an error: 1 of 4 elements differ, the first at \
               [0]: 0 under lazy, 31 under reverse";
    assert!(text.contains(why), "{text}");
    // One schedule, or two, have no difference.
    for (options, schedules) in [
        ([("schedule", "reverse")], serde_json::json!(["reverse"])),
        ([("schedules", "2")], serde_json::json!(["lazy", "eager"])),
    ] {
        let (_, text, report) = run(&options);
        assert!(!text.contains("depends on the schedule") && report["differences"].is_null(), "{text}");
        assert_eq!(report["schedules"], schedules);
    }
}

#[test]
fn too_little_shared_memory_is_refused() {
    let session = Session::new(&[("target", "sm_90a")]);
    let text = "gpu.module @m { gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>,\n\
                cute.dynamic_shared_memory = 4000 : i64} { gpu.return } }";
    for (shared_memory, status) in [(0, OK), (4000, OK), (3999, INVALID_ARGUMENT)] {
        let made = session.simulate(text, &Launch { shared_memory, ..Launch::on([1, 1, 1]) }, &[]);
        let message = "kernel 'k': shared_memory = 3999 is too small: the kernel needs 4000 bytes of dynamic shared \
                       memory. Omit shared_memory";
        assert_eq!((made.status, made.message().as_str()), (status, if status == OK { "" } else { message }));
    }
}

#[test]
fn ptx_has_the_parameters_of_its_manifest() {
    let compiled = Session::new(&[("target", "sm_90a")]).compile(COPY);
    let (ptx, manifest) = (compiled.part(CODE), compiled.part(MANIFEST));
    let folder = std::env::temp_dir().join(format!("cute-capi-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("k.ptx.json");
    std::fs::write(&file, manifest).unwrap();
    // The numbers of the manifest's parameters, of which one breaks a promise.
    let (mut source, mut target, mut sizes) = ([0.0f32; 8], [0.0f32; 8], [1, 6, 8]);
    let arguments = matrices(&mut source, &mut target, &mut sizes);
    let launch = Launch::on([1, 1, 1]);
    let session = Session::new(&[("manifest", file.to_str().unwrap())]);
    let made = session.simulate(&ptx, &launch, &arguments);
    assert_eq!(made.status, INVALID_ARGUMENT);
    assert!(made.message().contains("parameter 'src': the extent of mode 1"), "{}", made.message());
    let made = Session::new(&[]).simulate(&ptx, &launch, &arguments);
    assert!(!made.message().contains("parameter 'src'"), "{}", made.message());
    std::fs::remove_dir_all(&folder).unwrap();
    let made = session.simulate(&ptx, &launch, &arguments);
    assert_eq!(made.status, FAILED);
    assert!(made.message().starts_with(&format!("cannot read '{}': ", file.display())), "{}", made.message());
}

#[test]
fn arguments_are_checked_before_a_launch() {
    let session = Session::new(&[("target", "sm_90a")]);
    let (mut source, mut target, mut sizes) = ([0.0f32; 8], [0.0f32; 8], [1, 6, 8]);
    let launch = Launch::on([1, 1, 1]);
    let refused = |arguments: &[Argument], launch: &Launch| {
        let made = session.simulate(COPY, launch, arguments);
        assert_eq!(made.status, INVALID_ARGUMENT);
        made.message()
    };
    let mut arguments = matrices(&mut source, &mut target, &mut sizes);
    let message = refused(&arguments, &launch);
    assert!(message.contains("parameter 'src': the extent of mode 1") && message.contains('6'), "{message}");
    let message = refused(&arguments[1..], &launch);
    assert!(message.starts_with("kernel 'copy': it is passed 8 values (src !llvm.ptr<1>, "), "{message}");
    arguments[1].size = 8;
    let message = refused(&arguments, &launch);
    let why = "is i32, which has 4 bytes, but the value has 8";
    assert!(message.starts_with("argument 2: parameter 'src': ") && message.ends_with(why), "{message}");
    arguments[1].kind = 2;
    assert!(refused(&arguments, &launch).ends_with("is i32, not a pointer: give it a value"));
    arguments[1].kind = 9;
    assert!(refused(&arguments, &launch).ends_with("9 is not a kind of argument"));
    (arguments[1].kind, arguments[1].size) = (0, 4);
    (arguments[0].kind, arguments[0].size) = (0, 8);
    assert!(refused(&arguments, &launch).ends_with(": give it an array, or the null pointer"));
    arguments[0].kind = 1;
    sizes[1] = 8;
    let arguments = matrices(&mut source, &mut target, &mut sizes);
    let message = refused(&arguments, &Launch::on([1, 0, 1]));
    assert_eq!(message, "kernel 'copy': its grid is [1, 0, 1], but its extents must be positive");
    let message = refused(&arguments, &Launch { block: [64, 1, 1], ..Launch::on([1, 1, 1]) });
    assert_eq!(message, "kernel 'copy': its block is [64, 1, 1], but it was compiled for [256, 1, 1]");
}

#[test]
fn arrays_that_a_kernel_reads_may_be_constant() {
    static SOURCE: [f32; 33 * 132] = [1.0; 33 * 132];
    let session = Session::new(&[("target", "sm_90a")]);
    let (mut target, mut sizes) = (vec![0.0; SOURCE.len()], [33, 132, 132]);
    let mut arguments = matrices(&mut [], &mut target, &mut sizes);
    arguments[0].data = SOURCE.as_ptr().cast_mut().cast();
    arguments[0].size = size_of_val(&SOURCE);
    let made = session.simulate(COPY, &Launch::on([2, 2, 1]), &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert_eq!(target, SOURCE);
}

#[test]
fn arrays_that_overlap_are_refused() {
    let session = Session::new(&[("target", "sm_90a")]);
    let (mut both, mut sizes) = (vec![0.0f32; 12], [1, 8, 8]);
    let (source, target) = (both.as_mut_ptr(), both[4..].as_mut_ptr());
    let mut arguments = matrices(&mut [], &mut [], &mut sizes);
    for (i, data) in [(0, source), (4, target)] {
        (arguments[i].data, arguments[i].size) = (data.cast(), 32);
    }
    let made = session.simulate(COPY, &Launch::on([1, 1, 1]), &arguments);
    assert_eq!(made.status, INVALID_ARGUMENT);
    let why = "an array of 32 bytes and one of 32 bytes, 16 bytes after its start, overlap; pass one array";
    assert_eq!(made.message(), format!("kernel 'copy': {why}"));
}

unsafe extern "C" {
    fn fesetround(mode: c_int) -> c_int;
    fn fegetround() -> c_int;
}

/// `FE_UPWARD` and `FE_TONEAREST` of x86-64 and of 64-bit ARM.
const UPWARD: c_int = if cfg!(target_arch = "x86_64") { 0x800 } else { 0x400000 };
const NEAREST: c_int = 0;

#[test]
fn the_callers_rounding_does_not_matter_and_stays() {
    const SUM: &str = "gpu.module @m { gpu.func @k(%out: !llvm.ptr<1>, %a: f32, %b: f32) kernel { \
                       %s = llvm.fadd %a, %b : f32 llvm.store %s, %out : f32, !llvm.ptr<1> gpu.return } }";
    let session = Session::new(&[("target", "sm_90a")]);
    let (mut out, mut a, mut b) = ([0.0f32], 1.0f32, 1e-10f32);
    let number = |x: &mut f32| Argument { kind: 0, data: (&raw mut *x).cast(), size: 4 };
    let arguments =
        [Argument { kind: 1, data: out.as_mut_ptr().cast(), size: 4 }, number(&mut a), number(&mut b)];
    let launch = Launch { block: [1, 1, 1], ..Launch::on([1, 1, 1]) };
    // SAFETY: only this thread rounds upwards, and no arithmetic of Rust happens meanwhile.
    let (made, mode) = unsafe {
        fesetround(UPWARD);
        let made = session.simulate(SUM, &launch, &arguments);
        let mode = fegetround();
        fesetround(NEAREST);
        (made, mode)
    };
    assert_eq!((made.status, made.message(), mode), (OK, String::new(), UPWARD));
    assert_eq!(out, [1.0]);
}

#[test]
fn host_functions_make_the_descriptors_of_their_kernels() {
    const TRANSPOSE: &str = include_str!("../../../../examples/tma/transpose.mlir");
    let (rows, columns) = (72usize, 136usize);
    let session = Session::new(&[("target", "sm_90a")]);
    let mut a: Vec<u16> = (0..rows * columns).map(|i| i as u16).collect();
    let mut b = vec![0u16; a.len()];
    let mut sizes = [rows as u64, columns as u64];
    let [m, n] = sizes.each_mut().map(|size| (&raw mut *size).cast::<c_void>());
    let view = |data: &mut [u16], [m, n]: [*mut c_void; 2]| {
        let array = Argument { kind: 1, data: data.as_mut_ptr().cast(), size: size_of_val(data) };
        let sizes = [(m, 4), (n, 4), (n, 8)].map(|(data, size)| Argument { kind: 0, data, size });
        [array].into_iter().chain(sizes)
    };
    let stream = Argument { kind: 2, data: ptr::null_mut(), size: 0 };
    let arguments: Vec<_> = view(&mut a, [m, n]).chain(view(&mut b, [n, m])).chain([stream]).collect();
    let simulate = |function: *const std::ffi::c_char, arguments: &[Argument]| {
        let (text, length) = (TRANSPOSE.as_ptr().cast(), TRANSPOSE.len());
        let (at, count) = (arguments.as_ptr(), arguments.len());
        // SAFETY: the pointers are valid for the call.
        Made::by(|r| unsafe {
            cute_simulate_host(session.0, c"t.mlir".as_ptr(), text, length, function, at, count, r)
        })
    };
    let made = simulate(ptr::null(), &arguments);
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let expected: Vec<u16> =
        (0..columns).flat_map(|j| (0..rows).map(move |i| (i * 136 + j) as u16)).collect();
    assert_eq!(b, expected);
    let reports: serde_json::Value = serde_json::from_str(&made.part(REPORT_JSON)).unwrap();
    assert_eq!(reports.as_array().map(Vec::len), Some(1));

    let made = simulate(c"other".as_ptr(), &arguments);
    assert_eq!(made.status, FAILED);
    let made = simulate(ptr::null(), &arguments[1..]);
    assert_eq!(made.status, INVALID_ARGUMENT);
    assert!(
        made.message().starts_with("host function 'host': it is passed 9 values ("),
        "{}",
        made.message()
    );
}

#[test]
fn a_failure_has_the_id_of_the_rule_and_the_place() {
    let error = |made: &Made| -> serde_json::Value {
        let report: serde_json::Value = serde_json::from_str(&made.part(ERROR_JSON)).unwrap();
        assert_eq!(report["version"], 1, "{report}");
        report["error"].clone()
    };
    let session = Session::new(&[("target", "sm_90a")]);
    let text = ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k() {\n.reg .b32 %r<2>;\nmov.u32 %r1, nobody;\nret;\n}\n";
    let made = session.simulate(text, &Launch::on([1, 1, 1]), &[]);
    let told = error(&made);
    assert_eq!((made.status, &told["id"]), (FAILED, &"malformed-undeclared-name".into()));
    assert_eq!((&told["place"]["line"], &told["message"]), (&6.into(), &made.message().into()));
    let made = session.simulate(COPY, &Launch::on([1 << 31, 1, 1]), &[]);
    assert_eq!(made.status, INVALID_ARGUMENT, "{}", made.message());
    assert!(error(&made)["place"].is_null(), "{}", error(&made));

    // The diagnostics state the reason of others.
    let made = session.simulate("func.func @f() {\n  bad\n}", &Launch::on([1, 1, 1]), &[]);
    let told = error(&made);
    assert_eq!(
        (made.status, &told["id"], &told["place"]["line"]),
        (FAILED, &serde_json::Value::Null, &2.into())
    );
    assert!(told["message"].as_str().is_some_and(|text| text.contains("custom op 'bad'")), "{told}");

    let (mut source, mut target, mut sizes) = (vec![0f32; 16], vec![0f32; 16], [4, 4, 4]);
    let made =
        session.simulate(COPY, &Launch::on([1, 1, 1]), &matrices(&mut source, &mut target, &mut sizes));
    assert!(made.status == OK && made.bytes(ERROR_JSON).is_none(), "{}", made.message());
}

#[test]
fn launches_set_variables() {
    let session = Session::new(&[]);
    let text = ".version 8.7 .target sm_90a .address_size 64
        .const .align 4 .u32 scale = 1;
        .visible .entry check() .reqntid 1 { .reg .pred %p<2>; .reg .b32 %r<2>;
        ld.const.u32 %r1, [scale]; setp.eq.u32 %p1, %r1, 4; @%p1 ret; trap; }";
    let run = |variables: &str| {
        let launches = format!(
            "{{\"variables\": {{{variables}}}, \"operations\": [{{\"launch\": \"check\", \"grid\": [1]}}]}}"
        );
        let launches = CString::new(launches).unwrap();
        let (at, length) = (text.as_ptr().cast(), text.len());
        // SAFETY: the pointers are valid for the call.
        Made::by(|r| unsafe {
            cute_simulate_launches(session.0, c"k.ptx".as_ptr(), at, length, launches.as_ptr(), r)
        })
    };
    let made = run("\"scale\": \"u32=4\"");
    assert_eq!((made.status, made.message()), (OK, String::new()));
    assert_eq!(run("").status, FINDINGS);
    let made = run("\"skale\": \"u32=4\"");
    assert!(made.message().contains("did you mean 'scale'?"), "{}", made.message());
}

#[test]
fn launches_in_streams_are_checked_against_each_other() {
    let session = Session::new(&[]);
    let text = ".version 8.7 .target sm_90a .address_size 64
        .visible .entry store(.param .u64 x) .reqntid 1 { .reg .b64 %d<2>; .reg .b32 %r<2>;
        ld.param.u64 %d1, [x]; mov.u32 %r1, %clock; st.global.u32 [%d1], %r1; ret; }";
    let run = |between: &str| {
        let launch = |stream: &str| {
            format!("{{\"launch\": \"store\", \"grid\": [1], \"args\": [\"&X\"], \"stream\": \"{stream}\"}}")
        };
        let (first, second) = (launch("s"), launch("default"));
        let launches = format!(
            "{{\"arrays\": {{\"X\": \"i32[1]\"}}, \"streams\": {{\"s\": \"nonblocking\"}},
              \"operations\": [{first}, {between} {second}, {{\"copy\": {{\"to\": \"X\", \"from\": \"X\"}}}}]}}"
        );
        let launches = CString::new(launches).unwrap();
        let (at, length) = (text.as_ptr().cast(), text.len());
        // SAFETY: the pointers are valid for the call.
        Made::by(|r| unsafe {
            cute_simulate_launches(session.0, c"k.ptx".as_ptr(), at, length, launches.as_ptr(), r)
        })
    };
    let made = run("{\"set\": \"X\", \"value\": 1, \"async\": true, \"stream\": \"s\"},");
    assert_eq!(made.status, FINDINGS, "{}", made.message());
    assert!(
        made.part(REPORT).contains("in stream s, for which stream default has not waited"),
        "{}",
        made.part(REPORT)
    );
    let made = run("{\"synchronize\": true},");
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let reports: serde_json::Value = serde_json::from_str(&made.part(REPORT_JSON)).unwrap();
    assert_eq!(reports.as_array().map(Vec::len), Some(2));
    let made = run("{\"wait\": \"e\"},");
    assert_eq!(made.status, FAILED);
    assert_eq!(made.message(), "operations[1].wait: no operation records event 'e'; no event is");
}

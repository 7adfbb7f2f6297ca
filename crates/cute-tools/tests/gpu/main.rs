//! `cutec run --gpu` without a GPU: with no driver, and with one that is made for these tests.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

const KERNELS: &str = r#"gpu.module @m {
  gpu.func @twice(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32) kernel {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = nvvm.read.ptx.sreg.ntid.x : i32
    %base = arith.muli %b, %s : i32
    %i = arith.addi %base, %t : i32
    %in = arith.cmpi slt, %i, %n : i32
    cf.cond_br %in, ^in, ^out
  ^in:
    %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %px : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %py : f32, !llvm.ptr<1>
    cf.br ^out
  ^out:
    gpu.return
  }
  gpu.func @kinds(%p: !llvm.ptr<1>, %a: i8, %b: i64, %c: f16, %d: f64, %e: i1, %f: bf16, %g: i16, %h: f32, %q: !llvm.ptr)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
  cuda.kernel @structs(%n: i32, %view: !cute.memref<f32, gmem, "(?,?):(?{i64},1)">, %d: !cute.fast_divmod_divisor<32>, %s: !cute.layout<"4:1">)
      attributes {gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    cuda.return
  }
}
"#;

/// A folder with the kernels, in which libraries are looked for first.
struct Place(TempDir);

impl Place {
    fn new(library: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("k.mlir"), KERNELS).unwrap();
        library(folder.path());
        Self(folder)
    }

    fn without_driver() -> Self {
        // As the loader stops at a file that is not a library, a driver that is installed does not
        // matter.
        Self::new(|folder| {
            fs::write(folder.join("libcuda.so.1"), "no library, but long enough: ".repeat(10)).unwrap()
        })
    }

    fn with_driver() -> Self {
        Self::new(|folder| {
            let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gpu/driver.c");
            let mut compiler = Command::new("cc");
            compiler.args(["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", source, "-o"]);
            assert!(compiler.arg(folder.join("libcuda.so.1")).status().unwrap().success());
            // The name under which cudarc looks for it first.
            fs::copy(folder.join("libcuda.so.1"), folder.join("libcuda.so")).unwrap();
        })
    }

    /// Exit code, standard output and error of `cutec run k.mlir --gpu` with these arguments and
    /// this environment.
    fn run(&self, arguments: &str, environment: &[(&str, &str)]) -> (Option<i32>, String, String) {
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        c.current_dir(&self.0).args(["run", "k.mlir", "--gpu"]).args(arguments.split_whitespace());
        let output =
            c.env("LD_LIBRARY_PATH", self.0.path()).envs(environment.iter().copied()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    fn has(&self, file: &str) -> bool {
        self.0.path().join(file).exists()
    }
}

const TWICE: &str =
    "--kernel twice --grid 2 --block 64 --arg x:f32[10x10]=range --arg y:f32[10x10] --arg 100";

#[test]
fn without_a_driver_it_says_so_and_writes_nothing() {
    let place = Place::without_driver();
    let (code, out, err) = place.run(&format!("{TWICE} --out y=y.npy"), &[]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.starts_with("error: no CUDA driver: libcuda.so.1 could not be loaded ("), "{err}");
    assert!(err.ends_with("invalid ELF header)\n"), "{err}");
    assert!(!place.has("y.npy"));
}

#[test]
fn arrays_go_to_the_device_and_come_back() {
    let place = Place::with_driver();
    let (code, out, err) = place.run(&format!("{TWICE} --out y=y.npy"), &[]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "twice on Fake GPU 0 (sm_90a, PTX): 0.5000 ms between events\n"),
        "{err}"
    );
    let file = npyz::NpyFile::new(fs::File::open(place.0.path().join("y.npy")).unwrap()).unwrap();
    assert_eq!(file.shape(), [10, 10]);
    assert_eq!(file.into_vec::<f32>().unwrap(), (0..100).map(|i| 2.0 * i as f32).collect::<Vec<_>>());

    let (_, out, _) =
        place.run(&format!("{TWICE} --report json"), &[("FAKE_MAJOR", "8"), ("FAKE_MINOR", "8")]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        report,
        serde_json::json!({
            "version": 1, "kernel": "twice", "device": "Fake GPU 0", "target": "sm_87", "code": "PTX", "milliseconds": 0.5
        })
    );
}

#[test]
fn every_parameter_is_passed_as_its_ptx_declares_it() {
    let place = Place::with_driver();
    let arguments = "--kernel kinds --grid 3,2,4 --arg null --arg -2 --arg -3 --arg 1 --arg 1 --arg 1 --arg -1 \
        --arg 65535 --arg 2.5 --arg f16[0] --shared 100000";
    let (code, _, err) = place.run(arguments, &[]);
    assert_eq!(code, Some(0), "{err}");
    let (launch, array) = err.trim().rsplit_once(' ').unwrap();
    assert_eq!(
        launch,
        "launch kinds grid 3 2 4 block 32 1 1 shared 100000: 0000000000000000 fe fffffffffffffffd 3c00 \
         3ff0000000000000 01 bf80 ffff 40200000"
    );
    // An empty array has an address all the same.
    assert!(u64::from_str_radix(array, 16).is_ok_and(|a| a != 0) && array.len() == 16, "{array}");
}

/// A host function whose kernel has no arguments, in clusters of two blocks, and of four where the
/// device can have so many.
const HOST: &str = r#"module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @idle() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      cuda.return
    }
  }
  func.func @host(%s: !cuda.stream) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %none = arith.constant 0 : i64
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c8, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 3>
    cuda.launch_cfg.cooperative[%cfg] %c1 : !cuda.launch_cfg<max_attrs = 3>, i32
    cuda.launch_cfg.cluster_dim[%cfg] (%c2, %c1, %c1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    cuda.launch_cfg.preferred_cluster_dim[%cfg] (%c4, %c1, %c1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    %r = cuda.launch_ex @kernels::@idle<%cfg> () : !cuda.launch_cfg<max_attrs = 3>, () -> !cuda.result
    return
  }
}
"#;

#[test]
fn the_driver_gets_the_attributes_of_a_launch() {
    let place = Place::with_driver();
    fs::write(place.0.path().join("k.mlir"), HOST).unwrap();
    let (code, out, err) = place.run("--host", &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(
        out.starts_with(
            "launch 1: idle with grid [8, 1, 1], block [32, 1, 1], cluster [2, 1, 1], preferred cluster [4, 1, 1]"
        ),
        "{out}"
    );
    let attributes = "cluster 2 1 1 preferred 4 1 1 attribute 2 1";
    assert_eq!(err, format!("launch idle grid 8 1 1 block 32 1 1 shared 0 {attributes}:\n"));
}

/// The launches of a host function in a module of CuTe DSL: of each the text before its parameters,
/// and the parameters, highest byte first.
fn launches(file: &str, arguments: &str, capability: &str) -> Vec<(String, Vec<String>)> {
    let place = Place::with_driver();
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run").join(file);
    fs::copy(module, place.0.path().join("k.mlir")).unwrap();
    let (code, _, err) = place.run(&format!("--host {arguments}"), &[("FAKE_MAJOR", capability)]);
    assert_eq!(code, Some(0), "{file}: {err}");
    let launches = err.lines().filter_map(|line| line.strip_prefix("launch ")?.split_once(':'));
    launches.map(|(shape, all)| (shape.into(), all.split_whitespace().map(String::from).collect())).collect()
}

#[test]
fn host_functions_of_cute_dsl_launch_their_kernels() {
    // Two kernels, of which one is launched twice, with arrays of 100 elements.
    let arguments = "--arg x:f32[100]=range --arg t:f32[100] --arg y:f32[100] --arg negate:i32=1";
    let all = launches("dsl/two.mlir", arguments, "9");
    let [(square, first), (fold, second), (again, third)] = &all[..] else { panic!("{all:?}") };
    let fifty = "grid 2 1 1 block 64 1 1 shared 0";
    assert_eq!([square, fold, again], [&format!("square {fifty}"), &format!("fold {fifty}"), fold]);
    // An extent after the address, and the struct's padding.
    assert!(first[0].len() == 32 && first[0].starts_with("0000000000000064"), "{first:?}");
    assert_eq!((&first[1], &first[2]), (&second[0], &"00000064".to_owned()));
    assert_eq!((&second[..3], &second[3], &third[3]), (&third[..3], &"3f800000".into(), &"bf800000".into()));

    // The bytes of shared memory that the kernel allocates.
    let arguments = "--arg x:f32[64x3]=random(3) --arg y:f32[64x3] --arg i32[3]";
    let all = launches("versions/v45.mlir", arguments, "10");
    let [(reverse, _)] = &all[..] else { panic!("{all:?}") };
    assert_eq!(reverse, "reverse grid 3 1 1 block 32 1 1 shared 384");

    // Clusters.
    let all = launches("versions/v46.mlir", "--arg x:f32[32x4]=random(4) --arg y:f32[32x4]", "10");
    let [(meet, _)] = &all[..] else { panic!("{all:?}") };
    assert_eq!(meet, "meet grid 4 1 1 block 32 1 1 shared 8 cluster 2 1 1");

    // A divisor that the host prepares: its shifts, the multiplier, and 5 itself.
    let all = launches("dsl/divmod.mlir", "--arg f32[35]=range --arg f32[7x5] --arg 5", "9");
    let [(spread, parameters)] = &all[..] else { panic!("{all:?}") };
    assert_eq!((spread.as_str(), parameters.len()), ("spread grid 1 1 1 block 64 1 1 shared 0", 4));
    assert_eq!(parameters[2], "000002019999999a00000005");
}

#[test]
fn structs_are_passed_as_c_lays_them_out() {
    let place = Place::with_driver();
    let arguments = "--kernel structs --grid 1 --arg 1 --arg null --arg 2 --arg 3 --arg 4 --arg 5 --arg 6 --arg 7 --arg 8";
    let launch = |abi: &str| {
        let (code, _, err) = place.run(&format!("{arguments} {abi}"), &[]);
        assert_eq!(code, Some(0), "{err}");
        err.trim().rsplit_once(": ").unwrap().1.to_owned()
    };
    // A struct's bytes, highest first: stride, extents, address; and two bytes of padding, shifts,
    // multiplier, divisor.
    let structs = "00000001 000000000000000400000003000000020000000000000000 000008070000000600000005";
    assert_eq!(launch(""), structs);
    assert_eq!(launch("--abi dsl"), structs);
    let leaves =
        "00000001 0000000000000000 00000002 00000003 0000000000000004 00000005 00000006 00000007 00000008";
    assert_eq!(launch("--abi flat"), leaves);
}

#[test]
fn the_two_places_are_compared() {
    let place = Place::with_driver();
    let compared = format!("{TWICE} --compare --out y=y.npy");
    let (code, out, err) = place.run(&compared, &[("FAKE_WRONG", "23")]);
    assert_eq!(code, Some(1));
    assert!(
        err.ends_with("error: 1 of 2 arrays differ from the simulator's; 'y.npy' is not written\n"),
        "{err}"
    );
    assert_eq!(
        out,
        "twice on Fake GPU 0 (sm_90a, PTX): 0.5000 ms between events\n\
         x: f32[10x10]: all 100 elements have the simulator's bits\n\
         y: f32[10x10]: 1 of 100 elements differ, the first at [2, 3]: 47 on the GPU, 46 in the simulator; largest error \
         1e0, relative 2.1739130434782608e-2\n"
    );
    assert!(!place.has("y.npy"));

    let (code, out, _) =
        place.run(&format!("{compared} --tolerance 0.1 --report json"), &[("FAKE_WRONG", "23")]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &report["arrays"][1]["beyond"], &report["arrays"][1]["max_absolute"]),
        (Some(0), &0.into(), &1.0.into())
    );
    assert_eq!(
        (&report["simulator"]["stats"]["threads"], &report["gpu"]["target"]),
        (&128.into(), &"sm_90a".into())
    );
    assert!(place.has("y.npy"));
}

#[test]
fn what_the_simulator_finds_wrong_is_not_run_on_the_device() {
    let place = Place::with_driver();
    let (code, out, err) = place.run(&format!("{} --compare", TWICE.replace("--arg 100", "--arg 101")), &[]);
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'twice' has 1 finding\n"));
    assert!(out.contains("4 bytes at byte 400 of buffer x, which has 400 bytes"), "{out}");
}

#[test]
fn what_fails_is_named_and_nothing_is_written() {
    let place = Place::with_driver();
    let says = |arguments: &str, environment: &[(&str, &str)], text: &str| {
        let (code, out, err) = place.run(&format!("{TWICE} --out y=y.npy {arguments}"), environment);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.ends_with(&format!("error: {text}\n")), "{err}");
        assert!(!place.has("y.npy"));
    };
    says("", &[("FAKE_DEVICES", "0")], "the CUDA driver finds no device");
    says("", &[("FAKE_VERSION", "12060")], "the CUDA driver is for CUDA 12.6, but --gpu needs 12.8 or later");
    says(
        "",
        &[("FAKE_MAJOR", "7"), ("FAKE_MINOR", "5")],
        "no target runs on Fake GPU 0 (compute capability 7.5); the oldest is sm_80",
    );
    says(
        "--target sm_100a",
        &[],
        "--target sm_100a does not run on Fake GPU 0 (compute capability 9.0); leave it out for sm_90a",
    );
    let illegal = "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)";
    for (function, step) in [
        ("cuDeviceGetName", "identify the GPU"),
        ("cuModuleLoadData", "load the code"),
        ("cuMemAllocAsync", "copy arrays to the GPU"),
        ("cuLaunchKernelEx", "run kernel 'twice'"),
        ("cuStreamSynchronize", "run kernel 'twice'"),
        ("cuMemcpyDtoHAsync_v2", "copy arrays from the GPU"),
    ] {
        says("", &[("FAKE_FAILS", function)], &format!("cannot {step}: {illegal}"));
    }
    says(
        "--shared 60000",
        &[("FAKE_FAILS", "cuFuncSetAttribute")],
        &format!("cannot give kernel 'twice' 60000 bytes of shared memory: {illegal}"),
    );
    says(
        "--shared 232449",
        &[],
        "kernel 'twice': it needs 232449 bytes of shared memory, but sm_90a has at most 232448 per block",
    );
    says(
        "--array B:f32[1x4x4x8] --array M:tensor_map(B,lower=0x0,upper=0x0,channels=8,pixels=8)",
        &[],
        "--arg tensor_map(B): im2col maps are for the simulator alone, because the words in which the driver encodes \
         them are not public; run without --gpu",
    );
    says(
        "--array B:f32[8x8] --array M:tensor_map(B,box=8x8,fill=nan)",
        &[],
        "--arg tensor_map(B): the fill is NaN: how the driver encodes it is not known",
    );
    says("--tolerance 1", &[], "the following required arguments were not provided: --compare");
    says(
        "--budget 9",
        &[],
        "--budget applies to the simulator, which does not run with --gpu; add --compare to run both",
    );
}

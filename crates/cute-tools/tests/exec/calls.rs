//! Calls of programs reach the library, whatever they were linked with.

use super::*;
use std::collections::BTreeSet;

#[test]
fn each_version_of_the_runtime_is_answered() {
    let place = Place::new();
    for (version, soname) in [(12090, "libcudart.so.12"), (13000, "libcudart.so.13")] {
        let library = place.library(soname, soname, &FUNCTIONS);
        place.program("p", &(CUDA.to_owned() + VERSIONS), &library);
        let run = place.cutec("exec -- ./p");
        assert_eq!((run.code, run.out), (Some(0), format!("0 {version} 13000\n")), "{}", run.err);
        // The loader finds the version node, and says nothing.
        assert_eq!(run.err, "cutec exec: no kernel was launched\n");
    }
}

#[test]
fn a_path_in_the_program_does_not_win() {
    let place = Place::new();
    let library = place.library("nvidia", "libcudart.so.12", &FUNCTIONS);
    let path = format!("-Wl,--disable-new-dtags,-rpath,{}", library.parent().unwrap().display());
    place.compile("p", &(CUDA.to_owned() + VERSIONS), &[library.to_str().unwrap(), &path]);
    let alone = Run::from(place.command("./p").output().unwrap());
    assert_eq!(alone.out, "-2 0 0\n", "without cutec it finds the other library");
    let run = place.cutec("exec -- ./p");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 12090 13000\n"), "{}", run.err);
}

#[test]
fn the_driver_is_found_by_its_name() {
    let place = Place::new();
    let source = "#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *driver = dlopen(\"libcuda.so.1\", RTLD_NOW);
  int version = 0;
  int (*get)(int *) = driver ? dlsym(driver, \"cuDriverGetVersion\") : 0;
  int error = get ? get(&version) : -1;
  printf(\"%d %d\\n\", error, version);
  return 0;
}
";
    place.compile("p", source, &["-ldl"]);
    let run = place.cutec("exec -- ./p");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 13000\n"), "{}", run.err);
}

/// Programs of CUDA call the runtime before main, and after it.
#[test]
fn constructors_and_destructors_may_call() {
    let place = Place::new();
    let source = "static void say(const char *when) {
  int version = 0, error = cudaRuntimeGetVersion(&version);
  printf(\"%s %d %d\\n\", when, error, version);
}
__attribute__((constructor)) static void before(void) { say(\"before\"); }
__attribute__((destructor)) static void after(void) { say(\"after\"); }
int main(void) { say(\"main\"); return 0; }
";
    let library = place.library("nvidia", "libcudart.so.13", &FUNCTIONS);
    place.program("p", &(CUDA.to_owned() + source), &library);
    let run = place.cutec("exec -- ./p");
    assert_eq!(run.out, "before 0 13000\nmain 0 13000\nafter 0 13000\n", "{}", run.err);
}

/// A program that makes an im2col map with the driver, and launches a kernel that loads by it.
const IM2COL: &str = r#"#include <stdio.h>
typedef unsigned long long u64;
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuMemAlloc_v2(u64 *, size_t), cuMemcpyHtoD_v2(u64, const void *, size_t), cuMemcpyDtoH_v2(void *, u64, size_t);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuTensorMapEncodeIm2col(void *, int, unsigned, u64, const u64 *, const u64 *, const int *, const int *, unsigned,
                            unsigned, const unsigned *, int, int, int, int);
static const char PTX[] = ".version 8.7\n.target sm_90a\n.address_size 64\n"
  ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {"
  " .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 bar; .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<4>;"
  " mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [out];"
  " @%p1 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0; @!%p1 bra WAIT;"
  " mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;"
  " cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd1, {0, -1, 0}], [bar], {1};"
  "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;"
  " shl.b32 %r1, %r1, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; ld.shared.u32 %r3, [%r2];"
  " cvt.u64.u32 %rd3, %r1; add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r3; ret; }";
int main(void) {
  void *context, *module, *kernel;
  static _Alignas(64) char map[128];
  int data[2 * 4 * 4], out[32], lower[1] = {-1}, upper[1] = {-2}, low[1] = {3};
  u64 images, to, extents[3] = {4, 4, 2}, strides[2] = {16, 64};
  unsigned steps[3] = {1, 1, 1};
  for (int i = 0; i < 32; i++) data[i] = 10 * (i / 4) + i % 4;
  int error = cuInit(0) | cuDevicePrimaryCtxRetain(&context, 0) | cuCtxSetCurrent(context);
  error |= cuMemAlloc_v2(&images, sizeof data) | cuMemAlloc_v2(&to, sizeof out);
  error |= cuMemcpyHtoD_v2(images, data, sizeof data) | cuModuleLoadData(&module, PTX) | cuModuleGetFunction(&kernel, module, "k");
  int wrong = cuTensorMapEncodeIm2col(map, 3, 3, images, extents, strides, low, upper, 4, 8, steps, 0, 0, 0, 0);
  error |= cuTensorMapEncodeIm2col(map, 3, 3, images, extents, strides, lower, upper, 4, 8, steps, 0, 0, 0, 0);
  void *arguments[2] = {map, &to};
  error |= cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0) | cuMemcpyDtoH_v2(out, to, sizeof out);
  printf("%d %d:", error, wrong);
  for (int i = 0; i < 32; i += 4) printf(" %d", out[i]);
  printf("\n");
  return 0;
}
"#;

#[test]
fn the_driver_makes_maps_of_im2col() {
    let place = Place::new();
    let names = IM2COL.split(['(', ' ']).filter(|word| word.starts_with("cu")).collect::<BTreeSet<_>>();
    let library = place.library("nvidia", "libcuda.so.1", &Vec::from_iter(names));
    place.program("p", IM2COL, &library);
    let run = place.cutec("exec -- ./p");
    // The box has the pixels -1 to 1 of each image, and the offset moves it to 0 to 2.
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 1: 0 10 20 40 50 60 0 0\n"), "{}", run.err);
    let why = "cuTensorMapEncodeIm2col: the bounding box along mode 1 is from 3 to 1: the lower corner is at or before";
    assert!(run.err.contains(why) && run.err.ends_with("no findings\n"), "{}", run.err);
}

#[test]
fn a_call_that_is_not_answered_fails_and_is_counted() {
    let place = Place::new();
    let source = "int main(void) {
  int error = 0;
  for (int i = 0; i < 3; i++) error = cudaEGLStreamConsumerDisconnect(0);
  return error == 801 ? 7 : 8;
}
";
    let library = place.library("nvidia", "libcudart.so.13", &FUNCTIONS);
    place.program("p", &(CUDA.to_owned() + source), &library);
    let run = place.cutec("exec -- ./p");
    let err = "cutec exec: cudaEGLStreamConsumerDisconnect is not supported\n\
               cutec exec: no kernel was launched\n\
               cutec exec: not supported: cudaEGLStreamConsumerDisconnect (3 calls)\n";
    assert_eq!((run.code, run.err.as_str()), (Some(7), err));

    let run = place.cutec("exec --report json -- ./p");
    let last = run.out.lines().last().expect("a line");
    let summary: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(summary["unsupported"]["cudaEGLStreamConsumerDisconnect"], 3);
    assert_eq!((&summary["exit"], &summary["findings"]), (&7.into(), &0.into()));
    assert_eq!(run.err, "cutec exec: cudaEGLStreamConsumerDisconnect is not supported\n");
}

#[test]
fn a_program_that_cutec_did_not_start_is_told_so_once() {
    let place = Place::new();
    let source = "int main(void) {
  int version = 0, error = cudaRuntimeGetVersion(&version);
  printf(\"%d %d\\n\", error, cudaDriverGetVersion(&version));
  return cudaGetErrorString(error)[0] == 0;
}
";
    let folder = place.cutec("--libdir").out;
    for soname in ["libcudart.so.12", "libcudart.so.13"] {
        let library = place.library(soname, soname, &FUNCTIONS);
        place.program("p", &(CUDA.to_owned() + source), &library);
        let run = Run::from(place.command("./p").env("LD_LIBRARY_PATH", folder.trim()).output().unwrap());
        let err = "error: this program was not started by `cutec exec`, so CUDA calls fail: run `cutec exec -- PROGRAM`\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "35 35\n", err));
    }
}

#[test]
fn a_library_that_does_not_load_is_an_error_of_each_call() {
    let place = Place::new();
    let library = place.library("nvidia", "libcudart.so.13", &FUNCTIONS);
    place.program("p", &(CUDA.to_owned() + VERSIONS), &library);
    let folder = place.cutec("--libdir").out;
    let mut command = place.command("./p");
    command.env("LD_LIBRARY_PATH", folder.trim()).env("CUTE_CUDA_LIBRARY", "/nowhere/libcute_cuda.so");
    let run = Run::from(command.output().unwrap());
    assert_eq!((run.code, run.out.as_str()), (Some(0), "70 0 0\n"));
    assert!(run.err.starts_with("error: CUDA calls fail: /nowhere/libcute_cuda.so: "), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

/// nvcc links programs with the static runtime unless it is told otherwise.
#[test]
fn a_program_may_be_linked_with_the_static_library() {
    let place = Place::new();
    for (argument, version) in [("--libdir", 13000), ("--libdir=12", 12090)] {
        let folder = place.cutec(argument).out;
        let folder = format!("-L{}", folder.trim());
        let source = CUDA.to_owned() + VERSIONS;
        place.compile(
            "p",
            &source,
            &[&folder, "-lcudadevrt", "-lcudart_static", "-lrt", "-lpthread", "-ldl"],
        );
        let run = place.cutec("exec -- ./p");
        assert_eq!((run.code, run.out), (Some(0), format!("0 {version} 13000\n")), "{}", run.err);
        place.compile("p", &source, &[&folder, "-lcudart"]);
        let run = place.cutec("exec -- ./p");
        assert_eq!((run.code, run.out), (Some(0), format!("0 {version} 13000\n")), "{}", run.err);
    }
}

/// Arguments in registers and on the stack survive the first call, which looks for the function.
#[test]
fn the_first_call_passes_what_the_second_does() {
    let place = Place::new();
    let answer = "#include <stdio.h>
#include <string.h>
struct five { int x, y, z, w, f; };
static int nine(long a, long b, long c, long d, long e, long f, long g, double h, float i) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + h + i == 204 ? 5 : 6;
}
static struct five five(int x, int y, int z, int w, int f) { struct five all = {x, y, z, w, f}; return all; }
const void *cute_cuda_function(const char *name) {
  if (!strcmp(name, \"cudaMemcpy3D@13\")) return nine;
  return strcmp(name, \"cudaCreateChannelDesc@13\") ? 0 : five;
}
int cute_cuda_missing(const char *name) { printf(\"missing %s\\n\", name); return 801; }
";
    place.compile("answer.so", answer, &["-shared", "-fPIC"]);
    let source = "#include <stdio.h>
struct five { int x, y, z, w, f; };
int cudaMemcpy3D(long, long, long, long, long, long, long, double, float), cudaFree(void *);
struct five cudaCreateChannelDesc(int, int, int, int, int);
int main(void) {
  setbuf(stdout, 0);
  for (int i = 0; i < 2; i++) {
    struct five all = cudaCreateChannelDesc(1, 2, 3, 4, 5);
    printf(\"%d %d%d%d%d%d\\n\", cudaMemcpy3D(1, 2, 3, 4, 5, 6, 7, 40, 24), all.x, all.y, all.z, all.w, all.f);
  }
  printf(\"%d\\n\", cudaFree(0));
  return 0;
}
";
    let folder = place.cutec("--libdir").out;
    place.compile("p", source, &[&format!("-L{}", folder.trim()), "-lcudart"]);
    let mut command = place.command("./p");
    command.env("LD_LIBRARY_PATH", folder.trim()).env("CUTE_CUDA_LIBRARY", place.path("answer.so"));
    let run = Run::from(command.output().unwrap());
    assert_eq!(run.out, "5 12345\n5 12345\nmissing cudaFree@13\n801\n", "{run:?}");
}

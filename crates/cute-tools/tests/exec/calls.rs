//! Calls of programs reach the library, whatever they were linked with.

use super::*;

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

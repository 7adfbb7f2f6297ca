//! Programs that cannot use the simulator are refused, each with the way out.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn executable(place: &Place, name: &str, contents: &[u8]) {
    fs::write(place.path(name), contents).unwrap();
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_program_must_be_there() {
    let place = Place::new();
    fs::create_dir(place.path("folder")).unwrap();
    fs::write(place.path("k.cu"), "__global__ void k() {}\n").unwrap();
    fs::write(place.path("data"), "0\n").unwrap();
    executable(&place, "text", b"echo no\n");
    executable(&place, "empty", b"");
    let mut other = fs::read("/bin/sh").unwrap();
    // The machine 8 is MIPS.
    other[18] = 8;
    executable(&place, "mips", &other);
    other.truncate(70);
    executable(&place, "cut", &other);
    let cases = [
        ("./none", "there is no program './none': the file does not exist"),
        (
            "k.cu",
            "there is no program 'k.cu': no folder of PATH has it; for a file of this folder, write ./ before it",
        ),
        ("./folder", "'./folder' is a folder, not a program"),
        ("./data", "'./data' may not be executed; chmod +x allows it"),
        ("./k.cu", "'./k.cu' is not a program for this machine; compile it first: nvcc -cudart shared"),
        ("./text", "'./text' is not a program for this machine"),
        ("./empty", "'./empty' is not a program for this machine"),
        ("./mips", "'./mips' is not a program for this machine"),
        ("./cut", "'./cut' is not a program for this machine"),
        ("", "the following required arguments were not provided: <PROGRAM>..."),
    ];
    for (program, message) in cases {
        assert_eq!(place.refused(program), message);
    }
}

#[test]
fn a_runtime_of_another_version_is_named() {
    let place = Place::new();
    let library = place.library("nvidia", "libcudart.so.11.0", &FUNCTIONS);
    place.program("p", &(CUDA.to_owned() + VERSIONS), &library);
    assert_eq!(
        place.refused("./p"),
        "'./p' was linked with libcudart.so.11.0, but only the runtimes of CUDA 12 and 13 are answered: compile it with one of \
         these"
    );
}

/// A section of the name that nvcc uses for kernels.
const KERNELS: &str = "__attribute__((section(\".nv_fatbin\"))) const char kernels[] = \"k\";\n";

/// Words of NVIDIA's static runtime.
const WORDS: &str = "const char *volatile words[] =
  {\"cuGetExportTable\", \"CUDA driver version is insufficient for CUDA runtime version\"};
";

#[test]
fn nvidias_static_runtime_is_refused() {
    let place = Place::new();
    let main = "int main(void) { return words[0] == words[1]; }\n";
    place.compile("kernels", &(KERNELS.to_owned() + WORDS + main), &[]);
    assert_eq!(
        place.refused("./kernels"),
        "'./kernels' contains NVIDIA's runtime, which accepts NVIDIA's driver alone: link it with `nvcc -cudart shared`, or with \
         `nvcc -L$(cutec --libdir)`"
    );
    // Without kernels it may be anything.
    place.compile("words", &(WORDS.to_owned() + main), &[]);
    let run = place.cutec("exec ./words");
    assert_eq!(run.code, Some(0));
    assert!(run.err.starts_with("warning: './words' seems to contain NVIDIA's runtime"), "{}", run.err);
    // A program that looks for the driver by itself has its names, and is not the runtime.
    let loader =
        WORDS.replace("CUDA driver version is insufficient for CUDA runtime version", "libcuda.so.1");
    place.compile("loader", &(KERNELS.to_owned() + &loader + main), &[]);
    let run = place.cutec("exec ./loader");
    assert_eq!((run.code, run.err.as_str()), (Some(0), "cutec exec: no kernel was launched\n"));
    // Kernels without the runtime: another library has it.
    place.compile("other", &(KERNELS.to_owned() + "int main(void) { return 0; }\n"), &[]);
    let run = place.cutec("exec ./other");
    assert_eq!((run.code, run.err.as_str()), (Some(0), "cutec exec: no kernel was launched\n"));
}

#[test]
fn a_static_program_is_refused_if_it_has_kernels() {
    let place = Place::new();
    let main = "int main(void) { return 0; }\n";
    place.compile("kernels", &(KERNELS.to_owned() + main), &["-static"]);
    assert_eq!(
        place.refused("./kernels"),
        "'./kernels' is linked statically, so that it loads no libraries: link it without -static"
    );
    place.compile("tool", main, &["-static"]);
    let run = place.cutec("exec ./tool");
    assert_eq!(run.code, Some(0));
    assert!(run.err.starts_with("warning: './tool' is linked statically: "), "{}", run.err);
}

//! Programs of CUDA as nvcc compiles them: each ends well, and its broken twin is found at the line
//! of the mistake, which is marked by `// here`.
//!
//! nvcc is `$CUTE_NVCC`, in a toolkit with the libraries of the runtime of 12 and 13; what needs it
//! is left out where it is missing, but never where `$CI` is true.

use std::thread;

use super::*;

const PROGRAMS: [&str; 11] = [
    "structs",
    "variables",
    "streams",
    "events",
    "graphs",
    "nodes",
    "threads",
    "managed",
    "cooperative",
    "dependent",
    "driver",
];

pub(super) fn nvcc() -> Option<PathBuf> {
    let named = env::var_os("CUTE_NVCC").map(PathBuf::from);
    assert!(named.is_some() || env::var("CI").as_deref() != Ok("true"), "CI needs $CUTE_NVCC");
    named
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/exec/programs/{name}.cu"))
}

impl Place {
    /// Compiles a program as `NAME`.
    pub(super) fn nvcc(&self, nvcc: &Path, name: &str, file: &str, options: &[&str]) {
        let root = nvcc.parent().and_then(Path::parent).expect("the folder of the toolkit");
        let mut command = self.command(nvcc);
        command.args(["-arch=sm_90", "-lineinfo", "-std=c++17", "-o", name]).args(options).arg(source(file));
        command.arg("-I").arg(root.join("include/cccl"));
        let done = Run::from(command.output().expect("nvcc runs"));
        assert_eq!(done.code, Some(0), "{}", done.err);
    }
}

/// The folder of libraries that are linked as `-cudart shared` links NVIDIA's.
pub(super) fn libraries(place: &Place) -> String {
    format!("-L{}", place.cutec("--libdir").out.trim())
}

#[test]
fn programs_end_well_and_their_twins_are_found_at_the_line() {
    let Some(nvcc) = nvcc() else { return };
    let place = Place::new();
    let library = libraries(&place);
    for name in PROGRAMS {
        let text = fs::read_to_string(source(name)).expect("a program");
        let line = 1 + text.lines().position(|line| line.contains("// here")).expect("a marked line");
        // A default stream for each thread where the program is about that.
        let default = if name == "threads" { "per-thread" } else { "legacy" };
        let options = ["-cudart", "shared", "--default-stream", default, &library, "-lcuda"];
        let twin = format!("{name}_broken");
        thread::scope(|scope| {
            scope.spawn(|| place.nvcc(&nvcc, &twin, name, &[&options[..], &["-DBROKEN"]].concat()));
            place.nvcc(&nvcc, name, name, &options);
        });
        let run = place.cutec(&format!("exec -- ./{name}"));
        assert_eq!((run.code, run.out.as_str()), (Some(0), "right\n"), "{name}: {}", run.err);
        assert!(run.err.ends_with("no findings\n") && !run.err.contains("error: "), "{name}: {}", run.err);
        let run = place.cutec(&format!("exec -- ./{twin}"));
        assert!(run.code == Some(1) || run.code == Some(2), "{name}: {run:?}");
        assert!(run.err.contains(&format!("{name}.cu:{line}:")), "{name}: {}", run.err);
        assert!(!run.err.ends_with("no findings\n"), "{name}: {}", run.err);
    }
}

/// nvcc links its static runtime by default; ours has the same name.
#[test]
fn a_program_with_our_static_runtime_runs() {
    let Some(nvcc) = nvcc() else { return };
    let place = Place::new();
    place.nvcc(&nvcc, "p", "structs", &[&libraries(&place)]);
    let run = place.cutec("exec -- ./p");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "right\n"), "{}", run.err);
}

/// The loader finds the version nodes of NVIDIA's libraries in ours, and prints nothing.
#[test]
fn a_program_linked_with_nvidias_runtime_runs_with_ours() {
    let Some(nvcc) = nvcc() else { return };
    let root = nvcc.parent().and_then(Path::parent).expect("the folder of the toolkit").to_owned();
    let place = Place::new();
    let source = format!("{CUDA}int cudaMalloc(void **, unsigned long), cudaFree(void *);\n{USES_MEMORY}");
    for (folder, soname) in [("lib", "libcudart.so.13"), ("../cuda_runtime/lib", "libcudart.so.12")]
        .map(|(f, s)| (root.join(f), s))
    {
        let library = folder.join(soname);
        let path = format!("-Wl,--disable-new-dtags,-rpath,{}", folder.display());
        place.compile("p", &source, &[library.to_str().expect("a path of text"), &path]);
        let run = place.cutec("exec -- ./p");
        let expected = "cutec exec: no kernel was launched\n";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "0\n", expected), "{soname}");
    }
}

const USES_MEMORY: &str = "int main(void) {
  void *at = 0;
  int error = cudaMalloc(&at, 1000);
  printf(\"%d\\n\", error + cudaFree(at));
  return 0;
}
";

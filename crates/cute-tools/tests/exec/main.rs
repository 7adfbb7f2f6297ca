//! `cutec exec` as its users run it. The programs are C, linked with libraries of NVIDIA's names
//! that the tests make; no part of CUDA is needed.

mod bad;
mod calls;
mod functions;
mod options;
mod processes;
mod programs;
mod record;
mod refused;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A folder with programs, and with a cache of its own.
struct Place(TempDir);

/// The result of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command in the folder.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("XDG_CACHE_HOME", self.path("cache"));
        command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH");
        command
    }

    /// `cutec` with arguments.
    fn cutec(&self, arguments: &str) -> Run {
        let mut command = self.command(env!("CARGO_BIN_EXE_cutec"));
        command.args(arguments.split_whitespace()).output().expect("cutec runs").into()
    }

    /// `cutec exec` with arguments that must be refused, and the message.
    fn refused(&self, arguments: &str) -> String {
        let run = self.cutec(&format!("exec {arguments}"));
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{run:?}");
        let message = run.err.strip_prefix("error: ").and_then(|rest| rest.strip_suffix('\n'));
        let message = message.unwrap_or_else(|| panic!("{run:?}"));
        assert!(!message.contains('\n'), "{message}");
        message.into()
    }

    /// Compiles a program of C, which is `NAME.c`.
    fn compile(&self, name: &str, source: &str, options: &[&str]) {
        fs::write(self.path(&format!("{name}.c")), source).expect("a source");
        let mut cc = self.command("cc");
        cc.args(["-w", "-o", name, &format!("{name}.c")]).args(options);
        let done = Run::from(cc.output().expect("there is a C compiler"));
        assert_eq!(done.code, Some(0), "{}", done.err);
    }

    /// Makes a library that a linker takes for NVIDIA's: its functions have the version node, and
    /// each returns -1, so that a call which reaches it is noticed.
    fn library(&self, folder: &str, soname: &str, functions: &[&str]) -> PathBuf {
        let folder = self.path(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let source: String =
            functions.iter().map(|name| format!("int {name}(void) {{ return -1; }}\n")).collect();
        fs::write(folder.join("library.c"), source).expect("a source");
        let node = if soname.starts_with("libcudart") { soname } else { "" };
        fs::write(folder.join("node"), format!("{node} {{ global: cu*; __cu*; local: *; }};\n"))
            .expect("a script");
        let file = folder.join(soname);
        let mut cc = self.command("cc");
        cc.current_dir(&folder)
            .args(["-shared", "-fPIC", "library.c", "-Wl,--version-script=node", "-o"])
            .arg(&file);
        let done =
            Run::from(cc.arg(format!("-Wl,-soname,{soname}")).output().expect("there is a C compiler"));
        assert_eq!(done.code, Some(0), "{}", done.err);
        file
    }

    /// Compiles a program with a library of [`Place::library`].
    fn program(&self, name: &str, source: &str, library: &Path) {
        self.compile(name, source, &[library.to_str().expect("a path of text")]);
    }
}

/// The declarations that the programs use.
const CUDA: &str = "#include <stdio.h>
int cudaRuntimeGetVersion(int *), cudaDriverGetVersion(int *), cuDriverGetVersion(int *);
int cudaEGLStreamConsumerDisconnect(void *);
const char *cudaGetErrorString(int);
";

/// A program that prints the versions.
const VERSIONS: &str = "int main(void) {
  int runtime = 0, driver = 0;
  int error = cudaRuntimeGetVersion(&runtime) + cudaDriverGetVersion(&driver);
  printf(\"%d %d %d\\n\", error, runtime, driver);
  return 0;
}
";

/// The functions in the libraries of the tests.
const FUNCTIONS: [&str; 4] = [
    "cudaRuntimeGetVersion",
    "cudaDriverGetVersion",
    "cudaEGLStreamConsumerDisconnect",
    "cudaGetErrorString",
];

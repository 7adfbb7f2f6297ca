//! Compiles the C++ half once per target directory.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    process,
};

/// Compiles C++ against MLIR.
///
/// Cargo runs a build script once for each of `cargo build`, `cargo clippy` and each workspace that
/// embeds the crate, with an `OUT_DIR` for each. Libraries are therefore kept next to these
/// directories, under a hash of their inputs.
pub struct Cxx<'a> {
    llvm: &'a Path,
    sources: PathBuf,
    tables: &'a Path,
    kept: PathBuf,
}

impl<'a> Cxx<'a> {
    /// A compiler for the sources in `root/dialect` and the tables that mlir-tblgen has written to
    /// `out`.
    pub fn new(llvm: &'a Path, root: &Path, out: &'a Path) -> Self {
        let sources = root.join("dialect");
        let mut hash = DefaultHasher::new();
        // The version of LLVM, and its build.
        let config = llvm.join("include/llvm/Config/llvm-config.h");
        let mut inputs = vec![config, root.join("build/cxx.rs")];
        inputs.extend(files(&sources, &["cpp", "h"]));
        inputs.extend(files(out, &["inc"]));
        for input in inputs {
            input.file_name().hash(&mut hash);
            fs::read(&input).unwrap_or_else(|e| panic!("{}: {e}", input.display())).hash(&mut hash);
        }
        for variable in ["TARGET", "OPT_LEVEL", "PROFILE", "CXXFLAGS"] {
            env::var(variable).ok().hash(&mut hash);
        }
        // target/debug/build/cute-ffi-1234/out
        let builds = out.ancestors().nth(2).expect("OUT_DIR is two folders below those of all build scripts");
        let kept = builds.join(format!("cute-ffi-cxx-{:016x}", hash.finish()));
        Self { llvm, sources, tables: out, kept }
    }

    /// Builds a library from one of the sources, and links it.
    pub fn library(&self, name: &str, file: &str) {
        let archive = format!("lib{name}.a");
        // The linker would find the library of an earlier run among the tables first.
        fs::remove_file(self.tables.join(&archive)).ok();
        if !self.kept.join(&archive).exists() {
            self.compile(name, file);
            // Another build script may write the same file; the last one wins, with the same
            // content.
            let part = self.kept.join(format!("{archive}.{}", process::id()));
            let keep = || -> io::Result<()> {
                fs::create_dir_all(&self.kept)?;
                fs::rename(self.tables.join(&archive), &part)?;
                fs::rename(&part, self.kept.join(&archive))
            };
            keep().unwrap_or_else(|e| panic!("{}: {e}", part.display()));
        }
        println!("cargo:rustc-link-search=native={}", self.kept.display());
        println!("cargo:rustc-link-lib=static={name}");
        println!("cargo:rustc-link-lib=stdc++");
    }

    fn compile(&self, name: &str, file: &str) {
        let mut build = cc::Build::new();
        // The C++ contains no logic to debug, and each test binary links it: without debug
        // information it is half the size.
        build.debug(false);
        build.cpp(true).compiler(self.llvm.join("bin/clang++")).std("c++17");
        build.flag("-fno-rtti").flag("-fno-exceptions").flag("-Wno-unused-parameter");
        build.include(self.tables).include(&self.sources);
        build.flag("-isystem").flag(self.llvm.join("include").to_str().expect("utf-8 path"));
        if env::var("PROFILE").is_ok_and(|p| p == "release") {
            build.define("NDEBUG", None);
        }
        build.file(self.sources.join(file)).cargo_metadata(false).out_dir(self.tables).compile(name);
    }
}

/// The files of a folder with one of some extensions, in order.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.filter_map(|e| Some(e.ok()?.path()));
    let mut found: Vec<_> = paths
        .filter(|p| p.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)))
        .collect();
    found.sort();
    found
}

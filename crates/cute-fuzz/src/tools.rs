//! Where the tools are, and the GPUs that they compile for.

use std::path::{Path, PathBuf};

/// One GPU per generation; the first takes most kernels.
pub const TARGETS: [&str; 4] = ["sm_90a", "sm_100a", "sm_120a", "sm_80"];

/// The tools, and a folder with the sources.
#[derive(Debug)]
pub struct Tools {
    pub cute_opt: PathBuf,
    pub cutec: PathBuf,
    pub cute_calc: PathBuf,
    /// The plugin for `mlir-opt`.
    pub plugin: PathBuf,
    /// The program that calls the C library, and the library.
    pub library: [PathBuf; 2],
    pub python: PathBuf,
    /// The stock tool.
    pub mlir_opt: PathBuf,
}

impl Tools {
    /// Finds our tools in `built`, the stock tool in `llvm`, and the rest in the repository.
    pub fn find(built: &Path, llvm: &Path, root: &Path) -> Result<Self, String> {
        let file = |folder: &Path, name: &str| {
            let path = folder.join(name);
            // Links keep their names: an executable is the tool by whose name it is called.
            let found = folder.canonicalize().map(|folder| folder.join(name));
            found
                .and_then(|found| found.metadata().map(|_| found))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self {
            cute_opt: file(built, "cute-opt")?,
            cutec: file(built, "cutec")?,
            cute_calc: file(built, "cute-calc")?,
            plugin: file(built, "libcute_mlir.so")?,
            library: [file(root, "crates/cute-fuzz/library.py")?, file(built, "libcute.so")?],
            python: "python3".into(),
            mlir_opt: file(llvm, "mlir-opt")?,
        })
    }

    /// The command line of `cutec` with these words.
    pub fn cutec<S: Into<String>>(&self, words: impl IntoIterator<Item = S>) -> Vec<String> {
        std::iter::once(self.cutec.display().to_string()).chain(words.into_iter().map(Into::into)).collect()
    }
}

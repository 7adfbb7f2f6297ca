//! The tools where documents expect them.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// The tools of LLVM, whose names in documents end in `-22`.
const LLVM: [&str; 4] = ["mlir-opt", "mlir-translate", "opt", "llc"];

/// Makes a folder look like the repository, which is `root`, after `./dev build`, and returns the
/// search path with the tools.
pub fn place(root: &Path, folder: &Path) -> String {
    let built = Path::new(env!("CARGO_BIN_EXE_cutec")).parent().expect("a folder");
    let plugin = ["deps/libcute_mlir.so", "libcute_mlir.so"].map(|name| built.join(name));
    let plugin = plugin.iter().find(|path| path.exists()).expect("the plugin");
    symlink(root.join("examples"), folder.join("examples")).expect("the examples");
    fs::create_dir(folder.join("tests")).expect("a folder");
    symlink(root.join("tests/foreign"), folder.join("tests/foreign")).expect("PTX of others");
    fs::create_dir_all(folder.join("target/release")).expect("a folder");
    symlink(plugin, folder.join("target/release/libcute_mlir.so")).expect("the plugin");
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("a folder");
    let llvm = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into()));
    for tool in LLVM {
        symlink(llvm.join("bin").join(tool), bin.join(format!("{tool}-22"))).expect("a tool of LLVM");
    }
    symlink(env!("CARGO_BIN_EXE_cutec"), bin.join("cute-opt")).expect("cute-opt");
    let path = env::var("PATH").unwrap_or_default();
    format!("{}:{}:{path}", bin.display(), built.display())
}

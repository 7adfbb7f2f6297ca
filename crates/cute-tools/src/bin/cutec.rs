//! The compiler. Called by the name of another tool, through a link, it is that tool: LLVM and the
//! crates are linked once.

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    cute_output::survive_file_limit();
    let called = env::args_os().next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("cute-opt") => cute_tools::opt(),
        Some("cute-calc") => cute_calc::main(),
        _ => cute_tools::main(),
    }
}

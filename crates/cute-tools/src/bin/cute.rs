//! All tools in one executable, which is the tool by whose name it is called.

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let called = env::args_os().next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("cutec") => cute_tools::main(),
        Some("cute-opt") => cute_tools::opt(),
        Some("cute-calc") => cute_calc::main(),
        _ => {
            cute_tools::diagnostics::message(
                "error: call this executable by the name cutec, cute-opt or cute-calc",
            );
            ExitCode::FAILURE
        }
    }
}

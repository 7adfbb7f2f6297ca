//! mlir-opt with the cute dialect and passes.

fn main() -> std::process::ExitCode {
    cute_tools::opt()
}

//! The layout calculator.

fn main() -> std::process::ExitCode {
    cute_calc::main()
}

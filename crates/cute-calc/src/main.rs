//! The layout calculator.

fn main() -> std::process::ExitCode {
    cute_output::survive_file_limit();
    cute_calc::main()
}

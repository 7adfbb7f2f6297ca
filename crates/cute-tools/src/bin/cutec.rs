//! The compiler: cute IR to PTX or cubin.

fn main() -> std::process::ExitCode {
    cute_tools::main()
}

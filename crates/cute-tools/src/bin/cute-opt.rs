//! mlir-opt with the cute dialect and passes.

fn main() {
    cute_lower::register_passes();
    std::process::exit(cute_ffi::opt::main(cute_dialect::MEANING, cute_tools::import::for_opt))
}

//! Kernels written by hand in the LLVM and NVVM dialects, run and compared with plain loops.

mod accesses;
mod arithmetic;
mod banks;
mod bytes;
mod calls;
mod cluster;
mod compiled;
mod control;
mod conversions;
mod dependent;
mod findings;
mod grid;
mod kernels;
mod machine;
#[path = "../../../../tests/common/maps.rs"]
mod maps;
mod mbarrier;
mod named;
mod ptx;
mod registers;
mod remote;
mod scaled;
mod table;
mod tcgen05;
mod tensor;
mod tma;
mod unpacked;
mod unwritten;
mod upstream;
mod verdicts;
mod wgmma;

use cute_sim::{Error, Program};
use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// Decodes the module with this body.
fn decode(body: &str) -> Result<Program, Error> {
    let context = context();
    let module = Module::parse(&context, &format!("gpu.module @kernels {{\n{body}\n}}"))
        .expect("the test's IR parses");
    cute_decode::decode(module.as_operation())
}

/// Decodes the module with this body, which has no mistakes.
/// The program of a module, which has been bytes in between.
fn program(body: &str) -> Program {
    let program = decode(body).unwrap_or_else(|e| panic!("{e}"));
    Program::from_bytes(&program.to_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

/// A one-kernel program: `kernel` with these parameters and this body.
fn kernel(parameters: &str, body: &str) -> Program {
    program(&function(parameters, body))
}

fn function(parameters: &str, body: &str) -> String {
    format!(
        "llvm.func @kernel({parameters}) attributes {{gpu.kernel, nvvm.kernel}} {{\n{body}\nllvm.return\n}}"
    )
}

//! The checked-in examples of `cute-kernels` equal its output. `UPDATE_EXAMPLES=1` updates them.

use cute_kernels::{
    gemm::{simt::GemmSimt, sm80::GemmSm80},
    layernorm::Layernorm,
    module,
};
use melior::{Context, ir::Module};

fn check(
    (name, about): (&str, &str),
    build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, cute_kernels::Error>,
) {
    let context = Context::new();
    cute_mlir::load(&context);
    let built = build(&context).unwrap_or_else(|e| panic!("{e}"));
    let text = module::text(&built, about);
    let path = format!("{}/examples/{name}.mlir", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        std::fs::write(&path, &text).expect("the example can be written");
    }
    let example = std::fs::read_to_string(&path).expect("the example can be read");
    assert!(text == example, "{path} is not what the builder writes; UPDATE_EXAMPLES=1 writes it");
    // Names and aliases do not change the module.
    let read = cute_mlir::parse(&context, &text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.as_operation().to_string(), built.as_operation().to_string());
}

#[test]
fn examples_are_what_the_builders_write() {
    check((GemmSm80::NAME, GemmSm80::ABOUT), |c| GemmSm80::default().build(c));
    check((GemmSimt::NAME, GemmSimt::ABOUT), |c| GemmSimt::default().build(c));
    check((Layernorm::NAME, Layernorm::ABOUT), |c| Layernorm::default().build(c));
}

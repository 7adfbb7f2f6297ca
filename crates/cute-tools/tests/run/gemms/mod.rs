//! Products of the builders whose tiles the TMA moves, from their host functions: exact under every
//! schedule.

mod blackwell;
mod case;
pub(super) mod elements;
mod hopper;
pub(super) mod mma_sync;
mod quantized;
mod results;
mod scaled;
mod sm120;
mod smooth;
pub(super) mod tensor;
pub(super) mod words;

use cute_kernels::{Error, module};
use melior::{Context, ir::Module};

pub(super) const SCHEDULES: [&str; 5] = ["lazy", "eager", "reverse", "1", "2"];

/// The text of what a builder builds.
fn text(build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, Error>) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    module::text(&build(&context).unwrap_or_else(|e| panic!("{e}")), "")
}

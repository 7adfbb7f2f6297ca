//! `cutec build`: a kernel of `cute-kernels`, for a choice of tiles and types.

use clap::{Args, Subcommand};
use cute_kernels::{
    gemm::{simt::GemmSimt, sm80::GemmSm80, sm90::GemmSm90, sm100::GemmSm100},
    layernorm::Layernorm,
    module,
};
use cute_session::Source;
use melior::{Context, ir::Module};

use crate::{
    cli::Options,
    compile,
    error::{Error, Result},
};

/// Write a kernel as cute IR, and compile it.
#[derive(Debug, Args)]
pub struct Cli {
    #[command(subcommand)]
    kernel: Kernel,
}

#[derive(Debug, Subcommand)]
enum Kernel {
    /// D = alpha A B^T + beta C by mma.sync: A (M,K), B (N,K), C and D (M,N), the last mode
    /// contiguous
    #[command(name = "gemm_sm80")]
    GemmSm80(Built<GemmSm80>),
    /// D = act(alpha A B^T + beta C + bias) by wgmma, for Hopper: A (M,K), B (N,K), C and D (M,N)
    #[command(name = "gemm_sm90")]
    GemmSm90(Built<GemmSm90>),
    /// D = act(alpha A B^T + beta C + bias) by tcgen05.mma, for Blackwell: A (M,K), B (N,K), C and
    /// D (M,N)
    #[command(name = "gemm_sm100")]
    GemmSm100(Built<GemmSm100>),
    /// Like gemm_sm80, but in f32 on the threads themselves
    #[command(name = "gemm_simt")]
    GemmSimt(Built<GemmSimt>),
    /// Rows of f32 normalised, scaled by gamma and shifted by beta
    #[command(name = "layernorm")]
    Layernorm(Built<Layernorm>),
}

/// A kernel's parameters, and the requested output.
#[derive(Debug, Args)]
struct Built<K: Args> {
    #[command(flatten)]
    kernel: K,
    #[command(flatten)]
    options: Options,
}

/// Builds, compiles and writes a kernel.
///
/// # Errors
/// Returns an [`Error`]; nothing is written then.
pub fn run(cli: &Cli) -> Result<()> {
    match &cli.kernel {
        Kernel::GemmSm80(Built { kernel, options }) => {
            made(options, (GemmSm80::NAME, kernel.about()), |c| kernel.build(c))
        }
        Kernel::GemmSm90(Built { kernel, options }) => {
            made(options, (GemmSm90::NAME, GemmSm90::ABOUT), |c| kernel.build(c))
        }
        Kernel::GemmSm100(Built { kernel, options }) => {
            made(options, (GemmSm100::NAME, GemmSm100::ABOUT), |c| kernel.build(c))
        }
        Kernel::GemmSimt(Built { kernel, options }) => {
            made(options, (GemmSimt::NAME, GemmSimt::ABOUT), |c| kernel.build(c))
        }
        Kernel::Layernorm(Built { kernel, options }) => {
            made(options, (Layernorm::NAME, Layernorm::ABOUT), |c| kernel.build(c))
        }
    }
}

fn made(
    options: &Options,
    (name, about): (&str, &str),
    build: impl for<'c> FnOnce(&'c Context) -> std::result::Result<Module<'c>, cute_kernels::Error>,
) -> Result<()> {
    compile::run_on(options, None, || {
        let context = Context::new();
        cute_mlir::load(&context);
        let module = build(&context).map_err(Error::Kernel)?;
        Ok(Source::of_text(name, module::text(&module, about)))
    })
}

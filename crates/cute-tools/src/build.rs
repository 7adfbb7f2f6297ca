//! `cutec build`: a kernel of `cute-kernels`, for a choice of tiles and types.

use clap::{Args, Subcommand};
use cute_kernels::{
    gemm::{simt::GemmSimt, sm80::GemmSm80, sm90::GemmSm90, sm100::GemmSm100, sm120::GemmSm120},
    layernorm::Layernorm,
    module,
    options::KernelBuilder,
    quantize::{Dequantize, Quantize},
};
use cute_session::Source;
use melior::Context;

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
    /// D = act(alpha A B^T + beta C + bias) by mma.sync, for Blackwell of the sm_120 family: A
    /// (M,K), B (N,K), C and D (M,N)
    #[command(name = "gemm_sm120")]
    GemmSm120(Built<GemmSm120>),
    /// Like gemm_sm80, but in f32 on the threads themselves
    #[command(name = "gemm_simt")]
    GemmSimt(Built<GemmSimt>),
    /// Rows of f32 normalised, scaled by gamma and shifted by beta
    #[command(name = "layernorm")]
    Layernorm(Built<Layernorm>),
    /// Rows of floats as floats of 8, 6 or 4 bits with scale factors, as block-scaled MMAs take
    /// them
    #[command(name = "quantize")]
    Quantize(Built<Quantize>),
    /// The inverse of quantize
    #[command(name = "dequantize")]
    Dequantize(Built<Dequantize>),
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
        Kernel::GemmSm80(built) => write(built),
        Kernel::GemmSm90(built) => write(built),
        Kernel::GemmSm100(built) => write(built),
        Kernel::GemmSm120(built) => write(built),
        Kernel::GemmSimt(built) => write(built),
        Kernel::Layernorm(built) => write(built),
        Kernel::Quantize(built) => write(built),
        Kernel::Dequantize(built) => write(built),
    }
}

fn write<K: KernelBuilder>(Built { kernel, options }: &Built<K>) -> Result<()> {
    compile::run_on(options, None, || {
        let context = Context::new();
        cute_mlir::load(&context);
        let module = kernel.build_for(&context, options.target).map_err(Error::Kernel)?;
        Ok(Source::of_text(K::NAME, module::text(&module, kernel.about())))
    })
}

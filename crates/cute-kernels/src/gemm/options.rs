//! The options that GEMMs with TMA tiles share, as flat fields beside their own ones.

use crate::options::Range;

/// Columns of A and B in a stage: up to 2048 bytes, or 4096 of f32.
pub(super) const K_TILE: Range = Range::multiples(8, 8, 1024);
/// The same where a block has less shared memory.
pub(super) const SHORT_K_TILE: Range = Range::multiples(8, 8, 256);
/// K tiles in shared memory.
pub(super) const STAGES: Range = Range::between(2, 16);
/// Blocks of a cluster along a mode.
pub(super) const CLUSTER: Range = Range::powers(1, 4);

/// Declares the options of a kernel, like [`crate::options::kernel_options`]. Its own fields stand
/// before those about stages, before the last one about clusters if it has clusters, and before
/// those about results.
macro_rules! gemm_options {
    ($name:ident { $($tile:tt)* } { $($cluster:tt)* } { $($work:tt)* }) => {
        $crate::gemm::options::gemm_options! {
            @all $name ($crate::gemm::options::K_TILE, "128 bytes") { $($tile)* } {
                $($cluster)*
                number n_cluster = 1 in $crate::gemm::options::CLUSTER,
                    "Blocks of a cluster along N, which share tiles of A";
            } { $($work)* }
        }
    };
    ($name:ident { $($tile:tt)* } { $($work:tt)* }) => {
        $crate::gemm::options::gemm_options! {
            @all $name ($crate::gemm::options::SHORT_K_TILE, "64 bytes, or 128 of mxf8") { $($tile)* } {} { $($work)* }
        }
    };
    (
        @all $name:ident ($k_tiles:expr, $k_tile:literal)
        { $($tile:tt)* } { $($cluster:tt)* } { $($work:tt)* }
    ) => {
        $crate::options::kernel_options! {
            $name {
                choice types: $crate::gemm::types::Types = $crate::gemm::types::Types::Bf16,
                    "Types of A and B";
                maybe out: $crate::gemm::types::Out,
                    "Type of D [default: that of A for f16 and bf16, otherwise that of the accumulators]";
                $($tile)*
                optional k_tile in $k_tiles, "Columns of A and B per stage", $k_tile;
                optional stages in $crate::gemm::options::STAGES, "K tiles in shared memory", "as many as fit";
                $($cluster)*
                $($work)*
                flag alpha, "Scales D by alpha, an f32 given at run time";
                flag beta, "Adds C (M,N), of D's type, scaled by beta, an f32 given at run time";
                flag bias, "Adds a vector (N) of f32 to each row of D";
                maybe activation: $crate::gemm::activation::Activation, "The function that is applied to D last";
                flag batch, "Multiplies a batch of matrices: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)";
                major a_major or "m", "The contiguous mode of A (M,K)";
                major b_major or "n", "The contiguous mode of B (N,K)";
            }
        }

        impl $name {
            /// The operations on the accumulators.
            fn finish(
                &self,
                numbers: &$crate::gemm::types::Numbers,
            ) -> Result<$crate::gemm::finish::Finish, $crate::Error> {
                let Self { alpha, beta, bias, activation, .. } = *self;
                $crate::gemm::finish::Finish { alpha, beta, bias, activation }.of(numbers)
            }
        }
    };
}

/// The beginning of a kernel's description: what it computes by which units, and its matrices.
macro_rules! about_gemm {
    ($units:literal, $rest:literal) => {
        concat!(
            "D = act(alpha A B^T + beta C + bias) by ",
            $units,
            ". alpha, beta C, bias and act are there if the kernel was built with them.\n\
             A is (M,K), B (N,K), C and D (M,N), bias (N). The last mode is contiguous unless --a-major or --b-major \
             chooses another; with --batch all\n\
             have a further mode L. ",
            $rest
        )
    };
}

pub(super) use {about_gemm, gemm_options};

//! The options that GEMMs with TMA tiles share, as flat fields beside their own ones.

/// Declares the options of a kernel and their defaults. Its own fields stand before those about
/// stages, before the last one about clusters, and before those about results.
macro_rules! gemm_options {
    (
        $name:ident,
        tile { $($tile:tt)* }
        cluster { $($cluster:tt)* }
        work { $($work:tt)* }
        defaults { $($field:ident: $default:expr,)* }
    ) => {
        /// The options of the kernel.
        #[derive(Debug, Clone, clap::Args)]
        pub struct $name {
            /// Types of A and B
            #[arg(long, value_enum, default_value = "bf16")]
            pub types: $crate::gemm::types::Types,
            /// Type of D [default: that of A for f16 and bf16, otherwise that of the accumulators]
            #[arg(long, value_enum)]
            pub out: Option<$crate::gemm::types::Out>,
            $($tile)*
            /// Columns of A and B per stage [default: 128 bytes]
            #[arg(long)]
            pub k_tile: Option<i64>,
            /// K tiles in shared memory [default: as many as fit]
            #[arg(long)]
            pub stages: Option<i64>,
            $($cluster)*
            /// Blocks of a cluster along N, which share tiles of A
            #[arg(long, default_value_t = 1)]
            pub n_cluster: i64,
            $($work)*
            /// Scales D by alpha, an f32 given at run time
            #[arg(long)]
            pub alpha: bool,
            /// Adds C (M,N), of D's type, scaled by beta, an f32 given at run time
            #[arg(long)]
            pub beta: bool,
            /// Adds a vector (N) of f32 to each row of D
            #[arg(long)]
            pub bias: bool,
            /// The function that is applied to D last
            #[arg(long, value_enum)]
            pub activation: Option<$crate::gemm::activation::Activation>,
            /// Computes many products at once: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)
            #[arg(long)]
            pub batch: bool,
            /// The contiguous mode of A (M,K)
            #[arg(long, default_value = "k", value_parser = $crate::gemm::types::major("m"))]
            pub a_major: cute_arch::atoms::Major,
            /// The contiguous mode of B (N,K)
            #[arg(long, default_value = "k", value_parser = $crate::gemm::types::major("n"))]
            pub b_major: cute_arch::atoms::Major,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    types: $crate::gemm::types::Types::Bf16,
                    out: None,
                    k_tile: None,
                    stages: None,
                    n_cluster: 1,
                    alpha: false,
                    beta: false,
                    bias: false,
                    activation: None,
                    batch: false,
                    a_major: cute_arch::atoms::Major::K,
                    b_major: cute_arch::atoms::Major::K,
                    $($field: $default,)*
                }
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

pub(super) use gemm_options;

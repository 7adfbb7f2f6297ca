// Kernels of DeepGEMM for sm_90a, instantiated as its JIT does: for one SM, or for a cluster of two.
#include <deep_gemm/impls/sm90_bf16_gemm.cuh>
#include <deep_gemm/impls/sm90_fp8_gemm_1d1d.cuh>
#include <deep_gemm/impls/sm90_fp8_gemm_1d2d.cuh>

using namespace deep_gemm;
using BF16 = cutlass::bfloat16_t;
using Identity = epilogue::transform::EpilogueIdentity;
constexpr auto K = cute::UMMA::Major::K;

// Tiles of 128 x 128 x 64 in four stages, with and without multicast.
auto bf16 = &sm90_bf16_gemm_impl<K, K, 0, 0, 0, 1, 128, 128, 64, 128, 128, 128, 4, 128, 256, 1, false, 1,
                                 GemmType::Normal, false, BF16>;
auto bf16_multicast = &sm90_bf16_gemm_impl<K, K, 0, 0, 0, 1, 128, 128, 64, 128, 128, 128, 4, 128, 256, 2,
                                           false, 2, GemmType::Normal, false, BF16>;
auto fp8_1d2d = &sm90_fp8_gemm_1d2d_impl<K, 0, 0, 0, 1, 128, 128, 128, 128, 128, 128, 3, 128, 256, 1, false,
                                         1, GemmType::Normal, BF16, Identity>;
auto fp8_1d1d = &sm90_fp8_gemm_1d1d_impl<0, 0, 0, 1, 128, 128, 128, 128, 128, 3, 128, 256, 1, false, 1,
                                         GemmType::Normal, float>;

// Two groups along K of 128 each, whose tensor maps the kernel makes itself.
auto fp8_grouped = &sm90_fp8_gemm_1d1d_impl<0, 0, 0, 2, 64, 64, 128, 128, 128, 3, 128, 128, 1, false, 1,
                                            GemmType::KGroupedContiguous, float>;

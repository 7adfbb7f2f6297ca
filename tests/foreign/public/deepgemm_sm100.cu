// Kernels of DeepGEMM for sm_100a, instantiated as its JIT does: for one SM, or for a pair of blocks.
#include <deep_gemm/impls/sm100_bf16_gemm.cuh>

using namespace deep_gemm;
using BF16 = cutlass::bfloat16_t;
constexpr auto K = cute::UMMA::Major::K;

auto one = &sm100_bf16_gemm_impl<K, K, 0, 0, 0, 128, 128, 64, 1, 128, 128, 128, 4, 128, 128, 1, false, 1, 64,
                                 false, false, GemmType::Normal, false, BF16, 100>;
auto pair = &sm100_bf16_gemm_impl<K, K, 0, 0, 0, 128, 128, 64, 1, 128, 128, 128, 4, 128, 128, 2, false, 2, 64,
                                  false, false, GemmType::Normal, false, BF16, 100>;

// More kernels of DeepGEMM for sm_100a: batched products, hyper-connections, and e4m3 with packed scales.
#include <deep_gemm/impls/sm100_bmk_bnk_mn.cuh>
#include <deep_gemm/impls/sm100_fp8_fp4_gemm_1d1d.cuh>
#include <deep_gemm/impls/sm100_tf32_hc_prenorm_gemm.cuh>

using namespace deep_gemm;
using BF16 = cutlass::bfloat16_t;
using E4M3 = cutlass::float_e4m3_t;
using Identity = epilogue::transform::EpilogueIdentity;
constexpr auto K = cute::UMMA::Major::K;

auto batched = &sm100_bmn_bnk_mn_gemm_impl<128, 128, 64, 128, 128, 64, 2, 128, 128, 4, 128>;
auto prenorm = &sm100_tf32_hc_prenorm_gemm_impl<16, 256, 64, 16, 64, 1, 64, 4, 128, 128>;
auto scaled = &sm100_fp8_fp4_gemm_1d1d_impl<K, K, 128, 128, 128, 0, 0, 0, 128, 128, 128, 1, 128, 128, 128, 3, 128, 128, 1,
                                            false, 1, false, false, GemmType::Normal, false, E4M3, E4M3, BF16, Identity>;
auto scaled_pair = &sm100_fp8_fp4_gemm_1d1d_impl<K, K, 128, 128, 128, 0, 0, 0, 128, 128, 128, 1, 128, 128, 128, 3, 128, 128,
                                                 2, false, 2, false, false, GemmType::Normal, false, E4M3, E4M3, BF16, Identity>;

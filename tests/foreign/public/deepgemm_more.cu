// More kernels of DeepGEMM for sm_90a: batched products, hyper-connections, logits of an indexer, and layouts of scales.
#include <deep_gemm/impls/sm90_bmk_bnk_mn.cuh>
#include <deep_gemm/impls/sm90_fp8_mqa_logits.cuh>
#include <deep_gemm/impls/sm90_tf32_hc_prenorm_gemm.cuh>


using namespace deep_gemm;

auto batched = &sm90_bmn_bnk_mn_gemm_impl<128, 128, 64, 128, 128, 64, 2, 4, 128, 256>;
auto prenorm = &sm90_tf32_hc_prenorm_gemm_impl<16, 256, 64, 16, 64, 1, 64, 4, 128, 128>;
auto logits = &sm90_fp8_mqa_logits<32, 64, false, 4, 256, 3, 3, 2, 128, 512, float>;

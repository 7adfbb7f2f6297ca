// Kernels of FlashInfer's headers, instantiated as its launchers do.
#include <cstdint>

// Newer headers of CUDA than those of 13.0 have this division; the kernels here do not divide.
namespace cuda {
template <class Number> struct fast_mod_div {
  Number divisor;
  __host__ __device__ fast_mod_div(Number divisor) : divisor(divisor) {}
  friend __host__ __device__ Number operator/(Number number, const fast_mod_div &by) {
    return number / by.divisor;
  }
};
} // namespace cuda

#include <flashinfer/activation.cuh>
#include <flashinfer/attention/cascade.cuh>
#include <flashinfer/concat_mla.cuh>
#include <flashinfer/norm.cuh>
#include <flashinfer/pos_enc.cuh>
#include <flashinfer/quantization.cuh>

using Half = __half;

__device__ float silu(const float &x) { return x / (1.0f + __expf(-x)); }

template __global__ void flashinfer::activation::act_and_mul_kernel<Half, silu>(Half *, const Half *, int);
template __global__ void flashinfer::norm::RMSNormKernel<8, Half>(Half *, Half *, Half *, uint32_t, uint32_t,
                                                                  uint32_t, float, float);
template __global__ void
flashinfer::norm::RMSNormQuantKernel<8, Half, __nv_fp8_e4m3>(Half *, Half *, __nv_fp8_e4m3 *, uint32_t,
                                                             uint32_t, uint32_t, float, float *, float);
template __global__ void flashinfer::norm::QKRMSNormKernel<8, Half>(Half *, Half *, Half *, uint32_t,
                                                                    uint32_t, uint32_t, uint32_t, uint32_t,
                                                                    uint32_t, uint32_t, float, float);
template __global__ void flashinfer::norm::FusedAddRMSNormKernel<8, Half>(Half *, Half *, Half *, uint32_t,
                                                                          uint32_t, uint32_t, float, float);
template __global__ void
flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheKernel<false, 64, 8, 8, Half, int32_t>(
    Half *, Half *, Half *, Half *, float *, int32_t *, uint32_t, uint32_t, uint32_t, uint32_t, size_t,
    size_t, size_t, size_t, size_t, size_t, size_t, size_t);
template __global__ void flashinfer::BatchQKApplyRotaryPosIdsKernel<true, 64, 8, 8, Half, int32_t>(
    Half *, Half *, Half *, Half *, int32_t *, uint32_t, uint32_t, uint32_t, uint32_t, size_t, size_t, size_t,
    size_t, size_t, size_t, size_t, size_t, float, float, float, float);
template __global__ void
flashinfer::quantization::PackBitsKernel<flashinfer::quantization::BitOrder::kBig>(bool *, uint8_t *,
                                                                                   int64_t);
template __global__ void
flashinfer::quantization::PackBitsKernel<flashinfer::quantization::BitOrder::kLittle>(bool *, uint8_t *,
                                                                                      int64_t);
template __global__ void flashinfer::MergeStateKernel<8, Half, Half>(Half *, float *, Half *, float *, Half *,
                                                                     float *, uint32_t, uint32_t);
template __global__ void flashinfer::MergeStatesKernel<8, Half, Half>(Half *, float *, Half *, float *,
                                                                      uint32_t, uint32_t, uint32_t);
template __global__ void flashinfer::ConcatMLAKKernel<Half>(Half *, const Half *, const Half *, int, int64_t,
                                                            int, int64_t, int, int64_t);

// Arithmetic of f16 and bf16 with the intrinsics of CUDA's headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void halves(const __half2 *x, const __nv_bfloat162 *b, __half2 *y, __nv_bfloat162 *c, float *f) {
  int i = threadIdx.x;
  __half2 sum = __hfma2(x[i], __float2half2_rn(0.5f), __float2half2_rn(1.0f));
  y[i] = __hmul2(__hadd2(sum, x[i]), __hmax2(x[i], __hneg2(x[i])));
  c[i] = __hfma2(b[i], b[i], __float2bfloat162_rn(-0.25f));
  f[i] = __half2float(__low2half(x[i])) + __bfloat162float(__high2bfloat16(b[i])) + (__hgt(__low2half(x[i]), __high2half(x[i])) ? 8 : 0);
}

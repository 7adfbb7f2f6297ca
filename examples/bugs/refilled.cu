// A slot is read by threads and refilled by a bulk copy, without a fence between the proxies
// (deepseek-ai/DeepEP #642, NVIDIA/TransformerEngine #2695, triton-lang/triton #7262).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx refilled.cu
// Run: cutec run refilled.ptx --kernel 'refilled<false>' --grid 1 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void refilled(const int *x, int *y) {
  __shared__ alignas(128) int slot[32];
  __shared__ unsigned long long full, empty;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 32);
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      wait(&empty, (i & 1) ^ 1);
      arrive_and_expect(&full, 128);
      load(slot, x + 32 * i, 128, &full); // finds: proxy_order (portability)
    }
  } else if (threadIdx.x >= 32) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      wait(&full, i & 1);
      y[32 * i + lane] = slot[lane];
      if (repaired)
        fence_async();
      arrive(&empty);
    }
  }
}
template __global__ void refilled<false>(const int *, int *);
template __global__ void refilled<true>(const int *, int *);

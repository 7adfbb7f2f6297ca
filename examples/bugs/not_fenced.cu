// Threads write a tile, meet at a barrier, and a bulk copy reads the tile: the barrier does not order
// what two proxies do (sgl-project/sglang #39124, MoonshotAI/FlashKDA #25).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx not_fenced.cu
// Run: cutec run not_fenced.ptx --kernel 'not_fenced<false>' --grid 2 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void not_fenced(const int *x, int *y) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = x[64 * blockIdx.x + threadIdx.x];
  if (repaired)
    fence_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    store(y + 64 * blockIdx.x, tile, 256); // finds: unfenced (error)
    wait_for_stores();
  }
}
template __global__ void not_fenced<false>(const int *, int *);
template __global__ void not_fenced<true>(const int *, int *);

// One warp loads the tiles and waits for each of them; another warp waits, too, but nobody waits for
// it: if it is late, the phase that it asks for is over (gau-nernst/learn-cuda, matmul_v1 to v3 of
// sm_100a).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx late_warp.cu
// Run: cutec run late_warp.ptx --kernel 'late_warp<false>' --grid 1 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void late_warp(const int *x, int *y) {
  __shared__ alignas(128) int tiles[4][32];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    fence_init();
  }
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full, 128);
      load(tiles[i], x + 32 * i, 128, &full);
    }
    wait(&full, i & 1); // finds: missed_phase (error), deadlock (error)
    if (repaired)
      __syncthreads();
    else
      __syncwarp();
  }
  y[threadIdx.x] = tiles[threadIdx.x / 32][threadIdx.x % 32];
  y[64 + threadIdx.x] = tiles[2 + threadIdx.x / 32][threadIdx.x % 32];
}
template __global__ void late_warp<false>(const int *, int *);
template __global__ void late_warp<true>(const int *, int *);

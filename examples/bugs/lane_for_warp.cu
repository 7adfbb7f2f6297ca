// One lane reports that a slot has been read, for a warp whose other lanes may not have read it yet
// (NVIDIA/cudnn-frontend #426).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx lane_for_warp.cu
// Run: cutec run lane_for_warp.ptx --kernel 'lane_for_warp<false>' --grid 1 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void lane_for_warp(const int *x, int *y) {
  __shared__ int slot[32];
  __shared__ unsigned long long full, empty;
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 1);
  }
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x < 32) {
      wait(&empty, (i & 1) ^ 1);
      slot[lane] = x[32 * i + lane]; // other side
      arrive(&full);
    } else {
      wait(&full, i & 1); // finds: missed_phase (portability)
      y[32 * i + 31 - lane] = slot[31 - lane]; // finds: race (error)
      if (repaired)
        __syncwarp();
      if (lane == 0)
        arrive(&empty);
    }
  }
}
template __global__ void lane_for_warp<false>(const int *, int *);
template __global__ void lane_for_warp<true>(const int *, int *);

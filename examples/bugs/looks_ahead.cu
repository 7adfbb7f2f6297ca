// A warp looks ahead whether the next stage is full, and if it is not, asks the barrier of the first
// stage instead (flashinfer-ai/flashinfer #3630).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx looks_ahead.cu
// Run: cutec run looks_ahead.ptx --kernel 'looks_ahead<false>' --grid 1 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void looks_ahead(const int *x, int *y) {
  __shared__ alignas(128) int stages[2][32];
  __shared__ unsigned long long full[2], empty[2];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      init(&full[stage], 1);
      init(&empty[stage], 1);
    }
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      int stage = i % 2;
      wait(&empty[stage], (i / 2 & 1) ^ 1); // finds: missed_phase (error)
      arrive_and_expect(&full[stage], 128); // finds: mbarrier (error)
      load(stages[stage], x + 32 * i, 128, &full[stage]); // other side
    }
  } else if (threadIdx.x >= 32) {
    bool ready = has_ended(&full[0], 0);
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      int stage = i % 2, next = i + 1;
      while (!ready)
        ready = has_ended(&full[repaired ? stage : 0], i / 2);
      ready = next < 4 && has_ended(&full[next % 2], next / 2);
      y[32 * i + lane] = stages[stage][lane]; // finds: race (error)
      fence_async();
      __syncwarp();
      if (lane == 0)
        arrive(&empty[stage]);
    }
  }
}
template __global__ void looks_ahead<false>(const int *, int *);
template __global__ void looks_ahead<true>(const int *, int *);

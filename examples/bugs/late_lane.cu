// All lanes of a warp wait for the slot, and the lane that was elected before fills it: a lane that
// is late finds the next phase, whose parity says that the slot is still in use (NVIDIA/cutlass #3654).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx late_lane.cu
// Run: cutec run late_lane.ptx --kernel 'late_lane<false>' --grid 1 --block 64
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void late_lane(const int *x, int *y) {
  __shared__ alignas(128) int slot[32];
  __shared__ unsigned long long full, empty;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, 1);
    fence_init();
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    bool elected = is_elected();
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      wait(&empty, (i & 1) ^ 1); // finds: missed_phase (portability)
      if (repaired)
        __syncwarp();
      if (elected) {
        arrive_and_expect(&full, 128);
        load(slot, x + 32 * i, 128, &full);
      }
    }
  } else {
    int lane = threadIdx.x % 32;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      wait(&full, i & 1);
      y[32 * i + lane] = slot[lane];
      fence_async();
      __syncwarp();
      if (lane == 0)
        arrive(&empty);
    }
  }
}
template __global__ void late_lane<false>(const int *, int *);
template __global__ void late_lane<true>(const int *, int *);

// A ring of two stages copies through shared memory. One group may be pending at the wait, and that
// one reads the stage that is loaded next (deepseek-ai/DeepEP #657).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx still_stored.cu
// Run: cutec run still_stored.ptx --kernel 'still_stored<false>' --grid 1 --block 32
//     --arg 'x:i32[128]=range' --arg 'y:i32[128]'
#include "ptx.h"

template <bool repaired> __global__ void still_stored(const int *x, int *y) {
  __shared__ alignas(128) int stages[2][32];
  __shared__ unsigned long long full[2];
  if (threadIdx.x != 0)
    return;
  init(&full[0], 1);
  init(&full[1], 1);
  fence_init();
  for (int i = 0; i < 2; ++i) {
    arrive_and_expect(&full[i], 128);
    load(stages[i], x + 32 * i, 128, &full[i]);
  }
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    wait(&full[i % 2], i / 2);
    store(y + 32 * i, stages[i % 2], 128); // other side
    if (i + 2 < 4) {
      wait_for_reads<repaired ? 0 : 1>();
      arrive_and_expect(&full[i % 2], 128);
      load(stages[i % 2], x + 32 * (i + 2), 128, &full[i % 2]); // finds: race (error)
    }
  }
  wait_for_stores();
}
template __global__ void still_stored<false>(const int *, int *);
template __global__ void still_stored<true>(const int *, int *);

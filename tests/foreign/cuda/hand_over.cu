// Named barriers: one warp writes, another one reads.
#include "device.h"

extern "C" __global__ void __launch_bounds__(64) hand_over(const int *x, int *y, int rounds) {
  __shared__ int buffer[32];
  int lane = threadIdx.x % 32;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < 32) {
      if (round > 0)
        asm volatile("bar.sync 2, 64;" ::: "memory");
      buffer[lane] = x[round * 32 + lane] * 2;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      y[round * 32 + lane] = buffer[31 - lane];
      if (round + 1 < rounds)
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}

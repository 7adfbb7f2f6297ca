// Shuffles and votes: sums and prefix sums of a warp.
#include "device.h"

extern "C" __global__ void warp_sums(const int *x, int *sums, int *prefixes, unsigned *odd) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int sum = x[i], prefix = x[i];
  odd[i] = __ballot_sync(0xffffffffu, x[i] & 1);
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(0xffffffffu, prefix, step);
    if (lane >= step)
      prefix += other;
  }
  sums[i] = sum + __shfl_sync(0xffffffffu, prefix, 31);
  prefixes[i] = prefix;
}

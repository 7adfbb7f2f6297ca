// A sum over a block: warps by shuffles, then the block through shared memory.
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) block_sum(const int *x, int *sums, int n) {
  __shared__ int parts[8];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += x[blockIdx.x * n + i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int warp = 0; warp < blockDim.x / 32; ++warp)
      total += parts[warp];
    sums[blockIdx.x] = total;
  }
}

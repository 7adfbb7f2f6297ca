// Histograms with atomics in shared and global memory.
#include "device.h"

extern "C" __global__ void counting(const unsigned char *x, int *counts, int n) {
  __shared__ int own[16];
  if (threadIdx.x < 16)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[x[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

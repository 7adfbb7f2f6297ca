// A bitonic sort and a prefix sum of a block in shared memory.
#include "device.h"

extern "C" __global__ void bitonic(int *x) {
  __shared__ int keys[128];
  int i = threadIdx.x;
  keys[i] = x[blockIdx.x * 128 + i];
  __syncthreads();
  for (int size = 2; size <= 128; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      int other = i ^ step;
      if (other > i) {
        bool ascends = (i & size) == 0;
        int a = keys[i], b = keys[other];
        if ((a > b) == ascends) {
          keys[i] = b;
          keys[other] = a;
        }
      }
      __syncthreads();
    }
  }
  x[blockIdx.x * 128 + i] = keys[i];
}

extern "C" __global__ void prefix_sum(const int *x, int *y) {
  __shared__ int sums[2][128];
  int i = threadIdx.x, from = 0;
  sums[0][i] = x[i];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    sums[1 - from][i] = sums[from][i] + (i >= step ? sums[from][i - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  y[i] = sums[from][i];
}

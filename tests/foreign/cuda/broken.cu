// Kernels with a mistake, each with a finding at its line.
#include "device.h"

extern "C" __global__ void no_barrier(const float *x, float *y) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = x[i];
  // A __syncthreads() is missing here.
  y[i] = tile[63 - i]; // broken: no_barrier
}

extern "C" __global__ void half_barrier(const int *x, int *y) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = x[i];
  if (i < 32)
    __syncthreads(); // legal: the others return
  y[i] = tile[i];
}

extern "C" __global__ void past_the_end(const int *x, int *y) {
  int i = threadIdx.x;
  y[i] = x[i] + x[i + 1]; // broken: past_the_end
}

extern "C" __global__ void not_filled(const int *x, int *y) {
  __shared__ int tile[65];
  int i = threadIdx.x;
  tile[i] = x[i];
  __syncthreads();
  y[i] = tile[i + 1]; // broken: not_filled
}

extern "C" __global__ void lost_updates(const int *x, int *y) {
  int i = threadIdx.x;
  y[i % 4] += x[i]; // broken: lost_updates
}

__device__ __noinline__ int endless(int n) {
  return n < 0 ? n : endless(n / 2) + 1; // broken: without_end
}

extern "C" __global__ void without_end(const int *x, int *y) { y[threadIdx.x] = endless(x[threadIdx.x] + 8); }

// The barrier is initialised where threadIdx.x is 0, which is one thread per row of the block
// (NVIDIA/cuda-samples, globalToShmemAsyncCopy).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx many_initialise.cu
// Run: cutec run many_initialise.ptx --kernel 'many_initialise<false>' --grid 1 --block 16,16
//     --arg 'x:i32[256]=range' --arg 'y:i32[256]'
#include "ptx.h"

template <bool repaired> __global__ void many_initialise(const int *x, int *y) {
  __shared__ int tile[16][16];
  __shared__ unsigned long long filled;
  if (threadIdx.x == 0 && (!repaired || threadIdx.y == 0))
    init(&filled, 256); // finds: mbarrier (error), race (error)
  __syncthreads();
  int i = 16 * threadIdx.y + threadIdx.x;
  tile[15 - threadIdx.y][15 - threadIdx.x] = x[i];
  arrive(&filled);
  wait(&filled, 0);
  y[255 - i] = tile[threadIdx.y][threadIdx.x];
}
template __global__ void many_initialise<false>(const int *, int *);
template __global__ void many_initialise<true>(const int *, int *);

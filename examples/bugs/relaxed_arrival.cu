// The first block publishes a number to its cluster behind a relaxed arrival, which publishes nothing
// (sgl-project/sglang #38829; DeepGEMM's kernels on pairs of blocks).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx relaxed_arrival.cu
// Run: cutec run relaxed_arrival.ptx --kernel 'relaxed_arrival<false>' --grid 2 --block 32
//     --arg 'x:i32[64]=range' --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) relaxed_arrival(const int *x, int *y) {
  __shared__ int threshold;
  if (rank() == 0 && threadIdx.x == 0)
    threshold = x[31]; // other side
  __syncthreads();
  if (repaired)
    cluster_arrive();
  else
    cluster_arrive_relaxed();
  cluster_wait();
  int at = 32 * rank() + threadIdx.x;
  y[at] = x[at] > load_from(in_block(0, &threshold)); // finds: race (error)
  cluster_sync();
}
template __global__ void relaxed_arrival<false>(const int *, int *);
template __global__ void relaxed_arrival<true>(const int *, int *);

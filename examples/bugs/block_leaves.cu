// A block returns although its peer has still to report, at a barrier in the memory of that block,
// that the row has been read (facebookexperimental/triton #1105; pranjalssh/fast.cu, matmulKernel8 to
// matmulKernel12).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx block_leaves.cu
// Run: cutec run block_leaves.ptx --kernel 'block_leaves<false>' --grid 2 --block 32
//     --arg 'x:i32[64]=range' --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) block_leaves(const int *x, int *y) {
  __shared__ int row[32];
  __shared__ unsigned long long full, empty;
  unsigned peer = rank() ^ 1;
  if (threadIdx.x == 0) {
    init(&full, 32);
    init(&empty, 1);
    fence_init();
  }
  cluster_sync();
  store_to(in_block(peer, &row[threadIdx.x]), x[32 * rank() + threadIdx.x]);
  arrive_at(in_block(peer, &full));
  wait_for_cluster(&full, 0);
  y[32 * peer + threadIdx.x] = row[threadIdx.x];
  __syncwarp();
  if (threadIdx.x == 0)
    arrive_at(in_block(peer, &empty)); // finds: exited (error)
  if (repaired)
    cluster_sync();
}
template __global__ void block_leaves<false>(const int *, int *);
template __global__ void block_leaves<true>(const int *, int *);

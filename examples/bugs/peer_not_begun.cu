// A block stores to the shared memory of its peer before it knows that the peer has begun
// (facebookexperimental/triton #2292).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx peer_not_begun.cu
// Run: cutec run peer_not_begun.ptx --kernel 'peer_not_begun<false>' --grid 2 --block 32
//     --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) peer_not_begun(int *y) {
  __shared__ int received[32];
  if (repaired)
    cluster_sync();
  unsigned to = in_block(rank() ^ 1, &received[threadIdx.x]);
  store_to(to, 32 * (rank() ^ 1) + threadIdx.x); // finds: not_begun (error)
  cluster_sync();
  y[32 * rank() + threadIdx.x] = received[threadIdx.x];
}
template __global__ void peer_not_begun<false>(int *);
template __global__ void peer_not_begun<true>(int *);

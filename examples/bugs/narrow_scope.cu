// A block reports to its peer that its rows are there, by an arrival whose scope is its own block
// (NVIDIA/cutlass #3643).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx narrow_scope.cu
// Run: cutec run narrow_scope.ptx --kernel 'narrow_scope<false>' --grid 2 --block 32
//     --arg 'x:i32[64]=range' --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) narrow_scope(const int *x, int *y) {
  __shared__ int rows[32];
  __shared__ unsigned long long full;
  unsigned peer = rank() ^ 1;
  if (threadIdx.x == 0) {
    init(&full, 32);
    fence_init();
  }
  cluster_sync();
  rows[threadIdx.x] = x[32 * rank() + threadIdx.x]; // other side
  if (repaired)
    arrive_at(in_block(peer, &full));
  else
    asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(in_block(peer, &full)) : "memory");
  wait_for_cluster(&full, 0);
  y[32 * peer + threadIdx.x] = load_from(in_block(peer, &rows[threadIdx.x])); // finds: race (error)
  cluster_sync();
}
template __global__ void narrow_scope<false>(const int *, int *);
template __global__ void narrow_scope<true>(const int *, int *);

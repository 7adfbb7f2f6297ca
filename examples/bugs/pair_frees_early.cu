// A pair of blocks allocates tensor memory, and one block frees it before the allocation of the other
// is known to be over (NVIDIA/cutlass #3435).
//
// Compile: nvcc -std=c++17 -arch=sm_100a -lineinfo -ptx pair_frees_early.cu
// Run: cutec run pair_frees_early.ptx --kernel 'pair_frees_early<false>' --grid 2 --block 32
//     --arg 'y:i32[64]'
#include "ptx.h"

template <bool repaired> __global__ void __cluster_dims__(2) pair_frees_early(int *y) {
  __shared__ unsigned columns;
  cluster_sync();
  asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(shared_address(&columns)) : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;" ::: "memory");
  __syncwarp();
  if (repaired)
    cluster_sync();
  unsigned first = columns;
  asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 32;" ::"r"(first) : "memory"); // finds: tensor (error)
  y[32 * rank() + threadIdx.x] = 32 * rank() + threadIdx.x;
  cluster_sync();
}
template __global__ void pair_frees_early<false>(int *);
template __global__ void pair_frees_early<true>(int *);

// A warp loads from tensor memory and arrives at the barrier behind which another warp frees the
// columns, without waiting for its load (NVIDIA/cutlass #3652, a suspicion).
//
// Compile: nvcc -std=c++17 -arch=sm_100a -lineinfo -ptx freed_while_loaded.cu
// Run: cutec run freed_while_loaded.ptx --kernel 'freed_while_loaded<false>' --grid 1 --block 64
//     --arg 'y:i32[32]'
#include "ptx.h"

template <bool repaired> __global__ void freed_while_loaded(int *y) {
  __shared__ unsigned columns;
  __shared__ unsigned long long loaded;
  bool first = threadIdx.x < 32;
  if (threadIdx.x == 0)
    init(&loaded, 32);
  __syncwarp();
  if (first)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(shared_address(&columns)) : "memory");
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  if (first) {
    wait(&loaded, 0);
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(columns) : "memory"); // finds: race (error)
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" ::: "memory");
  } else {
    unsigned lanes = columns + (32 << 16);
    int value;
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(lanes), "r"(threadIdx.x - 32) : "memory");
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(value) : "r"(lanes) : "memory"); // other side
    if (repaired)
      asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
    arrive(&loaded);
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    y[threadIdx.x - 32] = value;
  }
}
template __global__ void freed_while_loaded<false>(int *);
template __global__ void freed_while_loaded<true>(int *);

// Blocks of a cluster read each other's shared memory.
#include "device.h"

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  unsigned result;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(result) : "l"(pointer));
  return result;
}

extern "C" __global__ void neighbours(const int *x, int *y) {
  __shared__ int own[64];
  unsigned rank, address, value;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  own[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(&own[63 - threadIdx.x])), "r"(rank ^ 1));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  y[blockIdx.x * 64 + threadIdx.x] = value;
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

// The next values of A are loaded into registers while a wgmma may still read the last ones
// (deepseek-ai/DeepGEMM #449).
//
// Compile: nvcc -std=c++17 -arch=sm_90a -lineinfo -ptx a_replaced.cu
// Run: cutec run a_replaced.ptx --kernel 'a_replaced<false>' --grid 1 --block 128
//     --arg 'x:f32[2048]=range' --arg 'y:f32[512]'
#include "ptx.h"

template <bool repaired> __global__ void __launch_bounds__(128) a_replaced(const unsigned *x, float *y) {
  // Eight columns of eight numbers of B: ones, as two core matrices.
  __shared__ alignas(128) float b[64];
  if (threadIdx.x < 64)
    b[threadIdx.x] = 1;
  fence_async();
  __syncthreads();
  unsigned long long matrix = shared_address(b) >> 4 | 8ull << 16 | 16ull << 32;
  float sum[4] = {};
  unsigned a[4];
  for (int i = 0; i < 4; ++i)
    a[i] = x[128 * i + threadIdx.x];
#pragma unroll 1
  for (int k = 1; k <= 4; ++k) {
    asm volatile("wgmma.fence.sync.aligned;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1;\n\t"
                 "wgmma.commit_group.sync.aligned;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(matrix)
                 : "memory");
    if (repaired)
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = 0; i < 4; ++i)
      a[i] = x[128 * i + threadIdx.x + 512 * (k % 4)];
    if (!repaired)
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); // finds: wgmma (portability)
  }
  for (int i = 0; i < 4; ++i)
    y[128 * i + threadIdx.x] = sum[i];
}
template __global__ void a_replaced<false>(const unsigned *, float *);
template __global__ void a_replaced<true>(const unsigned *, float *);

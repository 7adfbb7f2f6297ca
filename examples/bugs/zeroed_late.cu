// The first warp clears the sums of all warps, and each warp writes its own: the first one may come
// last (karpathy/llm.c #847).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx zeroed_late.cu
// Run: cutec run zeroed_late.ptx --kernel 'zeroed_late<false>' --grid 1 --block 128
//     --arg 'x:i32[128]=range' --arg 'y:i32[32]'
template <bool repaired> __global__ void zeroed_late(const int *x, int *y) {
  __shared__ int sums[32];
  if (threadIdx.x < 32)
    sums[threadIdx.x] = 0; // other side
  if (repaired)
    __syncthreads();
  int sum = __reduce_add_sync(~0u, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum; // finds: race (error)
  __syncthreads();
  if (threadIdx.x < 32)
    y[threadIdx.x] = sums[threadIdx.x];
}
template __global__ void zeroed_late<false>(const int *, int *);
template __global__ void zeroed_late<true>(const int *, int *);

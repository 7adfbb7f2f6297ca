// A warp without work arrives at a named barrier and goes on to the next tile, where it arrives again
// before the other warp has come to the first one (vllm-project/vllm #26026).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx arrives_again.cu
// Run: cutec run arrives_again.ptx --kernel 'arrives_again<false>' --grid 1 --block 64
//     --arg 'x:i32[96]=range' --arg 'y:i32[96]'
template <bool repaired> __global__ void arrives_again(const int *x, int *y) {
  __shared__ int sum;
  if (threadIdx.x == 32)
    sum = 0;
  __syncthreads();
#pragma unroll 1
  for (int tile = 0; tile < 3; ++tile) {
    if (threadIdx.x < 32 && !repaired)
      asm volatile("barrier.cta.arrive 1, 64;" ::: "memory"); // finds: barrier_filled (error)
    else
      asm volatile("barrier.cta.sync 1, 64;" ::: "memory");
    if (threadIdx.x >= 32)
      y[32 * tile + threadIdx.x - 32] = x[32 * tile + threadIdx.x - 32];
  }
}
template __global__ void arrives_again<false>(const int *, int *);
template __global__ void arrives_again<true>(const int *, int *);

// The first block clears the sum to which all blocks add: it may come last (pranjalssh/fast.cu,
// sumKernel1 and sumKernel3).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx reset_late.cu
// Run: cutec run reset_late.ptx --kernel 'reset_late<false>' --grid 4 --block 32
//     --arg 'x:i32[128]=range' --arg 'y:i32[1]'
template <bool repaired> __global__ void reset_late(const int *x, int *y) {
  if (!repaired && blockIdx.x == 0 && threadIdx.x == 0)
    *y = 0; // other side
  __syncthreads();
  int sum = __reduce_add_sync(~0u, x[32 * blockIdx.x + threadIdx.x]);
  if (threadIdx.x == 0)
    atomicAdd(y, sum); // finds: race (error)
}
template __global__ void reset_late<false>(const int *, int *);
template __global__ void reset_late<true>(const int *, int *);

// Each block writes a table to global memory, an element per thread, and all of its threads load one
// element without a barrier (vllm-project/vllm #34991).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx table_in_global.cu
// Run: cutec run table_in_global.ptx --kernel 'table_in_global<false>' --grid 2 --block 256
//     --arg 't:i32[256]' --arg 'y:i32[512]'
template <bool repaired> __global__ void table_in_global(int *table, int *y) {
  table[threadIdx.x] = 3 * threadIdx.x; // other side
  if (repaired)
    __syncthreads();
  y[256 * blockIdx.x + threadIdx.x] = table[32 * blockIdx.x + 64] + threadIdx.x; // finds: race (error)
}
template __global__ void table_in_global<false>(int *, int *);
template __global__ void table_in_global<true>(int *, int *);

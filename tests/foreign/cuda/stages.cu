// cuda::barrier with asynchronous copies.
#include <cuda/barrier>

extern "C" __global__ void stages(const int *x, int *y, int rounds) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int buffer[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier ready;
  int i = threadIdx.x;
  if (i == 0)
    init(&ready, 64);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    cuda::memcpy_async(&buffer[i], &x[round * 64 + i], sizeof(int), ready);
    ready.arrive_and_wait();
    y[round * 64 + i] = buffer[63 - i];
    ready.arrive_and_wait();
  }
}

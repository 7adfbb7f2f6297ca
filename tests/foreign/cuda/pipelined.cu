// cuda::pipeline of libcu++: rows are copied two ahead of their use.
#include <cuda/pipeline>

constexpr int ahead = 2, columns = 64;

extern "C" __global__ void pipelined(const int *x, int *y, int rows) {
  __shared__ alignas(16) int tile[ahead][columns];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, ahead> state;
  struct Block {
    __device__ void sync() const { __syncthreads(); }
    __device__ unsigned size() const { return columns; }
    __device__ unsigned thread_rank() const { return threadIdx.x; }
  } block;
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int row = 0, next = 0; row < rows; row++) {
    for (; next < rows && next < row + ahead; next++) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tile[next % ahead][threadIdx.x], x + next * columns + threadIdx.x, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    y[row * columns + threadIdx.x] = tile[row % ahead][columns - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  // When the pipeline ends, one lane of a warp invalidates its barriers. Nothing orders that with what the
  // other lanes have waited for.
  __syncthreads();
}

// nvcc --default-stream per-thread: threads whose default streams are their own: nothing orders what two of them do.
#include "check.h"
#include <thread>

__global__ void add(int *to, int value) {
  to[threadIdx.x] += value;  // here
}

int main() {
  int *values, host[64];
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaMemset(values, 0, sizeof host));
  CHECK(cudaStreamSynchronize(0));
#ifdef BROKEN
  const int second = 0;
#else
  const int second = 32;
#endif
  auto work = [&](int from, int value) {
    for (int i = 0; i < 5; i++) add<<<1, 32>>>(values + from, value);
  };
  std::thread one(work, 0, 1), two(work, second, 10);
  one.join();
  two.join();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, 0));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  bool right = true;
  for (int i = 0; i < 64; i++) right &= host[i] == (i < 32 ? 5 : 50);
  return verdict(right);
}

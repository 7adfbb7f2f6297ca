// Two streams: one makes what the other one uses.
#include "check.h"

__global__ void fill(int *to, int value) { to[threadIdx.x] = value + threadIdx.x; }

__global__ void twice(const int *from, int *to) {
  to[threadIdx.x] = 2 * from[threadIdx.x];  // here
}

int main() {
  int *a, *b, host[64];
  CHECK(cudaMalloc(&a, sizeof host));
  CHECK(cudaMalloc(&b, sizeof host));
  cudaStream_t one, two;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t made;
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  fill<<<1, 64, 0, one>>>(a, 5);
  CHECK(cudaEventRecord(made, one));
#ifndef BROKEN
  CHECK(cudaStreamWaitEvent(two, made, 0));
#endif
  twice<<<1, 64, 0, two>>>(a, b);
  CHECK(cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, two));
  CHECK(cudaStreamSynchronize(two));
  bool right = true;
  for (int i = 0; i < 64; i++) right &= host[i] == 2 * (5 + i);
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
  return verdict(right);
}

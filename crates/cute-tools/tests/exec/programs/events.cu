// A copy from pinned memory in one stream, and a kernel behind it in another one, with times.
#include "check.h"

__global__ void square(int *values) {
  values[threadIdx.x] *= values[threadIdx.x];  // here
}

int main() {
  int *pinned, *values;
  CHECK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  CHECK(cudaMalloc(&values, 64 * sizeof(int)));
  for (int i = 0; i < 64; i++) pinned[i] = i;
  cudaStream_t copies, kernels;
  CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  cudaEvent_t start, copied, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&copied));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(start, copies));
#ifdef BROKEN
  CHECK(cudaEventRecord(copied, copies));
#endif
  CHECK(cudaMemcpyAsync(values, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice, copies));
#ifndef BROKEN
  CHECK(cudaEventRecord(copied, copies));
#endif
  CHECK(cudaStreamWaitEvent(kernels, copied, 0));
  square<<<1, 64, 0, kernels>>>(values);
  CHECK(cudaEventRecord(end, kernels));
  CHECK(cudaEventSynchronize(end));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  int host[64];
  CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  bool right = milliseconds > 0;
  for (int i = 0; i < 64; i++) right &= host[i] == i * i;
  CHECK(cudaFreeHost(pinned));
  return verdict(right);
}

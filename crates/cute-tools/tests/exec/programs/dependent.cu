// Programmatic dependent launch: the second kernel begins while the first one runs.
#include "check.h"

__global__ void make(int *values) {
  cudaTriggerProgrammaticLaunchCompletion();
  values[threadIdx.x] = 7 * threadIdx.x;
}

__global__ void use(const int *values, int *results) {
  int own = threadIdx.x;
#ifndef BROKEN
  cudaGridDependencySynchronize();
#endif
  results[own] = values[own] + 1;  // here
}

int main() {
  int *values, *results;
  CHECK(cudaMalloc(&values, 64 * sizeof(int)));
  CHECK(cudaMalloc(&results, 64 * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  make<<<1, 64, 0, stream>>>(values);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, use, (const int *)values, results));
  int host[64];
  CHECK(cudaMemcpyAsync(host, results, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  bool right = true;
  for (int i = 0; i < 64; i++) right &= host[i] == 7 * i + 1;
  return verdict(right);
}

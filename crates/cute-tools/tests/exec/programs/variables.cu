// Variables of the device: in global and in constant memory.
#include "check.h"

__device__ int total = 1;
__constant__ int weights[4];

__global__ void sum(const int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int weighed = values[i] * weights[i % 4];
#ifdef BROKEN
  total += weighed;  // here
#else
  atomicAdd(&total, weighed);
#endif
}

int main() {
  const int count = 100, given[4] = {1, 2, 3, 4};
  int host[count], expected = 1, result, *values;
  for (int i = 0; i < count; i++) expected += (host[i] = i) * given[i % 4];
  CHECK(cudaMemcpyToSymbol(weights, given, sizeof given));
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice));
  sum<<<4, 32>>>(values, count);
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  size_t bytes;
  void *address;
  CHECK(cudaGetSymbolSize(&bytes, weights));
  CHECK(cudaGetSymbolAddress(&address, total));
  int again;
  CHECK(cudaMemcpy(&again, address, sizeof again, cudaMemcpyDeviceToHost));
  return verdict(result == expected && again == result && bytes == sizeof given);
}

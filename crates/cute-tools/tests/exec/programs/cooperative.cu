// A cooperative launch, whose blocks wait for each other.
#include <cooperative_groups.h>

#include "check.h"

__global__ void rotate(int *values, int *results, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 3 * i;
#ifndef BROKEN
  cooperative_groups::this_grid().sync();
#endif
  results[i] = values[(i + blockDim.x) % count];  // here
}

int main() {
  int blocks, count, *values, *results;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, rotate, 64, 0));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  blocks = blocks * properties.multiProcessorCount < 8 ? blocks * properties.multiProcessorCount : 8;
  count = 64 * blocks;
  CHECK(cudaMalloc(&values, count * sizeof(int)));
  CHECK(cudaMalloc(&results, count * sizeof(int)));
  void *arguments[] = {&values, &results, &count};
  CHECK(cudaLaunchCooperativeKernel((void *)rotate, dim3(blocks), dim3(64), arguments, 0, 0));
  int host[512];
  CHECK(cudaMemcpy(host, results, count * sizeof(int), cudaMemcpyDeviceToHost));
  bool right = properties.cooperativeLaunch && blocks > 1;
  for (int i = 0; i < count; i++) right &= host[i] == 3 * ((i + 64) % count);
  return verdict(right);
}

// Constant memory, and variables in global memory with initial values, also addresses.
#include "device.h"

__constant__ float weights[8] = {0.5f, -1.0f, 2.0f, 0.25f, 8.0f, -0.125f, 1.0f, 3.0f};
__constant__ short offsets[4] = {3, -2, 1, 0};
__device__ int primes[6] = {2, 3, 5, 7, 11, 13};
__device__ int *middle = &primes[3];
__device__ double factor = 1.5;
__device__ int zeroed[4];
__device__ unsigned char text[12] = "cute kernel";

struct Entry {
  const int *place;
  int count;
};
__device__ Entry entries[2] = {{primes, 3}, {primes + 3, 2}};

extern "C" __global__ void variables(float *y, double *z, int *counts) {
  int i = threadIdx.x;
  y[i] = weights[i % 8] + offsets[i % 4] + text[i % 11];
  z[i] = factor * primes[i % 6] + middle[i % 3 - 1];
  Entry entry = entries[i % 2];
  int sum = zeroed[i % 4];
  for (int at = 0; at < entry.count; ++at)
    sum += entry.place[at];
  counts[i] = sum;
}

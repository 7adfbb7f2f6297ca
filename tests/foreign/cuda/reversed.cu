// Shared memory whose size the launch determines, in two parts.
#include "device.h"

extern __shared__ char memory[];

extern "C" __global__ void reversed(const int *x, const short *y, int *xr, short *yr) {
  int n = blockDim.x, i = threadIdx.x, base = blockIdx.x * n;
  int *first = reinterpret_cast<int *>(memory);
  short *second = reinterpret_cast<short *>(first + n);
  first[i] = x[base + i];
  second[i] = y[base + i];
  __syncthreads();
  xr[base + i] = first[n - 1 - i];
  yr[base + i] = second[n - 1 - i];
}
